// Inertia of tendons: what they add to the mass matrix, and the force as their arms turn.
#pragma once
#include "transmission.h"

// whether the mass matrix has an entry for two dofs
DEV bool coupled(int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  return moves(ld(dof_bodyid + high), low) && (i == j || ld(dof_simplenum + high) == 0);
}
DEV void tendon_inertia(const Here& h) {
  const int lane = h.lane;
  for (int t = 0; t < NTENDON; t++) {
    int first = ld(strand_adr + NU + t), count = ld(strand_adr + NU + t + 1) - first;
    float inertia = tendon_armature(h.n, t);
    if (inertia == 0.f) continue;
    EACH(e, count * count) {
      int a = first + e / count, b = first + e % count, i = ld(strand_dof + a), j = ld(strand_dof + b);
      if (coupled(i, j)) h.s.M[band(i, j)] += inertia * arm(h, a) * arm(h, b);
    }
    sync();
  }
}

// Velocity and acceleration of a point of a body, the latter as the velocities alone cause it.
struct Course { v3 velocity, acceleration; };
DEV Course course(const World& s, int body, v3 pos) {
  int last = ld(body_lastdof + body);
  if (last < 0) return {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  v6 v = get6(s.slow, DOFS, last), a = get6(s.chain[SUMMED], DOFS, last);
  v3 away = pos - get3(s.com, BODIES, ld(body_rootid + body)), velocity = v.t + cross(v.r, away);
  return {velocity, a.t + cross(a.r, away) + cross(v.r, velocity)};
}
// Acceleration of a tendon's length that velocities alone cause; none where arms are fixed, and no tendon with inertia wraps.
DEV float length_acceleration(const Here& h, int t) {
  if (NSPAN == 0 || ld(strand_kind + NU + t) != STRAND_CABLE) return 0.f;
  float sum = 0.f;
  int first = ld(strand_object + 2 * (NU + t)), count = ld(strand_object + 2 * (NU + t) + 1);
  for (int k = first; k < first + count; k++) {
    int one = ld(site_bodyid + ld(span_site + 2 * k)), two = ld(site_bodyid + ld(span_site + 2 * k + 1));
    if (one == two) continue;
    v3 start = get3(h.s.span + k * SPAN_SIZE, 1, 0), stop = get3(h.s.span + k * SPAN_SIZE + 9, 1, 0), way = stop - start;
    Course a = course(h.s, one, start), b = course(h.s, two, stop);
    v3 dir = unit(way), speed = b.velocity - a.velocity, across = speed - dot(dir, speed) * dir;
    float length = norm(way);
    sum += span_share(h.n, k) * (dot(dir, b.acceleration - a.acceleration) + (length > TINY ? dot(across, speed) / length : 0.f));
  }
  return sum;
}
DEV void rotor_forces(const Here& h) {
  const int lane = h.lane;
  EACH(t, NTENDON) h.s.pull[NU + t] -= tendon_armature(h.n, t) * length_acceleration(h, t);
}
