// Narrow phase: from geom frames to contacts. The plan lists all pairs that may ever collide, sorted by collider. Ballots compact
// first the pairs whose bounding spheres overlap and then their contacts, so the order never depends on timing.
#pragma once
#include "collide/box_mesh.h"
#include "collide/capsule_box.h"
#include "collide/hfield_round.h"
#include "collide/plane_mesh.h"
#include "collide/ellipsoid.h"
#include "collide/plane.h"
#include "collide/mpr.h"
#include "collide/multicontact.h"

// Appends the lane's pair to a list if its bounding spheres overlap. Beyond the capacity pairs are only counted.
DEV int list_pair(const Context& h, int p, bool there, unsigned short* list, int listed) {
  bool near = false;
  if (there) {
    v3 d = get3(h.s.geom_xpos, GEOMS, ld(pair_geom1 + p)) - get3(h.s.geom_xpos, GEOMS, ld(pair_geom2 + p));
    near = dot(d, d) <= pair_reach(h.n, p);
  }
  const int at = wcompact(near, h.lane & 31, listed);
  if (near && (MAX_NEAR == NPAIR || at < MAX_NEAR)) list[at] = (unsigned short)p;
  return listed;
}
// One warp lists the near pairs of a range. Returns their number.
DEV int list_near(const Context& h, int first, int last, unsigned short* list) {
  int listed = 0;
  UNROLL4 for (int base = first; base < last; base += 32) {
    const int p = base + (h.lane & 31);
    listed = list_pair(h, p, p < last, list, listed);
  }
  wsync();
  return listed;
}
// Broad phase: whether the bounding spheres of two bodies (or static geoms) overlap.
DEV v3 body_bound_centre(const Context& h, int bound) {
  const Pose p = body_pose(h.s, ld(bodybound_body + bound));
  return p.pos + rotate(p.quat, bodybound_centre(h.n, bound));
}
DEV bool body_pair_near(const Context& h, int k) {
  const v3 d = body_bound_centre(h, ld(bodypair_bound + 2 * k)) - body_bound_centre(h, ld(bodypair_bound + 2 * k + 1));
  return dot(d, d) <= bodypair_reach(h.n, k);
}
// Lists the near pairs of all body pairs whose bounding spheres overlap. Each lane tests one body pair; then lanes go side by side
// through the geom pairs of those that overlap. A binary search over the prefix sums finds the body pair that a lane's geom pair
// belongs to.
DEV int list_body_pairs(const Context& h, unsigned short* list) {
  int listed = 0;
  ROLL for (int base = 0; base < NBODYPAIR; base += 32) {
    const int k = base + h.lane;
    int first = 0, count = 0;
    if (k < NBODYPAIR && body_pair_near(h, k)) first = ld(bodypair_first + k), count = ld(bodypair_first + k + 1) - first;
    const int before = wscan(count, h.lane), all = shfl(before + count, 31);
    ROLL for (int i = h.lane; i - h.lane < all; i += 32) {
      int own = 0;
      UNROLL for (int step = 16; step; step >>= 1)
        if (shfl(before, own + step) <= i) own += step;
      listed = list_pair(h, shfl(first - before, own) + i, i < all, list, listed);
    }
  }
  wsync();
  return listed;
}
// The list of all near pairs. Each warp of a team lists its share, and all lanes know how many each share has.
struct NearPairs {
  int count[TEAM], total;
  static constexpr int EACH = (NPAIR + TEAM - 1) / TEAM;
  DEV int pair_index(int i) const {
    int from = 0;
    UNROLL for (int t = 0; t < TEAM - 1; t++)
      if (i >= count[t] && from == t * EACH) i -= count[t], from += EACH;
    return from + i;
  }
  // Number of entries before a given pair. The list is sorted, so counting continues from `from`.
  DEV int before(const World& s, int pair, int from, int lane) const {
    if (pair == NPAIR) return total;
    for (unsigned who = ~0u; who == ~0u && from < total;) {
      const int i = from + (lane & 31);
      who = ballot(i < total && s.near_pairs[pair_index(i)] < pair);
      from += popc(who);
    }
    return from;
  }
};
DEV NearPairs find_near_pairs(const Context& h) {
  NearPairs of;
  const int warp = h.lane / 32, from = warp * NearPairs::EACH, to = from + NearPairs::EACH < NPAIR ? from + NearPairs::EACH : NPAIR;
  of.total = of.count[0] = NBODYPAIR > 0 ? list_body_pairs(h, h.s.near_pairs) : list_near(h, from, to, h.s.near_pairs + from);
  if (TEAM == 1) return of;
  post(of.total);
  of.total = 0;
  UNROLL for (int t = 0; t < TEAM; t++) of.total += of.count[t] = posted[t];
  sync();
  return of;
}
// A range of that list: the pairs of one collider.
struct PairRange { NearPairs list; int from, to; };

template <class Collider> DEV void find(Collider, const Context& h, int g1, int g2, float margin, Contact* con, bool* found) {
  Collider::find(shape(h, g1), shape(h, g2), margin, con, found);
}
DEV void find(PlaneMesh, const Context& h, int g1, int g2, float margin, Contact* con, bool* found) {
  PlaneMesh::find(h, g1, g2, margin, con, found);
}

// Contacts of the pairs of one collider, one lane per pair. Returns the count including earlier contacts. Contacts beyond the
// capacity are only counted.
template <class Collider> DEV int collide_each_lane(const Context& h, const PairRange& near, int count) {
  for (int base = near.from; base < near.to; base += LANES) {
    Contact con[Collider::MAX_CONTACTS];
    bool found[Collider::MAX_CONTACTS];
    int p = 0;
    UNROLL for (int k = 0; k < Collider::MAX_CONTACTS; k++) found[k] = false;
    if (base + h.lane < near.to) {
      p = h.s.near_pairs[near.list.pair_index(base + h.lane)];
      find(Collider{}, h, ld(pair_geom1 + p), ld(pair_geom2 + p), pair_margin(h.n, p), con, found);
    }
    UNROLL for (int k = 0; k < Collider::MAX_CONTACTS; k++) count = keep_contact<true>(h, p, found[k], con[k], count);
  }
  return count;
}
// The same for all colliders with few contacts per pair: lanes handle pairs of different colliders and store their contacts
// together.
DEV int collide_few_per_lane(const Context& h, const PairRange& near, int count) {
  for (int base = near.from; base < near.to; base += LANES) {
    Contact con[MAX_FEW_CONTACTS];
    bool found[MAX_FEW_CONTACTS];
    int p = 0;
    UNROLL for (int k = 0; k < MAX_FEW_CONTACTS; k++) found[k] = false;
    if (base + h.lane < near.to) {
      p = h.s.near_pairs[near.list.pair_index(base + h.lane)];
      const int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
      const float margin = pair_margin(h.n, p);
#define PERLANE(name, first, last) if (p >= first && p < last) find(name{}, h, g1, g2, margin, con, found);
      FEW_COLLIDERS
#undef PERLANE
    }
    UNROLL for (int k = 0; k < MAX_FEW_CONTACTS; k++) count = keep_contact<true>(h, p, found[k], con[k], count);
  }
  return count;
}

// Compacts the pairs that pass a test to the front of a list, by one warp. Returns their number.
template <class At, class Test> DEV int filter_list(int lane, int count, unsigned short* to, At at, Test test) {
  int left = 0;
  ROLL for (int base = 0; base < count; base += 32) {
    const int p = base + lane < count ? at(base + lane) : 0;
    const bool stays = base + lane < count && test(p);
    const int place = wcompact(stays, lane, left);
    if (stays) to[place] = (unsigned short)p;
  }
  wsync();
  return left;
}
// Runs work on one warp, the first of a team, with the list of pairs whose oriented bounding boxes overlap.
template <class Work> DEV int by_first_warp(const Context& h, const PairRange& near, int count, Work work) {
  if (h.lane < 32) {
    unsigned short* list = h.s.near_pairs + near.list.pair_index(near.from);
    auto at = [&](int i) { return h.s.near_pairs[near.list.pair_index(near.from + i)]; };
    int listed = filter_list(h.lane, near.to - near.from, list, at, [&](int p) { return Convex::near(h, p); });
    count = work(list, listed, count);
  }
  sync();
  return TEAM == 1 ? count : broadcast_first(count);
}

// Contacts of the pairs of one collider, all lanes of a warp on one pair at a time. Convex pairs with a separating plane are
// skipped.
template <class Collider> DEV int collide_per_warp(const Context& h, const PairRange& near, int count) {
  return by_first_warp(h, near, count, [&](unsigned short* list, int listed, int n) {
    if (Collider::CONVEX) listed = filter_list(h.lane, listed, list, [&](int i) { return list[i]; }, [&](int p) { return !separated(h, p); });
    for (int i = 0; i < listed; i++) n = Collider::find(h, list[i], n);
    return n;
  });
}

// The same with all lanes on all pairs at once.
template <class Collider> DEV int spread(const Context& h, const PairRange& near, int count) {
  return by_first_warp(h, near, count, [&](const unsigned short* list, int listed, int n) { return Collider::find(h, list, listed, n); });
}

// All contacts; the count may exceed the capacity. Colliders that use all lanes are separate functions, and so are the others in a
// model that has such: inlined into one function with everything else they compile several times slower and need more registers
// than there are. Otherwise everything is inlined, because calls spill the lanes' registers: 9 % of the humanoid's step.
#define SEPARATE_CALL(how) \
  template <class Collider> CALL int how##_call(World& s, Numbers n, int lane, PairRange near, int count) { \
    return how<Collider>({s, n, nullptr, lane}, near, count); \
  }
SEPARATE_CALL(collide_each_lane)
SEPARATE_CALL(collide_per_warp)
SEPARATE_CALL(spread)
#undef SEPARATE_CALL
CALL int collide_few_per_lane_call(World& s, Numbers n, int lane, PairRange near, int count) { return collide_few_per_lane({s, n, nullptr, lane}, near, count); }
DEV int collision(const Context& h) {
  if (NPAIR == 0) return 0;
  int n = 0;
  PairRange near = {find_near_pairs(h), 0, 0};
  if (MAX_NEAR < NPAIR && near.list.total > MAX_NEAR) return NCON + 1;
#define RUN(last, ...) { \
    near.from = near.to, near.to = near.list.before(h.s, last, near.from, h.lane); \
    if (near.to > near.from) n = __VA_ARGS__; \
  }
  if (FEW_PAIRS > 0) RUN(FEW_PAIRS, HAS_CONVEX ? collide_few_per_lane_call(h.s, h.n, h.lane, near, n) : collide_few_per_lane(h, near, n))
#define PERLANE(name, first, last) RUN(last, HAS_CONVEX ? collide_each_lane_call<name>(h.s, h.n, h.lane, near, n) : collide_each_lane<name>(h, near, n))
#define PERWARP(name, first, last) RUN(last, collide_per_warp_call<name>(h.s, h.n, h.lane, near, n))
#define SPREAD(name, first, last) RUN(last, spread_call<name>(h.s, h.n, h.lane, near, n))
  COLLIDERS
#undef RUN
#undef PERLANE
#undef PERWARP
#undef SPREAD
  sync();
  return n;
}
