//! Derivatives of a whole step and of inverse dynamics.
//!
//! [`transition`] linearises a step, `dx⁺ = A dx + B du`, in closed form: `tree.rs` for the inertia of bodies, one file
//! for each other force, `assemble.rs` for the integrators. Terms without a closed form are differenced individually
//! and listed in [`Report`]. [`transition_fd`] differences whole steps instead.

mod actuator;
mod adhesion;
mod adjoint;
mod anchor;
mod armature;
mod assemble;
mod check;
mod contact;
mod crank;
mod delay;
mod ellipsoid;
mod fd;
mod fluid;
mod forces;
mod frame;
mod hessian;
mod inverse;
mod inverse_fd;
mod left;
mod lever;
mod moment;
mod partials;
mod path;
mod product;
mod remainder;
mod report;
mod rk4;
mod rows;
mod sensor;
mod smooth;
mod smooth_vel;
mod spring;
mod tie;
mod tree;
mod work;
mod wrench;

pub use adjoint::{RolloutWork, rollout_vjp};
pub use check::{Validation, validate};
pub use fd::{DifferenceError, Transition, mujoco_transition_fd, transition_fd};
pub use inverse::{InverseConfig, InverseReport, inverse};
pub use inverse_fd::{InverseDerivatives, InverseWanted, inverse_fd};
pub use report::{Report, Term, Terms};
pub use smooth_vel::smooth_vel;
pub use work::TransitionWork;

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{BiasType, DynType, EnableFlags, GainType, Integrator, Stage};
use crate::step;
use crate::support::spring::is_implicit;
use actuator::is_held;
use forces::forces;
use sinew_math::factor::dot;
use sinew_math::sparse::add_scaled;

/// How a step is differentiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Differences of whole steps, as in MuJoCo.
    Fd,
    /// Closed forms only, except for differences of local functions of a few variables; an error where there is no
    /// closed form.
    Analytic,
    /// Closed forms where available, otherwise differences of single terms.
    #[default]
    Hybrid,
}

/// Options of [`transition`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DerivativeConfig {
    /// Method.
    pub method: Method,
    /// Step of differences, where any are used.
    pub eps: f64,
    /// Whether differences of whole steps are centred.
    pub centered: bool,
    /// Which of `A`, `B`, `C` and `D` are wanted.
    pub wanted: [bool; 4],
}

impl Default for DerivativeConfig {
    fn default() -> Self {
        DerivativeConfig { method: Method::Hybrid, eps: 1e-6, centered: false, wanted: [true, true, false, false] }
    }
}

/// Derivatives of one step from the state of `d`, which is not changed. The matrices of `out` are resized as needed.
///
/// As in `mjd_transitionFD`, the columns of activations and controls treat the matrices of implicit integrators as
/// constant.
///
/// # Errors
/// [`DifferenceError::Eps`]; [`DifferenceError::NotClosed`] for [`Method::Analytic`]; those of [`transition_fd`].
pub fn transition(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    out: &mut Transition,
) -> Result<Report, DifferenceError> {
    fd::check_eps(config.eps)?;
    let [a, b, c, dd] = config.wanted;
    out.fit(m, config.wanted);
    let mut report = Report::default();
    let mut ready = None;
    if a || b {
        report = match linearize(m, d, config, work)? {
            Some((at, report)) => {
                if a {
                    work.state_columns(m, at, &mut out.A);
                }
                work.input_columns(m, at, out);
                // reusable only if the balance is at accelerations, not at what an integrator makes of them
                ready = (at.constrained || !at.shifts).then_some((at.constrained, report.positions));
                report
            }
            None if is_closed(m) && config.method != Method::Fd => {
                let terms = rk4::transition(m, d, config, work, out)?;
                Report { positions: terms, velocities: terms, ..Report::default() }
            }
            None => {
                work.inner.data.copy_from(d);
                fd::whole(m, &mut work.inner.data, config, false, &mut work.differences, out);
                Report::stepped()
            }
        };
    }
    if c || dd {
        report = report.with(sensor::transition(m, d, config, work, ready, out)?);
    }
    Ok(report)
}

/// Whether the step has a closed-form derivative at all. Excluded are plugins and custom components, sleeping trees,
/// control nodes of flexes in implicit integrators, flexes with implicit springs, and the no-slip solver.
fn is_closed(m: &Model) -> bool {
    let user = |i: usize| {
        m.actuator_dyntype(i) == DynType::User
            || m.actuator_gaintype(i) == GainType::User
            || m.actuator_biastype(i) == BiasType::User
    };
    let implicit = matches!(m.opt.integrator, Integrator::Implicit | Integrator::Implicitfast);
    !((0..m.nu).any(|i| user(i) || m.actuator_plugin[i] >= 0)
        || m.opt.enabled(EnableFlags::SLEEP)
        || m.opt.noslip_iterations > 0
        || m.nplugin > 0
        || !m.extension().is_plain()
        || implicit && m.flex_interp.iter().any(|&interp| interp != 0)
        || is_implicit(m) && m.nflex > 0)
}

/// Computes `out = A dx + B du`, the change of the next state for changes of the state and of controls, without
/// building the matrices.
///
/// # Errors
/// [`DifferenceError::Length`], and those of [`transition`].
pub fn jvp(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    (dx, du): (&[f64], &[f64]),
    out: &mut [f64],
) -> Result<Report, DifferenceError> {
    let ndx = 2 * m.nv + m.na;
    fd::length("dx", dx.len(), ndx)?;
    fd::length("du", du.len(), m.nu)?;
    fd::length("out", out.len(), ndx)?;
    if let Some((at, report)) = linearize(m, d, config, work)? {
        work.forward(m, at, dx, du, out);
        return Ok(report);
    }
    matrices(m, d, config, work, |t| {
        for (i, sum) in out.iter_mut().enumerate() {
            *sum = dot(&t.A[i * ndx..][..ndx], dx) + dot(&t.B[i * m.nu..][..m.nu], du);
        }
    })
}

/// Pulls the gradient `λ` of a loss with respect to the next state back to the current state, `by_x = Aᵀ λ`, and to
/// controls, `by_u = Bᵀ λ`, without building the matrices.
///
/// # Errors
/// [`DifferenceError::Length`], and those of [`transition`].
pub fn vjp(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    next: &[f64],
    (by_x, by_u): (&mut [f64], &mut [f64]),
) -> Result<Report, DifferenceError> {
    let ndx = 2 * m.nv + m.na;
    fd::length("next", next.len(), ndx)?;
    fd::length("by_x", by_x.len(), ndx)?;
    fd::length("by_u", by_u.len(), m.nu)?;
    by_x.fill(0.0);
    by_u.fill(0.0);
    if let Some((at, report)) = linearize(m, d, config, work)? {
        work.backward(m, at, next, by_x, by_u);
        return Ok(report);
    }
    matrices(m, d, config, work, |t| {
        for (i, &x) in next.iter().enumerate() {
            add_scaled(by_x, &t.A[i * ndx..][..ndx], x);
            add_scaled(by_u, &t.B[i * m.nu..][..m.nu], x);
        }
    })
}

/// Falls back to building `A` and `B` for products.
fn matrices(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    multiply: impl FnOnce(&Transition),
) -> Result<Report, DifferenceError> {
    let config = DerivativeConfig { wanted: [true, true, false, false], ..*config };
    let mut kept = std::mem::take(&mut work.matrices);
    let found = transition(m, d, &config, work, &mut kept);
    if found.is_ok() {
        multiply(&kept);
    }
    work.matrices = kept;
    found
}

/// Computes the derivatives of forces at the state of `d` and the factored matrices into `work`; `None` if only whole
/// steps can be differenced, or this was requested.
fn linearize(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
) -> Result<Option<(assemble::Step, Report)>, DifferenceError> {
    fd::check_eps(config.eps)?;
    if config.method == Method::Fd || !is_closed(m) {
        return if config.method == Method::Analytic { Err(DifferenceError::NotClosed(Term::Step)) } else { Ok(None) };
    }
    if m.opt.integrator == Integrator::Rk4 {
        return Ok(None); // more than one force balance
    }
    let nominal = &mut work.inner.data;
    nominal.copy_start(d);
    step::step_skip(m, nominal, &mut (), Stage::None, true);
    work.next.copy_from_slice(&nominal.state.qvel);
    work.qacc.copy_from_slice(&nominal.accel.qacc);
    work.advance.copy_from_slice(&nominal.scratch.integrate.qacc);
    nominal.state.copy_from(&d.state);
    let (constrained, terms) = forces(m, config, work, smooth::shifts(m))?;
    assemble::turns(m, work);
    let report = Report { positions: terms, velocities: terms, ..Report::default() };
    Ok(Some((assemble::Step { constrained, shifts: smooth::shifts(m) }, report)))
}
