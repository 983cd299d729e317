// Rangefinder rays: the nearest visible geom, the distance to it, and its surface normal.
#pragma once
#include "contact_sensor.h"

// Distance along a ray, negative for a miss, and the surface normal; in the axes of a geom.
struct RayHit { float dist; v3 normal; };
DEV RayHit nearer(RayHit a, RayHit best) { return a.dist >= 0.f && (best.dist < 0.f || a.dist < best.dist) ? a : best; }

// Outward normal at a point of a surface; for shapes with faces, that of the nearest face.
DEV v3 box_normal(v3 size, v3 at) {
  v3 out = absolute(at) - size;
  if (out.x >= out.y && out.x >= out.z) return {at.x < 0.f ? -1.f : 1.f, 0.f, 0.f};
  return out.y >= out.z ? v3{0.f, at.y < 0.f ? -1.f : 1.f, 0.f} : v3{0.f, 0.f, at.z < 0.f ? -1.f : 1.f};
}
DEV v3 surface_normal(int type, v3 size, v3 at) {
  if (type == GEOM_BOX) return box_normal(size, at);
  if (type == GEOM_PLANE) return {0.f, 0.f, 1.f};
  if (type == GEOM_ELLIPSOID) return unit(v3{at.x / (size.x * size.x), at.y / (size.y * size.y), at.z / (size.z * size.z)});
  if (type == GEOM_CYLINDER && fabsf(at.z) - size.y > sqrtf(at.x * at.x + at.y * at.y) - size.x) return {0.f, 0.f, at.z < 0.f ? -1.f : 1.f};
  if (type == GEOM_CYLINDER) at.z = 0.f;
  if (type == GEOM_CAPSULE) at.z -= clamp(at.z, -size.y, size.y);
  return unit(at);
}

// Ray–triangle intersection after Möller and Trumbore, in double precision, so that no ray slips between two adjacent triangles.
DEV RayHit ray_triangle(const v3 (&corner)[3], v3 p, v3 d) {
  const d3 last = to_double(corner[2]), a = to_double(corner[0]) - last, b = to_double(corner[1]) - last, from = to_double(p) - last, way = to_double(d);
  const d3 normal = cross(a, b), moment = cross(way, from);
  const real det = dot(way, normal), s = dot(b, moment) / det, t = -dot(a, moment) / det;
  if (!(absolute(det) >= MINVAL && s >= 0 && t >= 0 && s + t <= 1)) return {-1.f, {0.f, 0.f, 0.f}};
  return {(float)(-dot(from, normal) / det), to_float(normalized(normal, norm(normal)))};
}

// The part of a ray within a box; empty if low > high. A ray in the plane of a side gives NaN there, which fmaxf and fminf ignore.
DEV Roots within_box(v3 middle, v3 half, v3 p, v3 d) {
  Roots part = {0.f, FARTHEST};
  for (int k = 0; k < 3; k++) {
    float inverse = 1.f / component(d, k), from = component(middle, k) - component(p, k), reach = component(half, k);
    float low = (from - reach) * inverse, high = (from + reach) * inverse;
    part = {fmaxf(part.low, fminf(low, high)), fminf(part.high, fmaxf(low, high))};
  }
  return part;
}

// Triangles of a mesh, in a flattened bounding volume hierarchy: each box has the index of the next one to test if the ray misses
// it.
DEV RayHit ray_mesh(const Context& h, int g, v3 p, v3 d) {
  RayHit best = {-1.f, {0.f, 0.f, 0.f}};
  if (ray_box(geom_size(h.n, g), p, d) < 0.f) return best;
  for (int box = ld(geom_bvhadr + g); box < ld(geom_bvhend + g);) {
    Roots part = within_box(bvh_centre(h.n, box), bvh_half(h.n, box), p, d);
    if (part.low > part.high) {
      box = bvh_skip(h.n, box);
      continue;
    }
    const int face = bvh_triangle(h.n, box++);
    if (face == 0) continue;
    v3 corner[3];
    UNROLL for (int k = 0; k < 3; k++) corner[k] = triangle_corner(h.n, 3 * (face - 1) + k);
    best = nearer(ray_triangle(corner, p, d), best);
  }
  return best;
}

// A height field: its base box, the surface over the cells that the ray crosses, and the vertical sides below the surface's border.
struct Terrain {
  int data, columns, rows;
  float half[2], top, bottom, step[2];
};
DEV Terrain terrain(const Context& h, int g) {
  Terrain t = {ld(geom_dataadr + g), ld(geom_datanum + g), ld(geom_hfieldrows + g)};
  t.half[0] = geom_hfieldsize(h.n, g, 0), t.half[1] = geom_hfieldsize(h.n, g, 1), t.top = geom_hfieldsize(h.n, g, 2), t.bottom = geom_hfieldsize(h.n, g, 3);
  t.step[0] = 2.f * t.half[0] / (t.columns - 1), t.step[1] = 2.f * t.half[1] / (t.rows - 1);
  return t;
}
DEV v3 terrain_point(const Context& h, const Terrain& t, int column, int row) {
  return {t.step[0] * column - t.half[0], t.step[1] * row - t.half[1], hfield_height(h.n, t.data + row * t.columns + column) * t.top};
}
// Range of cells between two coordinates (in units of cells), with one more on both sides.
struct Cells { int from, to; };
DEV Cells cells(float a, float b, int lines) {
  return {(int)fmaxf(floorf(fminf(a, b)) - 1.f, 0.f), (int)fminf(ceilf(fmaxf(a, b)) + 1.f, (float)(lines - 1))};
}
DEV RayHit ray_cell(const Context& h, const Terrain& t, int column, int row, v3 p, v3 d) {
  const v3 low = terrain_point(h, t, column, row), high = terrain_point(h, t, column + 1, row + 1);
  const v3 right[3] = {low, terrain_point(h, t, column + 1, row), high}, left[3] = {low, high, terrain_point(h, t, column, row + 1)};
  return nearer(ray_triangle(left, p, d), ray_triangle(right, p, d));
}
// The surface; `part` is the ray between the lowest and the highest elevation.
DEV RayHit ray_surface(const Context& h, const Terrain& t, v3 p, v3 d, Roots part, RayHit best) {
  const float x = (p.x + part.low * d.x + t.half[0]) / t.step[0], y = (p.y + part.low * d.y + t.half[1]) / t.step[1];
  const float dx = (part.high - part.low) * d.x / t.step[0], dy = (part.high - part.low) * d.y / t.step[1];
  const Cells rows = cells(y, y + dy, t.rows);
  for (int row = rows.from; row < rows.to; row++) {
    // the part of the ray near this row and its neighbours; all of it if the ray is parallel to the rows
    const bool across = fabsf(dy) > 1e-6f;
    const float a = across ? clamp((row - 1 - y) / dy, 0.f, 1.f) : 0.f, b = across ? clamp((row + 2 - y) / dy, 0.f, 1.f) : 1.f;
    const Cells columns = cells(x + a * dx, x + b * dx, t.columns);
    for (int column = columns.from; column < columns.to; column++) best = nearer(ray_cell(h, t, column, row, p, d), best);
  }
  return best;
}
// A side of the field, from the bottom of the surface up to its border.
DEV RayHit ray_edge(const Context& h, const Terrain& t, int face, v3 p, v3 d) {
  const int axis = face / 2, other = 1 - axis, lines = axis ? t.columns : t.rows;
  const float sign = face & 1 ? 1.f : -1.f, x = (sign * t.half[axis] - component(p, axis)) / component(d, axis);
  const v3 at = p + x * d;
  const float along = (component(at, other) + t.half[other]) / t.step[other];
  if (!(x >= 0.f && along >= 0.f && along <= lines - 1 && at.z >= 0.f && at.z <= t.top)) return {-1.f, at};
  const int cell = (int)fminf(floorf(along), lines - 2.f), end = face & 1 ? (axis ? t.rows : t.columns) - 1 : 0;
  const float low = axis ? terrain_point(h, t, cell, end).z : terrain_point(h, t, end, cell).z;
  const float high = axis ? terrain_point(h, t, cell + 1, end).z : terrain_point(h, t, end, cell + 1).z;
  if (!(at.z < low * (cell + 1 - along) + high * (along - cell))) return {-1.f, at};
  return {x, {axis ? 0.f : sign, axis ? sign : 0.f, 0.f}};
}
DEV RayHit ray_hfield(const Context& h, int g, v3 p, v3 d) {
  const Terrain t = terrain(h, g);
  const v3 base = {t.half[0], t.half[1], 0.5f * t.bottom}, upper = {t.half[0], t.half[1], 0.5f * t.top}, from = {p.x, p.y, p.z + base.z};
  RayHit best = {ray_box(base, from, d), {0.f, 0.f, 0.f}};
  best.normal = box_normal(base, from + best.dist * d);
  const Roots part = within_box({0.f, 0.f, upper.z}, upper, p, d);
  if (part.low > part.high) return best;
  best = ray_surface(h, t, p, d, part, best);
  for (int face = 0; face < 4; face++) best = nearer(ray_edge(h, t, face, p, d), best);
  return best;
}

// Intersection of a ray with a geom.
DEV RayHit ray_geom(const Context& h, int g, v3 p, v3 d) {
  const int type = ld(geom_type + g);
  if (RAYS_SEE_MESHES && type == GEOM_MESH) return ray_mesh(h, g, p, d);
  if (RAYS_SEE_HFIELDS && type == GEOM_HFIELD) return ray_hfield(h, g, p, d);
  const v3 size = geom_size(h.n, g);
  const float x = ray_shape(type, size, p, d);
  return {x, surface_normal(type, size, p + x * d)};
}
// The nearest visible geom along the z axis of a site, except geoms of the site's own body. The normal is in the world frame.
DEV RayHit rangefinder(const Context& h, int site) {
  Pose at = site_pose(h, site);
  v3 along = axis_z(at.quat);
  RayHit best = {-1.f, {0.f, 0.f, 0.f}};
  for (int g = 0; g < NGEOM; g++) {
    if (!ld(geom_visible + g) || ld(geom_bodyid + g) == ld(site_bodyid + site)) continue;
    Pose frame = {get3(h.s.geom_xpos, GEOMS, g), get4(h.s.geom_xquat, GEOMS, g)};
    RayHit x = ray_geom(h, g, to_frame(frame, at.pos), rotate(conjugate(frame.quat), along));
    x.normal = rotate(frame.quat, x.normal);
    best = nearer(x, best);
  }
  return best;
}

// Fields of a rangefinder's ray, as requested. The ray is the z axis of a site, so its depth equals its distance.
constexpr int RAYDATA_DIST = 0, RAYDATA_DIR = 1, RAYDATA_ORIGIN = 2, RAYDATA_POINT = 3, RAYDATA_NORMAL = 4, RAYDATA_DEPTH = 5;
DEV void rangefinder_fields(const Context& h, int site, FieldWriter out) {
  const Pose at = site_pose(h, site);
  const RayHit x = rangefinder(h, site);
  const v3 along = axis_z(at.quat), none = {0.f, 0.f, 0.f};
  put_field(out, RAYDATA_DIST, &x.dist, 1);
  put_field(out, RAYDATA_DIR, x.dist < 0.f ? none : along);
  put_field(out, RAYDATA_ORIGIN, at.pos);
  put_field(out, RAYDATA_POINT, x.dist < 0.f ? none : at.pos + x.dist * along);
  put_field(out, RAYDATA_NORMAL, x.normal);
  put_field(out, RAYDATA_DEPTH, &x.dist, 1);
}
