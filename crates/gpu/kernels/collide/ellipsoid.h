// An ellipsoid with a box, a capsule or a sphere. The latter two are boxes with some zero sizes and a radius around them.
//
// Each lane takes one corner, edge or face of the box and treats it as an unbounded point, line or plane. The ellipsoid is
// projected along the directions in which the feature is unbounded. The projection has half axes e in its own axes, and the feature
// is a point y. The nearest surface point is e² y / (t + e²) where Σ (e y / (t + e²))² = 1, for the root with all t + e² > 0. Its
// normal is along y / (t + e²), and the distance to y is t times the length of that. This is the distance of the shapes if the
// normal lies in the feature's normal cone and the ellipsoid's point projects onto the feature. Exactly one feature passes unless
// the penetration exceeds the smallest radius of curvature; deeper pairs use the general search.
#pragma once
#include "convex.h"

// The ellipsoid in the axes of the box.
struct EllipsoidInBox { d3 pos, axis[3], square; };
DEV EllipsoidInBox ellipsoid_in_box(const ConvexShape& box, const ConvexShape& ellipsoid) {
  EllipsoidInBox e = {in_axes(box, ellipsoid.pos - box.pos), {},
                      {ellipsoid.extent.x * ellipsoid.extent.x, ellipsoid.extent.y * ellipsoid.extent.y, ellipsoid.extent.z * ellipsoid.extent.z}};
  UNROLL for (int k = 0; k < 3; k++) e.axis[k] = in_axes(box, ellipsoid.axis[k]);
  return e;
}
// Its matrix times a vector.
DEV d3 times_matrix(const EllipsoidInBox& e, d3 v) {
  return (e.square.x * dot(e.axis[0], v)) * e.axis[0] + (e.square.y * dot(e.axis[1], v)) * e.axis[1] +
         (e.square.z * dot(e.axis[2], v)) * e.axis[2];
}

// Projection of the ellipsoid along axes of the box: directions and squares of the remaining half axes.
struct Projection { d3 axis[3], square; };
DEV Projection project_out(const EllipsoidInBox& e, const bool (&ends)[3]) {
  const int count = ends[0] + ends[1] + ends[2];
  if (count == 3) return {{e.axis[0], e.axis[1], e.axis[2]}, e.square};
  const int i = ends[0] ? 0 : ends[1] ? 1 : 2, j = ends[2] ? 2 : 1;
  const d3 none = {0, 0, 0}, x = with_component(none, i, 1), y = count == 2 ? with_component(none, j, 1) : none;
  // diagonalize its matrix over both
  const real a = dot(x, times_matrix(e, x)), b = dot(x, times_matrix(e, y)), c = dot(y, times_matrix(e, y));
  const real half = 0.5 * (a - c), rest = root(half * half + b * b), more = 0.5 * (a + c) + rest;
  real u = half >= 0 ? half + rest : b, v = half >= 0 ? b : rest - half, length = root(u * u + v * v);
  if (!(length > 0)) u = length = 1;
  u = u / length, v = v / length;
  return {{u * x + v * y, u * y - v * x, none}, {more, count == 2 ? (a * c - b * b) / more : 1e30, 1e30}};
}

// Nearest point of the ellipsoid to a feature: outward normal and distance. Newton's method on 1 / |e y / (t + e²)|, which is
// nearly linear, starts below the root.
struct FeaturePoint { d3 out; real dist; bool found; };
DEV FeaturePoint nearest_on_ellipsoid(const Projection& o, d3 at) {
  const d3 y = {dot(o.axis[0], at), dot(o.axis[1], at), dot(o.axis[2], at)};
  const real ex = root(o.square.x), ey = root(o.square.y), ez = root(o.square.z);
  real t = ex * absolute(y.x) - o.square.x, other = ey * absolute(y.y) - o.square.y;
  if (y.x == 0 || (y.y != 0 && other > t)) t = other;
  other = ez * absolute(y.z) - o.square.z;
  if ((y.x == 0 && y.y == 0) || (y.z != 0 && other > t)) t = other;
  d3 g = {0, 0, 0};
  real p = 0;
  ROLL for (int i = 0; i < 30; i++) {
    const d3 inverse = {1 / (t + o.square.x), 1 / (t + o.square.y), 1 / (t + o.square.z)};
    g = {y.x * inverse.x, y.y * inverse.y, y.z * inverse.z};
    const d3 q = {o.square.x * g.x * g.x, o.square.y * g.y * g.y, o.square.z * g.z * g.z};
    const real square = q.x + q.y + q.z;
    p = root(square);
    if (!(p > 1 + 1e-13)) break;
    t += (p - 1) * square / dot(q, inverse);
  }
  const real length = norm(g);
  const bool found = p > 1 - 1e-9 && absolute(t) < 1e20 && t + o.square.x > 0 && t + o.square.y > 0 && t + o.square.z > 0;
  const d3 out = (1 / length) * g;
  return {out.x * o.axis[0] + out.y * o.axis[1] + out.z * o.axis[2], t * length, found};
}

// Tolerance of both tests of a feature.
constexpr real FEATURE_TOLERANCE = 1e-9;

// Witness points of ellipsoid and box by features, or else by the general search.
CALL WitnessPoints by_feature(CcdContext h, Ccd& g) {
  const bool first = g.shape[0].kind == ELLIPSOID;
  const ConvexShape &ellipsoid = g.shape[first ? 0 : 1], &box = g.shape[first ? 1 : 0];
  const bool round = box.kind == CAPSULE;
  if (!round && box.kind != BOX) return penetration(h, g);
  const d3 half = round ? d3{0, 0, box.extent.y} : box.extent;
  const EllipsoidInBox e = ellipsoid_in_box(box, ellipsoid);
  // for each axis: lower end, unbounded, upper end
  const int end[3] = {h.lane % 3 - 1, h.lane / 3 % 3 - 1, h.lane / 9 % 3 - 1};
  const bool ends[3] = {end[0] != 0, end[1] != 0, end[2] != 0};
  const d3 corner = {end[0] * half.x, end[1] * half.y, end[2] * half.z};
  const FeaturePoint nearest = nearest_on_ellipsoid(project_out(e, ends), corner - e.pos);
  const d3 scaled = times_matrix(e, nearest.out), at = e.pos + (1 / root(dot(nearest.out, scaled))) * scaled;
  bool fits = h.lane < 27 && (ends[0] || ends[1] || ends[2]) && nearest.found && nearest.dist > FEATURE_TOLERANCE - (erosion_radius(ellipsoid) - ellipsoid.inflation);
  UNROLL for (int k = 0; k < 3; k++)
    fits &= ends[k] ? -end[k] * component(nearest.out, k) >= -FEATURE_TOLERANCE : absolute(component(at, k)) <= component(half, k) + FEATURE_TOLERANCE * root(e.square.x);
  const unsigned who = ballot(fits);
  if (!who) return penetration(h, g);
  const int from = lowest_bit(who);
  const d3 out = from_axes(box, {shfl(nearest.out.x, from), shfl(nearest.out.y, from), shfl(nearest.out.z, from)});
  const d3 on = from_local(box, {shfl(at.x, from), shfl(at.y, from), shfl(at.z, from)});
  const real dist = shfl(nearest.dist, from), radius = box.inflation + (round ? box.extent.x : 0);
  const d3 on_ellipsoid = on + ellipsoid.inflation * out, on_box = on + (dist - radius) * out;
  return {dist - radius - ellipsoid.inflation, first ? on_ellipsoid : on_box, first ? on_box : on_ellipsoid};
}

struct EllipsoidBox {
  static constexpr bool CONVEX = true;
  static DEV int find(const Context& h, int p, int count) {
    return contact_from_search(h, p, count, [&](Ccd& g) { return by_feature(ccd_context(h), g); });
  }
};
