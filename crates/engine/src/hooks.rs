//! What users add to a step: their own controls, forces, contact filters, sensors and actuator models.

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::Stage;
use crate::plugin::{Instance, Part};

/// Callbacks of a simulation. Implement the ones you need; the others do nothing. `()` has none.
pub trait Hooks {
    /// The clock that stages are timed with.
    #[doc(alias = "mjcb_time")]
    fn time(&mut self) -> f64 {
        0.0
    }

    /// Sets `ctrl`, and forces if it likes, once velocities are known.
    #[doc(alias = "mjcb_control")]
    fn control(&mut self, _m: &Model, _d: &mut Data) {}

    /// Adds to `qfrc_passive` after the built-in passive forces.
    #[doc(alias = "mjcb_passive")]
    fn passive(&mut self, _m: &Model, _d: &mut Data) {}

    /// Writes the `sensordata` of user sensors of a stage; called only if there are any.
    #[doc(alias = "mjcb_sensor")]
    fn sensor(&mut self, _m: &Model, _d: &mut Data, _stage: Stage) {}

    /// Whether two geoms do not collide, asked in place of the comparison of their contact types. Explicit pairs
    /// are not asked about.
    #[doc(alias = "mjcb_contactfilter")]
    fn contact_filter(&mut self, m: &Model, _d: &mut Data, geom1: usize, geom2: usize) -> bool {
        m.geom_contype[geom1] & m.geom_conaffinity[geom2] == 0 && m.geom_contype[geom2] & m.geom_conaffinity[geom1] == 0
    }

    /// Asks a plugin instance for its part in a step. Whoever embeds another language calls its instances from here.
    fn plugin(&mut self, m: &Model, d: &mut Data, instance: &dyn Instance, part: Part) {
        part.run(instance, m, d);
    }

    /// Rate of activation of a user actuator; one with several activations writes the rest of `act_dot`.
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
