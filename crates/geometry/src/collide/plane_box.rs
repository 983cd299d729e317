//! Plane against box.

use super::{Contact, Shape, plane_round};
use sinew_math::{mat3, vec3};

/// Maximum number of contacts: a box has four corners below its centre unless edges are parallel to the plane.
const MOST: usize = 4;

/// Contacts at corners that are near enough and not above the box's centre, in binary order of their signs.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let normal = mat3::col(a.mat, 2);
    let height = vec3::dot(vec3::sub(b.pos, a.pos), normal);
    let arms = (0..8).map(|corner: usize| {
        let local = std::array::from_fn(|k| if corner >> k & 1 == 1 { b.size[k] } else { -b.size[k] });
        mat3::mul_vec(b.mat, local)
    });
    let lower = arms.filter(|&arm| vec3::dot(normal, arm) <= 0.0);
    let touching = lower.filter_map(|arm| plane_round::corner(b, height, normal, arm, margin));
    out.extend(touching.take(MOST));
}
