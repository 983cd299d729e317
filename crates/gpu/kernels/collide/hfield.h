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
    real most = dot(dir, reach(seek(h), g.solid[1], g.prism, dir).at), least = dot(dir, reach(seek(h), g.solid[1], g.prism, -dir).at);
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

// A pair in the frame of its field, whose prisms are the first shape.
struct Hills {
  Solid field, shape;
  v3 about;
  Patch patch;
  int lines[2];
};
// Sets the shapes of a pair; whether the second is over the field, and how low it reaches.
DEV bool set_hills(const Here& h, Dig& g, int p, Hills& hills, real& low) {
  const int g1 = ld(pair_geom1 + p);
  hills.about = set_solids(h, g, p, 0.f);
  hills.field = g.solid[0];
  Patch& f = hills.patch;
  f = {ld(geom_first + g1), ld(geom_count + g1), {0, 0}, {0, 0}, {}, pair_margin(h.n, p)};
  UNROLL for (int k = 0; k < 4; k++) f.size[k] = geom_field(h.n, g1, k);
  hills.lines[0] = f.columns - 1, hills.lines[1] = ld(geom_rows + g1) - 1;
  wsync();
  if (h.lane == 0) move_into(hills.field, g.solid[1]), g.solid[0].kind = PRISM;
  wsync();
  if (!lay_out(h, g, hills.lines, f, low)) return false;
  wsync();
  if (h.lane == 0) g.solid[1].grow = 0.5 * f.margin;
  wsync();
  hills.shape = g.solid[1];
  return true;
}
// Upper corners of a prism; two to a cell.
DEV void prism_top(const Here& h, const Hills& hills, int which, d3 (&top)[3]) {
  const Patch& f = hills.patch;
  const int in_row = 2 * f.count[0], row = f.first[1] + which / in_row;
  UNROLL for (int k = 0; k < 3; k++) {
    int i = which % in_row + k;
    top[k] = grid_point(h, f, hills.lines, f.first[0] + i / 2, row + 1 - (i & 1));
  }
}
// The contact with the prism of a lane, searched by all.
DEV int search_prism(const Here& h, Dig& g, int p, const Hills& hills, const d3 (&top)[3], int of, int count) {
  wsync();
  if (h.lane == of)
    UNROLL for (int k = 0; k < 3; k++) g.prism[k] = {top[k].x, top[k].y, -hills.patch.size[3]}, g.prism[3 + k] = top[k];
  wsync();
  Deepest at = penetration(seek(h), g);
  const bool found = at.dist < 0;
  Hit hit;
  if (found) hit = contact_of(place(hills.field, at.a), place(hills.field, at.b), at.dist, hills.about);
  count = keep(h, p, found && h.lane == 0, hit, count);
  wsync();
  if (h.lane == 0) g.solid[1] = hills.shape;
  wsync();
  return count;
}

// Whether a plane parts a shape from a prism, given by its upper corners; about the middle of the shape.
DEV bool prism_parted(const Here& h, const Form& form, const d3 (&top)[3], d3 about, const Patch& f, float gap) {
  const v3 corner[3] = {narrow(top[0] - about), narrow(top[1] - about), narrow(top[2] - about)};
  const float bottom = (float)(-f.size[3] - about.z);
  auto of_prism = [&](v3 dir) {
    v3 best = corner[0];
    UNROLL for (int k = 0; k < 3; k++) {
      v3 low = {corner[k].x, corner[k].y, bottom};
      if (dot(corner[k], dir) > dot(best, dir)) best = corner[k];
      if (dot(low, dir) > dot(best, dir)) best = low;
    }
    return best;
  };
  v3 across = cross(corner[1] - corner[0], corner[2] - corner[0]);
  return parted(of_prism, [&](v3 dir) { return farthest(h, form, dir); }, unit(across.z < 0.f ? -across : across), gap);
}

struct Field {
  static constexpr bool CONVEX = false;
  static DEV int find(const Here& h, int p, int count) {
    Dig& g = dig(h.s);
    const int lane = h.lane, most = count + 50, g2 = ld(pair_geom2 + p);
    Hills hills;
    real low;
    if (!set_hills(h, g, p, hills, low)) return count;
    const Patch& f = hills.patch;
    const Solid& shape = hills.shape;
    const Form seen = form(h, g2, {0.f, 0.f, 0.f}, narrow(shape.axis[0]), narrow(shape.axis[1]), narrow(shape.axis[2]));
    const float gap = (float)f.margin + ROUNDING * (2.f * geom_rbound(h.n, g2) + (float)(f.size[2] + f.size[3]));
    const int prisms = 2 * f.count[0] * f.count[1];
    for (int base = 0; base < prisms && count < most; base += 32) {
      d3 top[3];
      bool may = base + lane < prisms;
      if (may) {
        prism_top(h, hills, base + lane, top);
        may = (top[0].z >= low || top[1].z >= low || top[2].z >= low) && !prism_parted(h, seen, top, shape.pos, f, gap);
      }
      for (unsigned left = ballot(may); left && count < most; left &= left - 1) count = search_prism(h, g, p, hills, top, lowest(left), count);
    }
    return count;
  }
};
