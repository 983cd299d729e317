//! All forces at a given acceleration: which of them have closed-form derivatives, and these derivatives.

use super::report::{Term, Terms};
use super::smooth::{self, Balance};
use super::work::Work;
use super::{DerivativeConfig, DifferenceError, Method, TransitionWork, adhesion, contact, remainder, rows};
use crate::model::Model;
use crate::support::spring::is_implicit;

/// Which forces are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// Forces that the user applies to bodies.
    pub applied: bool,
    /// Actuator forces.
    pub actuators: bool,
    /// Whether springs and dampers are evaluated at the end of the step.
    pub springs: bool,
}

impl Kind {
    /// All forces of a step.
    pub(super) fn of_step(m: &Model) -> Self {
        Kind { applied: true, actuators: true, springs: is_implicit(m) }
    }
}

/// How the current forces are differentiated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    /// Whether there are constraints.
    pub constrained: bool,
    /// Whether the constraints have closed-form derivatives.
    pub tied: bool,
    /// Terms to be differenced.
    pub rest: Terms,
}

/// Classifies the constraints in the state of `work`, whose rows have been gathered, and computes the geometry
/// derivatives of contacts. `shifts`: whether derivatives of the integrator's terms are needed too.
pub(super) fn ground(
    m: &Model,
    method: Method,
    kind: Kind,
    shifts: bool,
    work: &mut Work,
) -> Result<Ground, DifferenceError> {
    let constrained = work.data.efc.nefc > 0;
    let mut rest = remainder::terms(m, shifts);
    let sticks = adhesion::present(m) && (kind.actuators || shifts);
    work.geometry.clear();
    let known = (constrained || sticks) && contact::geometry(m, &mut work.data, &mut work.found, &mut work.geometry);
    let tied = known && constrained && rows::are_closed(m, &work.data);
    if constrained && !tied {
        rest.insert(Term::Constraint);
    }
    if sticks && !known {
        rest.insert(Term::Transmission);
    }
    match rest.iter().find(|_| method == Method::Analytic) {
        Some(term) => Err(DifferenceError::NotClosed(term)),
        None => Ok(Ground { constrained, tied, rest }),
    }
}

/// Derivatives of forces in the state of `work`, with all stages computed, at the current accelerations; including the
/// integrator's own terms if it `shifts`. Returns whether there are constraints, and which terms were differenced.
pub(super) fn forces(
    m: &Model,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    shifts: bool,
) -> Result<(bool, Terms), DifferenceError> {
    let nominal = &mut work.inner.data;
    if nominal.efc.nefc > 0 {
        work.rows.gather(m, nominal);
        work.rows.factor(m, nominal, &mut work.chol);
    }
    let kind = Kind::of_step(m);
    let at = ground(m, config.method, kind, shifts, &mut work.inner)?;
    let qacc = if at.constrained { &work.qacc } else { &work.advance };
    work.balance.clear();
    let terms = smooth::balance(m, Balance { qacc, kind, at, eps: config.eps }, &mut work.inner, &mut work.balance);
    if at.constrained {
        work.rows.add_by_velocity(&work.inner.data, &mut work.balance);
    }
    if shifts {
        let into = if at.constrained {
            work.shift.clear();
            (0..m.nv).for_each(|i| work.lag[i] = work.qacc[i] - work.advance[i]);
            &mut work.shift
        } else {
            work.lag.fill(0.0);
            &mut work.balance
        };
        smooth::shift(m, &work.advance, &work.lag, at.rest.of_integrators(), config.eps, &mut work.inner, into);
    }
    Ok((at.constrained, terms))
}
