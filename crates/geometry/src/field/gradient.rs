//! Gradients of signed distances.

use super::{look, radial, triangles};
use crate::collide::{Kind, Shape};
use sinew_math::{Vec3, clip, vec3};

/// Distances below this are not divided by.
const LEAST: f64 = 1e-10;

/// Gradient of the signed distance at a point in the shape's local frame; `None` for shapes without a closed-form
/// gradient.
pub(super) fn closed_form(shape: &Shape, p: Vec3) -> Option<Vec3> {
    let size = shape.size;
    Some(match &shape.kind {
        Kind::Plane => [0.0, 0.0, 1.0],
        Kind::Sphere => vec3::scale(p, 1.0 / vec3::norm(p)),
        Kind::Capsule => {
            let away = [p[0], p[1], p[2] - clip(p[2], -size[1], size[1])];
            let norm = vec3::norm(away);
            away.map(|a| a / norm)
        }
        Kind::Ellipsoid => ellipsoid(p, size),
        Kind::Cylinder => cylinder(p, size),
        Kind::Box => cuboid(p, size),
        Kind::Mesh(mesh) => [if look(shape, triangles(mesh)?, p).inside { 1.0 } else { -1.0 }; 3],
        Kind::Sdf(_) | Kind::Hfield(_) => return None,
    })
}

fn ellipsoid(p: Vec3, size: Vec3) -> Vec3 {
    let once: Vec3 = std::array::from_fn(|k| p[k] / size[k]);
    let twice: Vec3 = std::array::from_fn(|k| once[k] / size[k]);
    let (k0, k1) = (vec3::norm(once), vec3::norm(twice));
    let (inv0, inv1) = (1.0 / k0, 1.0 / k1);
    let (by_k0, by_k1) = ((2.0 * k0 - 1.0) * inv1, k0 * (k0 - 1.0) * inv1 * inv1);
    let grad = std::array::from_fn(|k| twice[k] * inv0 * by_k0 - twice[k] * inv1 / (size[k] * size[k]) * by_k1);
    vec3::normalize(grad).0
}

fn cylinder(p: Vec3, size: Vec3) -> Vec3 {
    let (radius, height) = ((p[0] * p[0] + p[1] * p[1]).sqrt(), p[2].abs());
    let (side, cap) = (radius - size[0], height - size[1]);
    let out = [p[0] / radius.max(LEAST), p[1] / radius.max(LEAST), p[2] / height.max(LEAST)];
    if side.max(cap) < 0.0 {
        return if side > cap { [out[0], out[1], 0.0] } else { [0.0, 0.0, out[2]] };
    }
    let (side, cap) = (side.max(0.0), cap.max(0.0));
    let norm = (side * side + cap * cap).sqrt().max(LEAST);
    [out[0] * side / norm, out[1] * side / norm, out[2] * cap / norm]
}

fn cuboid(p: Vec3, size: Vec3) -> Vec3 {
    let a: Vec3 = std::array::from_fn(|k| p[k].abs() - size[k]);
    if a.iter().all(|v| *v < 0.0) {
        return radial(a, p, size);
    }
    let norm = vec3::norm(a.map(|v| v.max(0.0)));
    std::array::from_fn(|k| if a[k] > 0.0 { a[k] / norm * p[k] / p[k].abs() } else { 0.0 })
}
