// Spatial tendons: from site to site, around spheres and cylinders. One lane per segment between two sites. The points of a segment
// are kept in memory that contacts use later.
#pragma once
#include "wrap.h"
#include "passive.h"

DEV d3 to_local(const Pose& p, v3 point) { return to_double(rotate(conjugate(p.quat), point - p.pos)); }
DEV v3 to_global(const Pose& p, d3 point) { return p.pos + rotate(p.quat, to_float(point)); }

DEV void tendon_segments(const Context& h) {
  const int lane = h.lane;
  EACH(k, NSEGMENT) {
    v3 first_site = site_pose(h, ld(segment_site + 2 * k)).pos, second_site = site_pose(h, ld(segment_site + 2 * k + 1)).pos, on = second_site, off = second_site;
    int g = ld(segment_geom + k), side_site = ld(segment_sidesite + k);
    real length = 0;
    bool wraps = false;
    if (g >= 0) {
      Pose geom = {get3(h.s.geom_xpos, GEOMS, g), get4(h.s.geom_xquat, GEOMS, g)};
      d3 side = {0, 0, 0}, first, last;
      if (side_site >= 0) side = to_local(geom, site_pose(h, side_site).pos);
      wraps = wrap(to_local(geom, first_site), to_local(geom, second_site), ld(segment_cylinder + k), geom_size(h.n, g).x, side_site >= 0, side, first, last, length);
      if (wraps) on = to_global(geom, first), off = to_global(geom, last);
    }
    float* words = h.s.segment + k * SEGMENT_SIZE;
    put3(words, 1, 0, first_site);
    put3(words + 3, 1, 0, on);
    put3(words + 6, 1, 0, off);
    put3(words + 9, 1, 0, second_site);
    words[12] = norm(on - first_site) + (float)length + norm(second_site - off);
    ((int*)words)[13] = wraps;
  }
  sync();
}

DEV float spatial_tendon_length(const Context& h, int first, int count) {
  float sum = 0.f;
  for (int k = first; k < first + count; k++) sum += segment_scale(h.n, k) * h.s.segment[k * SEGMENT_SIZE + 12];
  return sum;
}

// Rate at which the distance from a point of one body to a point of another grows with dof i. A dof that moves both does not change
// it.
DEV float segment_rate(const Context& h, int i, v3 a, int body_a, v3 b, int body_b) {
  bool first = moves(body_a, i), second = moves(body_b, i);
  if (first == second) return 0.f;
  v3 dir = unit(b - a);
  return second ? dot(dir, point_jacobian(h.s, i, b)) : -dot(dir, point_jacobian(h.s, i, a));
}
DEV float spatial_tendon_moment(const Context& h, int first, int count, int i) {
  float sum = 0.f;
  for (int k = first; k < first + count; k++) {
    const float* words = h.s.segment + k * SEGMENT_SIZE;
    v3 first_site = get3(words, 1, 0), on = get3(words + 3, 1, 0), off = get3(words + 6, 1, 0), second_site = get3(words + 9, 1, 0);
    int b1 = ld(site_bodyid + ld(segment_site + 2 * k)), b2 = ld(site_bodyid + ld(segment_site + 2 * k + 1));
    float rate;
    if (((const int*)words)[13]) {
      int around = ld(geom_bodyid + ld(segment_geom + k));
      rate = segment_rate(h, i, first_site, b1, on, around) + segment_rate(h, i, off, around, second_site, b2);
    } else rate = segment_rate(h, i, first_site, b1, second_site, b2);
    sum += segment_scale(h.n, k) * rate;
  }
  return sum;
}
