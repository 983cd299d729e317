// Cost of a block of rows as a function of its residuals. A pyramidal cone is a sum over edges. An elliptic cone is quadratic in
// the bottom zone, zero in the top zone, and a quadratic of the distance to the cone in between.
#pragma once
#include "world.h"

// Both ends of a limited range in one row. Two rows that push against each other are stiff springs whose forces nearly cancel. They
// are replaced by one spring with both stiffnesses, centred at the residual where the forces cancel. Each end still has its own
// residual, beyond which it exerts no force.
struct Range { float D[2], r[2]; };
DEV Range range_at(const Block& c, float r) { return {{c.end[0], c.end[1]}, {c.end[2] + r, c.end[3] - r}}; }
DEV void range_force_hessian(const Block& c, float r, float& f, float& w) {
  Range at = range_at(c, r);
  const bool low = at.r[0] < 0.f, high = at.r[1] < 0.f;
  f = low && high ? -c.D[0] * r : low ? -at.D[0] * at.r[0] : high ? at.D[1] * at.r[1] : 0.f;
  w = low && high ? c.D[0] : low ? at.D[0] : high ? at.D[1] : 0.f;
}
DEV float range_cost(const Block& c) {
  Range at = range_at(c, c.r[0]);
  const float low = fmaxf(at.r[0], 0.f), high = fmaxf(at.r[1], 0.f);
  return 0.5f * (c.D[0] * c.r[0] * c.r[0] - at.D[0] * low * low - at.D[1] * high * high);
}

// Force and its derivative for a single row at a residual: one-sided (limit), two-sided (equality) or bounded (friction).
DEV void scalar_force_hessian(const Block& c, float r, float& f, float& w) {
  if (HAS_BOTH_LIMITS && c.kind == LIMIT_BOTH) return range_force_hessian(c, r, f, w);
  bool active = c.kind == EQUALITY || r < 0.f;
  if (NSCALAR > 0 && c.kind == FRICTION) {
    active = fabsf(c.D[0] * r) < c.mu[0];
    f = clamp(-c.D[0] * r, -c.mu[0], c.mu[0]);
  } else f = active ? -c.D[0] * r : 0.f;
  w = active ? c.D[0] : 0.f;
}
DEV float scalar_cost(const Block& c) {
  if (HAS_BOTH_LIMITS && c.kind == LIMIT_BOTH) return range_cost(c);
  float x = c.r[0];
  if (NSCALAR > 0 && c.kind == FRICTION) {
    float edge = c.mu[0] / c.D[0], a = fabsf(x);
    return a < edge ? 0.5f * c.D[0] * a * a : c.mu[0] * (a - 0.5f * edge);
  }
  if (c.kind != EQUALITY) x = fminf(x, 0.f);
  return 0.5f * c.D[0] * x * x;
}

// Residuals scaled to the space in which the friction cone is circular.
struct ConeResidual { float N, T, u[CONDIM]; };
DEV ConeResidual cone_residual(const Block& c, const float* r) {
  ConeResidual z;
  z.N = c.mu[0] * r[0];
  float square = 0.f;
  UNROLL for (int k = 1; k < CONDIM; k++) {
    z.u[k] = k < c.dim ? c.mu[k] * r[k] : 0.f;
    square += z.u[k] * z.u[k];
  }
  z.T = sqrtf(square);
  return z;
}
enum ConeState { SATISFIED, QUADRATIC, CONE };
DEV ConeState cone_state(const Block& c, const ConeResidual& z) {
  if (z.N >= c.mu[0] * z.T) return SATISFIED;
  if (c.mu[0] * z.N + z.T <= 0.f) return QUADRATIC;
  return CONE;
}
DEV float cone_stiffness(const Block& c) { return c.D[0] / (c.mu[0] * c.mu[0] * (1.f + c.mu[0] * c.mu[0])); }

DEV float cone_cost(const Block& c) {
  ConeResidual z = cone_residual(c, c.r);
  ConeState at = cone_state(c, z);
  if (at == SATISFIED) return 0.f;
  if (at == CONE) {
    float gap = z.N - c.mu[0] * z.T;
    return 0.5f * cone_stiffness(c) * gap * gap;
  }
  float sum = 0.f;
  UNROLL for (int k = 0; k < CONDIM; k++)
    if (k < c.dim) sum += 0.5f * c.D[CONE_ELLIPTIC ? k : 0] * c.r[k] * c.r[k];
  return sum;
}
DEV float pyramid_cost(const Block& c) {
  float sum = 0.f;
  UNROLL for (int k = 1; k < CONDIM; k++)
    if (k < c.dim) {
      float t = c.mu[k] * c.r[k], a = fminf(c.r[0] + t, 0.f), b = fminf(c.r[0] - t, 0.f);
      sum += a * a + b * b;
    }
  return 0.5f * c.D[0] * sum;
}
DEV float block_cost(const Block& c) {
  if (c.dim == 0) return 0.f;
  if (c.dim == 1) return scalar_cost(c);
  return CONE_ELLIPTIC ? cone_cost(c) : pyramid_cost(c);
}

// First and second derivative of the cost along residuals r + a v.
DEV void block_derivatives(const Block& c, const float* v, float a, float& d, float& dd) {
  if (c.dim == 0) return;
  if (c.dim == 1) {
    float f, w;
    scalar_force_hessian(c, c.r[0] + a * v[0], f, w);
    d -= f * v[0];
    dd += w * v[0] * v[0];
    return;
  }
  if (!CONE_ELLIPTIC) {
    UNROLL for (int k = 1; k < CONDIM; k++)
      if (k < c.dim) UNROLL for (int side = 0; side < 2; side++) {
        float mu = side ? -c.mu[k] : c.mu[k], x = c.r[0] + mu * c.r[k], b = v[0] + mu * v[k];
        x += a * b;
        float w = x < 0.f ? c.D[0] * b : 0.f;
        d += w * x;
        dd += w * b;
      }
    return;
  }
  float r[CONDIM];
  UNROLL for (int k = 0; k < CONDIM; k++) r[k] = k < c.dim ? c.r[k] + a * v[k] : 0.f;
  ConeResidual z = cone_residual(c, r), w = cone_residual(c, v);
  ConeState at = cone_state(c, z);
  if (at == QUADRATIC) {
    UNROLL for (int k = 0; k < CONDIM; k++)
      if (k < c.dim) d += c.D[CONE_ELLIPTIC ? k : 0] * r[k] * v[k], dd += c.D[CONE_ELLIPTIC ? k : 0] * v[k] * v[k];
  } else if (at == CONE) {
    float uv = 0.f, T = fmaxf(z.T, TINY), mu = c.mu[0], stiff = cone_stiffness(c);
    UNROLL for (int k = 1; k < CONDIM; k++) uv += z.u[k] * w.u[k];
    float dT = uv / T, ddT = (w.T * w.T - dT * dT) / T, gap = z.N - mu * z.T, slope = w.N - mu * dT;
    d += stiff * gap * slope;
    dd += stiff * (slope * slope - gap * mu * ddT);
  }
}

// Difference between the cost at another residual and the quadratic model from the first one: for a one-sided row, for a bounded
// row, and for a block without an elliptic cone.
DEV float limit_deviation(float D, float from, float to) { return (from < 0.f) == (to < 0.f) ? 0.f : 0.5f * D * to * to; }
DEV float friction_deviation(float D, float most, float from, float to) {
  const float before = clamp(-D * from, -most, most), after = clamp(-D * to, -most, most);
  if (fabsf(before) == most) return before == after ? 0.f : fabsf((after - before) * to);
  const float over = fabsf(D * to) - most;
  return over > 0.f ? 0.5f * over * over / D : 0.f;
}
DEV float block_deviation(const Block& c, const float* v) {
  if (c.dim == 0 || c.kind == EQUALITY) return 0.f;
  if (NSCALAR > 0 && c.kind == FRICTION) return friction_deviation(c.D[0], c.mu[0], c.r[0], c.r[0] + v[0]);
  if (HAS_BOTH_LIMITS && c.kind == LIMIT_BOTH) {
    Range from = range_at(c, c.r[0]), to = range_at(c, c.r[0] + v[0]);
    return limit_deviation(from.D[0], from.r[0], to.r[0]) + limit_deviation(from.D[1], from.r[1], to.r[1]);
  }
  if (c.dim == 1) return limit_deviation(c.D[0], c.r[0], c.r[0] + v[0]);
  float sum = 0.f;
  UNROLL for (int k = 1; k < CONDIM; k++)
    if (k < c.dim) UNROLL for (int side = 0; side < 2; side++) {
      const float mu = side ? -c.mu[k] : c.mu[k], from = c.r[0] + mu * c.r[k];
      sum += limit_deviation(c.D[0], from, from + v[0] + mu * v[k]);
    }
  return sum;
}

// Forces of a block's rows, and the lower triangle of its Hessian.
DEV int lower_index(int i, int j) { return i * (i + 1) / 2 + j; }
DEV void pyramid_force_hessian(const Block& c, float* f, float* w) {
  UNROLL for (int k = 1; k < CONDIM; k++)
    if (k < c.dim) {
      float mu = c.mu[k], a = c.r[0] + mu * c.r[k], b = c.r[0] - mu * c.r[k];
      float pa = a < 0.f ? c.D[0] : 0.f, pb = b < 0.f ? c.D[0] : 0.f;
      f[0] -= pa * a + pb * b;
      f[k] -= mu * (pa * a - pb * b);
      w[0] += pa + pb;
      w[lower_index(k, 0)] = mu * (pa - pb);
      w[lower_index(k, k)] = mu * mu * (pa + pb);
    }
}
DEV void cone_force_hessian(const Block& c, float* f, float* w) {
  ConeResidual z = cone_residual(c, c.r);
  ConeState at = cone_state(c, z);
  if (at == QUADRATIC) {
    UNROLL for (int k = 0; k < CONDIM; k++)
      if (k < c.dim) f[k] = -c.D[CONE_ELLIPTIC ? k : 0] * c.r[k], w[lower_index(k, k)] = c.D[CONE_ELLIPTIC ? k : 0];
  } else if (at == CONE) {
    float mu = c.mu[0], T = fmaxf(z.T, TINY), gap = z.N - mu * z.T, stiff = cone_stiffness(c), bend = -gap * mu / T;
    float along[CONDIM];
    UNROLL for (int k = 1; k < CONDIM; k++) along[k] = z.u[k] / T;
    f[0] = -stiff * gap * mu;
    w[0] = stiff * mu * mu;
    UNROLL for (int k = 1; k < CONDIM; k++)
      if (k < c.dim) {
        f[k] = stiff * gap * mu * along[k] * c.mu[k];
        w[lower_index(k, 0)] = -stiff * mu * mu * along[k] * c.mu[k];
        UNROLL for (int l = 1; l <= k; l++)
          w[lower_index(k, l)] = stiff * c.mu[k] * c.mu[l] * (mu * mu * along[k] * along[l] + bend * ((k == l ? 1.f : 0.f) - along[k] * along[l]));
      }
  }
}
DEV void block_force_hessian(const Block& c, float* f, float* w) {
  UNROLL for (int k = 0; k < CONDIM; k++) f[k] = 0.f;
  UNROLL for (int k = 0; k < HESSIAN_SIZE; k++) w[k] = 0.f;
  if (c.dim == 1) scalar_force_hessian(c, c.r[0], f[0], w[0]);
  else if (CONE_ELLIPTIC) cone_force_hessian(c, f, w);
  else pyramid_force_hessian(c, f, w);
}
