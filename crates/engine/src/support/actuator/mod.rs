//! Actuator laws: from length, velocity and input to a force, with the derivatives that implicit integrators need.
//!
//! MuJoCo's gains and biases are one law, [`Mujoco`]; other laws replace it for individual actuators.

mod dc_motor;
pub mod mujoco;
mod series_elastic;

use crate::data::{Force, Motion, State, Trn};
use crate::model::Model;
use crate::support::activation;
pub use dc_motor::DcMotor;
pub use mujoco::Mujoco;
pub use series_elastic::SeriesElastic;

/// Inputs of a law.
#[derive(Clone, Copy, Debug)]
pub struct ActuatorInput<'a> {
    /// The model, whose `actuator_*` arrays have the actuator's parameters.
    pub m: &'a Model,
    /// The actuator.
    pub id: usize,
    /// Length of its transmission.
    pub length: f64,
    /// Rate of change of the length.
    pub velocity: f64,
    /// The control after delay and clamping.
    pub ctrl: f64,
    /// Input of the force: the last activation (the one of the next step if `actearly`), or the control without any.
    pub input: f64,
    /// All activations of the actuator.
    pub act: &'a [f64],
    /// The time.
    pub time: f64,
}

impl<'a> ActuatorInput<'a> {
    /// The current inputs of actuator `id`; `ctrl` are the controls after delay and clamping.
    pub fn new(
        m: &'a Model,
        state: &'a State,
        trn: &Trn,
        motion: &Motion,
        force: &Force,
        ctrl: &[f64],
        id: usize,
    ) -> Self {
        let input = match m.actuator_act(id) {
            None => ctrl[id],
            Some(a) if m.actuator_actearly[id] != 0 => activation::next(m, id, state.act[a], force.act_dot[a]),
            Some(a) => state.act[a],
        };
        ActuatorInput {
            m,
            id,
            length: trn.actuator_length[id],
            velocity: motion.actuator_velocity[id],
            ctrl: ctrl[id],
            input,
            act: &state.act[m.actuator_acts(id)],
            time: state.time,
        }
    }
}

/// Derivatives of an actuator force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slopes {
    /// With respect to length.
    pub length: f64,
    /// With respect to velocity.
    pub velocity: f64,
    /// With respect to input.
    pub input: f64,
}

/// The law of one kind of actuator. Instances hold its parameters; its state is the `act` of the actuator, so that it
/// is saved, copied and reset with everything else.
///
/// ```
/// use sinew_engine::support::actuator::{ActuatorInput, ActuatorModel};
///
/// /// A spring between the actuator and a point that the control moves, stiffer the more it is stretched.
/// struct Hardening { k: f64 }
///
/// impl ActuatorModel for Hardening {
///     fn force(&self, x: &ActuatorInput<'_>) -> f64 {
///         let stretch = x.ctrl - x.length;
///         self.k * stretch * stretch.abs()
///     }
/// }
/// ```
pub trait ActuatorModel: Send + Sync {
    /// The total force along the transmission, before clamping.
    fn force(&self, x: &ActuatorInput<'_>) -> f64;

    /// Derivatives of the force; by central differences unless overridden.
    fn slopes(&self, x: &ActuatorInput<'_>) -> Slopes {
        let slope = |value: f64, at: &dyn Fn(f64) -> f64| {
            let eps = 1e-6 * value.abs().max(1.0);
            (at(value + eps) - at(value - eps)) / (2.0 * eps)
        };
        // without activations, the input is the control
        let follow = |input: f64| if x.act.is_empty() { input } else { x.ctrl };
        Slopes {
            length: slope(x.length, &|length| self.force(&ActuatorInput { length, ..*x })),
            velocity: slope(x.velocity, &|velocity| self.force(&ActuatorInput { velocity, ..*x })),
            input: slope(x.input, &|input| self.force(&ActuatorInput { input, ctrl: follow(input), ..*x })),
        }
    }

    /// Number of activations that the law needs; the file declares them with `dyntype="user"` and `actdim`.
    fn state_size(&self) -> usize {
        0
    }

    /// Activation rates, for laws with dynamics; `rates` initially holds those of the file's `dyntype`.
    fn act_dot(&self, _x: &ActuatorInput<'_>, _rates: &mut [f64]) {}

    /// Stores in `act` what the law needs from the completed step; called by every integrator.
    fn remember(&self, _ctrl: f64, _act: &mut [f64]) {}
}

/// Laws that a model file can request.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Law {
    /// [`SeriesElastic`].
    SeriesElastic(SeriesElastic),
    /// [`DcMotor`].
    DcMotor(DcMotor),
}

/// Calls the same method on any variant.
macro_rules! each {
    ($self:expr, $law:ident => $call:expr) => {
        match $self {
            Law::SeriesElastic($law) => $call,
            Law::DcMotor($law) => $call,
        }
    };
}

impl ActuatorModel for Law {
    fn force(&self, x: &ActuatorInput<'_>) -> f64 {
        each!(self, law => law.force(x))
    }

    fn slopes(&self, x: &ActuatorInput<'_>) -> Slopes {
        each!(self, law => law.slopes(x))
    }

    fn state_size(&self) -> usize {
        each!(self, law => law.state_size())
    }

    fn act_dot(&self, x: &ActuatorInput<'_>, rates: &mut [f64]) {
        each!(self, law => law.act_dot(x, rates))
    }

    fn remember(&self, ctrl: f64, act: &mut [f64]) {
        each!(self, law => law.remember(ctrl, act))
    }
}
