// A plane with the hull of a mesh: its lowest vertex, and low neighbours of it.
#pragma once
#include "pair.h"

struct PlaneMesh {
  static constexpr int MAX_CONTACTS = 3;
  static DEV void find(const Context& h, int g1, int g2, float margin, Contact* con, bool* found) {
    Shape a = shape(h, g1), b = shape(h, g2);
    v3 normal = axis_z(a.quat), down = rotate(conjugate(b.quat), -normal);
    float height = dot(b.pos - a.pos, normal);
    if (height > margin + geom_rbound(h.n, g2)) return;
    int first = ld(geom_dataadr + g2), count = ld(geom_datanum + g2);
    bool hull = ld(geom_hull + g2) >= 0;
    int best = hull_support(h, first, count, hull, down, first);
    found[0] = point_plane(b.pos, height, normal, rotate(b.quat, mesh_hullvert(h.n, best)), margin, con[0]);
    if (!found[0]) return;
    // further contacts keep a distance from the first
    float apart = 0.3f * geom_rbound(h.n, g2);
    int more = 0, from = hull ? hull_adr(h.n, best) : first, to = hull ? hull_adr(h.n, best + 1) : first + count;
    for (int e = from; e < to && more < 2; e++) {
      int i = hull ? hull_next(h.n, e) : e;
      v3 point = mesh_hullvert(h.n, i);
      if (i == best || dot(down, point) <= height - margin) continue;
      v3 arm = rotate(b.quat, point), away = b.pos + arm - con[0].pos;
      if (dot(away, away) < apart * apart) continue;
      point_plane(b.pos, height, normal, arm, margin, more ? con[2] : con[1]);
      (more ? found[2] : found[1]) = true;
      more++;
    }
  }
};
