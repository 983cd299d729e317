//! Mass and inertia of one shape, of a body from its geoms, and of merged bodies.

use super::flat::FlatGeom;
use super::frames::{EPS, Pose, principal};
use crate::error::{Error, Result};
use crate::spec::{Body, Compiler};
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomInertia, GeomType};
use sinew_math::mat3::Eigen;
use sinew_math::{MINVAL, Quat, Vec3, quat, vec3};
use std::f64::consts::PI;

/// Volume of a primitive, or its surface area when the mass is on the surface.
pub(crate) fn volume(kind: GeomType, size: Vec3, mode: GeomInertia) -> f64 {
    let [a, b, c] = size;
    let height = 2.0 * b;
    match (kind, mode) {
        (GeomType::Sphere, GeomInertia::Volume) => 4.0 * PI * a * a * a / 3.0,
        (GeomType::Sphere, GeomInertia::Shell) => 4.0 * PI * a * a,
        (GeomType::Capsule, GeomInertia::Volume) => PI * (a * a * height + 4.0 * a * a * a / 3.0),
        (GeomType::Capsule, GeomInertia::Shell) => 4.0 * PI * a * a + 2.0 * PI * a * height,
        (GeomType::Cylinder, GeomInertia::Volume) => PI * a * a * height,
        (GeomType::Cylinder, GeomInertia::Shell) => 2.0 * PI * a * a + 2.0 * PI * a * height,
        (GeomType::Ellipsoid, GeomInertia::Volume) => 4.0 * PI * a * b * c / 3.0,
        (GeomType::Ellipsoid, GeomInertia::Shell) => {
            // Thomsen's approximation
            let p = 1.6075;
            let sum = (a * b).powf(p) + (b * c).powf(p) + (c * a).powf(p);
            4.0 * PI * (sum / 3.0).powf(1.0 / p)
        }
        (GeomType::Hfield | GeomType::Box, GeomInertia::Volume) => a * b * c * 8.0,
        (GeomType::Hfield | GeomType::Box, GeomInertia::Shell) => 8.0 * (a * b + b * c + c * a),
        _ => 0.0,
    }
}

/// Diagonal inertia of a primitive of the given mass about its own axes.
pub(crate) fn shape_inertia(kind: GeomType, size: Vec3, mode: GeomInertia, mass: f64) -> Vec3 {
    let [a, b, c] = size;
    let (aa, bb, cc) = (a * a, b * b, c * c);
    match (kind, mode) {
        (GeomType::Sphere, GeomInertia::Volume) => [2.0 * mass * a * a / 5.0; 3],
        (GeomType::Sphere, GeomInertia::Shell) => [2.0 * mass * a * a / 3.0; 3],
        (GeomType::Capsule, GeomInertia::Volume) => solid_capsule(a, b, mass),
        (GeomType::Capsule, GeomInertia::Shell) => shell_capsule(a, b, mass),
        (GeomType::Cylinder, GeomInertia::Volume) => {
            let height = 2.0 * b;
            let across = mass * (3.0 * a * a + height * height) / 12.0;
            [across, across, mass * a * a / 2.0]
        }
        (GeomType::Cylinder, GeomInertia::Shell) => shell_cylinder(a, b, mass),
        (GeomType::Ellipsoid, GeomInertia::Volume) => ellipsoid([aa, bb, cc], mass),
        (GeomType::Ellipsoid, GeomInertia::Shell) => shell_ellipsoid(size, mass),
        (GeomType::Hfield | GeomType::Box, GeomInertia::Volume) => {
            [mass * (bb + cc) / 3.0, mass * (aa + cc) / 3.0, mass * (aa + bb) / 3.0]
        }
        (GeomType::Hfield | GeomType::Box, GeomInertia::Shell) => shell_box(size, mass),
        _ => [0.0; 3],
    }
}

/// Cylinder plus two half balls at its ends.
fn solid_capsule(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let ball = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder = mass - ball;
    let caps = 2.0 * ball * radius * radius / 5.0;
    let across = cylinder * (3.0 * radius * radius + height * height) / 12.0
        + (caps + ball * height * (3.0 * radius + 2.0 * height) / 8.0);
    [across, across, cylinder * radius * radius / 2.0 + caps]
}

/// Open tube plus two half spheres at its ends.
fn shell_capsule(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let sphere_area = 4.0 * PI * radius * radius;
    let tube_area = 2.0 * PI * radius * height;
    let sphere = mass * sphere_area / (sphere_area + tube_area);
    let tube = mass - sphere;
    let caps = 2.0 * sphere * radius * radius / 3.0;
    let (com, place) = (radius / 2.0, half + radius / 2.0);
    let across =
        tube * (6.0 * radius * radius + height * height) / 12.0 + (caps + sphere * (place * place - com * com));
    [across, across, tube * radius * radius + caps]
}

/// Open tube plus two discs.
fn shell_cylinder(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let disc_area = PI * radius * radius;
    let tube_area = 2.0 * PI * radius * height;
    let disc = mass * disc_area / (2.0 * disc_area + tube_area);
    let tube = mass - 2.0 * disc;
    let disc_across = disc * radius * radius / 4.0 + disc * half * half;
    let disc_along = disc * radius * radius / 2.0;
    let across = tube * (6.0 * radius * radius + height * height) / 12.0 + 2.0 * disc_across;
    [across, across, tube * radius * radius + 2.0 * disc_along]
}

/// Solid ellipsoid from its squared semi-axes.
fn ellipsoid([aa, bb, cc]: Vec3, mass: f64) -> Vec3 {
    [mass * (bb + cc) / 5.0, mass * (aa + cc) / 5.0, mass * (aa + bb) / 5.0]
}

/// Thin shell: a slightly larger ellipsoid minus the ellipsoid.
fn shell_ellipsoid(size: Vec3, mass: f64) -> Vec3 {
    let volume = |[a, b, c]: Vec3| 4.0 * PI * a * b * c / 3.0;
    let larger = size.map(|s| s + 1e-6);
    let (inside, outside) = (volume(size), volume(larger));
    let density = mass / (outside - inside);
    let small = ellipsoid(size.map(|s| s * s), inside * density);
    let large = ellipsoid(larger.map(|s| s * s), outside * density);
    vec3::sub(large, small)
}

/// Six plates.
fn shell_box(size: Vec3, mass: f64) -> Vec3 {
    let [aa, bb, cc] = size.map(|s| s * s);
    let [x, y, z] = size.map(|s| 2.0 * s);
    let areas = [x * y, y * z, z * x];
    let total = 2.0 * (areas[0] + areas[1] + areas[2]);
    let [xy, yz, zx] = areas.map(|area| mass * area / total);
    let plates = |offset: f64, own: Vec3| 2.0 * own.iter().fold(offset, |sum, part| sum + part);
    [
        plates(xy * cc + zx * bb, [xy * y * y / 12.0, yz * (y * y + z * z) / 12.0, zx * z * z / 12.0]),
        plates(xy * cc + yz * aa, [xy * x * x / 12.0, yz * z * z / 12.0, zx * (x * x + z * z) / 12.0]),
        plates(yz * aa + zx * bb, [xy * (x * x + y * y) / 12.0, yz * y * y / 12.0, zx * x * x / 12.0]),
    ]
}

/// Inertia of a body about its frame's axes: xx, yy, zz, xy, xz, yz.
type Full = [f64; 6];

/// Diagonal inertia rotated to the parent's axes.
fn turned(local: Vec3, orientation: Quat) -> Full {
    let r = quat::to_mat(orientation);
    let scaled = |row: usize, k: usize| r[3 * row + k] * local[k];
    let entry =
        |i: usize, j: usize| r[3 * i] * scaled(j, 0) + r[3 * i + 1] * scaled(j, 1) + r[3 * i + 2] * scaled(j, 2);
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// Inertia of a point mass.
fn point(mass: f64, [x, y, z]: Vec3) -> Full {
    [
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    ]
}

/// Principal axes of a full inertia; `None` if its first entry is NaN, which means "not given" in MuJoCo and also
/// results from infinite positions of geoms.
pub(crate) fn diagonalize(full: Full) -> Result<Option<Eigen>> {
    let [xx, yy, zz, xy, xz, yz] = full;
    if xx.is_nan() {
        return Ok(None);
    }
    let p = principal(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    if p.values[2] < EPS {
        return Err(Error::invalid("the inertia matrix must be positive definite"));
    }
    Ok(Some(p))
}

/// Inertial frame, mass and inertia of a body from the geoms in the compiler's group range.
pub(crate) fn from_geoms(body: &mut Body, geoms: &[FlatGeom], compiler: &Compiler) -> Result<()> {
    let [low, high] = compiler.inertiagrouprange;
    let counts = |g: &&FlatGeom| (low..=high).contains(&g.spec.group) && g.mass > EPS;
    let massive: Vec<&FlatGeom> = geoms.iter().filter(counts).collect();
    match massive[..] {
        [] => {}
        [g] => {
            (body.ipos, body.iquat) = (Some(g.spec.pos), g.spec.quat);
            (body.mass, body.inertia) = (g.mass, g.inertia);
        }
        _ => {
            let mass = massive.iter().fold(0.0, |sum, g| sum + g.mass);
            let com = massive.iter().fold([0.0; 3], |com, g| vec3::add_scaled(com, g.spec.pos, g.mass));
            let com = com.map(|x| x / mass);
            let mut full = [0.0; 6];
            for g in massive {
                let own = turned(g.inertia, g.spec.quat);
                let moved = point(g.mass, vec3::sub(g.spec.pos, com));
                (0..6).for_each(|k| full[k] = full[k] + own[k] + moved[k]);
            }
            (body.ipos, body.mass) = (Some(com), mass);
            if let Some(p) = diagonalize(full)? {
                (body.iquat, body.inertia) = (p.quat, p.values);
            }
        }
    }
    Ok(())
}

/// Applies lower bounds and checks that mass and inertia are physical.
pub(crate) fn bound(body: &mut Body, compiler: &Compiler) -> Result<()> {
    // unlike `max`, this propagates NaN, which is refused for moving bodies
    let raise = |x: f64, bound: f64| if x < bound { bound } else { x };
    body.mass = raise(body.mass, compiler.boundmass);
    body.inertia = body.inertia.map(|x| raise(x, compiler.boundinertia));
    let [a, b, c] = body.inertia;
    if body.mass < 0.0 || a < 0.0 || b < 0.0 || c < 0.0 {
        return Err(Error::invalid("mass and inertia cannot be negative"));
    }
    if a + b < c || a + c < b || b + c < a {
        if !compiler.balanceinertia {
            let error = Error::invalid("each principal inertia must be at most the sum of the other two");
            return Err(error.hint("set balanceinertia=\"true\" in 'compiler', or correct the inertia"));
        }
        body.inertia = [(a + b + c) / 3.0; 3];
    }
    Ok(())
}

/// Adds the mass and inertia of a child body that is welded to this one.
pub(crate) fn absorb(body: &mut Body, child: &Body) -> Result<()> {
    // MuJoCo rotates the child's centre of mass by its inertial orientation and treats that orientation as if it were
    // given in the parent; both matter only when the child is rotated
    let placed = Pose::new(child.com(), child.iquat).then(&Pose::new(child.pos, child.quat));
    let parts =
        [(body.mass, body.inertia, body.com(), body.iquat), (child.mass, child.inertia, placed.pos, child.iquat)];
    body.mass = parts[0].0 + parts[1].0;
    if body.mass < MINVAL {
        (body.mass, body.inertia) = (0.0, [0.0; 3]);
        (body.ipos, body.iquat) = (Some([0.0; 3]), quat::IDENTITY);
        return Ok(());
    }
    let sum = parts.iter().fold([0.0; 3], |sum, (mass, _, pos, _)| vec3::add_scaled(sum, *pos, *mass));
    let com = sum.map(|x| x / body.mass);
    body.ipos = Some(com);
    let mut full = [0.0; 6];
    for (mass, inertia, pos, orientation) in parts {
        let own = turned(inertia, orientation);
        let moved = point(mass, vec3::sub(pos, com));
        (0..6).for_each(|k| full[k] += own[k] + moved[k]);
    }
    if let Some(p) = diagonalize(full)? {
        (body.inertia, body.iquat) = (p.values, p.quat);
    }
    Ok(())
}

/// Scales all masses and inertias to a total mass, if that is positive.
pub(crate) fn set_total_mass(m: &mut Model, total: f64) {
    if total <= 0.0 {
        return;
    }
    let sum = m.body_mass.iter().skip(1).fold(0.0, |sum, mass| sum + mass);
    let scale = (total / sum.max(MINVAL)).max(MINVAL);
    m.body_mass.iter_mut().skip(1).for_each(|mass| *mass *= scale);
    m.body_inertia.iter_mut().skip(1).flatten().for_each(|x| *x *= scale);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::TABULATED;

    /// Inertia of a hollow shape as the difference of two solids; in the limit, that of the thin shell.
    fn hollow(kind: GeomType, size: Vec3, grow: f64) -> Vec3 {
        let larger = size.map(|s| s + grow);
        let (v0, v1) = (volume(kind, size, GeomInertia::Volume), volume(kind, larger, GeomInertia::Volume));
        let solid = |size, v| shape_inertia(kind, size, GeomInertia::Volume, v / (v1 - v0));
        vec3::sub(solid(larger, v1), solid(size, v0))
    }

    #[test]
    fn shells_are_the_limit_of_hollow_shapes() {
        for kind in [GeomType::Sphere, GeomType::Cylinder, GeomType::Ellipsoid, GeomType::Box] {
            let size = [0.3, 0.5, 0.4];
            let shell = shape_inertia(kind, size, GeomInertia::Shell, 1.0);
            for (got, want) in shell.iter().zip(hollow(kind, size, 1e-5)) {
                assert!((got - want).abs() < TABULATED, "{kind:?}: {got} {want}");
            }
        }
    }

    #[test]
    fn absorbing_keeps_mass_and_moves_the_centre() {
        let part =
            |x: f64| Body { mass: 1.0, inertia: [1.0; 3], ipos: Some([0.0; 3]), pos: [x, 0.0, 0.0], ..Body::default() };
        let mut body = part(0.0);
        absorb(&mut body, &part(2.0)).unwrap();
        assert_eq!(body.mass, 2.0);
        assert_eq!(body.ipos, Some([1.0, 0.0, 0.0]));
        let mut got = body.inertia;
        got.sort_by(f64::total_cmp);
        assert_eq!(got, [2.0, 4.0, 4.0]);
    }
}
