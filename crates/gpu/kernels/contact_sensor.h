// Sensors of contacts and limits, after rne_postconstraint: touch, contact, and limit forces.
#pragma once
#include "rne_post.h"
#include "ray_shape.h"

// A contact that was kept: its frame, its force in that frame, and its pair.
struct KeptContact {
  v3 pos, axis[3];
  float dist, force[6];
  int pair, dim;
};
DEV KeptContact kept_contact(const World& s, int c) {
  const float* con = s.kept_contact + c * CON_SIZE;
  int tag = s.kept_row[NSCALAR + c];
  KeptContact x = {get3(con + CON_POS, 1, 0), {get3(con + CON_NORMAL, 1, 0), get3(con + CON_TANGENT, 1, 0)}, con[CON_DIST], {}, ((const int*)con)[CON_PAIR], tag & 7};
  x.axis[2] = cross(x.axis[0], x.axis[1]);
  UNROLL for (int k = 0; k < 6; k++) x.force[k] = k < x.dim ? s.row_force[(tag >> 3) + k] : 0.f;
  return x;
}

// Touch sensor: the sum of normal forces of the body's contacts whose normal, as a ray towards the other body, meets the site.
DEV float touch_sensor(const Context& h, int site) {
  Pose at = site_pose(h, site);
  int body = ld(site_bodyid + site);
  float sum = 0.f;
  for (int c = 0; c < h.s.kept_count; c++) {
    KeptContact x = kept_contact(h.s, c);
    bool second = ld(pair_body2 + x.pair) == body;
    if ((!second && ld(pair_body1 + x.pair) != body) || x.force[0] <= 0.f) continue;
    v3 along = rotate(conjugate(at.quat), second ? -x.axis[0] : x.axis[0]);
    if (ray_shape(ld(site_type + site), site_size(h.n, site), to_frame(at, x.pos), along) >= 0.f) sum += x.force[0];
  }
  return sum;
}

// The active limit of a joint or tendon: its side, and the distance beyond the margin. If both ends are active, the lower one.
struct Limit { float sign, pos; };
DEV Limit limit(float low, float high, float margin) {
  const bool lower = low < high || (HAS_BOTH_LIMITS && low < margin);
  float pos = (HAS_BOTH_LIMITS && lower ? low : fminf(low, high)) - margin;
  return pos < 0.f ? Limit{lower ? 1.f : -1.f, pos} : Limit{0.f, 0.f};
}
DEV Limit joint_limit(const Context& h, int j) {
  if (!HAS_LIMITS || !ld(dof_limited + ld(jnt_dofadr + j))) return {0.f, 0.f};
  float q = h.s.qpos[ld(jnt_qposadr + j)];
  return limit(q - jnt_range(h.n, j, 0), jnt_range(h.n, j, 1) - q, jnt_margin(h.n, j));
}
// Index of the scalar row that limits a tendon, or -1.
DEV int tendon_limit_row(int t) {
  for (int l = 0; l < NSCALAR; l++) {
    const int type = ld(scalar_type + l);
    if ((type == SCALAR_TENDON_LIMIT || (HAS_BOTH_LIMITS && type == SCALAR_TENDON_BOTH_LIMITS)) && ld(scalar_trn + 2 * l) == NU + t) return l;
  }
  return -1;
}
DEV Limit tendon_limit(const Context& h, int t) {
  int l = tendon_limit_row(t);
  if (l < 0) return {0.f, 0.f};
  float length = trn_length(h, NU + t);
  return limit(length - scalar_range(h.n, l, 0), scalar_range(h.n, l, 1) - length, scalar_margin(h.n, l));
}
DEV float tendon_limit_force(const World& s, int t) {
  int l = tendon_limit_row(t);
  return l >= 0 && s.kept_row[l] & 7 ? s.row_force[s.kept_row[l] >> 3] : 0.f;
}

// Whether an object of the sensor is, or contains, a geom of a body.
DEV bool object_has(int kind, int id, int body, int geom) {
  if (kind == OBJ_GEOM) return geom == id;
  if (kind == OBJ_BODY) return body == id;
  return kind != OBJ_XBODY || (body >= id && body < id + ld(body_subtree + id));
}
// Whether a contact matches a contact sensor: 0 if not, 1, or -1 if its normal points from the second object to the first.
DEV int match_contact(const Context& h, int k, const KeptContact& x) {
  int a = ld(sensor_objkind + k), b = ld(sensor_refkind + k), id = ld(sensor_objid + k), other = ld(sensor_refid + k);
  bool one = ld(sensor_body + k) >= 0, two = ld(sensor_refbody + k) >= 0;
  if (!one && !two) return 1;
  if (one && a == OBJ_SITE && !within_site(h, id, x.pos)) return 0;
  int b1 = ld(pair_body1 + x.pair), b2 = ld(pair_body2 + x.pair), g1 = ld(pair_geom1 + x.pair), g2 = ld(pair_geom2 + x.pair);
  bool f1 = !one || object_has(a, id, b1, g1), f2 = !one || object_has(a, id, b2, g2), s1 = !two || object_has(b, other, b1, g1), s2 = !two || object_has(b, other, b2, g2);
  if (!(f1 || f2) || !(s1 || s2)) return 0;
  if (one && two) return f1 && s2 ? 1 : f2 && s1 ? -1 : 0;
  return one ? (f1 ? 1 : -1) : s2 ? 1 : -1;
}

// Where contact fields are written, as far as there is space.
struct FieldWriter { float *to, *end; int fields; };
DEV void put_field(FieldWriter& s, int field, const float* x, int count) {
  if (!(s.fields >> field & 1)) return;
  for (int k = 0; k < count && s.to < s.end; k++) *s.to++ = x[k];
}
DEV void put_field(FieldWriter& s, int field, v3 v) {
  float x[3] = {v.x, v.y, v.z};
  put_field(s, field, x, 3);
}
constexpr int CONDATA_FOUND = 0, CONDATA_FORCE = 1, CONDATA_TORQUE = 2, CONDATA_DIST = 3, CONDATA_POS = 4, CONDATA_NORMAL = 5, CONDATA_TANGENT = 6;
constexpr float FARTHEST = 3e38f;
constexpr int REDUCE_MINDIST = 1, REDUCE_MAXFORCE = 2, REDUCE_NETFORCE = 3;

// The net force of all matching contacts, about the force-weighted centre of their positions.
DEV void net_force(const Context& h, int k, float found, FieldWriter& out) {
  v3 point = {0.f, 0.f, 0.f}, force = point, torque = point;
  float total = 0.f;
  for (int pass = 0; pass < 2; pass++)
    for (int c = 0; c < h.s.kept_count; c++) {
      KeptContact x = kept_contact(h.s, c);
      float sign = (float)match_contact(h, k, x), weight = sqrtf(x.force[0] * x.force[0] + x.force[1] * x.force[1] + x.force[2] * x.force[2]);
      if (sign == 0.f) continue;
      if (pass == 0) {
        total += weight;
        point = point + weight * x.pos;
        continue;
      }
      v3 push = sign * (x.force[0] * x.axis[0] + x.force[1] * x.axis[1] + x.force[2] * x.axis[2]);
      force = force + push;
      torque = torque + sign * (x.force[3] * x.axis[0] + x.force[4] * x.axis[1] + x.force[5] * x.axis[2]) + cross(x.pos - (1.f / fmaxf(total, TINY)) * point, push);
    }
  const float none = 0.f;
  put_field(out, CONDATA_FOUND, &found, 1);
  put_field(out, CONDATA_FORCE, force);
  put_field(out, CONDATA_TORQUE, torque);
  put_field(out, CONDATA_DIST, &none, 1);
  put_field(out, CONDATA_POS, (1.f / fmaxf(total, TINY)) * point);
  put_field(out, CONDATA_NORMAL, v3{1.f, 0.f, 0.f});
  put_field(out, CONDATA_TANGENT, v3{0.f, 1.f, 0.f});
}

// Fields of matching contacts, sorted by distance or force if requested, otherwise in the engine's order of pairs.
DEV void contact_sensor(const Context& h, int k, float* to, int capacity) {
  FieldWriter out = {to, to + capacity, ld(sensor_fields + k)};
  int reduce = ld(sensor_reduce + k), found = 0;
  for (int c = 0; c < h.s.kept_count; c++) found += match_contact(h, k, kept_contact(h.s, c)) != 0;
  for (int i = 0; i < capacity; i++) to[i] = 0.f;
  if (reduce == REDUCE_NETFORCE) {
    net_force(h, k, (float)found, out);
    return;
  }
  float last = -FARTHEST;
  int last_rank = -1, last_slot = -1;
  for (int n = 0; n < found && out.to < out.end; n++) {
    float best = FARTHEST;
    int rank = 0, slot = -1;
    for (int c = 0; c < h.s.kept_count; c++) {
      KeptContact x = kept_contact(h.s, c);
      if (match_contact(h, k, x) == 0) continue;
      float by = reduce == REDUCE_MINDIST ? x.dist : reduce == REDUCE_MAXFORCE ? -(x.force[0] * x.force[0] + x.force[1] * x.force[1] + x.force[2] * x.force[2]) : 0.f;
      int r = ld(pair_rank + x.pair);
      bool after = by != last ? by > last : r != last_rank ? r > last_rank : c > last_slot;
      bool before = slot < 0 || (by != best ? by < best : r != rank ? r < rank : c < slot);
      if (after && before) best = by, rank = r, slot = c;
    }
    if (slot < 0) break;
    last = best, last_rank = rank, last_slot = slot;
    KeptContact x = kept_contact(h.s, slot);
    float sign = (float)match_contact(h, k, x), count = (float)found;
    put_field(out, CONDATA_FOUND, &count, 1);
    put_field(out, CONDATA_FORCE, v3{x.force[0], x.force[1], sign * x.force[2]});
    put_field(out, CONDATA_TORQUE, v3{x.force[3], x.force[4], sign * x.force[5]});
    put_field(out, CONDATA_DIST, &x.dist, 1);
    put_field(out, CONDATA_POS, x.pos);
    put_field(out, CONDATA_NORMAL, sign * x.axis[0]);
    put_field(out, CONDATA_TANGENT, sign * x.axis[1]);
  }
}
