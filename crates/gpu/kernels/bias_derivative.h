// Derivative of Coriolis and centrifugal forces with respect to velocity, for the fully implicit integrator.
//
// A body's force f = I a + v × I v changes with the velocity of an ancestor dof j by I ψ + B S. S is the dof's axis (cdof), ψ = Ṡ +
// u × S with u the velocity after its joint, and B acts on rotations only: torque E ω, force 2 ω × p. I, E and p are summed over
// subtrees. Source: Echeandia and Wensing, "Numerical methods to compute the Coriolis matrix", 2021.
#pragma once
#include "fluid_derivative.h"
#include "velocity.h"

// E (by rows) and p of every body, summed over subtrees, in s.coriolis.
DEV void coriolis_sums(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(b, NBODY) {
    v6 v = body_velocity(s, b);
    Inertia in = inertia_about(h, b, get3(s.com, BODIES, ld(body_rootid + b)));
    v6 momentum = in * v;
    const float* i = in.i;
    v3 J[3] = {{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}, c = {i[6], i[7], i[8]};
    UNROLL for (int k = 0; k < 3; k++) {
      v3 e = {k == 0 ? 1.f : 0.f, k == 1 ? 1.f : 0.f, k == 2 ? 1.f : 0.f}, we = cross(v.r, e);
      v3 spun = {dot(J[0], we), dot(J[1], we), dot(J[2], we)};
      v3 column = cross(e, momentum.r) + cross(v.r, J[k]) - spun - cross(v.t, cross(c, e)) - cross(c, cross(v.t, e));
      s.coriolis[k * BODIES + b] = column.x;
      s.coriolis[(3 + k) * BODIES + b] = column.y;
      s.coriolis[(6 + k) * BODIES + b] = column.z;
    }
    put3(s.coriolis + 9 * BODIES, BODIES, b, momentum.t);
  }
  sum_subtrees(s.coriolis, 12, lane);
}

// Adds dt ∂bias/∂velocity to qderiv. One lane per dof fills its row up to the dofs of its own body, and its column above them.
DEV void bias_derivatives(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  const float dt = timestep(h.n, 0);
  coriolis_sums(h);
  EACH(i, NV) {
    v6 shift = cdof_dot(s, s.dof_velocity, i) + cross_motion(get6(s.dof_velocity, DOFS, ld(dof_after + i)), get6(s.cdof, DOFS, i));
    put6(s.chain[0], DOFS, i, shift);
  }
  sync();
  EACH(i, NV) {
    int b = ld(dof_bodyid + i);
    v6 axis = get6(s.cdof, DOFS, i), shift = get6(s.chain[0], DOFS, i);
    Inertia crb;
    UNROLL for (int c = 0; c < 10; c++) crb.i[c] = s.subtree_sum[c * BODIES + b];
    v3 E[3] = {get3(s.coriolis, BODIES, b), get3(s.coriolis + 3 * BODIES, BODIES, b), get3(s.coriolis + 6 * BODIES, BODIES, b)};
    v3 p = get3(s.coriolis + 9 * BODIES, BODIES, b), w = axis.r;
    v6 momentum = crb * axis, force = crb * shift + v6{{dot(E[0], w), dot(E[1], w), dot(E[2], w)}, 2.f * cross(w, p)};
    v3 turn = w.x * E[0] + w.y * E[1] + w.z * E[2] + 2.f * cross(p, axis.t);
    for (int j = ld(body_lastdof + b); j >= 0; j = ld(dof_parentid + j)) {
      s.qderiv[band(i, j)] += dt * (dot(momentum, get6(s.chain[0], DOFS, j)) + dot(turn, get6(s.cdof, DOFS, j).r));
      if (ld(dof_bodyid + j) != b) s.qderiv[band(j, i)] += dt * dot(get6(s.cdof, DOFS, j), force);
    }
  }
  sync();
}

// −dt ∂force/∂velocity of all forces that need body frames. Kept because the frames are overwritten before the integrator uses it.
DEV void velocity_derivatives(const Context& h) {
  const int lane = h.lane;
  if (!KEEPS_QDERIV) return;
  EACH(k, NP * GP / 4) ((float4*)h.s.qderiv)[k] = make_float4(0.f, 0.f, 0.f, 0.f);
  sync();
  if constexpr (NFLUID > 0) fluid_derivatives(h);
  if constexpr (IMPLICIT) bias_derivatives(h);
}
