//! The workspaces of all stages. They carry nothing from one stage to the next: results are in the blocks of
//! [`Data`](crate::Data), so that a simulation can be copied, saved or given another workspace at any point.

use crate::actuation::ActuatorWork;
use crate::collision::CollisionWork;
use crate::constraint::ConstraintWork;
use crate::deformable::DeformableWork;
use crate::derivative::DerivativeWork;
use crate::integrate::IntegrateWork;
use crate::inverse::InverseWork;
use crate::island::IslandWork;
use crate::model::Model;
use crate::sensor::SensorWork;
use crate::solver::SolverRoom;
use crate::support::bending::{self, HingeRest};
use crate::support::row::RowWork;
use crate::velocity::BodyWork;

/// Buffers allocated once by [`Scratch::new`], so that stages never allocate.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Jacobians of tendons.
    pub kinematics: RowWork,
    /// A row of zeros for the cables of pulleys, if there are any.
    pub rotor: Vec<f64>,
    /// Pairs of bodies and geoms.
    pub collision: CollisionWork,
    /// Rows of one constraint.
    pub constraint: ConstraintWork,
    /// Sets of trees.
    pub island: IslandWork,
    /// Rest state of flex hinges, where a bending law needs it.
    pub hinges: Vec<HingeRest>,
    /// Inputs of actuators.
    pub actuation: ActuatorWork,
    /// Accelerations and forces of bodies.
    pub velocity: BodyWork,
    /// Values of sensors.
    pub sensor: SensorWork,
    /// Derivatives of forces.
    pub derivative: DerivativeWork,
    /// Vectors and factors of the constraint solvers, for each thread.
    pub solver: SolverRoom,
    /// Particles of deformables.
    pub deformable: DeformableWork,
    /// Intermediate states of integrators.
    pub integrate: IntegrateWork,
    /// Saved inputs and results of inverse dynamics.
    pub inverse: InverseWork,
}

impl Scratch {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        Scratch {
            kinematics: RowWork::new(m.nv),
            rotor: vec![0.0; if m.extension().pulleys.is_empty() { 0 } else { m.nv }],
            collision: CollisionWork::new(m),
            constraint: ConstraintWork::new(m),
            island: IslandWork::new(m),
            hinges: if m.extension().bending.is_empty() { Vec::new() } else { bending::rest(m) },
            actuation: ActuatorWork::new(m),
            velocity: BodyWork::new(m),
            sensor: SensorWork::new(m),
            derivative: DerivativeWork::new(m),
            solver: SolverRoom::new(m),
            deformable: DeformableWork::new(m),
            integrate: IntegrateWork::new(m),
            inverse: InverseWork::new(m),
        }
    }
}
