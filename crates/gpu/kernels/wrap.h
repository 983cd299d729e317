// Shortest path of a tendon around a sphere or a cylinder, in the plane across it (mju_wrap). Arcs are short and tangents nearly
// straight, so it is computed in double precision.
#pragma once
#include "kinematics.h"

struct d2 { real x, y; };
DEV d2 operator+(d2 a, d2 b) { return {a.x + b.x, a.y + b.y}; }
DEV d2 operator-(d2 a, d2 b) { return {a.x - b.x, a.y - b.y}; }
DEV d2 operator*(real s, d2 a) { return {s * a.x, s * a.y}; }
DEV real dot(d2 a, d2 b) { return a.x * b.x + a.y * b.y; }
DEV real cross(d2 a, d2 b) { return a.x * b.y - a.y * b.x; }        // positive counterclockwise
DEV real norm(d2 a) { return root(dot(a, a)); }
DEV d2 unit(d2 a) {
  real n = norm(a);
  return n < MINVAL ? d2{1, 0} : (1 / n) * a;
}

// The point of a segment nearest to the centre, and its parameter from 0 at the first end to 1 at the second. False if the ends
// coincide.
DEV bool nearest_on_segment(d2 a, d2 b, d2& foot, real& at) {
  d2 run = b - a;
  real square = dot(run, run);
  if (square < MINVAL) return false;
  at = -dot(run, a) / square;
  foot = a + (at < 0 ? 0 : at > 1 ? 1 : at) * run;
  return true;
}

// Tangent point of a circle as seen from p, on the counterclockwise or clockwise side.
DEV d2 tangent_at(d2 p, real radius, real sense) {
  real square = dot(p, p), length = root(square - radius * radius), k = sense * radius * length;
  return (1 / square) * d2{radius * radius * p.x - k * p.y, radius * radius * p.y + k * p.x};
}

// Path around the outside of a circle, on the side of a side site if given, else the shorter one. False if the straight path is
// free.
DEV bool wrap_circle(d2 a, d2 b, bool sided, d2 side, real radius, d2& on, d2& off, real& angle) {
  real square = radius * radius, at;
  d2 foot;
  if (radius < MINVAL || dot(a, a) < square || dot(b, b) < square || !nearest_on_segment(a, b, foot, at)) return false;
  if (dot(foot, foot) > square && (!sided || dot(side, foot) >= 0)) return false;
  d2 first[2], last[2];       // clockwise, counterclockwise
  UNROLL for (int k = 0; k < 2; k++) {
    real sense = k ? 1 : -1;
    first[k] = tangent_at(a, radius, sense);
    last[k] = tangent_at(b, radius, -sense);
  }
  bool counter;
  real reach = root((dot(a, a) - square) * (dot(b, b) - square));
  // where tangents of the shorter path cross, only the longer one is possible
  if (sided && absolute(dot(a, b) - square) <= reach) counter = cross(a, b) < 0;
  else if (sided) counter = dot(unit(first[0] + last[0]), side) <= dot(unit(first[1] + last[1]), side);
  else {
    d2 one = first[0] - last[0], other = first[1] - last[1];
    counter = dot(one, one) >= dot(other, other);
  }
  on = counter ? first[1] : first[0];
  off = counter ? last[1] : last[0];
  real cosine = dot(unit(on), unit(off)), turned = counter ? cross(on, off) : -cross(on, off);
  angle = acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
  if (turned < 0) angle = 6.283185307179586 - angle;
  return true;
}

// Sine of the angle between path and radius where the path touches a circle from within, or -1 if it nearly grazes it. By the law
// of sines the angles seen from both ends add up to the angle between them. Newton's method starts above the root.
DEV real incidence(real k1, real k2, real apart) {
  real z = 1 - 1e-7;
  for (int i = 0; i <= 20; i++) {
    real rest = asin(k1 * z) + asin(k2 * z) - 2 * asin(z) + apart;
    if (i == 0 && rest > 0) return -1;
    if (rest > -1e-6) return z;
    auto part = [&](real k) {
      real x = root(1 - z * z * k * k);
      return k / (x < MINVAL ? MINVAL : x);
    };
    z -= rest / (part(k1) + part(k2) - 2 * part(1));
  }
  return -1;
}
// Path through a circle that touches it from within. False if the straight path intersects the circle, or the ends are on opposite
// sides.
DEV bool wrap_inside(d2 a, d2 b, real radius, d2& touch) {
  real da = norm(a), db = norm(b), at;
  if (radius < MINVAL || da <= radius || db <= radius) return false;
  d2 foot;
  if (nearest_on_segment(a, b, foot, at) && at > 0 && at < 1 && norm(foot) <= radius) return false;
  real cosine = dot(a, b) / (da * db);
  if (cosine < -1 + MINVAL) return false;
  touch = radius * unit(a + b);
  if (cosine > 1 - MINVAL) return true;
  real z = incidence(radius / da, radius / db, acos(cosine));
  if (z < 0) return true;
  bool from_a = cross(a, b) > 0;
  d2 from = unit(from_a ? a : b);
  real angle = asin(z) - asin(radius / (from_a ? da : db) * z), s = sin(angle), c = cos(angle);
  touch = radius * d2{from.x * c - from.y * s, from.x * s + from.y * c};
  return true;
}

// The plane through the centre of a sphere and both ends.
DEV void wrap_plane(d3 a, d3 b, d3& x, d3& y) {
  x = normalized(a, norm(a));
  d3 normal = cross(a, b);
  real length = norm(normal);
  if (length < MINVAL) {
    // any plane will do
    real p = absolute(x.x), q = absolute(x.y), r = absolute(x.z);
    d3 across = r > p && r > q ? d3{1, 1, 0} : q > p && q > r ? d3{1, 0, 1} : d3{0, 1, 1};
    normal = cross(x, across);
    length = norm(normal);
  }
  y = cross((1 / length) * normal, x);
  y = normalized(y, norm(y));
}

// Wraps a segment around a geom, in its axes: both tangent points and the length between them. False if the straight path is free.
CALL bool wrap(d3 a, d3 b, bool cylinder, real radius, bool sided, d3 side, d3& on, d3& off, real& length) {
  if (norm(a) < MINVAL || norm(b) < MINVAL) return false;
  d3 x = {1, 0, 0}, y = {0, 1, 0};
  if (!cylinder) wrap_plane(a, b, x, y);
  d2 p = {dot(a, x), dot(a, y)}, q = {dot(b, x), dot(b, y)}, first, last;
  real angle = 0;
  if (sided && norm(side) < radius) {
    if (!wrap_inside(p, q, radius, first)) return false;
    last = first;
  } else if (!wrap_circle(p, q, sided, radius * unit(d2{dot(side, x), dot(side, y)}), radius, first, last, angle)) return false;
  on = first.x * x + first.y * y;
  off = last.x * x + last.y * y;
  length = radius * angle;
  if (cylinder) {
    // a uniform climb along the axis
    real before = norm(p - first), after = norm(q - last), rise = (b.z - a.z) / (before + length + after);
    on.z = a.z + rise * before;
    off.z = a.z + rise * (before + length);
    real climb = off.z - on.z;
    length = root(length * length + climb * climb);
  }
  return true;
}
