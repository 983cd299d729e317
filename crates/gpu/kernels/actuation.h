// From controls to generalized forces (mj_fwdActuation).
#pragma once
#include "muscle.h"

DEV float control(const Context& h, const float* ctrl, int u) {
  float x = ctrl[u];
  if (ld(actuator_ctrllimited + u)) x = clamp(x, actuator_ctrlrange(h.n, u, 0), actuator_ctrlrange(h.n, u, 1));
  return x;
}

// Activation at the end of the step.
DEV float next_activation(const Context& h, int u, float act, float rate) {
  float dt = timestep(h.n, 0);
  if (ld(actuator_dyntype + u) == DYN_FILTEREXACT) {
    float tau = fmaxf(actuator_dynprm(h.n, u, 0), 1e-6f);
    act += rate * tau * (1.f - expf(-dt / tau));
  } else act += dt * rate;
  if (ld(actuator_actlimited + u)) act = clamp(act, actuator_actrange(h.n, u, 0), actuator_actrange(h.n, u, 1));
  return act;
}

// Clamps the force to actuator_forcerange. At a bound its derivative is zero.
DEV void clamp_actuator_force(const Context& h, int u, float& f, float& slope) {
  if (ACTUATION_DISABLED || !ld(actuator_forcelimited + u)) return;
  float lo = actuator_forcerange(h.n, u, 0), hi = actuator_forcerange(h.n, u, 1);
  if (f <= lo || f >= hi) slope = 0.f;
  f = clamp(f, lo, hi);
}

// Scales the forces of the actuators of a tendon so that their sum is within tendon_actfrcrange, then clamps each to its own range.
DEV void clamp_tendon_actfrc(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(t, NTENDON) {
    if (!ld(tendon_actfrclimited + t)) continue;
    float sum = 0.f;
    for (int u = 0; u < NU; u++)
      if (ld(actuator_tendon + u) == t) sum += s.trn_force[u];
    float bound = clamp(sum, tendon_actfrcrange(h.n, t, 0), tendon_actfrcrange(h.n, t, 1));
    for (int u = 0; u < NU; u++) {
      if (ld(actuator_tendon + u) != t) continue;
      if (bound != sum && sum != 0.f) s.trn_force[u] *= bound / sum;
    }
  }
  sync();
  EACH(u, NU) clamp_actuator_force(h, u, s.trn_force[u], s.trn_force_dvel[u]);
  sync();
}

// Actuator forces, and their derivatives with respect to velocity for the implicit integrators.
DEV void actuator_forces(const Context& h, const float* ctrl) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(u, NU) {
    float length = trn_length(h, u), velocity = trn_velocity(h, u), input = control(h, ctrl, u);
    float raw = ctrl[u];  // implicit integrators multiply the derivative by the unclamped control
    int a = NA > 0 ? ld(actuator_act + u) : -1;
    if (NA > 0 && a >= 0) {
      int dynamics = ld(actuator_dyntype + u);
      float rate = input;
      if (HAS_MUSCLES && dynamics == DYN_MUSCLE) rate = muscle_dynamics(h, u, input, s.act[a]);
      else if (dynamics != DYN_INTEGRATOR) rate = (input - s.act[a]) / fmaxf(actuator_dynprm(h.n, u, 0), TINY);
      if (SOME_ACTUATORS_DISABLED && ld(actuator_disabled + u)) rate = 0.f;
      s.act_dot[a] = rate;
      raw = input = ld(actuator_actearly + u) ? next_activation(h, u, s.act[a], rate) : s.act[a];
    }
    float gain = actuator_gain(h.n, u, 0) + actuator_gain(h.n, u, 1) * length + actuator_gain(h.n, u, 2) * velocity;
    float own = actuator_bias(h.n, u, 0) + actuator_bias(h.n, u, 1) * length + actuator_bias(h.n, u, 2) * velocity;
    float by_velocity = actuator_gain(h.n, u, 2);
    if (HAS_MUSCLES && ld(actuator_gaintype + u) == GAIN_MUSCLE) {
      CurvePoint active = muscle_gain(h, u, length, velocity);
      gain = active.value;
      by_velocity = active.slope;
    }
    if (HAS_MUSCLES && ld(actuator_biastype + u) == BIAS_MUSCLE) own = muscle_bias(h, u, length);
    float f = gain * input + own, slope = by_velocity * raw + actuator_bias(h.n, u, 2);
    if (SOME_ACTUATORS_DISABLED && ld(actuator_disabled + u)) f = slope = 0.f;
    if (!HAS_TENDON_ACTFRCLIMIT) clamp_actuator_force(h, u, f, slope);
    s.trn_force[u] = f;
    s.trn_force_dvel[u] = slope;
  }
  sync();
  if (HAS_TENDON_ACTFRCLIMIT) clamp_tendon_actfrc(h);
}

// Sum of the actuator forces on a dof, clamped to jnt_actfrcrange. It is zero if actuation is disabled.
DEV float clamp_joint_actfrc(const Context& h, int j, float f) {
  if (ld(jnt_actfrclimited + j)) f = clamp(f, jnt_actfrcrange(h.n, j, 0), jnt_actfrcrange(h.n, j, 1));
  return ACTUATION_DISABLED ? 0.f : f;
}

// Adds tendon forces, actuator forces and gravity compensation to qfrc_smooth. With adhesion, the clamp to jnt_actfrcrange has to
// wait until contacts are known.
DEV void dof_forces(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NV) {
    float f = 0.f, passive = 0.f, gravcomp = NGRAVCOMP > 0 ? gravcomp_force(h, i) : 0.f;
    if (NTRN > 0)
      for (int e = ld(dof_momentadr + i); e < ld(dof_momentadr + i + 1); e++) {
        int trn = ld(dof_trn + e);
        float force = moment(h, ld(dof_moment + e)) * s.trn_force[trn];
        if (trn < NU) f += force;
        else passive += force;
      }
    int j = ld(dof_jntid + i);
    bool through_actuators = NGRAVCOMP > 0 && ld(jnt_actgravcomp + j);
    if (through_actuators) f += gravcomp;
    if (CLAMP_AFTER_ADHESION) {
      s.vec[i] = f;
      f = 0.f;
    } else {
      f = clamp_joint_actfrc(h, j, f);
      if (KEEPS_ACTUATION) s.vec[i] = f;
    }
    s.qfrc_smooth[i] += passive + (through_actuators ? f : f + gravcomp);
  }
  sync();
}
