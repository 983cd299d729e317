// Penetration depth by the expanding polytope algorithm (van den Bergen): the point of the Minkowski difference's surface nearest
// to the origin. The nearest face bounds the depth from below, the support plane along its normal from above.
//
// Lanes own faces. A table has the face to the left of each directed edge, so that a lane finds the horizon of a new vertex from
// its own faces alone.
#pragma once
#include "gjk.h"

struct PolytopeFace {
  d3 foot;      // projection of the origin onto its plane
  real square;  // its squared distance
  unsigned char a, b, c;
  bool present, candidate;
};
struct Polytope {
  PolytopeFace face[FACES_PER_LANE];
  int corners, slots;  // vertices, and face slots per lane in use
};

DEV bool set_face(Ccd& g, PolytopeFace& f, int number, int a, int b, int c) {
  if (!project_origin(g.vertex[a], g.vertex[b], g.vertex[c], f.foot)) f.foot = {0, 0, 0};
  f.square = dot(f.foot, f.foot);
  f.a = a, f.b = b, f.c = c;
  f.present = f.candidate = true;
  g.edge_face[a * MAX_VERTICES + b] = g.edge_face[b * MAX_VERTICES + c] = g.edge_face[c * MAX_VERTICES + a] = number;
  return f.square >= NO_AREA;
}

// The initial faces from lists of vertices. Returns the first face whose plane contains the origin, or -1.
DEV int first_faces(CcdContext h, Ccd& g, Polytope& polytope, int faces, int corners) {
  const int lane = h.lane;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) polytope.face[k].present = polytope.face[k].candidate = false;
  bool good = true;
  if (lane < faces) {
    int a, b, c;
    if (faces == 4) {
      a = lane == 3 ? 3 : 0, b = lane == 0 ? 1 : lane == 1 ? 3 : 2, c = lane == 0 ? 2 : lane == 2 ? 3 : 1;
    } else {
      int k = lane % 3;  // edges of the waist with the top, and reversed with the bottom
      a = 3 + lane / 3, b = k, c = k == 2 ? 0 : k + 1;
      if (lane >= 3) k = b, b = c, c = k;
    }
    good = set_face(g, polytope.face[0], lane, a, b, c);
  }
  unsigned flat = ballot(!good);
  polytope.corners = corners;
  polytope.slots = 1;
  return flat ? lowest_bit(flat) : -1;
}

// Bipyramid with the first three vertices as its waist.
DEV bool bipyramid_on_triangle(CcdContext h, Ccd& g, Polytope& polytope) {
  d3 normal = cross(g.vertex[1] - g.vertex[0], g.vertex[2] - g.vertex[0]);
  real length = norm(normal);
  if (length < MINVAL) return false;
  normal = (1 / length) * normal;
  d3 top = push(h, g, normal, 3), bottom = push(h, g, -normal, 4);
  if (!(absolute(dot(normal, top - g.vertex[0])) > MINVAL && absolute(dot(normal, bottom - g.vertex[0])) > MINVAL)) return false;
  return first_faces(h, g, polytope, 6, 5) < 0;
}
// The same from a face that contains the origin.
DEV bool bipyramid_on_face(CcdContext h, Ccd& g, Polytope& polytope, int face) {
  const PolytopeFace& f = polytope.face[0];
  int a = shfl((int)f.a, face), b = shfl((int)f.b, face), c = shfl((int)f.c, face);
  d3 at[3] = {g.vertex[a], g.vertex[b], g.vertex[c]};
  VertexSource end[3] = {g.source[a], g.source[b], g.source[c]};
  wsync();
  if (h.lane == 0)
    UNROLL for (int i = 0; i < 3; i++) g.vertex[i] = at[i], g.source[i] = end[i];
  wsync();
  return bipyramid_on_triangle(h, g, polytope);
}

// Bipyramid with a segment as its axis. Its waist is the support in three directions across the axis, 120° apart.
DEV bool bipyramid_about_segment(CcdContext h, Ccd& g, Polytope& polytope) {
  d3 top = g.vertex[0], bottom = g.vertex[1], way = bottom - top;
  VertexSource top_end = g.source[0], bottom_end = g.source[1];
  real length = norm(way);
  if (length < MINVAL) return false;
  d3 axis = (1 / length) * way;
  real x = absolute(axis.x), y = absolute(axis.y), z = absolute(axis.z);
  d3 unit = x <= y && x <= z ? d3{1, 0, 0} : y <= z ? d3{0, 1, 0} : d3{0, 0, 1}, u = cross(unit, axis);
  u = normalized(u, norm(u));
  d3 v = 0.86602540378 * cross(axis, u), dirs[3] = {u, v - 0.5 * u, -0.5 * u - v};
  wsync();
  if (h.lane == 0) g.vertex[3] = top, g.source[3] = top_end, g.vertex[4] = bottom, g.source[4] = bottom_end;
  UNROLL for (int i = 0; i < 3; i++) push(h, g, dirs[i], i);
  // the axis must pass all sides of the waist on the same side
  d3 a = g.vertex[0] - top, b = g.vertex[1] - top, c = g.vertex[2] - top;
  real ab = dot(way, cross(a, b)), bc = dot(way, cross(b, c)), ca = dot(way, cross(c, a));
  if (!((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))) return false;
  int flat = first_faces(h, g, polytope, 6, 5);
  return flat < 0 || bipyramid_on_face(h, g, polytope, flat);
}

DEV bool start_tetrahedron(CcdContext h, Ccd& g, Polytope& polytope) {
  int flat = first_faces(h, g, polytope, 4, 4);
  if (flat >= 0) return bipyramid_on_face(h, g, polytope, flat);
  for (int i = 0; i < 4; i++) {
    d3 p = g.vertex[(i + 1) & 3], normal = cross(g.vertex[(i + 2) & 3] - p, g.vertex[(i + 3) & 3] - p);
    if (!(-dot(normal, p) * dot(normal, g.vertex[i] - p) > 0)) return false;
  }
  return true;
}

// The nearest candidate face: lane and slot in one number, or -1.
DEV int nearest_face(CcdContext h, const Polytope& polytope, real& square) {
  real most = -1e30;
  int which = 255;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++)
    if (k < polytope.slots && polytope.face[k].candidate && -polytope.face[k].square > most) most = -polytope.face[k].square, which = 32 * k + h.lane;
  warp_argmax(most, which);
  square = -most;
  return which == 255 ? -1 : which;
}
template <class T> DEV T face_member(const Polytope& polytope, int face, T PolytopeFace::*what) {
  T v = polytope.face[0].*what;
  UNROLL for (int k = 1; k < FACES_PER_LANE; k++) v = face / 32 == k ? polytope.face[k].*what : v;
  return shfl(v, face & 31);
}
DEV d3 face_foot(const Polytope& polytope, int face) {
  d3 v = polytope.face[0].foot;
  UNROLL for (int k = 1; k < FACES_PER_LANE; k++)
    if (face / 32 == k) v = polytope.face[k].foot;
  return {shfl(v.x, face & 31), shfl(v.y, face & 31), shfl(v.z, face & 31)};
}

// Removes the faces that a vertex sees, beginning with `from`, and lists the horizon edges. Returns their number, or 0 if rounding
// broke the surface.
DEV int find_horizon(CcdContext h, Ccd& g, Polytope& polytope, d3 w, int from) {
  unsigned seen[FACES_PER_LANE];
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) {
    seen[k] = 0u;
    if (k >= polytope.slots) continue;
    PolytopeFace& f = polytope.face[k];
    bool sees = f.present && (dot(f.foot, w) - f.square > MINVAL || 32 * k + h.lane == from);
    seen[k] = ballot(sees);
  }
  const unsigned below = (1u << h.lane) - 1;
  int count = 0;
  unsigned long long starts = 0, stops = 0;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) {
    if (k >= polytope.slots) continue;
    PolytopeFace& f = polytope.face[k];
    bool mine = seen[k] >> h.lane & 1;
    UNROLL for (int s = 0; s < 3; s++) {
      int p = s == 0 ? f.a : s == 1 ? f.b : f.c, q = s == 0 ? f.b : s == 1 ? f.c : f.a;
      bool on_horizon = false;
      if (mine) {
        int beyond = g.edge_face[q * MAX_VERTICES + p];
        unsigned there = seen[0];
        UNROLL for (int j = 1; j < FACES_PER_LANE; j++) there = beyond / 32 == j ? seen[j] : there;
        on_horizon = !(there >> (beyond & 31) & 1);
      }
      unsigned who = ballot(on_horizon);
      int slot = count + popc(who & below);
      if (on_horizon && slot < 32 * FACES_PER_LANE) {
        g.horizon[2 * slot] = p, g.horizon[2 * slot + 1] = q;
        starts |= 1ull << p, stops |= 1ull << q;
      }
      count += popc(who);
    }
    if (mine) f.present = f.candidate = false;
  }
  UNROLL for (int m = 16; m; m >>= 1) starts |= shfl_xor(starts, m), stops |= shfl_xor(stops, m);
  wsync();
  // each vertex of the horizon is passed once
  int passed = popc((unsigned)starts) + popc((unsigned)(starts >> 32));
  return count >= 3 && starts == stops && passed == count ? count : 0;
}

// Attaches the newest vertex to the horizon by a fan of faces. Candidates are no nearer than the removed face and no farther than
// the upper bound.
DEV bool attach_fan(Ccd& g, Polytope& polytope, int lane, int count, real least, real most) {
  const unsigned below = (1u << lane) - 1;
  int apex = polytope.corners++, taken = 0;
  bool good = true;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) {
    if (taken >= count) continue;
    polytope.slots = polytope.slots > k ? polytope.slots : k + 1;
    PolytopeFace& f = polytope.face[k];
    unsigned free_slots = ballot(!f.present);
    int mine = taken + popc(free_slots & below);
    if (!f.present && mine < count) {
      good &= set_face(g, f, 32 * k + lane, apex, g.horizon[2 * mine], g.horizon[2 * mine + 1]);
      f.candidate = f.square >= least && f.square <= most;
    }
    taken += popc(free_slots);
  }
  wsync();
  return !any(!good) && taken >= count;
}

// Witness points of two shapes. For penetration the distance is negative; if it is not, there are no points.
struct WitnessPoints { real dist; d3 a, b; };

// Expands the polytope at its nearest face until lower and upper bound meet.
CALL WitnessPoints run_epa(CcdContext h, Ccd& g, int count) {
  Polytope polytope;
  bool started = count == 2 ? bipyramid_about_segment(h, g, polytope) : count == 3 ? bipyramid_on_triangle(h, g, polytope) : start_tetrahedron(h, g, polytope);
  if (!started) return {0, {}, {}};
  wsync();
  const bool discrete = is_polyhedron(g.shape[0]) && is_polyhedron(g.shape[1]);
  const real tolerance = discrete ? MINVAL : ccd_tolerance(h.n, 0);
  real upper = 1e30, deep = 0;
  d3 nearest = {0, 0, 0};
  int corner[3] = {-1, 0, 0};
  for (int i = 0; i < CCD_ITERATIONS; i++) {
    real square;
    int face = nearest_face(h, polytope, square);
    if (face < 0) break;
    real lower = root(square);
    if (lower > upper) break;
    nearest = face_foot(polytope, face);
    corner[0] = face_member(polytope, face, &PolytopeFace::a), corner[1] = face_member(polytope, face, &PolytopeFace::b), corner[2] = face_member(polytope, face, &PolytopeFace::c);
    deep = lower;
    if (polytope.corners == MAX_VERTICES) break;
    d3 out = normalized(nearest, lower), w = push(h, g, out, polytope.corners);
    real bound = dot(out, w);
    if (bound < upper) upper = bound;
    if (upper - lower < tolerance) break;
    if (discrete) {
      bool known = false;
      for (int c = h.lane; c < polytope.corners; c += 32) known |= g.source[c].corners == g.source[polytope.corners].corners;
      if (any(known)) break;
    }
    int sides = find_horizon(h, g, polytope, w, face);
    if (sides == 0 || !attach_fan(g, polytope, h.lane, sides, square, upper * upper)) break;
  }
  if (corner[0] < 0) return {0, {}, {}};
  if (MULTICCD) {
    // the search for more contacts needs this face
    wsync();
    if (h.lane < 3) g.horizon[h.lane] = h.lane == 0 ? corner[0] : h.lane == 1 ? corner[1] : corner[2];
    wsync();
  }
  real part[3];
  barycentric(g.vertex[corner[0]], g.vertex[corner[1]], g.vertex[corner[2]], nearest, part);
  d3 a = part[0] * g.source[corner[0]].p + part[1] * g.source[corner[1]].p + part[2] * g.source[corner[2]].p;
  return {-deep, a, a - nearest};
}
