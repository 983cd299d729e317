//! Workspace for the derivatives.

use crate::model::Model;

/// Buffers of the derivative stage.
#[derive(Clone, Debug)]
pub struct DerivativeWork {
    /// Jacobian of one body along its chain of dofs.
    pub chain: ChainWork,
    /// Derivative of Coriolis forces.
    pub rne: RneDerivWork,
}

impl DerivativeWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let nv = m.nv;
        DerivativeWork {
            chain: ChainWork {
                dofs: vec![0; nv],
                jac: vec![[0.0; 6]; nv],
                product: vec![[0.0; 6]; nv],
                row: vec![0.0; nv],
            },
            rne: RneDerivWork { body: vec![[0.0; 12]; m.nbody], dof: vec![Default::default(); nv] },
        }
    }
}

/// Dofs that move a body, in increasing order, with their Jacobian columns.
#[derive(Clone, Debug)]
pub struct ChainWork {
    /// The dofs.
    pub dofs: Vec<i32>,
    /// Columns of a Jacobian.
    pub jac: Vec<[f64; 6]>,
    /// Columns of a product with the Jacobian.
    pub product: Vec<[f64; 6]>,
    /// One value per dof.
    pub row: Vec<f64>,
}

/// Composite terms of the derivative of Coriolis forces.
#[derive(Clone, Debug)]
pub struct RneDerivWork {
    /// A 3 × 3 matrix and a momentum per body.
    pub body: Vec<[f64; 12]>,
    /// Terms per dof.
    pub dof: Vec<AxisTerms>,
}

/// Contribution of one dof to the derivative of Coriolis forces.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxisTerms {
    /// Change of the accelerations of the bodies below, per unit speed.
    pub shift: [f64; 6],
    /// Change of the force on the whole subtree.
    pub force: [f64; 6],
    /// Momentum of the whole subtree, per unit speed.
    pub momentum: [f64; 6],
    /// Coefficient of an ancestor's rotation.
    pub turn: [f64; 3],
}
