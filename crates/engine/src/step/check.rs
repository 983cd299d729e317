//! Checks of a state for NaN and huge values, and how a step reacts to them.

use super::forward_with;
use crate::data::Data;
use crate::inverse;
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, Warning};
use crate::parts::Parts;
use crate::support::awake as subset;
use crate::support::check::is_bad;

/// Why a step could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A position is NaN or huge.
    #[error("position {0} is NaN or huge: the simulation is unstable")]
    BadQpos(usize),
    /// A velocity is NaN or huge.
    #[error("velocity {0} is NaN or huge: the simulation is unstable")]
    BadQvel(usize),
    /// A control is NaN or huge.
    #[error("control {0} is NaN or huge")]
    BadCtrl(usize),
    /// An acceleration is NaN or huge.
    #[error("acceleration {0} is NaN or huge: the simulation is unstable")]
    BadQacc(usize),
    /// The matrix of the implicit integrator cannot be factored.
    #[error("M − h·D is singular at degree of freedom {0}; use a smaller time step or another integrator")]
    Singular(usize),
    /// The times of samples in history buffers must increase.
    #[error("history buffers need a positive timestep; set opt.timestep")]
    Timestep,
    /// The constraint solver ran out of iterations; reported by [`try_step_strict`](super::try_step_strict) only.
    #[error("island {island} did not converge in {iterations} iterations; allow more or a larger tolerance")]
    NotConverged {
        /// The island; 0 if all constraints are solved together.
        island: usize,
        /// Iterations that were allowed.
        iterations: usize,
    },
    /// A bug in the engine, or model arrays that were overwritten; batches report it for the world it occurred in.
    #[error("the engine stopped; were arrays of the model overwritten?")]
    Panicked,
    /// The constraint solver does not support the model, whose options have changed since the solver was chosen.
    #[error("the constraint solver cannot work with the model's options; XPBD needs the Euler integrator")]
    Solver,
    /// Discrete-time inverse dynamics is not defined for Runge–Kutta.
    #[error("discrete-time inverse dynamics is not possible with the Runge–Kutta integrator")]
    DiscreteRungeKutta,
}

pub(super) fn find_bad(values: &[f64]) -> Option<usize> {
    values.iter().position(|&x| is_bad(x))
}

/// Raises a warning about a bad value and, unless auto-reset is disabled, resets the simulation.
fn unstable(m: &Model, d: &mut Data, warning: Warning, index: usize) {
    d.warn(warning, index);
    if !m.opt.disabled(DisableFlags::AUTORESET) {
        d.reset(m);
    }
    // the reset cleared the count; without a reset the warning counts twice, as in MuJoCo
    d.warn(warning, index);
}

/// Checks positions.
#[doc(alias = "mj_checkPos")]
pub fn check_pos(m: &Model, d: &mut Data) {
    if let Some(i) = find_bad(&d.state.qpos) {
        unstable(m, d, Warning::Badqpos, i);
    }
}

/// Checks velocities.
#[doc(alias = "mj_checkVel")]
pub fn check_vel(m: &Model, d: &mut Data) {
    let bad = subset::dofs(m, &d.awake).iter().find(|&i| is_bad(d.state.qvel[i]));
    if let Some(i) = bad {
        unstable(m, d, Warning::Badqvel, i);
    }
}

/// Checks accelerations; after a reset, computes the accelerations of the initial state.
#[doc(alias = "mj_checkAcc")]
pub fn check_acc<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    let bad = subset::dofs(m, &d.awake).iter().find(|&i| is_bad(d.accel.qacc[i]));
    if let Some(i) = bad {
        unstable(m, d, Warning::Badqacc, i);
        if !m.opt.disabled(DisableFlags::AUTORESET) {
            forward_with(m, d, parts);
        }
    }
}

/// Compares forward with inverse dynamics, if enabled.
pub(super) fn compare_inverse<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    if m.opt.enabled(EnableFlags::FWDINV) { inverse::compare_fwd_inv(m, d, parts) } else { Ok(()) }
}

/// Turns a singular factorisation into a warning; the state has then not advanced.
pub(super) fn warn_singular(d: &mut Data, advance: impl FnOnce(&mut Data) -> Result<(), StepError>) {
    if let Err(StepError::Singular(dof)) = advance(d) {
        d.warn(Warning::Inertia, dof);
    }
}
