// Whether a plane parts two convex shapes: a proof that they do not touch, by a lane for each pair and in single precision.
// Only where there is none all lanes search. After Chung and Wang: a direction along which the shapes overlap is mirrored at
// the way between their points farthest along it.
#pragma once
#include "touch.h"

constexpr int TURNS = 16;
// of the size of shapes: what rounding moves their points by, generously
constexpr float ROUNDING = 1e-5f;

struct Form {
  v3 pos, axis[3], size;
  int type, first, count;
  bool hull;
};
DEV Form form(const Here& h, int g, v3 about) {
  q4 q = get4(h.s.gquat, GEOMS, g);
  return {get3(h.s.gpos, GEOMS, g) - about, {axis_x(q), axis_y(q), axis_z(q)}, geom_size(h.n, g),
          ld(geom_type + g), ld(geom_first + g), ld(geom_count + g), ld(geom_hull + g) != 0};
}

// The farthest corner of a mesh, from another one.
DEV int farthest_corner(const Here& h, const Form& f, v3 dir, int best) {
  float most = dot(mesh_point(h.n, best), dir);
  for (int from = -1; from != best;) {
    from = best;
    const int first = f.hull ? hull_adr(h.n, from) : f.first, last = f.hull ? hull_adr(h.n, from + 1) : f.first + f.count;
    for (int e = first; e < last; e++) {
      int next = f.hull ? hull_next(h.n, e) : e;
      float reach = dot(mesh_point(h.n, next), dir);
      if (reach > most) most = reach, best = next;
    }
    if (!f.hull) break;
  }
  return best;
}
// The farthest point along a unit direction; a mesh begins at a corner.
DEV v3 farthest(const Here& h, const Form& f, v3 dir, int& corner) {
  v3 d = {dot(f.axis[0], dir), dot(f.axis[1], dir), dot(f.axis[2], dir)}, e = f.size, at;
  float end = d.z >= 0.f ? e.y : -e.y;
  if (f.type == GEOM_SPHERE) return f.pos + e.x * dir;
  if (f.type == GEOM_ELLIPSOID) at = times(e, unit(times(e, d)));
  else if (f.type == GEOM_CYLINDER) {
    float across = sqrtf(d.x * d.x + d.y * d.y), scale = across > TINY ? e.x / across : 0.f;
    at = {scale * d.x, scale * d.y, end};
  } else if (f.type == GEOM_BOX) at = {d.x >= 0.f ? e.x : -e.x, d.y >= 0.f ? e.y : -e.y, d.z >= 0.f ? e.z : -e.z};
  else if (f.type == GEOM_MESH) at = mesh_point(h.n, corner = farthest_corner(h, f, d, corner));
  else at = {e.x * d.x, e.x * d.y, e.x * d.z + end};
  return f.pos + at.x * f.axis[0] + at.y * f.axis[1] + at.z * f.axis[2];
}

// By functions that give the farthest point of each shape, beginning with a direction from the first to the second.
template <class First, class Second> DEV bool parted(First first, Second second, v3 dir, float gap) {
  ROLL for (int k = 0; k < TURNS; k++) {
    v3 way = second(-dir) - first(dir);
    float between = dot(way, dir);
    if (between > gap) return true;
    v3 mirror = unit(way);
    dir = unit(dir - (2.f * dot(mirror, dir)) * mirror);
  }
  return false;
}
DEV bool parted(const Here& h, int p) {
  int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
  v3 about = get3(h.s.gpos, GEOMS, g1);
  Form a = form(h, g1, about), b = form(h, g2, about);
  int i = a.first, j = b.first;
  float gap = pair_margin(h.n, p) + ROUNDING * (geom_rbound(h.n, g1) + geom_rbound(h.n, g2));
  return parted([&](v3 dir) { return farthest(h, a, dir, i); }, [&](v3 dir) { return farthest(h, b, dir, j); }, unit(b.pos), gap);
}
