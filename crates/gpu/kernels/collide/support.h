// Support points of convex shapes.
#pragma once
#include "pair.h"

// The largest value of a warp and its index; the first of equals.
template <class T> DEV void warp_argmax(T& most, int& which) {
  UNROLL for (int m = 16; m; m >>= 1) {
    T other = shfl_xor(most, m);
    int there = shfl_xor(which, m);
    if (other > most || (other == most && there < which)) most = other, which = there;
  }
}

DEV real component(d3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
DEV d3 with_component(d3 v, int k, real x) { return {k == 0 ? x : v.x, k == 1 ? x : v.y, k == 2 ? x : v.z}; }
// A direction in the axes of a shape, and back.
DEV d3 in_axes(const ConvexShape& s, d3 v) { return {dot(s.axis[0], v), dot(s.axis[1], v), dot(s.axis[2], v)}; }
DEV d3 from_axes(const ConvexShape& s, d3 v) { return v.x * s.axis[0] + v.y * s.axis[1] + v.z * s.axis[2]; }
DEV d3 from_local(const ConvexShape& s, d3 local) { return s.pos + from_axes(s, local); }

// What searches need besides their shapes. Passed by value: if the address of anything that leads to shared memory is passed, the
// compiler no longer knows the address space.
struct CcdContext { Numbers n; int lane; };
DEV CcdContext ccd_context(const Context& h) { return {h.n, h.lane}; }

DEV int support_vertex(CcdContext h, const ConvexShape& s, d3 dir) {
  real most = -1e30;
  int which = 0;
  for (int i = h.lane; i < s.count; i += 32) {
    real reach = dot(to_double(mesh_hullvert(h.n, s.first + i)), dir);
    if (reach > most) most = reach, which = i;
  }
  warp_argmax(most, which);
  return which;
}

// Support point along a unit direction, and its vertex index. As in MuJoCo, vertices of prisms have no index.
struct SupportPoint { d3 at; int corner; };
DEV SupportPoint support_point(CcdContext h, const ConvexShape& s, const d3* prism, d3 dir) {
  if (s.kind == PRISM) {
    int first = dir.z < 0 ? 0 : 3, best = first;
    for (int i = first + 1; i < first + 3; i++)
      if (dot(prism[i], dir) > dot(prism[best], dir)) best = i;
    return {prism[best], 0};
  }
  d3 d = in_axes(s, dir), at;
  int corner = 0;
  if (s.kind == POINTS) {
    corner = support_vertex(h, s, d);
    at = to_double(mesh_hullvert(h.n, s.first + corner));
  } else at = primitive_support(s.kind, d, s.extent, corner);
  return {from_local(s, at) + s.inflation * dir, corner};
}

// Adds the support point of the Minkowski difference as a vertex.
CALL d3 push(CcdContext h, Ccd& g, d3 dir, int corner) {
  d3 a, w;
  int corners = 0;
  ROLL for (int i = 0; i < 2; i++) {
    SupportPoint support = support_point(h, g.shape[i], g.prism, i ? -dir : dir);
    if (i == 0) a = support.at;
    else w = a - support.at;
    corners = corners << 16 | support.corner;
  }
  wsync();
  if (h.lane == 0) g.vertex[corner] = w, g.source[corner] = {a, corners};
  wsync();
  return w;
}

// Sets a geom as a convex shape relative to a point, inflated by half a margin.
DEV void set_shape(const Context& h, ConvexShape& s, int g, v3 about, float margin) {
  v3 size = geom_size(h.n, g);
  q4 q = get4(h.s.geom_xquat, GEOMS, g);
  int type = ld(geom_type + g);
  s.pos = to_double(get3(h.s.geom_xpos, GEOMS, g) - about);
  // a single-precision quaternion is not exactly of unit length
  real w = q.w, x = q.x, y = q.y, z = q.z, k = 2 / (w * w + x * x + y * y + z * z);
  s.axis[0] = {1 - k * (y * y + z * z), k * (x * y + w * z), k * (x * z - w * y)};
  s.axis[1] = {k * (x * y - w * z), 1 - k * (x * x + z * z), k * (y * z + w * x)};
  s.axis[2] = {k * (x * z + w * y), k * (y * z - w * x), 1 - k * (x * x + y * y)};
  s.extent = to_double(size);
  if (type == GEOM_SPHERE) s.extent.y = 0;
  s.inflation = 0.5 * (real)margin;
  s.kind = shape_kind(type);
  s.first = ld(geom_dataadr + g);
  s.count = ld(geom_datanum + g);
}
// Radius by which a round shape can be eroded and stay convex: the smallest radius of curvature. A sphere becomes its centre, a
// capsule its axis.
DEV real erosion_radius(const ConvexShape& s) {
  if (s.kind == CAPSULE) return s.extent.x + s.inflation;
  if (s.kind != ELLIPSOID) return 0;
  d3 e = s.extent;
  real least = e.x < e.y ? e.x : e.y, most = e.x < e.y ? e.y : e.x;
  least = e.z < least ? e.z : least, most = e.z < most ? most : e.z;
  return least * least / most + s.inflation;
}
DEV void erode(ConvexShape& s) {
  s.inflation -= erosion_radius(s);
  if (s.kind == CAPSULE) s.extent.x = s.inflation = 0;
}
DEV bool is_polyhedron(const ConvexShape& s) { return s.inflation == 0 && (s.kind == BOX || s.kind == POINTS || s.kind == PRISM); }
DEV d3 centre(const Ccd& g, const ConvexShape& s) {
  if (s.kind != PRISM) return s.pos;
  return (1. / 6) * (g.prism[0] + g.prism[1] + g.prism[2] + g.prism[3] + g.prism[4] + g.prism[5]);
}
