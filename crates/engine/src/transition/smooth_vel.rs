//! Derivative of all smooth forces by velocity, with every entry.

use super::forces::{Ground, Kind};
use super::smooth::{self, Balance};
use super::{DifferenceError, Term, TransitionWork, fd, is_closed, remainder};
use crate::data::Data;
use crate::model::Model;
use crate::step;

/// Derivative of smooth forces, `qfrc_passive + qfrc_actuator − qfrc_bias`, by velocity at the state of `d`; row `i` of `out` holds
/// that of force `i`. `qDeriv` keeps only what implicit integrators use: pairs of dofs of which one carries the other.
///
/// # Errors
/// [`DifferenceError::Length`]; [`DifferenceError::Eps`], the step of what is differenced; [`DifferenceError::NotClosed`] with
/// plugins, sleep, or laws of the user.
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
