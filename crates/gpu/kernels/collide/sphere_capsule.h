// Spheres and capsules with each other, spheres with boxes and cylinders.
#pragma once
#include "pair.h"

struct SphereSphere {
  static constexpr int MAX_CONTACTS = 1;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    found[0] = sphere_sphere(a.pos, a.size.x, axis_z(a.quat), b.pos, b.size.x, axis_z(b.quat), margin, con[0]);
  }
};
struct SphereCapsule {
  static constexpr int MAX_CONTACTS = 1;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 axis = axis_z(b.quat);
    float along = clamp(dot(axis, a.pos - b.pos), -b.size.y, b.size.y);
    found[0] = sphere_sphere(a.pos, a.size.x, axis_z(a.quat), b.pos + along * axis, b.size.x, axis, margin, con[0]);
  }
};
// Nearest points of the two segments, at x half-lengths from their middles; both ends if they are parallel.
struct CapsuleCapsule {
  static constexpr int MAX_CONTACTS = 2;
  static DEV bool at(const Shape& a, const Shape& b, v3 ua, v3 ub, float xa, float xb, float margin, Contact& con) {
    v3 pa = a.pos + (xa * a.size.y) * ua, pb = b.pos + (xb * b.size.y) * ub;
    return sphere_sphere(pa, a.size.x, ua, pb, b.size.x, ub, margin, con);
  }
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 ua = axis_z(a.quat), ub = axis_z(b.quat), between = a.pos - b.pos;
    float la = a.size.y, lb = b.size.y, aa = la * la, bb = lb * lb, cosine = dot(ua, ub), ab = -la * lb * cosine;
    float u = -la * dot(ua, between), v = lb * dot(ub, between), det = aa * bb * (1.f - cosine * cosine);
    found[1] = false;
    if (det > 1e-6f * aa * bb) {
      float xa = (bb * u - ab * v) / det, xb = (aa * v - ab * u) / det;
      if (fabsf(xa) > 1.f) {
        xa = xa > 0.f ? 1.f : -1.f;
        xb = (v - xa * ab) / bb;
      }
      if (fabsf(xb) > 1.f) {
        xb = xb > 0.f ? 1.f : -1.f;
        xa = clamp((u - xb * ab) / aa, -1.f, 1.f);
      }
      found[0] = at(a, b, ua, ub, xa, xb, margin, con[0]);
      return;
    }
    int count = 0;
    found[0] = false;
    for (int k = 0; k < 4 && count < 2; k++) {
      float end = k & 1 ? -1.f : 1.f, xa = end, xb = clamp((v - end * ab) / bb, -1.f, 1.f);
      if (k >= 2) xa = clamp((u - end * ab) / aa, -1.f, 1.f), xb = end;
      Contact next;
      if (!at(a, b, ua, ub, xa, xb, margin, next)) continue;
      if (count == 0) con[0] = next, found[0] = true;
      else con[1] = next, found[1] = true;
      count++;
    }
  }
};
// The nearest point of the box, or of its nearest face if the centre is inside.
struct SphereBox {
  static constexpr int MAX_CONTACTS = 1;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 c = rotate(conjugate(b.quat), a.pos - b.pos), e = b.size;
    v3 near = {clamp(c.x, -e.x, e.x), clamp(c.y, -e.y, e.y), clamp(c.z, -e.z, e.z)};
    float dist = norm(near - c), radius = a.size.x;
    v3 inward, pos;
    if (dist > TINY) {
      inward = reciprocal(dist) * (near - c);
      pos = 0.5f * (near + c + radius * inward);
    } else {
      float dx = e.x - fabsf(c.x), dy = e.y - fabsf(c.y), dz = e.z - fabsf(c.z), depth = fminf(dx, fminf(dy, dz));
      inward = depth == dx ? v3{c.x > 0.f ? -1.f : 1.f, 0.f, 0.f} : depth == dy ? v3{0.f, c.y > 0.f ? -1.f : 1.f, 0.f} : v3{0.f, 0.f, c.z > 0.f ? -1.f : 1.f};
      dist = -depth;
      pos = c + (0.5f * (radius - depth)) * inward;
    }
    con[0] = {b.pos + rotate(b.quat, pos), rotate(b.quat, inward), ANY_TANGENT, dist - radius};
    found[0] = dist - radius <= margin;
  }
};
// The side, a cap or the rim; a centre inside goes to the nearer of side and cap.
struct SphereCylinder {
  static constexpr int MAX_CONTACTS = 1;
  static DEV void find(const Shape& a, const Shape& b, float margin, Contact* con, bool* found) {
    v3 axis = axis_z(b.quat), from = a.pos - b.pos;
    float along = dot(axis, from), radius = b.size.x, half = b.size.y, sign = along > 0.f ? 1.f : -1.f;
    v3 foot = along * axis, out = from - foot;
    float off = norm(out);
    bool side = fabsf(along) < half, cap = off < radius;
    if (side && cap) {
      side = half - fabsf(along) >= radius - off;
      cap = !side;
    }
    if (side) found[0] = sphere_sphere(a.pos, a.size.x, axis_z(a.quat), b.pos + foot, radius, axis, margin, con[0]);
    else if (cap) {
      found[0] = sphere_plane(b.pos + (sign * half) * axis, sign * axis, a.pos, a.size.x, margin, ANY_TANGENT, con[0]);
      con[0].normal = -con[0].normal;
    } else {
      v3 rim = b.pos + (sign * half) * axis + (off > 0.f ? radius / off : 0.f) * out;
      found[0] = sphere_sphere(a.pos, a.size.x, axis_z(a.quat), rim, 0.f, axis, margin, con[0]);
    }
  }
};
