// Velocities and accelerations along chains of dofs, the bias force, and composite inertias.
#pragma once
#include "fluid.h"

// Sums of six components along the chains of dofs, including each dof itself, from chain[0]. If all trees are alike and known at
// compile time, one lane per component of a tree; otherwise by doubling.
DEV const float* sum_chains(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  if constexpr (TREES_ALIKE) {
    EACH(k, 6 * NROOT) {
      float *row = s.chain[0] + k / NROOT * DOFS + k % NROOT * TREE_DOFS, sum[TREE_DOFS];
      UNROLL for (int i = 0; i < TREE_DOFS; i++) {
        sum[i] = row[i];
        if (tree_dof_parent(i) >= 0) row[i] = sum[i] += sum[tree_dof_parent(i) < 0 ? 0 : tree_dof_parent(i)];
      }
    }
    sync();
    return s.chain[CHAIN_SUM];
  }
  UNROLL for (int round = 0; round < DOF_ROUNDS; round++) {
    const float* from = s.chain[round & 1];
    EACH(i, NV) {
      v6 v = get6(from, DOFS, i);
      int a = ld(dof_ancestor + round * NV + i);
      if (a >= 0) v = v + get6(from, DOFS, a);
      put6(s.chain[~round & 1], DOFS, i, v);
    }
    sync();
  }
  return s.chain[CHAIN_SUM];
}

// Sums values over subtrees; one lane per component of a tree. Barriers on both sides.
DEV void sum_subtrees(float* rows, int count, int lane) {
  sync();
  if constexpr (TREES_ALIKE) {
    EACH(k, count * NROOT) {
      float *row = rows + k / NROOT * BODIES + 1 + k % NROOT * TREE_BODIES, sum[TREE_BODIES];
      UNROLL for (int b = 0; b < TREE_BODIES; b++) sum[b] = row[b];
      UNROLL for (int b = TREE_BODIES - 1; b > 0; b--) sum[tree_parent(b)] += sum[b];
      UNROLL for (int b = 0; b < TREE_BODIES; b++) row[b] = sum[b];
    }
  } else EACH(k, count * NROOT) {
    float* row = rows + k / NROOT * BODIES;
    const int root = ld(root_body + k % NROOT);
    for (int b = root + ld(root_size + k % NROOT) - 1; b > root; b--) row[ld(body_parentid + b)] += row[b];
  }
  sync();
}

// Rate of a dof's axis (cdof_dot), from the velocity before the dof: -1 means that velocity is zero, -2 that the axis is constant.
DEV v6 cdof_dot(const World& s, const float* velocity, int i) {
  int before = ld(dof_before + i);
  if (before < 0) return {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  return cross_motion(get6(velocity, DOFS, before), get6(s.cdof, DOFS, i));
}

// Motion of a body, once velocities are in s.dof_velocity and accelerations in s.chain.
DEV v6 body_velocity(const World& s, int body) {
  int last = ld(body_lastdof + body);
  if (last < 0) return {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  return get6(s.dof_velocity, DOFS, last);
}
DEV v6 gravity_motion(const Context& h) { return {{0.f, 0.f, 0.f}, -gravity(h.n, 0)}; }
DEV v6 body_acceleration(const World& s, v6 fall, int body) {
  int last = ld(body_lastdof + body);
  return last < 0 ? fall : fall + get6(s.chain[CHAIN_SUM], DOFS, last);
}

// A motion about a point displaced by `way`.
DEV v6 shift_motion(v6 motion, v3 way) { return {motion.r, motion.t + cross(motion.r, way)}; }

// Generalized force on dof i of the forces on bodies. Forces about the tree's centre of mass are already summed over subtrees.
// Where torques about it lose too much precision (mass_matrix), forces are about the bodies' own centres and are summed here about
// the subtree's centre.
DEV float dof_force(const Context& h, int i) {
  World& s = h.s;
  const int body = ld(dof_bodyid + i);
  if constexpr (!ABOUT_SUBTREE_COM) return dot(get6(s.cdof, DOFS, i), get6(s.subtree_sum + 10 * BODIES, BODIES, body));
  const v3 centre = subtree_com(h, body);
  v6 sum = {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  ROLL for (int b = body; b < body + ld(body_subtree + body); b++) {
    const v6 f = get6(s.subtree_sum + 10 * BODIES, BODIES, b);
    sum = sum + v6{f.r + cross(xipos(h, b) - centre, f.t), f.t};
  }
  return dot(dof_axis(h, i, &centre), sum);
}

// Force needed for a body's motion, about a point, minus the fluid force.
DEV v6 body_force(const Context& h, int b, const Inertia& in, v6 v, v6 a, v3 point) {
  v6 f = in * a + cross_force(v, in * v);
  if constexpr (NFLUID > 0) f = f - fluid_force(h, b, v, point);
  return f;
}

// Bias force: f = I a + v × I v for each body, where a is the acceleration at qacc = 0; summed over subtrees; bias = cdof · f.
// Fluid forces on bodies are subtracted here. Leaves composite inertias in s.subtree_sum and minus the bias in s.qfrc_smooth.
DEV void bias(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NV) put6(s.chain[0], DOFS, i, s.qvel[i] * get6(s.cdof, DOFS, i));
  sync();
  const float* sum = sum_chains(h);
  EACH(i, NV) put6(s.dof_velocity, DOFS, i, get6(sum, DOFS, i));
  sync();
  EACH(i, NV) put6(s.chain[0], DOFS, i, s.qvel[i] * cdof_dot(s, s.dof_velocity, i));
  sync();
  sum_chains(h);
  const v6 fall = gravity_motion(h);
  EACH(b, NBODY) {
    v6 v = body_velocity(s, b), a = body_acceleration(s, fall, b);
    const v3 com = get3(s.com, BODIES, ld(body_rootid + b));
    Inertia in = inertia_about(h, b, com);
    v6 f;
    if constexpr (ABOUT_SUBTREE_COM) {
      const v3 centre = xipos(h, b);
      f = body_force(h, b, inertia_about(h, b, centre), shift_motion(v, centre - com), shift_motion(a, centre - com), centre);
    } else f = body_force(h, b, in, v, a, com);
    UNROLL for (int c = 0; c < 10; c++) s.subtree_sum[c * BODIES + b] = in.i[c];
    put6(s.subtree_sum + 10 * BODIES, BODIES, b, f);
  }
  sum_subtrees(s.subtree_sum, ABOUT_SUBTREE_COM ? 10 : 16, lane);
  EACH(i, NP) {
    s.qfrc_smooth[i] = 0.f;
    if (i < NV) s.qfrc_smooth[i] = -dof_force(h, i);
  }
  sync();
}
