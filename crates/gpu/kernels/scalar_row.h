// Scalar constraint rows: tendon limits and friction, ball joint limits, joint and tendon equalities, components of connects and
// welds, and ranges of which both ends may be active.
#pragma once
#include "impedance.h"
#include "connect_weld.h"

// Violation of a joint or tendon equality, and the derivative of its polynomial.
struct EqPolynomial { float pos, slope; };
DEV EqPolynomial eq_polynomial(const Context& h, int l) {
  bool tendons = ld(scalar_type + l) == SCALAR_EQ_TENDON;
  auto moved = [&](int k) {
    int q = tendons ? ld(scalar_trn + 2 * l + k) : ld(scalar_qpos + 2 * l + k);
    if (q < 0) return 0.f;
    return tendons ? trn_length(h, q) - tendon_length0(h.n, q - NU) : h.s.qpos[q] - qpos0(h.n, q);
  };
  float x = moved(1), value = 0.f, slope = 0.f;
  for (int k = 4; k >= 0; k--) {
    slope = slope * x + value;
    value = value * x + scalar_polycoef(h.n, l, k);
  }
  return {moved(0) - value, slope};
}

DEV v3 ball_rotation(const Context& h, int q) {
  const float* p = h.s.qpos + q;
  return rotation_vector(unit(q4{p[0], p[1], p[2], p[3]}));
}

// Position that a range limits on both sides.
DEV float ranged_value(const Context& h, int l) {
  const bool joint = ld(scalar_type + l) == SCALAR_JOINT_BOTH_LIMITS;
  return joint ? h.s.qpos[ld(scalar_qpos + 2 * l)] : trn_length(h, ld(scalar_trn + 2 * l));
}
DEV bool is_range(int type) { return HAS_BOTH_LIMITS && (type == SCALAR_JOINT_BOTH_LIMITS || type == SCALAR_TENDON_BOTH_LIMITS); }
// Whether any end is active. The residual, before damping is added, is 0 where both ends push equally. Computed in double precision
// because the terms nearly cancel.
DEV int find_both_limits(const Context& h, int l, const SolParams& sol, Block& b) {
  const float at = ranged_value(h, l), margin = scalar_margin(h.n, l);
  double D[2], reference[2];
  int acting = 0;
  UNROLL for (int k = 0; k < 2; k++) {
    const double pos = (k ? (double)scalar_range(h.n, l, 1) - at : (double)at - scalar_range(h.n, l, 0)) - margin;
    const float imp = impedance(sol, (float)pos);
    D[k] = pos < 0 ? 1.f / fmaxf((1.f - imp) / imp * scalar_invweight(h.n, l), TINY) : 0.f;
    reference[k] = (double)sol.K * imp * pos;
    acting += pos < 0;
  }
  if (acting == 0) return 0;
  const double r = (D[0] * reference[0] - D[1] * reference[1]) / (D[0] + D[1]);
  b.kind = LIMIT_BOTH;
  b.end[0] = (float)D[0], b.end[1] = (float)D[1], b.end[2] = (float)(reference[0] - r), b.end[3] = (float)(reference[1] + r);
  b.D[0] = (float)(D[0] + D[1]);
  b.r[0] = (float)r;
  return 1;
}

// Number of rows of a scalar constraint, 0 if it is inactive. Minus the reference acceleration without damping is in r, the bound
// of friction in mu[0].
DEV int find_scalar_row(const Context& h, int l, Block& b) {
  int type = ld(scalar_type + l);
  float margin = scalar_margin(h.n, l), pos = 0.f, size = -1.f;
  bool acts = true;
  if (type == SCALAR_TENDON_FRICTION) b.kind = FRICTION;
  else if (type == SCALAR_EQ_JOINT || type == SCALAR_EQ_TENDON || type == SCALAR_EQ_WELD) {
    b.kind = EQUALITY;
    if (type != SCALAR_EQ_WELD) pos = eq_polynomial(h, l).pos;
    else {
      WeldResidual gap = weld_residual(h, ld(scalar_weld + l));
      int component = ld(scalar_component + l);
      v3 of = component < 3 ? gap.points : gap.turn;
      pos = component % 3 == 0 ? of.x : component % 3 == 1 ? of.y : of.z;
      size = weld_violation(h, ld(scalar_weld + l));
    }
  } else if (!is_range(type)) {
    b.kind = LIMIT;
    if (type == SCALAR_BALL_LIMIT) pos = scalar_range(h.n, l, 1) - norm(ball_rotation(h, ld(scalar_qpos + 2 * l)));
    else {
      float length = trn_length(h, ld(scalar_trn + 2 * l));
      pos = fminf(length - scalar_range(h.n, l, 0), scalar_range(h.n, l, 1) - length);
    }
    acts = pos < margin;
  }
  SolParams sol = {scalar_kb(h.n, l, 0), scalar_kb(h.n, l, 1), {}};
  UNROLL for (int k = 0; k < 5; k++) sol.imp[k] = scalar_solimp(h.n, l, k);
  if (is_range(type)) return find_both_limits(h, l, sol, b);
  float imp = impedance(sol, size < 0.f ? pos - margin : size);
  b.D[0] = 1.f / fmaxf((1.f - imp) / imp * scalar_invweight(h.n, l), TINY);
  b.r[0] = type == SCALAR_TENDON_FRICTION ? 0.f : sol.K * imp * (pos - margin);
  b.mu[0] = scalar_range(h.n, l, 0);
  return acts ? 1 : 0;
}

// Adds the scaled moments of a transmission to a row.
DEV void add_moments(const Context& h, float* J, int k, float by) {
  const int lane = h.lane;
  int first = ld(trn_momentadr + k);
  EACH(e, ld(trn_momentadr + k + 1) - first) J[column_of(ld(moment_dof + first + e))] += by * moment(h, first + e);
}
// Jacobian row of a scalar constraint, one lane per dof. It has the columns of all groups.
DEV void scalar_jacobian(const Context& h, int l, float* J) {
  const int lane = h.lane;
  EACH(i, NC) J[i] = 0.f;
  sync();
  int type = ld(scalar_type + l);
  if (type == SCALAR_EQ_WELD) {
    EACH(i, NV) J[column_of(i)] = weld_jacobian(h, ld(scalar_weld + l), ld(scalar_component + l), i);
  } else if (type == SCALAR_EQ_JOINT) {
    if (lane == 0) {
      J[column_of(ld(scalar_dof + 2 * l))] = 1.f;
      if (ld(scalar_dof + 2 * l + 1) >= 0) J[column_of(ld(scalar_dof + 2 * l + 1))] = -eq_polynomial(h, l).slope;
    }
  } else if (type == SCALAR_BALL_LIMIT) {
    v3 axis = unit(ball_rotation(h, ld(scalar_qpos + 2 * l)));
    if (lane < 3) J[column_of(ld(scalar_dof + 2 * l)) + lane] = lane == 0 ? -axis.x : lane == 1 ? -axis.y : -axis.z;
  } else if (HAS_BOTH_LIMITS && type == SCALAR_JOINT_BOTH_LIMITS) {
    if (lane == 0) J[column_of(ld(scalar_dof + 2 * l))] = 1.f;
  } else {
    int k = ld(scalar_trn + 2 * l), other = ld(scalar_trn + 2 * l + 1);
    float sign = 1.f;
    if (type == SCALAR_TENDON_LIMIT) {
      float length = trn_length(h, k);
      sign = length - scalar_range(h.n, l, 0) < scalar_range(h.n, l, 1) - length ? 1.f : -1.f;
    }
    add_moments(h, J, k, sign);
    if (type == SCALAR_EQ_TENDON && other >= 0) {
      sync();
      add_moments(h, J, other, -eq_polynomial(h, l).slope);
    }
  }
  sync();
}

// Adds the damping term to the residual.
DEV void scalar_reference(const Context& h, int l, Block& b, const float* velocity) {
  float v[CONDIM];
  multiply_rows(h.s, b, velocity, v);
  b.r[0] += scalar_kb(h.n, l, 1) * v[0];
}
