//! Derivative of all smooth forces with respect to velocity, with all entries.

use super::forces::{Ground, Kind};
use super::smooth::{self, Balance};
use super::{DifferenceError, Term, TransitionWork, fd, is_closed, remainder};
use crate::data::Data;
use crate::model::Model;
use crate::step;

/// Derivative of the smooth forces, `qfrc_passive + qfrc_actuator − qfrc_bias`, with respect to velocity at the state
/// of `d`; row `i` of `out` belongs to force `i`. `qDeriv`, in contrast, only has the entries that implicit integrators
/// use: pairs of dofs where one is an ancestor of the other.
///
/// # Errors
/// [`DifferenceError::Length`]; [`DifferenceError::Eps`] for the step of terms that are differenced;
/// [`DifferenceError::NotClosed`] with plugins, sleep, or user-defined laws.
pub fn smooth_vel(
    m: &Model,
    d: &Data,
    eps: f64,
    work: &mut TransitionWork,
    out: &mut [f64],
) -> Result<(), DifferenceError> {
    fd::check_eps(eps)?;
    fd::length("out", out.len(), m.nv * m.nv)?;
    if !is_closed(m) {
        return Err(DifferenceError::NotClosed(Term::Step));
    }
    let data = &mut work.inner.data;
    data.copy_start(d);
    step::fwd_position(m, data, &mut ());
    step::fwd_velocity(m, data, &mut ());
    step::fwd_actuation(m, data, &mut ());
    work.qacc.fill(0.0);
    work.balance.clear();
    work.inner.geometry.clear();
    let kind = Kind { applied: false, actuators: true, springs: false };
    let at = Ground { constrained: false, tied: false, rest: remainder::terms(m, false) };
    smooth::balance(m, Balance { qacc: &work.qacc, kind, at, eps }, &mut work.inner, &mut work.balance);
    for (k, to) in out.iter_mut().enumerate() {
        *to = work.balance.by_v[k % m.nv * m.nv + k / m.nv];
    }
    Ok(())
}
