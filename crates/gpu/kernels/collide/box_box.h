// Two boxes (SAT). Of the fifteen candidate axes the one of least overlap decides, one lane per axis. Then the reference face of
// one box is clipped against the incident face of the other, one lane per candidate point.
#pragma once
#include "convex.h"

DEV d3 absolute(d3 v) { return {absolute(v.x), absolute(v.y), absolute(v.z)}; }
DEV d3 signs(d3 v) { return {v.x > 0 ? 1. : -1., v.y > 0 ? 1. : -1., v.z > 0 ? 1. : -1.}; }
// Cross product of a coordinate axis with v.
DEV d3 axis_cross(int axis, d3 v) { return axis == 0 ? d3{0, -v.z, v.y} : axis == 1 ? d3{v.z, 0, -v.x} : d3{-v.y, v.x, 0}; }
DEV bool within(real x, real low, real high) { return x >= low && x <= high; }

// The axes of a box permuted so that a given face is on top: +x, +y, +z, -x, -y, -z.
struct TopFrame { d3 x, y, z, size; };
DEV TopFrame to_top(const ConvexShape& s, int face) {
  int k = face % 3;
  real up = face < 3 ? 1 : -1;
  d3 e = s.extent, z = up * s.axis[k];
  if (k == 0) return {-up * s.axis[2], s.axis[1], z, {e.z, e.y, e.x}};
  if (k == 1) return {s.axis[0], -up * s.axis[2], z, {e.x, e.z, e.y}};
  return {up * s.axis[0], s.axis[1], z, e};
}
DEV d3 into_top(const TopFrame& t, d3 v) { return {dot(t.x, v), dot(t.y, v), dot(t.z, v)}; }
DEV d3 from_top(const TopFrame& t, d3 v) { return v.x * t.x + v.y * t.y + v.z * t.z; }

// An edge of a box: its axis, its position along the other axes, and the adjacent face that is more parallel to the other box's
// edge.
struct Edge { int axis, face; d3 side; };
DEV Edge edge_at(int axis, d3 side, d3 other) {
  int face = axis == 2 ? 0 : 2;
  UNROLL for (int k = 0; k < 2; k++)
    if (k != axis && k != face && absolute(component(other, k)) < absolute(component(other, face))) face = k;
  return {axis, face, side};
}

// Overlap of the boxes along an axis: face normals of both in turn, then cross products of edges.
struct SeparatingAxis {
  real overlap, offset;
  d3 normal;   // in the axes of the first box
  bool parts;  // whether the axis exists
};
DEV SeparatingAxis separating_axis(const ConvexShape& a, const ConvexShape& b, d3 between, int lane) {
  if (lane < 6) {
    const ConvexShape &own = lane & 1 ? b : a, &other = lane & 1 ? a : b;
    int k = lane / 2;
    real offset = dot(own.axis[k], lane & 1 ? -between : between);
    real reach = dot(absolute(in_axes(other, own.axis[k])), other.extent);
    return {reach - (absolute(offset) - component(own.extent, k)), offset, {0, 0, 0}, true};
  }
  int axis1 = (lane - 6) / 3, axis2 = (lane - 6) % 3;
  d3 edge2 = in_axes(a, b.axis[axis2]), edge1 = in_axes(b, a.axis[axis1]), n = axis_cross(axis1, edge2);
  real sine = norm(n);
  if (!(sine >= MINVAL)) return {0, 0, n, false};
  n = (1 / sine) * n;
  real offset = dot(in_axes(a, between), n);
  real reach = dot(a.extent, absolute(n)) + dot(b.extent, absolute(axis_cross(axis2, edge1))) / sine;
  return {reach - absolute(offset), offset, n, true};
}
// Index of the axis of least overlap, or -1 if one separates the boxes. An edge pair must beat the faces by more than rounding.
DEV int least_overlap(const SeparatingAxis& way, float margin) {
  unsigned there = ballot(way.parts);
  real least = 1e30;
  int best = -1;
  for (int k = 0; k < 15; k++) {
    real overlap = shfl(way.overlap, k);
    if (!(there >> k & 1)) continue;
    if (overlap < -(real)margin) return -1;
    if (overlap < (k < 6 ? least : least * (1 - 1e-12))) least = overlap, best = k;
  }
  return best;
}

// Sides of the parallelogram corner, corner + first, corner + second, one per lane; and their crossings with the sides of a
// rectangle.
struct Line { d3 start, along; };
DEV Line line_of(d3 corner, d3 first, d3 second, int k) {
  d3 start = k == 2 ? corner + first : k == 3 ? corner + second : corner;
  return {start, k == 0 || k == 3 ? first : second};
}
DEV bool crosses(const Line& l, d3 size_of, int k, real& t, d3& at) {
  int axis = k / 2;
  real run = component(l.along, axis), wall = k & 1 ? component(size_of, axis) : -component(size_of, axis);
  if (absolute(run) <= MINVAL) return false;
  t = (wall - component(l.start, axis)) / run;
  real other = component(l.start, 1 - axis) + component(l.along, 1 - axis) * t;
  at = axis == 0 ? d3{wall, other, 0} : d3{other, wall, 0};
  return within(t, 0, 1) && absolute(other) <= component(size_of, 1 - axis);
}
DEV d3 corner_of(d3 size_of, int k) { return {k & 2 ? size_of.x : -size_of.x, k & 1 ? size_of.y : -size_of.y, 0}; }

// The lane's candidate point for a face contact: crossings of incident edges with the reference face's sides, corners of the
// reference face, corners of the incident face.
DEV bool face_point(const TopFrame& top, const ConvexShape& b, d3 between, int lane, float margin, d3& pos, real& dist) {
  d3 corner = into_top(top, between), edge[2] = {{0, 0, 0}, {0, 0, 0}};
  corner.z -= top.size.z;
  int count = 0;
  UNROLL for (int k = 0; k < 3; k++) {
    d3 axis = component(b.extent, k) * into_top(top, b.axis[k]);
    real up = dot(top.z, b.axis[k]), side = up < 0 ? 1 : -1;
    corner = corner + side * axis;
    if (absolute(up) < 0.5 && count < 2) {
      if (count == 0) edge[0] = -2 * side * axis;
      else edge[1] = -2 * side * axis;
      count++;
    }
  }
  d3 p = corner, at;
  real t;
  bool there = false;
  if (lane < 16) {
    Line l = line_of(corner, edge[0], edge[1], lane / 4);
    there = count >= (lane < 4 ? 1 : 2) && crosses(l, top.size, lane % 4, t, at);
    p = l.start + t * l.along;
  } else if (lane < 20) {
    at = corner_of(top.size, lane - 16);
    real inverse = 1 / (edge[0].x * edge[1].y - edge[1].x * edge[0].y), dx = at.x - corner.x, dy = at.y - corner.y;
    real u = (dx * edge[1].y - dy * edge[1].x) * inverse, v = (dy * edge[0].x - dx * edge[0].y) * inverse;
    there = count == 2 && u > 0 && v > 0 && u < 1 && v < 1;
    p = {at.x, at.y, corner.z + u * edge[0].z + v * edge[1].z};
  } else if (lane < 24) {
    if (lane & 1) p = p + edge[0];
    if (lane & 2) p = p + edge[1];
    bool inside = p.x > -top.size.x && p.x < top.size.x && p.y > -top.size.y && p.y < top.size.y;
    there = lane == 20 || (inside && count >= (lane == 21 ? 1 : 2));
  }
  dist = p.z;
  pos = from_top(top, {p.x, p.y, 0.5 * p.z + top.size.z});
  return there && p.z <= margin;
}

// The lane's candidate point for an edge contact, projected along the common normal: crossings of outlines, corners of the first
// face, corners of the second. Without crossings corners only have to be inside in one direction.
DEV bool edge_point(const TopFrame& top, const d3 (&corner)[4], d3 normal, int lane, float margin, d3& pos, real& dist) {
  real slant = 1 / normal.z, limit = (real)margin * margin;
  d3 shadow[4], above = {0, 0, 0}, below = above, at;
  UNROLL for (int k = 0; k < 4; k++) shadow[k] = corner[k] - (corner[k].z * slant) * normal;
  real t;
  bool found = false;
  if (lane < 16) {
    Line l = line_of(shadow[0], shadow[1] - shadow[0], shadow[2] - shadow[0], lane / 4);
    Line real_line = line_of(corner[0], corner[1] - corner[0], corner[2] - corner[0], lane / 4);
    if (crosses(l, top.size, lane % 4, t, below)) {
      above = real_line.start + t * real_line.along;
      dist = above.z * slant;
      found = dist <= margin;
    }
  }
  const bool crossed = any(found);
  d3 one = shadow[1] - shadow[0], two = shadow[2] - shadow[0];
  real divisor = one.x * two.y - two.x * one.y;
  for (int k = 0; k < 4; k++) {
    at = corner_of(top.size, k);
    real dx = at.x - shadow[0].x, dy = at.y - shadow[0].y;
    real u = (dx * two.y - dy * two.x) / divisor, v = (dy * one.x - dx * one.y) / divisor;
    bool in_u = within(u, 0, 1), in_v = within(v, 0, 1);
    if (u != u || v != v || !(crossed ? in_u && in_v : in_u || in_v)) continue;
    u = u < 0 ? 0 : u > 1 ? 1 : u;
    v = v < 0 ? 0 : v > 1 ? 1 : v;
    d3 over = (1 - u - v) * corner[0] + u * corner[1] + v * corner[2], gap = at - over;
    // MuJoCo divides by this for the corners that follow
    divisor = dot(gap, gap);
    if (lane == 16 + k && (over.z <= 0 || divisor <= limit)) {
      found = true;
      above = over, below = at;
      dist = (over.z < 0 ? -1 : 1) * root(divisor);
    }
  }
  const bool some_found = any(found);
  if (lane >= 20 && lane < 24) {
    d3 s = shadow[0];
    above = corner[0];
    UNROLL for (int k = 1; k < 4; k++)
      if (lane == 20 + k) s = shadow[k], above = corner[k];
    bool in_x = absolute(s.x) <= top.size.x, in_y = absolute(s.y) <= top.size.y;
    below = {s.x < -top.size.x ? -top.size.x : s.x > top.size.x ? top.size.x : s.x, s.y < -top.size.y ? -top.size.y : s.y > top.size.y ? top.size.y : s.y, 0};
    d3 gap = {s.x - below.x, s.y - below.y, above.z * slant};
    real square = dot(gap, gap);
    found = (!some_found || (crossed ? in_x && in_y : in_x || in_y)) && (above.z <= 0 || square <= limit);
    dist = (above.z < 0 ? -1 : 1) * root(square);
  }
  d3 middle = 0.5 * (above + below);
  middle.z += top.size.z;
  pos = from_top(top, middle);
  return found;
}

// 1 outside, -1 inside, 0 on the surface of a box inflated by a margin.
DEV int side_of(const ConvexShape& s, d3 point, real margin) {
  d3 p = absolute(in_axes(s, point - s.pos)), e = s.extent + d3{margin, margin, margin};
  constexpr real SKIN = 1.01;
  if (p.x > e.x * SKIN || p.y > e.y * SKIN || p.z > e.z * SKIN) return 1;
  return p.x < e.x / SKIN && p.y < e.y / SKIN && p.z < e.z / SKIN ? -1 : 0;
}
// Whether a lane's point is near both boxes and no later point equals it.
DEV bool is_kept(Ccd& g, int lane, bool found, d3 pos, float margin) {
  if (found) {
    int a = side_of(g.shape[0], pos, margin), b = side_of(g.shape[1], pos, margin);
    found = !((a == 1 && b != -1) || (b == 1 && a != -1));
  }
  unsigned who = ballot(found);
  if (lane < 24) g.vertex[lane] = pos;
  wsync();
  for (int k = lane + 1; k < 24; k++)
    if ((who >> k & 1) && pos.x == g.vertex[k].x && pos.y == g.vertex[k].y && pos.z == g.vertex[k].z) found = false;
  return found;
}

struct BoxBox {
  static constexpr bool CONVEX = true;
  static DEV int find(const Context& h, int p, int count) {
    Ccd& g = ccd(h.s);
    float margin = pair_margin(h.n, p);
    v3 about = set_shapes(h, g, p, 0.f);
    Contact con;
    bool found = search(g, h.lane, margin, about, con);
    return keep_contact(h, p, found, con, count);
  }
  CALL bool search(Ccd& g, int lane, float margin, v3 about, Contact& con) {
    const ConvexShape &a = g.shape[0], &b = g.shape[1];
    d3 between = b.pos - a.pos, pos = {0, 0, 0}, normal;
    SeparatingAxis way = {0, 0, {0, 0, 0}, false};
    if (lane < 15) way = separating_axis(a, b, between, lane);
    int best = least_overlap(way, margin);
    if (best < 0) return false;
    real offset = shfl(way.offset, best), dist = 0;
    bool found;
    if (best < 6) {
      const ConvexShape &own = best & 1 ? b : a, &other = best & 1 ? a : b;
      TopFrame top = to_top(own, best / 2 + (offset < 0 ? 3 : 0));
      found = face_point(top, other, best & 1 ? -between : between, lane, margin, pos, dist);
      pos = pos + own.pos;
      normal = best & 1 ? -top.z : top.z;
    } else {
      real turn = offset < 0 ? -1 : 1;
      d3 across = {shfl(way.normal.x, best), shfl(way.normal.y, best), shfl(way.normal.z, best)};
      int axis1 = (best - 6) / 3, axis2 = (best - 6) % 3;
      d3 edge1 = in_axes(b, a.axis[axis1]), edge2 = in_axes(a, b.axis[axis2]);
      Edge first = edge_at(axis1, turn * with_component(signs(across), axis1, 0), edge2);
      Edge second = edge_at(axis2, turn * axis_cross(axis2, signs(edge1)), edge1);
      TopFrame top = to_top(a, first.face + (component(first.side, first.face) > 0 ? 0 : 3));
      normal = turn * (across.x * a.axis[0] + across.y * a.axis[1] + across.z * a.axis[2]);
      int inward = 3 - second.axis - second.face;
      d3 arm_in = (component(second.side, inward) * component(b.extent, inward)) * b.axis[inward], arm = component(b.extent, axis2) * b.axis[axis2];
      d3 middle = between + (component(second.side, second.face) * component(b.extent, second.face)) * b.axis[second.face], corner[4];
      UNROLL for (int k = 0; k < 4; k++) {
        corner[k] = into_top(top, middle + (k & 2 ? -arm_in : arm_in) + (k & 1 ? -arm : arm));
        corner[k].z -= top.size.z;
      }
      d3 n = into_top(top, normal);
      if (absolute(n.z) < MINVAL) return false;
      found = edge_point(top, corner, n, lane, margin, pos, dist);
      pos = pos + a.pos;
    }
    found = is_kept(g, lane, found, pos, margin);
    con = {about + to_float(pos), to_float(normal), ANY_TANGENT, (float)dist};
    return found;
  }
};
