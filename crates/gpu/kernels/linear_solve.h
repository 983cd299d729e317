// Linear systems over dofs by elimination without pivoting. Each lane holds one of the last rows in registers. Rows beyond the
// lanes of a warp come first and stay in memory, or belong to other warps of a team. Rows in registers shift by one column per
// pivot, so that the pivot's column is always the first and one loop serves all pivots: unrolled over pivots, the code exceeds the
// instruction caches.
#pragma once
#include "world.h"

constexpr int PANEL = TEAM == 1 && NV > 32 ? padded(NV - 32) : 0;   // rows in memory
constexpr int LAST = NV - PANEL, LAST_P = padded(LAST);

// Eliminates the rows in memory from each other and from the lane's row. x is the right-hand side.
template <bool SYMMETRIC> DEV void eliminate_panel(float* m, float* x, float (&row)[LAST_P], float& y, int lane) {
  const int mine = (lane < LAST ? PANEL + lane : PANEL) * NP;
  ROLL for (int p = 0; p < PANEL; p++) {
    const float* top = m + p * NP;
    const float inv = pivot_reciprocal(top[p]), xp = x[p];
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

// The row of a lane of a team, and the last row of its warp.
struct RowRange { int row, last; };

// Reduces n rows in a team's registers to upper triangular form, pivots FROM to TO, and stores them in memory from their diagonals
// on. `diagonal` is added to the diagonal here. x receives the right-hand sides.
template <bool SYMMETRIC, int FROM, int TO, int WIDTH> DEV void eliminate_rows(float* corner, int n, float (&row)[WIDTH], float& y, float diagonal, float& inverse, RowRange at, float* x) {
  constexpr int LENGTH = WIDTH - FROM / 4 * 4;
  ROLL for (int p = FROM; p < TO && p < n; p++) {
    float* c = corner + triangular(WIDTH, p);
    if (at.row == p) row[0] += diagonal;
    if (SYMMETRIC) {
      if (at.row >= p && at.row < WIDTH) c[at.row - p] = row[0];
    } else if (at.row == p) {
      UNROLL for (int r = 0; r < LENGTH; r += 4) *(float4*)(c + r) = make_float4(row[r], row[r + 1], row[r + 2], row[r + 3]);
    }
    if (at.row == p) x[p] = y;
    sync();
    if (at.last < p) continue;
    const float inv = pivot_reciprocal(c[0]), yp = x[p];
    if (at.row == p) inverse = inv;
    const float l = at.row > p ? row[0] * inv : 0.f;
    y -= l * yp;
    UNROLL for (int r = 0; r < LENGTH; r += 4) {
      float4 v = *(const float4*)(c + r);
      if (r > 0) row[r - 1] = row[r] - l * v.x;
      row[r] = row[r + 1] - l * v.y, row[r + 1] = row[r + 2] - l * v.z, row[r + 2] = row[r + 3] - l * v.w;
    }
  }
}
// Back substitution of n rows starting at `from`, one lane of a warp per row.
template <int WIDTH> DEV void back_substitute(const float* corner, int from, int n, float inverse, float& y, int lane) {
  const float* own = corner + triangular(WIDTH, from + (lane < n ? lane : 0)) - lane;
  UNROLL4 for (int p = n - 1; p >= 0; p--) {
    const float value = shfl(y * inverse, p);
    if (lane < p) y -= own[p] * value;
    else if (lane == p) y = value;
  }
}
// The next pivot's reciprocal and its right-hand side: known before the rest of its row.
struct NextPivot { float inverse, y; };

// Gauss–Jordan: eliminates pivots FROM to TO from all other rows of a warp. Lanes whose pivots are done would otherwise idle, and
// no back substitution is left. `diagonal` is added to the diagonal here. Two columns in memory alternate, so that a pivot needs
// one barrier.
template <bool SYMMETRIC, int FROM, int TO, int WIDTH> DEV void reduce_rows(float* columns, int n, float (&row)[WIDTH], float& y, float diagonal, float& inverse, NextPivot& next, int lane) {
  constexpr int LENGTH = WIDTH - FROM / 4 * 4;
  ROLL for (int p = FROM; p < TO && p < n; p++) {
    float* c = columns + (p & 1) * WIDTH;
    if (SYMMETRIC) {
      if (lane >= p && lane < WIDTH) c[lane - p] = row[0];
    } else if (lane == p) {
      UNROLL for (int r = 0; r < LENGTH; r += 4) *(float4*)(c + r) = make_float4(row[r], row[r + 1], row[r + 2], row[r + 3]);
    }
    wsync();
    float4 of[LENGTH / 4];  // all loads are issued before any result is used
    UNROLL for (int r = 0; r < LENGTH / 4; r++) of[r] = *(const float4*)(c + 4 * r);
    if (lane == p) inverse = next.inverse;
    const float l = lane == p ? 0.f : row[0] * next.inverse;
    y -= l * next.y;
    row[0] = row[1] - l * of[0].y;
    if (TEAM > 1 && lane == p + 1) row[0] += diagonal;
    next = {shfl(row[0], (p + 1) & 31), shfl(y, (p + 1) & 31)};
    row[1] = row[2] - l * of[0].z, row[2] = row[3] - l * of[0].w;
    UNROLL for (int r = 4; r < LENGTH; r += 4) {
      const float4 v = of[r / 4];
      row[r - 1] = row[r] - l * v.x, row[r] = row[r + 1] - l * v.y, row[r + 1] = row[r + 2] - l * v.z, row[r + 2] = row[r + 3] - l * v.w;
    }
    next.inverse = pivot_reciprocal(next.inverse);
  }
}
// The lane's component of the solution of n equations. Later pivots have shorter rows, so the loop is split into four lengths.
template <bool SYMMETRIC, int WIDTH> DEV void solve_rows(float* columns, int n, float (&row)[WIDTH], float& y, float diagonal, int lane) {
  constexpr int QUARTER = WIDTH > 12 ? WIDTH / 4 : 0;
  float inverse = 1.f;
  if (TEAM > 1 && lane == 0) row[0] += diagonal;
  NextPivot next = {pivot_reciprocal(shfl(row[0], 0)), shfl(y, 0)};
  reduce_rows<SYMMETRIC, 0, QUARTER>(columns, n, row, y, diagonal, inverse, next, lane);
  reduce_rows<SYMMETRIC, QUARTER, 2 * QUARTER>(columns, n, row, y, diagonal, inverse, next, lane);
  reduce_rows<SYMMETRIC, 2 * QUARTER, 3 * QUARTER>(columns, n, row, y, diagonal, inverse, next, lane);
  reduce_rows<SYMMETRIC, 3 * QUARTER, WIDTH>(columns, n, row, y, diagonal, inverse, next, lane);
  y *= inverse;
}
// The same by a team.
template <bool SYMMETRIC, int WIDTH> DEV void solve_rows_together(float* corner, int n, float (&row)[WIDTH], float& y, float diagonal, int lane, float* x) {
  constexpr int QUARTER = WIDTH > 12 ? WIDTH / 4 : 0, EACH_WARP = NGROUP > 1 ? GP : 32;
  const int warp = lane / 32, local = lane & 31;
  const RowRange at = {local < EACH_WARP ? warp * EACH_WARP + local : WIDTH, warp * EACH_WARP + EACH_WARP - 1};
  float inverse = 1.f;
  eliminate_rows<SYMMETRIC, 0, QUARTER>(corner, n, row, y, diagonal, inverse, at, x);
  eliminate_rows<SYMMETRIC, QUARTER, 2 * QUARTER>(corner, n, row, y, diagonal, inverse, at, x);
  eliminate_rows<SYMMETRIC, 2 * QUARTER, 3 * QUARTER>(corner, n, row, y, diagonal, inverse, at, x);
  eliminate_rows<SYMMETRIC, 3 * QUARTER, WIDTH>(corner, n, row, y, diagonal, inverse, at, x);
  // Back substitution warp by warp from the last; each passes its part of the solution to the earlier ones.
  ROLL for (int t = TEAM - 1; t >= 0; t--) {
    const int first = EACH_WARP * t, count = n - first < EACH_WARP ? n - first : EACH_WARP;
    if (warp == t) {
      back_substitute<WIDTH>(corner, first, count, inverse, y, local);
      if (local < count) x[first + local] = y;
    }
    sync();
    if (warp < t && at.row < WIDTH) {
      const float* own = corner + triangular(WIDTH, at.row) - at.row;
      for (int p = first; p < first + count; p++) y -= own[p] * x[p];
    }
  }
}

// x = m⁻¹ y by one warp, which destroys m. x is scratch space for a vector. A symmetric matrix may be read by columns.
template <bool SYMMETRIC> DEV void solve_system(float* m, float (&of)[DOFS_PER_LANE], float* x, int lane) {
  if (PANEL > 0) {
    UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
      if (lane + 32 * k < NP) x[lane + 32 * k] = of[k];
    wsync();
  }
  const int i = lane < LAST ? PANEL + lane : PANEL;
  float row[LAST_P], y = PANEL > 0 ? x[i] : of[0];
  UNROLL for (int r = 0; r < LAST_P; r += 4) {
    float4 v = *(const float4*)(m + i * NP + PANEL + r);
    row[r] = v.x, row[r + 1] = v.y, row[r + 2] = v.z, row[r + 3] = v.w;
  }
  if (PANEL > 0) eliminate_panel<SYMMETRIC>(m, x, row, y, lane);
  wsync();
  solve_rows<SYMMETRIC>(m + PANEL * NP, LAST, row, y, 0.f, lane);
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
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) of[k] = lane + 32 * k < NV ? x[lane + 32 * k] : 0.f;
  wsync();
}

// The same by a team, whose lanes hold their rows without `diagonal`: of all columns, or of their group only. Each warp then solves
// its group alone.
template <bool SYMMETRIC> DEV float solve_all(float* scratch, float (&row)[NC], float y, float diagonal, float* x, int lane) {
  sync();
  solve_rows_together<SYMMETRIC>(scratch, NC, row, y, diagonal, lane, x);
  sync();
  return y;
}
template <bool SYMMETRIC> DEV float solve_group(float* scratch, float (&row)[GP], float y, float diagonal, float* x, int lane) {
  if constexpr (NGROUP == 1) return solve_all<SYMMETRIC>(scratch, row, y, diagonal, x, lane);
  wsync();
  solve_rows<SYMMETRIC>(scratch + lane / 32 * 2 * GP, GP, row, y, diagonal, lane & 31);
  wsync();
  return y;
}
// The lane's row of a block-diagonal matrix; zeros for a lane without a dof, whose diagonal is set to one.
DEV void band_row(const float* m, float (&row)[GP], int i) {
  UNROLL for (int c = 0; c < GP; c += 4) {
    float4 v = i < NV ? *(const float4*)(m + i * GP + c) : make_float4(0.f, 0.f, 0.f, 0.f);
    row[c] = v.x, row[c + 1] = v.y, row[c + 2] = v.z, row[c + 3] = v.w;
  }
}

// x = m⁻¹ y where m does not couple groups. Destroys m.
template <bool SYMMETRIC> DEV void solve_band(float* m, float (&of)[DOFS_PER_LANE], float* x, int lane) {
  if constexpr (TEAM == 1) solve_system<SYMMETRIC>(m, of, x, lane);
  else {
    const int i = own_dof(lane, 0);
    float row[GP];
    band_row(m, row, i);
    sync();
    of[0] = solve_group<SYMMETRIC>(m, row, i < NV ? of[0] : 0.f, i < NV ? 0.f : 1.f, x, lane);
  }
}
