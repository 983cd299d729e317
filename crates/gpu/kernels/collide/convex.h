// Pairs of convex shapes that are only known by their support functions: all lanes search one pair.
#pragma once
#include "epa.h"
#include "separating_plane.h"

// Oriented bounding boxes: separation along the face normals of both.
struct Obb { v3 pos; q4 quat; v3 half; };
DEV Obb obb(const Context& h, int g) {
  q4 q = get4(h.s.geom_xquat, GEOMS, g);
  return {get3(h.s.geom_xpos, GEOMS, g) + rotate(q, geom_aabbcentre(h.n, g)), q, geom_aabbhalf(h.n, g)};
}
DEV float obb_extent(v3 axis, const Obb& b) {
  return fabsf(dot(axis, axis_x(b.quat))) * b.half.x + fabsf(dot(axis, axis_y(b.quat))) * b.half.y + fabsf(dot(axis, axis_z(b.quat))) * b.half.z;
}
DEV bool separated_by_face(const Obb& a, const Obb& b, float margin) {
  v3 way = b.pos - a.pos, x = axis_x(a.quat), y = axis_y(a.quat), z = axis_z(a.quat);
  return fabsf(dot(way, x)) > a.half.x + obb_extent(x, b) + margin || fabsf(dot(way, y)) > a.half.y + obb_extent(y, b) + margin ||
         fabsf(dot(way, z)) > a.half.z + obb_extent(z, b) + margin;
}
DEV bool obb_separated(const Context& h, int g1, int g2, float margin) {
  Obb a = obb(h, g1), b = obb(h, g2);
  return separated_by_face(a, b, margin) || separated_by_face(b, a, margin);
}

// Witness points of a GJK result on the original shapes.
DEV WitnessPoints witness_points(const Ccd& g, GjkResult f, const ConvexShape& first, const ConvexShape& second) {
  WitnessPoints found = {f.dist, centre(g, first), centre(g, second)};
  if (f.count > 0) gjk_witness_points(g, f.count, found.a, found.b);
  return found;
}
// Penetration depth and witness points. First GJK runs on the eroded shapes: unless the originals are deep in each other, the
// eroded ones are separated, and their nearest points give the answer. That is far cheaper than EPA. WITH_DISTANCE also returns
// distance and nearest points of shapes that do not overlap, up to a cutoff.
constexpr real NO_DISTANCE = 1e30;
template <bool WITH_DISTANCE> CALL WitnessPoints separation(CcdContext h, Ccd& g, real cutoff) {
  const real tolerance = ccd_tolerance(h.n, 0), ra = erosion_radius(g.shape[0]), rb = erosion_radius(g.shape[1]), none = WITH_DISTANCE ? NO_DISTANCE : 0;
  if (ra + rb > 0) {
    ConvexShape first = g.shape[0], second = g.shape[1];
    wsync();
    if (h.lane == 0) erode(g.shape[0]), erode(g.shape[1]);
    wsync();
    GjkResult f = run_gjk<WITH_DISTANCE>(h, g, WITH_DISTANCE ? ra + rb + cutoff : ra + rb);
    if (f.outcome == GJK_BEYOND) return {none, {}, {}};
    if (f.outcome == GJK_NEAREST && f.dist > tolerance) {
      WitnessPoints found = witness_points(g, f, first, second);
      found.dist -= ra + rb;
      d3 way = found.b - found.a;
      way = normalized(way, norm(way));
      found.a = found.a + ra * way;
      found.b = found.b - rb * way;
      return found;
    }
    wsync();
    if (h.lane == 0) g.shape[0] = first, g.shape[1] = second;
    wsync();
  }
  GjkResult f = run_gjk<WITH_DISTANCE>(h, g, WITH_DISTANCE ? cutoff : 0);
  if (f.outcome == GJK_BEYOND) return {none, {}, {}};
  if (f.dist > tolerance || f.count < 2) return WITH_DISTANCE ? witness_points(g, f, g.shape[0], g.shape[1]) : WitnessPoints{0, {}, {}};
  return run_epa(h, g, f.count);
}
DEV WitnessPoints penetration(CcdContext h, Ccd& g) { return separation<false>(h, g, 0); }

// Sets both shapes of a pair, each inflated by half the margin. Returns the point that is their origin.
DEV v3 set_shapes(const Context& h, Ccd& g, int g1, int g2, float margin) {
  v3 about = 0.5f * (get3(h.s.geom_xpos, GEOMS, g1) + get3(h.s.geom_xpos, GEOMS, g2));
  wsync();
  if (h.lane < 2) set_shape(h, g.shape[h.lane], h.lane ? g2 : g1, about, margin);
  wsync();
  return about;
}
DEV v3 set_shapes(const Context& h, Ccd& g, int p, float margin) { return set_shapes(h, g, ld(pair_geom1 + p), ld(pair_geom2 + p), margin); }

// Contact from witness points relative to `about`.
DEV Contact make_contact(d3 a, d3 b, real dist, v3 about) {
  d3 way = a - b;
  real length = norm(way);
  return {about + to_float(0.5 * (a + b)), to_float(normalized(way, length)), ANY_TANGENT, (float)dist};
}

// A pair whose shapes are set: the search memory, the margin to add to distances, and the origin of the search.
struct PairSearch { Ccd& g; float margin; v3 about; };
DEV PairSearch set_pair(const Context& h, int p) {
  const float margin = pair_margin(h.n, p);
  return {ccd(h.s), margin, set_shapes(h, ccd(h.s), p, margin)};
}

// Contact of a pair from a search for its witness points.
template <class Search> DEV int contact_from_search(const Context& h, int p, int count, Search search) {
  const auto [g, margin, about] = set_pair(h, p);
  WitnessPoints at = search(g);
  Contact con;
  if (at.dist < 0) con = make_contact(at.a, at.b, at.dist + (real)margin, about);
  return keep_contact(h, p, at.dist < 0 && h.lane == 0, con, count);
}

struct Convex {
  static constexpr bool CONVEX = true;
  static DEV bool near(const Context& h, int p) { return !obb_separated(h, ld(pair_geom1 + p), ld(pair_geom2 + p), pair_margin(h.n, p)); }
  static DEV int find(const Context& h, int p, int count) {
    return contact_from_search(h, p, count, [&](Ccd& g) { return penetration(ccd_context(h), g); });
  }
};
