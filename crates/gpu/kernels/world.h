// A world while it is stepped: everything its stages hand to each other, in shared memory. Parts that are never alive
// together overlap. Strides of arrays that lanes read side by side are odd, rows that are read whole begin at 16 bytes.
#pragma once
#include "collide/ccd.h"
#include "team.h"

DEV constexpr int padded(int n) { return (n + 3) / 4 * 4; }
DEV constexpr int some(int n) { return n > 0 ? n : 1; }
constexpr int NP = padded(NV);                       // a row of a matrix over dofs
constexpr int BODIES = NBODY | 1, DOFS = NV | 1, GEOMS = NGEOM | 1, JOINTS = some(NJNT) | 1;
constexpr int DOFS_PER_LANE = (NV + LANES - 1) / LANES;
// Dofs of whole trees that a warp of a team has are a group. Matrices and vectors of the solver have their columns group by
// group, each padded to rows of so many; what couples no groups has the columns of one.
constexpr int GP = NGROUP > 1 ? padded(GROUP_MOST) : NP, NC = NGROUP * GP;
// Pairs that may be near each other at once: fewer than all where these are many and contacts are few, but for the build that has more
// room.
#ifdef LARGER
constexpr int MAX_NEAR = NPAIR;
#else
constexpr int NEAR_LIMIT = 1024, MAX_NEAR = NBODYPAIR > 0 && NPAIR > NEAR_LIMIT && 16 * NCON <= NEAR_LIMIT ? NEAR_LIMIT : NPAIR;
#endif
constexpr int NBLOCK = some(NSCALAR + NCON);            // constraints that have rows: lines, then contacts
constexpr int BLOCKS_PER_LANE = (NBLOCK + LANES - 1) / LANES, BLOCKS_PER_WARP = 32 * BLOCKS_PER_LANE;   // and those of a warp
// A lane's blocks one after the other. The larger build has several a lane: as copies of the code they take the compiler longest.
#ifdef LARGER
#define EACH_BLOCK(k) ROLL for (int k = 0; k < BLOCKS_PER_LANE; k++)
#else
#define EACH_BLOCK(k) UNROLL for (int k = 0; k < BLOCKS_PER_LANE; k++)
#endif
constexpr int HESSIAN_SIZE = CONDIM * (CONDIM + 1) / 2;   // lower triangle of a block's Hessian
constexpr int HESSIAN_STRIDE = padded(HESSIAN_SIZE + 2);

// Rows in memory, each as wide as a group; those of contacts between groups are there twice.
#ifdef LARGER
constexpr int ROWS_KEPT = NROW + (NGROUP > 1 ? NROW + NSCALAR * (NGROUP - 2) : 0);
#else
constexpr int ROWS_KEPT = NROW + (NGROUP > 1 ? NROW / 4 + NSCALAR * (NGROUP - 1) : 0);
#endif
// Rows of a triangular matrix from their diagonals on, one after the other; four begin at the same column.
DEV constexpr int triangular(int width, int row) { return row / 4 * 4 * (width - row / 4 * 2 + 2) + row % 4 * (width - row / 4 * 4); }
// What the solver works with: a whole matrix, or the band of a team and then what is left of all groups after elimination;
// with room behind, as rows are written and read whole.
constexpr int BAND = NP * GP, TEAM_ROOM = triangular(NC, NC) + NC;
constexpr int SYSTEM = TEAM == 1 || BAND > TEAM_ROOM ? BAND : TEAM_ROOM;

// where a contact's words are
constexpr int WELD_SIZE = NWELD > 0 ? 17 : 14, SEGMENT_SIZE = 14;   // without ties other parts stay where they were
constexpr int CON_POS = 0, CON_DIST = 3, CON_NORMAL = 4, CON_TANGENT = 7, CON_PAIR = 10, CON_SIZE = 12;

struct alignas(16) World {
  float qpos[padded(NQ)], qvel[NP], act[padded(some(NA))], act_dot[padded(some(NA))];
  float qfrc_smooth[NP], vec[NC > NP ? NC : NP], column[2 * (NC > NP ? NC : NP)];
  float trn_force[padded(some(NTRN))], trn_force_dvel[padded(some(NTRN))];
  float moment[MOVING_MOMENTS ? padded(NMOMENT) : 1], length[MOVING_MOMENTS ? padded(NTRN) : 1];
  float rk_state[RUNGE_KUTTA ? padded(NQ) + 3 * NP + 2 * padded(some(NA)) : 1];
  float weld[some(NWELD) * WELD_SIZE];
  float kept_contact[KEEPS_CONTACTS ? some(NCON) * CON_SIZE : 1];
  int kept_row[KEEPS_CONTACTS ? NBLOCK : 1], kept_count;
  float limit_force[KEEPS_LIMIT_FORCES ? NP : 1];
  // blocks that act on a group, and those of them that its warp has: they act on no group before
  unsigned short group_blocks[TEAM > 1 ? NGROUP * NBLOCK : 1], group_nblock[NGROUP], warp_blocks[NGROUP > 1 ? NGROUP * BLOCKS_PER_WARP : 1];
  alignas(16) float M[NP * GP], qderiv[KEEPS_QDERIV ? NP * GP : 4];
  float block_hessian[NBLOCK * HESSIAN_STRIDE], row_force[padded(some(NROW))];
  union {
    struct {
      float xpos[2][3 * BODIES], xquat[2][4 * BODIES], joint[6 * JOINTS], subtree_sum[16 * BODIES], chain[2][6 * DOFS], dof_velocity[6 * DOFS], coriolis[IMPLICIT ? 12 * BODIES : 1];
    };
    alignas(16) float J[some(ROWS_KEPT) * GP];
    alignas(16) char ccd_memory[HAS_CONVEX || USES_GEOMDIST ? CCD_BYTES : 1];
  };
  union {
    struct {
      union { float contact[some(NCON) * CON_SIZE], segment[some(NSEGMENT) * SEGMENT_SIZE]; };
      float cdof[6 * DOFS], gpos[3 * GEOMS], gquat[4 * GEOMS], com[3 * BODIES];
      unsigned short near_pairs[some(MAX_NEAR)];
    };
    alignas(16) float H[SYSTEM];
  };
};

// The lane's k-th dof, NV or more if it has none, and the column it has.
DEV int own_dof(int lane, int k) { return NGROUP > 1 ? ld(lane_dof + lane) : lane + LANES * k; }
DEV int own_column(int lane, int k) {
  if (NGROUP == 1) return lane + LANES * k;
  return (lane & 31) < GP ? lane / 32 * GP + (lane & 31) : NC;
}
// Groups of dofs and where they begin.
DEV int group_of(int i) { return NGROUP > 1 ? ld(dof_group + (i < NV ? i : NV - 1)) : 0; }
DEV int group_start(int g) { return NGROUP > 1 ? ld(group_first + g) : 0; }
DEV int column_of(int i) { return NGROUP > 1 ? group_of(i) * GP + i - group_start(group_of(i)) : i; }
// Where a matrix that couples no groups has its entries, the mass matrix among others.
DEV int band(int i, int j) { return i * GP + (NGROUP > 1 ? ld(dof_column + j) : j); }
DEV float mass(const World& s, int i, int j) { return group_of(i) == group_of(j) ? s.M[band(i, j)] : 0.f; }

// where the rows of a block are, and how many, beside its Hessian
DEV int& row_tag(World& s, int block) { return ((int*)(s.block_hessian + block * HESSIAN_STRIDE))[HESSIAN_SIZE]; }
// Which groups it acts on, a bit each, and where its rows of the first of them are in J.
DEV int& row_groups(World& s, int block) { return ((int*)(s.block_hessian + block * HESSIAN_STRIDE))[HESSIAN_SIZE + 1]; }
constexpr int GROUP_BITS = 8;
static_assert(NGROUP <= GROUP_BITS, "a bit a group");
// the rows of a group among those of a block
DEV const float* group_rows(const World& s, int groups, int dim, int g) {
  int row = groups >> GROUP_BITS;
  if (NGROUP > 1) row += popc(groups & ((1 << g) - 1)) * dim;
  return s.J + row * GP;
}

DEV Ccd& ccd(World& s) { return *(Ccd*)s.ccd_memory; }

// What the lanes of a warp know beside it; poses of mocap bodies are the user's, seven numbers each.
struct Context {
  World& s;
  Numbers n;
  const float* mocap;
  int lane;
};

// Per-lane part of the constraints: those that have rows, and limits and dry friction of dofs.
enum BlockKind { CONTACT, LIMIT, EQUALITY, FRICTION, LIMIT_BOTH };
struct Block {
  int row, dim, number;         // of a line or contact; NBLOCK if the lane has none
  BlockKind kind;
  int groups;                   // as row_groups has it
  float D[CONE_ELLIPTIC ? CONDIM : 1], mu[CONDIM], r[CONDIM];   // mu[0] of friction is its bound
  float end[4];                 // of a range: stiffness of its ends, and their residuals where that of the row is 0
};
struct Dof {
  float sign, D, r;             // limit: +1 at the lower end, -1 at the upper, 0 where there is none
  float friction, Df, rf;       // dry friction: bound, regularisation, residual
};
struct Rows {
  Block block[BLOCKS_PER_LANE];
  Dof dof[DOFS_PER_LANE];
  int ncon, nrow, nefc, kept;
  bool coupled;                 // constraints act on several groups, so that these are solved together
};
