//! Derivatives of inverse dynamics in closed form.
//!
//! Inverse dynamics, `f = M a + c − p − Jᵀ F(a)`, is the force balance of a step solved for the force: at a given
//! acceleration its derivatives are those of the balance with the opposite sign, and `∂f = H ∂a` with the solver's
//! Hessian `H = M + Jᵀ C J`.
//!
//! If accelerations are given as velocity differences over a step, `y` with `M a = L y`, then `∂a = M⁻¹ (L ∂y − E)`,
//! with `E = ∂(M (a − y) + h D y)` as in `assemble.rs`.

use super::forces::{Ground, Kind, ground};
use super::inverse_fd::{InverseDerivatives, InverseWanted, Room, Steps, differences};
use super::report::{Term, Terms};
use super::smooth::{self, Balance};
use super::tree::Rates;
use super::work::Work;
use super::{DifferenceError, Method, TransitionWork, armature, fd, is_closed, left, sensor};
use crate::data::Data;
use crate::inverse::continuous_acc;
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, Integrator};
use crate::step;
use crate::support::inertia::{full_m, solve_m};
use crate::support::spring::is_implicit;
use sinew_math::factor::dot;

/// Options of [`inverse`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseConfig {
    /// Method; [`Method::Fd`] differences all of inverse dynamics.
    pub method: Method,
    /// Step of differences, where any are used.
    pub eps: f64,
    /// Whether differences of all of inverse dynamics are centred.
    pub centered: bool,
    /// Whether actuator forces are subtracted from the force.
    pub actuation: bool,
    /// Requested derivatives.
    pub wanted: InverseWanted,
}

impl Default for InverseConfig {
    fn default() -> Self {
        let wanted = InverseWanted { force: [true; 3], ..InverseWanted::default() };
        InverseConfig { method: Method::Hybrid, eps: 1e-6, centered: false, actuation: false, wanted }
    }
}

/// Terms that were differenced, by perturbed quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InverseReport {
    /// In derivatives with respect to position.
    pub positions: Terms,
    /// In derivatives with respect to velocity.
    pub velocities: Terms,
    /// In derivatives with respect to acceleration.
    pub accelerations: Terms,
}

impl InverseReport {
    fn all(term: Term) -> Self {
        let mut all = Terms::default();
        all.insert(term);
        InverseReport { positions: all, velocities: all, accelerations: all }
    }

    fn with(self, other: Self) -> Self {
        InverseReport {
            positions: self.positions.with(other.positions),
            velocities: self.velocities.with(other.velocities),
            accelerations: self.accelerations.with(other.accelerations),
        }
    }
}

/// Matrices of inverse dynamics, and workspace for its differences.
#[derive(Clone, Debug, Default)]
pub(super) struct InverseRoom {
    /// `H`.
    hessian: Vec<f64>,
    /// `M⁻¹ L`, transposed, if accelerations are velocity differences over a step.
    advance: Vec<f64>,
    differences: Room,
    found: InverseDerivatives,
}

/// How accelerations and constraints are treated.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub ground: Ground,
    /// Whether accelerations are velocity differences over a step and differ from those caused by the forces.
    pub shifts: bool,
    /// Whether springs are evaluated at the end of that step.
    pub springs: bool,
}

/// Derivatives of inverse dynamics at the state and acceleration of `d`, which is not changed. The matrices of `out`
/// are resized as needed; as in `mjd_inverseFD`, row `i` holds derivatives with respect to input `i`.
///
/// # Errors
/// [`DifferenceError::Eps`]; [`DifferenceError::Noslip`]; [`DifferenceError::NotClosed`] for [`Method::Analytic`]; those of
/// inverse dynamics.
pub fn inverse(
    m: &Model,
    d: &Data,
    config: &InverseConfig,
    work: &mut TransitionWork,
    out: &mut InverseDerivatives,
) -> Result<InverseReport, DifferenceError> {
    fd::check_eps(config.eps)?;
    if m.opt.noslip_iterations > 0 {
        return Err(DifferenceError::Noslip);
    }
    out.fit(m, config.wanted);
    if config.method == Method::Fd || !is_closed(m) {
        if config.method == Method::Analytic {
            return Err(DifferenceError::NotClosed(Term::Step));
        }
        work.inverse_differences(m, d, config, out)?;
        return Ok(InverseReport::all(Term::Step));
    }
    let (at, terms) = balance(m, d, config, work)?;
    hessian(m, at, work);
    if at.shifts {
        shift(m, at, config.eps, work);
    }
    store(m, at, work, out);
    let mut report = InverseReport { positions: terms, velocities: terms, accelerations: Terms::default() };
    work.sensor.differenced.clear();
    if config.wanted.sensors() && !m.opt.disabled(DisableFlags::SENSOR) {
        report.positions = report.positions.with(sensor::inverse(m, at, config.actuation, work, out));
    }
    if config.wanted.mass {
        masses(m, work, &mut out.mass);
    }
    if !work.sensor.differenced.is_empty() {
        if config.method == Method::Analytic {
            return Err(DifferenceError::NotClosed(Term::Sensor));
        }
        sensors(m, d, config, work, out)?;
        report = report.with(InverseReport::all(Term::Sensor));
    }
    Ok(report)
}

/// Whether the integrator's velocity changes differ from the accelerations caused by the forces.
fn advances_otherwise(m: &Model) -> bool {
    match m.opt.integrator {
        Integrator::Implicit | Integrator::Implicitfast => true,
        Integrator::Euler => !m.opt.disabled(DisableFlags::EULERDAMP) && m.dof_damping.iter().any(|&b| b > 0.0),
        _ => false,
    }
}

/// Runs all stages at the state and acceleration of `d`, and differentiates the force balance. Returns the differenced
/// terms.
fn balance(
    m: &Model,
    d: &Data,
    config: &InverseConfig,
    work: &mut TransitionWork,
) -> Result<(At, Terms), DifferenceError> {
    let discrete = m.opt.enabled(EnableFlags::INVDISCRETE);
    let springs = discrete && is_implicit(m);
    let data = &mut work.inner.data;
    data.copy_start(d);
    data.accel.qacc.copy_from_slice(&d.accel.qacc);
    step::fwd_position(m, data, &mut ());
    step::fwd_velocity(m, data, &mut ());
    step::fwd_actuation(m, data, &mut ());
    work.advance.copy_from_slice(&d.accel.qacc);
    let shifts = discrete && advances_otherwise(m);
    if discrete && !springs {
        continuous_acc(m, data, &())?;
    }
    work.qacc.copy_from_slice(&data.accel.qacc);
    if data.efc.nefc > 0 {
        work.rows.gather(m, data);
    }
    let kind = Kind { applied: false, actuators: config.actuation, springs };
    let ground = ground(m, config.method, kind, shifts, &mut work.inner)?;
    work.balance.clear();
    let at = Balance { qacc: &work.qacc, kind, at: ground, eps: config.eps };
    let terms = smooth::balance(m, at, &mut work.inner, &mut work.balance);
    if ground.constrained {
        work.rows.add_by_velocity(&work.inner.data, &mut work.balance);
    }
    Ok((At { ground, shifts, springs }, terms))
}

/// `H`, including springs that are evaluated at the end of the step.
fn hessian(m: &Model, at: At, work: &mut TransitionWork) {
    let TransitionWork { inner, rows, inverse, vectors: [unit, column], .. } = work;
    let h = &mut inverse.hessian;
    h.resize(m.nv * m.nv, 0.0);
    full_m(m, h, &inner.data.inertia.qM);
    if at.ground.constrained {
        rows.add_products(|_| 1.0, |j, i, x| h[j * m.nv + i] += x);
    }
    if at.springs {
        let Data { awake, pose, scratch, .. } = &mut inner.data;
        let springs = &mut scratch.integrate.spring.rows;
        springs.fill(m, awake, pose);
        for j in 0..m.nv {
            unit.fill(0.0);
            column.fill(0.0);
            unit[j] = 1.0;
            springs.all().add_product(column, unit);
            h[j * m.nv..].iter_mut().zip(&*column).for_each(|(sum, x)| *sum += x);
        }
    }
}

/// Derivatives of accelerations with respect to velocity differences over a step, and, at fixed velocity differences,
/// with respect to position and velocity: `−M⁻¹ E`; `work.shift` holds `M⁻¹ E`.
fn shift(m: &Model, at: At, eps: f64, work: &mut TransitionWork) {
    (0..m.nv).for_each(|i| work.lag[i] = work.qacc[i] - work.advance[i]);
    work.shift.clear();
    let rest = at.ground.rest.of_integrators();
    smooth::shift(m, &work.advance, &work.lag, rest, eps, &mut work.inner, &mut work.shift);
    let (inertia, advance) = (&work.inner.data.inertia, &mut work.inverse.advance);
    advance.resize(m.nv * m.nv, 0.0);
    left::transposed_matrix(m, &work.inner.data, advance);
    solve_m(m, inertia, advance);
    solve_m(m, inertia, &mut work.shift.by_q);
    solve_m(m, inertia, &mut work.shift.by_v);
}

/// Stores the derivatives of forces.
fn store(m: &Model, at: At, work: &TransitionWork, out: &mut InverseDerivatives) {
    let TransitionWork { balance, shift, inverse: InverseRoom { hessian, advance, .. }, .. } = work;
    let nv = m.nv;
    // H times a row of changes of acceleration
    let force = |rows: &[f64], k: usize| dot(&hessian[k % nv * nv..][..nv], &rows[k / nv * nv..][..nv]);
    let [by_q, by_v, by_a] = &mut out.force;
    for (to, forces, accelerations) in [(by_q, &balance.by_q, &shift.by_q), (by_v, &balance.by_v, &shift.by_v)] {
        for (k, to) in to.iter_mut().enumerate() {
            *to = -forces[k] - if at.shifts { force(accelerations, k) } else { 0.0 };
        }
    }
    for (k, to) in by_a.iter_mut().enumerate() {
        *to = if at.shifts { force(advance, k) } else { hessian[k] };
    }
}

/// Derivative of the mass matrix with respect to position, column by column.
fn masses(m: &Model, work: &mut TransitionWork, out: &mut [f64]) {
    let TransitionWork { inner, vectors: [unit, _], shift: changes, .. } = work;
    let Work { data: d, tree, zero, lever, movers, .. } = inner;
    for k in 0..m.nv {
        unit.fill(0.0);
        unit[k] = 1.0;
        changes.clear();
        tree.outward(m, &d.pose, &Rates { qvel: zero, qacc: unit, base: [0.0; 6], wind: [0.0; 3] });
        tree.inward(m, &d.pose, &d.inertia);
        tree.add_by_position(m, &d.pose, 1.0, &mut changes.by_q);
        armature::inertia(m, d, (unit, 1.0), (&mut *lever, &mut *movers), changes);
        let (mut i, mut at) = (k as i32, m.dof_Madr[k] as usize);
        while let Ok(row) = usize::try_from(i) {
            (0..m.nv).for_each(|j| out[j * m.nM + at] = *changes.q(j, row));
            (i, at) = (m.dof_parentid[row], at + 1);
        }
    }
}

/// Differences the sensors that have no closed form.
fn sensors(
    m: &Model,
    d: &Data,
    config: &InverseConfig,
    work: &mut TransitionWork,
    out: &mut InverseDerivatives,
) -> Result<(), DifferenceError> {
    let mut found = std::mem::take(&mut work.inverse.found);
    found.fit(m, InverseWanted { sensor: config.wanted.sensor, ..InverseWanted::default() });
    let done = work.inverse_differences(m, d, config, &mut found);
    for (to, from) in out.sensor.iter_mut().zip(&found.sensor).filter(|(to, _)| !to.is_empty()) {
        for (j, &i) in (0..m.nv).flat_map(|j| work.sensor.differenced.iter().map(move |i| (j, i))) {
            let rows = m.sensor_range(i);
            let span = j * m.nsensordata + rows.start..j * m.nsensordata + rows.end;
            to[span.clone()].copy_from_slice(&from[span]);
        }
    }
    work.inverse.found = found;
    done
}

impl TransitionWork {
    /// Change of the force-caused acceleration for input `j` of a kind (position, velocity, acceleration): a sign and a
    /// row.
    pub(super) fn caused(&self, m: &Model, kind: usize, j: usize) -> (f64, &[f64]) {
        let of = [&self.shift.by_q, &self.shift.by_v, &self.inverse.advance][kind];
        (if kind == 2 { 1.0 } else { -1.0 }, &of[j * m.nv..][..m.nv])
    }

    /// Differences all of inverse dynamics, for the matrices of `out` that are not empty.
    fn inverse_differences(
        &mut self,
        m: &Model,
        d: &Data,
        config: &InverseConfig,
        out: &mut InverseDerivatives,
    ) -> Result<(), DifferenceError> {
        let InverseConfig { eps, centered, actuation, .. } = *config;
        let data = &mut self.inner.data;
        data.copy_from(d);
        differences(m, data, &mut (), Steps { eps, centered, actuation }, &mut self.inverse.differences, out)
    }
}
