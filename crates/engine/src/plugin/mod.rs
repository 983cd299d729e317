//! Engine plugins: forces, sensors, actuators and shapes that a model requests by name.
//!
//! A [`Plugin`] is a type of plugin, such as `mujoco.pid`; an [`Instance`] is a plugin with the settings of one model.
//! Instances are created once, when a model is compiled or loaded, and are immutable: everything that varies during a
//! simulation is in `plugin_state` or in another field of [`Data`], so copies, saved states and rollouts on many
//! threads only need to copy fields.
//!
//! There is no global state: the compiler is given a [`Registry`] with the plugins that a model may use.

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

/// A type of plugin.
#[doc(alias = "mjpPlugin")]
pub trait Plugin: Debug + Send + Sync {
    /// Name by which models request it, unique in a registry.
    fn name(&self) -> &str;

    /// Keys of its settings.
    fn attributes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Its capabilities.
    fn capabilities(&self) -> PluginCapabilities;

    /// Stage whose results its sensors need.
    fn needstage(&self) -> Stage {
        Stage::Pos
    }

    /// Number of state values of an instance.
    ///
    /// # Errors
    /// If the settings are invalid.
    fn nstate(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(0)
    }

    /// Number of outputs of a sensor.
    ///
    /// # Errors
    /// If the settings are invalid.
    fn nsensordata(&self, _config: &Config) -> Result<usize, PluginError> {
        Ok(0)
    }

    /// The signed distance field of an instance, for plugins with that capability.
    ///
    /// # Errors
    /// If the settings are invalid.
    fn field(&self, _config: &Config) -> Result<Box<dyn Field>, PluginError> {
        Err(PluginError::new(format!("plugin '{}' has no signed distances", self.name())))
    }

    /// Creates an instance. The model is complete except for the constants computed at its initial position.
    ///
    /// # Errors
    /// If the settings are invalid, or the plugin does not support an element that uses the instance.
    #[doc(alias = "init")]
    fn bind(&self, _m: &Model, _instance: usize, _config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        Ok(Box::new(()))
    }
}

/// Methods of an instance that are called during a step.
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
    /// Calls the method on an instance.
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

/// A plugin with its settings, in one model. `()` computes nothing, for plugins that only provide a shape.
pub trait Instance: Debug + Send + Sync {
    /// The instance itself, for hooks that know its type; see [`Hooks::plugin`](crate::hooks::Hooks::plugin).
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Writes the initial state, which is zero otherwise.
    fn reset(&self, _m: &Model, _state: &mut [f64]) {}

    /// Adds to `qfrc_passive`, after all other passive forces.
    fn passive(&self, _m: &Model, _d: &mut Data) {}

    /// Writes the activation rates of its actuators, after those of their `dyntype` have been computed.
    #[doc(alias = "actuator_act_dot")]
    fn act_dot(&self, _m: &Model, _d: &mut Data) {}

    /// Writes the forces of its actuators, before they are clamped.
    fn actuate(&self, _m: &Model, _d: &mut Data) {}

    /// Writes the outputs of its sensors, before their cutoff.
    fn sense(&self, _m: &Model, _d: &mut Data) {}

    /// Advances its state by a time step, after positions, velocities and time.
    fn advance(&self, _m: &Model, _d: &mut Data) {}
}

impl Instance for () {}
