// Single rows: limits and dry friction of tendons, limits of ball joints, joints and tendons that follow others, and the
// components of points and frames that are tied together.
#pragma once
#include "impedance.h"
#include "connect_weld.h"

// How far a joint or a tendon is from where the other wants it, and how fast that changes with the other.
struct Follow { float pos, slope; };
DEV Follow follow(const Here& h, int l) {
  bool tendons = ld(line_type + l) == LINE_TENDONS;
  auto moved = [&](int k) {
    int q = tendons ? ld(line_strand + 2 * l + k) : ld(line_qpos + 2 * l + k);
    if (q < 0) return 0.f;
    return tendons ? trn_length(h, q) - tendon_length0(h.n, q - NU) : h.s.qpos[q] - qpos0(h.n, q);
  };
  float x = moved(1), value = 0.f, slope = 0.f;
  for (int k = 4; k >= 0; k--) {
    slope = slope * x + value;
    value = value * x + line_polynomial(h.n, l, k);
  }
  return {moved(0) - value, slope};
}

DEV v3 ball_rotation(const Here& h, int q) {
  const float* p = h.s.qpos + q;
  return rotation_vector(unit(q4{p[0], p[1], p[2], p[3]}));
}

// What a line keeps within a range at both ends.
DEV float ranged(const Here& h, int l) {
  const bool joint = ld(line_type + l) == LINE_JOINT_ENDS;
  return joint ? h.s.qpos[ld(line_qpos + 2 * l)] : trn_length(h, ld(line_strand + 2 * l));
}
DEV bool is_range(int type) { return BOTH_ENDS && (type == LINE_JOINT_ENDS || type == LINE_TENDON_ENDS); }
// Whether an end acts; the residual, before its damping, is 0 where both push alike. What nearly cancels is found with more digits.
DEV int find_ends(const Here& h, int l, const Hold& hold, Block& b) {
  const float at = ranged(h, l), margin = line_margin(h.n, l);
  double D[2], pull[2];
  int acting = 0;
  UNROLL for (int k = 0; k < 2; k++) {
    const double pos = (k ? (double)line_range(h.n, l, 1) - at : (double)at - line_range(h.n, l, 0)) - margin;
    const float imp = impedance(hold, (float)pos);
    D[k] = pos < 0 ? 1.f / fmaxf((1.f - imp) / imp * line_invweight(h.n, l), TINY) : 0.f;
    pull[k] = (double)hold.K * imp * pos;
    acting += pos < 0;
  }
  if (acting == 0) return 0;
  const double r = (D[0] * pull[0] - D[1] * pull[1]) / (D[0] + D[1]);
  b.kind = BOTH;
  b.end[0] = (float)D[0], b.end[1] = (float)D[1], b.end[2] = (float)(pull[0] - r), b.end[3] = (float)(pull[1] + r);
  b.D[0] = (float)(D[0] + D[1]);
  b.r[0] = (float)r;
  return 1;
}

// Whether a line acts: its number of rows, with the pull towards the reference in r, and the bound of friction in mu[0].
DEV int find_line(const Here& h, int l, Block& b) {
  int type = ld(line_type + l);
  float margin = line_margin(h.n, l), pos = 0.f, size = -1.f;
  bool acts = true;
  if (type == LINE_TENDON_FRICTION) b.kind = FRICTION;
  else if (type == LINE_JOINTS || type == LINE_TENDONS || type == LINE_TIE) {
    b.kind = EQUALITY;
    if (type != LINE_TIE) pos = follow(h, l).pos;
    else {
      Gap gap = tie_gap(h, ld(line_tie + l));
      int part = ld(line_part + l);
      v3 of = part < 3 ? gap.points : gap.turn;
      pos = part % 3 == 0 ? of.x : part % 3 == 1 ? of.y : of.z;
      size = tie_violation(h, ld(line_tie + l));
    }
  } else if (!is_range(type)) {
    b.kind = LIMIT;
    if (type == LINE_BALL) pos = line_range(h.n, l, 1) - norm(ball_rotation(h, ld(line_qpos + 2 * l)));
    else {
      float length = trn_length(h, ld(line_strand + 2 * l));
      pos = fminf(length - line_range(h.n, l, 0), line_range(h.n, l, 1) - length);
    }
    acts = pos < margin;
  }
  Hold hold = {line_hold(h.n, l, 0), line_hold(h.n, l, 1), {}};
  UNROLL for (int k = 0; k < 5; k++) hold.imp[k] = line_solimp(h.n, l, k);
  if (is_range(type)) return find_ends(h, l, hold, b);
  float imp = impedance(hold, size < 0.f ? pos - margin : size);
  b.D[0] = 1.f / fmaxf((1.f - imp) / imp * line_invweight(h.n, l), TINY);
  b.r[0] = type == LINE_TENDON_FRICTION ? 0.f : hold.K * imp * (pos - margin);
  b.mu[0] = line_range(h.n, l, 0);
  return acts ? 1 : 0;
}

// A strand's arms, scaled, to a row.
DEV void add_moments(const Here& h, float* J, int k, float by) {
  const int lane = h.lane;
  int first = ld(trn_momentadr + k);
  EACH(e, ld(trn_momentadr + k + 1) - first) J[column_of(ld(moment_dof + first + e))] += by * moment(h, first + e);
}
// The row of a line, a lane a dof; it has the columns of all groups.
DEV void line_jacobian(const Here& h, int l, float* J) {
  const int lane = h.lane;
  EACH(i, NC) J[i] = 0.f;
  sync();
  int type = ld(line_type + l);
  if (type == LINE_TIE) {
    EACH(i, NV) J[column_of(i)] = tie_column(h, ld(line_tie + l), ld(line_part + l), i);
  } else if (type == LINE_JOINTS) {
    if (lane == 0) {
      J[column_of(ld(line_dof + 2 * l))] = 1.f;
      if (ld(line_dof + 2 * l + 1) >= 0) J[column_of(ld(line_dof + 2 * l + 1))] = -follow(h, l).slope;
    }
  } else if (type == LINE_BALL) {
    v3 axis = unit(ball_rotation(h, ld(line_qpos + 2 * l)));
    if (lane < 3) J[column_of(ld(line_dof + 2 * l)) + lane] = lane == 0 ? -axis.x : lane == 1 ? -axis.y : -axis.z;
  } else if (BOTH_ENDS && type == LINE_JOINT_ENDS) {
    if (lane == 0) J[column_of(ld(line_dof + 2 * l))] = 1.f;
  } else {
    int k = ld(line_strand + 2 * l), other = ld(line_strand + 2 * l + 1);
    float sign = 1.f;
    if (type == LINE_TENDON) {
      float length = trn_length(h, k);
      sign = length - line_range(h.n, l, 0) < line_range(h.n, l, 1) - length ? 1.f : -1.f;
    }
    add_moments(h, J, k, sign);
    if (type == LINE_TENDONS && other >= 0) {
      sync();
      add_moments(h, J, other, -follow(h, l).slope);
    }
  }
  sync();
}

// Damping of the violation.
DEV void line_rows(const Here& h, int l, Block& b, const float* velocity) {
  float v[CONDIM];
  times_rows(h.s, b, velocity, v);
  b.r[0] += line_hold(h.n, l, 1) * v[0];
}
