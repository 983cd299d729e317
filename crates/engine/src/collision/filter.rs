//! Filters for pairs that cannot collide.

use super::work::BodyTraits;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::GeomType;
use sinew_math::{mat3, vec3};

/// Whether the contact type of either matches the affinity of the other; arguments are `[contype, conaffinity]`.
#[inline]
pub fn share_bits(a: [i32; 2], b: [i32; 2]) -> bool {
    a[0] & b[1] != 0 || b[0] & a[1] != 0
}

/// `[contype, conaffinity]` of a body, or of a flex; flex ids follow body ids.
#[inline]
fn bits(m: &Model, body: usize) -> [i32; 2] {
    match body.checked_sub(m.nbody) {
        None => [m.body_contype[body], m.body_conaffinity[body]],
        // deformables have a separate contact search
        Some(f) if m.extension().deforms(f) => [0; 2],
        Some(f) => [m.flex_contype[f], m.flex_conaffinity[f]],
    }
}

/// Whether a body (any of its geoms) or a flex can collide with anything.
#[inline]
pub fn can_collide(m: &Model, body: usize) -> bool {
    bits(m, body) != [0; 2]
}

/// Whether the contact types of two bodies allow them to collide.
#[inline]
pub fn bodies_share_bits(m: &Model, b1: usize, b2: usize) -> bool {
    share_bits(bits(m, b1), bits(m, b2))
}

/// Whether two bodies may collide, regardless of position: not if they are welded together, nor if parent and child
/// unless `with_parents` is set or the parent is static, nor if each of them is asleep or static.
#[inline]
pub fn may_meet(a: &BodyTraits, b: &BodyTraits, with_parents: bool) -> bool {
    let related = a.weld == b.parent || b.weld == a.parent;
    a.weld != b.weld
        && !(a.asleep && (b.asleep || b.weld == 0) || b.asleep && a.weld == 0)
        && (with_parents || !related || a.weld == 0 || b.weld == 0)
        && share_bits([a.contype, a.conaffinity], [b.contype, b.conaffinity])
}

/// Whether the bounding spheres of two geoms are too far apart; for a plane, which has none, whether the other's sphere
/// is above it.
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
