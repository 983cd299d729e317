//! A simulation that owns its model, its data and its exchangeable parts.
//!
//! ```
//! use sinew_engine::sim::SimBuilder;
//! use sinew_engine::solver::xpbd::Xpbd;
//! # fn run(model: sinew_engine::Model) -> Result<(), Box<dyn std::error::Error>> {
//! let mut sim = SimBuilder::new().solver(Xpbd::new(4)).build(model)?;
//! while sim.data().state.time < 1.0 {
//!     sim.step()?;
//! }
//! # Ok(()) }
//! ```

use crate::actuation::Actuators;
use crate::data::Data;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::parts::{ByModel, Parts};
use crate::reset::DataError;
use crate::solver::ConstraintSolver;
use crate::solver::xpbd::Xpbd;
use crate::step::{self, StepError};
use crate::support::bending::{Bending, Dihedral};
use crate::support::elastic::{Elasticity, FromModel, NeoHookean};
use std::sync::Arc;

/// Why a simulation cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A bending law does not fit the model's flexes.
    #[error("bending: {0}")]
    Bending(String),
    /// An elasticity law does not fit the model's flexes.
    #[error("elasticity: {0}")]
    Elasticity(String),
    /// An actuator law does not fit the model's actuators.
    #[error("actuators: {0}")]
    Actuators(String),
    /// The solver does not support the model.
    #[error("solver: {0}")]
    Solver(String),
    /// There is not enough memory for the data, or trees cannot start asleep.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// The parts of a step, each with its own type parameter.
#[derive(Clone, Debug, Default)]
pub struct Assembly<B, E, A, C, H> {
    /// Bending laws of flexes.
    pub bending: B,
    /// Elasticity laws of flexes.
    pub elasticity: E,
    /// Actuator laws.
    pub actuators: A,
    /// The constraint solver.
    pub solver: C,
    /// Callbacks.
    pub hooks: H,
}

impl<B: Bending, E: Elasticity, A: Actuators, C: ConstraintSolver, H: Hooks> Parts for Assembly<B, E, A, C, H> {
    type Hooks = H;
    type Bending = B;
    type Elasticity = E;
    type Actuators = A;
    type Solver = C;

    #[inline(always)]
    fn hooks(&mut self) -> &mut H {
        &mut self.hooks
    }

    #[inline(always)]
    fn bending(&self) -> &B {
        &self.bending
    }

    #[inline(always)]
    fn elasticity(&self) -> &E {
        &self.elasticity
    }

    #[inline(always)]
    fn actuators(&self) -> &A {
        &self.actuators
    }

    #[inline(always)]
    fn solver(&self) -> &C {
        &self.solver
    }
}

/// Chooses the parts of a simulation. Parts that are not set follow the model: MuJoCo's physics for plain files.
#[derive(Clone, Debug, Default)]
pub struct SimBuilder<B = ByModel, E = ByModel, A = ByModel, C = ByModel, H = ()> {
    parts: Assembly<B, E, A, C, H>,
}

impl SimBuilder {
    /// Physics as the model specifies it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<B, E, A, C, H> SimBuilder<B, E, A, C, H> {
    /// Replaces the bending laws of flexes.
    pub fn bending<B2: Bending>(self, bending: B2) -> SimBuilder<B2, E, A, C, H> {
        let Assembly { elasticity, actuators, solver, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Replaces the elasticity laws of flexes.
    pub fn elasticity<E2: Elasticity>(self, elasticity: E2) -> SimBuilder<B, E2, A, C, H> {
        let Assembly { bending, actuators, solver, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Replaces the actuator laws.
    pub fn actuators<A2: Actuators>(self, actuators: A2) -> SimBuilder<B, E, A2, C, H> {
        let Assembly { bending, elasticity, solver, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Replaces the constraint solver.
    pub fn solver<C2: ConstraintSolver>(self, solver: C2) -> SimBuilder<B, E, A, C2, H> {
        let Assembly { bending, elasticity, actuators, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Sets the callbacks.
    pub fn hooks<H2: Hooks>(self, hooks: H2) -> SimBuilder<B, E, A, C, H2> {
        let Assembly { bending, elasticity, actuators, solver, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }
}

impl<B: Bending, E: Elasticity, A: Actuators, C: ConstraintSolver, H: Hooks> SimBuilder<B, E, A, C, H> {
    /// The parts, checked against a model and prepared for it; for callers that step a [`Data`] themselves.
    ///
    /// # Errors
    /// [`BuildError`].
    pub fn parts(self, m: &Model) -> Result<Assembly<B, E, A, C, H>, BuildError> {
        let mut parts = self.parts;
        parts.bending.prepare(m).map_err(BuildError::Bending)?;
        parts.elasticity.prepare(m).map_err(BuildError::Elasticity)?;
        parts.actuators.prepare(m).map_err(BuildError::Actuators)?;
        parts.solver.check(m).map_err(BuildError::Solver)?;
        Ok(parts)
    }

    /// A simulation of a model in its initial state.
    ///
    /// # Errors
    /// [`BuildError`].
    pub fn build(self, model: impl Into<Arc<Model>>) -> Result<Sim<B, E, A, C, H>, BuildError> {
        let model = model.into();
        let parts = self.parts(&model)?;
        let mut data = Data::try_new(&model)?;
        parts.solver.prepare(&model, &mut data.scratch.solver);
        Ok(Sim { model, data, parts })
    }
}

/// A model, its data and the parts that step them. Dispatch is static: the stages are compiled for these parts.
#[derive(Clone, Debug)]
pub struct Sim<B = ByModel, E = ByModel, A = ByModel, C = ByModel, H = ()> {
    model: Arc<Model>,
    data: Data,
    parts: Assembly<B, E, A, C, H>,
}

/// The simulation that plain [`step`](crate::step::step) runs.
pub type MujocoSim = Sim;

/// Plausible motion that stays stable: bending hinges and the position-based solver.
pub type AnimationSim = Sim<Dihedral, ByModel, ByModel, Xpbd>;

/// Flexes that survive strong compression and inverted elements.
pub type SoftBodySim = Sim<ByModel, FromModel<NeoHookean>>;

impl<B: Bending, E: Elasticity, A: Actuators, C: ConstraintSolver, H: Hooks> Sim<B, E, A, C, H> {
    /// Advances by one time step.
    ///
    /// # Errors
    /// [`StepError`]; time has then not advanced.
    pub fn step(&mut self) -> Result<(), StepError> {
        step::try_step(&self.model, &mut self.data, &mut self.parts)
    }

    /// [`Sim::step`] that also requires the solver to converge to its tolerance, if it has one.
    ///
    /// # Errors
    /// [`StepError`]; time has then not advanced.
    pub fn step_strict(&mut self) -> Result<(), StepError> {
        step::try_step_strict(&self.model, &mut self.data, &mut self.parts)
    }

    /// Computes forces and accelerations of the current state.
    pub fn forward(&mut self) {
        step::forward_with(&self.model, &mut self.data, &mut self.parts);
    }

    /// Resets to the initial state.
    pub fn reset(&mut self) {
        self.data.reset(&self.model);
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// State and results.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// State and results, mutable.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// The parts.
    pub fn parts(&self) -> &Assembly<B, E, A, C, H> {
        &self.parts
    }

    /// The parts, mutable: their settings may change between steps.
    pub fn parts_mut(&mut self) -> &mut Assembly<B, E, A, C, H> {
        &mut self.parts
    }

    /// Continues the same simulation with another solver.
    ///
    /// # Errors
    /// [`BuildError::Solver`].
    pub fn with_solver<C2: ConstraintSolver>(self, solver: C2) -> Result<Sim<B, E, A, C2, H>, BuildError> {
        let Sim { model, mut data, parts: Assembly { bending, elasticity, actuators, hooks, .. } } = self;
        solver.check(&model).map_err(BuildError::Solver)?;
        solver.prepare(&model, &mut data.scratch.solver);
        Ok(Sim { model, data, parts: Assembly { bending, elasticity, actuators, solver, hooks } })
    }
}
