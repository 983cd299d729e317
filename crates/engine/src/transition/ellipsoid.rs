//! Slopes of the fluid force on an ellipsoid, in its frame.
//!
//! These are derivatives of the force as computed, including its safeguards against vanishing flow. Implicit
//! integrators use MuJoCo's slopes, which have other safeguards and differ for thin bodies.

use super::tree::Mat6;
use crate::support::fluid::Ellipsoid;
use sinew_math::spatial::{Vec6, lin, rot};
use sinew_math::{MINVAL, Vec3, vec3};
use std::f64::consts::PI;

/// Derivative of [`ellipsoid_force`](crate::passive::fluid::ellipsoid_force) with respect to angular and linear
/// velocity.
pub(super) fn slopes(e: &Ellipsoid, flow: &Vec6, density: f64, viscosity: f64) -> Mat6 {
    let mut out = [[0.0; 6]; 6];
    for axis in 0..6 {
        let mut turn = [0.0; 3];
        let mut shift = [0.0; 3];
        if axis < 3 {
            turn[axis] = 1.0
        } else {
            shift[axis - 3] = 1.0
        }
        let (torque, force) = along(e, (rot(flow), lin(flow)), (turn, shift), density, viscosity);
        for k in 0..3 {
            out[k][axis] = torque[k];
            out[3 + k][axis] = force[k];
        }
    }
    out
}

/// Change of torque and force for a change `(dw, dv)` of the flow `(w, v)`.
fn along(e: &Ellipsoid, (w, v): (Vec3, Vec3), (dw, dv): (Vec3, Vec3), density: f64, viscosity: f64) -> (Vec3, Vec3) {
    let times = |scale: &Vec3, x: Vec3| -> Vec3 { std::array::from_fn(|k| density * scale[k] * x[k]) };
    let bilinear = |a: Vec3, b: Vec3, da: Vec3, db: Vec3| vec3::add(vec3::cross(da, b), vec3::cross(a, db));
    // added mass: p × v + l × w, and p × w
    let (p, dp) = (times(&e.virtual_mass, v), times(&e.virtual_mass, dv));
    let (l, dl) = (times(&e.virtual_inertia, w), times(&e.virtual_inertia, dw));
    let mut torque = vec3::add(bilinear(p, v, dp, dv), bilinear(l, w, dl, dw));
    let mut force = bilinear(p, w, dp, dw);
    force = vec3::add_scaled(force, bilinear(w, v, dw, dv), e.magnus_lift * density * e.volume());

    // area projected along the flow: π √(denom / num)
    let s = e.face_squares();
    let weighted = |x: Vec3, y: Vec3, power: i32| -> f64 { (0..3).map(|k| s[k].powi(power) * x[k] * y[k]).sum() };
    let (num, denom, speed) = (weighted(v, v, 1), weighted(v, v, 2), vec3::norm(v));
    let (dnum, ddenom) = (2.0 * weighted(v, dv, 1), 2.0 * weighted(v, dv, 2));
    let dspeed = if speed > 0.0 { vec3::dot(v, dv) / speed } else { 0.0 };
    let area = PI * (denom / MINVAL.max(num)).sqrt();
    let relative = |x: f64, dx: f64, least: f64| if x > least { dx / x } else { 0.0 };
    let darea = 0.5 * area * (relative(denom, ddenom, 0.0) - relative(num, dnum, MINVAL));

    // lift by the Kutta condition: (n × v) × v, times the angle of attack
    let normal = |x: Vec3| -> Vec3 { std::array::from_fn(|k| s[k] * x[k]) };
    let below = MINVAL.max(speed * denom);
    let cos = num / below;
    let dcos = dnum / below - cos * relative(speed * denom, dspeed * denom + speed * ddenom, MINVAL);
    let coef = e.kutta_lift * density;
    let side = vec3::cross(normal(v), v);
    let dside = bilinear(normal(v), v, normal(dv), dv);
    let lift = vec3::scale(bilinear(side, v, dside, dv), cos * area);
    let steeper = vec3::scale(vec3::cross(side, v), dcos * area + cos * darea);
    force = vec3::add_scaled(force, vec3::add(lift, steeper), coef);

    // drag
    let d = e.sphere_diameter();
    let coefs = e.angular_coefs();
    let moment: Vec3 = std::array::from_fn(|k| coefs[k] * w[k]);
    let dmoment: Vec3 = std::array::from_fn(|k| coefs[k] * dw[k]);
    let size = vec3::norm(moment);
    let dsize = if size > 0.0 { vec3::dot(moment, dmoment) / size } else { 0.0 };
    torque = vec3::add_scaled(torque, dw, -(viscosity * PI * d * d * d + density * size));
    torque = vec3::add_scaled(torque, w, -density * dsize);
    let front = area * e.blunt_drag + e.slender_drag * (e.max_area() - area);
    let dfront = (e.blunt_drag - e.slender_drag) * darea;
    force = vec3::add_scaled(force, dv, -(viscosity * 3.0 * PI * d + density * speed * front));
    force = vec3::add_scaled(force, v, -density * (dspeed * front + speed * dfront));
    (torque, force)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passive::fluid::ellipsoid_force;

    #[test]
    fn slopes_match_differences() {
        for semi in [[0.1, 0.2, 0.3], [0.025, 0.01, 0.0001]] {
            let e = Ellipsoid {
                interaction: 1.0,
                blunt_drag: 0.5,
                slender_drag: 0.25,
                angular_drag: 1.5,
                kutta_lift: 1.0,
                magnus_lift: 1.0,
                virtual_mass: [0.01, 0.02, 0.03],
                virtual_inertia: [0.001, 0.002, 0.004],
                semi,
            };
            let flow = [0.4, -0.7, 0.2, 0.5, 0.3, -0.6];
            let found = slopes(&e, &flow, 1.2, 0.01);
            for axis in 0..6 {
                let at = |step: f64| {
                    let mut x = flow;
                    x[axis] += step;
                    ellipsoid_force(&e, &x, 1.2, 0.01)
                };
                let (plus, minus) = (at(1e-6), at(-1e-6));
                for k in 0..6 {
                    let want = (plus[k] - minus[k]) / 2e-6;
                    assert!((found[k][axis] - want).abs() < 1e-8 * (1.0 + want.abs()), "{k} {axis}: {want}");
                }
            }
        }
    }
}
