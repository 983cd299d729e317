// Body accelerations and cfrc_ext, cfrc_int (mj_rnePostConstraint), once the constraint forces are known. Body frames have been
// overwritten by constraint rows and are recomputed. Contacts and row positions are kept if any output or sensor needs them.
#pragma once
#include "solver.h"

// Keeps contacts and row positions before the Hessian overwrites them.
DEV void keep_contacts(const Context& h, const Rows& rows) {
  const int lane = h.lane;
  World& s = h.s;
  if (!KEEPS_CONTACTS) return;
  EACH(i, rows.ncon * CON_SIZE) s.kept_contact[i] = s.contact[i];
  EACH_BLOCK(k)
    if (rows.block[k].number < NBLOCK) s.kept_row[rows.block[k].number] = rows.block[k].row << 3 | rows.block[k].dim;
  if (lane == 0) s.kept_count = rows.ncon;
  sync();
}

// Force of the lower end of a range if it is active, else of the upper end.
DEV float range_force(const Block& c) {
  Range at = range_at(c, c.r[0]);
  return fmaxf(at.D[0] > 0.f ? -at.D[0] * at.r[0] : -at.D[1] * at.r[1], 0.f);
}
// Forces of joint limits, once they are known. Forces of rows with two ends are left in row_force.
DEV void keep_limits(const Context& h, const Rows& rows) {
  if (HAS_BOTH_LIMITS) sync();
  UNROLL for (int k = 0; HAS_BOTH_LIMITS && k < BLOCKS_PER_LANE; k++) {
    const Block& c = rows.block[k];
    if (c.dim > 0 && c.kind == LIMIT_BOTH) h.s.row_force[c.row] = range_force(c);
  }
  if (HAS_BOTH_LIMITS) sync();
  if (!KEEPS_LIMIT_FORCES) return;
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    const Dof& d = rows.dof[k];
    if (own_dof(h.lane, k) < NV) h.s.limit_force[own_dof(h.lane, k)] = d.r < 0.f ? -d.D * d.r : 0.f;
  }
  sync();
  if (HAS_BOTH_LIMITS && h.lane == 0)
    for (int l = 0; l < NSCALAR; l++) {
      const int row = h.s.kept_row[l];
      if (ld(scalar_type + l) == SCALAR_JOINT_BOTH_LIMITS && row & 7) h.s.limit_force[ld(scalar_dof + 2 * l)] = h.s.row_force[row >> 3];
    }
  if (HAS_BOTH_LIMITS) sync();
}

// A force and a torque at a point, transformed to the centre of mass of the body's tree.
DEV v6 wrench_at_com(const World& s, int body, v3 point, v3 force, v3 torque) {
  return {torque + cross(point - get3(s.com, BODIES, ld(body_rootid + body)), force), force};
}
// External force on a body: contacts, connects and welds (cfrc_ext).
DEV v6 external_force(const Context& h, int body) {
  World& s = h.s;
  v6 sum = {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  if (body == 0) return sum;
  for (int c = 0; c < s.kept_count; c++) {
    const float *con = s.kept_contact + c * CON_SIZE, *f = s.row_force + (s.kept_row[NSCALAR + c] >> 3);
    int p = ((const int*)con)[CON_PAIR], dim = s.kept_row[NSCALAR + c] & 7;
    bool first = ld(pair_body1 + p) == body, second = ld(pair_body2 + p) == body;
    if (dim == 0 || first == second) continue;
    v3 x = get3(con + CON_NORMAL, 1, 0), y = get3(con + CON_TANGENT, 1, 0), z = cross(x, y), force = f[0] * x, torque = {0.f, 0.f, 0.f};
    if (dim > 2) force = force + f[1] * y + f[2] * z;
    if (dim > 3) torque = f[3] * x;
    if (dim > 5) torque = torque + f[4] * y + f[5] * z;
    v6 on = wrench_at_com(s, body, get3(con + CON_POS, 1, 0), force, torque);
    sum = second ? sum + on : sum - on;
  }
  for (int l = 0; l < NSCALAR; l++) {
    if (ld(scalar_type + l) != SCALAR_EQ_WELD) continue;
    int t = ld(scalar_weld + l), component = ld(scalar_component + l);
    v3 axis = {component % 3 == 0 ? 1.f : 0.f, component % 3 == 1 ? 1.f : 0.f, component % 3 == 2 ? 1.f : 0.f}, none = {0.f, 0.f, 0.f};
    axis = s.row_force[s.kept_row[l] >> 3] * axis;
    for (int k = 0; k < 2; k++) {
      if (ld(weld_body + 2 * t + k) != body) continue;
      v6 on = wrench_at_com(s, body, get3(s.weld + t * WELD_SIZE + 3 * k, 1, 0), component < 3 ? axis : none, component < 3 ? none : axis);
      sum = k == 0 ? sum + on : sum - on;
    }
  }
  return sum;
}

// Recomputes frames and velocities. Leaves accelerations along the dof chains in s.chain, and the forces between each body and its
// parent in the last six components of s.subtree_sum.
DEV void rne_postconstraint(const Context& h, const Rows& rows, const float (&qacc)[DOFS_PER_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  share_vector(s, rows, qacc, lane);
  body_frames(h);
  tree_coms(h);
  dof_axes(h);
  EACH(i, NV) put6(s.chain[0], DOFS, i, s.qvel[i] * get6(s.cdof, DOFS, i));
  sync();
  const float* sum = sum_chains(h);
  EACH(i, NV) put6(s.dof_velocity, DOFS, i, get6(sum, DOFS, i));
  sync();
  EACH(i, NV) put6(s.chain[0], DOFS, i, s.qvel[i] * cdof_dot(s, s.dof_velocity, i) + s.vec[column_of(i)] * get6(s.cdof, DOFS, i));
  sync();
  sum_chains(h);
  if (!NEEDS_CFRC_INT) return;
  const v6 fall = gravity_motion(h);
  EACH(b, NBODY) {
    Inertia in = inertia_about(h, b, get3(s.com, BODIES, ld(body_rootid + b)));
    v6 v = body_velocity(s, b), f = in * body_acceleration(s, fall, b) + cross_force(v, in * v) - external_force(h, b);
    put6(s.subtree_sum + 10 * BODIES, BODIES, b, f);
  }
  sync();
  if (lane < 6) {
    float* row = s.subtree_sum + (10 + lane) * BODIES;
    for (int b = NBODY - 1; b > 0; b--) row[ld(body_parentid + b)] += row[b];
  }
  sync();
}
