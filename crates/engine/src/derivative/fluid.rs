//! Velocity derivative of fluid forces: a 6 × 6 matrix per body or geom, projected to the dofs that move it.

use super::pattern;
use super::work::ChainWork;
use crate::data::{Awake, Motion, Pose};
use crate::model::Model;
use crate::model::enums::{Integrator, ObjType};
use crate::support::awake as subset;
use crate::support::chain::{ancestors, column, offset};
use crate::support::fluid::{self, Ellipsoid, Shape};
use crate::support::object::{ObjectFrame, object_frame};
use sinew_math::sparse::add_common;
use sinew_math::spatial::{Vec6, dot, lin, rot};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};
use std::f64::consts::PI;

/// Derivative of torque and force (rows) with respect to rotation and translation (columns).
pub type Mat6 = [Vec6; 6];

/// Adds the derivative of fluid forces to `deriv`.
///
/// *Equation*: `qDeriv += Jᵀ B J`, with `J` and `B = ∂f/∂v` in the frame of the body or geom; `B` is symmetrised for
/// `implicitfast`.
/// *Reads* poses, `cdof`, `cvel`. *Writes* `qDeriv`.
pub fn fluid_vel(m: &Model, awake: &Awake, pose: &Pose, motion: &Motion, work: &mut ChainWork, deriv: &mut [f64]) {
    if !fluid::present(m) {
        return;
    }
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    for i in subset::bodies(m, awake).iter() {
        match fluid::shape(m, i) {
            None => {}
            Some(Shape::Box) => {
                let at = ObjectFrame { body: i, pos: pose.xipos[i], mat: &pose.ximat[i] };
                let flow = fluid::local_flow(m, pose, motion, &at);
                let b = box_vel(fluid::inertia_box(m, i), &flow, density, viscosity);
                add_jtbj(m, pose, &at, &b, work, deriv);
            }
            Some(Shape::Ellipsoids) => {
                for g in m.body_geoms(i).filter(|&g| m.geom_fluid[g][0] != 0.0) {
                    let Some(at) = object_frame(m, pose, ObjType::Geom, g) else { continue };
                    let flow = fluid::local_flow(m, pose, motion, &at);
                    let mut b = ellipsoid_vel(&Ellipsoid::of_geom(m, g), &flow, density, viscosity);
                    if m.opt.integrator == Integrator::Implicitfast {
                        b = std::array::from_fn(|r| std::array::from_fn(|c| 0.5 * (b[r][c] + b[c][r])));
                    }
                    add_jtbj(m, pose, &at, &b, work, deriv);
                }
            }
        }
    }
}

/// `qDeriv += Jᵀ B J`, with the Jacobian of a frame expressed in that frame.
fn add_jtbj(m: &Model, pose: &Pose, at: &ObjectFrame, b: &Mat6, work: &mut ChainWork, deriv: &mut [f64]) {
    let arm = offset(m, pose, at.body, at.pos);
    let n = ancestors(m, at.body).count();
    let ChainWork { dofs, jac, product, row } = work;
    for (k, i) in ancestors(m, at.body).enumerate() {
        let axis = &pose.cdof[i];
        let (w, v) = (mat3::mul_vec_t(at.mat, rot(axis)), mat3::mul_vec_t(at.mat, column(axis, arm)));
        let slot = n - 1 - k;
        dofs[slot] = i as i32;
        jac[slot] = [w[0], w[1], w[2], v[0], v[1], v[2]];
        product[slot] = std::array::from_fn(|r| dot(&b[r], &jac[slot]));
    }
    let pattern = pattern(m);
    for (j, &dof) in jac[..n].iter().zip(&dofs[..n]) {
        row[..n].iter_mut().zip(&product[..n]).for_each(|(r, p)| *r = dot(j, p));
        let dof = dof as usize;
        add_common(&mut deriv[pattern.range(dof)], pattern.cols(dof), &row[..n], &dofs[..n], 1.0);
    }
}

/// Derivative of the force on the inertia box: diagonal.
pub fn box_vel([a, b, c]: Vec3, flow: &Vec6, density: f64, viscosity: f64) -> Mat6 {
    let mut d = [[0.0; 6]; 6];
    let pow4 = |x: f64| x * x * x * x;
    let size = (a + b + c) / 3.0;
    for (k, [x, y, z]) in [[a, b, c], [b, a, c], [c, a, b]].into_iter().enumerate() {
        if viscosity > 0.0 {
            d[k][k] -= PI * size * size * size * viscosity;
            d[3 + k][3 + k] -= 3.0 * PI * size * viscosity;
        }
        if density > 0.0 {
            d[k][k] -= density * x * (pow4(y) + pow4(z)) * 2.0 * flow[k].abs() / 64.0;
            d[3 + k][3 + k] -= 0.5 * density * y * z * 2.0 * flow[3 + k].abs();
        }
    }
    d
}

/// Derivative of the force on an ellipsoid.
fn ellipsoid_vel(e: &Ellipsoid, flow: &Vec6, density: f64, viscosity: f64) -> Mat6 {
    let (w, v) = (rot(flow), lin(flow));
    let mut d = [[0.0; 6]; 6];
    let magnus = e.magnus_lift * density * e.volume();
    add_block(&mut d, 3, 0, &skew(vec3::scale(v, -magnus)));
    add_block(&mut d, 3, 3, &skew(vec3::scale(w, magnus)));
    add_block(&mut d, 3, 3, &kutta_vel(e, v, density));
    add_block(&mut d, 3, 3, &drag_vel(e, v, density, viscosity));
    add_block(&mut d, 0, 0, &torque_vel(e, w, density, viscosity));
    added_mass_vel(&mut d, e, w, v, density);
    d
}

/// Matrix of `x ↦ a × x`.
fn skew(a: Vec3) -> Mat3 {
    [0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0]
}

fn add_block(d: &mut Mat6, row: usize, col: usize, block: &Mat3) {
    for k in 0..9 {
        d[row + k / 3][col + k % 3] += block[k];
    }
}

/// Derivatives of `l × ω`, `p × v` and `p × ω`, where `l` and `p` are the momenta of the carried fluid.
fn added_mass_vel(d: &mut Mat6, e: &Ellipsoid, w: Vec3, v: Vec3, density: f64) {
    let mass = e.virtual_mass.map(|x| density * x);
    let inertia = e.virtual_inertia.map(|x| density * x);
    let p = [mass[0] * v[0], mass[1] * v[1], mass[2] * v[2]];
    let l = [inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]];
    // −[b]× with scaled columns: the derivative of (s∘a) × b with respect to a
    let left = |b: Vec3, scale: Vec3| -> Mat3 {
        let s = skew(b);
        std::array::from_fn(|k| -s[k] * scale[k % 3])
    };
    add_block(d, 0, 0, &skew(l));
    add_block(d, 0, 0, &left(w, inertia));
    add_block(d, 0, 3, &skew(p));
    add_block(d, 0, 3, &left(v, mass));
    add_block(d, 3, 0, &skew(p));
    add_block(d, 3, 3, &left(w, mass));
}

/// Derivative of the drag torque with respect to rotation.
fn torque_vel(e: &Ellipsoid, w: Vec3, density: f64, viscosity: f64) -> Mat3 {
    let coef = e.angular_coefs();
    let moment = [w[0] * coef[0], w[1] * coef[1], w[2] * coef[2]];
    let scale = density / MINVAL.max(vec3::norm(moment));
    let slope: Vec3 = std::array::from_fn(|k| -scale * w[k] * coef[k] * coef[k]);
    let size = e.sphere_diameter();
    let diag = vec3::dot(w, slope) - viscosity * (PI * size * size * size);
    std::array::from_fn(|k| w[k / 3] * slope[k % 3] + if k % 4 == 0 { diag } else { 0.0 })
}

/// Sums over the axes from which the area projected along the flow is computed.
struct Projection {
    /// `((bc)², (ca)², (ab)²)`.
    face: Vec3,
    /// Squared velocities.
    square: Vec3,
    num: f64,
    denom: f64,
}

impl Projection {
    fn new(e: &Ellipsoid, v: Vec3) -> Self {
        let (face, square) = (e.face_squares(), [v[0] * v[0], v[1] * v[1], v[2] * v[2]]);
        let num = vec3::dot(face, square);
        let denom = (0..3).map(|k| face[k] * face[k] * square[k]).sum();
        Projection { face, square, num, denom }
    }
}

/// Derivative of the drag force with respect to translation.
fn drag_vel(e: &Ellipsoid, v: Vec3, density: f64, viscosity: f64) -> Mat3 {
    let p = Projection::new(e, v);
    let area = PI * (p.denom / MINVAL.max(p.num)).sqrt();
    let area_scale = PI / MINVAL.max((p.num * p.num * p.num * p.denom).sqrt());
    let inner = p.square[0] + p.square[1] + p.square[2];
    let norm = inner.sqrt();
    let linear = viscosity * 3.0 * PI * e.sphere_diameter();
    let quad = density * (area * e.blunt_drag + e.slender_drag * (e.max_area() - area));
    let area_coef = density * norm * (e.blunt_drag - e.slender_drag);
    let area_vel: Vec3 = std::array::from_fn(|i| {
        let spread: f64 = (0..3).map(|j| p.face[j] * p.square[j] * (p.face[i] - p.face[j])).sum();
        area_coef * area_scale * p.face[i] * v[i] * spread
    });
    let scale = -quad * (1.0 / MINVAL.max(norm));
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        let diag = if i == j { 1.0 } else { 0.0 };
        (v[i] * v[j] + diag * inner) * scale - v[i] * area_vel[j] - diag * linear
    })
}

/// Derivative of the Kutta lift with respect to translation.
fn kutta_vel(e: &Ellipsoid, v: Vec3, density: f64) -> Mat3 {
    let p = Projection::new(e, v);
    let norm2 = p.square[0] + p.square[1] + p.square[2];
    let scale = PI * e.kutta_lift * density / MINVAL.max((p.denom * p.num * norm2).sqrt());
    let lift: Vec3 = std::array::from_fn(|i| (0..3).map(|k| p.square[k] * (p.face[i] - p.face[k])).sum());
    let (proj, cos) = (p.num / MINVAL.max(p.denom), p.num / MINVAL.max(norm2));
    let inner = p.face.map(|f| f * f * proj - f + cos);
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        let turn = 2.0 * p.num * (p.face[j] - p.face[i]) + lift[i] * inner[j];
        let own = if i == j { lift[i] * p.num } else { 0.0 };
        (turn * (v[i] * v[j]) - own) * scale
    })
}
