// Camera frames in all modes: fixed to the body, tracking it without rotating, or aimed at a target.
#pragma once
#include "output.h"
#include "ray_shape.h"

// Centre of mass of a subtree, summed directly because the subtree sums are not available here.
DEV v3 subtree_com_direct(const Context& h, int body) {
  v3 sum = {0.f, 0.f, 0.f};
  float mass = 0.f;
  for (int b = body; b < body + ld(body_subtree + body); b++) {
    mass += body_mass(h.n, b);
    sum = sum + body_mass(h.n, b) * xipos(h, b);
  }
  return mass > TINY ? (1.f / mass) * sum : xipos(h, body);
}
// Rotation of a camera that looks along -z with its x axis level: about the vertical, after one about x.
DEV q4 look_at(v3 back) {
  const float across = sqrtf(back.x * back.x + back.y * back.y);
  const float azimuth = across > TINY ? atan2f(back.x, -back.y) : 0.f;
  return axis_angle({0.f, 0.f, 1.f}, azimuth) * axis_angle({1.f, 0.f, 0.f}, atan2f(across, back.z));
}
// Orientation as fixed to the body, regardless of the camera's mode.
DEV q4 camera_quat(const Context& h, int cam) { return body_pose(h.s, ld(cam_bodyid + cam)).quat * cam_quat(h.n, cam); }
DEV Pose camera_pose(const Context& h, int cam) {
  const int mode = ld(cam_mode + cam), body = ld(cam_bodyid + cam), target = ld(cam_targetbodyid + cam);
  const Pose on = body_pose(h.s, body);
  if (mode == CAM_TRACK) return {on.pos + cam_pos(h.n, cam), cam_quat0(h.n, cam)};
  if (mode == CAM_TRACKCOM) return {subtree_com_direct(h, body) + cam_pos(h.n, cam), cam_quat0(h.n, cam)};
  const v3 pos = on.pos + rotate(on.quat, cam_pos(h.n, cam));
  if (target < 0 || (mode != CAM_TARGETBODY && mode != CAM_TARGETBODYCOM)) return {pos, on.quat * cam_quat(h.n, cam)};
  return {pos, look_at(unit(pos - (mode == CAM_TARGETBODY ? body_pose(h.s, target).pos : subtree_com_direct(h, target))))};
}

// Pixel coordinates of a point in the camera's image, from the upper left corner.
struct Pixel { float x, y; };
DEV Pixel projection(const Context& h, int cam, v3 point) {
  const v3 at = to_frame(camera_pose(h, cam), point);
  const float depth = fabsf(at.z) >= TINY ? at.z : at.z < 0.f ? -TINY : TINY;
  return {(cam_focal(h.n, cam, 2) * at.z - cam_focal(h.n, cam, 0) * at.x) / depth, (cam_focal(h.n, cam, 3) * at.z + cam_focal(h.n, cam, 1) * at.y) / depth};
}
