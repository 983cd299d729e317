// Distances between geoms up to a cutoff, for distance sensors. Pairs with a closed form use their contacts with the cutoff as
// margin. Others use the witness points of GJK and EPA. One warp computes them one pair at a time, in the memory of the contact
// search.
#pragma once
#include "collide.h"
#include "sensor.h"

struct GeomDistance { float dist; v3 from, to; };
DEV GeomDistance no_distance(float cutoff) { return {cutoff, {0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}}; }
DEV void keep_nearer(GeomDistance& nearest, const Contact& con) {
  v3 half = (0.5f * con.dist) * con.normal;
  if (con.dist < nearest.dist) nearest = {con.dist, con.pos - half, con.pos + half};
}

template <class Collider> DEV GeomDistance geom_distance(Collider, const Context& h, int g1, int g2, float cutoff) {
  GeomDistance nearest = no_distance(cutoff);
  Contact con[Collider::MAX_CONTACTS];
  bool found[Collider::MAX_CONTACTS];
  UNROLL for (int k = 0; k < Collider::MAX_CONTACTS; k++) found[k] = false;
  find(Collider{}, h, g1, g2, cutoff, con, found);
  UNROLL for (int k = 0; k < Collider::MAX_CONTACTS; k++)
    if (found[k]) keep_nearer(nearest, con[k]);
  return nearest;
}
DEV GeomDistance geom_distance(CapsuleBox, const Context& h, int g1, int g2, float cutoff) {
  GeomDistance nearest = no_distance(cutoff);
  Ccd& g = ccd(h.s);
  set_shapes(h, g, g1, g2, 0.f);
  real at;
  const int there = CapsuleBox::search(g, h.lane, cutoff, at);
  for (int k = 0; k < 2; k++) {
    Contact con;
    const real ball = shfl(at, k);
    if (shfl(there, k) && CapsuleBox::ball(h, g1, g2, ball, cutoff, con)) keep_nearer(nearest, con);
  }
  return nearest;
}
DEV GeomDistance geom_distance(Convex, const Context& h, int g1, int g2, float cutoff) {
  Ccd& g = ccd(h.s);
  v3 about = set_shapes(h, g, g1, g2, 0.f);
  WitnessPoints at = separation<true>(ccd_context(h), g, cutoff);
  return at.dist < cutoff ? GeomDistance{(float)at.dist, about + to_float(at.a), about + to_float(at.b)} : no_distance(cutoff);
}

// One function per collider, like in the contact search: inlined into one function they compile ten times slower.
template <class Collider> CALL GeomDistance geom_dist(World& s, Numbers n, int lane, int g1, int g2, float cutoff) {
  return geom_distance(Collider{}, {s, n, nullptr, lane}, g1, g2, cutoff);
}

// The smallest distance of a sensor's pairs; the first of equals.
DEV GeomDistance shortest_distance(const Context& h, int k) {
  const float cutoff = sensor_cutoff(h.n, k);
  GeomDistance best = no_distance(cutoff);
  for (int p = ld(geomdist_adr + k); p < ld(geomdist_adr + k + 1); p++) {
    const int g1 = ld(geomdist_geom1 + p), g2 = ld(geomdist_geom2 + p), kind = ld(geomdist_collider + p);
    GeomDistance nearest = best;
#define KIND(name, number) if (kind == number) nearest = geom_dist<name>(h.s, h.n, h.lane, g1, g2, cutoff);
    GEOMDIST_COLLIDERS
#undef KIND
    if (nearest.dist >= best.dist) continue;
    best = ld(geomdist_flipped + p) ? GeomDistance{nearest.dist, nearest.to, nearest.from} : nearest;
  }
  return best;
}

DEV void sense_geom_distances(const Context& h, const Batch& b, int w) {
  for (int k = 0; h.lane < 32 && k < NSENSOR; k++) {
    if (ld(sensor_stage + k) != STAGE_DISTANCE) continue;
    const GeomDistance nearest = shortest_distance(h, k);
    const v3 way = nearest.to - nearest.from;
    const int kind = ld(sensor_type + k);
    float* to = b.sensordata + w * NSENSORDATA + ld(sensor_adr + k);
    if (h.lane > 0) continue;
    if (kind == SENS_GEOMDIST) to[0] = apply_cutoff(h, k, nearest.dist);
    else if (kind == SENS_GEOMNORMAL) put_row(to, dot(way, way) > 0.f ? unit(way) : way);
    else put_row(to, nearest.from), put_row(to + 3, nearest.to);
  }
  sync();
}
