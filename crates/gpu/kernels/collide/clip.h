// What two convex polygons on nearly the same plane have in common, seen along the normal of one of them. That one is a window: an
// intersection of half-spaces, one behind each side. The other, or a segment, is cut by one half-space after the other (Sutherland
// and Hodgman), a lane a corner.
#pragma once
#include "support.h"

// The part of a polygon that is in a half-space; the number of its corners.
DEV int clip_half_space(int lane, const d3* from, int count, d3* to, d3 at, d3 inward) {
  const unsigned below = (1u << lane) - 1;
  int left = 0;
  for (int base = 0; base < count; base += 32) {
    const int i = base + lane;
    const bool there = i < count;
    d3 p = from[there ? i : 0], q = from[i + 1 < count ? i + 1 : 0], way = q - p;
    const bool holds_p = dot(p - at, inward) > -MINVAL, holds_q = there && dot(q - at, inward) > -MINVAL;
    const real t = (dot(inward, at) - dot(inward, p)) / dot(inward, way);
    const bool crosses = there && holds_p != holds_q && t >= 0 && t <= 1;
    const unsigned crossing = ballot(crosses), kept = ballot(holds_q);
    int slot = left + popc(crossing & below) + popc(kept & below);
    if (crosses && slot < MAX_CLIP_VERTICES) to[slot++] = p + t * way;
    if (holds_q && slot < MAX_CLIP_VERTICES) to[slot] = q;
    left += popc(crossing) + popc(kept);
  }
  wsync();
  return left < MAX_CLIP_VERTICES ? left : MAX_CLIP_VERTICES;
}

// Cuts the polygon of so many corners by the sides of a window, and returns how many are left; they are where the polygon was, or in
// the other half of its room if it was cut an odd number of times.
template <class Corner> DEV int clip_polygon(Ccd& g, int lane, int count, int sides, d3 normal, Corner corner) {
  ClipMemory& c = clip_memory(g);
  for (int k = 0; k < sides; k++) {
    d3 at = corner(k), to = corner(k + 1 < sides ? k + 1 : 0);
    count = clip_half_space(lane, c.polygon[k & 1], count, c.polygon[~k & 1], at, cross(to - at, normal));
  }
  return count;
}

// Twice the area of a triangle, along its normal.
DEV d3 twice_area(d3 p, d3 q, d3 r) { return cross(q - p, r - q); }
// Corners of a convex polygon that are spread out, one for each of four lanes: ends of one diagonal of a quadrilateral, then of the other.
// Corners of the largest area would hold best, but contacts are to be where the engine, and so MuJoCo, has them, and there a walk ends that
// need not come as far. The lanes are hands that go round the polygon; one moves to the next corner only where the area is larger there
// than ever before. The last hand moves by one; then the third moves as far as it can, then the second, which may pass it, and it is the
// last one's turn again. Where the last cannot move, the first does, whatever the area. Nothing is left to gain once the first stands with
// the second, as that diagonal has no length.
CALL int widest_quad(const d3* polygon, int count, int lane) {
  constexpr int LAST = 3;
  // |(b - a) x (d - c)|, as triangles on both sides of the diagonal ab
  auto area = [&](int at) {
    const d3 a = polygon[shfl(at, 0)], b = polygon[shfl(at, 1)], c = polygon[shfl(at, 2)], d = polygon[shfl(at, LAST)];
    return norm(twice_area(a, d, b) + twice_area(b, c, a));
  };
  int at = lane, best = lane, turn = LAST;
  real most = area(at);
  for (int first = 0; first < count && first != shfl(at, 1);) {
    const int moved = lane != turn ? at : at + 1 < count ? at + 1 : 0;
    const real now = area(moved);
    if (now > most) {
      at = best = moved, most = now;
      if (turn == LAST) turn--;
    } else if (turn == LAST) {
      first++;
      if (lane == 0) at = first;
    } else {
      turn = turn == 1 ? LAST : turn - 1;
    }
  }
  return best;
}
