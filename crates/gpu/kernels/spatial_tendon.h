// Spatial tendons: from site to site, around spheres and cylinders. A lane has a span between two sites; its points are kept
// where contacts come later.
#pragma once
#include "wrap.h"
#include "passive.h"

DEV d3 into(const Place& p, v3 point) { return wide(rotate(conjugate(p.quat), point - p.pos)); }
DEV v3 out_of(const Place& p, d3 point) { return p.pos + rotate(p.quat, narrow(point)); }

DEV void lay_spans(const Here& h) {
  const int lane = h.lane;
  EACH(k, NSPAN) {
    v3 start = site_place(h, ld(span_site + 2 * k)).pos, stop = site_place(h, ld(span_site + 2 * k + 1)).pos, on = stop, off = stop;
    int g = ld(span_geom + k), beside = ld(span_side + k);
    real length = 0;
    bool wraps = false;
    if (g >= 0) {
      Place geom = {get3(h.s.gpos, GEOMS, g), get4(h.s.gquat, GEOMS, g)};
      d3 side = {0, 0, 0}, first, last;
      if (beside >= 0) side = into(geom, site_place(h, beside).pos);
      wraps = wrap(into(geom, start), into(geom, stop), ld(span_cylinder + k), geom_size(h.n, g).x, beside >= 0, side, first, last, length);
      if (wraps) on = out_of(geom, first), off = out_of(geom, last);
    }
    float* words = h.s.span + k * SPAN_SIZE;
    put3(words, 1, 0, start);
    put3(words + 3, 1, 0, on);
    put3(words + 6, 1, 0, off);
    put3(words + 9, 1, 0, stop);
    words[12] = norm(on - start) + (float)length + norm(stop - off);
    ((int*)words)[13] = wraps;
  }
  sync();
}

DEV float cable_length(const Here& h, int first, int count) {
  float sum = 0.f;
  for (int k = first; k < first + count; k++) sum += span_share(h.n, k) * h.s.span[k * SPAN_SIZE + 12];
  return sum;
}

// How fast the way from a point of one body to a point of another grows with a dof. One that moves both changes nothing.
DEV float stretch(const Here& h, int i, v3 a, int body_a, v3 b, int body_b) {
  bool first = moves(body_a, i), second = moves(body_b, i);
  if (first == second) return 0.f;
  v3 dir = unit(b - a);
  return second ? dot(dir, point_rate(h.s, i, b)) : -dot(dir, point_rate(h.s, i, a));
}
DEV float cable_arm(const Here& h, int first, int count, int i) {
  float sum = 0.f;
  for (int k = first; k < first + count; k++) {
    const float* words = h.s.span + k * SPAN_SIZE;
    v3 start = get3(words, 1, 0), on = get3(words + 3, 1, 0), off = get3(words + 6, 1, 0), stop = get3(words + 9, 1, 0);
    int b1 = ld(site_bodyid + ld(span_site + 2 * k)), b2 = ld(site_bodyid + ld(span_site + 2 * k + 1));
    float rate;
    if (((const int*)words)[13]) {
      int around = ld(geom_bodyid + ld(span_geom + k));
      rate = stretch(h, i, start, b1, on, around) + stretch(h, i, off, around, stop, b2);
    } else rate = stretch(h, i, start, b1, stop, b2);
    sum += span_share(h.n, k) * rate;
  }
  return sum;
}
