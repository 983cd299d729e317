//! Plane against cylinder.

use super::{Contact, Shape, plane_round};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Up to four contacts: the lowest point of the rim nearer to the plane, the point above it on the other rim, and two
/// more on the nearer rim, 120° to either side.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let [radius, half, _] = b.size;
    let (normal, up) = (mat3::col(a.mat, 2), mat3::col(b.mat, 2));
    let height = vec3::dot(vec3::sub(b.pos, a.pos), normal);
    // from the cylinder's centre to the centre of the nearer rim
    let end = vec3::scale(up, if vec3::dot(normal, up) > 0.0 { -half } else { half });
    let spoke = vec3::scale(lowest_spoke(b, normal), radius);
    // around the rim: cos 120° along the lowest spoke, sin 120° perpendicular to it
    let side = vec3::scale(vec3::normalize(vec3::cross(spoke, end)).0, radius * 3f64.sqrt() / 2.0);
    let back = vec3::add_scaled(end, spoke, -0.5);
    let arms = [vec3::add(end, spoke), vec3::sub(spoke, end), vec3::add(back, side), vec3::sub(back, side)];
    out.extend(arms.into_iter().filter_map(|arm| plane_round::corner(b, height, normal, arm, margin)));
}

/// Direction from the axis to the lowest point of a rim; the cylinder's x where the rim is parallel to the plane.
fn lowest_spoke(b: &Shape, normal: Vec3) -> Vec3 {
    let axis = mat3::col(b.mat, 2);
    let down = vec3::sub(vec3::scale(axis, vec3::dot(axis, normal)), normal);
    let length = vec3::norm(down);
    if length >= MINVAL { vec3::scale(down, 1.0 / length) } else { mat3::col(b.mat, 0) }
}
