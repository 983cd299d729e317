// Strands: what actuators pull at, then tendons. Each has a length and an arm for every dof that changes it; where the
// arms of a model move, transmission_moving.h finds both, else they are fixed combinations of joint positions.
#pragma once
#include "transmission_moving.h"

DEV float arm(const Here& h, int e) { return MOVING_ARMS ? h.s.arm[e] : strand_arm(h.n, e); }

DEV float strand_length(const Here& h, int k) {
  return MOVING_ARMS ? h.s.length[k] : fixed_length(h, k);
}
DEV float strand_velocity(const Here& h, int k) {
  if (ALL_OFF && k < NU) return 0.f;
  float sum = 0.f;
  for (int e = ld(strand_adr + k); e < ld(strand_adr + k + 1); e++) sum += arm(h, e) * h.s.qvel[ld(strand_dof + e)];
  return sum;
}

// How far the spring of a tendon is stretched; lengths between the two ends of the dead band are free.
DEV float tendon_stretch(const Here& h, int t) {
  float length = strand_length(h, NU + t), low = tendon_lengthspring(h.n, t, 0), high = tendon_lengthspring(h.n, t, 1);
  return length > high ? length - high : length < low ? length - low : 0.f;
}
// Springs and dampers of tendons.
DEV void tendon_forces(const Here& h) {
  const int lane = h.lane;
  EACH(t, NTENDON) {
    float damping = tendon_damping(h.n, t);
    h.s.pull[NU + t] = -tendon_stiffness(h.n, t) * tendon_stretch(h, t) - damping * strand_velocity(h, NU + t);
    h.s.slope[NU + t] = -damping;
  }
}
