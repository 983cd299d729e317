// The lanes that step a world: a warp, or a block of several where there are many dofs. What is here is for all of them;
// `wsync`, `ballot`, `shfl` and `wsum` are a warp's own.
#pragma once
#include "vector.h"
#include "model.h"

constexpr int LANES = 32 * TEAM;

// items shared out among the lanes
#define EACH(i, n) for (int i = lane; i < (n); i += LANES)

DEV void sync() {
  if (TEAM == 1) wsync();
  else block_sync();
}

// some words of each warp, for the others to see
constexpr int POSTED = 5;
TEAM_MEMORY int board[POSTED * TEAM];
template <class T> DEV void post(T v) {
  if ((thread() & 31) == 0) ((T*)board)[thread() / 32] = v;
  sync();
}

template <class T> DEV T total(T v) {
  v = wsum(v);
  if (TEAM == 1) return v;
  post(v);
  v = T(0);
  UNROLL for (int t = 0; t < TEAM; t++) v += ((T*)board)[t];
  sync();
  return v;
}
// sums of several numbers that each warp has, with one exchange
template <int N> DEV void sum_warps(float (&v)[N]) {
  static_assert(N <= POSTED, "words that a warp posts");
  float* all = (float*)board;
  if ((thread() & 31) == 0) UNROLL for (int k = 0; k < N; k++) all[k * TEAM + thread() / 32] = v[k];
  sync();
  UNROLL for (int k = 0; k < N; k++) {
    v[k] = 0.f;
    UNROLL for (int t = 0; t < TEAM; t++) v[k] += all[k * TEAM + t];
  }
  sync();
}
DEV bool anyone(bool p) { return TEAM == 1 ? any(p) : block_any(p); }
DEV int how_many(bool p) { return TEAM == 1 ? popc(ballot(p)) : block_count(p); }
// the largest that a warp has
DEV int most(int v) {
  if (TEAM == 1) return v;
  post(v);
  UNROLL for (int t = 0; t < TEAM; t++) v = board[t] > v ? board[t] : v;
  sync();
  return v;
}
// what the first lane has
template <class T> DEV T from_first(T v) {
  post(v);
  v = ((T*)board)[0];
  sync();
  return v;
}
// Where the lane's n items go: behind so many that are there already, and those of the lanes before. Counts all.
DEV int line_up(int n, int lane, int& count) {
  int at = count + wscan(n, lane & 31);
  if (TEAM == 1) {
    count += wsum(n);
    return at;
  }
  post(wsum(n));
  UNROLL for (int t = 0; t < TEAM; t++) {
    if (t < lane / 32) at += board[t];
    count += board[t];
  }
  sync();
  return at;
}
// The same of one item, if the lane has it.
DEV int queue(bool has, int lane, int& count) {
  if (TEAM == 1) return wqueue(has, lane, count);
  int at = 0;
  const int mine = wqueue(has, lane & 31, at);
  post(at);
  at = count + mine;
  UNROLL for (int t = 0; t < TEAM; t++) {
    if (t < lane / 32) at += board[t];
    count += board[t];
  }
  sync();
  return at;
}
