//! Actuators with a custom law in place of gain and bias.

use super::ActuatorWork;
use crate::data::{Awake, Force, Motion, State, Trn};
use crate::model::Model;
use crate::model::enums::EnableFlags;
use crate::support::activation;
use crate::support::actuator::{ActuatorInput, ActuatorModel};
use crate::support::awake as subset;

/// Assigns custom laws to actuators.
pub trait Actuators {
    /// Type of the laws; an enum if there are several kinds.
    type Law: ActuatorModel + ?Sized;

    /// The law of an actuator; `None` if it uses the gain and bias of the model.
    fn law<'a>(&'a self, m: &'a Model, actuator: usize) -> Option<&'a Self::Law>;

    /// Whether any actuator may have a law.
    fn any(&self, _m: &Model) -> bool {
        true
    }

    /// Prepares the laws for a model.
    ///
    /// # Errors
    /// A message that says what does not match the model.
    fn prepare(&mut self, _m: &Model) -> Result<(), String> {
        Ok(())
    }
}

/// Laws of individual actuators by name; all others use the gain and bias of the model.
#[derive(Clone, Debug)]
pub struct PerActuator<L> {
    named: Vec<(String, L)>,
    /// Index into `named` for each actuator of the prepared model.
    of: Vec<Option<usize>>,
}

impl<L> PerActuator<L> {
    /// No laws.
    pub fn new() -> Self {
        PerActuator { named: Vec::new(), of: Vec::new() }
    }

    /// Adds a law for the actuator of this name; the last one added wins.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, law: L) -> Self {
        self.named.push((name.into(), law));
        self
    }
}

impl<L> Default for PerActuator<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: ActuatorModel> Actuators for PerActuator<L> {
    type Law = L;

    #[inline]
    fn law<'a>(&'a self, _m: &'a Model, actuator: usize) -> Option<&'a L> {
        let law = (*self.of.get(actuator)?)?;
        Some(&self.named[law].1)
    }

    fn prepare(&mut self, m: &Model) -> Result<(), String> {
        self.of = vec![None; m.nu];
        for (law, (name, model)) in self.named.iter().enumerate() {
            let i = m.actuator(name).map_err(|e| e.to_string())?.index();
            let (needs, has) = (model.state_size(), m.actuator_acts(i).len());
            if needs > has {
                return Err(format!("the law of '{name}' needs {needs} activations (dyntype, actdim), it has {has}"));
            }
            self.of[i] = Some(law);
        }
        Ok(())
    }
}

/// Activation rates, then forces, of the actuators with a custom law.
///
/// *Reads* `act`, lengths and velocities, controls from `work`. *Writes* `act_dot`, `actuator_force`.
pub fn laws<A: Actuators + ?Sized>(
    m: &Model,
    actuators: &A,
    awake: &Awake,
    state: &State,
    trn: &Trn,
    motion: &Motion,
    work: &ActuatorWork,
    force: &mut Force,
) {
    let sleeps = m.opt.enabled(EnableFlags::SLEEP);
    for i in 0..m.nu {
        let Some(law) = actuators.law(m, i) else { continue };
        if activation::is_disabled(m, i) || sleeps && subset::actuator_asleep(m, awake, i) {
            continue;
        }
        let x = ActuatorInput::new(m, state, trn, motion, force, &work.ctrl, i);
        law.act_dot(&x, &mut force.act_dot[m.actuator_acts(i)]);
        // built again: with `actearly` it holds the next activation, which depends on the new `act_dot`
        let x = ActuatorInput::new(m, state, trn, motion, force, &work.ctrl, i);
        force.actuator_force[i] = law.force(&x);
    }
}

/// Lets laws store state at the end of a step.
///
/// *Reads* controls from `work`. *Writes* `act`.
pub fn remember<A: Actuators + ?Sized>(m: &Model, actuators: &A, ctrl: &[f64], act: &mut [f64]) {
    for i in (0..m.nu).filter(|&i| !activation::is_disabled(m, i)) {
        if let Some(law) = actuators.law(m, i) {
            law.remember(ctrl[i], &mut act[m.actuator_acts(i)]);
        }
    }
}
