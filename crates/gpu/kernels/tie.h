// Points and frames of bodies that equalities keep together.
#pragma once
#include "kinematics.h"

// where a tie's words are: both points, the first frame, the inverse of the second
constexpr int TIE_POINTS = 0, TIE_FIRST = 6, TIE_INVERSE = 10;

// Where the two sides of each tie are; kept, as the frames of bodies give way to the rows.
DEV void tie_frames(const Here& h) {
  const int lane = h.lane;
  EACH(t, NTIE) {
    Place a = body_place(h.s, ld(tie_body + 2 * t)), b = body_place(h.s, ld(tie_body + 2 * t + 1));
    float* words = h.s.tie + t * TIE_SIZE;
    v3 p = a.pos + rotate(a.quat, tie_pos1(h.n, t)), q = b.pos + rotate(b.quat, tie_pos2(h.n, t));
    put3(words + TIE_POINTS, 1, 0, p);
    put3(words + TIE_POINTS + 3, 1, 0, q);
    put4(words + TIE_FIRST, 1, 0, a.quat * tie_quat1(h.n, t));
    put4(words + TIE_INVERSE, 1, 0, conjugate(b.quat * tie_quat2(h.n, t)));
  }
}

// How far a tie is from holding: points, then the vector part of the turn between the frames, scaled.
struct Gap { v3 points, turn; };
DEV Gap tie_gap(const Here& h, int t) {
  const float* words = h.s.tie + t * TIE_SIZE;
  q4 turn = get4(words + TIE_INVERSE, 1, 0) * get4(words + TIE_FIRST, 1, 0);
  float scale = tie_scale(h.n, t);
  return {get3(words, 1, 0) - get3(words + 3, 1, 0), {scale * turn.x, scale * turn.y, scale * turn.z}};
}
// its size, of which the impedance is a function
DEV float tie_violation(const Here& h, int t) {
  Gap gap = tie_gap(h, t);
  return sqrtf(dot(gap.points, gap.points) + dot(gap.turn, gap.turn));
}

// A component of the gap's change with a dof: 0 to 2 of the points, 3 to 5 of the turn.
DEV float tie_column(const Here& h, int t, int part, int i) {
  const float* words = h.s.tie + t * TIE_SIZE;
  v6 axis = get6(h.s.cdof, DOFS, i);
  v3 com = get3(h.s.com, BODIES, ld(body_rootid + ld(dof_bodyid + i))), move = {0.f, 0.f, 0.f}, spin = move;
  for (int k = 0; k < 2; k++) {
    if (!moves(ld(tie_body + 2 * t + k), i)) continue;
    v3 at = axis.t + cross(axis.r, get3(words + 3 * k, 1, 0) - com);
    move = k == 0 ? move + at : move - at;
    spin = k == 0 ? spin + axis.r : spin - axis.r;
  }
  if (part >= 3) {
    q4 rate = get4(words + TIE_INVERSE, 1, 0) * q4{0.f, spin.x, spin.y, spin.z} * get4(words + TIE_FIRST, 1, 0);
    move = (0.5f * tie_scale(h.n, t)) * v3{rate.x, rate.y, rate.z};
    part -= 3;
  }
  return part == 0 ? move.x : part == 1 ? move.y : move.z;
}
