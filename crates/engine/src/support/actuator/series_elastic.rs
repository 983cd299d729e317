//! Series elastic actuator.

use super::{ActuatorInput, ActuatorModel, Slopes};

/// Series elastic actuator: the control positions the motor, which drives the joint through a spring.
///
/// *Equation*: `F = k (g u − l) + d (g u̇ − l̇)`, with gear `g`. The motor velocity is the rate of the control over the
/// last step, `u̇ = (u − u₋)/h`. The previous control `u₋` is the actuator's activation, so that it is 0 after a reset
/// and part of every saved state. Without an activation (`dyntype="user" actdim="1"`) the motor velocity is taken as
/// zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesElastic {
    /// Stiffness of the spring.
    pub k: f64,
    /// Damping of the spring.
    pub d: f64,
    /// Motion of the motor per unit of control.
    pub gear: f64,
}

impl SeriesElastic {
    /// Rate of the control.
    fn rate(x: &ActuatorInput<'_>) -> f64 {
        x.act.last().map_or(0.0, |last| (x.ctrl - last) / x.m.opt.timestep)
    }
}

impl ActuatorModel for SeriesElastic {
    fn force(&self, x: &ActuatorInput<'_>) -> f64 {
        self.k * (self.gear * x.ctrl - x.length) + self.d * (self.gear * Self::rate(x) - x.velocity)
    }

    fn slopes(&self, x: &ActuatorInput<'_>) -> Slopes {
        // with an activation, the input is the previous control
        let moving = self.d * self.gear / x.m.opt.timestep;
        let input = if x.act.is_empty() { self.k * self.gear } else { -moving };
        Slopes { length: -self.k, velocity: -self.d, input }
    }

    fn act_dot(&self, _x: &ActuatorInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
    }

    fn remember(&self, ctrl: f64, act: &mut [f64]) {
        act.iter_mut().for_each(|act| *act = ctrl);
    }
}
