// Minkowski portal refinement (Snethen), as in MuJoCo with the flag nativeccd disabled. A ray runs from a point inside the
// Minkowski difference through the origin. A portal is a triangle of points of the difference that the ray crosses. It moves
// outward along the ray until it reaches the surface. The shapes overlap if it passes the origin.
#pragma once
#include "round_normal.h"

// Values below this are zero. Portal searches longer than this are given up.
constexpr real CCD_EPS = 2.220446049250313e-16;
constexpr int MAX_SEARCH = 1000;

// A point of the difference, and the midpoint of its two source points.
struct Vertex { d3 at, middle; };
struct Portal { Vertex inside, corner[3]; };

// Support point of a shape. Where a side of a box is orthogonal to the direction, its centre is taken.
DEV real sign(real x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
DEV d3 centred_support(CcdContext h, const ConvexShape& s, d3 dir) {
  d3 d = in_axes(s, dir), e = s.extent, at;
  int none;
  if (s.kind == CAPSULE) at = e.x * d + d3{0, 0, sign(d.z) * e.y};
  else if (s.kind == BOX) at = {sign(d.x) * e.x, sign(d.y) * e.y, sign(d.z) * e.z};
  else if (s.kind == POINTS) at = to_double(mesh_hullvert(h.n, s.first + support_vertex(h, s, d)));
  else at = primitive_support(s.kind, d, e, none);
  if (s.kind == CYLINDER && d.z == 0) at.z = 0;
  return from_local(s, at + s.inflation * d);
}
CALL Vertex support(CcdContext h, const Ccd& g, d3 dir) {
  d3 a = centred_support(h, g.shape[0], dir), b = centred_support(h, g.shape[1], -dir);
  return {a - b, 0.5 * (a + b)};
}

DEV d3 direction(d3 v) { return (1 / norm(v)) * v; }
DEV real triple(d3 a, d3 b, d3 c) { return dot(cross(a, b), c); }
DEV d3 portal_normal(const Portal& p) { return direction(cross(p.corner[1].at - p.corner[0].at, p.corner[2].at - p.corner[0].at)); }
DEV d3 wedge_normal(const Portal& p) { return cross(p.corner[0].at - p.inside.at, p.corner[1].at - p.inside.at); }

// Finds an initial portal. Other outcomes: the ray meets the surface at the first vertex, or a plane separates the shapes.
enum Discovery { SEPARATED, ON_RAY, FOUND_PORTAL };
DEV Discovery discover_portal(CcdContext h, const Ccd& g, Portal& p) {
  d3 a = centre(g, g.shape[0]), b = centre(g, g.shape[1]);
  p.inside = {a - b, 0.5 * (a + b)};
  d3& o = p.inside.at;
  if (absolute(o.x) < CCD_EPS && absolute(o.y) < CCD_EPS && absolute(o.z) < CCD_EPS) o.x += 10 * CCD_EPS;   // any ray will do
  auto beyond = [&](d3 dir, Vertex& v) {
    v = support(h, g, dir);
    return dot(v.at, dir) >= CCD_EPS;
  };
  if (!beyond(direction(-o), p.corner[0])) return SEPARATED;
  d3 across = cross(o, p.corner[0].at);
  if (dot(across, across) < CCD_EPS) return ON_RAY;
  if (!beyond(direction(across), p.corner[1])) return SEPARATED;
  // a wedge from inside, open towards the third vertex, on whose side the origin is
  if (dot(wedge_normal(p), o) > 0) {
    Vertex first = p.corner[0];
    p.corner[0] = p.corner[1], p.corner[1] = first;
  }
  for (int k = 0; k < MAX_SEARCH; k++) {
    if (!beyond(direction(wedge_normal(p)), p.corner[2])) return SEPARATED;
    // the ray must also pass between the planes through the new vertex
    if (triple(p.corner[0].at, p.corner[2].at, o) <= -CCD_EPS) p.corner[1] = p.corner[2];
    else if (triple(p.corner[2].at, p.corner[1].at, o) <= -CCD_EPS) p.corner[0] = p.corner[2];
    else return FOUND_PORTAL;
  }
  return SEPARATED;
}

// Whether the surface is within the tolerance of some vertex of the portal. True for NaN.
DEV bool within_tolerance(const Portal& p, d3 normal, d3 at, real tolerance) {
  bool beyond = true;
  UNROLL for (int k = 0; k < 3; k++) beyond &= dot(normal, at) - dot(normal, p.corner[k].at) > tolerance * (1 + CCD_EPS);
  return !beyond;
}
// Replaces a vertex by a new one so that the ray still crosses the portal: planes through the ray and the new vertex divide it.
DEV void expand_portal(Portal& p, const Vertex& v) {
  d3 plane = cross(v.at, p.inside.at);
  bool before[3];
  UNROLL for (int k = 0; k < 3; k++) before[k] = dot(p.corner[k].at, plane) > 0;
  const int gone = before[0] && !before[1] ? 2 : !before[0] && before[2] ? 1 : 0;
  UNROLL for (int k = 0; k < 3; k++)
    if (k == gone) p.corner[k] = v;
}
// Moves the portal beyond the origin and then to the surface. Returns whether it passes the origin.
DEV bool refine_portal(CcdContext h, const Ccd& g, Portal& p) {
  const real tolerance = ccd_tolerance(h.n, 0);
  bool past = false;
  for (int k = 0; k <= (past ? CCD_ITERATIONS : MAX_SEARCH - 1);) {
    d3 normal = portal_normal(p);
    if (!past && dot(normal, p.corner[0].at) > -CCD_EPS) past = true, k = 0;
    Vertex v = support(h, g, normal);
    if (!past && dot(normal, v.at) <= -CCD_EPS) return false;
    if (within_tolerance(p, normal, v.at, tolerance)) return past;
    expand_portal(p, v);
    k++;
  }
  return past;
}

// The point of a triangle nearest to the origin. A degenerate triangle is reduced to its sides.
DEV d3 on_side(d3 p, d3 side) {
  real t = -dot(p, side) / dot(side, side);
  return p + (t > 0 ? t < 1 ? t : 1 : 0) * side;
}
DEV d3 nearer(d3 p, d3 q) { return dot(q, q) < dot(p, p) ? q : p; }
DEV d3 nearest_in_portal(d3 a, d3 b, d3 c) {
  d3 ab = b - a, ac = c - a;
  real bb = dot(ab, ab), cc = dot(ac, ac), bc = dot(ab, ac), ob = dot(a, ab), oc = dot(a, ac);
  real area = cc * bb - bc * bc, s = (oc * bc - cc * ob) / area, t = (-s * bc - oc) / cc;
  if (absolute(area) >= CCD_EPS && s > -CCD_EPS && t > -CCD_EPS && s + t <= 1 + CCD_EPS) return a + s * ab + t * ac;
  return nearer(nearer(on_side(a, ab), on_side(a, ac)), on_side(b, c - b));
}
// Contact position: barycentric coordinates of the origin in the tetrahedron of portal and inner point, or in the portal if that
// has no volume.
DEV d3 portal_position(const Portal& p) {
  d3 o = p.inside.at, a = p.corner[0].at, b = p.corner[1].at, c = p.corner[2].at;
  real w[4] = {triple(a, b, c), triple(c, b, o), triple(o, a, c), triple(b, a, o)};
  if (!(w[0] + w[1] + w[2] + w[3] >= CCD_EPS)) {
    d3 n = portal_normal(p);
    w[0] = 0, w[1] = triple(b, c, n), w[2] = triple(c, a, n), w[3] = triple(a, b, n);
  }
  d3 sum = w[0] * p.inside.middle + w[1] * p.corner[0].middle + w[2] * p.corner[1].middle + w[3] * p.corner[2].middle;
  return (1 / (w[0] + w[1] + w[2] + w[3])) * sum;
}

// Penetration vector and contact position. False if the shapes only touch.
struct MprPenetration { d3 way, pos; };
CALL bool run_mpr(CcdContext h, const Ccd& g, MprPenetration& found) {
  Portal p;
  Discovery how = discover_portal(h, g, p);
  if (how == SEPARATED || (how == FOUND_PORTAL && !refine_portal(h, g, p))) return false;
  if (how == ON_RAY) found = {p.corner[0].at, p.corner[0].middle};
  else found = {nearest_in_portal(p.corner[0].at, p.corner[1].at, p.corner[2].at), portal_position(p)};
  return norm(found.way) >= CCD_EPS && dot(found.pos, found.pos) < 1e30;
}

struct MprConvex {
  static constexpr bool CONVEX = true;
  static DEV int find(const Context& h, int p, int count) {
    const auto [g, margin, about] = set_pair(h, p);
    MprPenetration at;
    if (!run_mpr(ccd_context(h), g, at)) return count;
    d3 normal = refined_normal(g, at.pos, direction(at.way));
    Contact con = {about + to_float(at.pos), to_float(normal), ANY_TANGENT, margin - (float)norm(at.way)};
    return keep_contact(h, p, h.lane == 0, con, count);
  }
};
