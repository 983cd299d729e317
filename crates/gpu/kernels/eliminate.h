// Linear systems over dofs by elimination, for matrices whose pivots need no choice. A lane has one of the last rows in
// registers; rows beyond what lanes a warp has come first, in memory, or are those of a team's other warps. The rows in registers turn by a column at each pivot, so
// that the pivot's column is always the first, and one loop serves all pivots: unrolled over them, the code is larger than
// the caches of instructions.
#pragma once
#include "world.h"

constexpr int PANEL = TEAM == 1 && NV > 32 ? padded(NV - 32) : 0;   // rows in memory
constexpr int LAST = NV - PANEL, LAST_P = padded(LAST);

// Takes the rows in memory out of each other and out of the lane's row; x is the right-hand side.
template <bool SYMMETRIC> DEV void eliminate_panel(float* m, float* x, float (&row)[LAST_P], float& y, int lane) {
  const int mine = (lane < LAST ? PANEL + lane : PANEL) * NP;
  ROLL for (int p = 0; p < PANEL; p++) {
    const float* top = m + p * NP;
    const float inv = pivot(top[p]), xp = x[p];
    const float l = inv * (SYMMETRIC ? top[lane < LAST ? PANEL + lane : PANEL] : m[mine + p]);
    y -= l * xp;
    UNROLL for (int r = 0; r < LAST_P; r += 4) {
      float4 c = *(const float4*)(top + PANEL + r);
      row[r] -= l * c.x, row[r + 1] -= l * c.y, row[r + 2] -= l * c.z, row[r + 3] -= l * c.w;
    }
    ROLL for (int q = p + 1; q < PANEL; q++) {
      const float k = inv * (SYMMETRIC ? top[q] : m[q * NP + p]);
      for (int j = p + 1 + lane; j < NV; j += 32) m[q * NP + j] -= k * top[j];
      if (lane == 0) x[q] -= k * xp;
    }
    if (!SYMMETRIC && lane < LAST)
      for (int j = p + 1; j < PANEL; j++) m[mine + j] -= l * top[j];
    sync();
  }
}

// Brings n rows in registers to upper triangular form from one pivot to another, and leaves them in memory, each from its
// diagonal on. More rows than a warp has lanes are those of a team, which needs room for their right-hand sides.
template <bool SYMMETRIC, int FROM, int TO, int MOST> DEV void eliminate_rows(float* corner, int n, float (&row)[MOST], float& y, float& inverse, int lane, float* x) {
  constexpr bool WIDE = MOST > 32;
  constexpr int LENGTH = MOST - FROM / 4 * 4;
  ROLL for (int p = FROM; p < TO && p < n; p++) {
    float* c = corner + p * NP;
    if (SYMMETRIC) {
      if (lane >= p && lane < MOST) c[lane - p] = row[0];
    } else if (lane == p) {
      UNROLL for (int r = 0; r < LENGTH; r += 4) *(float4*)(c + r) = make_float4(row[r], row[r + 1], row[r + 2], row[r + 3]);
    }
    if (WIDE && lane == p) x[p] = y;
    if (WIDE) sync();
    else wsync();
    if (WIDE && (lane | 31) < p) continue;
    const float inv = pivot(c[0]), yp = WIDE ? x[p] : shfl(y, p);
    if (lane == p) inverse = inv;
    const float l = lane > p ? row[0] * inv : 0.f;
    y -= l * yp;
    UNROLL for (int r = 0; r < LENGTH; r += 4) {
      float4 v = *(const float4*)(c + r);
      if (r > 0) row[r - 1] = row[r] - l * v.x;
      row[r] = row[r + 1] - l * v.y, row[r + 1] = row[r + 2] - l * v.z, row[r + 2] = row[r + 3] - l * v.w;
    }
  }
}
// Solves a triangle of at most 32 rows, a lane a row.
DEV void go_back(const float* corner, int n, float inverse, float& y, int lane) {
  UNROLL4 for (int p = n - 1; p >= 0; p--) {
    const float value = shfl(y * inverse, p);
    if (lane < p) y -= corner[lane * (NP - 1) + p] * value;
    else if (lane == p) y = value;
  }
}
// The lane's component of the solution; later pivots have shorter rows.
template <bool SYMMETRIC, int MOST> DEV void solve_rows(float* corner, int n, float (&row)[MOST], float& y, int lane, float* x = nullptr) {
  constexpr int QUARTER = MOST > 12 ? MOST / 4 : 0;
  float inverse = 1.f;
  eliminate_rows<SYMMETRIC, 0, QUARTER>(corner, n, row, y, inverse, lane, x);
  eliminate_rows<SYMMETRIC, QUARTER, 2 * QUARTER>(corner, n, row, y, inverse, lane, x);
  eliminate_rows<SYMMETRIC, 2 * QUARTER, 3 * QUARTER>(corner, n, row, y, inverse, lane, x);
  eliminate_rows<SYMMETRIC, 3 * QUARTER, MOST>(corner, n, row, y, inverse, lane, x);
  if (MOST <= 32) return go_back(corner, n, inverse, y, lane);
  // warp after warp from the last, each hands its part of the solution to those before
  ROLL for (int t = TEAM - 1; t >= 0; t--) {
    const int first = 32 * t, count = n - first < 32 ? n - first : 32;
    if (lane / 32 == t) {
      go_back(corner + first * NP, count, inverse, y, lane & 31);
      x[lane] = y;
    }
    sync();
    if (lane < first)
      for (int p = first; p < first + count; p++) y -= corner[lane * (NP - 1) + p] * x[p];
  }
}

// Trees that nothing couples, a warp a tree; x is the right-hand side, and then the solution.
template <bool SYMMETRIC> DEV void solve_trees(float* m, float* x, int every) {
  const int lane = every & 31;
  ROLL for (int t = every / 32; t < NTREE; t += TEAM) {
    const int first = ld(tree_first + t), n = ld(tree_first + t + 1) - first, i = first + (lane < n ? lane : 0);
    float row[padded(TREE_MOST)], y = x[i];
    UNROLL for (int r = 0; r < padded(TREE_MOST); r++) row[r] = r < n ? m[i * NP + first + r] : 0.f;
    wsync();
    solve_rows<SYMMETRIC>(m + first * NP, n, row, y, lane);
    if (lane < n) x[i] = y;
  }
  sync();
}

// x = m⁻¹ y, which destroys m; x is room for a vector. A symmetric matrix has its rows in its columns.
template <bool SYMMETRIC = true> DEV void solve_system(float* m, float (&of)[DOFS_A_LANE], float* x, int lane, bool coupled) {
  if (PANEL > 0 || BY_TREES) {
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
      if (lane + LANES * k < NP) x[lane + LANES * k] = of[k];
    sync();
  }
  if (BY_TREES && !coupled) solve_trees<SYMMETRIC>(m, x, lane);
  else {
    const int i = lane < LAST ? PANEL + lane : PANEL;
    float row[LAST_P], y = PANEL > 0 ? x[i] : of[0];
    UNROLL for (int r = 0; r < LAST_P; r += 4) {
      float4 v = *(const float4*)(m + i * NP + PANEL + r);
      row[r] = v.x, row[r + 1] = v.y, row[r + 2] = v.z, row[r + 3] = v.w;
    }
    if (PANEL > 0) eliminate_panel<SYMMETRIC>(m, x, row, y, lane);
    sync();
    solve_rows<SYMMETRIC>(m + PANEL * NP + PANEL, LAST, row, y, lane, x);
    of[0] = y;
    if (PANEL == 0) return;
    if (lane < LAST) x[i] = y;
    sync();
    ROLL for (int p = PANEL - 1; p >= 0; p--) {
      float sum = 0.f;
      for (int j = p + 1 + lane; j < NV; j += 32) sum += m[p * NP + j] * x[j];
      sum = total(sum);
      if (lane == 0) x[p] = (x[p] - sum) / m[p * NP + p];
      sync();
    }
  }
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) of[k] = lane + LANES * k < NV ? x[lane + LANES * k] : 0.f;
  sync();
}
