// Fluid forces on bodies: inertia-box drag, or drag, lift and added mass of ellipsoids.
#pragma once
#include "inertia.h"

constexpr float PI = 3.14159265f;

// A shape in the fluid: its pose, and its velocity relative to the medium in its own axes.
struct FluidShape { Pose at; v3 spin, speed; };
DEV FluidShape fluid_shape(const Context& h, int k, v6 v, v3 com) {
  int b = ld(fluid_body + k), g = ld(fluid_geom + k);
  Pose p = body_pose(h.s, b), at;
  if (g < 0) at = {xipos(h, b, p), p.quat * body_iquat(h.n, b)};
  else at = {p.pos + rotate(p.quat, geom_pos(h.n, g)), p.quat * geom_quat(h.n, g)};
  q4 back = conjugate(at.quat);
  return {at, rotate(back, v.r), rotate(back, v.t + cross(v.r, at.pos - com) - wind(h.n, 0))};
}

DEV float fourth(float x) { return x * x * x * x; }
// Drag coefficients of the equivalent inertia box: per unit of speed, and of speed squared.
struct Drag { float spin, speed; v3 spin2, speed2; };
DEV Drag box_drag(const Context& h, int b) {
  v3 in = body_inertia(h.n, b);
  float by = 6.f / body_mass(h.n, b), rho = density(h.n, 0), mu = viscosity(h.n, 0);
  float x = sqrtf(fmaxf(in.y + in.z - in.x, TINY) * by), y = sqrtf(fmaxf(in.x + in.z - in.y, TINY) * by), z = sqrtf(fmaxf(in.x + in.y - in.z, TINY) * by);
  float d = (x + y + z) / 3.f, x4 = fourth(x), y4 = fourth(y), z4 = fourth(z);
  return {PI * d * d * d * mu, 3.f * PI * d * mu, (rho / 64.f) * v3{x * (y4 + z4), y * (x4 + z4), z * (x4 + y4)}, (0.5f * rho) * v3{y * z, x * z, x * y}};
}
DEV v6 box_force(const Context& h, int b, const FluidShape& s) {
  Drag d = box_drag(h, b);
  return {-(d.spin * s.spin + times(d.spin2, times(absolute(s.spin), s.spin))), -(d.speed * s.speed + times(d.speed2, times(absolute(s.speed), s.speed)))};
}

// Geometry of an ellipsoid: squared products of two semi-axes, the projected area with the sums it is computed from, the drag
// moments of rotation about each axis, and sizes that the coefficients multiply.
struct FluidEllipsoid { v3 face, turn; float area, num, denom, widest, diameter, volume; };
DEV FluidEllipsoid fluid_ellipsoid(const Context& h, int k, v3 v) {
  v3 a = fluid_size(h.n, k);
  FluidEllipsoid e;
  e.face = {(a.y * a.z) * (a.y * a.z), (a.z * a.x) * (a.z * a.x), (a.x * a.y) * (a.x * a.y)};
  e.num = dot(e.face, times(v, v));
  e.denom = dot(times(e.face, e.face), times(v, v));
  e.area = PI * sqrtf(e.denom / fmaxf(e.num, TINY));
  float most = fmaxf(a.x, fmaxf(a.y, a.z)), least = fminf(a.x, fminf(a.y, a.z)), mid = a.x + a.y + a.z - most - least, c = 8.f / 15.f * PI;
  v3 moment = {c * a.x * fourth(fmaxf(a.y, a.z)), c * a.y * fourth(fmaxf(a.z, a.x)), c * a.z * fourth(fmaxf(a.x, a.y))};
  float limit = c * mid * fourth(most), slender = fluid_coef(h.n, k, 2);
  e.turn = fluid_coef(h.n, k, 3) * moment + slender * (v3{limit, limit, limit} - moment);
  e.widest = PI * most * mid;
  e.diameter = 2.f / 3.f * (a.x + a.y + a.z);
  e.volume = 4.f / 3.f * PI * a.x * a.y * a.z;
  return e;
}
DEV v3 virtual_mass(const Context& h, int k) { return density(h.n, 0) * v3{fluid_coef(h.n, k, 6), fluid_coef(h.n, k, 7), fluid_coef(h.n, k, 8)}; }
DEV v3 virtual_inertia(const Context& h, int k) { return density(h.n, 0) * v3{fluid_coef(h.n, k, 9), fluid_coef(h.n, k, 10), fluid_coef(h.n, k, 11)}; }

DEV v6 ellipsoid_force(const Context& h, int k, const FluidShape& s) {
  v3 w = s.spin, v = s.speed;
  FluidEllipsoid e = fluid_ellipsoid(h, k, v);
  float rho = density(h.n, 0), mu = viscosity(h.n, 0), blunt = fluid_coef(h.n, k, 1), slender = fluid_coef(h.n, k, 2), d = e.diameter;
  v3 p = times(virtual_mass(h, k), v), l = times(virtual_inertia(h, k), w);
  float cosine = e.num / fmaxf(norm(v) * e.denom, TINY);
  v3 kutta = cross((fluid_coef(h.n, k, 4) * rho * cosine * e.area) * cross(times(e.face, v), v), v);
  float drag_w = mu * PI * d * d * d + rho * norm(times(w, e.turn));
  float drag_v = mu * 3.f * PI * d + rho * norm(v) * (e.area * blunt + slender * (e.widest - e.area));
  v3 torque = cross(p, v) + cross(l, w) - drag_w * w;
  v3 force = cross(p, w) + (fluid_coef(h.n, k, 5) * rho * e.volume) * cross(w, v) + kutta - drag_v * v;
  return fluid_coef(h.n, k, 0) * v6{torque, force};
}

// Fluid force on a body that moves with v, both about a point.
DEV v6 fluid_force(const Context& h, int b, v6 v, v3 point) {
  v6 sum = {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  for (int k = ld(fluid_adr + b); k < ld(fluid_adr + b + 1); k++) {
    FluidShape s = fluid_shape(h, k, v, point);
    v6 f = ld(fluid_geom + k) < 0 ? box_force(h, b, s) : ellipsoid_force(h, k, s);
    v3 force = rotate(s.at.quat, f.t);
    sum = sum + v6{rotate(s.at.quat, f.r) + cross(s.at.pos - point, force), force};
  }
  return sum;
}
