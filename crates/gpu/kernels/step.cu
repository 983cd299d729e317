// One launch steps the whole batch: one warp or team per world, the stages in order. `if constexpr` keeps stages that the model
// does not use away from the compiler; other constant conditions only remove their code.
#include "adhesion.h"
#include "geom_distance.h"
#include "runge_kutta.h"
#include "reset.h"

// Outputs and sensors of forces, before rows and the solver overwrite them.
DEV void write_and_sense_forces(const Context& h, const Batch& b, int w, bool begins) {
  write_forces(h, b, w);
  if constexpr (OUT_sensordata) if (begins) sense(h, b, w, STAGE_FORCE);
}

// Accelerations at the present state, and the total force on dofs. Returns a flag if they are unusable: contacts or rows exceeded
// the capacity, so nothing was solved, or numbers are bad. Sensors are computed at the beginning of a step only.
DEV int forward(const Context& h, const Batch& b, int w, float (&qacc)[DOFS_PER_LANE], float (&Ma)[DOFS_PER_LANE], bool begins) {
  const int lane = h.lane;
  body_frames(h);
  tree_coms(h);
  dof_axes(h);
  geom_frames(h);
  if constexpr (NWELD > 0) weld_frames(h);
  bias(h);
  if constexpr (MOVING_MOMENTS) moving_transmissions(h);
  write_frames(h, b, w);
  if constexpr (OUT_sensordata) if (begins) sense(h, b, w, STAGE_MOTION);
  springs(h);
  tendon_forces(h);
  if constexpr (HAS_TENDON_ARMATURE) tendon_bias(h);
  actuator_forces(h, b.ctrl + w * NU);
  dof_forces(h);
  velocity_derivatives(h);
  mass_matrix(h);
  if constexpr (HAS_TENDON_ARMATURE) add_tendon_armature(h);
  if (!HAS_ADHESION) write_and_sense_forces(h, b, w, begins);
  if constexpr (USES_GEOMDIST) if (begins) sense_geom_distances(h, b, w);
  Rows rows;
  int found = collision(h);
  if constexpr (HAS_ADHESION) {
    add_adhesion(h, found);
    write_adhesion(h, b, w, found);
    write_and_sense_forces(h, b, w, begins);
  }
  if constexpr (SENSES_ADHESION_VELOCITY) if (begins) sense_adhesion(h, b, w, found);
  make_constraint(h, found, rows);
  const bool fits = found <= rows.ncon && rows.nrow <= NROW && rows.kept <= ROWS_KEPT;
  if (lane == 0) count(b, w, CONTACTS, found), count(b, w, ROWS, rows.nefc);
  if (!fits) return NO_ROOM;
  keep_contacts(h, rows);
  if (!WARM_START) UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) qacc[k] = 0.f;
  int iterations = team_max(solve(h, rows, qacc, Ma));
  write_constraints(h, b, w, rows);
  keep_limits(h, rows);
  if constexpr (KEEPS_CONTACTS) rne_postconstraint(h, rows, qacc);
  write_accelerations(h, b, w, qacc);
  if constexpr (OUT_sensordata) if (begins) sense(h, b, w, STAGE_ACCELERATION);
  bool wrong = false;
  UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) wrong |= is_bad(qacc[k]);
  wrong = team_any(wrong);
  if (lane == 0) {
    count(b, w, SOLVER_ITERATIONS, iterations);
    if (iterations == ITERATIONS) flag(b, w, NOT_CONVERGED);
  }
  if (wrong) UNROLL for (int k = 0; k < DOFS_PER_LANE; k++) qacc[k] = 0.f;
  return wrong ? BAD_NUMBER : 0;
}

// One Runge–Kutta step, or the flag that prevented it.
DEV int runge_kutta_step(const Context& h, const Batch& b, int w, float (&warm)[DOFS_PER_LANE]) {
  const bool stay = b.mode & FORWARD_ONLY;
  float qacc[DOFS_PER_LANE], Ma[DOFS_PER_LANE];
  int trouble = 0;
  begin_stages(h);
  ROLL for (int k = 0; k < 4; k++) {
    UNROLL for (int c = 0; c < DOFS_PER_LANE; c++) qacc[c] = warm[c];
    trouble = forward(h, b, w, qacc, Ma, k == 0);
    if (trouble || stay) break;
    bool middle = k == 1 || k == 2;
    next_stage(h, qacc, middle ? 1.f / 3.f : 1.f / 6.f, k < 2 ? 0.5f : 1.f);
  }
  if (trouble || stay) {
    cancel_stages(h);
    return trouble;
  }
  end_stages(h);
  UNROLL for (int c = 0; c < DOFS_PER_LANE; c++) warm[c] = qacc[c];
  return 0;
}

// One step, or the flag that prevented it. Leaves the warm start of the next step.
DEV int step_world(const Context& h, const Batch& b, int w, float (&warm)[DOFS_PER_LANE]) {
  if constexpr (RUNGE_KUTTA) return runge_kutta_step(h, b, w, warm);
  else {
    float Ma[DOFS_PER_LANE];
    int trouble = forward(h, b, w, warm, Ma, true);
    if (!trouble && !(b.mode & FORWARD_ONLY)) advance(h, warm, Ma);
    return trouble;
  }
}

// All steps of a world. If a step fails, the state before it is kept; the build with more capacity continues from there.
DEV void run_world(World& s, const Batch& b, int w, int lane) {
  if (b.mask && !b.mask[w]) return;
  int* left = b.status + STATUS * w + STEPS_LEFT;
  const int steps = b.mode & RESUME ? *left : b.nstep;
  if (steps == 0) return;
  sync();
  Context h = {s, {b.shared, b.per_world + (long long)w * PER_WORLD}, b.mocap + w * 7 * NMOCAP, lane};
  float warm[DOFS_PER_LANE];
  int taken = 0, trouble = load(h, b, w, warm) ? 0 : BAD_NUMBER;
  if (!trouble) {
    while (taken < steps && !(trouble = step_world(h, b, w, warm))) taken++;
    if (!(b.mode & FORWARD_ONLY)) save(h, b, w, warm, taken);
  }
  if (lane == 0) {
    *left = trouble == NO_ROOM ? steps - taken : 0;
    if (trouble == NO_ROOM && b.mode & LARGER_FOLLOWS) trouble = 0;
    if (trouble) flag(b, w, trouble);
  }
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
constexpr int SM_BYTES = 227 * 1024, BYTES = (int)sizeof(World);
// Worlds that fit the shared memory of a multiprocessor in blocks of the given size, up to sixteen warps (128 registers per thread)
// or twelve for teams (168 registers).
DEV constexpr int worlds_per_sm(int worlds) {
  constexpr int MAX_WORLDS = TEAM == 1 ? 16 : TEAM > 12 ? 1 : 12 / TEAM;
  const int all = SM_BYTES / (worlds * BYTES + 1024) * worlds;
  return all > MAX_WORLDS ? MAX_WORLDS : all;
}
// Blocks of two worlds if as many worlds are resident, because a block waits for its last world. Otherwise blocks smaller than four
// only if more worlds are resident at no cost in registers: with eight worlds a thread has 255.
constexpr int BEST_BLOCK = worlds_per_sm(4) >= 8 || (worlds_per_sm(4) >= worlds_per_sm(2) && worlds_per_sm(4) >= worlds_per_sm(1)) ? 4 : worlds_per_sm(2) >= worlds_per_sm(1) ? 2 : 1;
constexpr int WORLDS = TEAM > 1 ? 1 : BEST_BLOCK == 4 && worlds_per_sm(2) == worlds_per_sm(4) ? 2 : BEST_BLOCK;
constexpr int BLOCKS_PER_SM = worlds_per_sm(WORLDS) > WORLDS ? worlds_per_sm(WORLDS) / WORLDS : 1;
// Few worlds need the larger build: a team scans several worlds, but not so many that one team has to step them all.
#ifdef LARGER
constexpr int WORLDS_SCANNED = 8;
DEV unsigned in_need(const Batch& b, int w) { return ballot(w < b.nworld && b.status[STATUS * w + STEPS_LEFT] > 0) & ((1u << WORLDS_SCANNED) - 1); }
#else
constexpr int WORLDS_SCANNED = 1;
DEV unsigned in_need(const Batch&, int) { return 1u; }
#endif
extern "C" __device__ const unsigned build[] = {BYTES, WORLDS, LANES, WORLDS_SCANNED, sizeof(Batch)};

extern "C" __global__ void __launch_bounds__(WORLDS * LANES, BLOCKS_PER_SM) step(Batch b) {
  extern __shared__ __align__(16) char memory[];
  const int mine = threadIdx.x / LANES, lane = threadIdx.x % LANES;
  World& s = ((World*)memory)[mine];
  for (int first = WORLDS_SCANNED * (blockIdx.x * WORLDS + mine); first < b.nworld; first += WORLDS_SCANNED * gridDim.x * WORLDS) {
    unsigned who = in_need(b, first + (lane & 31));
    sync();  // before a world changes the statuses that were scanned
    for (; who; who &= who - 1) run_world(s, b, first + lowest_bit(who), lane);
  }
}
extern "C" __global__ void __launch_bounds__(WORLDS * LANES) reset(Batch b) {
  for (int w = blockIdx.x * WORLDS + threadIdx.x / LANES; w < b.nworld; w += gridDim.x * WORLDS) reset_world(b, w, threadIdx.x % LANES);
}
#endif
