// A height field with a convex shape. Each cell of the grid is two triangles; what lies between a triangle and the bottom is a
// prism. Lanes look for prisms that the shape may touch, then all lanes search one after the other, in the frame of the field.
#pragma once
#include "convex.h"

// The part of the grid under a shape.
struct Patch {
  int data, columns;            // of the field
  int first[2], count[2];       // cells along x and y
  real size[4], margin;
};

DEV d3 grid_point(const Here& h, const Patch& f, const int (&lines)[2], int column, int row) {
  real height = (real)field_height(h.n, f.data + row * f.columns + column) * f.size[2];
  return {2 * f.size[0] / lines[0] * column - f.size[0], 2 * f.size[1] / lines[1] * row - f.size[1], height + f.margin};
}

// A shape in the frame of the field.
DEV void move_into(const Solid& field, Solid& s) {
  d3 away = s.pos - field.pos;
  s.pos = {dot(field.axis[0], away), dot(field.axis[1], away), dot(field.axis[2], away)};
  UNROLL for (int k = 0; k < 3; k++)
    s.axis[k] = {dot(field.axis[0], s.axis[k]), dot(field.axis[1], s.axis[k]), dot(field.axis[2], s.axis[k])};
}

// Which cells are under the shape; how low it reaches. None where it is beyond the field.
DEV bool lay_out(const Here& h, Dig& g, const int (&lines)[2], Patch& f, real& low) {
  for (int k = 0; k < 3; k++) {
    d3 dir = {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
    int corner;
    real most = dot(dir, reach(h, g.solid[1], g.prism, dir, corner)), least = dot(dir, reach(h, g.solid[1], g.prism, -dir, corner));
    if (least - f.margin > (k == 2 ? f.size[2] : f.size[k]) || most + f.margin < -(k == 2 ? f.size[3] : f.size[k])) return false;
    if (k == 2) low = least;
    else {
      real cell = lines[k] / (2 * f.size[k]);
      int from = (int)floor((least + f.size[k]) * cell), to = (int)ceil((most + f.size[k]) * cell);
      f.first[k] = from < 0 ? 0 : from;
      f.count[k] = (to > lines[k] ? lines[k] : to) - f.first[k];
    }
  }
  return f.count[0] > 0 && f.count[1] > 0;
}

struct Field {
  static DEV bool near(const Here& h, int p, int g1, int g2) { return Convex::near(h, p, g1, g2); }
  static DEV int find(const Here& h, int p, int count) {
    Dig& g = dig(h.s);
    const int lane = h.lane, g1 = ld(pair_geom1 + p), most = count + 50;
    v3 about = set_solids(h, g, p, 0.f);
    Solid field = g.solid[0];
    Patch f = {ld(geom_first + g1), ld(geom_count + g1), {0, 0}, {0, 0}, {}, pair_margin(h.n, p)};
    UNROLL for (int k = 0; k < 4; k++) f.size[k] = geom_field(h.n, g1, k);
    const int lines[2] = {f.columns - 1, ld(geom_rows + g1) - 1};
    wsync();
    if (lane == 0) move_into(field, g.solid[1]), g.solid[0].kind = PRISM;
    wsync();
    real low;
    if (!lay_out(h, g, lines, f, low)) return count;
    wsync();
    if (lane == 0) g.solid[1].grow = 0.5 * f.margin;
    wsync();
    Solid shape = g.solid[1];
    const int in_row = 2 * f.count[0], prisms = in_row * f.count[1];
    for (int base = 0; base < prisms && count < most; base += 32) {
      d3 top[3];
      bool may = false;
      if (base + lane < prisms) {
        int q = base + lane, row = f.first[1] + q / in_row;
        UNROLL for (int k = 0; k < 3; k++) {
          int i = q % in_row + k;
          top[k] = grid_point(h, f, lines, f.first[0] + i / 2, row + 1 - (i & 1));
        }
        may = top[0].z >= low || top[1].z >= low || top[2].z >= low;
        if (may && shape.kind != POINTS) {
          d3 down = cross(top[1] - top[0], top[2] - top[0]);
          down = along(down.z > 0 ? -down : down, norm(down));
          int corner;
          may = dot(down, reach(h, g.solid[1], g.prism, down, corner) - top[0]) >= 0;
        }
      }
      for (unsigned left = ballot(may); left && count < most; left &= left - 1) {
        wsync();
        if (lane == lowest(left))
          UNROLL for (int k = 0; k < 3; k++) g.prism[k] = {top[k].x, top[k].y, -f.size[3]}, g.prism[3 + k] = top[k];
        wsync();
        real dist;
        d3 a, b;
        bool found = penetration(h, g, dist, a, b);
        Hit hit;
        if (found) {
          d3 to = field.pos;
          a = to + a.x * field.axis[0] + a.y * field.axis[1] + a.z * field.axis[2];
          b = to + b.x * field.axis[0] + b.y * field.axis[1] + b.z * field.axis[2];
          hit = contact_of(a, b, dist, about);
        }
        count = keep(h, p, found && lane == 0, hit, count);
        wsync();
        if (lane == 0) g.solid[1] = shape;
        wsync();
      }
    }
    return count;
  }
};
