// What all colliders share.
#pragma once
#include "../world.h"

struct Shape { v3 pos; q4 quat; v3 size; };
struct Contact { v3 pos, normal, tangent; float dist; };   // a zero tangent: any
constexpr v3 ANY_TANGENT = {0.f, 0.f, 0.f};

// A sphere with the half-space below a point.
DEV bool sphere_plane(v3 origin, v3 normal, v3 centre, float radius, float margin, v3 tangent, Contact& con) {
  float dist = dot(centre - origin, normal) - radius;
  con = {centre - (0.5f * dist + radius) * normal, normal, tangent, dist};
  return dist <= margin;
}
// A point of a shape, given relative to its centre, with a half-space.
DEV bool point_plane(v3 middle, float height, v3 normal, v3 arm, float margin, Contact& con) {
  float dist = height + dot(normal, arm);
  con = {middle + arm - (0.5f * dist) * normal, normal, ANY_TANGENT, dist};
  return dist <= margin;
}
// Two spheres; the axes give the normal if the centres coincide.
DEV bool sphere_sphere(v3 a, float ra, v3 axis_a, v3 b, float rb, v3 axis_b, float margin, Contact& con) {
  v3 between = b - a;
  float length = norm(between), dist = length - ra - rb;
  bool same = length <= 1e-6f * (ra + rb);
  v3 normal = same ? unit(cross(axis_a, axis_b)) : reciprocal(length) * between;
  con = {a + (ra + 0.5f * dist) * normal, normal, ANY_TANGENT, dist};
  return dist <= margin;
}

DEV Shape shape(const Context& h, int g) {
  return {get3(h.s.geom_xpos, GEOMS, g), get4(h.s.geom_xquat, GEOMS, g), geom_size(h.n, g)};
}

// Kind of convex shape of a geom type.
DEV ShapeKind shape_kind(int type) {
  return type == GEOM_ELLIPSOID ? ELLIPSOID : type == GEOM_CYLINDER ? CYLINDER : type == GEOM_BOX ? BOX : type == GEOM_MESH ? POINTS : CAPSULE;
}

// Support vertex of a mesh: hill climbing over the hull from one of its vertices, or a scan of all vertices if there is no hull.
DEV int hull_support(const Context& h, int first, int count, bool hull, v3 dir, int best) {
  float most = dot(mesh_hullvert(h.n, best), dir);
  for (int from = -1; from != best;) {
    from = best;
    const int begin = hull ? hull_adr(h.n, from) : first, end = hull ? hull_adr(h.n, from + 1) : first + count;
    for (int e = begin; e < end; e++) {
      int next = hull ? hull_next(h.n, e) : e;
      float reach = dot(mesh_hullvert(h.n, next), dir);
      if (reach > most) most = reach, best = next;
    }
    if (!hull) break;
  }
  return best;
}

DEV void store_contact(World& s, int slot, const Contact& con, int pair) {
  float* c = s.contact + slot * CON_SIZE;
  c[CON_POS] = con.pos.x, c[CON_POS + 1] = con.pos.y, c[CON_POS + 2] = con.pos.z;
  c[CON_DIST] = con.dist;
  c[CON_NORMAL] = con.normal.x, c[CON_NORMAL + 1] = con.normal.y, c[CON_NORMAL + 2] = con.normal.z;
  // the given tangent orthogonalized, or else the coordinate axis farthest from the normal
  v3 n = con.normal, t = con.tangent;
  t = t - dot(t, n) * n;
  if (dot(t, t) < 1e-8f) {
    t = n.y < 0.5f && n.y > -0.5f ? v3{0.f, 1.f, 0.f} : v3{0.f, 0.f, 1.f};
    t = t - dot(t, n) * n;
  }
  t = unit(t);
  c[CON_TANGENT] = t.x, c[CON_TANGENT + 1] = t.y, c[CON_TANGENT + 2] = t.z;
  ((int*)c)[CON_PAIR] = pair;
}

// Stores the contacts that lanes of a warp, or of the whole team, found within the margin. Returns the count including earlier
// ones. Contacts beyond the capacity are only counted.
template <bool TEAMWORK = false> DEV int keep_contact(const Context& h, int pair, bool found, const Contact& con, int count) {
  const bool near = found && con.dist < (KEEPS_GAP_CONTACTS ? pair_margin(h.n, pair) : pair_includemargin(h.n, pair));
  const int slot = TEAMWORK ? team_compact(near, h.lane, count) : wcompact(near, h.lane, count);
  if (near && slot < NCON) store_contact(h.s, slot, con, pair);
  return count;
}
