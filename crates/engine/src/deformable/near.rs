//! How far a point is from a geom: in closed form where there is one, else by the colliders.

use sinew_geometry::collide::element::{self, Element};
use sinew_geometry::collide::{Kind, Settings, Shape, Work};
use sinew_geometry::field::Probe;
use sinew_math::{Vec3, clip, mat3, vec3};

/// Signed distance of a point and the direction away from the geom.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub dist: f64,
    pub normal: Vec3,
}

/// The geom from a point of the world, if it is within `reach`.
pub fn near(a: &Shape, x: Vec3, reach: f64, settings: &Settings, work: &mut Work) -> Option<Near> {
    let p = mat3::mul_vec_t(a.mat, vec3::sub(x, a.pos));
    let local = match &a.kind {
        Kind::Plane => Some(Near { dist: p[2], normal: [0.0, 0.0, 1.0] }),
        Kind::Sphere => Some(round(p, a.size[0])),
        Kind::Capsule => {
            let along = clip(p[2], -a.size[1], a.size[1]);
            Some(round([p[0], p[1], p[2] - along], a.size[0]))
        }
        Kind::Cylinder => Some(cylinder(p, a.size)),
        Kind::Box => Some(cuboid(p, a.size)),
        Kind::Sdf(_) => Probe::new(a, p).and_then(|probe| {
            let (normal, size) = vec3::normalize(probe.gradient()?);
            (size > 0.0).then_some(Near { dist: probe.dist, normal })
        }),
        Kind::Hfield(_) | Kind::Ellipsoid | Kind::Mesh(_) => return by_collider(a, x, reach, settings, work),
    };
    let found = local.filter(|near| near.dist <= reach)?;
    Some(Near { normal: mat3::mul_vec(a.mat, found.normal), ..found })
}

fn by_collider(a: &Shape, x: Vec3, reach: f64, settings: &Settings, work: &mut Work) -> Option<Near> {
    let point = Element { points: &[x], center: x, radius: 0.0 };
    element::shape(a, &point, reach, settings, work);
    let deepest = work.contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist))?;
    Some(Near { dist: deepest.dist, normal: deepest.normal })
}

fn round(from_axis: Vec3, radius: f64) -> Near {
    let (normal, length) = vec3::normalize(from_axis);
    Near { dist: length - radius, normal }
}

fn cylinder(p: Vec3, size: Vec3) -> Near {
    let [radius, half, _] = size;
    let (out, across) = vec3::normalize([p[0], p[1], 0.0]);
    let up = if p[2] < 0.0 { [0.0, 0.0, -1.0] } else { [0.0, 0.0, 1.0] };
    let (side, cap) = (across - radius, p[2].abs() - half);
    if side > 0.0 && cap > 0.0 {
        let (normal, dist) = vec3::normalize(vec3::add_scaled(vec3::scale(out, side), up, cap));
        return Near { dist, normal };
    }
    if side > cap { Near { dist: side, normal: out } } else { Near { dist: cap, normal: up } }
}

fn cuboid(p: Vec3, size: Vec3) -> Near {
    let beyond: Vec3 = std::array::from_fn(|k| p[k].abs() - size[k]);
    let sign = |k: usize| if p[k] < 0.0 { -1.0 } else { 1.0 };
    if beyond.iter().any(|b| *b > 0.0) {
        let (normal, dist) = vec3::normalize(std::array::from_fn(|k| sign(k) * beyond[k].max(0.0)));
        return Near { dist, normal };
    }
    let face = (1..3).fold(0, |best, k| if beyond[k] > beyond[best] { k } else { best });
    let mut normal = [0.0; 3];
    normal[face] = sign(face);
    Near { dist: beyond[face], normal }
}
