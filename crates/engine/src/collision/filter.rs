//! What never collides.

use super::work::BodyTraits;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::GeomType;
use sinew_math::{mat3, vec3};

/// Whether one of two contact types is in the other's affinity; bits are `[contype, conaffinity]`.
#[inline]
pub fn share_bits(a: [i32; 2], b: [i32; 2]) -> bool {
    a[0] & b[1] != 0 || b[0] & a[1] != 0
}

/// Contact types and affinities of a body, or of a flex, which count on after the bodies.
#[inline]
fn bits(m: &Model, body: usize) -> [i32; 2] {
    match body.checked_sub(m.nbody) {
        None => [m.body_contype[body], m.body_conaffinity[body]],
        // they look for contacts of their own
        Some(f) if m.extension().deforms(f) => [0; 2],
        Some(f) => [m.flex_contype[f], m.flex_conaffinity[f]],
    }
}

/// Whether a body has geoms that collide at all, or a flex does.
#[inline]
pub fn can_collide(m: &Model, body: usize) -> bool {
    bits(m, body) != [0; 2]
}

/// Whether two bodies may collide by the contact types of their geoms.
#[inline]
pub fn bodies_share_bits(m: &Model, b1: usize, b2: usize) -> bool {
    share_bits(bits(m, b1), bits(m, b2))
}

/// Whether two bodies may collide, wherever they are: not if welded to each other, nor as parent and child unless
/// `with_parents` or the parent is static, nor if both are at rest.
#[inline]
pub fn may_meet(a: &BodyTraits, b: &BodyTraits, with_parents: bool) -> bool {
    let related = a.weld == b.parent || b.weld == a.parent;
    a.weld != b.weld
        && !(a.asleep && (b.asleep || b.weld == 0) || b.asleep && a.weld == 0)
        && (with_parents || !related || a.weld == 0 || b.weld == 0)
        && share_bits([a.contype, a.conaffinity], [b.contype, b.conaffinity])
}

/// Whether two geoms are too far apart by their bounding spheres; a plane has none and bounds by its height.
#[doc(alias = "mj_filterSphere")]
#[inline]
pub fn too_far(m: &Model, pose: &Pose, g1: usize, g2: usize, margin: f64) -> bool {
    let (r1, r2) = (m.geom_rbound[g1], m.geom_rbound[g2]);
    if r1 > 0.0 && r2 > 0.0 {
        let gap = vec3::sub(pose.geom_xpos[g1], pose.geom_xpos[g2]);
        let bound = r1 + r2 + margin;
        return vec3::dot(gap, gap) > bound * bound;
    }
    above(m, pose, g1, g2, margin) || above(m, pose, g2, g1, margin)
}

/// Whether a geom's bounding sphere is above a plane.
fn above(m: &Model, pose: &Pose, plane: usize, geom: usize, margin: f64) -> bool {
    if m.geom_type(plane) != GeomType::Plane || m.geom_rbound[geom] <= 0.0 {
        return false;
    }
    let arm = vec3::sub(pose.geom_xpos[geom], pose.geom_xpos[plane]);
    vec3::dot(arm, mat3::col(&pose.geom_xmat[plane], 2)) > margin + m.geom_rbound[geom]
}
