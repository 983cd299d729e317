// A plane with spheres, capsules, ellipsoids, cylinders and boxes.
#pragma once
#include "pair.h"

struct PlaneSphere {
  static constexpr int MAX_CONTACTS = 1;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    found[0] = sphere_plane(a.pos, axis_z(a.quat), b.pos, b.size.x, margin, ANY_TANGENT, con[0]);
  }
};
struct PlaneCapsule {
  static constexpr int MAX_CONTACTS = 2;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 normal = axis_z(a.quat), axis = axis_z(b.quat), half = b.size.y * axis;
    found[0] = sphere_plane(a.pos, normal, b.pos + half, b.size.x, margin, axis, con[0]);
    found[1] = sphere_plane(a.pos, normal, b.pos - half, b.size.x, margin, axis, con[1]);
  }
};
struct PlaneEllipsoid {
  static constexpr int MAX_CONTACTS = 1;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 normal = axis_z(a.quat), down = rotate(conjugate(b.quat), -normal);
    v3 u = unit(v3{down.x * b.size.x, down.y * b.size.y, down.z * b.size.z});
    v3 arm = rotate(b.quat, v3{u.x * b.size.x, u.y * b.size.y, u.z * b.size.z});
    found[0] = point_plane(b.pos, dot(b.pos - a.pos, normal), normal, arm, margin, con[0]);
  }
};
// The lowest point of the nearer rim, the point above it on the other rim, and two more at ±120° on the nearer rim.
struct PlaneCylinder {
  static constexpr int MAX_CONTACTS = 4;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 normal = axis_z(a.quat), up = axis_z(b.quat);
    // computed in the cylinder's own frame: elsewhere a small tilt would be lost to rounding
    v3 tilt = rotate(conjugate(b.quat), normal);
    float height = dot(b.pos - a.pos, normal), n = sqrtf(tilt.x * tilt.x + tilt.y * tilt.y), r = n < 1e-6f ? 0.f : -reciprocal(n);
    v3 end = (tilt.z > 0.f ? -b.size.y : b.size.y) * up;
    v3 spoke = b.size.x * (n < 1e-6f ? axis_x(b.quat) : rotate(b.quat, v3{r * tilt.x, r * tilt.y, 0.f}));
    v3 side = (b.size.x * 0.866025404f) * unit(cross(spoke, end)), back = end - 0.5f * spoke;
    found[0] = point_plane(b.pos, height, normal, end + spoke, margin, con[0]);
    found[1] = point_plane(b.pos, height, normal, spoke - end, margin, con[1]);
    found[2] = point_plane(b.pos, height, normal, back + side, margin, con[2]);
    found[3] = point_plane(b.pos, height, normal, back - side, margin, con[3]);
  }
};
// Corners below the centre, at most four.
struct PlaneBox {
  static constexpr int MAX_CONTACTS = 8;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 normal = axis_z(a.quat);
    float height = dot(b.pos - a.pos, normal);
    int count = 0;
    UNROLL for (int k = 0; k < 8; k++) {
      v3 arm = rotate(b.quat, v3{k & 1 ? b.size.x : -b.size.x, k & 2 ? b.size.y : -b.size.y, k & 4 ? b.size.z : -b.size.z});
      found[k] = point_plane(b.pos, height, normal, arm, margin, con[k]) && dot(normal, arm) <= 0.f && count < 4;
      count += found[k];
    }
  }
};
