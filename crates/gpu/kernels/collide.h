// Frames of geoms to contacts. Pairs that may ever touch are listed by the plan, kind by kind; a ballot packs those
// whose bounding spheres overlap, and again their contacts, so the order never depends on timing.
#pragma once
#include "collide/capsule_box.h"
#include "collide/field_round.h"
#include "collide/mesh.h"
#include "collide/oval.h"
#include "collide/plane.h"

// Pairs whose bounding spheres overlap, and that pass a finer test, by a warp; their count.
template <class Test> DEV int list_near(const Here& h, int first, int last, unsigned short* list, Test test) {
  World& s = h.s;
  const int lane = h.lane & 31;
  int listed = 0;
  UNROLL4 for (int base = first; base < last; base += 32) {
    int p = base + lane;
    bool near = false;
    if (p < last) {
      int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
      v3 d = get3(s.gpos, GEOMS, g1) - get3(s.gpos, GEOMS, g2);
      near = dot(d, d) <= pair_reach(h.n, p) && test(p, g1, g2);
    }
    const int at = wqueue(near, lane, listed);
    if (near) list[at] = (unsigned short)p;
  }
  wsync();
  return listed;
}
// Each warp of a team lists its part of the pairs, and all lanes know how many are on each list.
struct Lists {
  int each, count[TEAM], total;
  DEV int at(const World& s, int i) const {
    int from = 0;
    UNROLL for (int t = 0; t < TEAM - 1; t++)
      if (i >= count[t] && from == t * each) i -= count[t], from += each;
    return s.near[from + i];
  }
};
DEV Lists lists(const Here& h, int first, int last) {
  Lists of;
  of.each = (last - first + TEAM - 1) / TEAM;
  const int warp = h.lane / 32, from = first + warp * of.each, to = from + of.each < last ? from + of.each : last;
  of.total = list_near(h, from, to, h.s.near + warp * of.each, [](int, int, int) { return true; });
  of.count[0] = of.total;
  if (TEAM == 1) return of;
  post(of.total);
  of.total = 0;
  UNROLL for (int t = 0; t < TEAM; t++) of.total += of.count[t] = board[t];
  sync();
  return of;
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
  const Lists near = lists(h, first, last);
  for (int base = 0; base < near.total; base += LANES) {
    Hit hit[Kind::MOST];
    bool found[Kind::MOST];
    int p = 0;
    UNROLL for (int k = 0; k < Kind::MOST; k++) found[k] = false;
    if (base + lane < near.total) {
      p = near.at(h.s, base + lane);
      find(Kind{}, h, ld(pair_geom1 + p), ld(pair_geom2 + p), pair_margin(h.n, p), hit, found);
    }
    UNROLL for (int k = 0; k < Kind::MOST; k++) count = keep<true>(h, p, found[k], hit[k], count);
  }
  sync();
  return count;
}

// Leaves pairs on the list that no plane parts; their count. By a warp.
DEV int drop_parted(const Here& h, int listed) {
  int left = 0;
  for (int base = 0; base < listed; base += 32) {
    int p = base + h.lane < listed ? h.s.near[base + h.lane] : 0;
    bool touch = base + h.lane < listed && !parted(h, p);
    const int at = wqueue(touch, h.lane, left);
    if (touch) h.s.near[at] = (unsigned short)p;
  }
  wsync();
  return left;
}

// What a warp does alone, the first of a team.
template <class Work> DEV int by_a_warp(const Here& h, int count, Work work) {
  if (h.lane < 32) count = work(count);
  sync();
  return TEAM == 1 ? count : from_first(count);
}

// Contacts of the pairs of one kind, all lanes of a warp on one pair after the other.
template <class Kind> DEV int together(const Here& h, int first, int last, int count) {
  return by_a_warp(h, count, [&](int n) {
    int listed = list_near(h, first, last, h.s.near, [&](int p, int g1, int g2) { return Kind::near(h, p, g1, g2); });
    if (Kind::CONVEX) listed = drop_parted(h, listed);
    for (int i = 0; i < listed; i++) n = Kind::find(h, h.s.near[i], n);
    return n;
  });
}

// The same with all pairs at once.
template <class Kind> DEV int spread(const Here& h, int first, int last, int count) {
  return by_a_warp(h, count, [&](int n) {
    int listed = list_near(h, first, last, h.s.near, [&](int p, int g1, int g2) { return Convex::near(h, p, g1, g2); });
    return Kind::find(h, listed, n);
  });
}

// All contacts; the count may be larger than the room. What all lanes search together is in functions of its own: in one
// body with everything else the compiler takes twice as long, and more registers than lanes have. Pairs of a lane each are not, as calls
// save and load what lanes have in registers: 9 % of the humanoid's time.
#define WAY(how) \
  template <class Kind, int FIRST, int LAST> CALL int how##_of(World& s, Numbers n, int lane, int count) { \
    return how<Kind>({s, n, nullptr, lane}, FIRST, LAST, count); \
  }
WAY(together)
WAY(spread)
#undef WAY
DEV int contacts(const Here& h) {
  int n = 0;
#define KIND(name, first, last) n = touching<name>(h, first, last, n);
#define TOGETHER(name, first, last) n = together_of<name, first, last>(h.s, h.n, h.lane, n);
#define SPREAD(name, first, last) n = spread_of<name, first, last>(h.s, h.n, h.lane, n);
  PAIR_KINDS
#undef KIND
#undef TOGETHER
#undef SPREAD
  return n;
}
