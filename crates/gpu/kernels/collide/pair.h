// What is common to all pairs of shapes.
#pragma once
#include "../world.h"

struct Shape { v3 pos; q4 quat; v3 size; };
struct Hit { v3 pos, normal, tangent; float dist; };   // a tangent of zeros: any
constexpr v3 ANY = {0.f, 0.f, 0.f};

// a ball with the half-space below a point
DEV bool ball_on_plane(v3 origin, v3 normal, v3 centre, float radius, float margin, v3 tangent, Hit& hit) {
  float dist = dot(centre - origin, normal) - radius;
  hit = {centre - (0.5f * dist + radius) * normal, normal, tangent, dist};
  return dist <= margin;
}
// a point of a shape at the end of an arm from its middle, with the half-space
DEV bool corner_on_plane(v3 middle, float height, v3 normal, v3 arm, float margin, Hit& hit) {
  float dist = height + dot(normal, arm);
  hit = {middle + arm - (0.5f * dist) * normal, normal, ANY, dist};
  return dist <= margin;
}
// two balls; the axes say where to, if their centres are the same
DEV bool balls(v3 a, float ra, v3 axis_a, v3 b, float rb, v3 axis_b, float margin, Hit& hit) {
  v3 between = b - a;
  float length = norm(between), dist = length - ra - rb;
  bool same = length <= 1e-6f * (ra + rb);
  v3 normal = same ? unit(cross(axis_a, axis_b)) : reciprocal(length) * between;
  hit = {a + (ra + 0.5f * dist) * normal, normal, ANY, dist};
  return dist <= margin;
}

DEV Shape shape(const Here& h, int g) {
  return {get3(h.s.gpos, GEOMS, g), get4(h.s.gquat, GEOMS, g), geom_size(h.n, g)};
}

// what a geom is to searches
DEV SolidKind solid_kind(int type) {
  return type == GEOM_ELLIPSOID ? ELLIPSOID : type == GEOM_CYLINDER ? CYLINDER : type == GEOM_BOX ? BOX : type == GEOM_MESH ? POINTS : CAPSULE;
}

// The farthest of a mesh's points: climbs over the hull from one of its corners, or looks at all points where there is no hull.
DEV int farthest_corner(const Here& h, int first, int count, bool hull, v3 dir, int best) {
  float most = dot(mesh_point(h.n, best), dir);
  for (int from = -1; from != best;) {
    from = best;
    const int begin = hull ? hull_adr(h.n, from) : first, end = hull ? hull_adr(h.n, from + 1) : first + count;
    for (int e = begin; e < end; e++) {
      int next = hull ? hull_next(h.n, e) : e;
      float reach = dot(mesh_point(h.n, next), dir);
      if (reach > most) most = reach, best = next;
    }
    if (!hull) break;
  }
  return best;
}

DEV void store(World& s, int slot, const Hit& hit, int pair) {
  float* c = s.contact + slot * CON_SIZE;
  c[CON_POS] = hit.pos.x, c[CON_POS + 1] = hit.pos.y, c[CON_POS + 2] = hit.pos.z;
  c[CON_DIST] = hit.dist;
  c[CON_NORMAL] = hit.normal.x, c[CON_NORMAL + 1] = hit.normal.y, c[CON_NORMAL + 2] = hit.normal.z;
  // the given tangent across the normal, or the axis that is furthest from it
  v3 n = hit.normal, t = hit.tangent;
  t = t - dot(t, n) * n;
  if (dot(t, t) < 1e-8f) {
    t = n.y < 0.5f && n.y > -0.5f ? v3{0.f, 1.f, 0.f} : v3{0.f, 0.f, 1.f};
    t = t - dot(t, n) * n;
  }
  t = unit(t);
  c[CON_TANGENT] = t.x, c[CON_TANGENT + 1] = t.y, c[CON_TANGENT + 2] = t.z;
  ((int*)c)[CON_PAIR] = pair;
}

// Stores what the lanes of a warp, or of the whole team, found that is near enough. Their count with those before; more than
// there is room for are counted only.
template <bool TEAMWORK = false> DEV int keep(const Here& h, int pair, bool found, const Hit& hit, int count) {
  const bool near = found && hit.dist < (KEEPS_GAP_CONTACTS ? pair_margin(h.n, pair) : pair_includemargin(h.n, pair));
  const int slot = TEAMWORK ? queue(near, h.lane, count) : wqueue(near, h.lane, count);
  if (near && slot < NCON) store(h.s, slot, hit, pair);
  return count;
}
