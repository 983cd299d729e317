//! Workspace of step derivatives, reused between calls.

use super::contact::Geometry;
use super::fd::{Room, Transition};
use super::hessian::Rows;
use super::inverse::InverseRoom;
use super::lever::Lever;
use super::partials::Partials;
use super::path::Mover;
use super::remainder::RestWork;
use super::rk4::Chain;
use super::sensor::SensorRoom;
use super::tie::Field;
use super::tree::Tree;
use crate::data::{Contact, Data};
use crate::model::Model;
use sinew_math::lanes::{LANES, Lane};
use sinew_math::quat::IntegrateDerivative;
use sinew_math::sparse_chol::SparseChol;

/// Everything a derivative needs besides its result. Nothing is allocated after construction, unless there are far more
/// constraints than [`Data::new`] reserves capacity for.
#[derive(Clone, Debug)]
pub struct TransitionWork {
    pub(super) inner: Work,
    /// Derivatives of the force balance.
    pub(super) balance: Partials,
    /// Derivatives of the integrator's own terms.
    pub(super) shift: Partials,
    /// Acceleration from the forces, acceleration that the integrator uses, and their difference.
    pub(super) qacc: Vec<f64>,
    pub(super) advance: Vec<f64>,
    pub(super) lag: Vec<f64>,
    /// Velocity after the step.
    pub(super) next: Vec<f64>,
    /// Some columns before they are stored, and a product with them.
    pub(super) lanes: Vec<Lane>,
    pub(super) product: Vec<Lane>,
    pub(super) vectors: [Vec<f64>; 2],
    pub(super) turns: Vec<(usize, IntegrateDerivative)>,
    /// Derivatives of the stages of a Runge–Kutta step.
    pub(super) chain: Chain,
    /// Constraint rows.
    pub(super) rows: Rows,
    /// Factor of the solver's Hessian.
    pub(super) chol: SparseChol,
    /// Derivatives of sensors.
    pub(super) sensor: SensorRoom,
    /// Differences of whole steps, and matrices for products that have to build them.
    pub(super) differences: Room,
    pub(super) matrices: Transition,
    /// Derivatives of inverse dynamics.
    pub(super) inverse: InverseRoom,
}

/// Workspace of the individual terms.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// The simulation at the start of the step, with all stages computed.
    pub data: Data,
    /// A copy to be perturbed.
    pub trial: Data,
    pub tree: Tree,
    pub lever: Lever,
    pub movers: Vec<Mover>,
    pub rest: RestWork,
    /// Geometry derivatives of contacts, contacts of a perturbed pair, and motions of all bodies.
    pub geometry: Vec<Geometry>,
    pub found: Vec<Contact>,
    pub fields: [Field; 2],
    pub zero: Vec<f64>,
    pub nudged: Vec<f64>,
}

impl TransitionWork {
    /// Sensors that were differenced in the last derivative in which `C` or `D` was requested.
    pub fn sensors_differenced(&self) -> &[usize] {
        &self.sensor.differenced
    }

    /// Workspace for a model.
    pub fn new(m: &Model) -> Self {
        let of_nv = || vec![0.0; m.nv];
        let data = Data::new(m);
        let contacts = data.contact.capacity();
        TransitionWork {
            inner: Work {
                data,
                trial: Data::new(m),
                tree: Tree::new(m),
                lever: Lever::new(m),
                movers: Vec::with_capacity(m.nv),
                rest: RestWork::new(m),
                geometry: Vec::with_capacity(contacts),
                found: Vec::with_capacity(contacts),
                fields: [Field::new(m), Field::new(m)],
                zero: of_nv(),
                nudged: of_nv(),
            },
            balance: Partials::new(m),
            shift: Partials::new(m),
            qacc: of_nv(),
            advance: of_nv(),
            lag: of_nv(),
            next: of_nv(),
            lanes: vec![[0.0; LANES]; m.nv],
            product: vec![[0.0; LANES]; m.nv],
            vectors: [of_nv(), of_nv()],
            turns: Vec::with_capacity(m.njnt),
            chain: Chain::default(),
            rows: Rows::default(),
            chol: SparseChol::default(),
            sensor: SensorRoom::new(m),
            differences: Room::default(),
            matrices: Transition::default(),
            inverse: InverseRoom::default(),
        }
    }
}
