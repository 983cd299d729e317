// Tests whether a plane separates two convex shapes: a proof that they do not touch, by one lane per pair in single precision. Only
// pairs without such a plane are searched by all lanes. After Chung and Wang: a direction along which the shapes overlap is
// reflected at the vector between their support points.
#pragma once
#include "pair.h"

constexpr int MAX_REFLECTIONS = 16;
// Rounding error of support points relative to the shapes' size, with a safety factor.
constexpr float ROUNDING = 1e-5f;

struct ConvexShapeF {
  v3 pos, axis[3], size;
  ShapeKind kind;
  int first, count, seeds;      // vertices of a mesh, and its table of start vertices for hill climbing, -1 without a hull
};
DEV ConvexShapeF convex_shape_f(const Context& h, int g, v3 pos, v3 x, v3 y, v3 z) {
  const int type = ld(geom_type + g);
  v3 size = geom_size(h.n, g);
  if (type == GEOM_SPHERE) size.y = 0.f;
  return {pos, {x, y, z}, size, shape_kind(type), ld(geom_dataadr + g), ld(geom_datanum + g), ld(geom_hull + g)};
}
DEV ConvexShapeF convex_shape_f(const Context& h, int g, v3 about) {
  q4 q = get4(h.s.geom_xquat, GEOMS, g);
  return convex_shape_f(h, g, get3(h.s.geom_xpos, GEOMS, g) - about, axis_x(q), axis_y(q), axis_z(q));
}

// Start vertex for hill climbing: the support vertex of the direction's cell on a cube map. Climbs from there are short; from an
// arbitrary vertex they cross half of the hull.
DEV int start_vertex(const Context& h, int seeds, v3 d) {
  float x = fabsf(d.x), y = fabsf(d.y), z = fabsf(d.z);
  int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  v3 turned = axis == 0 ? d : axis == 1 ? v3{d.y, d.z, d.x} : v3{d.z, d.x, d.y};
  const float half = 0.5f * HULL_SIDE, scale = half / fabsf(turned.x);
  // within the face, even for a zero direction
  auto within = [&](float at) { return (int)fminf(fmaxf(half + at * scale, 0.f), HULL_SIDE - 0.5f); };
  const int u = within(turned.y), v = within(turned.z);
  return hull_seed(h.n, seeds + ((2 * axis + (turned.x < 0.f)) * HULL_SIDE + u) * HULL_SIDE + v);
}

// Support point along a unit direction.
DEV v3 support_point(const Context& h, const ConvexShapeF& f, v3 dir) {
  v3 d = {dot(f.axis[0], dir), dot(f.axis[1], dir), dot(f.axis[2], dir)}, at;
  int of_box;
  const bool hull = f.seeds >= 0;
  if (f.kind == POINTS) at = mesh_hullvert(h.n, hull_support(h, f.first, f.count, hull, d, hull ? start_vertex(h, f.seeds, d) : f.first));
  else at = primitive_support(f.kind, d, f.size, of_box);
  return f.pos + at.x * f.axis[0] + at.y * f.axis[1] + at.z * f.axis[2];
}

// Given two support functions and an initial direction from the first shape to the second.
template <class First, class Second> DEV bool separated(First first, Second second, v3 dir, float gap) {
  ROLL for (int k = 0; k < MAX_REFLECTIONS; k++) {
    v3 way = second(-dir) - first(dir);
    float between = dot(way, dir);
    if (between > gap) return true;
    v3 mirror = unit(way);
    dir = unit(dir - (2.f * dot(mirror, dir)) * mirror);
  }
  return false;
}
DEV bool separated(const Context& h, int p) {
  int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
  v3 about = get3(h.s.geom_xpos, GEOMS, g1);
  ConvexShapeF a = convex_shape_f(h, g1, about), b = convex_shape_f(h, g2, about);
  float gap = pair_margin(h.n, p) + ROUNDING * (geom_rbound(h.n, g1) + geom_rbound(h.n, g2));
  return separated([&](v3 dir) { return support_point(h, a, dir); }, [&](v3 dir) { return support_point(h, b, dir); }, unit(b.pos), gap);
}
