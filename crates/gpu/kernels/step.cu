// One launch steps the batch: a warp a world, the stages in order.
#include "collide.h"
#include "runge.h"
#include "sensor.h"
#include "start.h"

// Accelerations of the present state, and the force on all dofs; false if they are no use: there is no room for all contacts
// and rows, so that nothing is solved, or numbers are bad. Sensors show the state at which a step begins.
DEV bool evaluate(const Here& h, const Batch& b, int w, float (&qacc)[DOFS_A_LANE], float (&Ma)[DOFS_A_LANE], bool begins) {
  const int lane = h.lane;
  body_frames(h);
  centres(h);
  dof_axes(h);
  geom_frames(h);
  tie_frames(h);
  bias(h);
  strand_paths(h);
  write_frames(h, b, w);
  if (begins) sense(h, b, w, TURN_MOTION);
  springs(h);
  tendon_forces(h);
  actuator_forces(h, b.ctrl + w * NU);
  dof_forces(h);
  keep_rates(h);
  mass_matrix(h);
  write_forces(h, b, w);
  if (begins) sense(h, b, w, TURN_FORCE);
  Rows rows;
  int found = contacts(h);
  make_rows(h, found, rows);
  const bool room = found <= rows.ncon && rows.nrow <= NROW;
  if (lane == 0) count(b, w, CONTACTS, found), count(b, w, ROWS, rows.nefc);
  if (!room) {
    if (lane == 0) b.status[STATUS * w + LEFT] = 1;
    return false;
  }
  keep_contacts(h, rows);
  if (!WARM_START) UNROLL for (int k = 0; k < DOFS_A_LANE; k++) qacc[k] = 0.f;
  int iterations = solve(h, rows, qacc, Ma);
  look_back(h, qacc);
  write_accelerations(h, b, w, qacc);
  if (begins) sense(h, b, w, TURN_ACCELERATION);
  bool wrong = false;
  UNROLL for (int k = 0; k < DOFS_A_LANE; k++) wrong |= bad(qacc[k]);
  wrong = any(wrong);
  if (lane == 0) {
    count(b, w, SOLVER_ITERATIONS, iterations);
    flag(b, w, (iterations == ITERATIONS ? NOT_CONVERGED : 0) | (wrong ? BAD_NUMBER : 0));
  }
  if (wrong) UNROLL for (int k = 0; k < DOFS_A_LANE; k++) qacc[k] = 0.f;
  return !wrong;
}

// One step, and whether it was taken; what the solver starts from is left for the next.
DEV bool step_world(const Here& h, const Batch& b, int w, float (&warm)[DOFS_A_LANE]) {
  float Ma[DOFS_A_LANE];
  if (!RUNGE_KUTTA || b.mode & STAY) {
    if (!evaluate(h, b, w, warm, Ma, true)) return false;
    if (!(b.mode & STAY)) advance(h, warm, Ma);
    return true;
  }
  float qacc[DOFS_A_LANE];
  begin_stages(h);
  ROLL for (int k = 0; k < 4; k++) {
    UNROLL for (int c = 0; c < DOFS_A_LANE; c++) qacc[c] = warm[c];
    if (!evaluate(h, b, w, qacc, Ma, k == 0)) {
      cancel_stages(h);
      return false;
    }
    bool middle = k == 1 || k == 2;
    next_stage(h, qacc, middle ? 1.f / 3.f : 1.f / 6.f, k < 2 ? 0.5f : 1.f);
  }
  end_stages(h);
  UNROLL for (int c = 0; c < DOFS_A_LANE; c++) warm[c] = qacc[c];
  return true;
}

// All steps of a world. One that cannot be taken leaves the state before it; the build with more room goes on from there.
DEV void run_world(World& s, const Batch& b, int w, int lane) {
  if (b.mask && !b.mask[w]) return;
  int* status = b.status + STATUS * w;
  const int steps = b.mode & AGAIN ? status[LEFT] : b.nstep;
  if (steps == 0) return;
  wsync();
  if (lane == 0) status[LEFT] = 0;
  Here h = {s, {b.shared, b.own + (long long)w * OWN}, b.mocap + w * 7 * NMOCAP, lane};
  float warm[DOFS_A_LANE];
  if (!load(h, b, w, warm)) {
    if (lane == 0) flag(b, w, BAD_NUMBER);
    return;
  }
  int taken = 0;
  while (taken < steps && step_world(h, b, w, warm)) taken++;
  if (!(b.mode & STAY)) save(h, b, w, warm, taken);
  if (lane == 0 && status[LEFT]) {
    status[LEFT] = steps - taken;
    if (!(b.mode & LARGER_FOLLOWS)) flag(b, w, NO_ROOM);
  }
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
// as many blocks a core as shared memory holds, up to the four that leave 128 registers a thread
constexpr int CORE_BYTES = 227 * 1024, BYTES = (int)sizeof(World);
constexpr int WARPS = 4 * BYTES <= CORE_BYTES ? 4 : 2 * BYTES <= CORE_BYTES ? 2 : 1;
constexpr int ROOM = CORE_BYTES / (WARPS * BYTES + 1024);
constexpr int BLOCKS_A_CORE = ROOM < 1 ? 1 : ROOM > 4 ? 4 : ROOM;
extern "C" __device__ const unsigned build[] = {BYTES, WARPS, sizeof(Batch)};

extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS_A_CORE) step(Batch b) {
  extern __shared__ __align__(16) char room[];
  World& s = ((World*)room)[threadIdx.x / 32];
  for (int w = blockIdx.x * WARPS + threadIdx.x / 32; w < b.nworld; w += gridDim.x * WARPS) run_world(s, b, w, threadIdx.x & 31);
}
extern "C" __global__ void __launch_bounds__(WARPS * 32) start(Batch b) {
  for (int w = blockIdx.x * WARPS + threadIdx.x / 32; w < b.nworld; w += gridDim.x * WARPS) start_world(b, w, threadIdx.x & 31);
}
#endif
