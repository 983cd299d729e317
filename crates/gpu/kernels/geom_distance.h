// Distances between geoms, as far as a cutoff: of pairs in closed form those of their contacts with that margin, of others the way
// between their nearest or deepest points. They are found where contacts are searched for, by a warp, one pair after the other.
#pragma once
#include "collide.h"
#include "sensor.h"

struct Between { float dist; v3 from, to; };
DEV Between no_gap(float cutoff) { return {cutoff, {0.f, 0.f, 0.f}, {0.f, 0.f, 0.f}}; }
DEV void shorten(Between& gap, const Contact& con) {
  v3 half = (0.5f * con.dist) * con.normal;
  if (con.dist < gap.dist) gap = {con.dist, con.pos - half, con.pos + half};
}

template <class Collider> DEV Between gap_of(Collider, const Here& h, int g1, int g2, float cutoff) {
  Between gap = no_gap(cutoff);
  Contact con[Collider::MAX_CONTACTS];
  bool found[Collider::MAX_CONTACTS];
  UNROLL for (int k = 0; k < Collider::MAX_CONTACTS; k++) found[k] = false;
  find(Collider{}, h, g1, g2, cutoff, con, found);
  UNROLL for (int k = 0; k < Collider::MAX_CONTACTS; k++)
    if (found[k]) shorten(gap, con[k]);
  return gap;
}
DEV Between gap_of(CapsuleBox, const Here& h, int g1, int g2, float cutoff) {
  Between gap = no_gap(cutoff);
  Ccd& g = ccd(h.s);
  set_shapes(h, g, g1, g2, 0.f);
  real at;
  const int there = CapsuleBox::search(g, h.lane, cutoff, at);
  for (int k = 0; k < 2; k++) {
    Contact con;
    const real ball = shfl(at, k);
    if (shfl(there, k) && CapsuleBox::ball(h, g1, g2, ball, cutoff, con)) shorten(gap, con);
  }
  return gap;
}
DEV Between gap_of(Convex, const Here& h, int g1, int g2, float cutoff) {
  Ccd& g = ccd(h.s);
  v3 about = set_shapes(h, g, g1, g2, 0.f);
  WitnessPoints at = separation<true>(ccd_context(h), g, cutoff);
  return at.dist < cutoff ? Between{(float)at.dist, about + to_float(at.a), about + to_float(at.b)} : no_gap(cutoff);
}

// Each kind apart, as where contacts are searched for: in one body the compiler takes ten times as long.
template <class Collider> CALL Between gap_apart(World& s, Numbers n, int lane, int g1, int g2, float cutoff) {
  return gap_of(Collider{}, {s, n, nullptr, lane}, g1, g2, cutoff);
}

// The shortest of a sensor's gaps, the first of equals.
DEV Between shortest(const Here& h, int k) {
  const float cutoff = sensor_cutoff(h.n, k);
  Between best = no_gap(cutoff);
  for (int p = ld(gap_adr + k); p < ld(gap_adr + k + 1); p++) {
    const int g1 = ld(gap_geom1 + p), g2 = ld(gap_geom2 + p), kind = ld(gap_kind + p);
    Between gap = best;
#define KIND(name, number) if (kind == number) gap = gap_apart<name>(h.s, h.n, h.lane, g1, g2, cutoff);
    GEOMDIST_COLLIDERS
#undef KIND
    if (gap.dist >= best.dist) continue;
    best = ld(gap_flipped + p) ? Between{gap.dist, gap.to, gap.from} : gap;
  }
  return best;
}

DEV void sense_gaps(const Here& h, const Batch& b, int w) {
  for (int k = 0; h.lane < 32 && k < NSENSOR; k++) {
    if (ld(sensor_turn + k) != TURN_DISTANCE) continue;
    const Between gap = shortest(h, k);
    const v3 way = gap.to - gap.from;
    const int kind = ld(sensor_type + k);
    float* to = b.sensordata + w * NSENSORDATA + ld(sensor_adr + k);
    if (h.lane > 0) continue;
    if (kind == SENSE_GEOMDIST) to[0] = bounded(h, k, gap.dist);
    else if (kind == SENSE_GEOMNORMAL) put_row(to, dot(way, way) > 0.f ? unit(way) : way);
    else put_row(to, gap.from), put_row(to + 3, gap.to);
  }
  sync();
}
