// Boxes and convex hulls of meshes that overlap (SAT). The direction of least penetration is the normal of a face of the Minkowski
// difference, and those are known: face normals of the box, face normals of the hull, and cross products of edges. For an edge of
// the hull with face normals l and r and a box edge along axis a, there is a candidate only if l·a and r·a have opposite signs. It
// is |r·a| l + |l·a| r. All lanes work on one pair, in the axes of the mesh.
#pragma once
#include "convex.h"

// The largest gap over a set of directions, and its index. Gaps are negative where shapes overlap.
struct LargestGap {
  float gap;
  int which;
  DEV void update(float other, int k) {
    if (other > gap) gap = other, which = k;
  }
};
DEV LargestGap no_gap_yet() { return {-1e30f, 1 << 30}; }
DEV LargestGap over_warp(LargestGap w) {
  warp_argmax(w.gap, w.which);
  return w;
}

struct BoxMesh {
  static constexpr bool CONVEX = false;  // the directions also detect separation
  static DEV bool near(const Context& h, int p) { return Convex::near(h, p); }

  // The box in the axes of the mesh, and the tolerance within which gaps are equal: an upper bound of their rounding errors.
  struct Frame {
    v3 centre, axis[3], half;
    int mesh;
    float rounding;
  };
  // The deepest point of the mesh and of the box, and the direction from mesh to box.
  struct DeepestPoints { v3 of_mesh, of_box, way; bool found; };

  static DEV int find(const Context& h, int p, int count) {
    const int box = ld(pair_geom1 + p), mesh = ld(pair_geom2 + p);
    const float margin = pair_margin(h.n, p);
    const q4 q = get4(h.s.geom_xquat, GEOMS, mesh), turned = conjugate(q) * get4(h.s.geom_xquat, GEOMS, box);
    const v3 origin = get3(h.s.geom_xpos, GEOMS, mesh);
    const Frame c = {rotate(conjugate(q), get3(h.s.geom_xpos, GEOMS, box) - origin), {axis_x(turned), axis_y(turned), axis_z(turned)}, geom_size(h.n, box),
                     mesh, 1e-6f * (geom_rbound(h.n, box) + geom_rbound(h.n, mesh))};
    const LargestGap side = over_warp(sides(h, c)), face = over_warp(faces(h, c));
    if (fmaxf(side.gap, face.gap) > margin) return count;
    const LargestGap edge = over_warp(edges(h, c));
    const float gap = fmaxf(fmaxf(side.gap, face.gap), edge.gap), alike = gap - c.rounding;
    if (gap > margin) return count;
    DeepestPoints t = {ANY_TANGENT, ANY_TANGENT, ANY_TANGENT, false};
    if (gap < 0.f) {
      if (side.gap >= alike) t = at_side(h, c, side);
      if (!t.found && face.gap >= alike) t = at_face(h, c, face);
      if (!t.found && edge.gap >= alike) t = at_edge(h, c, edge);
    }
    // separated within the margin, or flat faces on each other with all corners outside: use the general search
    if (!t.found) return Convex::find(h, p, count);
    const Contact con = {origin + rotate(q, 0.5f * (t.of_mesh + t.of_box)), rotate(q, -t.way), ANY_TANGENT, dot(t.way, t.of_box - t.of_mesh)};
    return keep_contact(h, p, h.lane == 0, con, count);
  }

  // Half extent of the box along a direction.
  static DEV float reach(const Frame& c, v3 way) {
    return fabsf(dot(way, c.axis[0])) * c.half.x + fabsf(dot(way, c.axis[1])) * c.half.y + fabsf(dot(way, c.axis[2])) * c.half.z;
  }
  // Its farthest corner against a direction.
  static DEV v3 corner(const Frame& c, v3 way, int except) {
    v3 at = c.centre;
    UNROLL for (int k = 0; k < 3; k++)
      if (k != except) at = at + (dot(way, c.axis[k]) > 0.f ? -component(c.half, k) : component(c.half, k)) * c.axis[k];
    return at;
  }

  // Side 2 k of the box is along its axis k, side 2 k + 1 against it. The mesh extends from low to high.
  static DEV LargestGap sides(const Context& h, const Frame& c) {
    const int first = ld(geom_dataadr + c.mesh), count = ld(geom_datanum + c.mesh);
    float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f};
    for (int i = h.lane; i < count; i += 32) {
      const v3 v = mesh_hullvert(h.n, first + i) - c.centre;
      UNROLL for (int k = 0; k < 3; k++) {
        const float at = dot(v, c.axis[k]);
        low[k] = fminf(low[k], at), high[k] = fmaxf(high[k], at);
      }
    }
    LargestGap best = no_gap_yet();
    UNROLL for (int k = 0; k < 3; k++) {
      const float half = component(c.half, k);
      best.update(wmin(low[k]) - half, 2 * k);
      best.update(-half - wmax(high[k]), 2 * k + 1);
    }
    return best;
  }
  static DEV LargestGap faces(const Context& h, const Frame& c) {
    LargestGap best = no_gap_yet();
    for (int i = ld(geom_hullfaceadr + c.mesh) + h.lane; i < ld(geom_hullfaceend + c.mesh); i += 32) {
      const v3 way = hullface_normal(h.n, i);
      best.update(dot(way, c.centre) - reach(c, way) - hullface_offset(h.n, i), i);
    }
    return best;
  }
  // Three candidates per edge of the mesh, one with each axis of the box.
  static DEV LargestGap edges(const Context& h, const Frame& c) {
    LargestGap best = no_gap_yet();
    for (int i = ld(geom_hulledgeadr + c.mesh) + h.lane; i < ld(geom_hulledgeend + c.mesh); i += 32) {
      const v3 l = hulledge_normal1(h.n, i), r = hulledge_normal2(h.n, i), at = hulledge_pos(h.n, i);
      UNROLL for (int k = 0; k < 3; k++) {
        v3 way;
        if (orthogonal_normal(l, r, c.axis[k], way)) best.update(dot(way, c.centre - at) - reach(c, way), 3 * i + k);
      }
    }
    return best;
  }
  // The direction between two normals of an edge that is orthogonal to an axis. Returns whether there is one.
  static DEV bool orthogonal_normal(v3 l, v3 r, v3 axis, v3& way) {
    const float left = dot(l, axis), right = dot(r, axis);
    way = unit(fabsf(right) * l + fabsf(left) * r);
    return left * right < 0.f;
  }

  // Contact at a side of the box: the deepest corner of the mesh that lies in it, or another one as deep.
  static DEV DeepestPoints at_side(const Context& h, const Frame& c, const LargestGap& side) {
    const int k = side.which >> 1;
    const v3 axis = k == 0 ? c.axis[0] : k == 1 ? c.axis[1] : c.axis[2], way = side.which & 1 ? axis : -axis;
    const int first = ld(geom_dataadr + c.mesh), count = ld(geom_datanum + c.mesh);
    LargestGap best = no_gap_yet();
    for (int i = h.lane; i < count; i += 32) {
      const v3 v = mesh_hullvert(h.n, first + i) - c.centre;
      const float deep = dot(v, way) + component(c.half, k) + side.gap;
      bool within = deep >= -c.rounding;
      UNROLL for (int j = 0; j < 3; j++)
        if (j != k) within = within && fabsf(dot(v, c.axis[j])) <= component(c.half, j) + c.rounding;
      if (within) best.update(deep, i);
    }
    best = over_warp(best);
    if (best.which >= count) return {ANY_TANGENT, ANY_TANGENT, ANY_TANGENT, false};
    const v3 v = mesh_hullvert(h.n, first + best.which);
    return {v, v + side.gap * way, way, true};
  }
  // Contact at a face of the mesh: the deepest corner of the box below it, or another one as deep.
  static DEV DeepestPoints at_face(const Context& h, const Frame& c, const LargestGap& face) {
    const v3 way = hullface_normal(h.n, face.which);
    LargestGap best = no_gap_yet();
    v3 at = c.centre;
    UNROLL for (int k = 0; k < 3; k++) at = at + (h.lane >> k & 1 ? -component(c.half, k) : component(c.half, k)) * c.axis[k];
    const float deep = hullface_offset(h.n, face.which) - dot(way, at), depth = -face.gap;
    if (h.lane < 8 && deep >= depth - c.rounding) {
      bool within = true;
      const v3 on = at + deep * way;
      for (int i = ld(geom_hullfaceadr + c.mesh); i < ld(geom_hullfaceend + c.mesh); i++)
        within = within && dot(hullface_normal(h.n, i), on) <= hullface_offset(h.n, i) + c.rounding;
      if (within) best.update(deep, h.lane);
    }
    best = over_warp(best);
    const bool found = best.which < 8;
    at = {shfl(at.x, best.which & 31), shfl(at.y, best.which & 31), shfl(at.z, best.which & 31)};
    return {at - face.gap * way, at, way, found};
  }
  // Contact of two edges: their nearest points, if they lie on both.
  static DEV DeepestPoints at_edge(const Context& h, const Frame& c, const LargestGap& edge) {
    const int i = edge.which / 3, k = edge.which % 3;
    const v3 axis = k == 0 ? c.axis[0] : k == 1 ? c.axis[1] : c.axis[2], from = hulledge_pos(h.n, i), along = hulledge_vec(h.n, i);
    v3 way;
    orthogonal_normal(hulledge_normal1(h.n, i), hulledge_normal2(h.n, i), axis, way);
    // projected along the axis of the box, its edge is a point
    const v3 start = corner(c, way, k), between = start - from;
    const float slope = dot(axis, along), square = dot(along, along);
    const float t = (dot(between, along) - slope * dot(between, axis)) / (square - slope * slope);
    const float s = t * slope - dot(between, axis), more = c.rounding / sqrtf(square);
    const bool on = t >= -more && t <= 1.f + more && fabsf(s) <= component(c.half, k) + c.rounding;
    return {from + t * along, start + s * axis, way, on};
  }
};
