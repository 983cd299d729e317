// State of a world during a step, in shared memory: everything that stages pass to each other. Arrays whose lifetimes do not
// overlap share memory. Strides of arrays that lanes read side by side are odd to avoid bank conflicts; rows that are read as
// float4 are 16-byte aligned.
#pragma once
#include "collide/ccd.h"
#include "team.h"

DEV constexpr int padded(int n) { return (n + 3) / 4 * 4; }
DEV constexpr int some(int n) { return n > 0 ? n : 1; }
constexpr int NP = padded(NV);  // row length of a matrix over dofs
constexpr int BODIES = NBODY | 1, DOFS = NV | 1, GEOMS = NGEOM | 1, JOINTS = some(NJNT) | 1;
constexpr int DOFS_PER_LANE = (NV + LANES - 1) / LANES;
// A group is the dofs of whole trees that one warp of a team owns. Matrices and vectors of the solver have their columns group by
// group, each padded to GP. A matrix that does not couple groups is stored with the columns of one group.
constexpr int GP = NGROUP > 1 ? padded(GROUP_MAX) : NP, NC = NGROUP * GP;
// Capacity of the list of near pairs. Smaller than the number of pairs if there are many pairs and few contacts, except in the
// larger build.
#ifdef LARGER
constexpr int MAX_NEAR = NPAIR;
#else
constexpr int NEAR_LIMIT = 1024, MAX_NEAR = NBODYPAIR > 0 && NPAIR > NEAR_LIMIT && 16 * NCON <= NEAR_LIMIT ? NEAR_LIMIT : NPAIR;
#endif
// Blocks are constraints that have rows: scalar rows, then contacts.
constexpr int NBLOCK = some(NSCALAR + NCON);
constexpr int BLOCKS_PER_LANE = (NBLOCK + LANES - 1) / LANES, BLOCKS_PER_WARP = 32 * BLOCKS_PER_LANE;
// Iterates over the lane's blocks. In the larger build a lane has several; unrolled copies would compile slowest of all.
#ifdef LARGER
#define EACH_BLOCK(k) ROLL for (int k = 0; k < BLOCKS_PER_LANE; k++)
#else
#define EACH_BLOCK(k) UNROLL for (int k = 0; k < BLOCKS_PER_LANE; k++)
#endif
constexpr int HESSIAN_SIZE = CONDIM * (CONDIM + 1) / 2;   // lower triangle of a block's Hessian
constexpr int HESSIAN_STRIDE = padded(HESSIAN_SIZE + 2);

// Capacity of rows in memory, each as wide as a group. Rows of contacts between groups are stored once per group.
#ifdef LARGER
constexpr int ROWS_KEPT = NROW + (NGROUP > 1 ? NROW + NSCALAR * (NGROUP - 2) : 0);
#else
constexpr int ROWS_KEPT = NROW + (NGROUP > 1 ? NROW / 4 + NSCALAR * (NGROUP - 1) : 0);
#endif
// Offset of a row of an upper triangular matrix stored from the diagonal on; four consecutive rows begin at the same column.
DEV constexpr int triangular(int width, int row) { return row / 4 * 4 * (width - row / 4 * 2 + 2) + row % 4 * (width - row / 4 * 4); }
// Matrix memory of the solver: a whole matrix, or a team's block-diagonal matrix, later what remains of all groups after
// elimination. There is slack at the end because rows are written and read whole.
constexpr int BAND = NP * GP, TEAM_SYSTEM = triangular(NC, NC) + NC;
constexpr int SYSTEM = TEAM == 1 || BAND > TEAM_SYSTEM ? BAND : TEAM_SYSTEM;

// Layout of a contact's words.
constexpr int WELD_SIZE = NWELD > 0 ? 17 : 14, SEGMENT_SIZE = 14;   // without welds the layout of other arrays is unchanged
constexpr int CON_POS = 0, CON_DIST = 3, CON_NORMAL = 4, CON_TANGENT = 7, CON_PAIR = 10, CON_SIZE = 12;

struct alignas(16) World {
  // state and rates of activations
  float qpos[padded(NQ)], qvel[NP], act[padded(some(NA))], act_dot[padded(some(NA))];
  // smooth forces on dofs; a vector for exchange between lanes, which holds qfrc_actuator before the solver; pivot columns
  float qfrc_smooth[NP], vec[NC > NP ? NC : NP], column[2 * (NC > NP ? NC : NP)];
  // force of each transmission, and its derivative with respect to the transmission's velocity
  float trn_force[padded(some(NTRN))], trn_force_dvel[padded(some(NTRN))];
  // moments and lengths of transmissions, where they change with positions
  float moment[MOVING_MOMENTS ? padded(NMOMENT) : 1], length[MOVING_MOMENTS ? padded(NTRN) : 1];
  // Runge–Kutta: the initial state and the mean rates
  float rk_state[RUNGE_KUTTA ? padded(NQ) + 3 * NP + 2 * padded(some(NA)) : 1];
  // connects and welds, see connect_weld.h
  float weld[some(NWELD) * WELD_SIZE];
  // contacts, row positions and limit forces that outputs and sensors need after the solver
  float kept_contact[KEEPS_CONTACTS ? some(NCON) * CON_SIZE : 1];
  int kept_row[KEEPS_CONTACTS ? NBLOCK : 1], kept_count;
  float limit_force[KEEPS_LIMIT_FORCES ? NP : 1];
  // blocks that act on a group, and those assigned to its warp: the first group they act on
  unsigned short group_blocks[TEAM > 1 ? NGROUP * NBLOCK : 1], group_nblock[NGROUP], warp_blocks[NGROUP > 1 ? NGROUP * BLOCKS_PER_WARP : 1];
  // mass matrix; −dt times the derivative of forces with respect to velocity
  alignas(16) float M[NP * GP], qderiv[KEEPS_QDERIV ? NP * GP : 4];
  // Hessians of blocks, followed by row_tag and row_groups; forces of rows
  float block_hessian[NBLOCK * HESSIAN_STRIDE], row_force[padded(some(NROW))];
  union {
    struct {
      // Body frames (two buffers for doubling); anchors and axes of joints; composite inertias and forces, 10 + 6 numbers per body.
      // Sums along dof chains (two buffers); velocities after each dof; see bias_derivative.h.
      float xpos[2][3 * BODIES], xquat[2][4 * BODIES], joint[6 * JOINTS], subtree_sum[16 * BODIES];
      float chain[2][6 * DOFS], dof_velocity[6 * DOFS], coriolis[IMPLICIT ? 12 * BODIES : 1];
    };
    alignas(16) float J[some(ROWS_KEPT) * GP];
    alignas(16) char ccd_memory[HAS_CONVEX || USES_GEOMDIST ? CCD_BYTES : 1];
  };
  union {
    struct {
      // contacts, or segments of spatial tendons; dof axes; geom frames; centres of mass of trees, at their roots
      union { float contact[some(NCON) * CON_SIZE], segment[some(NSEGMENT) * SEGMENT_SIZE]; };
      float cdof[6 * DOFS], geom_xpos[3 * GEOMS], geom_xquat[4 * GEOMS], com[3 * BODIES];
      unsigned short near_pairs[some(MAX_NEAR)];
    };
    alignas(16) float H[SYSTEM];
  };
};

// The lane's k-th dof (NV or more if it has none) and its column.
DEV int own_dof(int lane, int k) { return NGROUP > 1 ? ld(lane_dof + lane) : lane + LANES * k; }
DEV int own_column(int lane, int k) {
  if (NGROUP == 1) return lane + LANES * k;
  return (lane & 31) < GP ? lane / 32 * GP + (lane & 31) : NC;
}
// Groups of dofs and their first dof.
DEV int group_of(int i) { return NGROUP > 1 ? ld(dof_group + (i < NV ? i : NV - 1)) : 0; }
DEV int group_start(int g) { return NGROUP > 1 ? ld(group_first + g) : 0; }
DEV int column_of(int i) { return NGROUP > 1 ? group_of(i) * GP + i - group_start(group_of(i)) : i; }
// Index of an entry in a matrix that does not couple groups, such as the mass matrix.
DEV int band(int i, int j) { return i * GP + (NGROUP > 1 ? ld(dof_column + j) : j); }
DEV float mass(const World& s, int i, int j) { return group_of(i) == group_of(j) ? s.M[band(i, j)] : 0.f; }

// Position and number of a block's rows, stored after its Hessian.
DEV int& row_tag(World& s, int block) { return ((int*)(s.block_hessian + block * HESSIAN_STRIDE))[HESSIAN_SIZE]; }
// Bit mask of the groups the block acts on, and the index in J of its rows for the first of them.
DEV int& row_groups(World& s, int block) { return ((int*)(s.block_hessian + block * HESSIAN_STRIDE))[HESSIAN_SIZE + 1]; }
constexpr int GROUP_BITS = 8;
static_assert(NGROUP <= GROUP_BITS, "one bit per group");
// The rows of a block for a given group.
DEV const float* group_rows(const World& s, int groups, int dim, int g) {
  int row = groups >> GROUP_BITS;
  if (NGROUP > 1) row += popc(groups & ((1 << g) - 1)) * dim;
  return s.J + row * GP;
}

DEV Ccd& ccd(World& s) { return *(Ccd*)s.ccd_memory; }

// What the lanes know besides the world. Mocap poses are the user's, seven numbers each.
struct Context {
  World& s;
  Numbers n;
  const float* mocap;
  int lane;
};

// The lane's part of the constraints: blocks with rows, and limits and friction of dofs.
enum BlockKind { CONTACT, LIMIT, EQUALITY, FRICTION, LIMIT_BOTH };
struct Block {
  int row, dim, number;  // index of the scalar row or contact; NBLOCK if the lane has none
  BlockKind kind;
  int groups;                                                  // as in row_groups
  float D[CONE_ELLIPTIC ? CONDIM : 1], mu[CONDIM], r[CONDIM];  // mu[0] of friction is its bound
  // two-sided range: stiffness of both ends, and their residuals where the row's residual is 0
  float end[4];
};
struct Dof {
  float sign, D, r;        // limit: +1 at the lower end, -1 at the upper, 0 if inactive
  float friction, Df, rf;  // friction: bound, 1/R, residual
};
struct Rows {
  Block block[BLOCKS_PER_LANE];
  Dof dof[DOFS_PER_LANE];
  int ncon, nrow, nefc, kept;
  bool coupled;  // constraints act on several groups, which are then solved together
};
