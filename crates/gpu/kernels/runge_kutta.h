// Fourth-order Runge–Kutta: the state at the beginning of the step, and the weighted mean of the rates so far.
#pragma once
#include "integrate.h"

// Their positions in rk_state.
struct Stages { float *qpos, *qvel, *act, *velocity, *acceleration, *activation; };
DEV Stages stages(World& s) {
  float *qvel = s.rk_state + padded(NQ), *velocity = qvel + NP, *acceleration = velocity + NP, *act = acceleration + NP;
  return {s.rk_state, qvel, act, velocity, acceleration, act + padded(some(NA))};
}
DEV void begin_stages(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  Stages k = stages(s);
  EACH(i, NQ) k.qpos[i] = s.qpos[i];
  EACH(i, NP) {
    k.qvel[i] = s.qvel[i];
    k.velocity[i] = k.acceleration[i] = 0.f;
  }
  EACH(i, NA) {
    k.act[i] = s.act[i];
    k.activation[i] = 0.f;
  }
  sync();
}
// Restores the state from the beginning of the step.
DEV void cancel_stages(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  Stages k = stages(s);
  EACH(i, NQ) s.qpos[i] = k.qpos[i];
  EACH(i, NV) s.qvel[i] = k.qvel[i];
  EACH(i, NA) s.act[i] = k.act[i];
  sync();
}
// Accumulates the rates of a stage with a weight, and moves from the initial state along them by a part of the step.
DEV void next_stage(const Context& h, const float (&qacc)[DOFS_PER_LANE], float weight, float part) {
  const int lane = h.lane;
  World& s = h.s;
  Stages k = stages(s);
  const float dt = part * timestep(h.n, 0);
  EACH(i, NQ) s.qpos[i] = k.qpos[i];
  EACH(i, NV) k.velocity[i] += weight * s.qvel[i];
  sync();
  advance_positions(h, s.qvel, dt);
  UNROLL for (int c = 0; c < DOFS_PER_LANE; c++) {
    int i = own_dof(lane, c);
    if (i >= NV) continue;
    k.acceleration[i] += weight * qacc[c];
    s.qvel[i] = k.qvel[i] + dt * qacc[c];
  }
  EACH(i, NA) {
    k.activation[i] += weight * s.act_dot[i];
    s.act[i] = k.act[i] + dt * s.act_dot[i];
  }
  sync();
}
// Moves from the initial state along the mean rates.
DEV void end_stages(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  Stages k = stages(s);
  const float dt = timestep(h.n, 0);
  EACH(i, NQ) s.qpos[i] = k.qpos[i];
  EACH(i, NV) s.qvel[i] = k.qvel[i] + dt * k.acceleration[i];
  EACH(i, NA) s.act[i] = k.act[i];
  sync();
  advance_activations(h, k.activation);
  advance_positions(h, k.velocity, dt);
}
