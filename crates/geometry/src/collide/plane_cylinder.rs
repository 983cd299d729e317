//! A plane with a cylinder.

use super::{Contact, Shape};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Up to four contacts: the lowest point of the rim nearer to the plane, the point above it on the other rim, and two
/// more on the nearer rim, a third of a turn to either side.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let [radius, half, _] = b.size;
    let normal = mat3::col(a.mat, 2);
    let mut axis = mat3::col(b.mat, 2);
    let mut slope = vec3::dot(normal, axis);
    if slope > 0.0 {
        axis = vec3::scale(axis, -1.0);
        slope = -slope;
    }
    let height = vec3::dot(vec3::sub(b.pos, a.pos), normal);
    let spoke = lowest_spoke(b, axis, slope, normal, radius);
    let drop = vec3::dot(spoke, normal);
    let axis = vec3::scale(axis, half);
    let slope = slope * half;

    let mut add = |dist: f64, corner: Vec3| {
        let pos = vec3::add_scaled(corner, normal, -dist * 0.5);
        out.push(Contact { dist, pos, normal, ..Default::default() });
    };
    if height + slope + drop > margin {
        return;
    }
    add(height + slope + drop, vec3::add(vec3::add(b.pos, spoke), axis));
    if height - slope + drop <= margin {
        add(height - slope + drop, vec3::sub(vec3::add(b.pos, spoke), axis));
    }
    let dist = height + slope + -drop * 0.5;
    if dist <= margin {
        let (side, _) = vec3::normalize(vec3::cross(spoke, axis));
        let side = vec3::scale(side, radius * 3f64.sqrt() / 2.0);
        for start in [vec3::add(b.pos, side), vec3::sub(b.pos, side)] {
            add(dist, vec3::add_scaled(vec3::add(start, axis), spoke, -0.5));
        }
    }
}

/// From the axis to the lowest point of a rim; the cylinder's x where the rim is parallel to the plane.
fn lowest_spoke(b: &Shape, axis: Vec3, slope: f64, normal: Vec3, radius: f64) -> Vec3 {
    let down = vec3::sub(vec3::scale(axis, slope), normal);
    let square = vec3::dot(down, down);
    if square >= MINVAL * MINVAL {
        vec3::scale(down, radius / square.sqrt())
    } else {
        vec3::scale(mat3::col(b.mat, 0), radius)
    }
}
