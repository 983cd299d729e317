// Multiple contacts per pair (multiccd). For boxes and meshes they are the vertices of the intersection of the touching faces, or
// of a face and an edge. Other pairs are searched again, slightly rotated to each side about the first contact.
#pragma once
#include "convex.h"
#include "faces.h"

// The first number below `count` that satisfies a condition, or -1.
template <class Fits> DEV int first_matching(int lane, int count, Fits fits) {
  for (int base = 0; base < count; base += 32) {
    const unsigned who = ballot(base + lane < count && fits(base + lane));
    if (who) return base + lowest_bit(who);
  }
  return -1;
}

// The window face and its shape, and the shift from a clipped point to its counterpart on the first shape.
struct Window { int side, face; d3 shift; };

// Sets the polygon to clip: the face of the second shape that is parallel to one of the first, or an edge parallel to a face of the
// other shape. Returns the number of vertices, 0 if nothing is aligned.
DEV int align(CcdContext h, Ccd& g, const WitnessPoints& at, Window& w) {
  ClipMemory& c = clip_memory(g);
  const Corners on[2] = {corners_on(g, 0), corners_on(g, 1)};
  const d3 dir = at.b - at.a;
  const int faces[2] = {find_faces(h, g, 0, on[0], -dir), find_faces(h, g, 1, on[1], dir)};
  wsync();
  auto normal = [&](int side, int k) { return face_normal(h, g.shape[side], c.face[side][k]); };
  auto faces_meet = [&](int k) { return dot(normal(0, k / faces[1]), normal(1, k % faces[1])) < -SAME_FACE; };
  int k = first_matching(h.lane, faces[0] * faces[1], faces_meet);
  if (k >= 0) {
    const int i = k / faces[1], j = k % faces[1], face = c.face[1][j], sides = face_sides(h, g.shape[1], face);
    w = {0, c.face[0][i], norm(dir) * normal(1, j)};
    for (int e = h.lane; e < sides; e += 32) c.polygon[0][e] = face_corner(h, g.shape[1], face, e);
    wsync();
    return sides;
  }
  const int side = on[0].count < 3 && on[0].count <= on[1].count ? 0 : 1, other = 1 - side;
  const Corners& from = side ? on[1] : on[0];
  if (from.count == 3) return 0;
  const ConvexShape& s = g.shape[side];
  const int edges = edge_count(h, s, from), of_other = side ? faces[0] : faces[1];
  k = first_matching(h.lane, of_other * edges, [&](int k) {
    d3 way = edge_end(h, s, from, k % edges) - from.at[0];
    return absolute(dot(normalized(way, norm(way)), normal(other, k / edges))) < IN_FACE;
  });
  if (k < 0) return 0;
  w = {other, c.face[other][k / edges], (side ? -norm(dir) : norm(dir)) * normal(other, k / edges)};
  if (h.lane < 2) c.polygon[0][h.lane] = h.lane ? edge_end(h, s, from, k % edges) : from.at[0];
  wsync();
  return 2;
}

// The lane's contact of two overlapping boxes or meshes, from the deepest points. Returns whether the lane has one.
CALL bool by_faces(CcdContext h, Ccd& g, WitnessPoints& mine) {
  Window w = {0, 0, {0, 0, 0}};
  int count = align(h, g, mine, w);
  if (count == 0) return h.lane == 0;
  const ConvexShape& s = g.shape[w.side];
  const int sides = face_sides(h, s, w.face);
  count = clip_polygon(g, h.lane, count, sides, face_normal(h, s, w.face), [&](int k) { return face_corner(h, s, w.face, k); });
  if (count == 0) return h.lane == 0;
  const d3* left = clip_memory(g).polygon[sides & 1];
  const int k = count > 4 ? spread_out(left, count, h.lane) : h.lane;
  bool own = h.lane < (count < 4 ? count : 4);
  d3 b = left[own ? k : 0];
  for (int j = 0; count <= 4 && j < h.lane && own; j++) {
    d3 apart = b - left[j];
    own = !(absolute(apart.x) < MINVAL && absolute(apart.y) < MINVAL && absolute(apart.z) < MINVAL);
  }
  mine.b = b, mine.a = b - w.shift;
  return own;
}

// Rotates a vector about an axis by 1e-3 rad to one side.
DEV d3 rotated(d3 v, d3 axis, real side) {
  constexpr real SINE = 9.99999833333341667e-4, REST = 4.9999995833333472e-7;   // REST = 1 - cosine
  return v + (side * SINE) * cross(axis, v) + REST * (dot(axis, v) * axis - v);
}
DEV void rotate_about(ConvexShape& s, d3 point, d3 axis, real side) {
  UNROLL for (int k = 0; k < 3; k++) s.axis[k] = rotated(s.axis[k], axis, side);
  s.pos = point + rotated(s.pos - point, axis, side);
}

// Contacts that are closer to an earlier one than this part of the smaller shape are dropped.
constexpr float MIN_SEPARATION = 1e-3f;

struct MultiCcd {
  static constexpr bool CONVEX = true;
  static DEV int find(const Context& h, int p, int count) {
    const auto [g, margin, about] = set_pair(h, p);
    WitnessPoints mine = penetration(ccd_context(h), g);
    if (!(mine.dist < 0)) return count;
    const bool faces = is_polyhedron(g.shape[0]) && is_polyhedron(g.shape[1]);
    const bool found = faces ? by_faces(ccd_context(h), g, mine) : by_rotations(h, g, p, margin, mine);
    return keep_contact(h, p, found, make_contact(mine.a, mine.b, mine.dist + (real)margin, about), count);
  }
  // The same for other shapes, rotated against each other about both tangents.
  static DEV bool by_rotations(const Context& h, Ccd& g, int p, float margin, WitnessPoints& mine) {
    const float apart = MIN_SEPARATION * fminf(geom_rbound(h.n, ld(pair_geom1 + p)), geom_rbound(h.n, ld(pair_geom2 + p)));
    const d3 point = 0.5 * (mine.a + mine.b), way = mine.a - mine.b, normal = normalized(way, norm(way));
    d3 tangent = absolute(normal.y) < 0.5 ? d3{0, 1, 0} : d3{0, 0, 1};
    tangent = tangent - dot(normal, tangent) * normal;
    tangent = normalized(tangent, norm(tangent));
    int found = 1;
    ROLL for (int k = 0; k < 4; k++) {
      set_shapes(h, g, p, margin);
      if (h.lane < 2) rotate_about(g.shape[h.lane], point, k < 2 ? tangent : cross(normal, tangent), (k & 1) == h.lane ? -1 : 1);
      wsync();
      WitnessPoints next = penetration(ccd_context(h), g);
      if (!(next.dist < 0)) continue;
      d3 between = 0.5 * (mine.a + mine.b) - 0.5 * (next.a + next.b);
      if (any(h.lane < found && norm(between) <= apart)) continue;
      if (h.lane == found) mine.a = next.a, mine.b = next.b;
      found++;
    }
    return h.lane < found;
  }
};
