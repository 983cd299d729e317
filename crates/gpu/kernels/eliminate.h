// Linear systems over dofs by elimination, for matrices whose pivots need no choice. A lane has one of the last rows in
// registers; rows beyond what lanes there are come first, in memory. The rows in registers turn by a column at each pivot, so
// that the pivot's column is always the first, and one loop serves all pivots: unrolled over them, the code is larger than
// the caches of instructions.
#pragma once
#include "world.h"

constexpr int PANEL = NV > 32 ? padded(NV - 32) : 0;   // rows in memory
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
    wsync();
  }
}

// Brings n rows in registers to upper triangular form from one pivot to another, and leaves them in memory, each from its
// diagonal on.
template <bool SYMMETRIC, int FROM, int TO, int MOST> DEV void eliminate_rows(float* corner, int n, float (&row)[MOST], float& y, float& inverse, int lane) {
  constexpr int LENGTH = MOST - FROM / 4 * 4;
  ROLL for (int p = FROM; p < TO && p < n; p++) {
    float* c = corner + p * NP;
    if (SYMMETRIC) {
      if (lane >= p && lane < MOST) c[lane - p] = row[0];
    } else if (lane == p) {
      UNROLL for (int r = 0; r < LENGTH; r += 4) *(float4*)(c + r) = make_float4(row[r], row[r + 1], row[r + 2], row[r + 3]);
    }
    wsync();
    const float inv = pivot(c[0]), yp = shfl(y, p);
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
// The lane's component of the solution; later pivots have shorter rows.
template <bool SYMMETRIC, int MOST> DEV void solve_rows(float* corner, int n, float (&row)[MOST], float& y, int lane) {
  constexpr int QUARTER = MOST > 12 ? MOST / 4 : 0;
  float inverse = 1.f;
  eliminate_rows<SYMMETRIC, 0, QUARTER>(corner, n, row, y, inverse, lane);
  eliminate_rows<SYMMETRIC, QUARTER, 2 * QUARTER>(corner, n, row, y, inverse, lane);
  eliminate_rows<SYMMETRIC, 2 * QUARTER, 3 * QUARTER>(corner, n, row, y, inverse, lane);
  eliminate_rows<SYMMETRIC, 3 * QUARTER, MOST>(corner, n, row, y, inverse, lane);
  UNROLL4 for (int p = n - 1; p >= 0; p--) {
    const float value = shfl(y * inverse, p);
    if (lane < p) y -= corner[lane * (NP - 1) + p] * value;
    else if (lane == p) y = value;
  }
}

// All of the matrix in memory, a lane every 32nd row: for more rows than registers hold. x is the right-hand side, and then
// the solution.
template <bool SYMMETRIC> DEV void eliminate_in_place(float* m, float* x, int lane) {
  for (int p = 0; p < NV; p++) {
    const float* top = m + p * NP;
    float inv = pivot(top[p]), xp = x[p];
    for (int i = lane; i < NV; i += 32) {
      if (i <= p) continue;
      float* row = m + i * NP;
      float l = row[p] * inv;
      if (l == 0.f) continue;
      x[i] -= l * xp;
      // a symmetric matrix keeps its lower half to the end, so that rows of trees apart stay apart
      for (int j = p + 1; j < (SYMMETRIC ? i + 1 : NV); j++) row[j] -= l * (SYMMETRIC ? m[j * NP + p] : top[j]);
    }
    wsync();
  }
  for (int p = NV - 1; p >= 0; p--) {
    float value = x[p] / m[p * NP + p];
    wsync();
    for (int i = lane; i < NV; i += 32) {
      if (i < p) x[i] -= (SYMMETRIC ? m[p * NP + i] : m[i * NP + p]) * value;
      else if (i == p) x[i] = value;
    }
    wsync();
  }
}

// Trees that nothing couples, one after the other; x is the right-hand side, and then the solution.
template <bool SYMMETRIC> DEV void solve_trees(float* m, float* x, int lane) {
  ROLL for (int t = 0; t < NTREE; t++) {
    const int first = ld(tree_first + t), n = ld(tree_first + t + 1) - first, i = first + (lane < n ? lane : 0);
    float row[padded(TREE_MOST)], y = x[i];
    UNROLL for (int r = 0; r < padded(TREE_MOST); r++) row[r] = r < n ? m[i * NP + first + r] : 0.f;
    wsync();
    solve_rows<SYMMETRIC>(m + first * NP, n, row, y, lane);
    if (lane < n) x[i] = y;
  }
  wsync();
}

// x = m⁻¹ y, which destroys m; x is room for a vector. A symmetric matrix has its rows in its columns.
template <bool SYMMETRIC = true> DEV void solve_system(float* m, float (&of)[DOFS_A_LANE], float* x, int lane, bool coupled) {
  if (PANEL > 0) {
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
      if (lane + 32 * k < NP) x[lane + 32 * k] = of[k];
    wsync();
  }
  if constexpr (IN_PLACE) {
    if (BY_TREES && !coupled) solve_trees<SYMMETRIC>(m, x, lane);
    else eliminate_in_place<SYMMETRIC>(m, x, lane);
  } else {
    const int i = lane < LAST ? PANEL + lane : PANEL;
    float row[LAST_P], y = PANEL > 0 ? x[i] : of[0];
    UNROLL for (int r = 0; r < LAST_P; r += 4) {
      float4 v = *(const float4*)(m + i * NP + PANEL + r);
      row[r] = v.x, row[r + 1] = v.y, row[r + 2] = v.z, row[r + 3] = v.w;
    }
    if (PANEL > 0) eliminate_panel<SYMMETRIC>(m, x, row, y, lane);
    wsync();
    solve_rows<SYMMETRIC>(m + PANEL * NP + PANEL, LAST, row, y, lane);
    of[0] = y;
    if (PANEL == 0) return;
    if (lane < LAST) x[i] = y;
    wsync();
    ROLL for (int p = PANEL - 1; p >= 0; p--) {
      float sum = 0.f;
      for (int j = p + 1 + lane; j < NV; j += 32) sum += m[p * NP + j] * x[j];
      sum = wsum(sum);
      if (lane == 0) x[p] = (x[p] - sum) / m[p * NP + p];
      wsync();
    }
  }
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) of[k] = lane + 32 * k < NV ? x[lane + 32 * k] : 0.f;
  wsync();
}
