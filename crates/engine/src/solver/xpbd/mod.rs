//! Position-based dynamics on the constraint rows, in generalised coordinates.
//!
//! Each substep of length `s` first moves freely, `u = s v`, then sweeps repeatedly over the rows and corrects `u`
//! along each: `Δλ = −(C + α λ/s²)/(J M⁻¹Jᵀ + α/s²)`, `u += M⁻¹Jᵀ Δλ`, with `C` the row's position after the motion `u`
//! and `α` its compliance. Unilateral rows keep `λ ≥ 0`. The new velocity is `u/s`, the force of a row `λ/s²`.
//! Jacobians are fixed over the step. Multipliers are warm-started from the previous substep, and from the previous
//! step.
//!
//! With rigid rows, violation that existed at the start of a substep is corrected afterwards, in positions only, since
//! it would otherwise turn into velocity. Macklin, Müller, Chentanez, XPBD, MIG 2016.

mod rows;
mod sweep;

use super::forward::limit_forces;
use super::part::{ConstraintSolver, Made};
use super::primal::{QUADRATIC, SATISFIED};
use super::{Given, SolverRoom, Sought};
use crate::data::capacity::Capacity;
use crate::data::multiplier::Multiplier;
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator};
pub use crate::model::extension::{Compliance, Xpbd};
use crate::support::awake as subset;
use crate::support::inertia::pattern;
use crate::support::row::Jacobian;
use rows::Row;
use sinew_math::sparse::Subset;
use sinew_math::{factor, vec3};

/// Workspace of the solver.
#[derive(Clone, Debug, Default)]
pub struct XpbdWork {
    rows: Vec<Row>,
    /// Jacobians and `M⁻¹Jᵀ` of the rows, each from its first to its last nonzero.
    values: Vec<f64>,
    /// One dense row.
    dense: Vec<f64>,
    /// Factor of the mass matrix with damping, and its inverse diagonal.
    factor: Vec<f64>,
    diaginv: Vec<f64>,
    /// Velocity, and motion in the current substep.
    velocity: Vec<f64>,
    motion: Vec<f64>,
    /// Motion since the start of the step; at its end, divided by the time step.
    moved: Vec<f64>,
}

/// Overlap that is left so that resting bodies keep their contacts, relative to the mean body size.
const SLACK: f64 = 5e-4;
/// Maximum number of Jacobian values for which capacity is reserved in advance.
const MOST_VALUES: usize = 1 << 21;

impl XpbdWork {
    fn fit(&mut self, m: &Model) {
        for of_nv in [&mut self.dense, &mut self.diaginv, &mut self.velocity, &mut self.motion, &mut self.moved] {
            of_nv.resize(m.nv, 0.0);
        }
        self.factor.resize(m.nC, 0.0);
    }

    /// Factors the mass matrix with `extra` on its diagonal.
    fn factor_mass(&mut self, m: &Model, mass: &[f64], dofs: Subset<'_>, extra: impl Fn(usize) -> f64) {
        let at = pattern(m);
        self.factor.copy_from_slice(mass);
        dofs.iter().for_each(|i| self.factor[at.range(i).end - 1] += extra(i));
        factor::factor_ldl(&mut self.factor, &mut self.diaginv, at, dofs);
    }

    /// Corrects the free motion of a substep and ends the substep. Returns the number of sweeps.
    fn substep(&mut self, m: &Model, settings: &Xpbd, dofs: Subset<'_>, h: f64) -> usize {
        let rigid = settings.compliance == Compliance::Rigid;
        if settings.restitution > 0.0 {
            sweep::approach(&mut self.rows, &self.values, &self.velocity);
        }
        sweep::begin(&mut self.rows, &self.values, &self.moved, &mut self.motion, rigid);
        let mut sweeps = sweep::solve(&mut self.rows, &self.values, &mut self.motion, settings.iterations);
        dofs.iter().for_each(|i| self.velocity[i] = self.motion[i] / h);
        sweep::end(&mut self.rows);
        if settings.restitution > 0.0 {
            // speed that gravity adds within two substeps is not an impact
            let least = 2.0 * h * vec3::norm(m.opt.gravity);
            sweeps += sweep::bounce(&mut self.rows, &self.values, &mut self.velocity, settings.restitution, least, h);
        }
        if rigid && self.rows.iter().any(Row::is_violated) {
            let slack = SLACK * m.stat.meansize;
            sweeps += sweep::correct(&mut self.rows, &self.values, &mut self.motion, slack, settings.iterations);
        }
        dofs.iter().for_each(|i| self.moved[i] += self.motion[i]);
        sweeps
    }
}

impl ConstraintSolver for Xpbd {
    fn check(&self, m: &Model) -> Result<(), String> {
        if m.opt.integrator != Integrator::Euler {
            return Err("XPBD moves positions itself; set integrator=\"Euler\"".into());
        }
        if !(1..=Xpbd::MOST).contains(&self.iterations) || !(1..=Xpbd::MOST).contains(&self.substeps) {
            return Err(format!("XPBD takes 1 to {} iterations and as many substeps", Xpbd::MOST));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err("XPBD takes a restitution from 0 to 1".into());
        }
        Ok(())
    }

    fn prepare(&self, m: &Model, room: &mut SolverRoom) {
        let Capacity { rows, .. } = Capacity::new(m);
        let work = &mut room.xpbd;
        work.fit(m);
        work.rows.reserve(rows);
        work.values.reserve((2 * rows * m.nv).min(MOST_VALUES));
    }

    fn solve(&self, m: &Model, x: Given<'_>, out: Sought<'_>, room: &mut SolverRoom, _threads: usize) {
        let Sought { contact, solution, accel, .. } = out;
        let work = &mut room.xpbd;
        let (substeps, step) = (self.substeps.clamp(1, Xpbd::MOST), m.opt.timestep);
        let h = step / substeps as f64;
        let dofs = subset::dofs(m, x.awake);
        let implicit = !m.opt.disabled(DisableFlags::EULERDAMP) && !m.opt.disabled(DisableFlags::DAMPER);
        let damping = |i: usize| if implicit { m.dof_damping[i] } else { 0.0 };
        work.fit(m);
        work.factor_mass(m, &x.inertia.M, dofs, |i| h * damping(i));
        rows::build(m, x.efc, contact, dofs, self.compliance, h, work);
        if self.warmstart {
            rows::recall(x.efc, contact, &mut work.rows, x.memory, h);
        }
        work.velocity.copy_from_slice(&x.state.qvel);
        work.moved.fill(0.0);
        let mut sweeps = 0;
        for _ in 0..substeps {
            // (M + h B) Δv = h (f − B (v − v₀)): the damping force within `f` is for the velocity at the start of the
            // step
            for i in dofs.iter() {
                work.motion[i] = h * (x.force.qfrc_smooth[i] - damping(i) * (work.velocity[i] - x.state.qvel[i]));
            }
            factor::solve_ldl(&mut work.motion, &work.factor, &work.diaginv, pattern(m), dofs);
            dofs.iter().for_each(|i| work.motion[i] = h * (work.velocity[i] + work.motion[i]));
            sweeps += work.substep(m, self, dofs, h);
        }
        dofs.iter().for_each(|i| accel.qacc[i] = (work.velocity[i] - x.state.qvel[i]) / step);
        work.moved.iter_mut().for_each(|x| *x /= step);
        accel.solver_niter.fill(0);
        accel.solver_niter[0] = sweeps as i32;
        rows::store(contact, x.efc, &work.rows, 1.0 / (h * h * substeps as f64), &mut solution.efc_force);
        for (state, force) in solution.efc_state.iter_mut().zip(&solution.efc_force) {
            *state = if *force == 0.0 { SATISFIED } else { QUADRATIC };
        }
        solution.efc_b.fill(0.0);
        accel.jnt_limit_frc.fill(0.0);
        limit_forces(x.efc, &solution.efc_force, &mut accel.jnt_limit_frc);
        Jacobian::efc(m, x.efc).mul_vec_t(&mut accel.qfrc_constraint, &solution.efc_force);
    }

    fn remember(&self, m: &Model, x: Made<'_>, room: &SolverRoom, memory: &mut Vec<Multiplier>) {
        if self.warmstart {
            let h = m.opt.timestep / self.substeps.clamp(1, Xpbd::MOST) as f64;
            rows::remember(x.efc, x.contact, &room.xpbd.rows, h, memory);
        }
    }

    fn mean_velocity<'a>(&self, m: &Model, room: &'a SolverRoom) -> Option<&'a [f64]> {
        (m.opt.integrator == Integrator::Euler).then_some(&room.xpbd.moved)
    }
}
