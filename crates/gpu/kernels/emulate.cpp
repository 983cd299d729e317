// A batch on emulated lanes: the kernels as a library for this machine.
#include "step.cu"

extern "C" unsigned batch_bytes() { return sizeof(Batch); }

extern "C" void step(const Batch* b, unsigned seed) {
  World* s = (World*)aligned_alloc(alignof(World), sizeof(World));
  if (!s) abort();
  for (int w = 0; w < b->nworld; w++) {
    memset((void*)s, 0xff, sizeof(World));  // uninitialized values are NaN
    fibres::run(LANES, seed ? seed + w : 0, [&](int lane) { run_world(*s, *b, w, lane); });
  }
  free(s);
}

extern "C" void reset(const Batch* b, unsigned seed) {
  for (int w = 0; w < b->nworld; w++) fibres::run(LANES, seed ? seed + w : 0, [&](int lane) { reset_world(*b, w, lane); });
}
