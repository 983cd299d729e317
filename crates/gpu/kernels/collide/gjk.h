// Nearest point of the Minkowski difference to the origin (Gilbert, Johnson, Keerthi). For a point x of the difference, the support
// point w towards the origin bounds the distance from below by x·w / |x|.
#pragma once
#include "simplex.h"

enum GjkOutcome { GJK_BEYOND, GJK_NEAREST, GJK_INSIDE };
struct GjkResult {
  GjkOutcome outcome;
  int count;  // vertices of the simplex
  real dist;
};
// Range of the squared lengths of usable normals.
constexpr real NO_AREA = 1e-30, MAX_NORMAL_SQUARE = 1e20;

// Signed distance of the origin from the tetrahedron's face opposite a vertex.
DEV real signed_distance(const d3* at, int corner, d3& normal) {
  int i = corner == 0 ? 2 : corner == 2 ? 1 : 0, j = corner == 3 ? 2 : 3, k = corner == 1 ? 2 : corner == 2 ? 0 : 1;
  normal = cross(at[j] - at[i], at[k] - at[i]);
  real square = dot(normal, normal);
  if (!(square >= NO_AREA && square < MAX_NORMAL_SQUARE)) return 1e30;
  normal = (1 / root(square)) * normal;
  return dot(normal, at[i]);
}

// Replaces the vertex opposite the face that the origin is farthest outside of, until it is inside of all: 1. Returns 0 if the
// difference ends before the origin, and -1 if the origin lies on a face or no iterations are left.
DEV int gjk_intersect(CcdContext h, Ccd& g, int& iterations) {
  for (; iterations > 0; iterations--) {
    real worst = 1e31;
    int which = 0;
    d3 out = {1, 0, 0};
    for (int c = 0; c < 4; c++) {
      d3 normal;
      real depth = signed_distance(g.vertex, c, normal);
      if (depth == 0) return -1;
      if (depth < worst) worst = depth, which = c, out = normal;
    }
    if (worst > 0) return 1;
    d3 w = push(h, g, out, which);
    if (dot(out, w) < 0) return 0;
    if (h.lane == 0) {
      int i = (which + 1) & 3, j = (which + 2) & 3;
      d3 at = g.vertex[i];
      VertexSource end = g.source[i];
      g.vertex[i] = g.vertex[j], g.source[i] = g.source[j];
      g.vertex[j] = at, g.source[j] = end;
    }
    wsync();
  }
  return -1;
}

// Distances beyond the cutoff do not matter; without a cutoff only overlap does. WITH_DISTANCE stops when a new vertex improves by
// no more than rounding: otherwise a flat tetrahedron may seem to contain the origin.
template <bool WITH_DISTANCE> CALL GjkResult run_gjk(CcdContext h, Ccd& g, real cutoff) {
  const bool only_overlap = cutoff <= 0;
  real tolerance = ccd_tolerance(h.n, 0);
  tolerance = is_polyhedron(g.shape[0]) && is_polyhedron(g.shape[1]) ? 0 : 0.5 * tolerance * tolerance;
  bool try_intersect = only_overlap;
  d3 x = centre(g, g.shape[0]) - centre(g, g.shape[1]);
  GjkResult f = {GJK_NEAREST, 0, 0};
  for (int iterations = CCD_ITERATIONS; iterations > 0; iterations--) {
    real square = dot(x, x);
    f.dist = root(square);
    if (square < NO_AREA) break;
    d3 w = push(h, g, (-1 / f.dist) * x, f.count);
    real reached = dot(x, w);
    if (dot(x, x - w) < (WITH_DISTANCE ? tolerance + MINVAL * f.dist * (f.dist + norm(w)) : tolerance)) {
      if (f.count == 0) {
        if (h.lane == 0) g.weight[0] = 1;
        f.count = 1;
        wsync();
      }
      break;
    }
    if (reached > 0 && (only_overlap || reached / f.dist >= cutoff)) return {GJK_BEYOND, 0, 0};
    if (try_intersect && f.count == 3) {
      d3 at[4];
      VertexSource end[4];
      UNROLL for (int i = 0; i < 4; i++) at[i] = g.vertex[i], end[i] = g.source[i];
      int inside = gjk_intersect(h, g, iterations);
      if (inside == 1) return {GJK_INSIDE, 4, 0};
      if (inside == 0) return {GJK_BEYOND, 0, 0};
      try_intersect = false;
      wsync();
      if (h.lane == 0)
        UNROLL for (int i = 0; i < 4; i++) g.vertex[i] = at[i], g.source[i] = end[i];
      wsync();
      if (iterations <= 0) break;
    }
    d3 next;
    f.count = reduce_simplex(h, g, f.count + 1, next);
    if (f.count == 0) return {GJK_BEYOND, 0, 0};
    if (absolute(next.x - x.x) < MINVAL && absolute(next.y - x.y) < MINVAL && absolute(next.z - x.z) < MINVAL) break;
    if (f.count == 4) {
      f.dist = 0;
      break;
    }
    x = next;
  }
  return f;
}

// Witness points of the nearest point.
DEV void gjk_witness_points(const Ccd& g, int count, d3& a, d3& b) {
  d3 at = {0, 0, 0};
  a = at;
  for (int i = 0; i < count; i++) {
    at = at + g.weight[i] * g.vertex[i];
    a = a + g.weight[i] * g.source[i].p;
  }
  b = a - at;
}
