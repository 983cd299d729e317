// Lengths and arms of strands that move with the frames: quaternion joints, sites, cranks, spatial tendons.
#pragma once
#include "spatial_tendon.h"

DEV float fixed_length(const Here& h, int k) {
  float sum = 0.f;
  for (int e = ld(strand_adr + k); e < ld(strand_adr + k + 1); e++) sum += strand_arm(h.n, e) * h.s.qpos[ld(strand_qpos + e)];
  return sum;
}

// A gear's force and torque, as they are given.
DEV v6 gear(const Here& h, int u) {
  return {{actuator_gear(h.n, u, 3), actuator_gear(h.n, u, 4), actuator_gear(h.n, u, 5)},
          {actuator_gear(h.n, u, 0), actuator_gear(h.n, u, 1), actuator_gear(h.n, u, 2)}};
}

// Ball and free joints: the orientation, and the axis of the torque in the child.
struct Turning { q4 quat; v3 axis; };
DEV Turning turning(const Here& h, int u) {
  int j = ld(strand_object + 2 * u);
  bool free = ld(jnt_type + j) == JNT_FREE;
  const float* q = h.s.qpos + ld(jnt_qposadr + j) + (free ? 3 : 0);
  v6 g = gear(h, u);
  q4 quat = unit(q4{q[0], q[1], q[2], q[3]});
  v3 axis = free ? g.r : g.t;
  return {quat, ld(strand_inparent + u) ? rotate(conjugate(quat), axis) : axis};
}

// A rod of fixed length from the crank to a point that slides along the axis of the slider: length, and its slopes with
// the axis and with the way from the slider to the crank.
struct Crank { float length; v3 by_axis, by_way; };
DEV Crank crank(const Here& h, int u, const Place& at, const Place& slider) {
  v3 axis = axis_z(slider.quat), way = at.pos - slider.pos;
  float rod = actuator_cranklength(h.n, u), along = dot(way, axis), square = along * along + rod * rod - dot(way, way);
  if (square <= 0.f) return {along, way, axis};
  float root = sqrtf(square), part = 1.f - along / root;
  return {along - root, part * way, part * axis + (1.f / root) * way};
}

DEV float path_length(const Here& h, int k) {
  int kind = ld(strand_kind + k), a = ld(strand_object + 2 * k), b = ld(strand_object + 2 * k + 1);
  if (kind == STRAND_FIXED) return fixed_length(h, k);
  if (NSPAN > 0 && kind == STRAND_CABLE) return (k < NU ? actuator_gear(h.n, k, 0) : 1.f) * cable_length(h, a, b);
  if (kind == STRAND_BALL) {
    Turning t = turning(h, k);
    return dot(rotation_vector(t.quat), t.axis);
  }
  if (kind == STRAND_CRANK) return actuator_gear(h.n, k, 0) * crank(h, k, site_place(h, a), site_place(h, b)).length;
  if (kind == STRAND_SITES) {
    Place at = site_place(h, a), from = site_place(h, b);
    v6 g = gear(h, k);
    // the order of these products is MuJoCo's
    q4 own = site_quat(h.n, a) * body_place(h.s, ld(site_bodyid + a)).quat;
    q4 other = site_quat(h.n, b) * body_place(h.s, ld(site_bodyid + b)).quat;
    return dot(rotate(conjugate(from.quat), at.pos - from.pos), g.t) + dot(rotation_vector(conjugate(other) * own), g.r);
  }
  return 0.f;
}

DEV float path_arm(const Here& h, int k, int e) {
  int kind = ld(strand_kind + k), i = ld(strand_dof + e), a = ld(strand_object + 2 * k), b = ld(strand_object + 2 * k + 1);
  if (kind == STRAND_FIXED) return strand_arm(h.n, e);
  if (NSPAN > 0 && kind == STRAND_CABLE) return (k < NU ? actuator_gear(h.n, k, 0) : 1.f) * cable_arm(h, a, b, i);
  if (kind == STRAND_BALL || kind == STRAND_FREE) {
    int c = i - ld(jnt_dofadr + a);
    return kind == STRAND_FREE && c < 3 ? actuator_gear(h.n, k, c) : component(turning(h, k).axis, c % 3);
  }
  Place at = site_place(h, a);
  v3 spin = get6(h.s.cdof, DOFS, i).r;
  if (kind == STRAND_CRANK) {
    Place slider = site_place(h, b);
    Crank c = crank(h, k, at, slider);
    float sum = 0.f;
    if (moves(ld(site_bodyid + a), i)) sum += dot(c.by_way, point_rate(h.s, i, at.pos));
    if (moves(ld(site_bodyid + b), i)) sum += dot(c.by_axis, cross(spin, axis_z(slider.quat))) - dot(c.by_way, point_rate(h.s, i, slider.pos));
    return actuator_gear(h.n, k, 0) * sum;
  }
  // a wrench in the frame of the site, or of the site it is relative to
  Place frame = kind == STRAND_SITES ? site_place(h, b) : at;
  bool own = moves(ld(site_bodyid + a), i);
  v6 g = gear(h, k);
  float sum = dot(point_rate(h.s, i, own ? at.pos : frame.pos), rotate(frame.quat, g.t)) + dot(spin, rotate(frame.quat, g.r));
  return own ? sum : -sum;
}

DEV void strand_paths(const Here& h) {
  const int lane = h.lane;
  if (NSPAN > 0) lay_spans(h);
  EACH(k, NSTRAND) h.s.length[k] = path_length(h, k);
  EACH(e, NARM) h.s.arm[e] = path_arm(h, ld(strand_of + e), e);
  sync();
}
