// Centres of mass, inertias and dof axes (cdof) from body frames; the mass matrix from composite inertias.
#pragma once
#include "kinematics.h"

DEV v3 xipos(const Context& h, int b, const Pose& p) { return p.pos + rotate(p.quat, body_ipos(h.n, b)); }
DEV v3 xipos(const Context& h, int b) { return xipos(h, b, body_pose(h.s, b)); }

// Centre of mass of each tree, stored at its root.
DEV void tree_coms(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  if (NROOT == 1) {
    v3 sum = {0.f, 0.f, 0.f};
    float mass = 0.f;
    EACH(b, NBODY) if (b > 0) {
      mass += body_mass(h.n, b);
      sum = sum + body_mass(h.n, b) * xipos(h, b);
    }
    mass = team_sum(mass);
    sum = {team_sum(sum.x), team_sum(sum.y), team_sum(sum.z)};
    if (lane == 0) put3(s.com, BODIES, ld(root_body), mass > TINY ? reciprocal(mass) * sum : xipos(h, ld(root_body)));
  } else {
    EACH(b, NBODY) {
      put3(s.subtree_sum, BODIES, b, body_mass(h.n, b) * xipos(h, b));
      s.subtree_sum[3 * BODIES + b] = body_mass(h.n, b);
    }
    sync();
    // one lane per component of a root's sum
    EACH(k, 4 * NROOT) {
      float *row = s.subtree_sum + k % 4 * BODIES, sum = 0.f;
      const int root = ld(root_body + k / 4);
      for (int b = root; b < root + ld(root_size + k / 4); b++) sum += row[b];
      row[root] = sum;
    }
    sync();
    EACH(r, NROOT) {
      const int root = ld(root_body + r);
      const float mass = s.subtree_sum[3 * BODIES + root];
      put3(s.com, BODIES, root, mass > TINY ? reciprocal(mass) * get3(s.subtree_sum, BODIES, root) : xipos(h, root));
    }
  }
  sync();
}

// Inertia about a point: xx yy zz xy xz yz of the rotational part, mass times offset, mass.
struct Inertia { float i[10]; };

DEV Inertia inertia_about(const Context& h, int b, v3 centre) {
  Pose p = body_pose(h.s, b);
  q4 q = p.quat * body_iquat(h.n, b);
  v3 x = axis_x(q), y = axis_y(q), z = axis_z(q), in = body_inertia(h.n, b), d = xipos(h, b, p) - centre;
  float m = body_mass(h.n, b);
  return {{in.x * x.x * x.x + in.y * y.x * y.x + in.z * z.x * z.x + m * (d.y * d.y + d.z * d.z),
           in.x * x.y * x.y + in.y * y.y * y.y + in.z * z.y * z.y + m * (d.x * d.x + d.z * d.z),
           in.x * x.z * x.z + in.y * y.z * y.z + in.z * z.z * z.z + m * (d.x * d.x + d.y * d.y),
           in.x * x.x * x.y + in.y * y.x * y.y + in.z * z.x * z.y - m * d.x * d.y,
           in.x * x.x * x.z + in.y * y.x * y.z + in.z * z.x * z.z - m * d.x * d.z,
           in.x * x.y * x.z + in.y * y.y * y.z + in.z * z.y * z.z - m * d.y * d.z,
           m * d.x, m * d.y, m * d.z, m}};
}
DEV v6 operator*(const Inertia& a, v6 v) {
  const float* i = a.i;
  v3 md = {i[6], i[7], i[8]};
  v3 turned = {i[0] * v.r.x + i[3] * v.r.y + i[4] * v.r.z, i[3] * v.r.x + i[1] * v.r.y + i[5] * v.r.z,
               i[4] * v.r.x + i[5] * v.r.y + i[2] * v.r.z};
  return {turned + cross(md, v.t), i[9] * v.t - cross(md, v.r)};
}

// Axis of a dof (cdof) about a point; by default the centre of mass of its tree.
DEV v6 dof_axis(const Context& h, int i, const v3* point = nullptr) {
  World& s = h.s;
  int kind = ld(dof_kind + i), body = ld(dof_bodyid + i), j = ld(dof_jntid + i);
  v3 centre = point ? *point : get3(s.com, BODIES, ld(body_rootid + body));
  v6 axis = {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  if (kind < DOF_ROTATION) axis.t = {kind == 0 ? 1.f : 0.f, kind == 1 ? 1.f : 0.f, kind == 2 ? 1.f : 0.f};
  else {
    Pose parent = body_pose(s, ld(body_parentid + body)), own = body_pose(s, body);
    v3 anchor = own.pos;
    if (ld(jnt_type + j) != JNT_FREE) anchor = parent.pos + rotate(parent.quat, get3(s.joint, JOINTS, j));
    if (kind < DOF_HINGE) {
      int k = kind - DOF_ROTATION;
      axis.r = k == 0 ? axis_x(own.quat) : k == 1 ? axis_y(own.quat) : axis_z(own.quat);
    } else axis.r = rotate(parent.quat, get3(s.joint + 3 * JOINTS, JOINTS, j));
    if (kind == DOF_SLIDE) axis = {{0.f, 0.f, 0.f}, axis.r};
    else axis.t = cross(axis.r, centre - anchor);
  }
  return axis;
}
DEV void dof_axes(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NV) put6(s.cdof, DOFS, i, dof_axis(h, i));
  sync();
}

// Centre of mass of a subtree, once inertias are summed over subtrees.
DEV v3 subtree_com(const Context& h, int body) {
  World& s = h.s;
  v3 com = get3(s.com, BODIES, ld(body_rootid + body));
  float mass = s.subtree_sum[9 * BODIES + body];
  return mass > TINY ? com + (1.f / mass) * get3(s.subtree_sum + 6 * BODIES, BODIES, body) : xipos(h, body);
}
DEV Inertia subtree_inertia(const Context& h, int body, v3 centre) {
  Inertia sum = inertia_about(h, body, centre);
  ROLL for (int b = body + 1; b < body + ld(body_subtree + body); b++) {
    const Inertia more = inertia_about(h, b, centre);
    UNROLL for (int c = 0; c < 10; c++) sum.i[c] += more.i[c];
  }
  return sum;
}

// Index of the s.chain buffer that holds the sums along dof chains; the other one is free.
constexpr int CHAIN_SUM = TREES_ALIKE ? 0 : DOF_ROUNDS & 1;

// Mass matrix from composite inertias, the first ten components of s.subtree_sum. They and the dof axes are about the tree's centre
// of mass. For a small link far from it the terms are large and their difference loses precision. Where it loses too much
// (precision.rs), each dof uses the inertia of its subtree about the subtree's own centre of mass, where all terms of the sum are
// positive.
DEV void mass_matrix(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  float* forces = s.chain[1 - CHAIN_SUM];
  EACH(k, NP * GP / 4) ((float4*)s.M)[k] = make_float4(0.f, 0.f, 0.f, 0.f);
  float own[(NV + LANES - 1) / LANES];
  UNROLL for (int k = 0; k < (NV + LANES - 1) / LANES; k++) {
    const int i = lane + LANES * k;
    if (i >= NV) continue;
    Inertia crb;
    int body = ld(dof_bodyid + i);
    v6 axis;
    if constexpr (ABOUT_SUBTREE_COM) {
      const v3 centre = subtree_com(h, body);
      crb = subtree_inertia(h, body, centre);
      axis = dof_axis(h, i, &centre);
      put3(s.dof_velocity, DOFS, i, centre);  // velocities are no longer needed
    } else {
      UNROLL for (int c = 0; c < 10; c++) crb.i[c] = s.subtree_sum[c * BODIES + body];
      axis = get6(s.cdof, DOFS, i);
    }
    const v6 f = crb * axis;
    own[k] = dot(axis, f) + dof_armature(h.n, i);
    put6(forces, DOFS, i, f);
  }
  sync();
  UNROLL for (int k = 0; k < (NV + LANES - 1) / LANES; k++)
    if (lane + LANES * k < NV) s.M[band(lane + LANES * k, lane + LANES * k)] = own[k];
  UNROLL4 for (int e = lane; e < NMASS; e += LANES) {
    const int i = ld(mass_row + e), j = ld(mass_column + e);
    const v3 centre = get3(s.dof_velocity, DOFS, i);
    const float m = dot(ABOUT_SUBTREE_COM ? dof_axis(h, j, &centre) : get6(s.cdof, DOFS, j), get6(forces, DOFS, i));
    s.M[band(i, j)] = m;
    s.M[band(j, i)] = m;
  }
  EACH(i, NP) if (i >= NV && NGROUP == 1) s.M[band(i, i)] = 1.f;
  sync();
}
