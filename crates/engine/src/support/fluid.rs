//! Fluid interaction of a body: shape, coefficients, and velocity relative to the medium.

use super::object::ObjectFrame;
use crate::data::{Motion, Pose};
use crate::model::Model;
use crate::model::enums::GeomType;
use sinew_math::spatial::{Vec6, join, lin, rot};
use sinew_math::{MINVAL, Vec3, mat3, vec3};
use std::f64::consts::PI;

/// Fluid model of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Box with the body's mass and inertia.
    Box,
    /// One ellipsoid per geom.
    Ellipsoids,
}

/// Whether there is any fluid.
#[inline]
pub fn present(m: &Model) -> bool {
    m.opt.density != 0.0 || m.opt.viscosity != 0.0
}

/// Fluid model of a body: none without mass; ellipsoids if any of its geoms requests them.
#[inline]
pub fn shape(m: &Model, body: usize) -> Option<Shape> {
    if m.body_mass[body] < MINVAL || m.body_weldid[body] == 0 {
        return None;
    }
    let ellipsoids = m.body_geoms(body).any(|g| m.geom_fluid[g][0] > 0.0);
    Some(if ellipsoids { Shape::Ellipsoids } else { Shape::Box })
}

/// Velocity relative to the medium, in the object's frame, rotation first.
#[inline]
pub fn local_flow(m: &Model, pose: &Pose, motion: &Motion, at: &ObjectFrame) -> Vec6 {
    let v = at.velocity(m, pose, motion, true);
    join(rot(&v), vec3::sub(lin(&v), mat3::mul_vec_t(at.mat, m.opt.wind)))
}

/// Edge lengths of the box with the body's mass and inertia.
#[inline]
pub fn inertia_box(m: &Model, body: usize) -> Vec3 {
    let [x, y, z] = m.body_inertia[body];
    let edge = |sum: f64| (MINVAL.max(sum) / m.body_mass[body] * 6.0).sqrt();
    [edge(y + z - x), edge(x + z - y), edge(x + y - z)]
}

/// The ellipsoid that approximates a geom, with its coefficients.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    /// Scale of the force; 0 disables the geom.
    pub interaction: f64,
    /// Drag of the projected area.
    pub blunt_drag: f64,
    /// Drag of the area alongside the flow.
    pub slender_drag: f64,
    /// Drag against rotation.
    pub angular_drag: f64,
    /// Lift from the angle of attack.
    pub kutta_lift: f64,
    /// Lift from spinning.
    pub magnus_lift: f64,
    /// Virtual (added) mass of fluid along each axis, per density.
    pub virtual_mass: Vec3,
    /// Virtual (added) inertia of fluid about each axis, per density.
    pub virtual_inertia: Vec3,
    /// Semi-axes.
    pub semi: Vec3,
}

impl Ellipsoid {
    /// Ellipsoid of a geom.
    pub fn of_geom(m: &Model, geom: usize) -> Self {
        let c = &m.geom_fluid[geom];
        Ellipsoid {
            interaction: c[0],
            blunt_drag: c[1],
            slender_drag: c[2],
            angular_drag: c[3],
            kutta_lift: c[4],
            magnus_lift: c[5],
            virtual_mass: [c[6], c[7], c[8]],
            virtual_inertia: [c[9], c[10], c[11]],
            semi: semi_axes(m.geom_type[geom], m.geom_size[geom]),
        }
    }

    /// Volume.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.semi[0] * self.semi[1] * self.semi[2]
    }

    /// Largest and middle semi-axis.
    fn max_mid(&self) -> (f64, f64) {
        let [a, b, c] = self.semi;
        let (max, min) = (a.max(b).max(c), a.min(b).min(c));
        (max, a + b + c - max - min)
    }

    /// Largest projected area.
    pub fn max_area(&self) -> f64 {
        let (max, mid) = self.max_mid();
        PI * max * mid
    }

    /// Squared products of the other two semi-axes, `((bc)², (ca)², (ab)²)`.
    pub fn face_squares(&self) -> Vec3 {
        let [a, b, c] = self.semi;
        [(b * c) * (b * c), (c * a) * (c * a), (a * b) * (a * b)]
    }

    /// Diameter of the sphere used for Stokes drag.
    pub fn sphere_diameter(&self) -> f64 {
        2.0 / 3.0 * (self.semi[0] + self.semi[1] + self.semi[2])
    }

    /// Coefficients of quadratic drag against rotation about each axis.
    pub fn angular_coefs(&self) -> Vec3 {
        let (max, mid) = self.max_mid();
        let pow4 = |x: f64| (x * x) * (x * x);
        let most = 8.0 / 15.0 * PI * mid * pow4(max);
        std::array::from_fn(|k| {
            let (own, others) = (self.semi[k], self.semi[(k + 1) % 3].max(self.semi[(k + 2) % 3]));
            let moment = 8.0 / 15.0 * PI * own * pow4(others);
            self.angular_drag * moment + self.slender_drag * (most - moment)
        })
    }
}

/// Semi-axes of the ellipsoid that approximates a geom of the given type and size.
#[doc(alias = "mju_geomSemiAxes")]
pub fn semi_axes(geom_type: i32, size: Vec3) -> Vec3 {
    match GeomType::try_from(geom_type) {
        Ok(GeomType::Sphere) => [size[0]; 3],
        Ok(GeomType::Capsule) => [size[0], size[0], size[1] + size[0]],
        Ok(GeomType::Cylinder) => [size[0], size[0], size[1]],
        _ => size,
    }
}
