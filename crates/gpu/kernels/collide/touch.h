// What is common to all pairs of shapes.
#pragma once
#include "../world.h"

struct Shape { v3 pos; q4 quat; v3 size; };
struct Hit { v3 pos, normal, tangent; float dist; };   // a tangent of zeros: any
constexpr v3 ANY = {0.f, 0.f, 0.f};

// a ball with the half-space below a point
DEV bool ball_on_plane(v3 origin, v3 normal, v3 centre, float radius, float margin, v3 tangent, Hit& hit) {
  float dist = dot(centre - origin, normal) - radius;
  hit = {centre - (0.5f * dist + radius) * normal, normal, tangent, dist};
  return dist <= margin;
}
// a point of a shape at the end of an arm from its middle, with the half-space
DEV bool corner_on_plane(v3 middle, float height, v3 normal, v3 arm, float margin, Hit& hit) {
  float dist = height + dot(normal, arm);
  hit = {middle + arm - (0.5f * dist) * normal, normal, ANY, dist};
  return dist <= margin;
}
// two balls; the axes say where to, if their centres are the same
DEV bool balls(v3 a, float ra, v3 axis_a, v3 b, float rb, v3 axis_b, float margin, Hit& hit) {
  v3 between = b - a;
  float length = norm(between), dist = length - ra - rb;
  bool same = length <= 1e-6f * (ra + rb);
  v3 normal = same ? unit(cross(axis_a, axis_b)) : reciprocal(length) * between;
  hit = {a + (ra + 0.5f * dist) * normal, normal, ANY, dist};
  return dist <= margin;
}
