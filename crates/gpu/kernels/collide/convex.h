// Pairs of convex shapes that are known by their farthest points alone: all lanes search one pair.
#pragma once
#include "epa.h"
#include "part.h"

// Whether faces of the boxes around two shapes are farther apart than a margin.
struct Bounds { v3 pos; q4 quat; v3 half; };
DEV Bounds bounds(const Here& h, int g) {
  q4 q = get4(h.s.gquat, GEOMS, g);
  return {get3(h.s.gpos, GEOMS, g) + rotate(q, geom_middle(h.n, g)), q, geom_half(h.n, g)};
}
DEV float reach_along(v3 axis, const Bounds& b) {
  return fabsf(dot(axis, axis_x(b.quat))) * b.half.x + fabsf(dot(axis, axis_y(b.quat))) * b.half.y + fabsf(dot(axis, axis_z(b.quat))) * b.half.z;
}
DEV bool beyond_a_face(const Bounds& a, const Bounds& b, float margin) {
  v3 way = b.pos - a.pos, x = axis_x(a.quat), y = axis_y(a.quat), z = axis_z(a.quat);
  return fabsf(dot(way, x)) > a.half.x + reach_along(x, b) + margin || fabsf(dot(way, y)) > a.half.y + reach_along(y, b) + margin ||
         fabsf(dot(way, z)) > a.half.z + reach_along(z, b) + margin;
}
DEV bool apart(const Here& h, int g1, int g2, float margin) {
  Bounds a = bounds(h, g1), b = bounds(h, g2);
  return beyond_a_face(a, b, margin) || beyond_a_face(b, a, margin);
}

// Deepest points of two shapes in each other, if they overlap; the distance is negative. Balls and capsules whose axes are outside
// of the other shape are found by these.
CALL bool penetration(const Here& h, Dig& g, real& dist, d3& a, d3& b) {
  const real tolerance = ccd_tolerance(h.n, 0);
  if (g.solid[0].kind == CAPSULE || g.solid[1].kind == CAPSULE) {
    // by the centres of balls and the axes of capsules, unless they are in the other shape
    Solid first = g.solid[0], second = g.solid[1];
    wsync();
    real ra = first.kind == CAPSULE ? first.extent.x + first.grow : 0, rb = second.kind == CAPSULE ? second.extent.x + second.grow : 0;
    if (h.lane == 0) shrink(g.solid[0]), shrink(g.solid[1]);
    wsync();
    Found f = nearest(h, g, ra + rb);
    if (f.how == BEYOND) return false;
    if (f.how == NEAREST && f.dist > tolerance) {
      if (f.count == 0) a = centre(g, first), b = centre(g, second);
      else nearest_points(g, f.count, a, b);
      d3 way = b - a;
      way = along(way, norm(way));
      a = a + ra * way;
      b = b - rb * way;
      dist = f.dist - (ra + rb);
      return dist < 0;
    }
    wsync();
    if (h.lane == 0) g.solid[0] = first, g.solid[1] = second;
    wsync();
  }
  Found f = nearest(h, g, 0);
  if (f.how == BEYOND || f.dist > tolerance || f.count < 2) return false;
  if (!depth(h, g, f.count, dist, a, b)) return false;
  dist = -dist;
  return dist < 0;
}

// Sets both shapes of a pair, growing by half a margin each, and returns the point they are about.
DEV v3 set_solids(const Here& h, Dig& g, int p, float margin) {
  int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
  v3 about = 0.5f * (get3(h.s.gpos, GEOMS, g1) + get3(h.s.gpos, GEOMS, g2));
  wsync();
  if (h.lane < 2) set_solid(h, g.solid[h.lane], h.lane ? g2 : g1, about, margin);
  wsync();
  return about;
}

// A contact of the points that a search about a point found.
DEV Hit contact_of(d3 a, d3 b, real dist, v3 about) {
  d3 way = a - b;
  real length = norm(way);
  return {about + narrow(0.5 * (a + b)), narrow(along(way, length)), ANY, (float)dist};
}

struct Convex {
  static constexpr bool CONVEX = true;
  static DEV bool near(const Here& h, int p, int g1, int g2) { return !apart(h, g1, g2, pair_margin(h.n, p)); }
  static DEV int find(const Here& h, int p, int count) {
    Dig& g = dig(h.s);
    float margin = pair_margin(h.n, p);
    v3 about = set_solids(h, g, p, margin);
    real dist;
    d3 a, b;
    bool found = penetration(h, g, dist, a, b);
    Hit hit;
    if (found) hit = contact_of(a, b, dist + (real)margin, about);
    return keep(h, p, found && h.lane == 0, hit, count);
  }
};
