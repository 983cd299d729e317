// Passive forces (mj_passive): springs and dampers of joints added to qfrc_smooth, and gravity compensation.
#pragma once
#include "bias_derivative.h"

// Rotation of a ball joint from its spring reference.
DEV v3 spring_rotation(const Context& h, int q) {
  q4 now = unit(get4(h.s.qpos + q, 1, 0));
  q4 rest = {qpos_spring(h.n, q), qpos_spring(h.n, q + 1), qpos_spring(h.n, q + 2), qpos_spring(h.n, q + 3)};
  return rotation_vector(conjugate(rest) * now);
}
DEV void springs(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  if (HAS_SPRINGS) {
    EACH(j, NJNT) {
      float k = jnt_stiffness(h.n, j);
      if (k == 0.f) continue;  // rotations are costly
      int q = ld(jnt_qposadr + j), v = ld(jnt_dofadr + j), type = ld(jnt_type + j);
      if (type == JNT_FREE) {
        for (int i = 0; i < 3; i++) s.qfrc_smooth[v + i] -= k * (s.qpos[q + i] - qpos_spring(h.n, q + i));
        q += 3;
        v += 3;
      }
      if (type == JNT_FREE || type == JNT_BALL) {
        v3 by = spring_rotation(h, q);
        s.qfrc_smooth[v] -= k * by.x;
        s.qfrc_smooth[v + 1] -= k * by.y;
        s.qfrc_smooth[v + 2] -= k * by.z;
      } else s.qfrc_smooth[v] -= k * (s.qpos[q] - qpos_spring(h.n, q));
    }
    sync();
  }
  if (HAS_DAMPERS) {
    EACH(i, NV) s.qfrc_smooth[i] -= dof_damping(h.n, i) * s.qvel[i];
    sync();
  }
}

// Gravity compensation force on dof i: of all compensated bodies that the dof moves.
DEV float gravcomp_force(const Context& h, int i) {
  World& s = h.s;
  float sum = 0.f;
  for (int k = 0; k < NGRAVCOMP; k++) {
    int b = ld(gravcomp_body + k);
    if (!moves(b, i)) continue;
    sum -= body_mass(h.n, b) * body_gravcomp(h.n, b) * dot(point_jacobian(s, i, xipos(h, b)), gravity(h.n, 0));
  }
  return sum;
}
