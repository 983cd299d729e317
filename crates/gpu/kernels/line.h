// Single rows: limits and dry friction of tendons, limits of ball joints, joints and tendons that follow others, and the
// components of points and frames that are tied together.
#pragma once
#include "hold.h"
#include "tie.h"

// How far a joint or a tendon is from where the other wants it, and how fast that changes with the other.
struct Follow { float pos, slope; };
DEV Follow follow(const Here& h, int l) {
  bool tendons = ld(line_type + l) == LINE_TENDONS;
  auto moved = [&](int k) {
    int q = tendons ? ld(line_strand + 2 * l + k) : ld(line_qpos + 2 * l + k);
    if (q < 0) return 0.f;
    return tendons ? strand_length(h, q) - tendon_length0(h.n, q - NU) : h.s.qpos[q] - qpos0(h.n, q);
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

// How far both ends of a range are. One line is the nearer end; where both may act, another is the farther.
struct Ends { float low, high; };
DEV Ends range_ends(const Here& h, int l) {
  const bool joint = FAR_ENDS && ld(line_type + l) == LINE_FAR_JOINT;
  float at = joint ? h.s.qpos[ld(line_qpos + 2 * l)] : strand_length(h, ld(line_strand + 2 * l));
  return {at - line_range(h.n, l, 0), line_range(h.n, l, 1) - at};
}
DEV bool is_far(int type) { return FAR_ENDS && (type == LINE_FAR_JOINT || type == LINE_FAR_TENDON); }
// The way back from the end that a line is.
DEV float range_sign(const Here& h, int l) {
  Ends e = range_ends(h, l);
  return (e.low < e.high) != is_far(ld(line_type + l)) ? 1.f : -1.f;
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
  } else {
    b.kind = LIMIT;
    if (type == LINE_BALL) pos = line_range(h.n, l, 1) - norm(ball_rotation(h, ld(line_qpos + 2 * l)));
    else {
      Ends e = range_ends(h, l);
      pos = is_far(type) ? fmaxf(e.low, e.high) : fminf(e.low, e.high);
    }
    acts = pos < margin;
  }
  Hold hold = {line_hold(h.n, l, 0), line_hold(h.n, l, 1), {}};
  UNROLL for (int k = 0; k < 5; k++) hold.imp[k] = line_solimp(h.n, l, k);
  float imp = impedance(hold, size < 0.f ? pos - margin : size);
  b.D[0] = 1.f / fmaxf((1.f - imp) / imp * line_invweight(h.n, l), TINY);
  b.r[0] = type == LINE_TENDON_FRICTION ? 0.f : hold.K * imp * (pos - margin);
  b.mu[0] = line_range(h.n, l, 0);
  return acts ? 1 : 0;
}

// A strand's arms, scaled, to a row.
DEV void add_arms(const Here& h, float* J, int k, float by) {
  const int lane = h.lane;
  int first = ld(strand_adr + k);
  EACH(e, ld(strand_adr + k + 1) - first) J[column_of(ld(strand_dof + first + e))] += by * arm(h, first + e);
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
  } else if (FAR_ENDS && type == LINE_FAR_JOINT) {
    if (lane == 0) J[column_of(ld(line_dof + 2 * l))] = range_sign(h, l);
  } else {
    int k = ld(line_strand + 2 * l), other = ld(line_strand + 2 * l + 1);
    float sign = type == LINE_TENDON || is_far(type) ? range_sign(h, l) : 1.f;
    add_arms(h, J, k, sign);
    if (type == LINE_TENDONS && other >= 0) {
      sync();
      add_arms(h, J, other, -follow(h, l).slope);
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
