// Lines, contacts, limits and dry friction to rows. A contact keeps its rows in its own frame: normal, two tangents, spin, two
// rolling axes; edges of pyramids are combinations of them. Limits and friction of dofs need no row: they act on the
// diagonal. A lane keeps its blocks and its dofs in registers.
#pragma once
#include "line.h"

// Columns of a contact's rows, a lane a dof.
DEV void contact_jacobian(const Here& h, int c, int row, int dim) {
  const int lane = h.lane;
  World& s = h.s;
  const float* con = s.contact + c * CON_SIZE;
  int p = ((const int*)con)[CON_PAIR], b1 = ld(pair_body1 + p), b2 = ld(pair_body2 + p);
  v3 pos = {con[0], con[1], con[2]}, normal = {con[4], con[5], con[6]}, tangent = {con[7], con[8], con[9]};
  v3 frame[3] = {normal, tangent, cross(normal, tangent)};
  EACH(i, NP) {
    bool in1 = false, in2 = false;
    if (i < NV) {
      in1 = ld(body_dofs + b1 * WORDS + i / 32) >> (i & 31) & 1u;
      in2 = ld(body_dofs + b2 * WORDS + i / 32) >> (i & 31) & 1u;
    }
    float sign = (float)in2 - (float)in1;
    v3 move = {0.f, 0.f, 0.f}, spin = move;
    if (sign != 0.f) {
      v6 axis = get6(s.cdof, DOFS, i);
      spin = sign * axis.r;
      move = sign * axis.t + cross(spin, pos - get3(s.com, BODIES, ld(body_rootid + ld(dof_bodyid + i))));
    }
    UNROLL for (int k = 0; k < CONDIM; k++)
      if (k < dim) s.J[(row + k) * NP + i] = dot(k < 3 ? move : spin, frame[k % 3]);
  }
}

// Regularisation and what the residual starts from: minus the reference acceleration.
DEV void contact_rows(const Here& h, int c, Block& con) {
  World& s = h.s;
  const float* words = s.contact + c * CON_SIZE;
  int p = ((const int*)words)[CON_PAIR], b1 = ld(pair_body1 + p), b2 = ld(pair_body2 + p);
  Hold hold = {pair_hold(h.n, p, 0), pair_hold(h.n, p, 1), {}};
  UNROLL for (int k = 0; k < 5; k++) hold.imp[k] = pair_solimp(h.n, p, k);
  float pos = words[CON_DIST] - pair_includemargin(h.n, p), imp = impedance(hold, pos);
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
  float v[CONDIM], B = pair_hold(h.n, p, 3);
  times_rows(s, con, s.qvel, v);
  con.r[0] = hold.B * v[0] + hold.K * imp * pos;
  UNROLL for (int k = 1; k < CONDIM; k++) con.r[k] = (CONE_ELLIPTIC ? B : hold.B) * v[k];
}

// The limit of a hinge or slide, and its dry friction.
DEV void dof_rows(const Here& h, int i, Dof& d) {
  World& s = h.s;
  d = {0.f, 0.f, 0.f, 0.f, 0.f, 0.f};
  if (HAS_LIMITS && ld(dof_limited + i)) {
    int j = ld(dof_jntid + i);
    float q = s.qpos[ld(jnt_qposadr + j)], lo = q - jnt_range(h.n, j, 0), hi = jnt_range(h.n, j, 1) - q, dist = fminf(lo, hi);
    if (dist < jnt_margin(h.n, j)) {
      Hold hold = {jnt_hold(h.n, j, 0), jnt_hold(h.n, j, 1), {}};
      UNROLL for (int k = 0; k < 5; k++) hold.imp[k] = jnt_solimp(h.n, j, k);
      float pos = dist - jnt_margin(h.n, j), imp = impedance(hold, pos);
      d.sign = lo < hi ? 1.f : -1.f;
      d.D = 1.f / fmaxf((1.f - imp) / imp * dof_invweight0(h.n, i), TINY);
      d.r = hold.B * d.sign * s.qvel[i] + hold.K * imp * pos;
    }
  }
  if (HAS_FRICTION && ld(dof_rubs + i)) {
    Hold hold = {0.f, dof_hold(h.n, i, 1), {}};
    UNROLL for (int k = 0; k < 5; k++) hold.imp[k] = dof_solimp(h.n, i, k);
    float imp = impedance(hold, 0.f);
    d.friction = dof_frictionloss(h.n, i);
    d.Df = 1.f / fmaxf((1.f - imp) / imp * dof_invweight0(h.n, i), TINY);
    d.rf = hold.B * s.qvel[i];
  }
}

// Places and fills all rows. Those that find no room are counted and left out; the caller then does not solve.
DEV void make_rows(const Here& h, int found, Rows& rows) {
  const int lane = h.lane;
  World& s = h.s;
  rows.ncon = found < NCON ? found : NCON;
  rows.nrow = rows.nefc = 0;
  const int blocks = NLINE + rows.ncon;
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++) {
    int b = lane + 32 * k;
    Block& block = rows.block[k];
    block.kind = CONTACT;
    block.dim = 0;
    if (b < NLINE) block.dim = find_line(h, b, block);
    else if (b < blocks) block.dim = ld(pair_dim + ((const int*)(s.contact + (b - NLINE) * CON_SIZE))[CON_PAIR]);
    block.row = rows.nrow + wscan(block.dim, lane);
    rows.nrow += (int)wsum((float)block.dim);
    int edges = block.dim > 1 && !CONE_ELLIPTIC ? 2 * (block.dim - 1) : block.dim;
    rows.nefc += (int)wsum((float)edges);
    if (block.row + block.dim > NROW) block.dim = 0;
  }
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++)
    for (int b = 32 * k; b < blocks && b < 32 * k + 32; b++) {
      int row = shfl(rows.block[k].row, b & 31), dim = shfl(rows.block[k].dim, b & 31);
      if (dim == 0) continue;
      if (b < NLINE) line_jacobian(h, b, row);
      else contact_jacobian(h, b - NLINE, row, dim);
    }
  wsync();
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++) {
    int b = lane + 32 * k;
    if (rows.block[k].dim == 0) continue;
    if (b < NLINE) line_rows(h, b, rows.block[k]);
    else contact_rows(h, b - NLINE, rows.block[k]);
  }
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    int i = lane + 32 * k;
    if (i < NV) dof_rows(h, i, rows.dof[k]);
    else rows.dof[k] = {0.f, 0.f, 0.f, 0.f, 0.f, 0.f};
    rows.nefc += popc(ballot(rows.dof[k].sign != 0.f)) + popc(ballot(rows.dof[k].friction > 0.f));
  }
}
