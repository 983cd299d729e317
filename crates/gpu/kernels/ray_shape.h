// Ray intersections and point-in-shape tests for primitive shapes, in the shape's own frame.
#pragma once
#include "kinematics.h"

// A point in the axes of a frame.
DEV v3 to_frame(Pose frame, v3 pos) { return rotate(conjugate(frame.quat), pos - frame.pos); }

// Roots of a x² + 2 b x + c; both negative if there are none.
struct Roots { float low, high; };
DEV Roots roots(float a, float b, float c) {
  float square = b * b - a * c;
  if (square < 0.f || a < TINY) return {-1.f, -1.f};
  float root = sqrtf(square);
  return {(-b - root) / a, (-b + root) / a};
}
DEV float first(Roots r) { return r.low >= 0.f ? r.low : r.high; }
DEV float nearer(float x, float best) { return x >= 0.f && (best < 0.f || x < best) ? x : best; }

// Where a line enters and leaves a sphere.
DEV Roots ball_roots(v3 p, v3 d, float radius) { return roots(dot(d, d), dot(d, p), dot(p, p) - radius * radius); }

// Capsules and cylinders along z: the round side, then the ends.
DEV float ray_round(bool capsule, float radius, float half, v3 p, v3 d) {
  float side = first(roots(d.x * d.x + d.y * d.y, d.x * p.x + d.y * p.y, p.x * p.x + p.y * p.y - radius * radius));
  float best = side >= 0.f && fabsf(p.z + side * d.z) <= half ? side : -1.f;
  for (int end = -1; end < 2; end += 2) {
    if (capsule) {
      Roots r = ball_roots({p.x, p.y, p.z - end * half}, d, radius);
      if (end * (p.z + r.low * d.z) >= half) best = nearer(r.low, best);
      if (end * (p.z + r.high * d.z) >= half) best = nearer(r.high, best);
    } else if (fabsf(d.z) > TINY) {
      float x = (end * half - p.z) / d.z;
      v3 at = p + x * d;
      if (at.x * at.x + at.y * at.y <= radius * radius) best = nearer(x, best);
    }
  }
  return best;
}
DEV float ray_box(v3 size, v3 p, v3 d) {
  float best = -1.f;
  for (int face = 0; face < 6; face++) {
    int axis = face / 2;
    float along = component(d, axis);
    if (fabsf(along) <= TINY) continue;
    float x = ((face & 1 ? 1.f : -1.f) * component(size, axis) - component(p, axis)) / along;
    v3 at = absolute(p + x * d);
    bool within = (axis == 0 || at.x <= size.x) && (axis == 1 || at.y <= size.y) && (axis == 2 || at.z <= size.z);
    if (within) best = nearer(x, best);
  }
  return best;
}
// Distance along a ray to the surface of a shape; negative for a miss. Planes are hit from the front only, and within their sizes
// if those are positive.
DEV float ray_shape(int type, v3 size, v3 p, v3 d) {
  if (type == GEOM_SPHERE) return first(ball_roots(p, d, size.x));
  if (type == GEOM_CAPSULE || type == GEOM_CYLINDER) return ray_round(type == GEOM_CAPSULE, size.x, size.y, p, d);
  if (type == GEOM_BOX) return ray_box(size, p, d);
  if (type == GEOM_ELLIPSOID) return first(ball_roots({p.x / size.x, p.y / size.y, p.z / size.z}, {d.x / size.x, d.y / size.y, d.z / size.z}, 1.f));
  if (type != GEOM_PLANE || d.z > -TINY) return -1.f;
  float x = -p.z / d.z;
  v3 at = absolute(p + x * d);
  return (size.x <= 0.f || at.x <= size.x) && (size.y <= 0.f || at.y <= size.y) ? x : -1.f;
}
DEV bool within(int type, v3 size, v3 p) {
  float across = p.x * p.x + p.y * p.y, radius = size.x * size.x;
  if (type == GEOM_SPHERE) return dot(p, p) < radius;
  if (type == GEOM_CYLINDER) return fabsf(p.z) < size.y && across < radius;
  if (type == GEOM_BOX) return fabsf(p.x) < size.x && fabsf(p.y) < size.y && fabsf(p.z) < size.z;
  if (type == GEOM_PLANE) return p.z < 0.f;
  if (type == GEOM_CAPSULE) {
    float beyond = p.z - clamp(p.z, -size.y, size.y);
    return across + beyond * beyond < radius;
  }
  v3 q = {p.x / size.x, p.y / size.y, p.z / size.z};
  return type == GEOM_ELLIPSOID && dot(q, q) < 1.f;
}
DEV bool within_site(const Context& h, int site, v3 pos) {
  return within(ld(site_type + site), site_size(h.n, site), to_frame(site_pose(h, site), pos));
}
