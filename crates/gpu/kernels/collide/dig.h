// What searches on convex shapes work with: two shapes and a polytope in the difference of their points. It lies in shared
// memory, where the rows of constraints come later, and all lanes work on one pair.
#pragma once
#include "../vector.h"

// Polytopes are torn by rounding long before contacts are wrong by it, so they have more digits than the rest.
using real = double;
constexpr real NOTHING = 1e-15;

using d3 = xyz<real>;
DEV real root(real x) { return sqrt(x); }
DEV real norm(d3 a) { return root(dot(a, a)); }
DEV real size(real x) { return x < 0 ? -x : x; }
// a unit vector; x where there is no direction
DEV d3 along(d3 a, real length) { return length > NOTHING ? (1 / length) * a : d3{1, 0, 0}; }
DEV d3 wide(v3 a) { return {a.x, a.y, a.z}; }
DEV v3 narrow(d3 a) { return {(float)a.x, (float)a.y, (float)a.z}; }

// kinds of shape; a ball is a capsule without length, and what is left of it without its radius
enum SolidKind { CAPSULE, ELLIPSOID, CYLINDER, BOX, POINTS, PRISM };
struct Solid {
  d3 pos, axis[3], extent;
  real grow;                    // it reaches further by this
  SolidKind kind;
  int first, count;             // points of a mesh
};

// room for corners of the polytope: a few to start with, and one for each iteration
constexpr int CORNERS = 48, FACES_A_LANE = 3;
static_assert(2 * CORNERS - 4 <= 32 * FACES_A_LANE, "a polytope of triangles has so many");
// where a point of the difference comes from: the point of the first shape, and the corners of both
struct End { d3 p; int corners; };
struct Dig {
  Solid solid[2];
  d3 at[CORNERS];                               // points of the difference
  End end[CORNERS];
  real weight[4];                               // of the first corners at the nearest point
  d3 prism[6];
  unsigned char side[CORNERS * CORNERS];        // the face on the left of each side
  unsigned char rim[64 * FACES_A_LANE];         // sides around what a new corner sees
};
