//! Distance of a point from a geom, in closed form where there is one, otherwise by the colliders.

use sinew_geometry::collide::element::{self, Element};
use sinew_geometry::collide::{Kind, Settings, Shape, Work};
use sinew_geometry::field::Probe;
use sinew_geometry::ray::HeightField;
use sinew_math::{Vec3, clip, mat3, vec3};

/// Signed distance of a point and the direction away from the geom.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub dist: f64,
    pub normal: Vec3,
}

/// Distance and normal of a geom as seen from a point in world coordinates, if it is within `reach`.
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
        Kind::Hfield(field) => ground(field, p),
        Kind::Ellipsoid | Kind::Mesh(_) => return by_collider(a, x, reach, settings, work),
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

/// Distance to the plane of the triangle above or below a point. The prism walls that the general colliders see would
/// push sideways.
fn ground(field: &HeightField, p: Vec3) -> Option<Near> {
    let cells = [field.ncol - 1, field.nrow - 1];
    if (0..2).any(|k| p[k].abs() > field.size[k]) || p[2] < -field.size[3] {
        return None;
    }
    let spacing = field.spacing();
    let at: [f64; 2] = std::array::from_fn(|k| (p[k] + field.size[k]) / spacing[k]);
    let [col, row]: [usize; 2] = std::array::from_fn(|k| (at[k] as usize).min(cells[k] - 1));
    let [u, v] = [at[0] - col as f64, at[1] - row as f64];
    let height = |c: usize, r: usize| f64::from(field.data[(row + r) * field.ncol + col + c]) * field.size[2];
    // each cell is split along the diagonal from its first corner to its last
    let [x, y] = if v > u {
        [height(1, 1) - height(0, 1), height(0, 1) - height(0, 0)]
    } else {
        [height(1, 0) - height(0, 0), height(1, 1) - height(1, 0)]
    };
    let above = p[2] - (height(0, 0) + u * x + v * y);
    let normal = vec3::normalize([-x / spacing[0], -y / spacing[1], 1.0]).0;
    Some(Near { dist: above * normal[2], normal })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_met_at_right_angles() {
        // one cell of 2 × 2 m that rises by 1 m along x, folded along its diagonal
        let field = HeightField { size: [1.0, 1.0, 1.0, 0.1], nrow: 2, ncol: 2, data: &[0.0, 1.0, 0.0, 0.5] };
        let low = ground(&field, [0.5, -0.5, 1.0]).expect("it is above");
        let n = vec3::normalize([-0.5, 0.25, 1.0]).0;
        assert!((low.dist - (1.0 - 0.625) * n[2]).abs() < 1e-15 && vec3::dist(low.normal, n) < 1e-15, "{low:?}");
        let high = ground(&field, [-0.5, 0.5, 0.0]).expect("it is below");
        let n = vec3::normalize([-0.25, 0.0, 1.0]).0;
        assert!((high.dist + 0.125 * n[2]).abs() < 1e-15 && vec3::dist(high.normal, n) < 1e-15, "{high:?}");
        assert!(ground(&field, [1.1, 0.0, 0.0]).is_none());
    }

    #[test]
    fn boxes_and_cylinders_have_edges() {
        let out = cuboid([2.0, 3.0, 0.0], [1.0, 1.0, 1.0]);
        assert!((out.dist - 5f64.sqrt()).abs() < 1e-15 && out.normal[2] == 0.0, "{out:?}");
        let inside = cuboid([0.0, -0.9, 0.5], [1.0, 1.0, 1.0]);
        assert!((inside.dist + 0.1).abs() < 1e-15 && inside.normal == [0.0, -1.0, 0.0], "{inside:?}");
        let rim = cylinder([2.0, 0.0, -2.0], [1.0, 1.0, 0.0]);
        assert!((rim.dist - 2f64.sqrt()).abs() < 1e-15 && rim.normal[2] < 0.0, "{rim:?}");
    }
}
