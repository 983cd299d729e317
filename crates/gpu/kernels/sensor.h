// Sensors, one lane per sensor, in stages: with frames and velocities, after actuator forces, and after the solver. Sensors of
// distance (geom_distance.h) and adhesion (adhesion.h) have stages of their own.
#pragma once
#include "camera.h"
#include "ray.h"

// Pose of an object: the frame of a body, its inertial frame, a geom, a site or a camera.
DEV Pose object_pose(const Context& h, int kind, int id) {
  if (USES_CAMERAS && kind == OBJ_CAMERA) return camera_pose(h, id);
  if (kind == OBJ_SITE) return site_pose(h, id);
  int body = kind == OBJ_GEOM ? ld(geom_bodyid + id) : id;
  Pose p = body_pose(h.s, body);
  if (kind == OBJ_GEOM) return {p.pos + rotate(p.quat, geom_pos(h.n, id)), p.quat * geom_quat(h.n, id)};
  if (kind == OBJ_BODY) return {xipos(h, id, p), p.quat * body_iquat(h.n, id)};
  return p;
}
// Orientation of an object as the model fixes it to its body.
DEV q4 orientation(const Context& h, int kind, int id, Pose at) {
  return USES_CAMERAS && kind == OBJ_CAMERA ? camera_quat(h, id) : at.quat;
}
// Motion of a body at one of its points. A static body has no velocity, and no gravity in its acceleration.
DEV v6 at_point(const World& s, int body, v6 v, v3 pos) {
  if (ld(body_lastdof + body) < 0) return {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  return {v.r, v.t + cross(v.r, pos - get3(s.com, BODIES, ld(body_rootid + body)))};
}
DEV v6 rotate_to_frame(q4 frame, v6 v) { return {rotate(conjugate(frame), v.r), rotate(conjugate(frame), v.t)}; }

// Linear velocity of the centre of mass of the whole model, or its angular momentum about it. The trees have different reference
// points.
DEV v3 world_momentum(const Context& h, bool angular) {
  World& s = h.s;
  v3 whole = world_com(h), push = {0.f, 0.f, 0.f}, turn = push;
  float mass = 0.f;
  for (int b = 1; b < NBODY; b++) {
    v3 com = get3(s.com, BODIES, ld(body_rootid + b));
    v6 by = inertia_about(h, b, com) * body_velocity(s, b);
    push = push + by.t;
    turn = turn + by.r + cross(com - whole, by.t);
    mass += body_mass(h.n, b);
  }
  return angular ? turn : (1.f / fmaxf(mass, TINY)) * push;
}
// Linear velocity of a subtree's centre of mass, or its angular momentum about it.
DEV v3 subtree_momentum(const Context& h, int body, bool angular) {
  World& s = h.s;
  if (USES_WORLD_MOMENTUM && body == 0) return world_momentum(h, angular);
  v3 com = get3(s.com, BODIES, ld(body_rootid + body));
  v6 sum = {{0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}};
  for (int b = body; b < body + ld(body_subtree + body); b++) sum = sum + inertia_about(h, b, com) * body_velocity(s, b);
  float mass = fmaxf(s.subtree_sum[9 * BODIES + body], TINY);
  return angular ? sum.r - cross(subtree_com(h, body) - com, sum.t) : (1.f / mass) * sum.t;
}

// Potential energy of gravity and springs.
DEV float potential_energy(const Context& h) {
  World& s = h.s;
  float sum = 0.f;
  for (int b = 1; b < NBODY; b++) sum -= body_mass(h.n, b) * dot(gravity(h.n, 0), xipos(h, b));
  for (int j = 0; HAS_SPRINGS && j < NJNT; j++) {
    int q = ld(jnt_qposadr + j), type = ld(jnt_type + j);
    float square = 0.f;
    for (int i = 0; i < 3 && type == JNT_FREE; i++, q++) square += (s.qpos[q] - qpos_spring(h.n, q)) * (s.qpos[q] - qpos_spring(h.n, q));
    if (type == JNT_FREE || type == JNT_BALL) {
      v3 by = spring_rotation(h, q);
      square += dot(by, by);
    } else square += (s.qpos[q] - qpos_spring(h.n, q)) * (s.qpos[q] - qpos_spring(h.n, q));
    sum += 0.5f * jnt_stiffness(h.n, j) * square;
  }
  for (int t = 0; t < NTENDON; t++) {
    float stretch = tendon_stretch(h, t);
    sum += 0.5f * tendon_stiffness(h.n, t) * stretch * stretch;
  }
  return sum;
}
DEV float kinetic_energy(const World& s) {
  float sum = 0.f;
  for (int i = 0; i < NV; i++)
    for (int j = 0; j < NV; j++) sum += s.qvel[i] * mass(s, i, j) * s.qvel[j];
  return 0.5f * sum;
}

struct Reading { float x[4]; };
DEV Reading reading(v3 v) { return {{v.x, v.y, v.z, 0.f}}; }

// Sensors of positions and velocities.
DEV Reading sense_motion(const Context& h, int k, float time) {
  World& s = h.s;
  int kind = ld(sensor_type + k), id = ld(sensor_objid + k);
  if (kind == SENS_JOINTPOS) return {{s.qpos[ld(jnt_qposadr + id)]}};
  if (kind == SENS_JOINTVEL) return {{s.qvel[ld(jnt_dofadr + id)]}};
  if (kind == SENS_TENDONPOS) return {{trn_length(h, NU + id)}};
  if (kind == SENS_TENDONVEL) return {{trn_velocity(h, NU + id)}};
  if (kind == SENS_ACTUATORPOS) return {{trn_length(h, id)}};
  if (kind == SENS_ACTUATORVEL) return {{trn_velocity(h, id)}};
  if (kind == SENS_CLOCK) return {{time}};
  if (USES_RANGEFINDER && kind == SENS_RANGEFINDER) return {{rangefinder(h, id).dist}};
  if (USES_POTENTIAL && kind == SENS_POTENTIAL) return {{potential_energy(h)}};
  if (kind == SENS_JOINTLIMITPOS) return {{joint_limit(h, id).pos}};
  if (kind == SENS_TENDONLIMITPOS) return {{tendon_limit(h, id).pos}};
  if (kind == SENS_JOINTLIMITVEL) return {{joint_limit(h, id).sign * s.qvel[ld(jnt_dofadr + id)]}};
  if (kind == SENS_TENDONLIMITVEL) return {{tendon_limit(h, id).sign * trn_velocity(h, NU + id)}};
  if (kind == SENS_BALLQUAT) {
    q4 q = unit(get4(s.qpos + ld(jnt_qposadr + id), 1, 0));
    return {{q.w, q.x, q.y, q.z}};
  }
  if (kind == SENS_BALLANGVEL) return reading(get3(s.qvel + ld(jnt_dofadr + id), 1, 0));
  if (kind == SENS_SUBTREECOM) return reading(id == 0 ? world_com(h) : subtree_com(h, id));
  if (kind == SENS_SUBTREELINVEL || kind == SENS_SUBTREEANGMOM) return reading(subtree_momentum(h, id, kind == SENS_SUBTREEANGMOM));
  Pose at = object_pose(h, ld(sensor_objkind + k), id), from = {{0.f, 0.f, 0.f}, {1.f, 0.f, 0.f, 0.f}};
  if (USES_CAMERAS && kind == SENS_CAMPROJECTION) {
    Pixel seen = projection(h, ld(sensor_refid + k), at.pos);
    return {{seen.x, seen.y}};
  }
  int body = ld(sensor_body + k), other = ld(sensor_refbody + k);
  if (USES_INSIDESITE && kind == SENS_INSIDESITE) return {{within_site(h, ld(sensor_refid + k), at.pos) ? 1.f : 0.f}};
  if (kind == SENS_MAGNETOMETER) return reading(rotate(conjugate(at.quat), magnetic(h.n, 0)));
  v6 v = at_point(s, body, body_velocity(s, body), at.pos);
  if (kind == SENS_GYRO) return reading(rotate_to_frame(at.quat, v).r);
  if (kind == SENS_VELOCIMETER) return reading(rotate_to_frame(at.quat, v).t);
  if (other >= 0) from = object_pose(h, ld(sensor_refkind + k), ld(sensor_refid + k));
  q4 back = conjugate(from.quat);
  if (kind == SENS_FRAMEPOS) return reading(rotate(back, at.pos - from.pos));
  if (kind == SENS_FRAMEQUAT) {
    q4 q = conjugate(orientation(h, ld(sensor_refkind + k), ld(sensor_refid + k), from)) * orientation(h, ld(sensor_objkind + k), id, at);
    return {{q.w, q.x, q.y, q.z}};
  }
  if (kind == SENS_FRAMEXAXIS) return reading(rotate(back, axis_x(at.quat)));
  if (kind == SENS_FRAMEYAXIS) return reading(rotate(back, axis_y(at.quat)));
  if (kind == SENS_FRAMEZAXIS) return reading(rotate(back, axis_z(at.quat)));
  if (other >= 0) {
    v6 with = at_point(s, other, body_velocity(s, other), from.pos);
    v = rotate_to_frame(from.quat, {v.r - with.r, v.t - with.t + cross(at.pos - from.pos, with.r)});
  }
  return reading(kind == SENS_FRAMEANGVEL ? v.r : v.t);
}
// Sensors of actuator forces; qfrc_actuator is still in vec.
DEV Reading sense_force(const Context& h, int k) {
  int kind = ld(sensor_type + k), id = ld(sensor_objid + k);
  if (kind == SENS_ACTUATORFRC) return {{h.s.trn_force[id]}};
  if (kind == SENS_JOINTACTFRC) return {{h.s.vec[ld(jnt_dofadr + id)]}};
  if (USES_KINETIC && kind == SENS_KINETIC) return {{kinetic_energy(h.s)}};
  float sum = 0.f;
  for (int u = 0; u < NU; u++)
    if (ld(actuator_tendon + u) == id) sum += h.s.trn_force[u];
  return {{sum}};
}
// Sensors of accelerations, after rne_postconstraint.
DEV Reading sense_acceleration(const Context& h, int k) {
  World& s = h.s;
  int kind = ld(sensor_type + k), body = ld(sensor_body + k), id = ld(sensor_objid + k);
  if (USES_TOUCH && kind == SENS_TOUCH) return {{touch_sensor(h, id)}};
  if (kind == SENS_JOINTLIMITFRC) return {{s.limit_force[KEEPS_LIMIT_FORCES ? ld(jnt_dofadr + id) : 0]}};
  if (kind == SENS_TENDONLIMITFRC) return {{tendon_limit_force(s, id)}};
  Pose at = object_pose(h, ld(sensor_objkind + k), id);
  if (kind == SENS_FORCE || kind == SENS_TORQUE) {
    v6 f = get6(s.subtree_sum + 10 * BODIES, BODIES, body);
    v3 torque = f.r - cross(at.pos - get3(s.com, BODIES, ld(body_rootid + body)), f.t);
    return reading(rotate(conjugate(at.quat), kind == SENS_FORCE ? f.t : torque));
  }
  v6 v = at_point(s, body, body_velocity(s, body), at.pos), a = at_point(s, body, body_acceleration(s, gravity_motion(h), body), at.pos);
  v3 linear = a.t + cross(v.r, v.t);
  if (kind == SENS_ACCELEROMETER) return reading(rotate(conjugate(at.quat), linear));
  return reading(kind == SENS_FRAMEANGACC ? a.r : linear);
}

// Applies the sensor's cutoff.
DEV float apply_cutoff(const Context& h, int k, float x) {
  const float limit = sensor_cutoff(h.n, k);
  if (!(limit > 0.f)) return x;
  return ld(sensor_cutofftype + k) == 2 ? clamp(x, -limit, limit) : ld(sensor_cutofftype + k) == 1 ? fminf(x, limit) : x;
}

// Computes the sensors of one stage; the stages are those of the header.
DEV void sense(const Context& h, const Batch& b, int w, int stage) {
  const int lane = h.lane;
  EACH(k, NSENSOR) {
    if (ld(sensor_stage + k) != stage) continue;
    float* to = b.sensordata + w * NSENSORDATA + ld(sensor_adr + k);
    const int dim = ld(sensor_dim + k);
    if (USES_CONTACT && ld(sensor_type + k) == SENS_CONTACT) {
      contact_sensor(h, k, to, dim);
      continue;
    }
    if (USES_RAYDATA && ld(sensor_type + k) == SENS_RANGEFINDER) {
      rangefinder_fields(h, ld(sensor_objid + k), {to, to + dim, ld(sensor_fields + k)});
      for (int c = 0; c < dim; c++) to[c] = apply_cutoff(h, k, to[c]);
      continue;
    }
    Reading r = stage == STAGE_MOTION ? sense_motion(h, k, b.time[w]) : stage == STAGE_FORCE ? sense_force(h, k) : sense_acceleration(h, k);
    UNROLL for (int c = 0; c < 4; c++)
      if (c < dim) to[c] = apply_cutoff(h, k, r.x[c]);
  }
  sync();
}
