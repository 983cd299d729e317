// Memory of the convex collision search (GJK, EPA, MPR): two shapes and a polytope in their Minkowski difference. It is in shared
// memory that constraint rows use later. All lanes of a warp work on one pair.
#pragma once
#include "../team.h"

// Double precision, because rounding breaks the polytope's topology long before it affects contacts.
using real = double;
constexpr real MINVAL = 1e-15;

using d3 = xyz<real>;
DEV real root(real x) { return sqrt(x); }
DEV float root(float x) { return sqrtf(x); }
DEV real norm(d3 a) { return root(dot(a, a)); }
DEV real absolute(real x) { return x < 0 ? -x : x; }
// Unit vector, given the length; x for a zero vector.
template <class T> DEV xyz<T> normalized(xyz<T> a, T length) { return length > T(MINVAL) ? (1 / length) * a : xyz<T>{1, 0, 0}; }
DEV d3 to_double(v3 a) { return {a.x, a.y, a.z}; }
DEV v3 to_float(d3 a) { return {(float)a.x, (float)a.y, (float)a.z}; }

// Kinds of convex shape. A sphere is a capsule of length zero; eroded by its radius it is a point, and a capsule is a segment.
enum ShapeKind { CAPSULE, ELLIPSOID, CYLINDER, BOX, POINTS, PRISM };
// Support point of a primitive along a unit direction, both in its own axes. `corner` is the index of a box's corner.
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
  real inflation;  // margin around the shape
  ShapeKind kind;
  int first, count;  // vertices of a mesh
};

// Capacity of the polytope: the initial vertices, and one per iteration.
constexpr int MAX_VERTICES = 48, FACES_PER_LANE = 3;
static_assert(2 * MAX_VERTICES - 4 <= 32 * FACES_PER_LANE, "a polytope of triangles has so many");
// Source of a vertex of the difference: the point on the first shape, and the vertex indices on both.
struct VertexSource { d3 p; int corners; };
struct Ccd {
  ConvexShape shape[2];
  d3 vertex[MAX_VERTICES];  // points of the difference
  VertexSource source[MAX_VERTICES];
  real weight[4];  // barycentric weights of the first vertices
  d3 prism[6];
  unsigned char edge_face[MAX_VERTICES * MAX_VERTICES];  // the face to the left of each directed edge
  unsigned char horizon[64 * FACES_PER_LANE];            // edges around the faces that a new vertex sees
};

// Memory for clipping two faces, placed behind Ccd if pairs may have several contacts: the polygon before and after a cut, and the
// candidate faces of both shapes. A cut adds at most one vertex.
constexpr int MAX_CLIP_VERTICES = 2 * FACE_SIDES;
struct ClipMemory {
  d3 polygon[2][MAX_CLIP_VERTICES];
  int face[2][VERTEX_FACES];
};
constexpr int CCD_BYTES = sizeof(Ccd) + (MULTICCD ? sizeof(ClipMemory) : 0);
DEV ClipMemory& clip_memory(Ccd& g) { return *(ClipMemory*)(&g + 1); }
