// The lanes that step a world: a warp, or for many dofs a team, which is a block of several warps. Functions here act on all lanes
// of the team; `wsync`, `ballot`, `shfl` and `wsum` act on a warp.
#pragma once
#include "vector.h"
#include "model.h"

constexpr int LANES = 32 * TEAM;

// Distributes items over the lanes.
#define EACH(i, n) for (int i = lane; i < (n); i += LANES)

DEV void sync() {
  if (TEAM == 1) wsync();
  else block_sync();
}

// A few words per warp for exchange between warps.
constexpr int MAX_POSTED = 5;
TEAM_MEMORY int posted[MAX_POSTED * TEAM];
template <class T> DEV void post(T v) {
  if ((thread_index() & 31) == 0) ((T*)posted)[thread_index() / 32] = v;
  sync();
}

template <class T> DEV T team_sum(T v) {
  v = wsum(v);
  if (TEAM == 1) return v;
  post(v);
  v = T(0);
  UNROLL for (int t = 0; t < TEAM; t++) v += ((T*)posted)[t];
  sync();
  return v;
}
// Sums over the warps of several numbers, with one exchange.
template <int N> DEV void sum_warps(float (&v)[N]) {
  static_assert(N <= MAX_POSTED, "capacity of the exchange");
  float* all = (float*)posted;
  if ((thread_index() & 31) == 0) UNROLL for (int k = 0; k < N; k++) all[k * TEAM + thread_index() / 32] = v[k];
  sync();
  UNROLL for (int k = 0; k < N; k++) {
    v[k] = 0.f;
    UNROLL for (int t = 0; t < TEAM; t++) v[k] += all[k * TEAM + t];
  }
  sync();
}
DEV bool team_any(bool p) { return TEAM == 1 ? any(p) : block_any(p); }
DEV int team_count(bool p) { return TEAM == 1 ? popc(ballot(p)) : block_count(p); }
// Maximum over the warps.
DEV int team_max(int v) {
  if (TEAM == 1) return v;
  post(v);
  UNROLL for (int t = 0; t < TEAM; t++) v = posted[t] > v ? posted[t] : v;
  sync();
  return v;
}
// Broadcast from the first lane.
template <class T> DEV T broadcast_first(T v) {
  post(v);
  v = ((T*)posted)[0];
  sync();
  return v;
}
// Prefix sum over the team: the slot of the lane's first of n items, after `count` earlier items. Adds all items to `count`.
DEV int team_scan(int n, int lane, int& count) {
  int at = count + wscan(n, lane & 31);
  if (TEAM == 1) {
    count += wsum(n);
    return at;
  }
  post(wsum(n));
  UNROLL for (int t = 0; t < TEAM; t++) {
    if (t < lane / 32) at += posted[t];
    count += posted[t];
  }
  sync();
  return at;
}
// The same for at most one item per lane.
DEV int team_compact(bool has, int lane, int& count) {
  if (TEAM == 1) return wcompact(has, lane, count);
  int at = 0;
  const int mine = wcompact(has, lane & 31, at);
  post(at);
  at = count + mine;
  UNROLL for (int t = 0; t < TEAM; t++) {
    if (t < lane / 32) at += posted[t];
    count += posted[t];
  }
  sync();
  return at;
}
