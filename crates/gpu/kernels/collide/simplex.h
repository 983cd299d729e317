// The point nearest to the origin in the convex hull of up to four points, as weights of these.
#pragma once
#include "support.h"

struct SimplexPoint { real weight[4], square; };

DEV d3 blend(const d3* p, const real* w) { return w[0] * p[0] + w[1] * p[1] + w[2] * p[2] + w[3] * p[3]; }
DEV SimplexPoint simplex_point(const d3* at, int i, real wi, int j, real wj, int k, real wk) {
  SimplexPoint n;
  UNROLL for (int c = 0; c < 4; c++) n.weight[c] = c == i ? wi : c == j ? wj : c == k ? wk : 0;
  d3 p = wi * at[i] + wj * at[j] + wk * at[k];
  n.square = dot(p, p);
  return n;
}

// Projection of the origin onto the plane of three points, using the best conditioned normal. False if they are collinear.
DEV bool project_origin(d3 a, d3 b, d3 c, d3& at) {
  d3 n = cross(a - b, b - c);
  real square = dot(n, n), offset = dot(n, b);
  if (square <= 0) return false;
  if (offset == 0 || square <= MINVAL) {
    d3 other = cross(b - c, a - c);
    real more = dot(other, other);
    if (more > square) n = other, square = more, offset = dot(n, c);
  }
  at = (offset / square) * n;
  return true;
}
// Barycentric coordinates of a point in a triangle, from areas projected along the axis of largest area.
DEV void barycentric(d3 a, d3 b, d3 c, d3 p, real (&part)[3]) {
  d3 n = cross(b - a, c - a);
  real sx = absolute(n.x), sy = absolute(n.y), sz = absolute(n.z);
  d3 axis = sx >= sy && sx >= sz ? d3{1 / n.x, 0, 0} : sy >= sz ? d3{0, 1 / n.y, 0} : d3{0, 0, 1 / n.z};
  part[0] = dot(cross(b - p, c - p), axis);
  part[1] = dot(cross(c - p, a - p), axis);
  part[2] = dot(cross(a - p, b - p), axis);
}

DEV SimplexPoint in_segment(const d3* at, int i, int j) {
  d3 a = at[i], b = at[j], side = b - a;
  real square = dot(side, side), t = square > 0 ? dot(b, side) / square : 0;
  // the search came from the older end, so the newer one is nearer
  if (!(t > 0 && t < 1)) t = 0;
  return simplex_point(at, i, t, j, 1 - t, 0, 0);
}

CALL SimplexPoint in_triangle(const d3* at, int i, int j, int k) {
  d3 p;
  if (!project_origin(at[k], at[j], at[i], p)) return in_segment(at, i, j);
  real part[3];
  barycentric(at[i], at[j], at[k], p, part);
  if (part[0] > 0 && part[1] > 0 && part[2] > 0) return simplex_point(at, i, part[0], j, part[1], k, part[2]);
  SimplexPoint best = {{0, 0, 0, 0}, 1e30};
  for (int n = 0; n < 3; n++) {
    if ((n == 0 ? part[0] : n == 1 ? part[1] : part[2]) > 0) continue;
    SimplexPoint next = in_segment(at, n == 0 ? j : i, n == 2 ? j : k);
    if (next.square < best.square) best = next;
  }
  return best;
}

DEV real volume(d3 a, d3 b, d3 c) { return dot(a, cross(b, c)); }

// The origin sees the faces opposite vertices with non-positive weight.
CALL SimplexPoint in_tetrahedron(const d3* at) {
  d3 a = at[0], b = at[1], c = at[2], d = at[3];
  real part[4] = {-volume(b, c, d), volume(a, c, d), -volume(a, b, d), volume(a, b, c)};
  real total = part[0] + part[1] + part[2] + part[3];
  SimplexPoint best = {{part[0] / total, part[1] / total, part[2] / total, part[3] / total}, 0};
  bool inside[4];
  UNROLL for (int i = 0; i < 4; i++) inside[i] = total != 0 && best.weight[i] > 0;
  if (inside[0] && inside[1] && inside[2] && inside[3]) return best;
  best = {{0, 0, 0, 0}, 1e30};
  for (int n = 0; n < 3; n++) {
    if (n == 0 ? inside[0] : n == 1 ? inside[1] : inside[2]) continue;
    SimplexPoint next = in_triangle(at, n == 0, n < 2 ? 2 : 1, 3);
    if (next.square < best.square) best = next;
  }
  if (inside[3]) return best;
  SimplexPoint oldest = in_triangle(at, 0, 1, 2);
  if (oldest.square < best.square) {
    // rounding: the newest vertex keeps its weight, and the search ends
    real newest = best.weight[3];
    best = oldest;
    best.weight[3] = newest;
  }
  return best;
}

// Reduces the simplex to its smallest face that contains the nearest point. Returns the number of vertices; x is the point.
DEV int reduce_simplex(CcdContext h, Ccd& g, int count, d3& x) {
  SimplexPoint near = {{1, 0, 0, 0}, 0};
  if (count == 2) near = in_segment(g.vertex, 0, 1);
  else if (count == 3) near = in_triangle(g.vertex, 0, 1, 2);
  else if (count == 4) near = in_tetrahedron(g.vertex);
  d3 at[4];
  VertexSource end[4];
  UNROLL for (int i = 0; i < 4; i++) at[i] = g.vertex[i], end[i] = g.source[i];
  wsync();
  int kept = 0;
  x = {0, 0, 0};
  UNROLL for (int i = 0; i < 4; i++)
    if (i < count && near.weight[i] > 0) {
      if (h.lane == 0) g.vertex[kept] = at[i], g.source[kept] = end[i], g.weight[kept] = near.weight[i];
      x = x + near.weight[i] * at[i];
      kept++;
    }
  wsync();
  return kept;
}
