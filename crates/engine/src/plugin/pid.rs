//! `mujoco.pid`: a PID controller with a limit on the integral term and on the rate of the setpoint.
//!
//! With setpoint `u`, length `l` and error `e = u − l`,
//!
//! ```text
//! f = kp e + ki ∫e + kd (u̇ − l̇),     |ki ∫e| ≤ imax,     |u(t + h) − u(t)| ≤ slewmax h
//! ```
//!
//! The force uses the integral at the end of the step, not at its beginning. The setpoint is the control, or the
//! activation if the actuator has a `dyntype`. The controller state is stored in activations: the integral if `ki` is
//! not zero, then the last setpoint if `slewmax` is given; the activation of the `dyntype` comes last.

use super::{Config, Instance, Plugin, PluginCapabilities, PluginError};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::DynType;
use crate::support::activation;
use sinew_math::clip;

/// The PID plugin.
#[derive(Clone, Copy, Debug)]
pub struct Kind;

/// An instance: gains and limits, and the actuators that use them.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    kp: f64,
    ki: f64,
    kd: f64,
    /// Bound on the integral of the error.
    most: Option<f64>,
    slewmax: Option<f64>,
    actuators: Vec<usize>,
}

impl Plugin for Kind {
    fn name(&self) -> &str {
        "mujoco.pid"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["kp", "ki", "kd", "imax", "slewmax"]
    }

    fn capabilities(&self) -> PluginCapabilities {
        PluginCapabilities::ACTUATOR
    }

    fn bind(&self, m: &Model, instance: usize, config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        let gain = |key| config.number(key).map(|gain| gain.unwrap_or(0.0));
        let (kp, ki, kd) = (gain("kp")?, gain("ki")?, gain("kd")?);
        let most = config.number("imax")?.filter(|_| ki != 0.0).map(|force| force / ki);
        if most.is_some_and(|most| most < 0.0) {
            return Err(PluginError::at("imax", "imax must not be negative, unless ki is"));
        }
        let slewmax = config.number("slewmax")?;
        if slewmax.is_some_and(|speed| speed < 0.0) {
            return Err(PluginError::at("slewmax", "slewmax must not be negative"));
        }
        let actuators: Vec<usize> = (0..m.nu).filter(|&i| m.actuator_plugin[i] == instance as i32).collect();
        if actuators.is_empty() {
            return Err(PluginError::new("no actuator uses this instance of mujoco.pid")
                .hint("name it in the 'instance' attribute of an actuator's 'plugin' element, or remove it"));
        }
        let pid = Pid { kp, ki, kd, most, slewmax, actuators };
        pid.actuators.iter().try_for_each(|&i| pid.check(m, i))?;
        Ok(Box::new(pid))
    }
}

/// Controller state of one actuator.
struct Memory {
    /// Index in `act` of the integral of the error, and its value.
    integral: Option<(usize, f64)>,
    /// Index in `act` of the last setpoint, and its value.
    last: Option<(usize, f64)>,
}

impl Pid {
    /// Checks that an actuator has the right number of activations.
    fn check(&self, m: &Model, i: usize) -> Result<(), PluginError> {
        let own = matches!(m.actuator_dyntype(i), DynType::Filter | DynType::Filterexact | DynType::Integrator);
        let need = i32::from(self.ki != 0.0) + i32::from(self.slewmax.is_some()) + i32::from(own);
        let have = m.actuator_actnum[i];
        if have == need {
            return Ok(());
        }
        Err(PluginError::new(format!("actuator {i} has {have} activations, mujoco.pid needs {need}"))
            .hint(format!("add actdim=\"{need}\" to the actuator")))
    }

    fn memory(&self, m: &Model, d: &Data, i: usize) -> Memory {
        let mut acts = m.actuator_acts(i).map(|a| (a, d.state.act[a]));
        let integral = if self.ki == 0.0 { None } else { acts.next() };
        let last = if self.slewmax.is_none() { None } else { acts.next() };
        Memory { integral, last }
    }

    /// The setpoint, from the activation of the next step if `early`. Its rate is not limited at time zero, when there
    /// is no last setpoint.
    fn setpoint(&self, m: &Model, d: &Data, i: usize, last: Option<f64>, early: bool) -> f64 {
        let raw = match m.actuator_act(i).filter(|_| m.actuator_dyntype(i) != DynType::None) {
            Some(a) if early => activation::next(m, i, d.state.act[a], d.force.act_dot[a]),
            Some(a) => d.state.act[a],
            None if m.actuator_ctrllimited[i] != 0 => {
                clip(d.state.ctrl[i], m.actuator_ctrlrange[i][0], m.actuator_ctrlrange[i][1])
            }
            None => d.state.ctrl[i],
        };
        match (self.slewmax, last) {
            (Some(speed), Some(last)) if d.state.time > 0.0 => {
                let step = speed * m.opt.timestep;
                clip(raw, last - step, last + step)
            }
            _ => raw,
        }
    }

    /// The integral at the end of the step.
    fn integrated(&self, m: &Model, integral: f64, error: f64) -> f64 {
        let next = integral + error * m.opt.timestep;
        self.most.map_or(next, |most| clip(next, -most, most))
    }
}

impl Instance for Pid {
    fn act_dot(&self, m: &Model, d: &mut Data) {
        let h = m.opt.timestep;
        for &i in &self.actuators {
            let memory = self.memory(m, d, i);
            let u = self.setpoint(m, d, i, memory.last.map(|l| l.1), false);
            if let Some((a, integral)) = memory.integral {
                let error = u - d.trn.actuator_length[i];
                d.force.act_dot[a] = (self.integrated(m, integral, error) - integral) / h;
            }
            if let Some((a, last)) = memory.last {
                d.force.act_dot[a] = (u - last) / h;
            }
        }
    }

    fn actuate(&self, m: &Model, d: &mut Data) {
        for &i in &self.actuators {
            let memory = self.memory(m, d, i);
            let early = m.actuator_actearly[i] != 0;
            let u = self.setpoint(m, d, i, memory.last.map(|l| l.1), early);
            let error = u - d.trn.actuator_length[i];
            let rate = match m.actuator_act(i).filter(|_| m.actuator_dyntype(i) != DynType::None) {
                Some(a) => d.force.act_dot[a],
                None => 0.0,
            };
            let error_rate = rate - d.motion.actuator_velocity[i];
            let integral = memory.integral.map_or(0.0, |(_, integral)| self.integrated(m, integral, error));
            d.force.actuator_force[i] = self.kp * error + self.kd * error_rate + self.ki * integral;
        }
    }
}
