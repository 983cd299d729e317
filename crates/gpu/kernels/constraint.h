// Constraint rows (mj_makeConstraint) of scalar constraints, contacts, joint limits and dof friction. A contact keeps its rows in
// its own frame: normal, two tangents, torsion, two rolling axes; edges of a pyramidal cone are combinations of them. Limits and
// friction of dofs need no Jacobian row: they act on the diagonal. Each lane keeps its blocks and dofs in registers.
#pragma once
#include "scalar_row.h"

// Bit masks of the dofs that move the second and the first body of the lane's contact.
struct DofMasks { unsigned plus[WORDS], minus[WORDS]; };
DEV DofMasks dof_masks(const World& s, int c) {
  DofMasks of = {};
  if (c < 0) return of;
  int p = ((const int*)(s.contact + c * CON_SIZE))[CON_PAIR], b1 = ld(pair_body1 + p), b2 = ld(pair_body2 + p);
  UNROLL for (int k = 0; k < WORDS; k++) of.minus[k] = ld(body_dofs + b1 * WORDS + k), of.plus[k] = ld(body_dofs + b2 * WORDS + k);
  return of;
}

// One column of a contact's Jacobian, for a dof that moves its two bodies relative to each other.
DEV void contact_jacobian_column(const World& s, int c, float* J, int dim, float sign, v6 axis, v3 origin) {
  const float4 *con = (const float4*)(s.contact + c * CON_SIZE), x = con[0], y = con[1], z = con[2];
  const v3 normal = {y.x, y.y, y.z}, tangent = {y.w, z.x, z.y}, frame[3] = {normal, tangent, cross(normal, tangent)};
  const v3 spin = sign * axis.r, move = sign * axis.t + cross(spin, v3{x.x, x.y, x.z} - origin);
  UNROLL for (int k = 0; k < CONDIM; k++)
    if (k < dim) J[k * GP] = dot(k < 3 ? move : spin, frame[k % 3]);
}

// Jacobians of the contacts that the lanes of a warp own as their k-th block, one lane per column. Dof axes stay in registers from
// contact to contact.
DEV void contact_jacobians(const Context& h, const Rows& rows, int k, int first, int last) {
  const int lane = h.lane;
  World& s = h.s;
  const bool mine = 32 * k + lane >= first && 32 * k + lane < last;
  const DofMasks own = dof_masks(s, mine ? 32 * k + lane - NSCALAR : -1);
  UNROLL for (int d = 0; d < (NP + 31) / 32; d++) {
    const int i = lane + 32 * d, dof = i < NV ? i : NV - 1;
    const v6 axis = get6(s.cdof, DOFS, dof);
    const v3 origin = get3(s.com, BODIES, ld(body_rootid + ld(dof_bodyid + dof)));
    UNROLL2 for (int b = first; b < last; b++) {
      const int from = b & 31, row = shfl(rows.block[k].row, from), dim = shfl(rows.block[k].dim, from);
      unsigned plus = 0u, minus = 0u;
      if (32 * d < NV) plus = shfl(own.plus[d < WORDS ? d : 0], from), minus = shfl(own.minus[d < WORDS ? d : 0], from);
      const float sign = i < NV ? (float)(plus >> lane & 1u) - (float)(minus >> lane & 1u) : 0.f;
      contact_jacobian_column(s, b - NSCALAR, s.J + row * GP + i, i < NP ? dim : 0, sign, axis, origin);
    }
  }
}
// Assigns each block to the warp of the first group it acts on. Returns whether they fit.
DEV bool assign_blocks(World& s, int blocks, int lane) {
  if (NGROUP == 1) return true;
  const int group = lane / 32;
  unsigned short* list = s.warp_blocks + group * BLOCKS_PER_WARP;
  int count = 0;
  for (int base = 0; base < blocks; base += 32) {
    const int b = base + (lane & 31);
    int groups = 1;
    if (b >= NSCALAR && b < blocks) groups = ld(pair_groups + ((const int*)(s.contact + (b - NSCALAR) * CON_SIZE))[CON_PAIR]);
    const bool own = b < blocks && lowest_bit(groups) == group;
    const int at = wcompact(own, lane & 31, count);
    if (own && at < BLOCKS_PER_WARP) list[at] = (unsigned short)b;
  }
  for (int e = count + (lane & 31); e < BLOCKS_PER_WARP; e += 32) list[e] = NBLOCK;
  wsync();
  return !team_any(count > BLOCKS_PER_WARP);
}
// Lists the blocks that act on a warp's group, or on the only group.
DEV void list_group_blocks(World& s, int blocks, int lane) {
  const int group = NGROUP > 1 ? lane / 32 : 0;
  int count = 0;
  if (NGROUP > 1 || lane < 32)
    for (int base = 0; base < blocks; base += 32) {
      const int b = base + (lane & 31);
      const bool acts = b < blocks && row_tag(s, b) & 7 && row_groups(s, b) >> group & 1;
      const int at = wcompact(acts, lane & 31, count);
      if (acts) s.group_blocks[group * NBLOCK + at] = (unsigned short)b;
    }
  if ((lane & 31) == 0 && (NGROUP > 1 || lane == 0)) s.group_nblock[group] = (unsigned short)count;
  sync();
}
// The same for a team, which has one lane per column, or per column of a group. Row positions are read from memory.
DEV void contact_jacobians_team(const Context& h) {
  World& s = h.s;
  const int own = own_dof(h.lane, 0), i = own < NV ? own : NV - 1, column = NGROUP > 1 ? h.lane & 31 : h.lane;
  const int group = NGROUP > 1 ? h.lane / 32 : 0;
  const v6 axis = get6(s.cdof, DOFS, i);
  const v3 origin = get3(s.com, BODIES, ld(body_rootid + ld(dof_bodyid + i)));
  ROLL for (int e = 0; e < s.group_nblock[group]; e++) {
    const int b = s.group_blocks[group * NBLOCK + e], dim = row_tag(s, b) & 7, groups = row_groups(s, b);
    if (b < NSCALAR || column >= GP) continue;
    const int p = ((const int*)(s.contact + (b - NSCALAR) * CON_SIZE))[CON_PAIR];
    const float sign = own < NV ? (float)moves(ld(pair_body2 + p), i) - (float)moves(ld(pair_body1 + p), i) : 0.f;
    contact_jacobian_column(s, b - NSCALAR, (float*)group_rows(s, groups, dim, group) + column, dim, sign, axis, origin);
  }
}

// Regularization, and the initial residual: minus the reference acceleration.
DEV void contact_reference(const Context& h, int c, Block& con, const float* velocity) {
  World& s = h.s;
  const float* words = s.contact + c * CON_SIZE;
  int p = ((const int*)words)[CON_PAIR], b1 = ld(pair_body1 + p), b2 = ld(pair_body2 + p);
  SolParams sol = {pair_kb(h.n, p, 0), pair_kb(h.n, p, 1), {}};
  UNROLL for (int k = 0; k < 5; k++) sol.imp[k] = pair_solimp(h.n, p, k);
  float pos = words[CON_DIST] - pair_includemargin(h.n, p), imp = impedance(sol, pos);
  float weight = body_invweight0(h.n, b1, 0) + body_invweight0(h.n, b2, 0), friction = pair_friction(h.n, p, 0);
  UNROLL for (int k = 1; k < CONDIM; k++) con.mu[k] = pair_friction(h.n, p, k - 1);
  float ratio = impratio(h.n, 0), mu = friction * sqrtf(1.f / ratio);
  float diag = weight;
  if (!CONE_ELLIPTIC && con.dim > 1) diag += friction * friction * weight;
  float R = fmaxf((1.f - imp) / imp * diag, TINY);
  con.mu[0] = mu;
  if (CONE_ELLIPTIC) {
    con.D[0] = 1.f / R;
    UNROLL for (int k = 1; k < CONDIM; k++) {
      float f = con.mu[k] / friction;
      con.D[CONE_ELLIPTIC ? k : 0] = ratio / R * f * f;
    }
  } else con.D[0] = 1.f / (con.dim > 1 ? 2.f * mu * mu * R : R);
  float v[CONDIM], B = pair_kb(h.n, p, 3);
  multiply_rows(s, con, velocity, v);
  con.r[0] = sol.B * v[0] + sol.K * imp * pos;
  UNROLL for (int k = 1; k < CONDIM; k++) con.r[k] = (CONE_ELLIPTIC ? B : sol.B) * v[k];
}

// Limit of a hinge or slide joint, and its dry friction.
DEV void dof_rows(const Context& h, int i, Dof& d) {
  World& s = h.s;
  d = {0.f, 0.f, 0.f, 0.f, 0.f, 0.f};
  if (HAS_LIMITS && ld(dof_limited + i) && !(HAS_BOTH_LIMITS && ld(dof_bothlimits + i))) {
    int j = ld(dof_jntid + i);
    float q = s.qpos[ld(jnt_qposadr + j)], lo = q - jnt_range(h.n, j, 0), hi = jnt_range(h.n, j, 1) - q, dist = fminf(lo, hi);
    if (dist < jnt_margin(h.n, j)) {
      SolParams sol = {jnt_kb(h.n, j, 0), jnt_kb(h.n, j, 1), {}};
      UNROLL for (int k = 0; k < 5; k++) sol.imp[k] = jnt_solimp(h.n, j, k);
      float pos = dist - jnt_margin(h.n, j), imp = impedance(sol, pos);
      d.sign = lo < hi ? 1.f : -1.f;
      d.D = 1.f / fmaxf((1.f - imp) / imp * dof_invweight0(h.n, i), TINY);
      d.r = sol.B * d.sign * s.qvel[i] + sol.K * imp * pos;
    }
  }
  if (HAS_FRICTION && ld(dof_hasfriction + i)) {
    SolParams sol = {0.f, dof_kb(h.n, i, 1), {}};
    UNROLL for (int k = 0; k < 5; k++) sol.imp[k] = dof_solimp(h.n, i, k);
    float imp = impedance(sol, 0.f);
    d.friction = dof_frictionloss(h.n, i);
    d.Df = 1.f / fmaxf((1.f - imp) / imp * dof_invweight0(h.n, i), TINY);
    d.rf = sol.B * s.qvel[i];
  }
}

// Lays out and fills all rows. Rows that do not fit are counted and dropped; the caller then does not solve.
DEV void make_constraint(const Context& h, int found, Rows& rows) {
  const int lane = h.lane;
  World& s = h.s;
  rows.ncon = found < NCON ? found : NCON;
  rows.nrow = rows.nefc = rows.kept = 0;
  const int blocks = NSCALAR + rows.ncon;
  const bool shared_out = assign_blocks(s, blocks, lane);
  bool couples = false;
  EACH_BLOCK(k) {
    Block& block = rows.block[k];
    const int b = block.number = NGROUP > 1 ? s.warp_blocks[lane / 32 * BLOCKS_PER_WARP + 32 * k + (lane & 31)] : lane + LANES * k;
    block.kind = CONTACT;
    block.dim = 0;
    block.groups = (1 << NGROUP) - 1;
    if constexpr (NSCALAR > 0)
      if (b < NSCALAR) block.dim = find_scalar_row(h, b, block);
    if (b >= NSCALAR && b < blocks) {
      int p = ((const int*)(s.contact + (b - NSCALAR) * CON_SIZE))[CON_PAIR];
      block.dim = KEEPS_GAP_CONTACTS && s.contact[(b - NSCALAR) * CON_SIZE + CON_DIST] >= pair_includemargin(h.n, p) ? 0 : ld(pair_dim + p);
      if (NGROUP > 1) block.groups = ld(pair_groups + p);
    }
    block.row = team_scan(block.dim, lane, rows.nrow);
    int edges = block.dim > 1 && !CONE_ELLIPTIC ? 2 * (block.dim - 1) : block.dim;
    if (HAS_BOTH_LIMITS && block.dim > 0 && block.kind == LIMIT_BOTH) edges = (block.end[0] > 0.f) + (block.end[1] > 0.f);
    rows.nefc += team_sum(edges);
    int kept = block.row;
    if (NGROUP > 1) {
      const int own = block.dim * popc(block.groups);
      couples |= own > block.dim;
      kept = team_scan(own, lane, rows.kept);
      if (kept + own > ROWS_KEPT) block.dim = 0;
    }
    if (block.row + block.dim > NROW) block.dim = 0;
    block.groups |= kept << GROUP_BITS;
    if (TEAM > 1 && b < blocks) row_tag(s, b) = block.row << 3 | block.dim, row_groups(s, b) = block.groups;
    if (NGROUP > 1 && own_column(lane, 0) < NC) s.vec[own_column(lane, 0)] = own_dof(lane, 0) < NV ? s.qvel[own_dof(lane, 0)] : 0.f;
  }
  rows.coupled = NGROUP > 1 && team_any(couples);
  if (!shared_out) rows.kept = ROWS_KEPT + 1;
  const float* velocity = NGROUP > 1 ? s.vec : s.qvel;
  if (TEAM > 1) {
    sync();
    list_group_blocks(s, blocks, lane);
    if constexpr (NSCALAR > 0) for (int b = 0; b < NSCALAR; b++)
      if (row_tag(s, b) & 7) scalar_jacobian(h, b, s.J + (row_groups(s, b) >> GROUP_BITS) * GP);
    contact_jacobians_team(h);
  } else EACH_BLOCK(k) {
    const int end = blocks < 32 * k + 32 ? blocks : 32 * k + 32, lines = NSCALAR < end ? NSCALAR : end;
    if constexpr (NSCALAR > 0) for (int b = 32 * k; b < lines; b++) {
      int row = shfl(rows.block[k].row, b & 31), dim = shfl(rows.block[k].dim, b & 31);
      if (dim > 0) scalar_jacobian(h, b, s.J + row * GP);
    }
    contact_jacobians(h, rows, k, lines < 32 * k ? 32 * k : lines, end);
  }
  sync();
  EACH_BLOCK(k) {
    const int b = rows.block[k].number;
    if (rows.block[k].dim == 0) continue;
    if (b >= NSCALAR) contact_reference(h, b - NSCALAR, rows.block[k], velocity);
    else if constexpr (NSCALAR > 0) scalar_reference(h, b, rows.block[k], velocity);
  }
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    int i = own_dof(lane, k);
    if (i < NV) dof_rows(h, i, rows.dof[k]);
    else rows.dof[k] = {0.f, 0.f, 0.f, 0.f, 0.f, 0.f};
    rows.nefc += team_count(rows.dof[k].sign != 0.f) + team_count(rows.dof[k].friction > 0.f);
  }
}
