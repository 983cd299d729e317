// Linear systems over dofs by elimination, with the rows of the matrix in the lanes' registers.
#pragma once
#include "world.h"

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
template <bool SYMMETRIC = true> DEV void eliminate(Matrix& m, float (&y)[DOFS_A_LANE], float* column, int lane) {
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
