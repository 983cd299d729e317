//! Inertia at the reference position, and inverse weights (effective inverse inertias) of bodies, dofs, tendons and
//! actuators.

use super::SetConstError;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::chain;
use crate::support::inertia::{pattern, solve_m};
use crate::support::row::tendon_row;
use sinew_math::sparse::Subset;
use sinew_math::spatial::Vec6;
use sinew_math::{MINVAL, factor, spatial};

/// `dof_M0`: diagonal of the mass matrix, without tendon armature.
pub fn dof_inertia(m: &mut Model, d: &mut Data) {
    d.inertia.crb.copy_from_slice(&d.pose.cinert);
    for i in (1..m.nbody).rev() {
        let parent = m.body_parentid[i] as usize;
        if parent > 0 {
            let child = d.inertia.crb[i];
            d.inertia.crb[parent].iter_mut().zip(child).for_each(|(sum, c)| *sum += c);
        }
    }
    for i in 0..m.nv {
        let axis = &d.pose.cdof[i];
        let momentum = spatial::mul_inert(&d.inertia.crb[m.dof_bodyid[i] as usize], axis);
        m.dof_M0[i] = m.dof_armature[i] + spatial::dot(axis, &momentum);
    }
}

/// Diagonals of `J M⁻¹ Jᵀ`, six rows at a time.
///
/// With `M = Lᵀ D L` these are squared lengths of `D^{-1/2} L⁻ᵀ Jᵀ`. Rows that are zero outside a chain of ancestors
/// stay so after multiplication by `L⁻ᵀ`, so only the chain is visited.
struct ChainWeight {
    rows: Vec<Vec6>,
    /// Zero, or NaN if any dof of the model has no inertia.
    ///
    /// MuJoCo's products run over all dofs, so that 0 · ∞ at such a dof makes the weights of the whole model NaN.
    elsewhere: f64,
}

impl ChainWeight {
    fn new(m: &Model, d: &Data) -> Self {
        let elsewhere = d.inertia.qLDiagInv.iter().fold(0.0, |sum, inverse| sum + 0.0 * inverse);
        ChainWeight { rows: vec![[0.0; 6]; m.nv], elsewhere }
    }

    /// `dofs` lists a chain from the last dof to the root; `column` gives the six rows at a dof.
    fn diagonal(&mut self, m: &Model, d: &Data, dofs: &[usize], column: impl Fn(usize) -> Vec6) -> Vec6 {
        let p = pattern(m);
        for &dof in dofs {
            self.rows[dof] = column(dof);
        }
        let mut sum = [self.elsewhere; 6];
        for &dof in dofs {
            let x = self.rows[dof];
            let range = p.range(dof);
            let row = range.start..range.end - 1;
            for (&v, &c) in d.inertia.qLD[row.clone()].iter().zip(&p.colind[row]) {
                spatial::add_scaled(&mut self.rows[c as usize], &x, -v);
            }
            for k in 0..6 {
                sum[k] += x[k] * x[k] * d.inertia.qLDiagInv[dof];
            }
        }
        sum
    }
}

fn mean(v: &[f64]) -> f64 {
    (v[0] + v[1] + v[2]) / 3.0
}

fn inverse_mass(m: &Model, body: usize) -> Result<f64, SetConstError> {
    let mass = m.body_mass[body];
    if mass == 0.0 { Err(SetConstError::Massless { body }) } else { Ok(1.0 / mass.max(MINVAL)) }
}

/// `body_invweight0`: mean translational and rotational inverse inertia of each body.
pub fn body_invweight(m: &mut Model, d: &Data) -> Result<(), SetConstError> {
    let mut work = ChainWeight::new(m, d);
    let mut dofs = Vec::new();
    for i in 0..m.nbody {
        m.body_invweight0[i] = if m.body_weldid[i] == 0 {
            [0.0; 2]
        } else if m.slides(i) {
            [inverse_mass(m, i)?, 0.0]
        } else {
            dofs.clear();
            dofs.extend(chain::ancestors(m, i));
            let arm = chain::offset(m, &d.pose, i, d.pose.xipos[i]);
            let diag = work.diagonal(m, d, &dofs, |dof| {
                let axis = &d.pose.cdof[dof];
                spatial::join(chain::column(axis, arm), spatial::rot(axis))
            });
            let (tran, rot) = (mean(&diag[..3]), mean(&diag[3..]));
            // a body that can only translate or only rotate gets the same weight for both, so that no constraint
            // degenerates
            if tran < MINVAL && rot > MINVAL {
                [rot, rot]
            } else if rot < MINVAL && tran > MINVAL {
                [tran, tran]
            } else {
                [tran, rot]
            }
        };
    }
    Ok(())
}

/// `dof_invweight0`: inverse inertia of each dof, averaged over the dofs of a ball joint, and separately over the
/// translations and the rotations of a free joint.
pub fn dof_invweight(m: &mut Model, d: &Data) -> Result<(), SetConstError> {
    let mut work = ChainWeight::new(m, d);
    let mut dofs = Vec::new();
    for j in 0..m.njnt {
        let body = m.jnt_bodyid[j] as usize;
        let first = m.jnt_dofadr[j] as usize;
        if m.slides(body) {
            m.dof_invweight0[first] = inverse_mass(m, body)?;
            continue;
        }
        let own = m.joint_dofs(j);
        dofs.clear();
        let mut next = own.end as i32 - 1;
        while let Ok(dof) = usize::try_from(next) {
            dofs.push(dof);
            next = m.dof_parentid[dof];
        }
        // one unit vector per dof of the joint
        let diag = work.diagonal(m, d, &dofs, |dof| {
            std::array::from_fn(|k| if dof == own.start + k && own.contains(&dof) { 1.0 } else { 0.0 })
        });
        match m.jnt_type(j) {
            JointType::Free => {
                m.dof_invweight0[first..first + 3].fill(mean(&diag[..3]));
                m.dof_invweight0[first + 3..first + 6].fill(mean(&diag[3..]));
            }
            JointType::Ball => m.dof_invweight0[first..first + 3].fill(mean(&diag[..3])),
            _ => m.dof_invweight0[first] = diag[0],
        }
    }
    Ok(())
}

/// `tendon_invweight0`: `J M⁻¹ Jᵀ` of each tendon.
pub fn tendon_invweight(m: &mut Model, d: &Data) {
    let mut x = vec![0.0; m.nv];
    for i in 0..m.ntendon {
        x.fill(0.0);
        tendon_row(m, &d.pose, i).entries().for_each(|(dof, v)| x[dof] = v);
        factor::solve_lt(&mut x, &d.inertia.qLD, pattern(m), Subset::All(m.nv));
        m.tendon_invweight0[i] = x.iter().zip(d.inertia.qLDiagInv.iter()).map(|(x, inv)| x * x * inv).sum();
    }
}

/// `actuator_acc0`: norm of the acceleration caused by a unit force of each actuator.
pub fn actuator_acc(m: &mut Model, d: &Data) {
    let mut x = vec![0.0; m.nv];
    for i in 0..m.nu {
        x.fill(0.0);
        let start = d.trn.moment_rowadr[i] as usize;
        for adr in start..start + d.trn.moment_rownnz[i] as usize {
            x[d.trn.moment_colind[adr] as usize] = d.trn.actuator_moment[adr];
        }
        solve_m(m, &d.inertia, &mut x);
        m.actuator_acc0[i] = factor::dot(&x, &x).sqrt();
    }
}
