//! Finite differences of inverse dynamics.

use super::DifferenceError;
use super::fd::difference;
use crate::data::Data;
use crate::hooks::Hooks;
use crate::inverse::inverse_skip;
use crate::model::Model;
use crate::model::enums::{Integrator, Stage};
use crate::step;
use crate::support::position::integrate_pos;

/// Derivatives of inverse dynamics; row `i` holds those by input `i`. Those not asked for are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseDerivatives {
    /// Force by position, velocity and acceleration, each `nv × nv`.
    pub force: [Vec<f64>; 3],
    /// Sensors by position, velocity and acceleration, each `nv × nsensordata`.
    pub sensor: [Vec<f64>; 3],
    /// Mass matrix by position, `nv × nM`.
    pub mass: Vec<f64>,
}

/// What of [`InverseDerivatives`] is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InverseWanted {
    /// As [`InverseDerivatives::force`].
    pub force: [bool; 3],
    /// As [`InverseDerivatives::sensor`].
    pub sensor: [bool; 3],
    /// As [`InverseDerivatives::mass`].
    pub mass: bool,
}

/// Forward differences of inverse dynamics with respect to position, velocity and acceleration; with `actuation`,
/// actuator forces are subtracted from the force.
///
/// # Errors
/// [`DifferenceError::RungeKutta`], [`DifferenceError::Noslip`], and those of inverse dynamics.
#[doc(alias = "mjd_inverseFD")]
pub fn inverse_fd(
    m: &Model,
    d: &mut Data,
    hooks: &mut dyn Hooks,
    eps: f64,
    actuation: bool,
    wanted: InverseWanted,
) -> Result<InverseDerivatives, DifferenceError> {
    if m.opt.integrator == Integrator::Rk4 {
        return Err(DifferenceError::RungeKutta);
    }
    if m.opt.noslip_iterations != 0 {
        return Err(DifferenceError::Noslip);
    }
    let skip_sensor = !wanted.sensor.contains(&true);
    let mut force = |d: &mut Data, done: Stage| -> Result<Vec<f64>, DifferenceError> {
        inverse_skip(m, d, hooks, done, skip_sensor)?;
        let mut force = d.accel.qfrc_inverse.to_vec();
        if actuation {
            step::fwd_actuation(m, d, hooks);
            force.iter_mut().zip(d.force.qfrc_actuator.iter()).for_each(|(f, a)| *f -= a);
        }
        Ok(force)
    };
    let base = force(d, Stage::None)?;
    let (sensor, mass) = (d.sensor.sensordata.to_vec(), d.inertia.qM.to_vec());
    let mut out = InverseDerivatives::default();
    let mut dpos = vec![0.0; m.nv];
    // acceleration, velocity, position: each leaves the stages of the next one as they were
    for (kind, done) in [(2, Stage::Vel), (1, Stage::Pos), (0, Stage::None)] {
        if !(wanted.force[kind] || wanted.sensor[kind] || kind == 0 && wanted.mass) {
            continue;
        }
        for i in 0..m.nv {
            let (qpos, qvel, qacc) = (d.state.qpos.to_vec(), d.state.qvel[i], d.accel.qacc[i]);
            match kind {
                2 => d.accel.qacc[i] += eps,
                1 => d.state.qvel[i] += eps,
                _ => {
                    dpos.fill(0.0);
                    dpos[i] = 1.0;
                    integrate_pos(m, &mut d.state.qpos, &dpos, eps);
                }
            }
            let nudged = force(d, done)?;
            d.state.qpos.copy_from_slice(&qpos);
            (d.state.qvel[i], d.accel.qacc[i]) = (qvel, qacc);
            if wanted.force[kind] {
                out.force[kind].extend(difference(&base, &nudged, eps));
            }
            if wanted.sensor[kind] {
                out.sensor[kind].extend(difference(&sensor, &d.sensor.sensordata, eps));
            }
            if kind == 0 && wanted.mass {
                out.mass.extend(difference(&mass, &d.inertia.qM, eps));
            }
        }
    }
    Ok(out)
}
