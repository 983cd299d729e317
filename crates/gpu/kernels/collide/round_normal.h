// Normals of round shapes at a point near their surface. They replace the normal of an MPR portal, whose accuracy is limited by the
// portal's size.
#pragma once
#include "convex.h"

// Iterations on ellipsoids, and their tolerance.
constexpr int NORMAL_ITERATIONS = 30;
constexpr real SAME_NORMAL = 1e-6;

// Fixed-point iteration from a point inside an ellipsoid: the normal leads to a surface point, whose normal is next. Returns
// false if not even the first iteration succeeds.
DEV bool normal_inside(d3 p, d3 square, d3& normal) {
  auto form = [&](d3 u, d3 v) { return u.x * v.x / square.x + u.y * v.y / square.y + u.z * v.z / square.z; };
  for (int i = 0; i < NORMAL_ITERATIONS; i++) {
    real a = form(normal, normal), b = form(p, normal), c = form(p, p) - 1, under = b * b - a * c, reach = (root(under) - b) / a;
    if (!(under >= MINVAL && a >= MINVAL && reach >= 0)) return i > 0;
    d3 at = p + reach * normal, next = {at.x / square.x, at.y / square.y, at.z / square.z}, was = normal;
    normal = normalized(next, norm(next));
    if (norm(normal - was) < SAME_NORMAL) break;
  }
  return true;
}
// From a point outside: the nearest surface point is square / (square + m) p along each axis; Newton's method finds m.
DEV d3 normal_outside(d3 p, d3 square) {
  real m = 0;
  auto part = [&](real x, real s, real over) { return x * x * s / over; };
  for (int i = 0; i < NORMAL_ITERATIONS; i++) {
    real x = square.x + m, y = square.y + m, z = square.z + m;
    real excess = part(p.x, square.x, x * x) + part(p.y, square.y, y * y) + part(p.z, square.z, z * z) - 1;
    real slope = -2 * (part(p.x, square.x, x * x * x) + part(p.y, square.y, y * y * y) + part(p.z, square.z, z * z * z));
    if (excess < SAME_NORMAL || slope > -MINVAL || -excess / slope < SAME_NORMAL) break;
    m -= excess / slope;
  }
  d3 n = {p.x / (square.x + m), p.y / (square.y + m), p.z / (square.z + m)};
  return normalized(n, norm(n));
}

// Outward normal of a shape near a point. Returns whether the shape is round there. For a cylinder the point must be much nearer to
// the round side than to a flat one.
DEV bool round_normal(const ConvexShape& s, d3 at, d3& normal) {
  d3 p = in_axes(s, at - s.pos), e = s.extent, n;
  if (s.kind == CAPSULE) n = {p.x, p.y, p.z - (p.z < -e.y ? -e.y : p.z > e.y ? e.y : p.z)};
  else if (s.kind == CYLINDER) {
    const real flat = absolute(e.y - absolute(p.z)), round = absolute(e.x - root(p.x * p.x + p.y * p.y));
    if (absolute(p.z) > 0.95 * e.y || flat < 0.25 * round) return false;
    n = {p.x, p.y, 0};
  } else if (s.kind == ELLIPSOID) {
    d3 square = {e.x * e.x, e.y * e.y, e.z * e.z};
    n = in_axes(s, normal);
    if (p.x * p.x / square.x + p.y * p.y / square.y + p.z * p.z / square.z > 1) n = normal_outside(p, square);
    else if (!normal_inside(p, square, n)) return false;
  } else return false;
  normal = from_axes(s, normalized(n, norm(n)));
  return true;
}
// The normal from first to second shape, taken from those that are round at the point; the mean if both are.
DEV d3 refined_normal(const Ccd& g, d3 at, d3 normal) {
  d3 first = normal, second = -normal;
  const bool a = round_normal(g.shape[0], at, first), b = round_normal(g.shape[1], at, second);
  d3 mean = first - second;
  return a && b ? normalized(mean, norm(mean)) : a ? first : b ? -second : normal;
}
