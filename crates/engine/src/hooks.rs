//! Callbacks of a step: user-defined controls, forces, contact filters, sensors and actuator models.

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::Stage;
use crate::plugin::{Instance, Part};

/// Callbacks of a simulation. Implement the ones you need; the defaults do nothing. `()` has no callbacks.
pub trait Hooks {
    /// Reads the clock that stages are timed with.
    #[doc(alias = "mjcb_time")]
    fn time(&mut self) -> f64 {
        0.0
    }

    /// Sets `ctrl`, and optionally applied forces, once velocities are known.
    #[doc(alias = "mjcb_control")]
    fn control(&mut self, _m: &Model, _d: &mut Data) {}

    /// Adds to `qfrc_passive` after the built-in passive forces.
    #[doc(alias = "mjcb_passive")]
    fn passive(&mut self, _m: &Model, _d: &mut Data) {}

    /// Writes the `sensordata` of user sensors of a stage; called only if the stage has any.
    #[doc(alias = "mjcb_sensor")]
    fn sensor(&mut self, _m: &Model, _d: &mut Data, _stage: Stage) {}

    /// Returns true if two geoms must not collide; replaces the test of their contact types. Not called for explicit
    /// pairs.
    #[doc(alias = "mjcb_contactfilter")]
    fn contact_filter(&mut self, m: &Model, _d: &mut Data, geom1: usize, geom2: usize) -> bool {
        m.geom_contype[geom1] & m.geom_conaffinity[geom2] == 0 && m.geom_contype[geom2] & m.geom_conaffinity[geom1] == 0
    }

    /// Runs one part of a plugin instance. Bindings to another language override this to call instances written in it.
    fn plugin(&mut self, m: &Model, d: &mut Data, instance: &dyn Instance, part: Part) {
        part.run(instance, m, d);
    }

    /// Activation rate of a user actuator; for several activations, the callback writes `act_dot` itself.
    #[doc(alias = "mjcb_act_dyn")]
    fn act_dyn(&mut self, _m: &Model, _d: &mut Data, _actuator: usize) -> f64 {
        0.0
    }

    /// Gain of a user actuator.
    #[doc(alias = "mjcb_act_gain")]
    fn act_gain(&mut self, _m: &Model, _d: &mut Data, _actuator: usize) -> f64 {
        1.0
    }

    /// Bias of a user actuator.
    #[doc(alias = "mjcb_act_bias")]
    fn act_bias(&mut self, _m: &Model, _d: &mut Data, _actuator: usize) -> f64 {
        0.0
    }
}

impl Hooks for () {}
