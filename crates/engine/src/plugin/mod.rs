//! Engine plugins: forces, sensors, actuators and shapes that a model asks for by name.
//!
//! A [`Plugin`] is a kind, such as `mujoco.pid`; an [`Instance`] is what becomes of it with the settings of one model.
//! Instances are made once, when a model is compiled or read, and never change: everything that varies during a
//! simulation is in `plugin_state` or in another field of [`Data`], so that copies, saved states and roll-outs on many
//! threads need no more than copies of fields.
//!
//! Nothing is global: a [`Registry`] with the plugins that a model may ask for is handed to whoever compiles it.

mod bound;
pub mod cable;
mod config;
pub mod pid;
mod registry;
pub mod sdf;
pub mod touch_grid;

pub use crate::model::enums::PluginCapabilities;
pub use bound::{Bound, Plugins, UnboundPlugin};
pub use config::{Config, PluginError};
pub use registry::{RegisterError, Registry};
pub use sinew_geometry::field::{Field, differences};

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::Stage;
use std::any::Any;
use std::fmt::Debug;

/// A kind of plugin.
#[doc(alias = "mjpPlugin")]
pub trait Plugin: Debug + Send + Sync {
    /// Name under which models ask for it, unique in a registry.
    fn name(&self) -> &str;

    /// Keys of its settings.
    fn attributes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What it computes.
    fn capabilities(&self) -> PluginCapabilities;

    /// Stage whose results its sensors need.
    fn needstage(&self) -> Stage {
        Stage::Pos
    }

    /// Numbers in the state of an instance.
    ///
    /// # Errors
    /// Settings that make no sense.
    fn nstate(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(0)
    }

    /// Outputs of a sensor.
    ///
    /// # Errors
    /// Settings that make no sense.
    fn nsensordata(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(0)
    }

    /// The shape of an instance, for plugins with signed distances.
    ///
    /// # Errors
    /// Settings that make no sense.
    fn field(&self, _config: &Config) -> Result<Box<dyn Field>, PluginError> {
        Err(PluginError::new(format!("plugin '{}' has no signed distances", self.name())))
    }

    /// Makes an instance. The model is complete, but for constants at its initial position.
    ///
    /// # Errors
    /// Settings that make no sense, or elements that the plugin cannot serve.
    #[doc(alias = "init")]
    fn bind(&self, _m: &Model, _instance: usize, _config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        Ok(Box::new(()))
    }
}

/// What an instance is asked to compute in the course of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// [`Instance::passive`].
    Passive,
    /// [`Instance::act_dot`].
    ActDot,
    /// [`Instance::actuate`].
    Actuate,
    /// [`Instance::sense`].
    Sense,
    /// [`Instance::advance`].
    Advance,
}

impl Part {
    /// Asks an instance.
    pub fn run(self, instance: &dyn Instance, m: &Model, d: &mut Data) {
        match self {
            Part::Passive => instance.passive(m, d),
            Part::ActDot => instance.act_dot(m, d),
            Part::Actuate => instance.actuate(m, d),
            Part::Sense => instance.sense(m, d),
            Part::Advance => instance.advance(m, d),
        }
    }
}

/// A plugin with its settings, in one model. `()` is one that computes nothing but a shape.
pub trait Instance: Debug + Send + Sync {
    /// The instance itself, for hooks that know its type; see [`Hooks::plugin`](crate::hooks::Hooks::plugin).
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Writes the initial state in place of zeros.
    fn reset(&self, _m: &Model, _state: &mut [f64]) {}

    /// Adds to `qfrc_passive`, after all other passive forces.
    fn passive(&self, _m: &Model, _d: &mut Data) {}

    /// Writes the rates of activations of its actuators, after those that follow from their type of dynamics.
    #[doc(alias = "actuator_act_dot")]
    fn act_dot(&self, _m: &Model, _d: &mut Data) {}

    /// Writes the forces of its actuators, before they are clamped.
    fn actuate(&self, _m: &Model, _d: &mut Data) {}

    /// Writes the outputs of its sensors, before their cutoff.
    fn sense(&self, _m: &Model, _d: &mut Data) {}

    /// Advances its state by a time step, once positions, velocities and time have been.
    fn advance(&self, _m: &Model, _d: &mut Data) {}
}

impl Instance for () {}
