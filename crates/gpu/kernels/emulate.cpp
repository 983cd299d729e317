// A batch on emulated lanes: a program that reads counts, numbers and states from its input, steps the worlds, and writes
// states, status and outputs.
#include "step.cu"
#include <vector>

static void in(void* p, size_t bytes) {
  if (bytes && fread(p, bytes, 1, stdin) != 1) exit(2);
}
static void out(const void* p, size_t bytes) {
  if (bytes && fwrite(p, bytes, 1, stdout) != 1) exit(3);
}

int main() {
  int head[3];                                      // worlds, steps, seed
  in(head, sizeof head);
  const size_t n = head[0];
  std::vector<float> shared(SHARED), qpos(n * NQ), qvel(n * NV), act(n * NA), warm(n * NV), time(n), ctrl(n * NU), mocap(n * 7 * NMOCAP);
  std::vector<int> status(4 * n);
  for (auto* v : {&shared, &qpos, &qvel, &act, &warm, &time, &ctrl, &mocap}) in(v->data(), v->size() * 4);
  Batch b = {};
  b.qpos = qpos.data(), b.qvel = qvel.data(), b.act = act.data(), b.qacc_warmstart = warm.data(), b.time = time.data();
  b.ctrl = ctrl.data(), b.mocap = mocap.data(), b.shared = shared.data(), b.status = status.data();
  b.nworld = head[0], b.nstep = head[1];
  std::vector<std::vector<float>> results;
#define OUTPUT(name, count) results.emplace_back(OUT_##name ? n * (count) : 0); b.name = results.back().data();
  OUTPUTS
#undef OUTPUT
  World* s = (World*)aligned_alloc(16, sizeof(World));
  if (!s) return 4;
  for (int w = 0; w < head[0]; w++) {
    memset((void*)s, 0xff, sizeof(World));          // what nobody wrote is NaN
    fibres::warp(head[2] ? head[2] + w : 0, [&](int lane) { run_world(*s, b, w, lane); });
  }
  free(s);
  for (auto* v : {&qpos, &qvel, &act, &warm, &time}) out(v->data(), v->size() * 4);
  out(status.data(), status.size() * 4);
  for (auto& v : results) out(v.data(), v.size() * 4);
  return 0;
}
