//! Sphere against cylinder.

use super::sphere_round::{Ball, balls};
use super::{Contact, Shape, plane_round};
use sinew_math::{mat3, vec3};

/// One contact, with the side, a cap or the rim; if the centre is inside, with the nearer of side and cap.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let [radius, half, _] = b.size;
    let axis = mat3::col(b.mat, 2);
    let from = vec3::sub(a.pos, b.pos);
    let along = vec3::dot(axis, from);
    let foot = vec3::scale(axis, along);
    let out_of_axis = vec3::sub(from, foot);
    let square = vec3::dot(out_of_axis, out_of_axis);

    let (mut side, mut cap) = (along.abs() < half, square < radius * radius);
    if side && cap {
        side = half - along.abs() >= radius - square.sqrt();
        cap = !side;
    }
    let sphere = Ball::of(a, a.pos);
    let sign = if along > 0.0 { 1.0 } else { -1.0 };
    out.extend(if side {
        balls(sphere, Ball::of(b, vec3::add(foot, b.pos)), margin)
    } else if cap {
        let origin = vec3::add_scaled(b.pos, axis, sign * half);
        let up = vec3::scale(axis, sign);
        let flip = |c: Contact| Contact { normal: vec3::scale(c.normal, -1.0), ..c };
        plane_round::ball(origin, up, a.pos, a.size[0], margin).map(flip)
    } else {
        // only for a cylinder of zero radius can the centre be on the axis here
        let spoke = if square > 0.0 { vec3::scale(out_of_axis, radius / square.sqrt()) } else { [0.0; 3] };
        let rim = vec3::add(vec3::add(vec3::scale(axis, sign * half), spoke), b.pos);
        balls(sphere, Ball { radius: 0.0, ..Ball::of(b, rim) }, margin)
    });
}
