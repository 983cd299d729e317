// A height field with a convex shape. Each grid cell is two triangles, and each triangle with the bottom below it is a prism. Lanes
// select the prisms that the shape may touch; then all lanes search them one by one, in the frame of the field.
#pragma once
#include "convex.h"

// The part of the grid under a shape.
struct GridPatch {
  int data, columns;       // of the field
  int first[2], count[2];  // cells along x and y
  real size[4], margin;
};

DEV d3 grid_point(const Context& h, const GridPatch& f, const int (&lines)[2], int column, int row) {
  real height = (real)hfield_height(h.n, f.data + row * f.columns + column) * f.size[2];
  return {2 * f.size[0] / lines[0] * column - f.size[0], 2 * f.size[1] / lines[1] * row - f.size[1], height + f.margin};
}

// Transforms a shape to the frame of the field.
DEV void to_hfield_frame(const ConvexShape& field, ConvexShape& s) {
  d3 away = s.pos - field.pos;
  s.pos = {dot(field.axis[0], away), dot(field.axis[1], away), dot(field.axis[2], away)};
  UNROLL for (int k = 0; k < 3; k++)
    s.axis[k] = {dot(field.axis[0], s.axis[k]), dot(field.axis[1], s.axis[k]), dot(field.axis[2], s.axis[k])};
}

// The cells under the shape, and the lowest z it reaches. False if it is outside of the field.
DEV bool find_patch(const Context& h, Ccd& g, const int (&lines)[2], GridPatch& f, real& low) {
  for (int k = 0; k < 3; k++) {
    d3 dir = {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
    real most = dot(dir, support_point(ccd_context(h), g.shape[1], g.prism, dir).at), least = dot(dir, support_point(ccd_context(h), g.shape[1], g.prism, -dir).at);
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

// A pair in the frame of its field. The first shape is a prism.
struct HFieldPair {
  ConvexShape field, shape;
  v3 about;
  GridPatch patch;
  int lines[2];
};
// Sets the shapes of a pair. Returns whether the second overlaps the field's bounds.
DEV bool set_hfield(const Context& h, Ccd& g, int p, HFieldPair& pair, real& low) {
  const int g1 = ld(pair_geom1 + p);
  pair.about = set_shapes(h, g, p, 0.f);
  pair.field = g.shape[0];
  GridPatch& f = pair.patch;
  f = {ld(geom_dataadr + g1), ld(geom_datanum + g1), {0, 0}, {0, 0}, {}, pair_margin(h.n, p)};
  UNROLL for (int k = 0; k < 4; k++) f.size[k] = geom_hfieldsize(h.n, g1, k);
  pair.lines[0] = f.columns - 1, pair.lines[1] = ld(geom_hfieldrows + g1) - 1;
  wsync();
  if (h.lane == 0) to_hfield_frame(pair.field, g.shape[1]), g.shape[0].kind = PRISM;
  wsync();
  if (!find_patch(h, g, pair.lines, f, low)) return false;
  wsync();
  if (h.lane == 0) g.shape[1].inflation = 0.5 * f.margin;
  wsync();
  pair.shape = g.shape[1];
  return true;
}
// Upper vertices of a prism; two prisms per cell.
DEV void prism_top(const Context& h, const HFieldPair& pair, int which, d3 (&top)[3]) {
  const GridPatch& f = pair.patch;
  const int in_row = 2 * f.count[0], row = f.first[1] + which / in_row;
  UNROLL for (int k = 0; k < 3; k++) {
    int i = which % in_row + k;
    top[k] = grid_point(h, f, pair.lines, f.first[0] + i / 2, row + 1 - (i & 1));
  }
}
// Contact with the prism of lane `of`, searched by all lanes.
DEV int search_prism(const Context& h, Ccd& g, int p, const HFieldPair& pair, const d3 (&top)[3], int of, int count) {
  wsync();
  if (h.lane == of)
    UNROLL for (int k = 0; k < 3; k++) g.prism[k] = {top[k].x, top[k].y, -pair.patch.size[3]}, g.prism[3 + k] = top[k];
  wsync();
  WitnessPoints at = penetration(ccd_context(h), g);
  const bool found = at.dist < 0;
  Contact con;
  if (found) con = make_contact(from_local(pair.field, at.a), from_local(pair.field, at.b), at.dist, pair.about);
  count = keep_contact(h, p, found && h.lane == 0, con, count);
  wsync();
  if (h.lane == 0) g.shape[1] = pair.shape;
  wsync();
  return count;
}

// Whether a plane separates a shape from a prism given by its upper vertices, relative to the shape's centre.
DEV bool prism_separated(const Context& h, const ConvexShapeF& form, const d3 (&top)[3], d3 about, const GridPatch& f, float gap) {
  const v3 corner[3] = {to_float(top[0] - about), to_float(top[1] - about), to_float(top[2] - about)};
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
  return separated(of_prism, [&](v3 dir) { return support_point(h, form, dir); }, unit(across.z < 0.f ? -across : across), gap);
}

struct HFieldConvex {
  static constexpr bool CONVEX = false;
  static DEV int find(const Context& h, int p, int count) {
    Ccd& g = ccd(h.s);
    const int lane = h.lane, most = count + 50, g2 = ld(pair_geom2 + p);
    HFieldPair pair;
    real low;
    if (!set_hfield(h, g, p, pair, low)) return count;
    const GridPatch& f = pair.patch;
    const ConvexShape& shape = pair.shape;
    const ConvexShapeF seen = convex_shape_f(h, g2, {0.f, 0.f, 0.f}, to_float(shape.axis[0]), to_float(shape.axis[1]), to_float(shape.axis[2]));
    const float gap = (float)f.margin + ROUNDING * (2.f * geom_rbound(h.n, g2) + (float)(f.size[2] + f.size[3]));
    const int prisms = 2 * f.count[0] * f.count[1];
    for (int base = 0; base < prisms && count < most; base += 32) {
      d3 top[3];
      bool may = base + lane < prisms;
      if (may) {
        prism_top(h, pair, base + lane, top);
        may = (top[0].z >= low || top[1].z >= low || top[2].z >= low) && !prism_separated(h, seen, top, shape.pos, f, gap);
      }
      for (unsigned left = ballot(may); left && count < most; left &= left - 1) count = search_prism(h, g, p, pair, top, lowest_bit(left), count);
    }
    return count;
  }
};
