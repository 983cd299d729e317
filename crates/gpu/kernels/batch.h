// The batch in device memory, one row per world. The layout is that of `Arguments` in arguments.rs. Pointers of outputs that were
// not requested are null.
#pragma once
#include "world.h"

struct Batch {
  float *qpos, *qvel, *act, *qacc_warmstart, *time, *ctrl, *mocap;
  const float *shared, *per_world;
  const float *initial, *given;  // one state for all worlds, and optionally one per world: see reset.h
  const unsigned char* mask;     // worlds that take part; null for all
  int* status;
#define OUTPUT(name, count) float* name;
  OUTPUTS
#undef OUTPUT
  int nworld, nstep, mode;
};

// Modes: leave the states as they are; run only the worlds that overflowed in the smaller build; a larger build will follow.
constexpr int FORWARD_ONLY = 1, RESUME = 2, LARGER_FOLLOWS = 4;
// Words of a world's status.
constexpr int CONTACTS = 0, ROWS = 1, SOLVER_ITERATIONS = 2, FLAGS = 3, MAXIMA = 4, STEPS_LEFT = 7, STATUS = 8;
// Flags. A world with the first or the last one keeps the state from before the failed step.
constexpr int NO_ROOM = 1, NOT_CONVERGED = 2, BAD_NUMBER = 4;

DEV bool is_bad(float x) { return !(fabsf(x) < 1e10f); }

// The lane's items of a world's row in device memory.
template <int N> struct LaneItems {
  static constexpr int COUNT = (some(N) + LANES - 1) / LANES;
  float x[COUNT];
  DEV LaneItems(const float* row, int lane) {
    UNROLL for (int k = 0; k < COUNT; k++) x[k] = lane + LANES * k < N ? ld_once(row + lane + LANES * k) : 0.f;
  }
  DEV bool any_bad() const {
    bool found = false;
    UNROLL for (int k = 0; k < COUNT; k++) found |= is_bad(x[k]);
    return found;
  }
  DEV void put(float* to, int size, int lane) const {
    UNROLL for (int k = 0; k < COUNT; k++)
      if (lane + LANES * k < size) to[lane + LANES * k] = x[k];
  }
};

// Reads a world. Returns whether its numbers are usable. All loads are issued before any result is used.
DEV bool load(const Context& h, const Batch& b, int w, float (&warm)[DOFS_PER_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  const LaneItems<NQ> qpos(b.qpos + w * NQ, lane);
  const LaneItems<NV> qvel(b.qvel + w * NV, lane);
  const LaneItems<NA> act(b.act + w * NA, lane);
  bool wrong = false;
  EACH(i, NU) wrong |= is_bad(b.ctrl[w * NU + i]);
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) {
    warm[k] = own_dof(lane, k) < NV ? ld_once(b.qacc_warmstart + w * NV + own_dof(lane, k)) : 0.f;
    if (is_bad(warm[k])) warm[k] = 0.f;
  }
  qpos.put(s.qpos, NQ, lane);
  qvel.put(s.qvel, NP, lane);
  act.put(s.act, NA, lane);
  sync();
  return !team_any(wrong || qpos.any_bad() || qvel.any_bad() || act.any_bad());
}
DEV void save(const Context& h, const Batch& b, int w, const float (&warm)[DOFS_PER_LANE], int taken) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NQ) b.qpos[w * NQ + i] = s.qpos[i];
  EACH(i, NV) b.qvel[w * NV + i] = s.qvel[i];
  EACH(i, NA) b.act[w * NA + i] = s.act[i];
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++)
    if (own_dof(lane, k) < NV) b.qacc_warmstart[w * NV + own_dof(lane, k)] = warm[k];
  if (lane == 0) atomic_add(b.time + w, taken * timestep(h.n, 0));
  sync();
}

// What a step needed: the last value and the maximum so far.
DEV void count(const Batch& b, int w, int word, int n) {
  int* status = b.status + STATUS * w;
  status[word] = n;
  atomic_max(status + MAXIMA + word, n);
}
DEV void flag(const Batch& b, int w, int flags) { atomic_or(b.status + STATUS * w + FLAGS, flags); }
