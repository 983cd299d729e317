//! Implicit stiffness of interpolated flexes.
//!
//! Control nodes are few and stiff, so the implicit integrators solve for their dofs a second time, with implicit
//! stiffness: `(M − hD + (h² + h b) K) a = f − h K v`, where dofs of other bodies keep their accelerations from the
//! first solve.

use crate::data::{Accel, Awake, Deriv, Force, Inertia, Pose, State};
use crate::model::Model;
use crate::model::enums::Integrator;
use crate::support::flex::{self, MAX_NODES, Nodes};
use crate::support::{awake as subset, chain};
use sinew_math::{MINVAL, Mat3, Vec3, factor, mat3, quat, vec3};

/// Buffers of the solve.
#[derive(Clone, Debug, Default)]
pub struct FlexWork {
    /// Dofs of all control nodes.
    dofs: Vec<usize>,
    /// Index of each dof of the model in `dofs`; −1 if it is not there.
    place: Vec<i32>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
}

impl FlexWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let mut work = FlexWork { place: vec![-1; if m.nflex > 0 { m.nv } else { 0 }], ..FlexWork::default() };
        let interpolated = (0..m.nflex).filter(|&f| m.flex_interp[f] != 0);
        let bodies = interpolated.flat_map(|f| flex::nodes(m, f)).map(|n| m.flex_nodebodyid[n] as usize);
        let all: Vec<usize> =
            bodies.flat_map(|b| (m.body_dofadr[b].max(0) as usize..).take(m.body_dofnum[b] as usize)).collect();
        // a body with several nodes is listed at its last occurrence; the order decides which entries the matrix keeps
        let last = |(i, dof): (usize, &usize)| (!all[i + 1..].contains(dof)).then_some(*dof);
        work.dofs = all.iter().enumerate().filter_map(last).collect();
        for (i, &dof) in work.dofs.iter().enumerate() {
            work.place[dof] = i as i32;
        }
        let n = work.dofs.len();
        (work.matrix, work.rhs) = (vec![0.0; n * n], vec![0.0; n]);
        work
    }
}

/// Inputs of the solve.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Velocities.
    pub state: &'a State,
    /// Poses of the nodes.
    pub pose: &'a Pose,
    /// Mass matrix.
    pub inertia: &'a Inertia,
    /// Smooth forces.
    pub force: &'a Force,
    /// Constraint forces.
    pub accel: &'a Accel,
    /// Velocity derivatives.
    pub deriv: &'a Deriv,
}

/// Replaces the accelerations of control nodes in `a`. Does nothing while any tree is asleep.
///
/// *Reads* `M`, `qDeriv`, forces, `qvel`, node poses. *Writes* `a`.
pub fn stiffen(m: &Model, awake: &Awake, x: Inputs, work: &mut FlexWork, a: &mut [f64]) {
    if work.dofs.is_empty() || subset::skips_trees(m, awake) {
        return;
    }
    let FlexWork { dofs, place, matrix, rhs } = work;
    let n = dofs.len();
    let h = m.opt.timestep;
    // implicitfast has rows only up to the diagonal; of these, as in MuJoCo, only entries below the diagonal in node
    // order are kept, so bodies with pinned nodes may lose their coupling with the others
    let fast = m.opt.integrator == Integrator::Implicitfast;
    matrix.fill(0.0);
    for (i, &dof) in dofs.iter().enumerate() {
        rhs[i] = x.force.qfrc_smooth[dof] + x.accel.qfrc_constraint[dof];
        let start = m.D_rowadr[dof] as usize;
        for k in start..start + m.D_rownnz[dof] as usize {
            let mass = usize::try_from(m.mapM2D[k]).map_or(0.0, |at| x.inertia.M[at]);
            let value = mass - h * x.deriv.qDeriv[k];
            let col = m.D_colind[k] as usize;
            if fast && col > dof {
                break;
            }
            match usize::try_from(place[col]) {
                Ok(j) if j <= i => matrix[j * n + i] = value,
                Ok(_) => {}
                Err(_) => rhs[i] -= value * a[col],
            }
        }
    }
    // as in MuJoCo, the scale of the first flex is the divisor for all flexes
    let first = h * h + h * m.flex_damping[0];
    let factor = if first > MINVAL { h / first } else { 0.0 };
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] != 0 && m.flex_rigid[f] == 0) {
        if m.flex_stiffness[m.flex_elemadr[f] as usize][0] != 0.0 {
            add_flex(m, x, f, place, factor, matrix, rhs);
        }
    }
    factor::chol_factor(matrix, n, MINVAL);
    factor::chol_solve(rhs, matrix, n);
    dofs.iter().zip(rhs.iter()).for_each(|(&dof, &value)| a[dof] = value);
}

/// Adds the stiffness of a flex to the matrix, and the change of its force over the step to the right-hand side.
fn add_flex(m: &Model, x: Inputs, f: usize, place: &[i32], factor: f64, matrix: &mut [f64], rhs: &mut [f64]) {
    let (h, n) = (m.opt.timestep, rhs.len());
    let scale = h * h + h * m.flex_damping[f];
    let nodes = Nodes::at(m, &x.pose.xpos, &x.pose.xmat, f);
    let turn = quat::to_mat(quat::nearest(quat::IDENTITY, &nodes.gradient()).0);
    let count = m.flex_nodenum[f] as usize;
    let stiffness = m.flex_stiffness[m.flex_elemadr[f] as usize..].as_flattened();
    let block = |i: usize, j: usize| -> Mat3 {
        let entry = |k: usize| stiffness.get((3 * i + k / 3) * 3 * count + 3 * j + k % 3);
        std::array::from_fn(|k| -entry(k).copied().unwrap_or(0.0))
    };
    let bodies: [usize; MAX_NODES] = {
        let mut bodies = [0; MAX_NODES];
        bodies.iter_mut().zip(flex::nodes(m, f)).for_each(|(b, i)| *b = m.flex_nodebodyid[i] as usize);
        bodies
    };
    let columns = |i: usize| {
        let arm = chain::offset(m, x.pose, bodies[i], nodes.position(i));
        chain::ancestors(m, bodies[i]).map(move |dof| (dof, chain::column(&x.pose.cdof[dof], arm)))
    };
    let velocity = |i: usize| columns(i).fold([0.0; 3], |v, (dof, c)| vec3::add_scaled(v, c, x.state.qvel[dof]));
    for i in 0..count {
        let mut force: Vec3 = [0.0; 3];
        for j in 0..count {
            let k = mat3::mul(&turn, &mat3::mul(&block(i, j), &mat3::transpose(&turn)));
            force = vec3::add(force, mat3::mul_vec(&k, velocity(j)));
            for (row, left) in columns(i) {
                let Ok(r) = usize::try_from(place[row]) else { continue };
                for (col, right) in columns(j) {
                    if let Some(c) = usize::try_from(place[col]).ok().filter(|&c| c <= r) {
                        matrix[c * n + r] += scale * vec3::dot(left, mat3::mul_vec(&k, right));
                    }
                }
            }
        }
        for (row, left) in columns(i) {
            if let Ok(r) = usize::try_from(place[row]) {
                rhs[r] -= scale * factor * vec3::dot(left, force);
            }
        }
    }
}
