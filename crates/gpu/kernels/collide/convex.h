// Pairs of convex shapes that are known by their farthest points alone: all lanes search one pair.
#pragma once
#include "epa.h"
#include "separating_plane.h"

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

// The points of both shapes that a search ended with.
DEV Deepest points_of(const Dig& g, Found f, const Solid& first, const Solid& second) {
  Deepest found = {f.dist, centre(g, first), centre(g, second)};
  if (f.count > 0) nearest_points(g, f.count, found.a, found.b);
  return found;
}
// The deepest points of two shapes in each other, if they overlap, first without what they can lose all around: what is left of them
// is apart unless they are deep in each other, and then the points nearest to each other are those sought, so far less than in them.
// If it is asked how far they are apart, up to a cutoff, also the nearest points of shapes that do not overlap.
constexpr real BEYOND_REACH = 1e30;
template <bool APART> CALL Deepest separation(Seek h, Dig& g, real cutoff) {
  const real tolerance = ccd_tolerance(h.n, 0), ra = roundness(g.solid[0]), rb = roundness(g.solid[1]), none = APART ? BEYOND_REACH : 0;
  if (ra + rb > 0) {
    Solid first = g.solid[0], second = g.solid[1];
    wsync();
    if (h.lane == 0) shrink(g.solid[0]), shrink(g.solid[1]);
    wsync();
    Found f = nearest<APART>(h, g, APART ? ra + rb + cutoff : ra + rb);
    if (f.how == BEYOND) return {none, {}, {}};
    if (f.how == NEAREST && f.dist > tolerance) {
      Deepest found = points_of(g, f, first, second);
      found.dist -= ra + rb;
      d3 way = found.b - found.a;
      way = along(way, norm(way));
      found.a = found.a + ra * way;
      found.b = found.b - rb * way;
      return found;
    }
    wsync();
    if (h.lane == 0) g.solid[0] = first, g.solid[1] = second;
    wsync();
  }
  Found f = nearest<APART>(h, g, APART ? cutoff : 0);
  if (f.how == BEYOND) return {none, {}, {}};
  if (f.dist > tolerance || f.count < 2) return APART ? points_of(g, f, g.solid[0], g.solid[1]) : Deepest{0, {}, {}};
  return depth(h, g, f.count);
}
DEV Deepest penetration(Seek h, Dig& g) { return separation<false>(h, g, 0); }

// Sets both shapes of a pair, growing by half a margin each, and returns the point they are about.
DEV v3 set_solids(const Here& h, Dig& g, int g1, int g2, float margin) {
  v3 about = 0.5f * (get3(h.s.gpos, GEOMS, g1) + get3(h.s.gpos, GEOMS, g2));
  wsync();
  if (h.lane < 2) set_solid(h, g.solid[h.lane], h.lane ? g2 : g1, about, margin);
  wsync();
  return about;
}
DEV v3 set_solids(const Here& h, Dig& g, int p, float margin) { return set_solids(h, g, ld(pair_geom1 + p), ld(pair_geom2 + p), margin); }

// A contact of the points that a search about a point found.
DEV Hit contact_of(d3 a, d3 b, real dist, v3 about) {
  d3 way = a - b;
  real length = norm(way);
  return {about + narrow(0.5 * (a + b)), narrow(along(way, length)), ANY, (float)dist};
}

// A pair whose shapes are set for a search: where they are, how much farther apart contacts may be, the point they are about.
struct Searched { Dig& g; float margin; v3 about; };
DEV Searched set_pair(const Here& h, int p) {
  const float margin = pair_margin(h.n, p);
  return {dig(h.s), margin, set_solids(h, dig(h.s), p, margin)};
}

// The contact of a pair by a search for its deepest points.
template <class Search> DEV int contact_by(const Here& h, int p, int count, Search search) {
  const auto [g, margin, about] = set_pair(h, p);
  Deepest at = search(g);
  Hit hit;
  if (at.dist < 0) hit = contact_of(at.a, at.b, at.dist + (real)margin, about);
  return keep(h, p, at.dist < 0 && h.lane == 0, hit, count);
}

struct Convex {
  static constexpr bool CONVEX = true;
  static DEV bool near(const Here& h, int p) { return !apart(h, ld(pair_geom1 + p), ld(pair_geom2 + p), pair_margin(h.n, p)); }
  static DEV int find(const Here& h, int p, int count) {
    return contact_by(h, p, count, [&](Dig& g) { return penetration(seek(h), g); });
  }
};
