//! The exchangeable parts of a step: callbacks, laws of flexes and of actuators, a constraint solver. The stages of
//! [`step`](crate::step) are generic over [`Parts`]; any [`Hooks`] is also a [`Parts`], with the physics that the model
//! selects.

use crate::actuation::Actuators;
use crate::data::multiplier::Multiplier;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::solver::{ConstraintSolver, Convex, Given, Made, SolverRoom, Sought};
use crate::support::actuator::Law;
use crate::support::bending::{Bending, Dihedral};
use crate::support::elastic::{Elasticity, Material};

/// The exchangeable parts of a step. They are types, so that each combination compiles to its own code and the default
/// one has no overhead.
pub trait Parts {
    /// Callbacks.
    type Hooks: Hooks + ?Sized;
    /// Bending laws of flexes.
    type Bending: Bending;
    /// Elasticity laws of flexes.
    type Elasticity: Elasticity;
    /// Actuator laws.
    type Actuators: Actuators;
    /// The constraint solver.
    type Solver: ConstraintSolver;

    /// Callbacks.
    fn hooks(&mut self) -> &mut Self::Hooks;
    /// Bending laws of flexes.
    fn bending(&self) -> &Self::Bending;
    /// Elasticity laws of flexes.
    fn elasticity(&self) -> &Self::Elasticity;
    /// Actuator laws.
    fn actuators(&self) -> &Self::Actuators;
    /// The constraint solver.
    fn solver(&self) -> &Self::Solver;
}

/// Physics as the model specifies it: MuJoCo's, except where the file requests an extension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByModel;

impl<H: Hooks + ?Sized> Parts for H {
    type Hooks = H;
    type Bending = ByModel;
    type Elasticity = ByModel;
    type Actuators = ByModel;
    type Solver = ByModel;

    #[inline(always)]
    fn hooks(&mut self) -> &mut H {
        self
    }

    #[inline(always)]
    fn bending(&self) -> &ByModel {
        &ByModel
    }

    #[inline(always)]
    fn elasticity(&self) -> &ByModel {
        &ByModel
    }

    #[inline(always)]
    fn actuators(&self) -> &ByModel {
        &ByModel
    }

    #[inline(always)]
    fn solver(&self) -> &ByModel {
        &ByModel
    }
}

impl Bending for ByModel {
    type Law = Dihedral;

    #[inline(always)]
    fn law<'a>(&'a self, m: &'a Model, flex: usize) -> Option<&'a Dihedral> {
        m.extension().bending.get(flex)?.as_ref()
    }
}

impl Elasticity for ByModel {
    type Law = Material;

    #[inline(always)]
    fn law<'a>(&'a self, m: &'a Model, flex: usize) -> Option<&'a Material> {
        m.extension().elasticity.get(flex)?.as_ref()
    }
}

impl Actuators for ByModel {
    type Law = Law;

    #[inline(always)]
    fn law<'a>(&'a self, m: &'a Model, actuator: usize) -> Option<&'a Law> {
        m.extension().actuators.get(actuator)?.as_ref()
    }

    #[inline(always)]
    fn any(&self, m: &Model) -> bool {
        !m.extension().actuators.is_empty()
    }
}

impl ConstraintSolver for ByModel {
    fn check(&self, m: &Model) -> Result<(), String> {
        m.extension().solver.map_or(Ok(()), |xpbd| xpbd.check(m))
    }

    fn prepare(&self, m: &Model, room: &mut SolverRoom) {
        if let Some(xpbd) = &m.extension().solver {
            xpbd.prepare(m, room);
        }
    }

    fn is_dual(&self, m: &Model) -> bool {
        m.extension().solver.is_none() && Convex.is_dual(m)
    }

    fn solve(&self, m: &Model, x: Given<'_>, out: Sought<'_>, room: &mut SolverRoom, threads: usize) {
        match &m.extension().solver {
            None => Convex.solve(m, x, out, room, threads),
            Some(xpbd) => xpbd.solve(m, x, out, room, threads),
        }
    }

    fn remember(&self, m: &Model, x: Made<'_>, room: &SolverRoom, memory: &mut Vec<Multiplier>) {
        if let Some(xpbd) = &m.extension().solver {
            xpbd.remember(m, x, room, memory);
        }
    }

    fn mean_velocity<'a>(&self, m: &Model, room: &'a SolverRoom) -> Option<&'a [f64]> {
        m.extension().solver.as_ref()?.mean_velocity(m, room)
    }

    fn iterates_to_tolerance(&self, m: &Model) -> bool {
        m.extension().solver.is_none()
    }
}
