//! Forces without a closed-form derivative, differenced individually: only the stages they need are run, not whole
//! steps or the solver.

use super::actuator::{is_held, slopes};
use super::lever::is_kept;
use super::moment;
use super::partials::Partials;
use super::report::{Term, Terms};
use crate::data::Data;
use crate::derivative;
use crate::inverse::inv_constraint;
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator};
use crate::parts::ByModel;
use crate::support::flex_spring::FlexLaws;
use crate::support::position::integrate_pos;
use crate::support::{activation, fluid};
use crate::{constraint, passive, step, velocity};

/// Terms to be differenced, and the quantities they are evaluated with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<'a> {
    pub terms: Terms,
    /// If given, includes forces, and inertial forces at this acceleration.
    pub balance: Option<&'a [f64]>,
    /// If given, includes `h D` times this acceleration.
    pub shift: Option<&'a [f64]>,
    /// Step of the differences.
    pub eps: f64,
}

/// Workspace of differences.
#[derive(Clone, Debug)]
pub(super) struct RestWork {
    value: Vec<f64>,
    first: Vec<f64>,
    nudge: Vec<f64>,
    deriv: Vec<f64>,
}

impl RestWork {
    pub(super) fn new(m: &Model) -> Self {
        let of_nv = || vec![0.0; m.nv];
        RestWork { value: of_nv(), first: of_nv(), nudge: of_nv(), deriv: vec![0.0; m.D_colind.len()] }
    }
}

fn is_implicit(m: &Model) -> bool {
    matches!(m.opt.integrator, Integrator::Implicit | Integrator::Implicitfast)
}

/// Terms of a model without a closed-form derivative; `shifts`: including those of the integrator.
pub(super) fn terms(m: &Model, shifts: bool) -> Terms {
    let mut terms = Terms::default();
    let passive = !(m.opt.disabled(DisableFlags::SPRING) && m.opt.disabled(DisableFlags::DAMPER));
    if m.nflex > 0 && passive {
        terms.insert(Term::Flex);
    }
    if shifts && fluid::present(m) && passive && is_implicit(m) {
        terms.insert(Term::FluidDamping);
    }
    terms
}

/// Adds the derivatives of the remaining terms, by centred differences about the state of `d`, which is restored.
pub(super) fn add(m: &Model, d: &mut Data, home: &Data, rest: Rest, work: &mut RestWork, out: &mut Partials) {
    let contacts = rest.terms.has(Term::Constraint) || rest.terms.has(Term::Transmission);
    for position in [true, false] {
        let rest = if position { rest } else { Rest { terms: rest.terms.of_velocity(), ..rest } };
        if rest.terms.is_empty() {
            break;
        }
        for j in 0..m.nv {
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                if position {
                    work.nudge.fill(0.0);
                    work.nudge[j] = sign;
                    integrate_pos(m, &mut d.state.qpos, &work.nudge, rest.eps);
                } else {
                    d.state.qvel[j] += sign * rest.eps;
                }
                match (position, contacts) {
                    (true, true) => step::fwd_position(m, d, &mut ()),
                    (true, false) => {
                        step::fwd_kinematics(m, d);
                        step::transmission(m, d);
                    }
                    _ => {}
                }
                evaluate(m, d, &rest, work);
                if side == 0 {
                    std::mem::swap(&mut work.value, &mut work.first);
                }
                d.state.qpos.copy_from_slice(&home.state.qpos);
                d.state.qvel.copy_from_slice(&home.state.qvel);
            }
            let row = if position { &mut out.by_q } else { &mut out.by_v };
            for (i, sum) in row[j * m.nv..][..m.nv].iter_mut().enumerate() {
                *sum += (work.first[i] - work.value[i]) / (2.0 * rest.eps);
            }
        }
        if position {
            // restore the position stages
            d.copy_from(home);
        }
    }
}

/// Evaluates the remaining terms at the current state, into `work.value`.
fn evaluate(m: &Model, d: &mut Data, rest: &Rest, work: &mut RestWork) {
    velocity::lengths(m, &d.state, &d.pose, &d.trn, &mut d.motion);
    velocity::com_vel(m, &d.awake, &d.state, &d.pose, &mut d.motion);
    let RestWork { value: out, deriv, .. } = work;
    out.fill(0.0);
    if rest.terms.has(Term::Transmission) {
        step::fwd_actuation(m, d, &mut ());
        actuators(m, d, rest, out);
    }
    if let Some(qacc) = rest.balance {
        forces(m, d, rest.terms, qacc, out);
    }
    let Some(y) = rest.shift else { return };
    if rest.terms.has(Term::FluidDamping) {
        deriv.fill(0.0);
        derivative::fluid::fluid_vel(m, &d.awake, &d.pose, &d.motion, &mut d.scratch.derivative.chain, deriv);
        let at = derivative::pattern(m);
        for (i, o) in out.iter_mut().enumerate() {
            let seen = at.cols(i).iter().map(|&j| j as usize).zip(&deriv[at.range(i)]).filter(|e| is_kept(m, i, e.0));
            *o += m.opt.timestep * seen.map(|(j, slope)| slope * y[j]).sum::<f64>();
        }
    }
}

/// Forces other than those of actuators.
fn forces(m: &Model, d: &mut Data, terms: Terms, qacc: &[f64], out: &mut [f64]) {
    if terms.has(Term::Flex) {
        d.force.qfrc_spring.fill(0.0);
        d.force.qfrc_damper.fill(0.0);
        passive::flex::flexes(
            m,
            &FlexLaws { bending: &ByModel, elasticity: &ByModel, hinges: &[] },
            &d.state,
            &d.pose,
            &d.motion,
            &mut d.force,
        );
        (0..m.nv).for_each(|i| out[i] += d.force.qfrc_spring[i] + d.force.qfrc_damper[i]);
    }
    if terms.has(Term::Constraint) {
        constraint::reference_constraint(m, &d.state, &d.row_groups, &mut d.efc);
        d.accel.qacc.copy_from_slice(qacc);
        inv_constraint(m, d);
        out.iter_mut().zip(d.accel.qfrc_constraint.iter()).for_each(|(o, f)| *o += f);
    }
}

/// Forces of actuators whose moments have no closed-form derivative, and their part of `h D y`.
fn actuators(m: &Model, d: &Data, rest: &Rest, out: &mut [f64]) {
    for i in (0..m.nu).filter(|&i| !moment::is_closed(m, i) && !activation::is_disabled(m, i)) {
        let s = slopes(m, d, i);
        for (dof, moment) in moment::row(d, i) {
            if rest.balance.is_some() && !is_held(m, d, dof) {
                out[dof] += moment * s.along.force;
            }
            if let Some(y) = rest.shift
                && is_implicit(m)
            {
                let rate: f64 = moment::row(d, i).filter(|e| is_kept(m, e.0, dof)).map(|(k, v)| v * y[k]).sum();
                out[dof] += m.opt.timestep * s.damping[0] * moment * rate;
            }
        }
    }
}
