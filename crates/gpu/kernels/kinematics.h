// From positions to frames of bodies and geoms.
//
// Each lane computes its body's pose relative to the parent by applying the joints in order. Then all poses are composed with those
// of their 1st, 2nd, 4th … ancestors, in a logarithmic number of rounds.
#pragma once
#include "world.h"

struct Pose { v3 pos; q4 quat; };

// Applies a joint to a pose relative to the parent. Keeps the joint's anchor and axis, also relative to the parent.
DEV void apply_joint(const Context& h, int j, Pose& p) {
  const float* q = h.s.qpos + ld(jnt_qposadr + j);
  int type = ld(jnt_type + j);
  if (HAS_FREE && type == JNT_FREE) {
    p = {{q[0], q[1], q[2]}, unit(q4{q[3], q[4], q[5], q[6]})};
    return;
  }
  v3 arm = jnt_pos(h.n, j), axis = jnt_axis(h.n, j), anchor = p.pos + rotate(p.quat, arm), direction = rotate(p.quat, axis);
  if (HAS_SLIDE && type == JNT_SLIDE) p.pos = p.pos + (q[0] - qpos0(h.n, ld(jnt_qposadr + j))) * direction;
  else {
    q4 by;
    if (HAS_BALL && type == JNT_BALL) by = unit(q4{q[0], q[1], q[2], q[3]});
    else by = axis_angle(axis, q[0] - qpos0(h.n, ld(jnt_qposadr + j)));
    p.quat = p.quat * by;
    p.pos = anchor - rotate(p.quat, arm);
  }
  put3(h.s.joint, JOINTS, j, anchor);
  put3(h.s.joint + 3 * JOINTS, JOINTS, j, direction);
}

DEV void body_frames(const Context& h) {
  World& s = h.s;
  const int lane = h.lane;
  EACH(b, NBODY) {
    Pose p = {body_pos(h.n, b), body_quat(h.n, b)};
    int moved = NMOCAP > 0 ? ld(body_mocapid + b) : -1;
    if (NMOCAP > 0 && moved >= 0) {
      const float* pose = h.mocap + 7 * moved;
      p = {{pose[0], pose[1], pose[2]}, unit(q4{pose[3], pose[4], pose[5], pose[6]})};
    }
    for (int j = ld(body_jntadr + b), k = ld(body_jntnum + b); k > 0; j++, k--) apply_joint(h, j, p);
    put3(s.xpos[0], BODIES, b, p.pos);
    put4(s.xquat[0], BODIES, b, p.quat);
  }
  sync();
  UNROLL for (int round = 0; round < ROUNDS; round++) {
    const float *pos = s.xpos[round & 1], *quat = s.xquat[round & 1];
    EACH(b, NBODY) {
      Pose p = {get3(pos, BODIES, b), get4(quat, BODIES, b)};
      int a = ld(body_ancestor + round * NBODY + b);
      if (a > 0) {
        q4 qa = get4(quat, BODIES, a);
        p = {get3(pos, BODIES, a) + rotate(qa, p.pos), qa * p.quat};
      }
      if (round == ROUNDS - 1) p.quat = unit(p.quat);
      put3(s.xpos[~round & 1], BODIES, b, p.pos);
      put4(s.xquat[~round & 1], BODIES, b, p.quat);
    }
    sync();
  }
}
// The buffer with the result of body_frames.
DEV const float* xpos(const World& s) { return s.xpos[ROUNDS & 1]; }
DEV const float* xquat(const World& s) { return s.xquat[ROUNDS & 1]; }
DEV Pose body_pose(const World& s, int b) { return {get3(xpos(s), BODIES, b), get4(xquat(s), BODIES, b)}; }

DEV Pose site_pose(const Context& h, int site) {
  Pose b = body_pose(h.s, ld(site_bodyid + site));
  return {b.pos + rotate(b.quat, site_pos(h.n, site)), b.quat * site_quat(h.n, site)};
}
// Whether a dof moves a body.
DEV bool moves(int body, int i) { return ld(body_dofs + body * WORDS + i / 32) >> (i & 31) & 1u; }
// Column of the point Jacobian (mj_jac) for dof i.
DEV v3 point_jacobian(const World& s, int i, v3 pos) {
  v6 axis = get6(s.cdof, DOFS, i);
  return axis.t + cross(axis.r, pos - get3(s.com, BODIES, ld(body_rootid + ld(dof_bodyid + i))));
}

DEV void geom_frames(const Context& h) {
  const int lane = h.lane;
  EACH(g, NGEOM) {
    Pose b = body_pose(h.s, ld(geom_bodyid + g));
    put3(h.s.geom_xpos, GEOMS, g, b.pos + rotate(b.quat, geom_pos(h.n, g)));
    put4(h.s.geom_xquat, GEOMS, g, b.quat * geom_quat(h.n, g));
  }
  sync();
}
