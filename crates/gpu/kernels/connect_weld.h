// Points and frames of bodies held together by connect and weld equalities. A connect is a weld without orientation.
#pragma once
#include "kinematics.h"

// Layout of a weld's words: both points, the first orientation, the inverse of the second, the residual of the points.
constexpr int WELD_POINTS = 0, WELD_QUAT1 = 6, WELD_QUAT2_INVERSE = 10, WELD_RESIDUAL = 14;

// Rotates a vector by a quaternion of any length, or by an angle about a unit axis.
DEV d3 rotated(q4 by, d3 v) {
  const d3 u = to_double(v3{by.x, by.y, by.z}), across = cross(u, v);
  const real w = by.w;
  return v + 2 / (w * w + dot(u, u)) * (w * across + cross(u, across));
}
DEV d3 rotated(d3 axis, real angle, d3 v) {
  const d3 across = cross(axis, v);
  const real s = sin(0.5 * angle), c = cos(0.5 * angle);
  return v + 2 * s * c * across + 2 * s * s * cross(axis, across);
}
// Position of a body's point in the frame of an ancestor. The residual of a weld is a small difference of large coordinates and is
// held stiffly. The rounding error of single precision would move light bodies of a linkage, so this is in double precision.
DEV d3 point_in_ancestor(const Context& h, int ancestor, int b, d3 p) {
  for (; b != ancestor; b = ld(body_parentid + b)) {
    v3 pos = body_pos(h.n, b);
    q4 quat = body_quat(h.n, b);
    const int moved = NMOCAP > 0 ? ld(body_mocapid + b) : -1, first = ld(body_jntadr + b);
    if (NMOCAP > 0 && moved >= 0) {
      const float* pose = h.mocap + 7 * moved;
      pos = {pose[0], pose[1], pose[2]}, quat = {pose[3], pose[4], pose[5], pose[6]};
    }
    for (int j = first + ld(body_jntnum + b) - 1; j >= first; j--) {   // the last joint is next to the point
      const int type = ld(jnt_type + j), at = ld(jnt_qposadr + j);
      const float* q = h.s.qpos + at;
      if (HAS_FREE && type == JNT_FREE) {
        pos = {q[0], q[1], q[2]}, quat = {q[3], q[4], q[5], q[6]};
        continue;
      }
      const d3 arm = to_double(jnt_pos(h.n, j)), axis = to_double(jnt_axis(h.n, j));
      const real by = (real)q[0] - qpos0(h.n, at);
      if (HAS_SLIDE && type == JNT_SLIDE) p = p + by * axis;
      else if (HAS_BALL && type == JNT_BALL) p = arm + rotated(q4{q[0], q[1], q[2], q[3]}, p - arm);
      else p = arm + rotated(axis, by, p - arm);
    }
    p = to_double(pos) + rotated(quat, p);
  }
  return p;
}

// Points and orientations of both sides of each weld. They are kept because the body frames are overwritten by constraint rows.
DEV void weld_frames(const Context& h) {
  const int lane = h.lane;
  EACH(t, NWELD) {
    const int common = ld(weld_ancestor + t);
    Pose a = body_pose(h.s, ld(weld_body + 2 * t)), b = body_pose(h.s, ld(weld_body + 2 * t + 1));
    float* words = h.s.weld + t * WELD_SIZE;
    v3 p = a.pos + rotate(a.quat, weld_pos1(h.n, t)), q = b.pos + rotate(b.quat, weld_pos2(h.n, t));
    put3(words + WELD_POINTS, 1, 0, p);
    put3(words + WELD_POINTS + 3, 1, 0, q);
    put4(words + WELD_QUAT1, 1, 0, a.quat * weld_quat1(h.n, t));
    put4(words + WELD_QUAT2_INVERSE, 1, 0, conjugate(b.quat * weld_quat2(h.n, t)));
    d3 gap = {0., 0., 0.};
    ROLL for (int k = 0; k < 2; k++) {  // a loop keeps one copy of the code
      const d3 point = to_double(k == 0 ? weld_pos1(h.n, t) : weld_pos2(h.n, t));
      gap = point_in_ancestor(h, common, ld(weld_body + 2 * t + k), point) - gap;
    }
    put3(words + WELD_RESIDUAL, 1, 0, rotate(body_pose(h.s, common).quat, to_float(-gap)));
  }
}

// Constraint violation of a weld: difference of the points, then the vector part of the rotation between the frames, scaled by
// torquescale.
struct WeldResidual { v3 points, turn; };
DEV WeldResidual weld_residual(const Context& h, int t) {
  const float* words = h.s.weld + t * WELD_SIZE;
  q4 turn = get4(words + WELD_QUAT2_INVERSE, 1, 0) * get4(words + WELD_QUAT1, 1, 0);
  float scale = weld_torquescale(h.n, t);
  return {get3(words + WELD_RESIDUAL, 1, 0), {scale * turn.x, scale * turn.y, scale * turn.z}};
}
// Its norm, from which the impedance is computed.
DEV float weld_violation(const Context& h, int t) {
  WeldResidual gap = weld_residual(h, t);
  return sqrtf(dot(gap.points, gap.points) + dot(gap.turn, gap.turn));
}

// One component of a weld's Jacobian for dof i: 0 to 2 translation, 3 to 5 rotation.
DEV float weld_jacobian(const Context& h, int t, int component, int i) {
  const float* words = h.s.weld + t * WELD_SIZE;
  v6 axis = get6(h.s.cdof, DOFS, i);
  v3 com = get3(h.s.com, BODIES, ld(body_rootid + ld(dof_bodyid + i))), move = {0.f, 0.f, 0.f}, spin = move;
  for (int k = 0; k < 2; k++) {
    if (!moves(ld(weld_body + 2 * t + k), i)) continue;
    v3 at = axis.t + cross(axis.r, get3(words + 3 * k, 1, 0) - com);
    move = k == 0 ? move + at : move - at;
    spin = k == 0 ? spin + axis.r : spin - axis.r;
  }
  if (component >= 3) {
    q4 rate = get4(words + WELD_QUAT2_INVERSE, 1, 0) * q4{0.f, spin.x, spin.y, spin.z} * get4(words + WELD_QUAT1, 1, 0);
    move = (0.5f * weld_torquescale(h.n, t)) * v3{rate.x, rate.y, rate.z};
    component -= 3;
  }
  return component == 0 ? move.x : component == 1 ? move.y : move.z;
}
