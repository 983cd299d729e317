// Adhesion: an actuator with a body transmission presses the body against what it touches, along the mean of its contact normals.
// It needs contacts, so it is computed after all other forces. Contacts within the gap have no constraint rows but do count here.
#pragma once
#include "actuation.h"
#include "sensor.h"

// Moment of the adhesion actuator for dof i: minus the mean of the normal Jacobians of the body's contacts.
DEV float adhesion_moment(const World& s, int body, int i, int contacts) {
  float sum = 0.f;
  int touching = 0;
  for (int c = 0; c < contacts; c++) {
    const float* con = s.contact + c * CON_SIZE;
    const int p = ((const int*)con)[CON_PAIR], b1 = ld(pair_body1 + p), b2 = ld(pair_body2 + p);
    if (b1 != body && b2 != body) continue;
    touching++;
    const float sign = (float)moves(b2, i) - (float)moves(b1, i);
    if (sign != 0.f) sum += sign * dot(get3(con + CON_NORMAL, 1, 0), point_jacobian(s, i, get3(con + CON_POS, 1, 0)));
  }
  return touching > 0 ? -sum / (float)touching : 0.f;
}

// Adds the adhesion forces, given the number of contacts found.
DEV void add_adhesion(const Context& h, int found) {
  const int lane = h.lane, contacts = found < NCON ? found : NCON;
  World& s = h.s;
  EACH(i, NV) {
    float sum = 0.f;
    for (int u = 0; u < NU; u++) {
      const int body = ld(actuator_body + u);
      if (body >= 0) sum += s.trn_force[u] * adhesion_moment(s, body, i, contacts);
    }
    if (CLAMP_AFTER_ADHESION) sum = clamp_joint_actfrc(h, ld(dof_jntid + i), s.vec[i] + sum);
    s.qfrc_smooth[i] += sum;
    if (KEEPS_ACTUATION) s.vec[i] = CLAMP_AFTER_ADHESION ? sum : s.vec[i] + sum;
  }
  sync();
}
// Velocity of an adhesion transmission; only outputs and sensors need it.
DEV float adhesion_velocity(const Context& h, int body, int contacts) {
  float sum = 0.f;
  for (int i = 0; i < NV; i++) sum += adhesion_moment(h.s, body, i, contacts) * h.s.qvel[i];
  return sum;
}
DEV void write_adhesion(const Context& h, const Batch& b, int w, int found) {
  const int lane = h.lane, contacts = found < NCON ? found : NCON;
  if (!OUT_actuator_velocity) return;
  EACH(u, NU) {
    const int body = ld(actuator_body + u);
    if (body >= 0) b.actuator_velocity[w * NU + u] = adhesion_velocity(h, body, contacts);
  }
}
DEV void sense_adhesion(const Context& h, const Batch& b, int w, int found) {
  const int lane = h.lane, contacts = found < NCON ? found : NCON;
  EACH(k, NSENSOR) {
    if (ld(sensor_stage + k) != STAGE_CONTACT) continue;
    const int body = ld(actuator_body + ld(sensor_objid + k));
    b.sensordata[w * NSENSORDATA + ld(sensor_adr + k)] = apply_cutoff(h, k, adhesion_velocity(h, body, contacts));
  }
}
