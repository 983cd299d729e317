// Controls to forces on dofs.
#pragma once
#include "muscle.h"

DEV float control(const Here& h, const float* ctrl, int u) {
  float x = ctrl[u];
  if (ld(actuator_ctrllimited + u)) x = clamp(x, actuator_ctrlrange(h.n, u, 0), actuator_ctrlrange(h.n, u, 1));
  return x;
}

// Activation after a step.
DEV float next_activation(const Here& h, int u, float act, float rate) {
  float dt = timestep(h.n, 0);
  if (ld(actuator_dyntype + u) == DYN_FILTEREXACT) {
    float tau = fmaxf(actuator_dynprm(h.n, u, 0), 1e-6f);
    act += rate * tau * (1.f - expf(-dt / tau));
  } else act += dt * rate;
  if (ld(actuator_actlimited + u)) act = clamp(act, actuator_actrange(h.n, u, 0), actuator_actrange(h.n, u, 1));
  return act;
}

// A force within the bounds of its actuator; at a bound it has no slope.
DEV void bound_force(const Here& h, int u, float& f, float& slope) {
  if (ALL_OFF || !ld(actuator_forcelimited + u)) return;
  float lo = actuator_forcerange(h.n, u, 0), hi = actuator_forcerange(h.n, u, 1);
  if (f <= lo || f >= hi) slope = 0.f;
  f = clamp(f, lo, hi);
}

// Actuators of a tendon that bounds their forces pull all the less; their own bounds come after.
DEV void share_bounds(const Here& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(t, NTENDON) {
    if (!ld(tendon_actfrclimited + t)) continue;
    float sum = 0.f;
    for (int u = 0; u < NU; u++)
      if (ld(actuator_tendon + u) == t) sum += s.pull[u];
    float bound = clamp(sum, tendon_actfrcrange(h.n, t, 0), tendon_actfrcrange(h.n, t, 1));
    for (int u = 0; u < NU; u++) {
      if (ld(actuator_tendon + u) != t) continue;
      if (bound != sum && sum != 0.f) s.pull[u] *= bound / sum;
    }
  }
  sync();
  EACH(u, NU) bound_force(h, u, s.pull[u], s.slope[u]);
  sync();
}

// Forces of actuators, and their slopes with velocity for the implicit integrators.
DEV void actuator_forces(const Here& h, const float* ctrl) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(u, NU) {
    float length = strand_length(h, u), velocity = strand_velocity(h, u), input = control(h, ctrl, u);
    float raw = ctrl[u];                            // implicit integrators multiply slopes by what the user set
    int a = NA > 0 ? ld(actuator_act + u) : -1;
    if (NA > 0 && a >= 0) {
      int dynamics = ld(actuator_dyntype + u);
      float rate = input;
      if (HAS_MUSCLES && dynamics == DYN_MUSCLE) rate = muscle_rate(h, u, input, s.act[a]);
      else if (dynamics != DYN_INTEGRATOR) rate = (input - s.act[a]) / fmaxf(actuator_dynprm(h.n, u, 0), TINY);
      if (SOME_OFF && ld(actuator_off + u)) rate = 0.f;
      s.act_dot[a] = rate;
      raw = input = ld(actuator_actearly + u) ? next_activation(h, u, s.act[a], rate) : s.act[a];
    }
    float gain = actuator_gain(h.n, u, 0) + actuator_gain(h.n, u, 1) * length + actuator_gain(h.n, u, 2) * velocity;
    float own = actuator_bias(h.n, u, 0) + actuator_bias(h.n, u, 1) * length + actuator_bias(h.n, u, 2) * velocity;
    float by_velocity = actuator_gain(h.n, u, 2);
    if (HAS_MUSCLES && ld(actuator_gaintype + u) == GAIN_MUSCLE) {
      Speed active = muscle_gain(h, u, length, velocity);
      gain = active.value;
      by_velocity = active.slope;
    }
    if (HAS_MUSCLES && ld(actuator_biastype + u) == BIAS_MUSCLE) own = muscle_bias(h, u, length);
    float f = gain * input + own, slope = by_velocity * raw + actuator_bias(h.n, u, 2);
    if (SOME_OFF && ld(actuator_off + u)) f = slope = 0.f;
    if (!BOUNDED_TENDONS) bound_force(h, u, f, slope);
    s.pull[u] = f;
    s.slope[u] = slope;
  }
  sync();
  if (BOUNDED_TENDONS) share_bounds(h);
}

// The force of all actuators on a dof, within the range of its joint; actuators that are off need none.
DEV float within_joint(const Here& h, int j, float f) {
  if (ld(jnt_actfrclimited + j)) f = clamp(f, jnt_actfrcrange(h.n, j, 0), jnt_actfrcrange(h.n, j, 1));
  return ALL_OFF ? 0.f : f;
}

// Forces on dofs: tendons, actuators and carried weight. Bounds of joints wait for adhesion, which needs contacts.
DEV void dof_forces(const Here& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NV) {
    float f = 0.f, passive = 0.f, lift = NGRAVCOMP > 0 ? carried(h, i) : 0.f;
    if (NSTRAND > 0)
      for (int e = ld(pull_adr + i); e < ld(pull_adr + i + 1); e++) {
        int strand = ld(pull_strand + e);
        float pull = arm(h, ld(pull_entry + e)) * s.pull[strand];
        if (strand < NU) f += pull;
        else passive += pull;
      }
    int j = ld(dof_jntid + i);
    bool by_actuators = NGRAVCOMP > 0 && ld(jnt_actgravcomp + j);
    if (by_actuators) f += lift;
    if (LATE_BOUNDS) {
      s.vec[i] = f;
      f = 0.f;
    } else {
      f = within_joint(h, j, f);
      if (KEEPS_ACTUATION) s.vec[i] = f;
    }
    s.force[i] += passive + (by_actuators ? f : f + lift);
  }
  sync();
}
