// Frames of geoms to contacts. Pairs that may ever touch are listed by the plan, kind by kind; a ballot packs those
// whose bounding spheres overlap, and again their contacts, so the order never depends on timing.
#pragma once
#include "collide/box_mesh.h"
#include "collide/capsule_box.h"
#include "collide/hfield_round.h"
#include "collide/plane_mesh.h"
#include "collide/ellipsoid.h"
#include "collide/plane.h"
#include "collide/mpr.h"
#include "collide/multicontact.h"

// Puts the lane's pair on a list if its bounding spheres overlap, and counts it; beyond the room there is it is counted only.
DEV int list_pair(const Here& h, int p, bool there, unsigned short* list, int listed) {
  bool near = false;
  if (there) {
    v3 d = get3(h.s.gpos, GEOMS, ld(pair_geom1 + p)) - get3(h.s.gpos, GEOMS, ld(pair_geom2 + p));
    near = dot(d, d) <= pair_reach(h.n, p);
  }
  const int at = wqueue(near, h.lane & 31, listed);
  if (near && (NEAR == NPAIR || at < NEAR)) list[at] = (unsigned short)p;
  return listed;
}
// Lists a stretch of all pairs, by a warp. Their count.
DEV int list_near(const Here& h, int first, int last, unsigned short* list) {
  int listed = 0;
  UNROLL4 for (int base = first; base < last; base += 32) {
    const int p = base + (h.lane & 31);
    listed = list_pair(h, p, p < last, list, listed);
  }
  wsync();
  return listed;
}
// Whether balls around two things overlap that move as one each.
DEV v3 lump_place(const Here& h, int lump) {
  const Place p = body_place(h.s, ld(lump_body + lump));
  return p.pos + rotate(p.quat, lump_centre(h.n, lump));
}
DEV bool bunch_near(const Here& h, int k) {
  const v3 d = lump_place(h, ld(bunch_lump + 2 * k)) - lump_place(h, ld(bunch_lump + 2 * k + 1));
  return dot(d, d) <= bunch_reach(h.n, k);
}
// Lists all pairs, but for bunches that are apart. A lane has a bunch; the pairs of those that are near are looked at side by side, each
// of the last bunch with no more pairs before it than it has.
DEV int list_bunches(const Here& h, unsigned short* list) {
  int listed = 0;
  ROLL for (int base = 0; base < NBUNCH; base += 32) {
    const int k = base + h.lane;
    int first = 0, count = 0;
    if (k < NBUNCH && bunch_near(h, k)) first = ld(bunch_first + k), count = ld(bunch_first + k + 1) - first;
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
// The list of all pairs that are near. Each warp of a team lists its part of them, and all lanes know how many are in each.
struct Lists {
  int count[TEAM], total;
  static constexpr int EACH = (NPAIR + TEAM - 1) / TEAM;
  DEV int place(int i) const {
    int from = 0;
    UNROLL for (int t = 0; t < TEAM - 1; t++)
      if (i >= count[t] && from == t * EACH) i -= count[t], from += EACH;
    return from + i;
  }
  // so many are before a pair; the list is in order, and of those from here on the first are
  DEV int before(const World& s, int pair, int from, int lane) const {
    if (pair == NPAIR) return total;
    for (unsigned who = ~0u; who == ~0u && from < total;) {
      const int i = from + (lane & 31);
      who = ballot(i < total && s.near[place(i)] < pair);
      from += popc(who);
    }
    return from;
  }
};
DEV Lists lists(const Here& h) {
  Lists of;
  const int warp = h.lane / 32, from = warp * Lists::EACH, to = from + Lists::EACH < NPAIR ? from + Lists::EACH : NPAIR;
  of.total = of.count[0] = NBUNCH > 0 ? list_bunches(h, h.s.near) : list_near(h, from, to, h.s.near + from);
  if (TEAM == 1) return of;
  post(of.total);
  of.total = 0;
  UNROLL for (int t = 0; t < TEAM; t++) of.total += of.count[t] = board[t];
  sync();
  return of;
}
// A stretch of that list: pairs of one kind.
struct Stretch { Lists list; int from, to; };

template <class Kind> DEV void find(Kind, const Here& h, int g1, int g2, float margin, Hit* hit, bool* found) {
  Kind::find(shape(h, g1), shape(h, g2), margin, hit, found);
}
DEV void find(PlaneMesh, const Here& h, int g1, int g2, float margin, Hit* hit, bool* found) {
  PlaneMesh::find(h, g1, g2, margin, hit, found);
}

// Contacts of the pairs of one kind, a lane a pair. Returns their count with those before; more than there is room for are counted only.
template <class Kind> DEV int touching(const Here& h, const Stretch& near, int count) {
  for (int base = near.from; base < near.to; base += LANES) {
    Hit hit[Kind::MOST];
    bool found[Kind::MOST];
    int p = 0;
    UNROLL for (int k = 0; k < Kind::MOST; k++) found[k] = false;
    if (base + h.lane < near.to) {
      p = h.s.near[near.list.place(base + h.lane)];
      find(Kind{}, h, ld(pair_geom1 + p), ld(pair_geom2 + p), pair_margin(h.n, p), hit, found);
    }
    UNROLL for (int k = 0; k < Kind::MOST; k++) count = keep<true>(h, p, found[k], hit[k], count);
  }
  return count;
}
// The same of all kinds whose pairs have few contacts: lanes have pairs of several kinds, and what they find is kept once for all.
DEV int few_touching(const Here& h, const Stretch& near, int count) {
  for (int base = near.from; base < near.to; base += LANES) {
    Hit hit[FEW];
    bool found[FEW];
    int p = 0;
    UNROLL for (int k = 0; k < FEW; k++) found[k] = false;
    if (base + h.lane < near.to) {
      p = h.s.near[near.list.place(base + h.lane)];
      const int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
      const float margin = pair_margin(h.n, p);
#define KIND(name, first, last) if (p >= first && p < last) find(name{}, h, g1, g2, margin, hit, found);
      FEW_KINDS
#undef KIND
    }
    UNROLL for (int k = 0; k < FEW; k++) count = keep<true>(h, p, found[k], hit[k], count);
  }
  return count;
}

// Puts those of some pairs that pass a test one after the other, in the place of the first; their count. By a warp.
template <class At, class Test> DEV int sift(int lane, int count, unsigned short* to, At at, Test test) {
  int left = 0;
  ROLL for (int base = 0; base < count; base += 32) {
    const int p = base + lane < count ? at(base + lane) : 0;
    const bool stays = base + lane < count && test(p);
    const int place = wqueue(stays, lane, left);
    if (stays) to[place] = (unsigned short)p;
  }
  wsync();
  return left;
}
// What a warp does alone, the first of a team, with pairs whose boxes are near each other, as a list.
template <class Work> DEV int by_a_warp(const Here& h, const Stretch& near, int count, Work work) {
  if (h.lane < 32) {
    unsigned short* list = h.s.near + near.list.place(near.from);
    auto at = [&](int i) { return h.s.near[near.list.place(near.from + i)]; };
    int listed = sift(h.lane, near.to - near.from, list, at, [&](int p) { return Convex::near(h, p); });
    count = work(list, listed, count);
  }
  sync();
  return TEAM == 1 ? count : from_first(count);
}

// Contacts of the pairs of one kind, all lanes of a warp on one pair after the other: those that no plane parts, if they are convex.
template <class Kind> DEV int together(const Here& h, const Stretch& near, int count) {
  return by_a_warp(h, near, count, [&](unsigned short* list, int listed, int n) {
    if (Kind::CONVEX) listed = sift(h.lane, listed, list, [&](int i) { return list[i]; }, [&](int p) { return !parted(h, p); });
    for (int i = 0; i < listed; i++) n = Kind::find(h, list[i], n);
    return n;
  });
}

// The same with all pairs at once.
template <class Kind> DEV int spread(const Here& h, const Stretch& near, int count) {
  return by_a_warp(h, near, count, [&](const unsigned short* list, int listed, int n) { return Kind::find(h, list, listed, n); });
}

// All contacts; the count may be larger than the room. What all lanes search together is in functions of its own, and so is the rest
// where there is such: in one body with everything else the compiler takes several times as long, and more registers than lanes have.
// Else it is not, as calls save and load what lanes have in registers: 9 % of the humanoid's time.
#define APART(how) \
  template <class Kind> CALL int how##_apart(World& s, Numbers n, int lane, Stretch near, int count) { \
    return how<Kind>({s, n, nullptr, lane}, near, count); \
  }
APART(touching)
APART(together)
APART(spread)
#undef APART
CALL int few_touching_apart(World& s, Numbers n, int lane, Stretch near, int count) { return few_touching({s, n, nullptr, lane}, near, count); }
DEV int contacts(const Here& h) {
  if (NPAIR == 0) return 0;
  int n = 0;
  Stretch near = {lists(h), 0, 0};
  if (NEAR < NPAIR && near.list.total > NEAR) return NCON + 1;
#define NEAR(last, ...) { \
    near.from = near.to, near.to = near.list.before(h.s, last, near.from, h.lane); \
    if (near.to > near.from) n = __VA_ARGS__; \
  }
  if (FEW_PAIRS > 0) NEAR(FEW_PAIRS, HAS_CONVEX ? few_touching_apart(h.s, h.n, h.lane, near, n) : few_touching(h, near, n))
#define KIND(name, first, last) NEAR(last, HAS_CONVEX ? touching_apart<name>(h.s, h.n, h.lane, near, n) : touching<name>(h, near, n))
#define TOGETHER(name, first, last) NEAR(last, together_apart<name>(h.s, h.n, h.lane, near, n))
#define SPREAD(name, first, last) NEAR(last, spread_apart<name>(h.s, h.n, h.lane, near, n))
  PAIR_KINDS
#undef NEAR
#undef KIND
#undef TOGETHER
#undef SPREAD
  sync();
  return n;
}
