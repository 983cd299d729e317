// Vectors and quaternions.
#pragma once
#include "lanes.h"

constexpr float TINY = 1e-15f;

template <class T> struct xyz { T x, y, z; };
template <class T> struct same { using type = T; };     // a parameter that converts from any number
using v3 = xyz<float>;
struct q4 { float w, x, y, z; };

template <class T> DEV xyz<T> operator+(xyz<T> a, xyz<T> b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> DEV xyz<T> operator-(xyz<T> a, xyz<T> b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
template <class T> DEV xyz<T> operator-(xyz<T> a) { return {-a.x, -a.y, -a.z}; }
template <class T> DEV xyz<T> operator*(typename same<T>::type s, xyz<T> a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> DEV T dot(xyz<T> a, xyz<T> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> DEV xyz<T> cross(xyz<T> a, xyz<T> b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
DEV float norm(v3 a) { return sqrtf(dot(a, a)); }
// Unit vector; x for a zero vector.
DEV v3 unit(v3 a) {
  float n = norm(a);
  return n < TINY ? v3{1.f, 0.f, 0.f} : reciprocal(n) * a;
}
DEV v3 times(v3 a, v3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
DEV v3 absolute(v3 a) { return {fabsf(a.x), fabsf(a.y), fabsf(a.z)}; }
DEV float component(v3 a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
DEV float clamp(float x, float lo, float hi) { return fminf(fmaxf(x, lo), hi); }

DEV q4 operator*(q4 a, q4 b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
DEV q4 conjugate(q4 q) { return {q.w, -q.x, -q.y, -q.z}; }
DEV v3 rotate(q4 q, v3 v) {
  v3 u = {q.x, q.y, q.z}, t = cross(u, v);
  t = t + t;
  return v + q.w * t + cross(u, t);
}
DEV q4 unit(q4 q) {
  float n = sqrtf(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (n < TINY) return {1.f, 0.f, 0.f, 0.f};
  float r = reciprocal(n);
  return {q.w * r, q.x * r, q.y * r, q.z * r};
}
// Quaternion from a unit axis and an angle (mju_axisAngle2Quat).
DEV q4 axis_angle(v3 axis, float angle) {
  float s, c;
  sine_cosine(0.5f * angle, &s, &c);
  return {c, s * axis.x, s * axis.y, s * axis.z};
}
// Rotation vector of a unit quaternion, by the shorter way.
DEV v3 rotation_vector(q4 q) {
  v3 u = {q.x, q.y, q.z};
  float s = norm(u);
  if (s < TINY) return {0.f, 0.f, 0.f};
  float angle = 2.f * atan2f(s, q.w);
  if (angle > 3.14159265f) angle -= 6.28318531f;
  return (angle / s) * u;
}
// Columns of the rotation matrix.
DEV v3 axis_x(q4 q) { return {1.f - 2.f * (q.y * q.y + q.z * q.z), 2.f * (q.x * q.y + q.w * q.z), 2.f * (q.x * q.z - q.w * q.y)}; }
DEV v3 axis_y(q4 q) { return {2.f * (q.x * q.y - q.w * q.z), 1.f - 2.f * (q.x * q.x + q.z * q.z), 2.f * (q.y * q.z + q.w * q.x)}; }
DEV v3 axis_z(q4 q) { return {2.f * (q.x * q.z + q.w * q.y), 2.f * (q.y * q.z - q.w * q.x), 1.f - 2.f * (q.x * q.x + q.y * q.y)}; }

// Items stored component by component.
DEV v3 get3(const float* a, int stride, int i) { return {a[i], a[stride + i], a[2 * stride + i]}; }
DEV q4 get4(const float* a, int stride, int i) { return {a[i], a[stride + i], a[2 * stride + i], a[3 * stride + i]}; }
DEV void put3(float* a, int stride, int i, v3 v) {
  a[i] = v.x;
  a[stride + i] = v.y;
  a[2 * stride + i] = v.z;
}
DEV void put4(float* a, int stride, int i, q4 q) {
  a[i] = q.w;
  a[stride + i] = q.x;
  a[2 * stride + i] = q.y;
  a[3 * stride + i] = q.z;
}

// Spatial vector: rotation, translation.
struct v6 { v3 r, t; };
DEV v6 operator+(v6 a, v6 b) { return {a.r + b.r, a.t + b.t}; }
DEV v6 operator*(float s, v6 a) { return {s * a.r, s * a.t}; }
DEV float dot(v6 a, v6 b) { return dot(a.r, b.r) + dot(a.t, b.t); }
DEV v6 operator-(v6 a, v6 b) { return {a.r - b.r, a.t - b.t}; }
// Spatial cross products: motion × motion, and motion × force.
DEV v6 cross_motion(v6 a, v6 b) { return {cross(a.r, b.r), cross(a.r, b.t) + cross(a.t, b.r)}; }
DEV v6 cross_force(v6 a, v6 f) { return {cross(a.r, f.r) + cross(a.t, f.t), cross(a.r, f.t)}; }
DEV v6 get6(const float* a, int stride, int i) { return {get3(a, stride, i), get3(a + 3 * stride, stride, i)}; }
DEV void put6(float* a, int stride, int i, v6 v) {
  put3(a, stride, i, v.r);
  put3(a + 3 * stride, stride, i, v.t);
}
