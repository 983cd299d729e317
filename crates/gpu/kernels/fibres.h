// Lanes on a CPU: one fibre per lane, which run in turn from barrier to barrier. With a seed the order is random, so that a missing
// barrier shows up as a difference.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ucontext.h>

#define DEV inline
#define CALL static
#define TABLE static const
#define UNROLL
#define UNROLL4
#define UNROLL2
#define UNROLL_BY(n)
#define ROLL
#define TEAM_MEMORY static thread_local
struct alignas(16) float4 { float x, y, z, w; };
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace fibres {
constexpr int WARPS = 8, MOST = 32 * WARPS;
constexpr size_t STACK = 256 * 1024;
// Barrier of one warp, or of the whole block.
struct Barrier { int arrived, generation; };
static thread_local ucontext_t context[MOST], home;
static thread_local bool done[MOST];
static thread_local int current, lanes;
static thread_local Barrier warp[WARPS], block;
static thread_local unsigned seed;
static thread_local unsigned long long slot[MOST];
static thread_local std::function<void(int)>* body;

static unsigned draw() {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}
// Switches to another fibre that is not done.
static void leave() {
  int me = current, next = me, from = seed ? (int)(draw() % lanes) : 0;
  for (int i = 1; i <= lanes; i++) {
    next = (me + from + i) % lanes;
    if (!done[next]) break;
  }
  if (done[next]) setcontext(&home);
  if (next == me) return;
  current = next;
  if (done[me]) setcontext(&context[next]);
  else swapcontext(&context[me], &context[next]);
}
static void wait(Barrier& b, int count) {
  int mine = b.generation;
  if (++b.arrived == count) {
    b.arrived = 0;
    ++b.generation;
    return;
  }
  while (b.generation == mine) leave();
}
static void barrier() { wait(warp[current / 32], 32); }
static void entry(int lane) {
  (*body)(lane);
  done[lane] = true;
  leave();
}
static void run(int count, unsigned with_seed, std::function<void(int)> f) {
  static thread_local char* stacks = (char*)malloc(MOST * STACK);
  if (!stacks) abort();
  body = &f;
  seed = with_seed;
  lanes = count;
  block.arrived = 0;
  for (Barrier& b : warp) b.arrived = 0;
  for (int l = 0; l < lanes; l++) {
    done[l] = false;
    getcontext(&context[l]);
    context[l].uc_stack.ss_sp = stacks + l * STACK;
    context[l].uc_stack.ss_size = STACK;
    context[l].uc_link = &home;
    makecontext(&context[l], (void (*)())entry, 1, l);
  }
  current = seed ? (int)(draw() % lanes) : 0;
  swapcontext(&home, &context[current]);
}
template <class T> T exchange(T v, int source) {
  static_assert(sizeof(T) <= 8, "lanes exchange words");
  memcpy(&slot[current], &v, sizeof(T));
  barrier();
  T r;
  memcpy(&r, &slot[(current & ~31) | source], sizeof(T));
  barrier();
  return r;
}
}  // namespace fibres

template <class T> DEV T ld(const T* p) { return *p; }
DEV float ld_once(const float* p) { return *p; }
DEV void wsync() { fibres::barrier(); }
DEV void block_sync() { fibres::wait(fibres::block, fibres::lanes); }
DEV int thread_index() { return fibres::current; }
DEV int block_count(bool p) {
  fibres::slot[fibres::current] = p;
  block_sync();
  int count = 0;
  for (int l = 0; l < fibres::lanes; l++) count += (int)fibres::slot[l];
  block_sync();
  return count;
}
DEV bool block_any(bool p) { return block_count(p) > 0; }
template <class T> DEV T shfl(T v, int source) { return fibres::exchange(v, source); }
template <class T> DEV T shfl_xor(T v, int mask) { return fibres::exchange(v, (fibres::current ^ mask) & 31); }
template <class T> DEV T shfl_up(T v, int by) {
  int lane = fibres::current & 31;
  return fibres::exchange(v, lane < by ? lane : lane - by);
}
DEV unsigned ballot(bool p) {
  fibres::slot[fibres::current] = p;
  fibres::barrier();
  unsigned r = 0;
  for (int l = 0; l < 32; l++) r |= (unsigned)fibres::slot[(fibres::current & ~31) + l] << l;
  fibres::barrier();
  return r;
}
DEV int popc(unsigned x) { return __builtin_popcount(x); }
DEV void atomic_max(int* p, int v) { *p = *p < v ? v : *p; }
DEV void atomic_or(int* p, int bits) { *p |= bits; }
DEV void atomic_add(float* p, float v) { *p += v; }
DEV int lowest_bit(unsigned x) { return __builtin_ffs(x) - 1; }
DEV float reciprocal(float x) { return 1.f / x; }
DEV float pivot_reciprocal(float x) { return 1.f / x; }
DEV void sine_cosine(float x, float* s, float* c) {
  *s = sinf(x);
  *c = cosf(x);
}
