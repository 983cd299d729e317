// Frames of geoms to contacts. Pairs that may ever touch are listed by the plan, kind by kind; a ballot packs those
// whose bounding spheres overlap, and again their contacts, so the order never depends on timing.
#pragma once
#include "collide/plane.h"
#include "collide/round.h"

DEV Shape shape(const Here& h, int g) {
  return {get3(h.s.gpos, GEOMS, g), get4(h.s.gquat, GEOMS, g), geom_size(h.n, g)};
}

DEV void store(World& s, int slot, const Hit& hit, int pair) {
  float* c = s.contact + slot * CON_SIZE;
  c[CON_POS] = hit.pos.x, c[CON_POS + 1] = hit.pos.y, c[CON_POS + 2] = hit.pos.z;
  c[CON_DIST] = hit.dist;
  c[CON_NORMAL] = hit.normal.x, c[CON_NORMAL + 1] = hit.normal.y, c[CON_NORMAL + 2] = hit.normal.z;
  // the given tangent across the normal, or the axis that is furthest from it
  v3 n = hit.normal, t = hit.tangent;
  t = t - dot(t, n) * n;
  if (dot(t, t) < 1e-8f) {
    t = n.y < 0.5f && n.y > -0.5f ? v3{0.f, 1.f, 0.f} : v3{0.f, 0.f, 1.f};
    t = t - dot(t, n) * n;
  }
  t = unit(t);
  c[CON_TANGENT] = t.x, c[CON_TANGENT + 1] = t.y, c[CON_TANGENT + 2] = t.z;
  ((int*)c)[CON_PAIR] = pair;
}

// Contacts of the pairs of one kind. Returns their count with those before; more than there is room for are counted only.
template <class Kind> DEV int touching(const Here& h, int first, int last, int count) {
  World& s = h.s;
  const int lane = h.lane;
  const unsigned below = (1u << lane) - 1;
  int listed = 0;
  for (int base = first; base < last; base += 32) {
    int p = base + lane;
    bool near = false;
    if (p < last) {
      v3 d = get3(s.gpos, GEOMS, ld(pair_geom1 + p)) - get3(s.gpos, GEOMS, ld(pair_geom2 + p));
      near = dot(d, d) <= pair_reach(h.n, p);
    }
    unsigned who = ballot(near);
    if (near) s.near[listed + popc(who & below)] = (unsigned short)p;
    listed += popc(who);
  }
  wsync();
  for (int base = 0; base < listed; base += 32) {
    Hit hit[Kind::MOST];
    bool found[Kind::MOST];
    int p = 0;
    UNROLL for (int k = 0; k < Kind::MOST; k++) found[k] = false;
    if (base + lane < listed) {
      p = s.near[base + lane];
      Kind::find(shape(h, ld(pair_geom1 + p)), shape(h, ld(pair_geom2 + p)), pair_margin(h.n, p), hit, found);
    }
    UNROLL for (int k = 0; k < Kind::MOST; k++) {
      unsigned who = ballot(found[k] && hit[k].dist < pair_includemargin(h.n, p));
      int slot = count + popc(who & below);
      if ((who >> lane & 1u) && slot < NCON) store(s, slot, hit[k], p);
      count += popc(who);
    }
  }
  wsync();
  return count;
}

// All contacts; the count may be larger than the room.
DEV int contacts(const Here& h) {
  int n = 0;
#define KIND(name, first, last) if (last > first) n = touching<name>(h, first, last, n);
  PAIR_KINDS
#undef KIND
  return n;
}
