//! A simulation that owns its model, its data and its parts.
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
    /// A law of bending does not fit the flexes of the model.
    #[error("bending: {0}")]
    Bending(String),
    /// A law of elasticity does not fit the flexes of the model.
    #[error("elasticity: {0}")]
    Elasticity(String),
    /// A law does not fit the actuators of the model.
    #[error("actuators: {0}")]
    Actuators(String),
    /// The solver cannot serve the model.
    #[error("solver: {0}")]
    Solver(String),
    /// There is no room for the data, or trees cannot start asleep.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// Parts of a step, each of its own type.
#[derive(Clone, Debug, Default)]
pub struct Assembly<B, E, A, C, H> {
    /// Laws of bending of flexes.
    pub bending: B,
    /// Laws of elasticity of flexes.
    pub elasticity: E,
    /// Laws of actuators.
    pub actuators: A,
    /// The solver of constraint rows.
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

/// Chooses the parts of a simulation. Everything is as the model asks unless it is set: MuJoCo's physics for plain files.
#[derive(Clone, Debug, Default)]
pub struct SimBuilder<B = ByModel, E = ByModel, A = ByModel, C = ByModel, H = ()> {
    parts: Assembly<B, E, A, C, H>,
}

impl SimBuilder {
    /// Physics as the model asks for it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<B, E, A, C, H> SimBuilder<B, E, A, C, H> {
    /// Other laws of bending of flexes.
    pub fn bending<B2: Bending>(self, bending: B2) -> SimBuilder<B2, E, A, C, H> {
        let Assembly { elasticity, actuators, solver, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Other laws of elasticity of flexes.
    pub fn elasticity<E2: Elasticity>(self, elasticity: E2) -> SimBuilder<B, E2, A, C, H> {
        let Assembly { bending, actuators, solver, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Other laws of actuators.
    pub fn actuators<A2: Actuators>(self, actuators: A2) -> SimBuilder<B, E, A2, C, H> {
        let Assembly { bending, elasticity, solver, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Another solver of constraint rows.
    pub fn solver<C2: ConstraintSolver>(self, solver: C2) -> SimBuilder<B, E, A, C2, H> {
        let Assembly { bending, elasticity, actuators, hooks, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }

    /// Callbacks.
    pub fn hooks<H2: Hooks>(self, hooks: H2) -> SimBuilder<B, E, A, C, H2> {
        let Assembly { bending, elasticity, actuators, solver, .. } = self.parts;
        SimBuilder { parts: Assembly { bending, elasticity, actuators, solver, hooks } }
    }
}

impl<B: Bending, E: Elasticity, A: Actuators, C: ConstraintSolver, H: Hooks> SimBuilder<B, E, A, C, H> {
    /// The parts, checked against a model and ready for it; for those who step a [`Data`] of their own.
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

/// A model, its data and the parts that step them. Dispatch is static: the stages are compiled for these very parts.
#[derive(Clone, Debug)]
pub struct Sim<B = ByModel, E = ByModel, A = ByModel, C = ByModel, H = ()> {
    model: Arc<Model>,
    data: Data,
    parts: Assembly<B, E, A, C, H>,
}

/// The simulation that plain [`step`](crate::step::step) runs.
pub type MujocoSim = Sim;

/// Motion that looks right and never explodes: hinges, and the position-based solver.
pub type AnimationSim = Sim<Dihedral, ByModel, ByModel, Xpbd>;

/// Flexes that bear being squeezed and turned inside out.
pub type SoftBodySim = Sim<ByModel, FromModel<NeoHookean>>;

impl<B: Bending, E: Elasticity, A: Actuators, C: ConstraintSolver, H: Hooks> Sim<B, E, A, C, H> {
    /// Advances by one time step.
    ///
    /// # Errors
    /// [`StepError`]; time has not advanced then.
    pub fn step(&mut self) -> Result<(), StepError> {
        step::try_step(&self.model, &mut self.data, &mut self.parts)
    }

    /// [`Sim::step`] that insists on constraint forces within the tolerance, where the solver has one.
    ///
    /// # Errors
    /// [`StepError`]; time has not advanced then.
    pub fn step_strict(&mut self) -> Result<(), StepError> {
        step::try_step_strict(&self.model, &mut self.data, &mut self.parts)
    }

    /// Forces and accelerations of the present state.
    pub fn forward(&mut self) {
        step::forward_with(&self.model, &mut self.data, &mut self.parts);
    }

    /// The initial state.
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

    /// State and results, to be changed.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// The parts.
    pub fn parts(&self) -> &Assembly<B, E, A, C, H> {
        &self.parts
    }

    /// The parts, whose settings may change between steps.
    pub fn parts_mut(&mut self) -> &mut Assembly<B, E, A, C, H> {
        &mut self.parts
    }

    /// The same simulation from here on with another solver.
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
