// Derivatives of fluid forces with respect to velocity, for the implicit integrators.
#pragma once
#include "fluid.h"

// Derivatives of torque and force (rows) with respect to angular and linear velocity (columns).
struct ForceDerivative { float m[6][6]; };
DEV void add_block(ForceDerivative& d, int row, int column, v3 x, v3 y, v3 z) {
  float* at = &d.m[row][column];
  at[0] += x.x, at[1] += x.y, at[2] += x.z;
  at[6] += y.x, at[7] += y.y, at[8] += y.z;
  at[12] += z.x, at[13] += z.y, at[14] += z.z;
}
// x ↦ a × x, with scaled columns.
DEV void add_cross(ForceDerivative& d, int row, int column, v3 a, v3 scale) {
  add_block(d, row, column, times(scale, {0.f, -a.z, a.y}), times(scale, {a.z, 0.f, -a.x}), times(scale, {-a.y, a.x, 0.f}));
}
// a bᵀ + c on the diagonal.
DEV void add_outer(ForceDerivative& d, int at, v3 a, v3 b, float c) {
  add_block(d, at, at, a.x * b + v3{c, 0.f, 0.f}, a.y * b + v3{0.f, c, 0.f}, a.z * b + v3{0.f, 0.f, c});
}

DEV void box_derivative(const Context& h, int b, const FluidShape& s, ForceDerivative& d) {
  Drag drag = box_drag(h, b);
  v3 w = 2.f * times(drag.spin2, absolute(s.spin)), v = 2.f * times(drag.speed2, absolute(s.speed));
  UNROLL for (int k = 0; k < 3; k++) {
    d.m[k][k] = -drag.spin - component(w, k);
    d.m[3 + k][3 + k] = -drag.speed - component(v, k);
  }
}

// Kutta lift.
DEV void kutta_derivative(const Context& h, int k, const FluidEllipsoid& e, v3 v, ForceDerivative& d) {
  v3 square = times(v, v);
  float n2 = square.x + square.y + square.z, root = sqrtf(e.denom) * sqrtf(e.num) * sqrtf(n2);
  float scale = PI * fluid_coef(h.n, k, 4) * density(h.n, 0) / fmaxf(root, TINY), share = e.num / fmaxf(e.denom, TINY), cosine = e.num / fmaxf(n2, TINY);
  UNROLL for (int i = 0; i < 3; i++) {
    float fi = component(e.face, i), lift = fi * n2 - dot(square, e.face);
    UNROLL for (int j = 0; j < 3; j++) {
      float fj = component(e.face, j), inner = fj * fj * share - fj + cosine;
      float turn = 2.f * e.num * (fj - fi) + lift * inner;
      d.m[3 + i][3 + j] += (turn * component(v, i) * component(v, j) - (i == j ? lift * e.num : 0.f)) * scale;
    }
  }
}
// Translational drag. The projected area depends on the direction.
DEV void drag_derivative(const Context& h, int k, const FluidEllipsoid& e, v3 v, ForceDerivative& d) {
  float rho = density(h.n, 0), blunt = fluid_coef(h.n, k, 1), slender = fluid_coef(h.n, k, 2), speed = norm(v);
  v3 square = times(v, v), weighted = times(e.face, square);
  float by_area = rho * speed * (blunt - slender) * PI / fmaxf(sqrtf(e.num) * sqrtf(e.denom) * e.num, TINY);
  float sum = weighted.x + weighted.y + weighted.z, spread = dot(weighted, e.face);
  v3 area_slope = by_area * times(times(e.face, v), {e.face.x * sum - spread, e.face.y * sum - spread, e.face.z * sum - spread});
  float quad = rho * (e.area * blunt + slender * (e.widest - e.area)) / fmaxf(speed, TINY);
  add_outer(d, 3, v, -quad * v - area_slope, -quad * dot(v, v) - viscosity(h.n, 0) * 3.f * PI * e.diameter);
}
DEV void ellipsoid_derivative(const Context& h, int k, const FluidShape& s, ForceDerivative& d) {
  const v3 ones = {1.f, 1.f, 1.f};
  v3 w = s.spin, v = s.speed;
  FluidEllipsoid e = fluid_ellipsoid(h, k, v);
  float rho = density(h.n, 0), magnus = fluid_coef(h.n, k, 5) * rho * e.volume, size = e.diameter;
  add_cross(d, 3, 0, -magnus * v, ones);
  add_cross(d, 3, 3, magnus * w, ones);
  kutta_derivative(h, k, e, v, d);
  drag_derivative(h, k, e, v, d);
  v3 moment = times(w, e.turn), slope = (-rho / fmaxf(norm(moment), TINY)) * times(moment, e.turn);
  add_outer(d, 0, w, slope, dot(w, slope) - viscosity(h.n, 0) * PI * size * size * size);
  v3 mass = virtual_mass(h, k), inertia = virtual_inertia(h, k), p = times(mass, v);
  add_cross(d, 0, 0, times(inertia, w), ones);
  add_cross(d, 0, 0, -w, inertia);
  add_cross(d, 0, 3, p, ones);
  add_cross(d, 0, 3, -v, mass);
  add_cross(d, 3, 0, p, ones);
  add_cross(d, 3, 3, -w, mass);
}

// Motion of a shape due to dof i, in the shape's axes.
DEV v6 local_motion(const World& s, int i, const Pose& at) {
  q4 back = conjugate(at.quat);
  return {rotate(back, get6(s.cdof, DOFS, i).r), rotate(back, point_jacobian(s, i, at.pos))};
}

// Off-diagonal entries for dofs of a body whose mass matrix is known to be diagonal: implicitfast drops them, like the engine.
DEV bool dropped_entry(int i, int j) { return !IMPLICIT && i != j && ld(dof_simplenum + i) > 0; }

// Subtracts dt Jᵀ B J of all fluid shapes from qderiv. Every lane computes B; one lane per row.
DEV void fluid_derivatives(const Context& h) {
  const int lane = h.lane;
  World& s = h.s;
  const float dt = timestep(h.n, 0);
  for (int k = 0; k < NFLUID; k++) {
    int b = ld(fluid_body + k), last = ld(body_lastdof + b);
    if (last < 0) continue;
    FluidShape at = fluid_shape(h, k, get6(s.dof_velocity, DOFS, last), get3(s.com, BODIES, ld(body_rootid + b)));
    ForceDerivative d = {};
    if (ld(fluid_geom + k) < 0) box_derivative(h, b, at, d);
    else ellipsoid_derivative(h, k, at, d);
    EACH(i, NV) {
      if (!moves(b, i)) continue;
      v6 own = local_motion(s, i, at.at);
      float left[6] = {own.r.x, own.r.y, own.r.z, own.t.x, own.t.y, own.t.z}, row[6];
      UNROLL for (int c = 0; c < 6; c++) {
        row[c] = 0.f;
        UNROLL for (int r = 0; r < 6; r++) row[c] += left[r] * (IMPLICIT ? d.m[r][c] : 0.5f * (d.m[r][c] + d.m[c][r]));
      }
      v6 by = {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
      for (int j = last; j >= 0; j = ld(dof_parentid + j))
        if (!dropped_entry(i, j)) s.qderiv[band(i, j)] -= dt * dot(by, local_motion(s, j, at.at));
    }
  }
  sync();
}
