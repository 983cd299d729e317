// A world while it is stepped: everything its stages hand to each other, in shared memory. Parts that are never alive
// together overlap. Strides of arrays that lanes read side by side are odd, rows that are read whole begin at 16 bytes.
#pragma once
#include "collide/dig.h"
#include "team.h"

DEV constexpr int padded(int n) { return (n + 3) / 4 * 4; }
DEV constexpr int some(int n) { return n > 0 ? n : 1; }
constexpr int NP = padded(NV);                       // a row of a matrix over dofs
constexpr int BODIES = NBODY | 1, DOFS = NV | 1, GEOMS = NGEOM | 1, JOINTS = some(NJNT) | 1;
constexpr int DOFS_A_LANE = (NV + LANES - 1) / LANES;
constexpr int NBLOCK = some(NLINE + NCON);            // constraints that have rows: lines, then contacts
constexpr int BLOCKS_A_LANE = (NBLOCK + LANES - 1) / LANES;
constexpr int WEIGHTS = CONDIM * (CONDIM + 1) / 2;   // lower triangle of a block's Hessian
constexpr int WEIGHT_STRIDE = padded(WEIGHTS + 1);

// Large matrices of several trees are solved tree by tree where nothing couples them, a warp a tree; and the mass matrix has
// the columns of a row's own tree alone.
constexpr bool BY_TREES = TEAM > 1 && NTREE > 1 && TREE_MOST <= 32;
constexpr int MASS_WIDTH = BY_TREES && padded(TREE_MOST) + 4 < NP ? padded(TREE_MOST) + 4 : NP;

// where a contact's words are
constexpr int TIE_SIZE = 14, SPAN_SIZE = 14;
constexpr int CON_POS = 0, CON_DIST = 3, CON_NORMAL = 4, CON_TANGENT = 7, CON_PAIR = 10, CON_SIZE = 12;

struct alignas(16) World {
  float qpos[padded(NQ)], qvel[NP], act[padded(some(NA))], act_dot[padded(some(NA))];
  float force[NP], vec[NP], column[2 * NP];
  float pull[padded(some(NSTRAND))], slope[padded(some(NSTRAND))];
  float arm[MOVING_ARMS ? padded(NARM) : 1], length[MOVING_ARMS ? padded(NSTRAND) : 1];
  float start[RUNGE_KUTTA ? padded(NQ) + 3 * NP + 2 * padded(some(NA)) : 1];
  float tie[some(NTIE) * TIE_SIZE];
  float kept[KEEPS_CONTACTS ? some(NCON) * CON_SIZE : 1];
  int kept_row[KEEPS_CONTACTS ? NBLOCK : 1], kept_count;
  float limit_force[KEEPS_LIMITS ? NP : 1];
  alignas(16) float M[NP * MASS_WIDTH], rate[KEEPS_RATE ? NP * NP : 4];
  float weight[NBLOCK * WEIGHT_STRIDE], rowforce[padded(some(NROW))];
  union {
    struct {
      float xpos[2][3 * BODIES], xquat[2][4 * BODIES], joint[6 * JOINTS], sum[16 * BODIES], chain[2][6 * DOFS], slow[6 * DOFS], swirl[IMPLICIT ? 12 * BODIES : 1];
    };
    alignas(16) float J[some(NROW) * NP];
    alignas(16) char pit[HAS_CONVEX ? sizeof(Dig) : 1];
  };
  union {
    struct {
      union { float contact[some(NCON) * CON_SIZE], span[some(NSPAN) * SPAN_SIZE]; };
      float cdof[6 * DOFS], gpos[3 * GEOMS], gquat[4 * GEOMS], com[3 * BODIES];
      unsigned short near[some(NPAIR)];
    };
    alignas(16) float H[NP * NP];
  };
};

// The first column that a row of the mass matrix has, and where entries of a row are.
DEV int mass_from(int i) {
  if (MASS_WIDTH == NP) return 0;
  int from = ld(tree_first + ld(dof_tree + (i < NV ? i : NV - 1))) / 4 * 4;
  return from < NP - MASS_WIDTH ? from : NP - MASS_WIDTH;
}
DEV int mass_at(int i, int j) { return i * MASS_WIDTH + j - mass_from(i); }
DEV float mass(const World& s, int i, int j) {
  int at = j - mass_from(i);
  return at >= 0 && at < MASS_WIDTH ? s.M[i * MASS_WIDTH + at] : 0.f;
}
// four entries side by side
DEV float4 mass_entries(const World& s, int i, int j) {
  int at = j - mass_from(i);
  return at >= 0 && at < MASS_WIDTH ? *(const float4*)(s.M + i * MASS_WIDTH + at) : make_float4(0.f, 0.f, 0.f, 0.f);
}

// where the rows of a block are, and how many, beside its Hessian
DEV int& row_place(World& s, int block) { return ((int*)(s.weight + block * WEIGHT_STRIDE))[WEIGHTS]; }

DEV Dig& dig(World& s) { return *(Dig*)s.pit; }

// What the lanes of a warp know beside it; poses of mocap bodies are the user's, seven numbers each.
struct Here {
  World& s;
  Numbers n;
  const float* mocap;
  int lane;
};

// Per-lane part of the constraints: those that have rows, and limits and dry friction of dofs.
enum Kind { CONTACT, LIMIT, EQUALITY, FRICTION };
struct Block {
  int row, dim;
  Kind kind;
  bool couples;                 // trees, perhaps
  float D[CONE_ELLIPTIC ? CONDIM : 1], mu[CONDIM], r[CONDIM];   // mu[0] of friction is its bound
};
struct Dof {
  float sign, D, r;             // limit: +1 at the lower end, -1 at the upper, 0 where there is none
  float friction, Df, rf;       // dry friction: bound, regularisation, residual
};
struct Rows {
  Block block[BLOCKS_A_LANE];
  Dof dof[DOFS_A_LANE];
  int ncon, nrow, nefc;
};
