// Muscles: force-length-velocity curves, passive force, and activation dynamics.
#pragma once
#include "tendon_armature.h"

// Force over length: 1 at the optimum, 0 outside the range, two half parabolas on either side.
DEV float length_curve(float x, float low, float high) {
  if (x < low || x > high) return 0.f;
  float end = x <= 1.f ? low : high, run = fmaxf(fabsf(1.f - end), TINY), from = (x - end) / run, left = (1.f - x) / run;
  return fabsf(from) <= 0.5f ? 2.f * from * from : 1.f - 2.f * left * left;
}
// Force over velocity, and its derivative.
struct CurvePoint { float value, slope; };
DEV CurvePoint velocity_curve(float v, float most) {
  if (v <= 0.f) {
    float above = fmaxf(v + 1.f, 0.f);
    return {above * above, 2.f * above};
  }
  float run = fmaxf(most - 1.f, TINY), left = fmaxf(most - 1.f - v, 0.f);
  return {most - left * left / run, 2.f * left / run};
}

// Force per activation, and its derivative with respect to velocity.
DEV CurvePoint muscle_gain(const Context& h, int u, float length, float velocity) {
  auto p = [&](int k) { return muscle_active(h.n, u, k); };
  CurvePoint speed = velocity_curve(velocity / p(6), p(7));
  float scale = -p(0) * length_curve(p(1) + (length - p(2)) / p(3), p(4), p(5));
  return {scale * speed.value, scale * speed.slope / p(6)};
}
DEV float muscle_bias(const Context& h, int u, float length) {
  auto p = [&](int k) { return muscle_passive(h.n, u, k); };
  float x = p(1) + (length - p(2)) / p(3), middle = 0.5f * (1.f + p(4)), run = fmaxf(middle - 1.f, TINY), rise = 0.f;
  if (x > middle) rise = 0.5f + (x - middle) / run;
  else if (x > 1.f) rise = 0.5f * (x - 1.f) * (x - 1.f) / (run * run);
  return -p(0) * p(5) * rise;
}
// Rate of activation: separate time constants for activation and deactivation, blended over a width.
DEV float muscle_dynamics(const Context& h, int u, float ctrl, float act) {
  float excess = clamp(ctrl, 0.f, 1.f) - act, level = 0.5f + 1.5f * clamp(act, 0.f, 1.f);
  float rise = actuator_dynprm(h.n, u, 0) * level, fall = actuator_dynprm(h.n, u, 1) / level, width = actuator_dynprm(h.n, u, 2);
  float share = excess > 0.f ? 1.f : 0.f;
  if (width >= TINY) {
    float x = clamp(excess / width + 0.5f, 0.f, 1.f);
    share = x * x * x * (3.f * x * (2.f * x - 5.f) + 10.f);
  }
  return excess / fmaxf(fall + (rise - fall) * share, TINY);
}
