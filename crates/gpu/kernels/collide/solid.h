// Farthest points of convex shapes.
#pragma once
#include "touch.h"

// the farthest of the lanes, the first of equals
DEV void farthest(real& most, int& which) {
  UNROLL for (int m = 16; m; m >>= 1) {
    real other = shfl_xor(most, m);
    int there = shfl_xor(which, m);
    if (other > most || (other == most && there < which)) most = other, which = there;
  }
}

DEV d3 place(const Solid& s, d3 local) { return s.pos + local.x * s.axis[0] + local.y * s.axis[1] + local.z * s.axis[2]; }

DEV int farthest_point(const Here& h, const Solid& s, d3 dir) {
  real most = -1e30;
  int which = 0;
  for (int i = h.lane; i < s.count; i += 32) {
    real reach = dot(wide(mesh_point(h.n, s.first + i)), dir);
    if (reach > most) most = reach, which = i;
  }
  farthest(most, which);
  return which;
}

// The farthest point along a unit direction, and which corner it is. As in MuJoCo, corners of prisms are not told apart.
CALL d3 reach(const Here& h, const Solid& s, const d3* prism, d3 dir, int& corner) {
  corner = 0;
  if (s.kind == PRISM) {
    int first = dir.z < 0 ? 0 : 3, best = first;
    for (int i = first + 1; i < first + 3; i++)
      if (dot(prism[i], dir) > dot(prism[best], dir)) best = i;
    return prism[best];
  }
  d3 d = {dot(s.axis[0], dir), dot(s.axis[1], dir), dot(s.axis[2], dir)}, at;
  if (s.kind == POINTS) {
    corner = farthest_point(h, s, d);
    at = wide(mesh_point(h.n, s.first + corner));
  } else at = farthest_of(s.kind, d, s.extent, corner);
  return place(s, at) + s.grow * dir;
}

// The farthest point of the difference, as a corner.
DEV d3 take(const Here& h, Dig& g, d3 dir, int corner) {
  int i, j;
  d3 a = reach(h, g.solid[0], g.prism, dir, i), w = a - reach(h, g.solid[1], g.prism, -dir, j);
  wsync();
  if (h.lane == 0) g.at[corner] = w, g.end[corner] = {a, i << 16 | j};
  wsync();
  return w;
}

// A geom as a shape about a point, growing by half a margin.
DEV void set_solid(const Here& h, Solid& s, int g, v3 about, float margin) {
  v3 size = geom_size(h.n, g);
  q4 q = get4(h.s.gquat, GEOMS, g);
  int type = ld(geom_type + g);
  s.pos = wide(get3(h.s.gpos, GEOMS, g) - about);
  // a quaternion of few digits is not quite of length one
  real w = q.w, x = q.x, y = q.y, z = q.z, k = 2 / (w * w + x * x + y * y + z * z);
  s.axis[0] = {1 - k * (y * y + z * z), k * (x * y + w * z), k * (x * z - w * y)};
  s.axis[1] = {k * (x * y - w * z), 1 - k * (x * x + z * z), k * (y * z + w * x)};
  s.axis[2] = {k * (x * z + w * y), k * (y * z - w * x), 1 - k * (x * x + y * y)};
  s.extent = wide(size);
  if (type == GEOM_SPHERE) s.extent.y = 0;
  s.grow = 0.5 * (real)margin;
  s.kind = solid_kind(type);
  s.first = ld(geom_first + g);
  s.count = ld(geom_count + g);
}
// A ball becomes its centre and a capsule its axis; by how much it shrank.
DEV real shrink(Solid& s) {
  if (s.kind != CAPSULE) return 0;
  real by = s.extent.x + s.grow;
  s.extent.x = s.grow = 0;
  return by;
}
DEV bool has_corners_only(const Solid& s) { return s.grow == 0 && (s.kind == BOX || s.kind == POINTS || s.kind == PRISM); }
DEV d3 centre(const Dig& g, const Solid& s) {
  if (s.kind != PRISM) return s.pos;
  return (1. / 6) * (g.prism[0] + g.prism[1] + g.prism[2] + g.prism[3] + g.prism[4] + g.prism[5]);
}
