//! Fluid forces: drag on the inertia box, or drag, lift and added mass on ellipsoids.

use crate::data::{Awake, Motion, Pose};
use crate::model::Model;
use crate::model::enums::ObjType;
use crate::support::awake as subset;
use crate::support::fluid::{self, Ellipsoid, Shape};
use crate::support::force::apply_ft;
use crate::support::object::{ObjectFrame, object_frame};
use sinew_math::spatial::{Vec6, from_frame, lin, rot};
use sinew_math::{MINVAL, Vec3, vec3};
use std::f64::consts::PI;

/// Adds the fluid forces on all bodies to `qfrc`; returns whether there is any fluid.
///
/// *Equation*: see [`box_force`] and [`ellipsoid_force`]; `qfrc += Jᵀ f` at the inertial frame or the geom.
/// *Reads* poses, `cvel`. *Writes* `qfrc_fluid`.
pub fn fluid(m: &Model, awake: &Awake, pose: &Pose, motion: &Motion, qfrc: &mut [f64]) -> bool {
    if !fluid::present(m) {
        return false;
    }
    for i in subset::bodies(m, awake).iter() {
        match fluid::shape(m, i) {
            None => {}
            Some(Shape::Box) => {
                let at = ObjectFrame { body: i, pos: pose.xipos[i], mat: &pose.ximat[i] };
                let flow = fluid::local_flow(m, pose, motion, &at);
                let force = box_force(fluid::inertia_box(m, i), &flow, m.opt.density, m.opt.viscosity);
                push(m, pose, &at, &force, qfrc);
            }
            Some(Shape::Ellipsoids) => {
                for g in m.body_geoms(i).filter(|&g| m.geom_fluid[g][0] != 0.0) {
                    let Some(at) = object_frame(m, pose, ObjType::Geom, g) else { continue };
                    let flow = fluid::local_flow(m, pose, motion, &at);
                    let e = Ellipsoid::of_geom(m, g);
                    let force = ellipsoid_force(&e, &flow, m.opt.density, m.opt.viscosity);
                    push(m, pose, &at, &force.map(|f| f * e.interaction), qfrc);
                }
            }
        }
    }
    true
}

/// Adds a force, given in an object's frame, to `qfrc`.
fn push(m: &Model, pose: &Pose, at: &ObjectFrame, force: &Vec6, qfrc: &mut [f64]) {
    let world = from_frame(force, at.mat);
    apply_ft(m, pose, lin(&world), rot(&world), at.pos, at.body, qfrc);
}

/// Torque and force on a box with the given edges that moves through the fluid with `flow`.
///
/// *Equation*: Stokes drag of the sphere with the mean edge `d` as diameter, `−π d³ μ ω` and `−3 π d μ v`;
/// quadratic drag `−½ ρ b c |v_a| v_a` and `−ρ a (b⁴ + c⁴) |ω_a| ω_a / 64` for each axis `a`.
pub fn box_force([a, b, c]: Vec3, flow: &Vec6, density: f64, viscosity: f64) -> Vec6 {
    let mut f = [0.0; 6];
    if viscosity > 0.0 {
        let d = (a + b + c) / 3.0;
        for k in 0..3 {
            f[k] = flow[k] * (-PI * d * d * d * viscosity);
            f[3 + k] = flow[3 + k] * (-3.0 * PI * d * viscosity);
        }
    }
    if density > 0.0 {
        let pow4 = |x: f64| x * x * x * x;
        for (k, [x, y, z]) in [[a, b, c], [b, a, c], [c, a, b]].into_iter().enumerate() {
            f[3 + k] -= 0.5 * density * y * z * flow[3 + k].abs() * flow[3 + k];
            f[k] -= density * x * (pow4(y) + pow4(z)) * flow[k].abs() * flow[k] / 64.0;
        }
    }
    f
}

/// Torque and force on an ellipsoid that moves through the fluid with `flow`, before scaling by interaction.
///
/// *Equation*: added mass, Magnus and Kutta lift, linear and quadratic drag.
/// *Source*: MuJoCo's documentation, "Fluid forces", ellipsoid model.
pub fn ellipsoid_force(e: &Ellipsoid, flow: &Vec6, density: f64, viscosity: f64) -> Vec6 {
    let (w, v) = (rot(flow), lin(flow));
    let (torque, force) = added_mass(e, w, v, density);
    let (drag_w, drag_v) = drag(e, w, v, density, viscosity);
    let magnus = vec3::scale(vec3::cross(w, v), e.magnus_lift * density * e.volume());
    let kutta = kutta(e, v, density);
    let mut f = [0.0; 6];
    for k in 0..3 {
        f[k] = torque[k] - drag_w * w[k];
        f[3 + k] = force[k] + (magnus[k] + kutta[k] - drag_v * v[k]);
    }
    f
}

/// Torque and force of the added mass: `p × v + l × ω` and `p × ω`, with its linear and angular momentum `p`, `l`.
fn added_mass(e: &Ellipsoid, w: Vec3, v: Vec3, density: f64) -> (Vec3, Vec3) {
    let p: Vec3 = std::array::from_fn(|k| density * e.virtual_mass[k] * v[k]);
    let l: Vec3 = std::array::from_fn(|k| density * e.virtual_inertia[k] * w[k]);
    (vec3::add(vec3::cross(p, v), vec3::cross(l, w)), vec3::cross(p, w))
}

/// Area projected along the flow, and the two sums it is computed from.
fn projection(e: &Ellipsoid, v: Vec3) -> (f64, f64, f64) {
    let s = e.face_squares();
    let num: f64 = (0..3).map(|k| s[k] * (v[k] * v[k])).sum();
    let denom: f64 = (0..3).map(|k| (s[k] * s[k]) * (v[k] * v[k])).sum();
    (PI * (denom / MINVAL.max(num)).sqrt(), num, denom)
}

/// Lift by the Kutta condition: circulation normal to the flow, proportional to the angle of attack.
fn kutta(e: &Ellipsoid, v: Vec3, density: f64) -> Vec3 {
    let (area, num, denom) = projection(e, v);
    let s = e.face_squares();
    let normal = [s[0] * v[0], s[1] * v[1], s[2] * v[2]];
    let cos = num / MINVAL.max(vec3::norm(v) * denom);
    let circulation = vec3::scale(vec3::cross(normal, v), e.kutta_lift * density * cos * area);
    vec3::cross(circulation, v)
}

/// Factors of `ω` and `v` in the drag torque and force: Stokes flow about a sphere plus quadratic drag.
fn drag(e: &Ellipsoid, w: Vec3, v: Vec3, density: f64, viscosity: f64) -> (f64, f64) {
    let (area, ..) = projection(e, v);
    let d = e.sphere_diameter();
    let coef = e.angular_coefs();
    let moment = [w[0] * coef[0], w[1] * coef[1], w[2] * coef[2]];
    let front = area * e.blunt_drag + e.slender_drag * (e.max_area() - area);
    (
        viscosity * (PI * d * d * d) + density * vec3::norm(moment),
        viscosity * (3.0 * PI * d) + density * vec3::norm(v) * front,
    )
}
