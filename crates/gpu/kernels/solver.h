// Newton's method for the convex problem of the constraint forces, with an exact line search. Groups of dofs that no constraint
// couples are separate problems: each warp of a team solves one without waiting for the others.
#pragma once
#include "constraint_cost.h"
#include "constraint.h"
#include "linear_solve.h"

// Synchronizes those that solve a problem together: all lanes, or the lanes of a warp.
DEV void sync(const Rows& rows) {
  if (NGROUP == 1 || rows.coupled) sync();
  else wsync();
}
template <int N> DEV void team_sums(const Rows& rows, float (&v)[N]) {
  UNROLL for (int k = 0; k < N; k++) v[k] = wsum(v[k]);
  if (TEAM > 1 && (NGROUP == 1 || rows.coupled)) sum_warps(v);
}
DEV float team_sum(const Rows& rows, float v) {
  float sum[1] = {v};
  team_sums(rows, sum);
  return sum[0];
}

// Precision in which products with the mass matrix are summed. Where single precision is insufficient for the inertia of a small
// link (mass_matrix), it is also insufficient here: large accelerations of the bodies that carry the link cancel.
template <bool FINE> struct row_sum { using type = float; };
template <> struct row_sum<true> { using type = real; };
// M x for the lane's dofs.
DEV void multiply_mass(const World& s, const float* x, float (&out)[DOFS_PER_LANE], int lane) {
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    const int i = own_dof(lane, k), group = NGROUP > 1 ? lane / 32 : 0;
    const float4 *m = (const float4*)(s.M + (i < NV ? i : 0) * GP), *v = (const float4*)(x + group * GP);
    using number = row_sum<ABOUT_SUBTREE_COM>::type;
    number sum = 0;
    UNROLL for (int j = 0; j < GP / 4; j++) {
      float4 a = m[j], b = v[j];
      sum += (number)a.x * b.x + (number)a.y * b.y + (number)a.z * b.z + (number)a.w * b.w;
    }
    out[k] = i < NV ? (float)sum : 0.f;
  }
}
DEV void share_vector(World& s, const Rows& rows, const float (&x)[DOFS_PER_LANE], int lane) {
  sync(rows);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
    if (own_column(lane, k) < NC) s.vec[own_column(lane, k)] = own_dof(lane, k) < NV ? x[k] : 0.f;
  sync(rows);
}

DEV float friction_force(const Dof& d) { return clamp(-d.Df * d.rf, -d.friction, d.friction); }
DEV bool in_stiction(const Dof& d) { return d.friction > 0.f && fabsf(d.Df * d.rf) < d.friction; }

DEV float rows_cost(const Rows& rows) {
  float sum = 0.f;
  EACH_BLOCK(k) sum += block_cost(rows.block[k]);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    const Dof& d = rows.dof[k];
    float x = fminf(d.r, 0.f);
    sum += 0.5f * d.D * x * x;
    if (HAS_FRICTION && d.friction > 0.f) {
      float edge = d.friction / d.Df, a = fabsf(d.rf);
      sum += a < edge ? 0.5f * d.Df * a * a : d.friction * (a - 0.5f * edge);
    }
  }
  return sum;
}
DEV void cost_derivatives(const Rows& rows, const float (&v)[BLOCKS_PER_LANE][CONDIM], const float (&x)[DOFS_PER_LANE], float a, float& d, float& dd) {
  EACH_BLOCK(k) block_derivatives(rows.block[k], v[k], a, d, dd);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    const Dof& r = rows.dof[k];
    float b = r.sign * x[k], at = r.r + a * b, w = at < 0.f ? r.D * b : 0.f;
    d += w * at;
    dd += w * b;
    if (HAS_FRICTION && r.friction > 0.f) {
      Dof moved = r;
      moved.rf += a * x[k];
      d -= friction_force(moved) * x[k];
      if (in_stiction(moved)) dd += r.Df * x[k] * x[k];
    }
  }
}
// Difference between the cost of the lane's rows after a full step and the quadratic model from before the step.
DEV float cost_deviation(const Rows& rows, const float (&v)[BLOCKS_PER_LANE][CONDIM], const float (&x)[DOFS_PER_LANE]) {
  float sum = 0.f;
  EACH_BLOCK(k) sum += block_deviation(rows.block[k], v[k]);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    const Dof& d = rows.dof[k];
    sum += limit_deviation(d.D, d.r, d.r + d.sign * x[k]);
    if (HAS_FRICTION && d.friction > 0.f) sum += friction_deviation(d.Df, d.friction, d.rf, d.rf + x[k]);
  }
  return sum;
}
DEV void move_residuals(Rows& rows, const float (&v)[BLOCKS_PER_LANE][CONDIM], const float (&x)[DOFS_PER_LANE], float a) {
  EACH_BLOCK(k)
    UNROLL for (int c = 0; c < CONDIM; c++) rows.block[k].r[c] += a * v[k][c];
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    rows.dof[k].r += a * rows.dof[k].sign * x[k];
    rows.dof[k].rf += a * x[k];
  }
}
DEV void multiply_blocks(const World& s, const Rows& rows, float (&v)[BLOCKS_PER_LANE][CONDIM]) {
  EACH_BLOCK(k) multiply_rows(s, rows.block[k], s.vec, v[k]);
}

// Constraint force on the lane's column, of all blocks that act on its group.
DEV float group_force(World& s, int lane) {
  const int group = lane / 32, column = (lane & 31) < GP ? lane & 31 : 0;
  float sum = 0.f;
  for (int e = 0; e < s.group_nblock[group]; e++) {
    const int b = s.group_blocks[group * NBLOCK + e], place = row_tag(s, b), dim = place & 7, groups = row_groups(s, b);
    const float *J = group_rows(s, groups, dim, group) + column, *f = s.row_force + (place >> 3);
    UNROLL for (int k = 0; k < CONDIM; k++)
      if (k < dim) sum += J[k * GP] * f[k];
  }
  return sum;
}

// Constraint forces on dofs. Leaves the blocks' Hessians in block_hessian.
DEV void rows_force(World& s, const Rows& rows, float (&q)[DOFS_PER_LANE], int lane) {
  EACH_BLOCK(k) {
    const Block& c = rows.block[k];
    float f[CONDIM], *w = s.block_hessian + c.number * HESSIAN_STRIDE;
    if (c.dim == 0) {
      if (c.number < NSCALAR + rows.ncon) w[0] = 0.f;
      continue;
    }
    float tri[HESSIAN_SIZE];
    block_force_hessian(c, f, tri);
    UNROLL for (int i = 0; i < HESSIAN_SIZE; i++) w[i] = tri[i];
    row_tag(s, c.number) = c.row << 3 | c.dim;
    UNROLL for (int i = 0; i < CONDIM; i++)
      if (i < c.dim) s.row_force[c.row + i] = f[i];
  }
  sync(rows);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    const Dof& d = rows.dof[k];
    const int i = own_column(lane, k);
    float sum = d.r < 0.f ? -d.D * d.r * d.sign : 0.f;
    if (HAS_FRICTION && d.friction > 0.f) sum += friction_force(d);
    if (NGROUP > 1) sum += group_force(s, lane);
    else if (i < NP)
      for (int r = 0; r < rows.nrow; r++) sum += s.J[r * NP + i] * s.row_force[r];
    q[k] = sum;
  }
}

// Diagonal of the Hessian due to limits and friction of dofs.
DEV float stiffness(const Dof& d) { return (d.r < 0.f ? d.D : 0.f) + (HAS_FRICTION && in_stiction(d) ? d.Df : 0.f); }

// The 4 × 4 tiles of a lower triangle.
struct Tiles {
  static constexpr int SIDE = NP / 4, COUNT = SIDE * (SIDE + 1) / 2;
  unsigned char row[COUNT], column[COUNT];
};
DEV constexpr Tiles all_tiles() {
  Tiles of = {};
  for (int i = 0, k = 0; i < Tiles::SIDE; i++)
    for (int j = 0; j <= i; j++, k++) of.row[k] = i, of.column[k] = j;
  return of;
}
TABLE Tiles tiles = all_tiles();

// The Hessian of a block, and the position of its rows.
struct BlockHessian { float w[padded(HESSIAN_SIZE)]; int tag; };
DEV BlockHessian block_hessian(const World& s, int block) {
  const float* at = s.block_hessian + block * HESSIAN_STRIDE;
  BlockHessian of;
  UNROLL for (int k = 0; k < HESSIAN_SIZE; k += 4) {
    const float4 v = *(const float4*)(at + k);
    of.w[k] = v.x, of.w[k + 1] = v.y, of.w[k + 2] = v.z, of.w[k + 3] = v.w;
  }
  of.tag = ((const int*)at)[HESSIAN_SIZE];
  return of;
}
// Adds a block's contribution to a tile. Blocks have one row, or at least three.
template <int MOST> DEV void add_tile(const float* w, const float* rows, const float* columns, int dim, float (&a)[4][4]) {
  float4 left[MOST], right[MOST];
  UNROLL for (int k = 0; k < MOST; k++) {
    left[k] = right[k] = make_float4(0.f, 0.f, 0.f, 0.f);
    if (k < 3 || k < dim) left[k] = *(const float4*)(rows + k * NP), right[k] = *(const float4*)(columns + k * NP);
  }
  UNROLL for (int k = 0; k < MOST; k++) {
    if (k >= 3 && k >= dim) continue;
    float t[4] = {0.f, 0.f, 0.f, 0.f};
    UNROLL for (int l = 0; l < MOST; l++) {
      if (!CONE_ELLIPTIC && l != k && l > 0 && k > 0) continue;   // edges of pyramids mix the normal with one axis
      float x = w[l <= k ? lower_index(k, l) : lower_index(l, k)];
      t[0] += x * left[l].x, t[1] += x * left[l].y, t[2] += x * left[l].z, t[3] += x * left[l].w;
    }
    UNROLL for (int r = 0; r < 4; r++) a[r][0] += t[r] * right[k].x, a[r][1] += t[r] * right[k].y, a[r][2] += t[r] * right[k].z, a[r][3] += t[r] * right[k].w;
  }
}

// H = M + Jᵀ W J + diagonal by one warp, one lane per 4 × 4 tile of the lower triangle.
DEV void hessian(World& s, const Rows& rows, int lane) {
  EACH(block, Tiles::COUNT) {
    const int bi = ld(tiles.row + block), bj = ld(tiles.column + block);
    float a[4][4];
    UNROLL for (int r = 0; r < 4; r++) {
      float4 v = *(const float4*)(s.M + (4 * bi + r) * NP + 4 * bj);
      a[r][0] = v.x, a[r][1] = v.y, a[r][2] = v.z, a[r][3] = v.w;
    }
    const int last = NSCALAR + rows.ncon - 1;
    BlockHessian next = block_hessian(s, 0);
    for (int c = 0; c <= last; c++) {
      const BlockHessian now = next;
      next = block_hessian(s, c < last ? c + 1 : last);    // loaded while the current block is used
      const float* w = now.w;
      const int tag = now.tag, dim = tag & 7;
      if (w[0] == 0.f) continue;
      const float* J = s.J + (tag >> 3) * NP;
      if (dim == 1) add_tile<1>(w, J + 4 * bi, J + 4 * bj, 1, a);
      else if (CONDIM > 1) add_tile<CONDIM>(w, J + 4 * bi, J + 4 * bj, dim, a);
    }
    UNROLL for (int r = 0; r < 4; r++) {
      *(float4*)(s.H + (4 * bi + r) * NP + 4 * bj) = make_float4(a[r][0], a[r][1], a[r][2], a[r][3]);
      if (bi != bj) *(float4*)(s.H + (4 * bj + r) * NP + 4 * bi) = make_float4(a[0][r], a[1][r], a[2][r], a[3][r]);
    }
  }
  sync();
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    float add = stiffness(rows.dof[k]);
    if (add != 0.f) s.H[(lane + 32 * k) * NP + lane + 32 * k] += add;
  }
  sync();
}

// The lane's row of the Hessian without its diagonal, by a team: the columns of its own group, or all columns. The latter is rare
// and therefore a loop, because unrolled copies of so long a row compile slowly.
template <bool ALL> DEV void hessian_row(World& s, int lane, float (&row)[ALL ? NC : GP]) {
  const int group = NGROUP > 1 ? lane / 32 : 0, column = NGROUP > 1 ? lane & 31 : lane;
  float own[GP];
  band_row(s.M, own, own_dof(lane, 0));
  UNROLL for (int g = 0; g < (ALL ? NGROUP : 1); g++)
    UNROLL for (int c = 0; c < GP; c++) row[g * GP + c] = !ALL || g == group ? own[c] : 0.f;
  ROLL for (int e = 0; e < s.group_nblock[group]; e++) {
    const int b = s.group_blocks[group * NBLOCK + e], dim = row_tag(s, b) & 7, groups = row_groups(s, b);
    const float* w = s.block_hessian + b * HESSIAN_STRIDE;
    if (w[0] == 0.f) continue;
    const float* left = group_rows(s, groups, dim, group) + (column < GP ? column : 0);
    UNROLL_BY(ALL ? 1 : CONDIM) for (int k = 0; k < CONDIM; k++) {
      if (k >= dim) continue;
      float t = 0.f;
      UNROLL for (int l = 0; l < CONDIM; l++) {
        if (l >= dim || (!CONE_ELLIPTIC && l != k && l > 0 && k > 0)) continue;   // edges of pyramids mix the normal with one axis
        t += w[l <= k ? lower_index(k, l) : lower_index(l, k)] * left[l * GP];
      }
      UNROLL for (int g = 0; g < NGROUP; g++) {
        if (ALL ? !(groups >> g & 1) : g > 0) continue;
        const float* right = group_rows(s, groups, dim, ALL ? g : group) + k * GP;
        UNROLL for (int c = 0; c < GP; c += 4) {
          float4 v = *(const float4*)(right + c);
          float* to = row + g * GP + c;
          to[0] += t * v.x, to[1] += t * v.y, to[2] += t * v.z, to[3] += t * v.w;
        }
      }
    }
  }
}

// Whether a constraint between groups is active.
DEV bool couples(World& s, const Rows& rows) {
  bool pushes = false;
  EACH_BLOCK(k) {
    const Block& b = rows.block[k];
    pushes |= b.dim > 0 && popc(b.groups & ((1 << NGROUP) - 1)) > 1 && s.block_hessian[b.number * HESSIAN_STRIDE] != 0.f;
  }
  return team_any(pushes);
}

// The solution where groups are coupled. Rare, and a separate function, because its rows need all registers.
CALL float solve_coupled(World& s, float diagonal, float y, int lane) {
  float row[NC];
  hessian_row<true>(s, lane, row);
  return solve_all<true>(s.H, row, y, diagonal, s.column, lane);
}

// Newton's direction: x = −H⁻¹ gradient. Without coupling each warp solves for its own group.
DEV void newton(World& s, const Rows& rows, const float (&grad)[DOFS_PER_LANE], float (&x)[DOFS_PER_LANE], int lane) {
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) x[k] = -grad[k];
  if constexpr (TEAM == 1) {
    hessian(s, rows, lane);
    solve_system<true>(s.H, x, s.column, lane);
  } else {
    const float diagonal = own_dof(lane, 0) < NV ? stiffness(rows.dof[0]) : 1.f;
    if (NGROUP == 1 || !rows.coupled || !couples(s, rows)) {
      float row[GP];
      hessian_row<false>(s, lane, row);
      x[0] = solve_group<true>(s.H, row, x[0], diagonal, s.column, lane);
    } else x[0] = solve_coupled(s, diagonal, x[0], lane);
  }
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
    if (own_dof(lane, k) >= NV) x[k] = 0.f;
}

// The lane's part of a dot product.
DEV float lane_dot(const float (&a)[DOFS_PER_LANE], const float (&b)[DOFS_PER_LANE]) {
  float sum = 0.f;
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) sum += a[k] * b[k];
  return sum;
}

// Exact line search. The smooth part of the cost is linear · a + ½ square · a².
DEV float line_search(const Rows& rows, const float (&v)[BLOCKS_PER_LANE][CONDIM], const float (&x)[DOFS_PER_LANE], float linear, float square, float tolerance) {
  float a = 1.f, lo = 0.f, hi = -1.f;
  for (int k = 0; k < LS_ITERATIONS; k++) {
    float d = 0.f, dd = 0.f;
    cost_derivatives(rows, v, x, a, d, dd);
    float sums[2] = {d, dd};
    team_sums(rows, sums);
    d = sums[0] + linear + a * square;
    dd = sums[1] + square;
    if (d < 0.f) lo = a;
    else hi = a;
    float next = a - d / dd;
    if (hi > 0.f && (next >= hi || next <= lo)) next = 0.5f * (lo + hi);
    if (fabsf(d) < tolerance || next == a) break;
    a = next;
  }
  return a;
}

// A full step ends at the minimum of the quadratic model at its start. If the cost at the end is still that quadratic, or nearly,
// no further improvement is possible. Rounding leaves a relative gradient of less than 1e-3, so this (its square) of the
// improvement,
constexpr float STEP_ERROR = 1e-6f;
// and the deviation of rows from the quadratic can be regained at most this many times: the ratio of their stiffness to that of the
// bodies.
constexpr float MAX_STIFFNESS_RATIO = 100.f;
constexpr bool QUADRATIC_PIECES = !CONE_ELLIPTIC || CONDIM == 1;

// Accelerations of the lane's dofs, and M times them. Returns the number of iterations. A last step whose expected improvement is
// below the tolerance is taken but not counted: it changes the result by less than the tolerance.
DEV int solve(const Context& h, Rows& rows, float (&qacc)[DOFS_PER_LANE], float (&Ma)[DOFS_PER_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  const float scale = 1.f / (meaninertia(h.n, 0) * NV), tol = tolerance(h.n, 0);
  float smooth[DOFS_PER_LANE], qfrc_constraint[DOFS_PER_LANE], x[DOFS_PER_LANE], v[BLOCKS_PER_LANE][CONDIM], cost = 0.f;
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    smooth[k] = own_dof(lane, k) < NV ? s.qfrc_smooth[own_dof(lane, k)] : 0.f;
    x[k] = rows.nefc == 0 || own_dof(lane, k) >= NV ? 0.f : qacc[k];
    qacc[k] = Ma[k] = 0.f;
  }
  for (int it = -1;; it++) {  // the first pass moves to the initial guess (warm start)
    const bool starts = it < 0;
    float grad[DOFS_PER_LANE], Mx[DOFS_PER_LANE];
    if (!starts) {
      rows_force(s, rows, qfrc_constraint, lane);
      UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) grad[k] = own_dof(lane, k) < NV ? Ma[k] - smooth[k] - qfrc_constraint[k] : 0.f;
      float gradient_norm = sqrtf(team_sum(rows, lane_dot(grad, grad)));
      if (!(gradient_norm * scale >= tol) || it == ITERATIONS) return it;
      newton(s, rows, grad, x, lane);
    }
    share_vector(s, rows, x, lane);
    multiply_blocks(s, rows, v);
    multiply_mass(s, s.vec, Mx, lane);
    float a = 1.f, rise = 0.f;
    bool last = false, ends = false;
    if (!starts) {
      float net[DOFS_PER_LANE];
      UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) net[k] = Ma[k] - smooth[k];
      float sums[5] = {lane_dot(x, net), lane_dot(x, Mx), lane_dot(x, x), lane_dot(x, grad), QUADRATIC_PIECES ? cost_deviation(rows, v, x) : 0.f};
      team_sums(rows, sums);
      const float linear = sums[0], square = sums[1], improvement = 0.5f * scale * fabsf(sums[3]);
      last = improvement < tol;
      ends = QUADRATIC_PIECES && fmaxf(improvement * STEP_ERROR, scale * sums[4] * MAX_STIFFNESS_RATIO) < tol;
      if (!ends) {
        float ls_gradient_tol = fmaxf(tol * ls_tolerance(h.n, 0) * sqrtf(sums[2]) / scale, 1e-6f * fabsf(sums[3]));
        a = line_search(rows, v, x, linear, square, ls_gradient_tol);
        rise = a * linear + 0.5f * a * a * square;   // of the smooth part
      }
    }
    UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) qacc[k] += a * x[k], Ma[k] += a * Mx[k];
    move_residuals(rows, v, x, a);
    if (!last && !ends) {
      const float now = rows_cost(rows);
      const bool goes_on = starts || scale * (team_sum(rows, cost - now) - rise) >= tol;
      cost = now;
      if (goes_on) continue;
    }
    if (KEEPS_CONTACTS) rows_force(s, rows, qfrc_constraint, lane);
    return last ? it : it + 1;
  }
}
