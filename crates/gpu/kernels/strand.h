// Strands: fixed combinations of joint positions. First those of actuators, then tendons.
#pragma once
#include "passive.h"

DEV float strand_length(const Here& h, int k) {
  float sum = 0.f;
  for (int e = ld(strand_adr + k); e < ld(strand_adr + k + 1); e++) sum += strand_arm(h.n, e) * h.s.qpos[ld(strand_qpos + e)];
  return sum;
}
DEV float strand_velocity(const Here& h, int k) {
  float sum = 0.f;
  for (int e = ld(strand_adr + k); e < ld(strand_adr + k + 1); e++) sum += strand_arm(h.n, e) * h.s.qvel[ld(strand_dof + e)];
  return sum;
}

// Springs and dampers of tendons; lengths between the two ends of the dead band are free.
DEV void tendon_forces(const Here& h) {
  const int lane = h.lane;
  EACH(t, NTENDON) {
    float length = strand_length(h, NU + t), low = tendon_lengthspring(h.n, t, 0), high = tendon_lengthspring(h.n, t, 1);
    float stretch = length > high ? length - high : length < low ? length - low : 0.f, damping = tendon_damping(h.n, t);
    h.s.pull[NU + t] = -tendon_stiffness(h.n, t) * stretch - damping * strand_velocity(h, NU + t);
    h.s.slope[NU + t] = -damping;
  }
}
