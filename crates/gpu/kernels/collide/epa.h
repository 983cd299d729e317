// Depth of two shapes: the point of their difference's surface nearest to the origin, after van den Bergen's expanding polytope.
// The nearest face bounds the depth from below, the plane that supports the difference along its normal from above.
//
// Lanes own faces. Of each side, a table knows the face on its left; so a lane sees from its own faces alone which sides are
// between what a new corner sees and what it does not.
#pragma once
#include "gjk.h"

struct Facet {
  d3 foot;                      // the origin on its plane
  real square;                  // its distance, squared
  unsigned char a, b, c;
  bool present, candidate;
};
struct Hull {
  Facet face[FACES_PER_LANE];
  int corners, rounds;          // so many of a lane's faces were ever in use
};

DEV bool set_face(Dig& g, Facet& f, int number, int a, int b, int c) {
  if (!foot(g.at[a], g.at[b], g.at[c], f.foot)) f.foot = {0, 0, 0};
  f.square = dot(f.foot, f.foot);
  f.a = a, f.b = b, f.c = c;
  f.present = f.candidate = true;
  g.side[a * CORNERS + b] = g.side[b * CORNERS + c] = g.side[c * CORNERS + a] = number;
  return f.square >= NO_AREA;
}

// The first faces, from lists of corners; the first that has the origin in its plane, or -1.
DEV int close(Seek h, Dig& g, Hull& hull, int faces, int corners) {
  const int lane = h.lane;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) hull.face[k].present = hull.face[k].candidate = false;
  bool good = true;
  if (lane < faces) {
    int a, b, c;
    if (faces == 4) {
      a = lane == 3 ? 3 : 0, b = lane == 0 ? 1 : lane == 1 ? 3 : 2, c = lane == 0 ? 2 : lane == 2 ? 3 : 1;
    } else {
      int k = lane % 3;         // sides of the waist with the top, and with the bottom the other way round
      a = 3 + lane / 3, b = k, c = k == 2 ? 0 : k + 1;
      if (lane >= 3) k = b, b = c, c = k;
    }
    good = set_face(g, hull.face[0], lane, a, b, c);
  }
  unsigned flat = ballot(!good);
  hull.corners = corners;
  hull.rounds = 1;
  return flat ? lowest(flat) : -1;
}

// A double pyramid with the first three corners for its waist.
DEV bool on_both_sides(Seek h, Dig& g, Hull& hull) {
  d3 normal = cross(g.at[1] - g.at[0], g.at[2] - g.at[0]);
  real length = norm(normal);
  if (length < NOTHING) return false;
  normal = (1 / length) * normal;
  d3 top = take(h, g, normal, 3), bottom = take(h, g, -normal, 4);
  if (!(size(dot(normal, top - g.at[0])) > NOTHING && size(dot(normal, bottom - g.at[0])) > NOTHING)) return false;
  return close(h, g, hull, 6, 5) < 0;
}
// The same from a face that has the origin.
DEV bool restart(Seek h, Dig& g, Hull& hull, int face) {
  const Facet& f = hull.face[0];
  int a = shfl((int)f.a, face), b = shfl((int)f.b, face), c = shfl((int)f.c, face);
  d3 at[3] = {g.at[a], g.at[b], g.at[c]};
  End end[3] = {g.end[a], g.end[b], g.end[c]};
  wsync();
  if (h.lane == 0)
    UNROLL for (int i = 0; i < 3; i++) g.at[i] = at[i], g.end[i] = end[i];
  wsync();
  return on_both_sides(h, g, hull);
}

// A double pyramid with a segment for its axis; its waist is in three directions across, a third of a turn apart.
DEV bool around_segment(Seek h, Dig& g, Hull& hull) {
  d3 top = g.at[0], bottom = g.at[1], way = bottom - top;
  End top_end = g.end[0], bottom_end = g.end[1];
  real length = norm(way);
  if (length < NOTHING) return false;
  d3 axis = (1 / length) * way;
  real x = size(axis.x), y = size(axis.y), z = size(axis.z);
  d3 unit = x <= y && x <= z ? d3{1, 0, 0} : y <= z ? d3{0, 1, 0} : d3{0, 0, 1}, u = cross(unit, axis);
  u = along(u, norm(u));
  d3 v = 0.86602540378 * cross(axis, u), dirs[3] = {u, v - 0.5 * u, -0.5 * u - v};
  wsync();
  if (h.lane == 0) g.at[3] = top, g.end[3] = top_end, g.at[4] = bottom, g.end[4] = bottom_end;
  UNROLL for (int i = 0; i < 3; i++) take(h, g, dirs[i], i);
  // the axis passes all sides of the waist on the same hand
  d3 a = g.at[0] - top, b = g.at[1] - top, c = g.at[2] - top;
  real ab = dot(way, cross(a, b)), bc = dot(way, cross(b, c)), ca = dot(way, cross(c, a));
  if (!((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))) return false;
  int flat = close(h, g, hull, 6, 5);
  return flat < 0 || restart(h, g, hull, flat);
}

DEV bool tetrahedron(Seek h, Dig& g, Hull& hull) {
  int flat = close(h, g, hull, 4, 4);
  if (flat >= 0) return restart(h, g, hull, flat);
  for (int i = 0; i < 4; i++) {
    d3 p = g.at[(i + 1) & 3], normal = cross(g.at[(i + 2) & 3] - p, g.at[(i + 3) & 3] - p);
    if (!(-dot(normal, p) * dot(normal, g.at[i] - p) > 0)) return false;
  }
  return true;
}

// The nearest candidate: its lane and slot in one number, or -1.
DEV int nearest_face(Seek h, const Hull& hull, real& square) {
  real most = -1e30;
  int which = 255;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++)
    if (k < hull.rounds && hull.face[k].candidate && -hull.face[k].square > most) most = -hull.face[k].square, which = 32 * k + h.lane;
  farthest(most, which);
  square = -most;
  return which == 255 ? -1 : which;
}
template <class T> DEV T of_face(const Hull& hull, int face, T Facet::*what) {
  T v = hull.face[0].*what;
  UNROLL for (int k = 1; k < FACES_PER_LANE; k++) v = face / 32 == k ? hull.face[k].*what : v;
  return shfl(v, face & 31);
}
DEV d3 foot_of(const Hull& hull, int face) {
  d3 v = hull.face[0].foot;
  UNROLL for (int k = 1; k < FACES_PER_LANE; k++)
    if (face / 32 == k) v = hull.face[k].foot;
  return {shfl(v.x, face & 31), shfl(v.y, face & 31), shfl(v.z, face & 31)};
}

// Lists the sides around the faces that a point sees, from those on; their number, or 0 where rounding tore the surface.
DEV int uncover(Seek h, Dig& g, Hull& hull, d3 w, int from) {
  unsigned seen[FACES_PER_LANE];
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) {
    seen[k] = 0u;
    if (k >= hull.rounds) continue;
    Facet& f = hull.face[k];
    bool sees = f.present && (dot(f.foot, w) - f.square > NOTHING || 32 * k + h.lane == from);
    seen[k] = ballot(sees);
  }
  const unsigned below = (1u << h.lane) - 1;
  int count = 0;
  unsigned long long starts = 0, stops = 0;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) {
    if (k >= hull.rounds) continue;
    Facet& f = hull.face[k];
    bool mine = seen[k] >> h.lane & 1;
    UNROLL for (int s = 0; s < 3; s++) {
      int p = s == 0 ? f.a : s == 1 ? f.b : f.c, q = s == 0 ? f.b : s == 1 ? f.c : f.a;
      bool rim = false;
      if (mine) {
        int beyond = g.side[q * CORNERS + p];
        unsigned there = seen[0];
        UNROLL for (int j = 1; j < FACES_PER_LANE; j++) there = beyond / 32 == j ? seen[j] : there;
        rim = !(there >> (beyond & 31) & 1);
      }
      unsigned who = ballot(rim);
      int slot = count + popc(who & below);
      if (rim && slot < 32 * FACES_PER_LANE) {
        g.rim[2 * slot] = p, g.rim[2 * slot + 1] = q;
        starts |= 1ull << p, stops |= 1ull << q;
      }
      count += popc(who);
    }
    if (mine) f.present = f.candidate = false;
  }
  UNROLL for (int m = 16; m; m >>= 1) starts |= shfl_xor(starts, m), stops |= shfl_xor(stops, m);
  wsync();
  // each corner of the rim is passed once
  int passed = popc((unsigned)starts) + popc((unsigned)(starts >> 32));
  return count >= 3 && starts == stops && passed == count ? count : 0;
}

// Puts a fan around the newest corner in place of what it sees; candidates are no nearer than before, nor beyond a bound.
DEV bool fan(Dig& g, Hull& hull, int lane, int count, real least, real most) {
  const unsigned below = (1u << lane) - 1;
  int apex = hull.corners++, taken = 0;
  bool good = true;
  UNROLL for (int k = 0; k < FACES_PER_LANE; k++) {
    if (taken >= count) continue;
    hull.rounds = hull.rounds > k ? hull.rounds : k + 1;
    Facet& f = hull.face[k];
    unsigned room = ballot(!f.present);
    int mine = taken + popc(room & below);
    if (!f.present && mine < count) {
      good &= set_face(g, f, 32 * k + lane, apex, g.rim[2 * mine], g.rim[2 * mine + 1]);
      f.candidate = f.square >= least && f.square <= most;
    }
    taken += popc(room);
  }
  wsync();
  return !any(!good) && taken >= count;
}

// Points of two shapes that are deepest in each other. The distance is negative; there are none if it is not.
struct Deepest { real dist; d3 a, b; };

// Grows the polytope at its nearest face until the bounds meet.
CALL Deepest depth(Seek h, Dig& g, int count) {
  Hull hull;
  bool started = count == 2 ? around_segment(h, g, hull) : count == 3 ? on_both_sides(h, g, hull) : tetrahedron(h, g, hull);
  if (!started) return {0, {}, {}};
  wsync();
  const bool discrete = has_corners_only(g.solid[0]) && has_corners_only(g.solid[1]);
  const real tolerance = discrete ? NOTHING : ccd_tolerance(h.n, 0);
  real upper = 1e30, deep = 0;
  d3 nearest = {0, 0, 0};
  int corner[3] = {-1, 0, 0};
  for (int i = 0; i < CCD_ITERATIONS; i++) {
    real square;
    int face = nearest_face(h, hull, square);
    if (face < 0) break;
    real lower = root(square);
    if (lower > upper) break;
    nearest = foot_of(hull, face);
    corner[0] = of_face(hull, face, &Facet::a), corner[1] = of_face(hull, face, &Facet::b), corner[2] = of_face(hull, face, &Facet::c);
    deep = lower;
    if (hull.corners == CORNERS) break;
    d3 out = along(nearest, lower), w = take(h, g, out, hull.corners);
    real bound = dot(out, w);
    if (bound < upper) upper = bound;
    if (upper - lower < tolerance) break;
    if (discrete) {
      bool known = false;
      for (int c = h.lane; c < hull.corners; c += 32) known |= g.end[c].corners == g.end[hull.corners].corners;
      if (any(known)) break;
    }
    int sides = uncover(h, g, hull, w, face);
    if (sides == 0 || !fan(g, hull, h.lane, sides, square, upper * upper)) break;
  }
  if (corner[0] < 0) return {0, {}, {}};
  if (SEVERAL) {
    // whoever looks for more contacts needs to know the face
    wsync();
    if (h.lane < 3) g.rim[h.lane] = h.lane == 0 ? corner[0] : h.lane == 1 ? corner[1] : corner[2];
    wsync();
  }
  real part[3];
  shares(g.at[corner[0]], g.at[corner[1]], g.at[corner[2]], nearest, part);
  d3 a = part[0] * g.end[corner[0]].p + part[1] * g.end[corner[1]].p + part[2] * g.end[corner[2]].p;
  return {-deep, a, a - nearest};
}
