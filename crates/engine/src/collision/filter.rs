//! What never collides.

use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{DisableBit, GeomType};
use sinew_math::{mat3, vec3};

/// Whether one of two contact types is in the other's affinity; bits are `[contype, conaffinity]`.
#[inline]
pub fn share_bits(a: [i32; 2], b: [i32; 2]) -> bool {
    a[0] & b[1] != 0 || b[0] & a[1] != 0
}

/// Whether a body has geoms that collide at all.
#[inline]
pub fn can_collide(m: &Model, body: usize) -> bool {
    m.body_contype[body] != 0 || m.body_conaffinity[body] != 0
}

/// Whether two bodies may collide by the contact types of their geoms.
#[inline]
pub fn bodies_share_bits(m: &Model, b1: usize, b2: usize) -> bool {
    let bits = |b: usize| [m.body_contype[b], m.body_conaffinity[b]];
    share_bits(bits(b1), bits(b2))
}

/// Whether two bodies never collide wherever they are: welded to each other, parent and child unless the parent is
/// static, or both at rest.
#[inline]
pub fn body_pair_filtered(m: &Model, bodies: [usize; 2], asleep: [bool; 2]) -> bool {
    let [w1, w2] = bodies.map(|b| m.body_weldid[b] as usize);
    if w1 == w2 || asleep[0] && asleep[1] || asleep[0] && w2 == 0 || asleep[1] && w1 == 0 {
        return true;
    }
    let parent = |w: usize| m.body_weldid[m.body_parentid[w] as usize] as usize;
    w1 != 0 && w2 != 0 && !m.opt.disabled(DisableBit::Filterparent) && (w1 == parent(w2) || w2 == parent(w1))
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
    let above = |plane: usize, geom: usize| {
        m.geom_type[plane] == GeomType::Plane as i32
            && m.geom_rbound[geom] > 0.0
            && height(pose, plane, geom) > margin + m.geom_rbound[geom]
    };
    above(g1, g2) || above(g2, g1)
}

fn height(pose: &Pose, plane: usize, geom: usize) -> f64 {
    vec3::dot(vec3::sub(pose.geom_xpos[geom], pose.geom_xpos[plane]), mat3::col(&pose.geom_xmat[plane], 2))
}
