// A world while it is stepped: everything its stages hand to each other, in shared memory. Parts that are never alive
// together overlap. Strides of arrays that lanes read side by side are odd, rows that are read whole begin at 16 bytes.
#pragma once
#include "collide/dig.h"
#include "model.h"

DEV constexpr int padded(int n) { return (n + 3) / 4 * 4; }
DEV constexpr int some(int n) { return n > 0 ? n : 1; }
constexpr int NP = padded(NV);                       // a row of a matrix over dofs
constexpr int BODIES = NBODY | 1, DOFS = NV | 1, GEOMS = NGEOM | 1, JOINTS = some(NJNT) | 1;
constexpr int DOFS_A_LANE = (NV + 31) / 32;
constexpr int NBLOCK = some(NLINE + NCON);            // constraints that have rows: lines, then contacts
constexpr int BLOCKS_A_LANE = (NBLOCK + 31) / 32;
constexpr int WEIGHTS = CONDIM * (CONDIM + 1) / 2;   // lower triangle of a block's Hessian
constexpr int WEIGHT_STRIDE = padded(WEIGHTS + 1);

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
  alignas(16) float M[NP * NP], rate[KEEPS_RATE ? NP * NP : 4];
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
      unsigned short near[(some(NPAIR) + 31) / 32 * 32];
    };
    alignas(16) float H[NP * NP];
  };
};

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
