//! Normals of round surfaces, where a search for depth knows them only to its tolerance.

use super::nearest;
use super::{Contact, Kind, Shape};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Cylinders keep the found normal within this part of their half-length from the ends.
const FLAT_PART: f64 = 0.95;
/// The round wall must be nearer than the flat one by this factor, seen from the flat one.
const ROUND_FACTOR: f64 = 0.25;

/// Replaces the normal of a contact by that of the first shape's surface at the contact, where the surface is round.
#[doc(alias = "mjc_fixNormal")]
pub(super) fn refine(a: &Shape, contact: &mut Contact) {
    let local = mat3::mul_vec_t(a.mat, vec3::sub(contact.pos, a.pos));
    if let Some(normal) = normal_at(a, local) {
        contact.normal = mat3::mul_vec(a.mat, vec3::normalize(normal).0);
    }
}

/// Direction of the surface normal near a point, in the shape's axes; `None` where the surface is flat.
fn normal_at(a: &Shape, p: Vec3) -> Option<Vec3> {
    let [x, y, z] = p;
    match a.kind {
        Kind::Sphere => Some(p),
        Kind::Capsule => Some([x, y, z - z.clamp(-a.size[1], a.size[1])]),
        Kind::Ellipsoid if a.size.iter().all(|&s| s >= MINVAL) => {
            let on = nearest::on_ellipsoid(p, a.size);
            Some(std::array::from_fn(|i| on[i] / (a.size[i] * a.size[i])))
        }
        Kind::Cylinder => {
            let [radius, half, _] = a.size;
            let (flat, round) = ((half - z.abs()).abs(), (radius - x.hypot(y)).abs());
            (z.abs() <= FLAT_PART * half && flat >= ROUND_FACTOR * round).then_some([x, y, 0.0])
        }
        _ => None,
    }
}
