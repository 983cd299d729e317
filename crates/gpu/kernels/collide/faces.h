// Faces and edges of boxes and meshes at the vertices where EPA ended, for multiple contacts.
#pragma once
#include "clip.h"

// Cosine above which normals are equal, and below which an edge is parallel to a face.
constexpr real SAME_FACE = 0.99999872, IN_FACE = 0.00159999931;

// The distinct vertices of a shape on the final EPA face.
struct Corners {
  int id[3], count;
  d3 at[2];
};
DEV Corners corners_on(const Ccd& g, int side) {
  int id[3];
  d3 at[3];
  UNROLL for (int k = 0; k < 3; k++) {
    const int c = g.horizon[k];
    id[k] = side ? g.source[c].corners & 0xffff : g.source[c].corners >> 16;
    at[k] = side ? g.source[c].p - g.vertex[c] : g.source[c].p;
  }
  if (id[0] != id[1]) return {{id[0], id[1], id[2]}, id[2] == id[0] || id[2] == id[1] ? 2 : 3, {at[0], at[1]}};
  return {{id[0], id[2], id[2]}, id[0] != id[2] ? 2 : 1, {at[0], at[2]}};
}

// Sides of a box that contain all given corners: 2 k along its axis k, 2 k + 1 against it. If their number is wrong, the side that
// faces a direction.
DEV int box_faces(const ConvexShape& s, const Corners& on, d3 dir, int lane, int* list) {
  int all = on.id[0], some = on.id[0];
  UNROLL for (int k = 1; k < 3; k++)
    if (k < on.count) all &= on.id[k], some |= on.id[k];
  int shared = all | (~some & 7), found = 0;
  if (on.count > 1 && popc(shared) != 4 - on.count) {
    d3 d = normalized(dir, norm(dir));
    shared = all = 0;
    UNROLL for (int k = 0; k < 3; k++) {
      const real up = dot(s.axis[k], d);
      if (absolute(up) > SAME_FACE) shared = 1 << k, all = up > 0 ? 7 : 0;
    }
  }
  UNROLL for (int k = 0; k < 3; k++) {
    if (!(shared >> k & 1)) continue;
    if (lane == 0) list[found] = 2 * k + !(all >> k & 1);
    found++;
  }
  return found;
}
// Faces of a mesh around a vertex, and whether a face is among them.
struct Ring { int first, count; };
DEV Ring ring(CcdContext h, const ConvexShape& s, int corner) {
  const int first = mesh_polymapadr(h.n, s.first + corner), count = mesh_polymapadr(h.n, s.first + corner + 1) - first;
  return {first, count < VERTEX_FACES ? count : VERTEX_FACES};
}
DEV bool has_face(CcdContext h, const ConvexShape& s, int corner, int face) {
  Ring r = ring(h, s, corner);
  for (int k = 0; k < r.count; k++)
    if (mesh_polymap(h.n, r.first + k) == face) return true;
  return false;
}
// Lists the faces of a shape that contain all given vertices. Returns their number.
DEV int find_faces(CcdContext h, Ccd& g, int side, const Corners& on, d3 dir) {
  const ConvexShape& s = g.shape[side];
  int *list = clip_memory(g).face[side], found = 0;
  if (s.kind == BOX) return box_faces(s, on, dir, h.lane, list);
  Ring r = ring(h, s, on.id[0]);
  for (int base = 0; base < r.count; base += 32) {
    bool has = base + h.lane < r.count;
    const int face = has ? mesh_polymap(h.n, r.first + base + h.lane) : 0;
    UNROLL for (int k = 1; k < 3; k++)
      if (k < on.count) has = has && has_face(h, s, on.id[k], face);
    const int at = wcompact(has, h.lane, found);
    if (has) list[at] = face;
  }
  return found;
}
DEV d3 face_normal(CcdContext h, const ConvexShape& s, int face) {
  if (s.kind == BOX) return (face & 1 ? -1. : 1.) * s.axis[face / 2];
  return from_axes(s, to_double(mesh_polynormal(h.n, face)));
}

DEV d3 box_corner(const ConvexShape& s, int bits) {
  return from_local(s, {bits & 1 ? s.extent.x : -s.extent.x, bits & 2 ? s.extent.y : -s.extent.y, bits & 4 ? s.extent.z : -s.extent.z});
}
// Vertices of a face, clockwise as seen from outside. Those of boxes are octal digits, the lowest digit first.
TABLE short box_side[] = {05137, 00462, 06732, 00154, 04576, 01023};
DEV int face_sides(CcdContext h, const ConvexShape& s, int face) {
  if (s.kind == BOX) return 4;
  const int count = mesh_polyvertadr(h.n, face + 1) - mesh_polyvertadr(h.n, face);
  return count < FACE_SIDES ? count : FACE_SIDES;
}
DEV d3 face_corner(CcdContext h, const ConvexShape& s, int face, int k) {
  if (s.kind == BOX) return box_corner(s, ld(box_side + face) >> 3 * k & 7);
  const int last = mesh_polyvertadr(h.n, face) + face_sides(h, s, face) - 1;
  return from_local(s, to_double(mesh_hullvert(h.n, mesh_polyvert(h.n, last - k))));
}

// Edges between two vertices, or around one: their number, and their ends. They begin at the first vertex.
DEV int edge_count(CcdContext h, const ConvexShape& s, const Corners& on) { return on.count == 2 ? 1 : s.kind == BOX ? 3 : ring(h, s, on.id[0]).count; }
DEV d3 edge_end(CcdContext h, const ConvexShape& s, const Corners& on, int k) {
  if (on.count == 2) return on.at[1];
  if (s.kind == BOX) return box_corner(s, on.id[0] ^ 1 << k);
  // the vertex before it on a face
  const int face = mesh_polymap(h.n, ring(h, s, on.id[0]).first + k);
  const int first = mesh_polyvertadr(h.n, face), end = mesh_polyvertadr(h.n, face + 1);
  int before = mesh_polyvert(h.n, end - 1);
  for (int e = first; e < end && mesh_polyvert(h.n, e) != s.first + on.id[0]; e++) before = mesh_polyvert(h.n, e);
  return from_local(s, to_double(mesh_hullvert(h.n, before)));
}
