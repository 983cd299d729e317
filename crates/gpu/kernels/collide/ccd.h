// What searches on convex shapes work with: two shapes and a polytope in the difference of their points. It lies in shared
// memory, where the rows of constraints come later, and all lanes work on one pair.
#pragma once
#include "../team.h"

// Polytopes are torn by rounding long before contacts are wrong by it, so they have more digits than the rest.
using real = double;
constexpr real MINVAL = 1e-15;

using d3 = xyz<real>;
DEV real root(real x) { return sqrt(x); }
DEV float root(float x) { return sqrtf(x); }
DEV real norm(d3 a) { return root(dot(a, a)); }
DEV real absolute(real x) { return x < 0 ? -x : x; }
// a unit vector; x where there is no direction
template <class T> DEV xyz<T> normalized(xyz<T> a, T length) { return length > T(MINVAL) ? (1 / length) * a : xyz<T>{1, 0, 0}; }
DEV d3 to_double(v3 a) { return {a.x, a.y, a.z}; }
DEV v3 to_float(d3 a) { return {(float)a.x, (float)a.y, (float)a.z}; }

// kinds of shape; a ball is a capsule without length, and what is left of it without its radius
enum ShapeKind { CAPSULE, ELLIPSOID, CYLINDER, BOX, POINTS, PRISM };
// The farthest point of a shape along a unit direction, both in its own axes; which corner of a box it is.
template <class T> DEV xyz<T> primitive_support(ShapeKind kind, xyz<T> d, xyz<T> e, int& corner) {
  if (kind == CAPSULE) return {e.x * d.x, e.x * d.y, e.x * d.z + (d.z >= 0 ? e.y : -e.y)};
  if (kind == ELLIPSOID) {
    xyz<T> u = {d.x * e.x, d.y * e.y, d.z * e.z};
    u = normalized(u, root(dot(u, u)));
    return {u.x * e.x, u.y * e.y, u.z * e.z};
  }
  if (kind == CYLINDER) {
    T across = root(d.x * d.x + d.y * d.y), scale = across > T(MINVAL) ? e.x / across : 0;
    return {scale * d.x, scale * d.y, d.z >= 0 ? e.y : -e.y};
  }
  corner = (d.x >= 0) | (d.y >= 0) << 1 | (d.z >= 0) << 2;
  return {d.x >= 0 ? e.x : -e.x, d.y >= 0 ? e.y : -e.y, d.z >= 0 ? e.z : -e.z};
}

struct ConvexShape {
  d3 pos, axis[3], extent;
  real inflation;                    // it reaches further by this
  ShapeKind kind;
  int first, count;             // points of a mesh
};

// room for corners of the polytope: a few to start with, and one for each iteration
constexpr int MAX_VERTICES = 48, FACES_PER_LANE = 3;
static_assert(2 * MAX_VERTICES - 4 <= 32 * FACES_PER_LANE, "a polytope of triangles has so many");
// where a point of the difference comes from: the point of the first shape, and the corners of both
struct VertexSource { d3 p; int corners; };
struct Ccd {
  ConvexShape shape[2];
  d3 vertex[MAX_VERTICES];                               // points of the difference
  VertexSource source[MAX_VERTICES];
  real weight[4];                               // of the first corners at the nearest point
  d3 prism[6];
  unsigned char edge_face[MAX_VERTICES * MAX_VERTICES];        // the face on the left of each side
  unsigned char horizon[64 * FACES_PER_LANE];         // sides around what a new corner sees
};

// Two faces that are cut with each other, behind the above where pairs have several contacts: what is left of one, before and after a
// cut, and the faces of both shapes that may touch. A cut leaves one corner more at most.
constexpr int MAX_CLIP_VERTICES = 2 * FACE_SIDES;
struct ClipMemory {
  d3 polygon[2][MAX_CLIP_VERTICES];
  int face[2][VERTEX_FACES];
};
constexpr int CCD_BYTES = sizeof(Ccd) + (MULTICCD ? sizeof(ClipMemory) : 0);
DEV ClipMemory& clip_memory(Ccd& g) { return *(ClipMemory*)(&g + 1); }
