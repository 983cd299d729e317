// Outputs that were requested besides the state. Each is written while its source is in shared memory.
#pragma once
#include "rne_post.h"
#include "batch.h"

// Copies items that are stored component by component.
#define ITEMS(name, count, width, at, stride) \
  if (OUT_##name) EACH(i, (count) * (width)) b.name[w * (count) * (width) + i] = (at)[i % (width) * (stride) + i / (width)];

// Centre of mass of the whole model (subtree_com of the world).
DEV v3 world_com(const Context& h) {
  v3 sum = {0.f, 0.f, 0.f};
  float mass = 0.f;
  for (int b = 1; b < NBODY; b++) {
    mass += body_mass(h.n, b);
    sum = sum + body_mass(h.n, b) * xipos(h, b);
  }
  return mass > TINY ? (1.f / mass) * sum : sum;
}

DEV void put_row(float* to, v3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
DEV void put_matrix(float* to, q4 q) {
  v3 x = axis_x(q), y = axis_y(q), z = axis_z(q);
  put_row(to, {x.x, y.x, z.x});
  put_row(to + 3, {x.y, y.y, z.y});
  put_row(to + 6, {x.z, y.z, z.z});
}

// Frames, inertias and velocities, once the bias force is known.
DEV void write_frames(const Context& h, const Batch& b, int w) {
  const int lane = h.lane;
  World& s = h.s;
  ITEMS(xpos, NBODY, 3, xpos(s), BODIES)
  ITEMS(xquat, NBODY, 4, xquat(s), BODIES)
  ITEMS(cdof, NV, 6, s.cdof, DOFS)
  ITEMS(geom_xpos, NGEOM, 3, s.geom_xpos, GEOMS)
  if (OUT_xmat) EACH(i, NBODY) put_matrix(b.xmat + 9 * (w * NBODY + i), body_pose(s, i).quat);
  if (OUT_xipos) EACH(i, NBODY) put_row(b.xipos + 3 * (w * NBODY + i), xipos(h, i));
  if (OUT_site_xpos) EACH(i, NSITE) put_row(b.site_xpos + 3 * (w * NSITE + i), site_pose(h, i).pos);
  if (OUT_subtree_com) EACH(i, NBODY) put_row(b.subtree_com + 3 * (w * NBODY + i), i == 0 ? world_com(h) : subtree_com(h, i));
  if (OUT_cinert) EACH(i, NBODY) {
    Inertia in = inertia_about(h, i, get3(s.com, BODIES, ld(body_rootid + i)));
    UNROLL for (int c = 0; c < 10; c++) b.cinert[10 * (w * NBODY + i) + c] = i == 0 ? 0.f : in.i[c];
  }
  if (OUT_cvel) EACH(i, NBODY) {
    v6 v = body_velocity(s, i);
    put_row(b.cvel + 6 * (w * NBODY + i), v.r);
    put_row(b.cvel + 6 * (w * NBODY + i) + 3, v.t);
  }
  if (OUT_actuator_length) EACH(i, NU) b.actuator_length[w * NU + i] = trn_length(h, i);
  if (OUT_actuator_velocity) EACH(i, NU) b.actuator_velocity[w * NU + i] = trn_velocity(h, i);
  if (OUT_ten_length) EACH(i, NTENDON) b.ten_length[w * NTENDON + i] = trn_length(h, NU + i);
  if (OUT_ten_velocity) EACH(i, NTENDON) b.ten_velocity[w * NTENDON + i] = trn_velocity(h, NU + i);
}
DEV void write_forces(const Context& h, const Batch& b, int w) {
  const int lane = h.lane;
  if (OUT_M) EACH(i, NV * NV) b.M[w * NV * NV + i] = mass(h.s, i / NV, i % NV);
  if (OUT_qfrc_smooth) EACH(i, NV) b.qfrc_smooth[w * NV + i] = h.s.qfrc_smooth[i];
  if (OUT_actuator_force) EACH(i, NU) b.actuator_force[w * NU + i] = h.s.trn_force[i];
  if (OUT_qfrc_actuator) EACH(i, NV) b.qfrc_actuator[w * NV + i] = h.s.vec[i];
}
// After the solver, while rows are in memory.
DEV void write_constraints(const Context& h, const Batch& b, int w, const Rows& rows) {
  if (!OUT_qfrc_constraint) return;
  float qfrc_constraint[DOFS_PER_LANE];
  rows_force(h.s, rows, qfrc_constraint, h.lane);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
    if (own_dof(h.lane, k) < NV) b.qfrc_constraint[w * NV + own_dof(h.lane, k)] = qfrc_constraint[k];
}
// After the solver.
DEV void write_accelerations(const Context& h, const Batch& b, int w, const float (&qacc)[DOFS_PER_LANE]) {
  const int lane = h.lane;
  if (OUT_qacc)
    UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
      if (own_dof(lane, k) < NV) b.qacc[w * NV + own_dof(lane, k)] = qacc[k];
  if (OUT_cfrc_ext) EACH(i, NBODY) {
    v6 f = external_force(h, i);
    put_row(b.cfrc_ext + 6 * (w * NBODY + i), f.r);
    put_row(b.cfrc_ext + 6 * (w * NBODY + i) + 3, f.t);
  }
}
