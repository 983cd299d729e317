// Newton's method on the convex problem of the constraint forces, with an exact line search.
#pragma once
#include "cone.h"
#include "constraint.h"
#include "eliminate.h"

// M x for the lane's dofs
DEV void times_mass(const World& s, const float* x, float (&out)[DOFS_A_LANE], int lane) {
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    int i = lane + LANES * k, row = i < NP ? i : 0;
    const float4 *m = (const float4*)(s.M + row * MASS_WIDTH), *v = (const float4*)(x + mass_from(row));
    float sum = 0.f;
    UNROLL for (int j = 0; j < MASS_WIDTH / 4; j++) {
      float4 a = m[j], b = v[j];
      sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    out[k] = i < NV ? sum : 0.f;
  }
}
DEV void share(World& s, const float (&x)[DOFS_A_LANE], int lane) {
  sync();
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
    if (lane + LANES * k < NP) s.vec[lane + LANES * k] = x[k];
  sync();
}

DEV float friction_force(const Dof& d) { return clamp(-d.Df * d.rf, -d.friction, d.friction); }
DEV bool sticks(const Dof& d) { return d.friction > 0.f && fabsf(d.Df * d.rf) < d.friction; }

DEV float rows_cost(const Rows& rows) {
  float sum = 0.f;
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++) sum += block_cost(rows.block[k]);
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
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
DEV void rows_slope(const Rows& rows, const float (&v)[BLOCKS_A_LANE][CONDIM], const float (&x)[DOFS_A_LANE], float a, float& d, float& dd) {
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++) block_slope(rows.block[k], v[k], a, d, dd);
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    const Dof& r = rows.dof[k];
    float b = r.sign * x[k], at = r.r + a * b, w = at < 0.f ? r.D * b : 0.f;
    d += w * at;
    dd += w * b;
    if (HAS_FRICTION && r.friction > 0.f) {
      Dof moved = r;
      moved.rf += a * x[k];
      d -= friction_force(moved) * x[k];
      if (sticks(moved)) dd += r.Df * x[k] * x[k];
    }
  }
}
DEV void move(Rows& rows, const float (&v)[BLOCKS_A_LANE][CONDIM], const float (&x)[DOFS_A_LANE], float a) {
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++)
    UNROLL for (int c = 0; c < CONDIM; c++) rows.block[k].r[c] += a * v[k][c];
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    rows.dof[k].r += a * rows.dof[k].sign * x[k];
    rows.dof[k].rf += a * x[k];
  }
}
DEV void times_blocks(const World& s, const Rows& rows, float (&v)[BLOCKS_A_LANE][CONDIM]) {
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++) times_rows(s, rows.block[k], s.vec, v[k]);
}

// Constraint forces on dofs; leaves the blocks' Hessians in weight.
DEV void rows_force(World& s, const Rows& rows, float (&q)[DOFS_A_LANE], int lane) {
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++) {
    const Block& c = rows.block[k];
    float f[CONDIM], *w = s.weight + (lane + LANES * k) * WEIGHT_STRIDE;
    if (c.dim == 0) {
      if (lane + LANES * k < NLINE + rows.ncon) w[0] = 0.f;
      continue;
    }
    float tri[WEIGHTS];
    block_weight(c, f, tri);
    UNROLL for (int i = 0; i < WEIGHTS; i++) w[i] = tri[i];
    row_place(s, lane + LANES * k) = c.row << 3 | c.dim;
    UNROLL for (int i = 0; i < CONDIM; i++)
      if (i < c.dim) s.rowforce[c.row + i] = f[i];
  }
  sync();
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    const Dof& d = rows.dof[k];
    int i = lane + LANES * k;
    float sum = d.r < 0.f ? -d.D * d.r * d.sign : 0.f;
    if (HAS_FRICTION && d.friction > 0.f) sum += friction_force(d);
    if (i < NP)
      for (int r = 0; r < rows.nrow; r++) sum += s.J[r * NP + i] * s.rowforce[r];
    q[k] = sum;
  }
}

// H = M + Jᵀ W J + diagonal; a lane a 4 × 4 block of the lower triangle, and where nothing couples trees only those of a tree.
DEV void hessian(World& s, const Rows& rows, int lane, bool coupled) {
  constexpr int SIDE = NP / 4, BLOCKS = SIDE * (SIDE + 1) / 2;
  const bool apart = BY_TREES && !coupled;
  EACH(block, apart ? NTREEBLOCK : BLOCKS) {
    int bi = 0;
    if (apart) bi = ld(tree_block + block) >> 8;
    else while ((bi + 1) * (bi + 2) / 2 <= block) bi++;
    int bj = apart ? ld(tree_block + block) & 255 : block - bi * (bi + 1) / 2;
    float a[4][4];
    UNROLL for (int r = 0; r < 4; r++) {
      float4 v = mass_entries(s, 4 * bi + r, 4 * bj);
      a[r][0] = v.x, a[r][1] = v.y, a[r][2] = v.z, a[r][3] = v.w;
    }
    for (int c = 0; c < NLINE + rows.ncon; c++) {
      const float* w = s.weight + c * WEIGHT_STRIDE;
      if (w[0] == 0.f) continue;
      int tag = ((const int*)w)[WEIGHTS], dim = tag & 7;
      const float* J = s.J + (tag >> 3) * NP;
      float4 left[CONDIM];
      UNROLL for (int k = 0; k < CONDIM; k++) left[k] = k < dim ? *(const float4*)(J + k * NP + 4 * bi) : make_float4(0.f, 0.f, 0.f, 0.f);
      UNROLL for (int k = 0; k < CONDIM; k++) {
        if (k >= dim) continue;
        float4 right = *(const float4*)(J + k * NP + 4 * bj);
        float t[4] = {0.f, 0.f, 0.f, 0.f};
        UNROLL for (int l = 0; l < CONDIM; l++) {
          if (!CONE_ELLIPTIC && l != k && l > 0 && k > 0) continue;   // edges of pyramids mix the normal with one axis
          float x = w[l <= k ? triangle(k, l) : triangle(l, k)];
          t[0] += x * left[l].x, t[1] += x * left[l].y, t[2] += x * left[l].z, t[3] += x * left[l].w;
        }
        UNROLL for (int r = 0; r < 4; r++) a[r][0] += t[r] * right.x, a[r][1] += t[r] * right.y, a[r][2] += t[r] * right.z, a[r][3] += t[r] * right.w;
      }
    }
    UNROLL for (int r = 0; r < 4; r++) {
      *(float4*)(s.H + (4 * bi + r) * NP + 4 * bj) = make_float4(a[r][0], a[r][1], a[r][2], a[r][3]);
      if (bi != bj) *(float4*)(s.H + (4 * bj + r) * NP + 4 * bi) = make_float4(a[0][r], a[1][r], a[2][r], a[3][r]);
    }
  }
  sync();
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    const Dof& d = rows.dof[k];
    float add = (d.r < 0.f ? d.D : 0.f) + (HAS_FRICTION && sticks(d) ? d.Df : 0.f);
    if (add != 0.f) s.H[(lane + LANES * k) * NP + lane + LANES * k] += add;
  }
  sync();
}

DEV float across(const float (&a)[DOFS_A_LANE], const float (&b)[DOFS_A_LANE]) {
  float sum = 0.f;
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) sum += a[k] * b[k];
  return total(sum);
}

// How far to go along a direction, of which the smooth part is a line and a parabola.
DEV float line_search(const Rows& rows, const float (&v)[BLOCKS_A_LANE][CONDIM], const float (&x)[DOFS_A_LANE], float linear, float square, float tolerance) {
  float a = 1.f, lo = 0.f, hi = -1.f;
  for (int k = 0; k < LS_ITERATIONS; k++) {
    float d = 0.f, dd = 0.f;
    rows_slope(rows, v, x, a, d, dd);
    d = total(d) + linear + a * square;
    dd = total(dd) + square;
    if (d < 0.f) lo = a;
    else hi = a;
    float next = a - d / dd;
    if (hi > 0.f && (next >= hi || next <= lo)) next = 0.5f * (lo + hi);
    if (fabsf(d) < tolerance || next == a) break;
    a = next;
  }
  return a;
}

// Whether a constraint between trees, or one of a single row, pushes.
DEV bool couples(const World& s, const Rows& rows, int lane) {
  bool pushes = false;
  UNROLL for (int k = 0; k < BLOCKS_A_LANE; k++)
    pushes |= rows.block[k].dim > 0 && rows.block[k].couples && s.weight[(lane + LANES * k) * WEIGHT_STRIDE] != 0.f;
  return anyone(pushes);
}

// Accelerations of the lane's dofs; and M times them. Returns the number of iterations.
DEV int solve(const Here& h, Rows& rows, float (&qacc)[DOFS_A_LANE], float (&Ma)[DOFS_A_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  const float scale = 1.f / (meaninertia(h.n, 0) * NV), tol = tolerance(h.n, 0);
  float smooth[DOFS_A_LANE], grad[DOFS_A_LANE], pull[DOFS_A_LANE], v[BLOCKS_A_LANE][CONDIM];
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    smooth[k] = lane + LANES * k < NP ? s.force[lane + LANES * k] : 0.f;
    if (rows.nefc == 0 || lane + LANES * k >= NV) qacc[k] = 0.f;
  }
  share(s, qacc, lane);
  times_blocks(s, rows, v);
  move(rows, v, qacc, 1.f);
  times_mass(s, s.vec, Ma, lane);
  float cost = rows_cost(rows), gain = 1e30f;
  for (int it = 0;; it++) {
    rows_force(s, rows, pull, lane);
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++) grad[k] = lane + LANES * k < NV ? Ma[k] - smooth[k] - pull[k] : 0.f;
    float steep = sqrtf(across(grad, grad));
    if (!(gain * scale >= tol && steep * scale >= tol) || it == ITERATIONS) return it;
    const bool coupled = !BY_TREES || couples(s, rows, lane);
    hessian(s, rows, lane, coupled);
    float x[DOFS_A_LANE], Mx[DOFS_A_LANE];
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++) x[k] = -grad[k];
    solve_system(s.H, x, s.column, lane, coupled);
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
      if (lane + LANES * k >= NV) x[k] = 0.f;
    share(s, x, lane);
    times_blocks(s, rows, v);
    times_mass(s, s.vec, Mx, lane);
    float net[DOFS_A_LANE];
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++) net[k] = Ma[k] - smooth[k];
    float linear = across(x, net), square = across(x, Mx);
    float fine = fmaxf(tol * ls_tolerance(h.n, 0) * sqrtf(across(x, x)) / scale, 1e-6f * fabsf(across(x, grad)));
    float a = line_search(rows, v, x, linear, square, fine);
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++) qacc[k] += a * x[k], Ma[k] += a * Mx[k];
    move(rows, v, x, a);
    float now = rows_cost(rows);
    gain = total(cost - now) - a * linear - 0.5f * a * a * square;
    cost = now;
  }
}
