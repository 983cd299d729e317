// From accelerations to the next state: Euler with implicit damping, the implicit integrators, Runge–Kutta.
#pragma once
#include "actuation.h"
#include "linear_solve.h"

// Whether one of two dofs is an ancestor of the other.
DEV bool on_one_chain(int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  return moves(ld(dof_bodyid + high), low) && !dropped_entry(high, low);
}

// H = M − h ∂force/∂velocity, restricted to the sparsity of the mass matrix, like in the engine.
DEV void implicit_matrix(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  const float dt = timestep(h.n, 0);
  EACH(k, NP * GP / 4) ((float4*)s.H)[k] = ((const float4*)s.M)[k];
  sync();
  if (KEEPS_QDERIV) EACH(k, NP * GP) s.H[k] += s.qderiv[k];
  sync();
  EACH(i, NV) s.H[band(i, i)] += dt * dof_damping(h.n, i);
  sync();
  if ((IMPLICIT || IMPLICIT_FAST) && MOMENTS_DISJOINT) {
    EACH(e, NMOMENT) {
      int i = ld(moment_dof + e);
      s.H[band(i, i)] -= dt * s.trn_force_dvel[ld(moment_trn + e)] * moment(h, e) * moment(h, e);
    }
    sync();
  } else if (IMPLICIT || IMPLICIT_FAST)
    for (int u = 0; u < NTRN; u++) {
      int first = ld(trn_momentadr + u), count = ld(trn_momentadr + u + 1) - first;
      float k = -dt * s.trn_force_dvel[u];
      if (k == 0.f) continue;
      EACH(e, count * count) {
        int a = first + e / count, b = first + e % count;
        int i = ld(moment_dof + a), j = ld(moment_dof + b);
        if (on_one_chain(i, j)) s.H[band(i, j)] += k * moment(h, a) * moment(h, b);
      }
      sync();
    }
}

DEV void advance_activations(const Context& h, const float* rate) {
  const int lane = h.lane;
  if (NA == 0 || ACTUATION_DISABLED) return;
  EACH(u, NU) {
    int k = ld(actuator_act + u);
    if (k >= 0) h.s.act[k] = next_activation(h, u, h.s.act[k], rate[k]);
  }
}

DEV void advance_positions(const Context& h, const float* velocity, float dt) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(j, NJNT) {
    float* q = s.qpos + ld(jnt_qposadr + j);
    const float* v = velocity + ld(jnt_dofadr + j);
    int type = ld(jnt_type + j);
    if (HAS_FREE && type == JNT_FREE) {
      for (int k = 0; k < 3; k++) q[k] += dt * v[k];
      q += 3;
      v += 3;
    }
    if ((HAS_FREE && type == JNT_FREE) || (HAS_BALL && type == JNT_BALL)) {
      v3 w = {v[0], v[1], v[2]};
      float speed = norm(w);
      q4 r = unit(q4{q[0], q[1], q[2], q[3]} * axis_angle(unit(w), dt * speed));
      q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
    } else q[0] += dt * v[0];
  }
  sync();
}

// The next state. Ma is the total force on dofs.
DEV void advance(const Context& h, float (&qacc)[DOFS_PER_LANE], float (&Ma)[DOFS_PER_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  const float dt = timestep(h.n, 0);
  float a[DOFS_PER_LANE];
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) a[k] = qacc[k];
  if (IMPLICIT || IMPLICIT_FAST || IMPLICIT_DAMPING) {
    sync();
    implicit_matrix(h);
    UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) a[k] = Ma[k];
    solve_band<!IMPLICIT>(s.H, a, s.column, lane);
  }
  advance_activations(h, s.act_dot);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
    if (own_dof(lane, k) < NV) s.qvel[own_dof(lane, k)] += dt * a[k];
  sync();
  advance_positions(h, s.qvel, dt);
}
