// One launch steps the batch: a warp a world, the stages in order.
#include "collide.h"
#include "runge.h"
#include "solver.h"

// The batch in device memory, a row a world. Pointers of outputs nobody asked for are null.
struct Batch {
  float *qpos, *qvel, *act, *qacc_warmstart, *time;
  const float *ctrl, *mocap, *shared, *own;
  int* status;                                      // of each world: contacts, rows, iterations, flags
#define OUTPUT(name, count) float* name;
  OUTPUTS
#undef OUTPUT
  int nworld, nstep;
};
constexpr int LOST_CONTACTS = 1, NOT_CONVERGED = 2, BAD_NUMBER = 4;

DEV void load(const Here& h, const Batch& b, int w, float (&warm)[DOFS_A_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NQ) s.qpos[i] = b.qpos[w * NQ + i];
  EACH(i, NP) s.qvel[i] = i < NV ? b.qvel[w * NV + i] : 0.f;
  EACH(i, NA) s.act[i] = b.act[w * NA + i];
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) warm[k] = lane + 32 * k < NV ? b.qacc_warmstart[w * NV + lane + 32 * k] : 0.f;
  wsync();
}
DEV void save(const Here& h, const Batch& b, int w, const float (&warm)[DOFS_A_LANE]) {
  const int lane = h.lane;
  World& s = h.s;
  EACH(i, NQ) b.qpos[w * NQ + i] = s.qpos[i];
  EACH(i, NV) b.qvel[w * NV + i] = s.qvel[i];
  EACH(i, NA) b.act[w * NA + i] = s.act[i];
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
    if (lane + 32 * k < NV) b.qacc_warmstart[w * NV + lane + 32 * k] = warm[k];
  if (lane == 0) b.time[w] += b.nstep * timestep(h.n, 0);
  wsync();
}

// What is asked for of the frames, while they are there.
DEV void write_frames(const Here& h, const Batch& b, int w) {
  const int lane = h.lane;
  World& s = h.s;
  if (OUT_xpos) EACH(i, 3 * NBODY) b.xpos[w * 3 * NBODY + i] = xpos(s)[i % 3 * BODIES + i / 3];
  if (OUT_xquat) EACH(i, 4 * NBODY) b.xquat[w * 4 * NBODY + i] = xquat(s)[i % 4 * BODIES + i / 4];
  if (OUT_cdof) EACH(i, 6 * NV) b.cdof[w * 6 * NV + i] = s.cdof[i % 6 * DOFS + i / 6];
  if (OUT_geom_xpos) EACH(i, 3 * NGEOM) b.geom_xpos[w * 3 * NGEOM + i] = s.gpos[i % 3 * GEOMS + i / 3];
}
DEV void write_matrix(const Here& h, const Batch& b, int w) {
  const int lane = h.lane;
  if (OUT_M) EACH(i, NV * NV) b.M[w * NV * NV + i] = h.s.M[i / NV * NP + i % NV];
  if (OUT_qfrc_smooth) EACH(i, NV) b.qfrc_smooth[w * NV + i] = h.s.force[i];
}

// Accelerations of the present state, and the force on all dofs; flags of what went wrong.
DEV int evaluate(const Here& h, const Batch& b, int w, float (&qacc)[DOFS_A_LANE], float (&Ma)[DOFS_A_LANE]) {
  const int lane = h.lane;
  body_frames(h);
  centres(h);
  dof_axes(h);
  geom_frames(h);
  tie_frames(h);
  bias(h);
  strand_paths(h);
  write_frames(h, b, w);
  springs(h);
  tendon_forces(h);
  actuator_forces(h, b.ctrl + w * NU);
  dof_forces(h);
  keep_rates(h);
  mass_matrix(h);
  write_matrix(h, b, w);
  Rows rows;
  int found = contacts(h);
  make_rows(h, found, rows);
  if (!WARM_START) UNROLL for (int k = 0; k < DOFS_A_LANE; k++) qacc[k] = 0.f;
  int iterations = solve(h, rows, qacc, Ma);
  if (OUT_qacc)
    UNROLL for (int k = 0; k < DOFS_A_LANE; k++)
      if (lane + 32 * k < NV) b.qacc[w * NV + lane + 32 * k] = qacc[k];
  bool bad = false;
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) bad |= !(fabsf(qacc[k]) < 1e10f);
  int flags = (found > rows.ncon || rows.nrow > NROW ? LOST_CONTACTS : 0) | (iterations == ITERATIONS ? NOT_CONVERGED : 0) | (any(bad) ? BAD_NUMBER : 0);
  if (lane == 0) {
    int* status = b.status + 4 * w;
    status[0] = found;
    status[1] = rows.nefc;
    status[2] = iterations;
    status[3] |= flags;
  }
  return flags;
}

// One step; what the solver starts from is left for the next.
DEV void step_world(const Here& h, const Batch& b, int w, float (&warm)[DOFS_A_LANE]) {
  float Ma[DOFS_A_LANE];
  if (!RUNGE_KUTTA) {
    evaluate(h, b, w, warm, Ma);
    advance(h, warm, Ma);
    return;
  }
  float qacc[DOFS_A_LANE];
  begin_stages(h);
  ROLL for (int k = 0; k < 4; k++) {
    UNROLL for (int c = 0; c < DOFS_A_LANE; c++) qacc[c] = warm[c];
    evaluate(h, b, w, qacc, Ma);
    bool middle = k == 1 || k == 2;
    next_stage(h, qacc, middle ? 1.f / 3.f : 1.f / 6.f, k < 2 ? 0.5f : 1.f);
  }
  end_stages(h);
  UNROLL for (int c = 0; c < DOFS_A_LANE; c++) warm[c] = qacc[c];
}

DEV void run_world(World& s, const Batch& b, int w, int lane) {
  Here h = {s, {b.shared, b.own + (long long)w * OWN}, b.mocap + w * 7 * NMOCAP, lane};
  float warm[DOFS_A_LANE];
  load(h, b, w, warm);
  for (int k = 0; k < b.nstep; k++) step_world(h, b, w, warm);
  save(h, b, w, warm);
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
// as many blocks a core as shared memory holds, up to the four that leave 128 registers a thread
constexpr int WARPS = 4, CORE_BYTES = 227 * 1024;
constexpr int ROOM = CORE_BYTES / (WARPS * (int)sizeof(World) + 1024);
constexpr int BLOCKS_A_CORE = ROOM < 1 ? 1 : ROOM > 4 ? 4 : ROOM;
extern "C" __device__ const unsigned world_bytes = sizeof(World);

extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS_A_CORE) step(Batch b) {
  extern __shared__ __align__(16) char room[];
  World& s = ((World*)room)[threadIdx.x / 32];
  for (int w = blockIdx.x * WARPS + threadIdx.x / 32; w < b.nworld; w += gridDim.x * WARPS) run_world(s, b, w, threadIdx.x & 31);
}
#endif
