// Intersection of two nearly coplanar convex polygons, projected along the normal of one. That one is the window: an intersection
// of half-spaces, one per side. The other polygon, or a segment, is clipped by one half-space after another (Sutherland–Hodgman),
// one lane per vertex.
#pragma once
#include "support.h"

// Clips a polygon by a half-space. Returns the number of vertices.
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

// Clips a polygon by all sides of a window. Returns the number of vertices left. The result alternates between the two buffers: it
// is in the second one after an odd number of cuts.
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
// Four well separated vertices of a convex polygon, one for each of four lanes: the ends of one diagonal of a quadrilateral, then
// of the other. The largest quadrilateral would be best, but contacts have to match the engine's, and so MuJoCo's, whose search may
// stop earlier. The lanes are pointers that move around the polygon. A pointer advances only if the area becomes larger than ever
// before. The last one advances by one. Then the third advances as far as it can, then the second, which may pass it, and then it
// is the last one's turn again. If the last cannot advance, the first does, whatever the area. The search ends when the first
// reaches the second, because that diagonal then has no length.
CALL int spread_out(const d3* polygon, int count, int lane) {
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
