// Resets worlds: time, controls and mocap poses from the initial state or a keyframe; positions, velocities and activations from
// the same, or from states that the user gives.
#pragma once
#include "batch.h"

constexpr int STATE = NQ + NV + NA;  // a row of given states
DEV void reset_world(const Batch& b, int w, int lane) {
  if (b.mask && !b.mask[w]) return;
  const float* own = b.given ? b.given + (long long)w * STATE : b.initial;
  EACH(i, NQ) b.qpos[w * NQ + i] = own[i];
  EACH(i, NV) b.qvel[w * NV + i] = own[NQ + i];
  EACH(i, NA) b.act[w * NA + i] = own[NQ + NV + i];
  EACH(i, NV) b.qacc_warmstart[w * NV + i] = 0.f;
  const float* rest = b.initial + STATE;
  if (lane == 0) b.time[w] = rest[0];
  EACH(i, NU) b.ctrl[w * NU + i] = rest[1 + i];
  EACH(i, 7 * NMOCAP) b.mocap[w * 7 * NMOCAP + i] = rest[1 + NU + i];
  EACH(i, STATUS) b.status[STATUS * w + i] = 0;
}
