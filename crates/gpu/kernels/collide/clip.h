// What two convex polygons on nearly the same plane have in common, seen along the normal of one of them. That one is a window: an
// intersection of half-spaces, one behind each side. The other, or a segment, is cut by one half-space after the other (Sutherland
// and Hodgman), a lane a corner.
#pragma once
#include "solid.h"

// The part of a polygon that is in a half-space; the number of its corners.
DEV int cut_off(int lane, const d3* from, int count, d3* to, d3 at, d3 inward) {
  const unsigned below = (1u << lane) - 1;
  int left = 0;
  for (int base = 0; base < count; base += 32) {
    const int i = base + lane;
    const bool there = i < count;
    d3 p = from[there ? i : 0], q = from[i + 1 < count ? i + 1 : 0], way = q - p;
    const bool holds_p = dot(p - at, inward) > -NOTHING, holds_q = there && dot(q - at, inward) > -NOTHING;
    const real t = (dot(inward, at) - dot(inward, p)) / dot(inward, way);
    const bool crosses = there && holds_p != holds_q && t >= 0 && t <= 1;
    const unsigned crossing = ballot(crosses), kept = ballot(holds_q);
    int slot = left + popc(crossing & below) + popc(kept & below);
    if (crosses && slot < CUT_ROOM) to[slot++] = p + t * way;
    if (holds_q && slot < CUT_ROOM) to[slot] = q;
    left += popc(crossing) + popc(kept);
  }
  wsync();
  return left < CUT_ROOM ? left : CUT_ROOM;
}

// Cuts the polygon of so many corners by the sides of a window, and returns how many are left; they are where the polygon was, or in
// the other half of its room if it was cut an odd number of times.
template <class Corner> DEV int cut_all(Dig& g, int lane, int count, int sides, d3 normal, Corner corner) {
  Cut& c = cut(g);
  for (int k = 0; k < sides; k++) {
    d3 at = corner(k), to = corner(k + 1 < sides ? k + 1 : 0);
    count = cut_off(lane, c.polygon[k & 1], count, c.polygon[~k & 1], at, cross(to - at, normal));
  }
  return count;
}

// Four corners of a polygon that are spread out. For each first corner in turn, the last moves on while the spread becomes larger than
// any before, and the two between follow it.
struct Quad {
  const d3* polygon;
  int count, at[4], best[4];
  real most;
  DEV int next(int i) const { return i + 1 == count ? 0 : i + 1; }
  // What MuJoCo takes for the area: the first triangle counts against the second, so that it comes to half the product of the first
  // side and the third.
  DEV real spread(const int (&i)[4]) const {
    d3 a = polygon[i[0]], b = polygon[i[1]], c = polygon[i[2]], d = polygon[i[3]];
    return 0.5 * norm(cross(d - a, b - d) + cross(c - b, a - c));
  }
  template <int CORNER> DEV bool enlarge() {
    int moved[4] = {at[0], at[1], at[2], at[3]};
    moved[CORNER] = next(moved[CORNER]);
    const real now = spread(moved);
    if (!(now > most)) return false;
    UNROLL for (int k = 0; k < 4; k++) at[k] = best[k] = moved[k];
    most = now;
    return true;
  }
  // moves corners on that the one before has caught up with
  DEV void make_way() {
    bool caught = true;
    UNROLL for (int k = 1; k < 4; k++) {
      caught &= at[k] == at[k - 1];
      if (caught) at[k] = next(at[k]);
    }
  }
};
// The corner of a polygon that the lane has, of those that are spread out.
CALL int spread_out(const d3* polygon, int count, int lane) {
  Quad q = {polygon, count, {0, 1, 2, 3}, {0, 1, 2, 3}, 0};
  q.most = q.spread(q.at);
  for (int first = 0; first < count; first++) {
    q.at[0] = first;
    while (q.enlarge<3>()) {
      while (q.enlarge<2>()) {}
      while (q.enlarge<1>()) {}
    }
    q.make_way();
  }
  return lane == 0 ? q.best[0] : lane == 1 ? q.best[1] : lane == 2 ? q.best[2] : q.best[3];
}
