//! Sphere against box.

use super::{Contact, Shape};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// One contact, with the nearest point of the box, or its nearest face if the centre is inside.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    out.extend(ball(a.pos, a.size[0], b, margin));
}

/// Contact of a sphere with a box.
pub(super) fn ball(center: Vec3, radius: f64, b: &Shape, margin: f64) -> Option<Contact> {
    let center = mat3::mul_vec_t(b.mat, vec3::sub(center, b.pos));
    // a half-size of zero does not clamp
    let clamped: Vec3 =
        std::array::from_fn(|k| if b.size[k] > 0.0 { center[k].max(-b.size[k]).min(b.size[k]) } else { center[k] });
    let (inward, dist) = vec3::normalize(vec3::sub(clamped, center));
    if dist - radius > margin {
        return None;
    }
    let (dist, normal, pos) = if dist <= MINVAL {
        let (depth, inward) = nearest_face(center, b.size);
        (-depth, inward, vec3::add_scaled(center, inward, (radius - depth) / 2.0))
    } else {
        let deepest = vec3::add_scaled(center, inward, radius);
        (dist, inward, vec3::add(vec3::scale(clamped, 0.5), vec3::scale(deepest, 0.5)))
    };
    Some(Contact {
        dist: dist - radius,
        pos: vec3::add(mat3::mul_vec(b.mat, pos), b.pos),
        normal: mat3::mul_vec(b.mat, normal),
        ..Default::default()
    })
}

/// Distance to the nearest face and its inward normal; lower faces win ties.
fn nearest_face(center: Vec3, size: Vec3) -> (f64, Vec3) {
    let mut best = (size[0] + size[1] + size[2]) * 2.0;
    let mut inward = [1.0, 0.0, 0.0];
    for k in 0..3 {
        for sign in [-1.0, 1.0] {
            let depth = (sign * size[k] - center[k]).abs();
            if best > depth {
                best = depth;
                inward = [0.0; 3];
                inward[k] = -sign;
            }
        }
    }
    (best, inward)
}
