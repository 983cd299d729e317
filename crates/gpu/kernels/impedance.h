// Constraint impedance, and products with constraint rows.
#pragma once
#include "transmission.h"

struct SolParams { float K, B, imp[5]; };

// A separate function, because powers other than one and two are rare.
CALL float bend(float x, float mid, float p) {
  return x <= mid ? mid * powf(x / mid, p) : 1.f - (1.f - mid) * powf((1.f - x) / (1.f - mid), p);
}
// Impedance at a constraint violation.
DEV float impedance(const SolParams& k, float pos) {
  float dmin = k.imp[0], dmax = k.imp[1], width = k.imp[2], mid = k.imp[3], p = k.imp[4];
  if (dmin == dmax || width <= TINY) return 0.5f * (dmin + dmax);
  float x = fabsf(pos) / width;
  if (x >= 1.f) return dmax;
  float y = x;
  if (p == 2.f) y = x <= mid ? x * x / mid : 1.f - (1.f - x) * (1.f - x) / (1.f - mid);
  else if (p != 1.f) y = bend(x, mid, p);
  return dmin + y * (dmax - dmin);
}

// Product of a block's rows with a vector over columns.
DEV void multiply_rows(const World& s, const Block& c, const float* x, float* out) {
  UNROLL for (int k = 0; k < CONDIM; k++) out[k] = 0.f;
  if (c.dim == 0) return;
  // Lanes may act on different groups. They iterate together, each from its first group; lanes with fewer rows reload their first
  // row.
  for (int left = c.groups & ((1 << NGROUP) - 1); left; left = NGROUP > 1 ? left & left - 1 : 0) {
    const int g = NGROUP > 1 ? lowest_bit(left) : 0;
    const float4 *first = (const float4*)group_rows(s, c.groups, c.dim, g), *v = (const float4*)(x + g * GP), *j[CONDIM];
    UNROLL for (int k = 0; k < CONDIM; k++) j[k] = first + (k < c.dim ? k * GP / 4 : 0);
    UNROLL for (int i = 0; i < GP / 4; i++) {
      const float4 b = v[i];
      UNROLL for (int k = 0; k < CONDIM; k++) {
        const float4 a = j[k][i];
        out[k] += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
      }
    }
  }
  UNROLL for (int k = 1; k < CONDIM; k++)
    if (k >= c.dim) out[k] = 0.f;
}
