// A height field with spheres and capsules, one lane per prism. A capsule is a segment with a radius, and the distance from a
// segment to a prism has a closed form: from an end to a face, or from the segment to an edge. So does the penetration: through a
// face, or over an edge across edge and segment.
#pragma once
#include "hfield.h"

// Tolerance within which a segment counts as intersecting a prism.
constexpr float DEEP = 1e-6f;

// Upper vertices and the height of the lower ones, relative to the middle of the segment.
struct Prism { v3 top[3]; float bottom; };
struct Face { v3 normal; float offset; };
DEV v3 corner(const Prism& p, int k) {
  int i = k % 3;
  v3 c = i == 0 ? p.top[0] : i == 1 ? p.top[1] : p.top[2];
  return k < 3 ? c : v3{c.x, c.y, p.bottom};
}
// Top, bottom, and the three sides; normals point outward.
DEV Face face(const Prism& p, int k) {
  if (k == 1) return {{0.f, 0.f, -1.f}, -p.bottom};
  v3 a = corner(p, k == 0 ? 0 : k - 2), b = corner(p, k == 0 ? 1 : (k - 1) % 3), c = corner(p, k == 0 ? 2 : k % 3);
  v3 normal = k == 0 ? unit(cross(b - a, c - a)) : unit(v3{b.y - a.y, a.x - b.x, 0.f});
  bool inwards = k == 0 ? normal.z < 0.f : dot(normal, c - a) > 0.f;
  if (inwards) normal = -normal;
  return {normal, dot(normal, a)};
}
// Three upper edges, three lower edges, and the vertical ones.
DEV void edge(const Prism& p, int k, v3& a, v3& b) {
  a = corner(p, k < 6 ? k : k - 6);
  b = corner(p, k < 6 ? k / 3 * 3 + (k + 1) % 3 : k - 3);
}

// Distance between segment and prism, its direction, and the point of the segment.
struct PrismDistance { float dist; v3 normal, at; };

// Largest signed distance of the segment from a face's plane: a lower bound.
DEV float face_distance(const Prism& p, v3 half) {
  float most = -1e30f;
  ROLL for (int k = 0; k < 5; k++) {
    Face f = face(p, k);
    most = fmaxf(most, -fabsf(dot(f.normal, half)) - f.offset);
  }
  return most;
}
// Whether the segment intersects the prism: clips it by all faces.
DEV bool pierces(const Prism& p, v3 half) {
  float from = -1.f, to = 1.f;
  ROLL for (int k = 0; k < 5; k++) {
    Face f = face(p, k);
    float along = dot(f.normal, half), slack = f.offset + DEEP;
    if (fabsf(along) < TINY) {
      if (slack < 0.f) return false;
    } else if (along > 0.f) to = fminf(to, slack / along);
    else from = fmaxf(from, slack / along);
  }
  return from <= to;
}

DEV void nearer(PrismDistance& best, v3 on, v3 at) {
  v3 way = at - on;
  float dist = norm(way);
  if (dist < best.dist) best = {dist, reciprocal(fmaxf(dist, TINY)) * way, at};
}
// Nearest points of the segment and an edge.
DEV void edge_distance(PrismDistance& best, v3 a, v3 b, v3 half) {
  v3 way = b - a;
  float ww = dot(way, way), hh = dot(half, half), wh = dot(way, half), aw = dot(a, way), ah = dot(a, half), span = ww * hh - wh * wh;
  // points a + s way and t half
  float t = span > 1e-8f * ww * hh ? clamp((ah * ww - aw * wh) / span, -1.f, 1.f) : 0.f;
  float s = clamp((t * wh - aw) / ww, 0.f, 1.f);
  if (hh > TINY) t = clamp((ah + s * wh) / hh, -1.f, 1.f);
  nearer(best, a + s * way, t * half);
}
DEV PrismDistance prism_distance(const Prism& p, v3 half) {
  PrismDistance best = {1e30f, {0.f, 0.f, 1.f}, {0.f, 0.f, 0.f}};
  ROLL for (int k = 0; k < 9; k++) {
    v3 a, b;
    edge(p, k, a, b);
    edge_distance(best, a, b, half);
  }
  ROLL for (int k = 0; k < 10; k++) {
    v3 end = k & 1 ? half : -half;
    Face f = face(p, k / 2);
    float dist = dot(f.normal, end) - f.offset;
    if (dist <= 0.f || dist >= best.dist) continue;
    v3 foot = end - dist * f.normal;
    bool inside = true;
    ROLL for (int o = 0; o < 5; o++) {
      Face other = face(p, o);
      inside &= o == k / 2 || dot(other.normal, foot) <= other.offset;
    }
    if (inside) best = {dist, f.normal, end};
  }
  return best;
}

// Shortest translation of a segment out of a prism: along a face normal, or across an edge and the segment.
DEV PrismDistance prism_exit(const Prism& p, v3 half) {
  PrismDistance best = {-1e30f, {0.f, 0.f, 1.f}, {0.f, 0.f, 0.f}};
  ROLL for (int k = 0; k < 5; k++) {
    const Face f = face(p, k);
    const float along = dot(f.normal, half), dist = -fabsf(along) - f.offset;
    if (dist > best.dist) best = {dist, f.normal, along > 0.f ? -half : half};
  }
  ROLL for (int k = 0; k < 9; k++) {
    v3 a, b;
    edge(p, k, a, b);
    const v3 way = b - a, across = cross(way, half);
    const float ww = dot(way, way), hh = dot(half, half), span = dot(across, across);
    if (span <= 1e-8f * ww * hh) continue;
    const v3 axis = (1.f / sqrtf(span)) * across;
    ROLL for (int side = 0; side < 2; side++) {
      const v3 out = side ? -axis : axis;
      // an edge inside the projection is no way out
      float reach = dot(out, a);
      bool outermost = true;
      UNROLL for (int c = 0; c < 6; c++) outermost &= dot(out, corner(p, c)) <= reach + 1e-6f;
      const float t = (dot(a, half) * ww - dot(a, way) * dot(way, half)) / span;
      if (outermost && -reach > best.dist) best = {-reach, out, clamp(t, -1.f, 1.f) * half};
    }
  }
  return best;
}

// A sphere or a capsule over the grid, in the frame of the field.
struct RoundShape {
  v3 pos, half;
  float radius, margin;
  int data, columns, rows, first[2], count[2];
};
DEV RoundShape round_over_hfield(const Context& h, int p) {
  const int g1 = ld(pair_geom1 + p), g2 = ld(pair_geom2 + p);
  const q4 to = conjugate(get4(h.s.geom_xquat, GEOMS, g1));
  const v3 size = geom_size(h.n, g2);
  RoundShape r;
  r.pos = rotate(to, get3(h.s.geom_xpos, GEOMS, g2) - get3(h.s.geom_xpos, GEOMS, g1));
  r.half = (ld(geom_type + g2) == GEOM_SPHERE ? 0.f : size.y) * rotate(to, axis_z(get4(h.s.geom_xquat, GEOMS, g2)));
  r.margin = pair_margin(h.n, p);
  r.radius = size.x + 0.5f * r.margin;
  r.data = ld(geom_dataadr + g1), r.columns = ld(geom_datanum + g1), r.rows = ld(geom_hfieldrows + g1);
  const float reach[3] = {fabsf(r.half.x) + size.x, fabsf(r.half.y) + size.x, fabsf(r.half.z) + size.x};
  bool over = r.pos.z - reach[2] - r.margin <= geom_hfieldsize(h.n, g1, 2) && r.pos.z + reach[2] + r.margin >= -geom_hfieldsize(h.n, g1, 3);
  UNROLL for (int k = 0; k < 2; k++) {
    const int lines = (k == 0 ? r.columns : r.rows) - 1;
    const float wide = geom_hfieldsize(h.n, g1, k), at = k == 0 ? r.pos.x : r.pos.y, cell = lines / (2.f * wide);
    int from = (int)floorf(clamp((at - reach[k] + wide) * cell, 0.f, (float)lines));
    int to = (int)ceilf(clamp((at + reach[k] + wide) * cell, 0.f, (float)lines));
    r.first[k] = from;
    r.count[k] = over ? to - from : 0;
  }
  return r;
}
DEV v3 grid_point(const Context& h, const RoundShape& r, int g1, int column, int row) {
  float height = hfield_height(h.n, r.data + row * r.columns + column) * geom_hfieldsize(h.n, g1, 2) + r.margin;
  float x = geom_hfieldsize(h.n, g1, 0), y = geom_hfieldsize(h.n, g1, 1);
  return v3{2.f * x / (r.columns - 1) * column - x, 2.f * y / (r.rows - 1) * row - y, height} - r.pos;
}
// Contact with a prism; two prisms per cell.
DEV bool round_prism(const Context& h, const RoundShape& r, int p, int which, Contact& con) {
  const int g1 = ld(pair_geom1 + p), in_row = 2 * r.count[0], row = r.first[1] + which / in_row;
  Prism prism;
  prism.bottom = -geom_hfieldsize(h.n, g1, 3) - r.pos.z;
  UNROLL for (int k = 0; k < 3; k++) {
    int i = which % in_row + k;
    prism.top[k] = grid_point(h, r, g1, r.first[0] + i / 2, row + 1 - (i & 1));
  }
  // as in the engine, only the field's margin counts here
  const float low = 0.5f * r.margin - r.radius - fabsf(r.half.z);
  if (fmaxf(fmaxf(prism.top[0].z, prism.top[1].z), prism.top[2].z) < low) return false;
  if (face_distance(prism, r.half) > r.radius) return false;
  const PrismDistance gap = pierces(prism, r.half) ? prism_exit(prism, r.half) : prism_distance(prism, r.half);
  const q4 from = get4(h.s.geom_xquat, GEOMS, g1);
  v3 at = r.pos + gap.at - (0.5f * (gap.dist + r.radius)) * gap.normal;
  con = {get3(h.s.geom_xpos, GEOMS, g1) + rotate(from, at), rotate(from, gap.normal), ANY_TANGENT, gap.dist - r.radius};
  return con.dist < 0.f;
}

// Finds the pair and the prism of an item in the concatenation of all lanes' prisms.
struct Item { int pair, prism; };
DEV Item item_of(int start, int prisms, int pairs, int item) {
  Item found = {0, item};
  for (int k = 0; k < pairs; k++) {
    int from = shfl(start, k), many = shfl(prisms, k);
    if (many > 0 && item >= from) found = {k, item - from};
  }
  return found;
}

// The prisms of all pairs are distributed over the lanes.
struct HFieldRound {
  static DEV int find(const Context& h, const unsigned short* list, int listed, int count) {
    for (int base = 0; base < listed; base += 32) {
      const int pairs = listed - base < 32 ? listed - base : 32;
      int prisms = 0;
      if (h.lane < pairs) {
        RoundShape r = round_over_hfield(h, list[base + h.lane]);
        prisms = 2 * r.count[0] * r.count[1];
      }
      const int start = wscan(prisms, h.lane), all = shfl(start + prisms, 31);
      for (int first = 0; first < all; first += 32) {
        Item it = item_of(start, prisms, pairs, first + h.lane);
        it.pair = list[base + it.pair];
        Contact con;
        const bool touch = first + h.lane < all && round_prism(h, round_over_hfield(h, it.pair), it.pair, it.prism, con);
        count = keep_contact(h, it.pair, touch, con, count);
      }
    }
    return count;
  }
};
