// Frames of geoms to contacts. Pairs that may ever touch are listed by the plan, kind by kind; a ballot packs those
// whose bounding spheres overlap, and again their contacts, so the order never depends on timing.
#pragma once
#include "collide/capsule_box.h"
#include "collide/field_round.h"
#include "collide/mesh.h"
#include "collide/plane.h"

// Pairs whose bounding spheres overlap, and that pass a finer test; their count.
template <class Test> DEV int list_near(const Here& h, int first, int last, Test test) {
  World& s = h.s;
  const unsigned below = (1u << h.lane) - 1;
  int listed = 0;
  UNROLL4 for (int base = first; base < last; base += 32) {
    int p = base + h.lane;
    bool near = false;
    if (p < last) {
      int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
      v3 d = get3(s.gpos, GEOMS, g1) - get3(s.gpos, GEOMS, g2);
      near = dot(d, d) <= pair_reach(h.n, p) && test(p, g1, g2);
    }
    unsigned who = ballot(near);
    if (near) s.near[listed + popc(who & below)] = (unsigned short)p;
    listed += popc(who);
  }
  wsync();
  return listed;
}

template <class Kind> DEV void find(Kind, const Here& h, int g1, int g2, float margin, Hit* hit, bool* found) {
  Kind::find(shape(h, g1), shape(h, g2), margin, hit, found);
}
DEV void find(PlaneMesh, const Here& h, int g1, int g2, float margin, Hit* hit, bool* found) {
  PlaneMesh::find(h, g1, g2, margin, hit, found);
}

// Contacts of the pairs of one kind, a lane a pair. Returns their count with those before; more than there is room for are counted only.
template <class Kind> DEV int touching(const Here& h, int first, int last, int count) {
  const int lane = h.lane;
  int listed = list_near(h, first, last, [](int, int, int) { return true; });
  for (int base = 0; base < listed; base += 32) {
    Hit hit[Kind::MOST];
    bool found[Kind::MOST];
    int p = 0;
    UNROLL for (int k = 0; k < Kind::MOST; k++) found[k] = false;
    if (base + lane < listed) {
      p = h.s.near[base + lane];
      find(Kind{}, h, ld(pair_geom1 + p), ld(pair_geom2 + p), pair_margin(h.n, p), hit, found);
    }
    UNROLL for (int k = 0; k < Kind::MOST; k++) count = keep(h, p, found[k], hit[k], count);
  }
  wsync();
  return count;
}

// Leaves pairs on the list that no plane parts; their count.
DEV int drop_parted(const Here& h, int listed) {
  const unsigned below = (1u << h.lane) - 1;
  int left = 0;
  for (int base = 0; base < listed; base += 32) {
    int p = base + h.lane < listed ? h.s.near[base + h.lane] : 0;
    bool touch = base + h.lane < listed && !parted(h, p);
    unsigned who = ballot(touch);
    if (touch) h.s.near[left + popc(who & below)] = (unsigned short)p;
    left += popc(who);
  }
  wsync();
  return left;
}

// Contacts of the pairs of one kind, all lanes on one pair after the other.
template <class Kind> DEV int together(const Here& h, int first, int last, int count) {
  int listed = list_near(h, first, last, [&](int p, int g1, int g2) { return Kind::near(h, p, g1, g2); });
  if (Kind::CONVEX) listed = drop_parted(h, listed);
  for (int i = 0; i < listed; i++) count = Kind::find(h, h.s.near[i], count);
  wsync();
  return count;
}

// The same with all pairs at once.
template <class Kind> DEV int spread(const Here& h, int first, int last, int count) {
  int listed = list_near(h, first, last, [&](int p, int g1, int g2) { return Convex::near(h, p, g1, g2); });
  count = Kind::find(h, listed, count);
  wsync();
  return count;
}

// All contacts; the count may be larger than the room.
DEV int contacts(const Here& h) {
  int n = 0;
#define KIND(name, first, last) if (last > first) n = touching<name>(h, first, last, n);
#define TOGETHER(name, first, last) if (last > first) n = together<name>(h, first, last, n);
#define SPREAD(name, first, last) if (last > first) n = spread<name>(h, first, last, n);
  PAIR_KINDS
#undef KIND
#undef TOGETHER
#undef SPREAD
  return n;
}
