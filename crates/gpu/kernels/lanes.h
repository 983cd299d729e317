// What kernels use of the machine: warp intrinsics on a GPU, thirty-two fibres on a CPU. This is the only file that knows which.
#pragma once
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

#define DEV __device__ __forceinline__
// For large functions, and for those called from many places. ptxas allocates registers in the order of their mangled names: a
// rename may change spills (tests/registers.rs).
#define CALL static __device__ __noinline__
#define TABLE __device__ const
#define UNROLL _Pragma("unroll")
#define UNROLL4 _Pragma("unroll 4")
#define UNROLL2 _Pragma("unroll 2")
#define ROLL _Pragma("unroll 1")
#define PRAGMA(words) _Pragma(#words)
#define UNROLL_BY(n) PRAGMA(unroll (n))
#define TEAM_MEMORY __shared__
template <class T> DEV T ld(const T* p) { return __ldg(p); }
DEV float ld_once(const float* p) { return __ldcg(p); }   // bypasses L1, which holds the tables
DEV void wsync() { __syncwarp(); }
DEV void block_sync() { __syncthreads(); }
DEV bool block_any(bool p) { return __syncthreads_or(p); }
DEV int block_count(bool p) { return __syncthreads_count(p); }
DEV int thread_index() { return threadIdx.x; }
template <class T> DEV T shfl(T v, int source) { return __shfl_sync(~0u, v, source); }
template <class T> DEV T shfl_xor(T v, int mask) { return __shfl_xor_sync(~0u, v, mask); }
template <class T> DEV T shfl_up(T v, int by) { return __shfl_up_sync(~0u, v, by); }
DEV unsigned ballot(bool p) { return __ballot_sync(~0u, p); }
DEV int popc(unsigned x) { return __popc(x); }
#if __CUDA_ARCH__ >= 800
DEV int wsum(int v) { return __reduce_add_sync(~0u, v); }   // one instruction instead of ten
#endif
DEV int lowest_bit(unsigned x) { return __ffs(x) - 1; }
// Atomics on device memory; the old value is not used, so nothing waits.
DEV void atomic_max(int* p, int v) { atomicMax(p, v); }
DEV void atomic_or(int* p, int bits) { atomicOr(p, bits); }
DEV void atomic_add(float* p, float v) { atomicAdd(p, v); }
// 1/x within one ulp in four instructions, for pivots, which are neither tiny nor huge.
DEV float pivot_reciprocal(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return fmaf(r, fmaf(-x, r, 1.f), r);
}
#ifdef FAST_MATH
DEV float reciprocal(float x) { return __fdividef(1.f, x); }
DEV void sine_cosine(float x, float* s, float* c) { __sincosf(x, s, c); }
#else
DEV float reciprocal(float x) { return 1.f / x; }
DEV void sine_cosine(float x, float* s, float* c) { sincosf(x, s, c); }
#endif

#else
#include "fibres.h"
#endif

template <class T> DEV T wsum(T v) {
  UNROLL for (int m = 16; m; m >>= 1) v += shfl_xor(v, m);
  return v;
}
DEV float wmax(float v) {
  UNROLL for (int m = 16; m; m >>= 1) v = fmaxf(v, shfl_xor(v, m));
  return v;
}
DEV float wmin(float v) { return -wmax(-v); }
// Exclusive prefix sum over the lanes of a warp.
DEV int wscan(int v, int lane) {
  int sum = v;
  UNROLL for (int by = 1; by < 32; by <<= 1) {
    int before = shfl_up(sum, by);
    if (lane >= by) sum += before;
  }
  return sum - v;
}
DEV bool any(bool p) { return ballot(p) != 0; }
// Compaction over a warp: the slot of the lane's item, after `count` earlier items. Adds the warp's items to `count`.
DEV int wcompact(bool has, int lane, int& count) {
  const unsigned who = ballot(has);
  const int at = count + popc(who & ((1u << lane) - 1));
  count += popc(who);
  return at;
}
