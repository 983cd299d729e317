// Transmissions: those of actuators, followed by tendons. Each has a length, and a moment for every dof that changes it. Where
// moments change with positions, transmission_moving.h computes both; otherwise they are fixed combinations of joint positions.
#pragma once
#include "transmission_moving.h"

DEV float moment(const Context& h, int e) { return MOVING_MOMENTS ? h.s.moment[e] : moment_coef(h.n, e); }

DEV float trn_length(const Context& h, int k) {
  return MOVING_MOMENTS ? h.s.length[k] : fixed_length(h, k);
}
DEV float trn_velocity(const Context& h, int k) {
  if (ACTUATION_DISABLED && k < NU) return 0.f;
  float sum = 0.f;
  for (int e = ld(trn_momentadr + k); e < ld(trn_momentadr + k + 1); e++) sum += moment(h, e) * h.s.qvel[ld(moment_dof + e)];
  return sum;
}

// Extension of a tendon's spring; zero within the dead band of lengthspring.
DEV float tendon_stretch(const Context& h, int t) {
  float length = trn_length(h, NU + t), low = tendon_lengthspring(h.n, t, 0), high = tendon_lengthspring(h.n, t, 1);
  return length > high ? length - high : length < low ? length - low : 0.f;
}
// Spring and damper forces of tendons.
DEV void tendon_forces(const Context& h) {
  const int lane = h.lane;
  EACH(t, NTENDON) {
    float damping = tendon_damping(h.n, t);
    h.s.trn_force[NU + t] = -tendon_stiffness(h.n, t) * tendon_stretch(h, t) - damping * trn_velocity(h, NU + t);
    h.s.trn_force_dvel[NU + t] = -damping;
  }
}
