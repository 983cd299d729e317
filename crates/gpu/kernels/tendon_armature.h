// Tendon armature: its contribution to the mass matrix (mj_tendonArmature), and the bias force as its moments rotate
// (mj_tendonBias).
#pragma once
#include "transmission.h"

// Whether the mass matrix has an entry for two dofs.
DEV bool coupled(int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  return moves(ld(dof_bodyid + high), low) && (i == j || ld(dof_simplenum + high) == 0);
}
DEV void add_tendon_armature(const Context& h) {
  const int lane = h.lane;
  for (int t = 0; t < NTENDON; t++) {
    int first = ld(trn_momentadr + NU + t), count = ld(trn_momentadr + NU + t + 1) - first;
    float inertia = tendon_armature(h.n, t);
    if (inertia == 0.f) continue;
    EACH(e, count * count) {
      int a = first + e / count, b = first + e % count, i = ld(moment_dof + a), j = ld(moment_dof + b);
      if (coupled(i, j)) h.s.M[band(i, j)] += inertia * moment(h, a) * moment(h, b);
    }
    sync();
  }
}

// Velocity of a point of a body, and its acceleration due to velocities alone.
struct PointMotion { v3 velocity, acceleration; };
DEV PointMotion point_motion(const World& s, int body, v3 pos) {
  int last = ld(body_lastdof + body);
  if (last < 0) return {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  v6 v = get6(s.dof_velocity, DOFS, last), a = get6(s.chain[CHAIN_SUM], DOFS, last);
  v3 away = pos - get3(s.com, BODIES, ld(body_rootid + body)), velocity = v.t + cross(v.r, away);
  return {velocity, a.t + cross(a.r, away) + cross(v.r, velocity)};
}
// Acceleration of a tendon's length due to velocities alone. It is zero for fixed tendons; tendons with armature do not wrap.
DEV float length_acceleration(const Context& h, int t) {
  if (NSEGMENT == 0 || ld(trn_type + NU + t) != TRN_SPATIAL_TENDON) return 0.f;
  float sum = 0.f;
  int first = ld(trn_object + 2 * (NU + t)), count = ld(trn_object + 2 * (NU + t) + 1);
  for (int k = first; k < first + count; k++) {
    int one = ld(site_bodyid + ld(segment_site + 2 * k)), two = ld(site_bodyid + ld(segment_site + 2 * k + 1));
    if (one == two) continue;
    v3 start = get3(h.s.segment + k * SEGMENT_SIZE, 1, 0), stop = get3(h.s.segment + k * SEGMENT_SIZE + 9, 1, 0), way = stop - start;
    PointMotion a = point_motion(h.s, one, start), b = point_motion(h.s, two, stop);
    v3 dir = unit(way), speed = b.velocity - a.velocity, across = speed - dot(dir, speed) * dir;
    float length = norm(way);
    sum += segment_scale(h.n, k) * (dot(dir, b.acceleration - a.acceleration) + (length > TINY ? dot(across, speed) / length : 0.f));
  }
  return sum;
}
DEV void tendon_bias(const Context& h) {
  const int lane = h.lane;
  EACH(t, NTENDON) h.s.trn_force[NU + t] -= tendon_armature(h.n, t) * length_acceleration(h, t);
}
