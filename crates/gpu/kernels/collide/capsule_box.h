// A capsule with a box. The point of the capsule's axis nearest to the box gives a sphere and the first contact. If the axis
// continues along a face or an edge, its last point above the box gives the second. Each lane tests an end of the axis or an edge
// of the box.
#pragma once
#include "box_box.h"
#include "sphere_capsule.h"

// The capsule's axis in the frame of the box. NearBox is a point on it, in half-lengths from the middle, and the nearest box
// feature.
struct Segment { d3 pos, half; real length; d3 box; };
enum Feature { INSIDE, FACE, EDGE, CORNER, NO_FEATURE };
struct NearBox { real square, at, along; int feature, corner, axis; };

// An end of the axis, unless it is beyond more than one face.
DEV NearBox end_beyond_face(const Segment& s, real end) {
  d3 p = s.pos + end * s.half, gap = {0, 0, 0};
  int beyond = 0, axis = 0;
  UNROLL for (int k = 0; k < 3; k++) {
    real over = absolute(component(p, k)) - component(s.box, k);
    if (over > 0) gap = with_component(gap, k, over), beyond++, axis = k;
  }
  return {dot(gap, gap), end, 0, beyond == 0 ? INSIDE : beyond == 1 ? FACE : NO_FEATURE, 0, axis};
}
// The box edge along an axis, from the corner with the negative coordinate.
DEV NearBox nearest_on_box_edge(const Segment& s, int axis, int corner) {
  real extent = component(s.box, axis), aa = extent * extent, ab = -extent * component(s.half, axis), bb = s.length * s.length, det = aa * bb - ab * ab;
  if (absolute(det) < MINVAL) return {1e30, 0, 0, NO_FEATURE, 0, axis};
  d3 middle = {corner & 1 ? s.box.x : -s.box.x, corner & 2 ? s.box.y : -s.box.y, corner & 4 ? s.box.z : -s.box.z};
  d3 between = with_component(middle, axis, 0) - s.pos;
  real u = extent * component(s.pos, axis), v = dot(s.half, between), x1 = (bb * u - ab * v) / det, x2 = (aa * v - ab * u) / det, end = 0;
  if (absolute(x1) > 1) {
    x1 = end = x1 > 0 ? 1 : -1;
    x2 = (v - x1 * ab) / bb;
  }
  if (absolute(x2) > 1) {
    x2 = x2 > 0 ? 1 : -1;
    x1 = (u - x2 * ab) / aa;
    if (absolute(x1) > 1) x1 = end = x1 > 0 ? 1 : -1;
  }
  d3 gap = between - x2 * s.half;
  gap = with_component(gap, axis, component(gap, axis) + extent * x1);
  if (end > 0) corner |= 1 << axis;
  return {dot(gap, gap), x2, x1, end == 0 ? EDGE : CORNER, corner, axis};
}

DEV real lesser(real candidate, real bound) { return candidate < bound ? candidate : bound; }
// Distance along the segment that crosses so many half-sizes of the box along an axis.
DEV real crossing_distance(const Segment& s, int axis, real reach) { return reach * component(s.box, axis) / absolute(component(s.half, axis)); }
// Bit mask of the axes along which the segment runs against the direction to a corner.
DEV int against(const Segment& s, int corner) { return ((s.half.x > 0) | (s.half.y > 0) << 1 | (s.half.z > 0) << 2) ^ corner; }

// Step from the nearest point to the second one; false if the segment points away.
DEV bool second_step(const Segment& s, const NearBox& n, real& step) {
  if (n.feature == FACE) {
    real way = -n.at;
    d3 start = s.pos - way * s.half;
    step = 2;
    UNROLL for (int k = 0; k < 3; k++)
      if (k != n.axis)
        for (int side = -1; side <= 1; side += 2) {
          real leave = (side * component(s.box, k) - component(start, k)) / component(s.half, k) * way;
          if (leave > 0) step = lesser(leave, step);
        }
    step *= way;
    return true;
  }
  int bits = against(s, n.corner);
  if (n.feature == EDGE) {
    bits &= ~(1 << n.axis);
    if (popc(bits) != 1) return false;
    int first = (n.axis + 1) % 3, second = (n.axis + 2) % 3, over = absolute(component(s.half, first)) > absolute(component(s.half, second)) ? first : second;
    bool forward = bits >> over & 1;
    real way = forward ? 1 : -1, left = (component(s.half, n.axis) > 0) == forward ? 1 - n.along : 1 + n.along;
    step = lesser(crossing_distance(s, n.axis, left), lesser(crossing_distance(s, over, 2), 1 - way * n.at)) * way;
    return true;
  }
  if (n.feature != CORNER || bits == 0 || bits == 7) return false;
  bool one = popc(bits) == 1;
  int axis = lowest_bit(one ? bits : 7 - bits);
  real way = one ? 1 : -1, run = component(s.half, axis);
  if (run * run > 0.5 * s.length * s.length) step = lesser(crossing_distance(s, axis, 2), 1 - way * n.at) * way;
  else step = lesser(crossing_distance(s, (axis + 2) % 3, 2), lesser(crossing_distance(s, (axis + 1) % 3, 2), 1 + way * n.at)) * -way;
  return true;
}

struct CapsuleBox {
  static constexpr bool CONVEX = true;
  static DEV int find(const Context& h, int p, int count) {
    Ccd& g = ccd(h.s);
    set_shapes(h, g, p, 0.f);
    real at;
    bool found = search(g, h.lane, pair_margin(h.n, p), at);
    Contact con;
    if (found) found = ball(h, ld(pair_geom1 + p), ld(pair_geom2 + p), at, pair_margin(h.n, p), con);
    return keep_contact(h, p, found, con, count);
  }
  // Contact of a sphere at a point of the axis.
  static DEV bool ball(const Context& h, int g1, int g2, real at, float margin, Contact& con) {
    Shape a = shape(h, g1), b = shape(h, g2);
    bool found;
    a.pos = a.pos + (float)at * a.size.y * axis_z(a.quat);
    SphereBox::find(a, b, margin, &con, &found);
    return found;
  }
  // Positions on the axis of the spheres of lanes 0 and 1.
  CALL bool search(const Ccd& g, int lane, float margin, real& at) {
    const ConvexShape &a = g.shape[0], &b = g.shape[1];
    d3 half = a.extent.y * in_axes(b, a.axis[2]);
    Segment s = {in_axes(b, a.pos - b.pos), half, a.extent.y, b.extent};
    NearBox n = {1e30, 0, 0, NO_FEATURE, 0, 0};
    if (lane < 2) n = end_beyond_face(s, lane ? 1 : -1);
    else if (lane < 14) {
      int axis = (lane - 2) / 4, k = (lane - 2) % 4, low = (1 << axis) - 1;
      n = nearest_on_box_edge(s, axis, (k & low) | (k & ~low) << 1);
    }
    // an edge must be nearer by more than rounding: a parallel segment ties with its own ends
    real bound = margin + 2 * (a.extent.x + a.extent.y + b.extent.x + b.extent.y + b.extent.z);
    real most = n.feature == NO_FEATURE || !(n.square < bound) ? -1e30 : -n.square - (lane < 2 ? 0 : 1e-15);
    int which = lane;
    warp_argmax(most, which);
    if (most <= -1e30) return false;
    n = {0, shfl(n.at, which), shfl(n.along, which), shfl(n.feature, which), shfl(n.corner, which), shfl(n.axis, which)};
    real step = 0;
    bool second = second_step(s, n, step);
    at = lane == 0 ? n.at : n.at + step;
    return lane == 0 || (lane == 1 && second);
  }
};
