// Linear systems over dofs by elimination, with the rows of the matrix in the lanes' registers; in place where there are too
// many of them for that.
#pragma once
#include "world.h"

constexpr bool IN_PLACE = NV > 64;
struct Matrix { float row[DOFS_A_LANE][NP]; };

DEV void load_rows(const float* from, Matrix& m, int lane) {
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
    int i = lane + 32 * k;
    const float4* p = (const float4*)(from + (i < NP ? i : 0) * NP);
    UNROLL for (int j = 0; j < NP / 4; j++) {
      float4 v = p[j];
      m.row[k][4 * j] = v.x, m.row[k][4 * j + 1] = v.y, m.row[k][4 * j + 2] = v.z, m.row[k][4 * j + 3] = v.w;
    }
  }
}

// x = m⁻¹ y for a matrix whose pivots need no choice; column is room for two columns. A symmetric one has its rows in them.
template <bool SYMMETRIC> DEV void eliminate(Matrix& m, float (&y)[DOFS_A_LANE], float* column, int lane) {
  float inverse[DOFS_A_LANE];
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) inverse[k] = 1.f;
  UNROLL for (int p = 0; p < NV; p++) {
    float* c = column + (p & 1) * NP;
    if (SYMMETRIC) {
      UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
        if (lane + 32 * k < NP) c[lane + 32 * k] = m.row[k][p];
    } else if (lane == p % 32) {
      UNROLL for (int j = p; j < NV; j++) c[j] = m.row[p / 32][j];
    }
    wsync();
    float inv = pivot(c[p]), yp = shfl(y[p / 32], p % 32);
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
      int i = lane + 32 * k;
      if (i == p) inverse[k] = inv;
      float l = i > p ? m.row[k][p] * inv : 0.f;
      y[k] -= l * yp;
      UNROLL for (int j = p + 1; j < NV; j++) m.row[k][j] -= l * c[j];
    }
  }
  UNROLL for (int p = NV - 1; p >= 0; p--) {
    float x = shfl(y[p / 32] * inverse[p / 32], p % 32);
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++) {
      int i = lane + 32 * k;
      if (i < p) y[k] -= m.row[k][p] * x;
      else if (i == p) y[k] = x;
    }
  }
}

// The same with the matrix where it is, a lane every 32nd row.
template <bool SYMMETRIC> DEV void eliminate_in_place(float* m, float (&y)[DOFS_A_LANE], float* x, int lane) {
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
    if (lane + 32 * k < NP) x[lane + 32 * k] = y[k];
  wsync();
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
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) y[k] = lane + 32 * k < NV ? x[lane + 32 * k] : 0.f;
  wsync();
}

// x = m⁻¹ y, which may destroy m.
template <bool SYMMETRIC = true> DEV void solve_system(float* m, float (&y)[DOFS_A_LANE], float* column, int lane) {
  if constexpr (IN_PLACE) eliminate_in_place<SYMMETRIC>(m, y, column, lane);
  else {
    Matrix rows;
    load_rows(m, rows, lane);
    eliminate<SYMMETRIC>(rows, y, column, lane);
  }
}
