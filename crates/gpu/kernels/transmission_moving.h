// Lengths and moments of transmissions that depend on frames: ball and free joints, sites, slider-cranks, spatial tendons.
#pragma once
#include "spatial_tendon.h"

DEV float fixed_length(const Context& h, int k) {
  float sum = 0.f;
  for (int e = ld(trn_momentadr + k); e < ld(trn_momentadr + k + 1); e++) sum += moment_coef(h.n, e) * h.s.qpos[ld(moment_qpos + e)];
  return sum;
}

// Force and torque of an actuator's gear.
DEV v6 gear(const Context& h, int u) {
  return {{actuator_gear(h.n, u, 3), actuator_gear(h.n, u, 4), actuator_gear(h.n, u, 5)},
          {actuator_gear(h.n, u, 0), actuator_gear(h.n, u, 1), actuator_gear(h.n, u, 2)}};
}

// Ball and free joints: the orientation, and the torque axis in the child frame.
struct JointRotation { q4 quat; v3 axis; };
DEV JointRotation joint_rotation(const Context& h, int u) {
  int j = ld(trn_object + 2 * u);
  bool free = ld(jnt_type + j) == JNT_FREE;
  const float* q = h.s.qpos + ld(jnt_qposadr + j) + (free ? 3 : 0);
  v6 g = gear(h, u);
  q4 quat = unit(q4{q[0], q[1], q[2], q[3]});
  v3 axis = free ? g.r : g.t;
  return {quat, ld(trn_inparent + u) ? rotate(conjugate(quat), axis) : axis};
}

// A rod of fixed length from the crank to a point on the slider's axis: length, and its derivatives with respect to the axis and to
// the vector from slider to crank.
struct SliderCrank { float length; v3 by_axis, by_way; };
DEV SliderCrank slider_crank(const Context& h, int u, const Pose& at, const Pose& slider) {
  v3 axis = axis_z(slider.quat), way = at.pos - slider.pos;
  float rod = actuator_cranklength(h.n, u), along = dot(way, axis), square = along * along + rod * rod - dot(way, way);
  if (square <= 0.f) return {along, way, axis};
  float root = sqrtf(square), part = 1.f - along / root;
  return {along - root, part * way, part * axis + (1.f / root) * way};
}

DEV float moving_length(const Context& h, int k) {
  int kind = ld(trn_type + k), a = ld(trn_object + 2 * k), b = ld(trn_object + 2 * k + 1);
  if (kind == TRN_FIXED) return fixed_length(h, k);
  if (NSEGMENT > 0 && kind == TRN_SPATIAL_TENDON) return (k < NU ? actuator_gear(h.n, k, 0) : 1.f) * spatial_tendon_length(h, a, b);
  if (kind == TRN_BALL) {
    JointRotation t = joint_rotation(h, k);
    return dot(rotation_vector(t.quat), t.axis);
  }
  if (kind == TRN_SLIDERCRANK) return actuator_gear(h.n, k, 0) * slider_crank(h, k, site_pose(h, a), site_pose(h, b)).length;
  if (kind == TRN_SITE_REF) {
    Pose at = site_pose(h, a), from = site_pose(h, b);
    v6 g = gear(h, k);
    // the order of these products is MuJoCo's
    q4 quat = site_quat(h.n, a) * body_pose(h.s, ld(site_bodyid + a)).quat;
    q4 ref_quat = site_quat(h.n, b) * body_pose(h.s, ld(site_bodyid + b)).quat;
    return dot(rotate(conjugate(from.quat), at.pos - from.pos), g.t) + dot(rotation_vector(conjugate(ref_quat) * quat), g.r);
  }
  return 0.f;
}

DEV float moving_moment(const Context& h, int k, int e) {
  int kind = ld(trn_type + k), i = ld(moment_dof + e), a = ld(trn_object + 2 * k), b = ld(trn_object + 2 * k + 1);
  if (kind == TRN_FIXED) return moment_coef(h.n, e);
  if (NSEGMENT > 0 && kind == TRN_SPATIAL_TENDON) return (k < NU ? actuator_gear(h.n, k, 0) : 1.f) * spatial_tendon_moment(h, a, b, i);
  if (kind == TRN_BALL || kind == TRN_FREE) {
    int c = i - ld(jnt_dofadr + a);
    return kind == TRN_FREE && c < 3 ? actuator_gear(h.n, k, c) : component(joint_rotation(h, k).axis, c % 3);
  }
  Pose at = site_pose(h, a);
  v3 spin = get6(h.s.cdof, DOFS, i).r;
  if (kind == TRN_SLIDERCRANK) {
    Pose slider = site_pose(h, b);
    SliderCrank c = slider_crank(h, k, at, slider);
    float sum = 0.f;
    if (moves(ld(site_bodyid + a), i)) sum += dot(c.by_way, point_jacobian(h.s, i, at.pos));
    if (moves(ld(site_bodyid + b), i)) sum += dot(c.by_axis, cross(spin, axis_z(slider.quat))) - dot(c.by_way, point_jacobian(h.s, i, slider.pos));
    return actuator_gear(h.n, k, 0) * sum;
  }
  // a wrench in the frame of the site, or of the reference site
  Pose frame = kind == TRN_SITE_REF ? site_pose(h, b) : at;
  bool moves_site = moves(ld(site_bodyid + a), i);
  v6 g = gear(h, k);
  float sum = dot(point_jacobian(h.s, i, moves_site ? at.pos : frame.pos), rotate(frame.quat, g.t)) + dot(spin, rotate(frame.quat, g.r));
  return moves_site ? sum : -sum;
}

DEV void moving_transmissions(const Context& h) {
  const int lane = h.lane;
  if (NSEGMENT > 0) tendon_segments(h);
  EACH(k, NTRN) h.s.length[k] = moving_length(h, k);
  EACH(e, NMOMENT) h.s.moment[e] = moving_moment(h, ld(moment_trn + e), e);
  sync();
}
