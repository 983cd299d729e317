//! Room for what a stage computes on the way; nothing in it outlives the stage.

use super::collision_work::CollisionWork;
use super::solver::SolverWork;
use crate::model::Model;
use crate::model::enums::Integrator;
use sinew_math::sparse_chol::SparseChol;

/// Buffers sized once by [`Scratch::new`], so that stages never allocate.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// What the collision stage works with.
    pub collision: CollisionWork,
    /// A dense row.
    pub row: Vec<f64>,
    /// A sparse row being summed.
    pub sum: RowWork,
    /// Rows of one constraint.
    pub block: Block,
    /// What the constraint solver works with.
    pub solver: SolverWork,
    /// The same for each thread that solves islands; none unless [`Data::set_threads`](super::Data::set_threads).
    pub workers: Vec<SolverWork>,
    /// What the island stage works with.
    pub island: IslandWork,
    /// Accelerations and forces of bodies.
    pub body: BodyWork,
    /// What the actuation stage works with.
    pub actuator: ActuatorWork,
    /// Jacobian of one body along its chain of dofs.
    pub chain: ChainWork,
    /// Derivative of Coriolis forces.
    pub rne: RneDerivWork,
    /// Acceleration that an integrator advances with.
    pub qacc: Vec<f64>,
    /// Remaining entries per row of a factorisation.
    pub left: Vec<i32>,
    /// Intermediate states of the Runge–Kutta method.
    pub rk4: Rk4Work,
    /// Values of one sensor.
    pub sensor: Vec<f64>,
    /// Springs and dampers that an integrator treats implicitly.
    pub spring: SpringWork,
    /// Applied and constraint forces of forward dynamics, while inverse dynamics is compared with them.
    pub fwdinv: [Vec<f64>; 2],
}

/// Springs and dampers of the tendons that pull, and the matrix they are part of.
#[derive(Clone, Debug, Default)]
pub struct SpringWork {
    /// Mass matrix with all springs and dampers that keep its sparsity.
    pub mass: Vec<f64>,
    /// What springs pull with because of the velocity, over a step.
    pub pull: Vec<f64>,
    /// An acceleration.
    pub row: Vec<f64>,
    /// Factor of `JᵀJ` of each tendon.
    pub weights: Vec<f64>,
    /// Where the entries of each tendon end.
    pub ends: Vec<usize>,
    /// Columns of the Jacobians.
    pub cols: Vec<i32>,
    /// Their values.
    pub values: Vec<f64>,
    /// Factor of the whole matrix.
    pub chol: SparseChol,
}

impl SpringWork {
    /// Room for a model, if it uses this integrator; otherwise it is made when first needed.
    fn new(m: &Model) -> Self {
        if m.opt.integrator != Integrator::Implicitspringdamper {
            return Self::default();
        }
        let (nv, n) = (m.nv, m.ntendon);
        SpringWork {
            mass: Vec::with_capacity(m.nC),
            pull: Vec::with_capacity(nv),
            row: Vec::with_capacity(nv),
            weights: Vec::with_capacity(n),
            ends: Vec::with_capacity(n),
            cols: Vec::with_capacity(n * nv),
            values: Vec::with_capacity(n * nv),
            chol: if n > 0 {
                SparseChol::with_capacity(nv, [n, n * nv], nv * (nv + 1) / 2, false)
            } else {
                SparseChol::default()
            },
        }
    }

    /// No springs, for `nv` dofs.
    pub fn clear(&mut self, nv: usize) {
        for vector in [&mut self.pull, &mut self.row] {
            vector.clear();
            vector.resize(nv, 0.0);
        }
        self.mass.clear();
        self.weights.clear();
        self.ends.clear();
        self.cols.clear();
        self.values.clear();
    }

    /// Adds a tendon with the given columns and values.
    pub fn push(&mut self, entries: impl Iterator<Item = (usize, f64)>, weight: f64) {
        for (col, value) in entries {
            self.cols.push(col as i32);
            self.values.push(value);
        }
        self.ends.push(self.cols.len());
        self.weights.push(weight);
    }
}

/// Dofs that move a body, in increasing order, with a motion for each.
#[derive(Clone, Debug)]
pub struct ChainWork {
    /// The dofs.
    pub dofs: Vec<i32>,
    /// Columns of a Jacobian.
    pub jac: Vec<[f64; 6]>,
    /// Columns of a product with it.
    pub product: Vec<[f64; 6]>,
    /// One number per dof.
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

/// What one dof contributes to the derivative of Coriolis forces.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxisTerms {
    /// Change of the accelerations below it, per unit speed.
    pub shift: [f64; 6],
    /// Change of the force on everything it carries.
    pub force: [f64; 6],
    /// Momentum of everything it carries, per unit speed.
    pub momentum: [f64; 6],
    /// Factor of an ancestor's rotation.
    pub turn: [f64; 3],
}

/// Four states and their rates.
#[derive(Clone, Debug)]
pub struct Rk4Work {
    /// Position at the beginning.
    pub qpos: Vec<f64>,
    /// Velocities, then activations, of each stage.
    pub x: [Vec<f64>; 4],
    /// Accelerations, then activation rates, of each stage.
    pub f: [Vec<f64>; 4],
    /// Mean velocity.
    pub dq: Vec<f64>,
    /// Mean acceleration, then mean activation rate.
    pub dv: Vec<f64>,
}

/// A sparse row being summed; see `RowSum`.
#[derive(Clone, Debug)]
pub struct RowWork {
    /// A value per dof, valid where marked.
    pub values: Vec<f64>,
    /// Dofs met so far.
    pub marked: Vec<bool>,
    /// The same as a list.
    pub dofs: Vec<i32>,
}

/// Up to six Jacobian rows with common columns.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Dofs in increasing order.
    pub dofs: Vec<i32>,
    /// Values of all rows at each dof.
    pub cols: Vec<[f64; 6]>,
}

impl Block {
    /// Forgets all columns.
    pub fn clear(&mut self) {
        self.dofs.clear();
        self.cols.clear();
    }

    /// Adds a column after all others.
    #[inline]
    pub fn push(&mut self, dof: usize, col: [f64; 6]) {
        self.dofs.push(dof as i32);
        self.cols.push(col);
    }
}

/// Trees and places of islands.
#[derive(Clone, Debug)]
pub struct IslandWork {
    /// Sets of trees that constraints tie together.
    pub set: Vec<i32>,
    /// Next free place of each island.
    next: Vec<i32>,
}

impl IslandWork {
    /// Next free place of each island, and of what belongs to none.
    pub fn next(&mut self, starts: &[i32], end: i32) -> &mut [i32] {
        self.next.clear();
        self.next.extend_from_slice(starts);
        self.next.push(end);
        &mut self.next
    }
}

/// Two spatial vectors per body.
#[derive(Clone, Debug)]
pub struct BodyWork {
    /// Accelerations, or velocities.
    pub acc: Vec<[f64; 6]>,
    /// Forces.
    pub frc: Vec<[f64; 6]>,
}

/// Inputs of actuators.
#[derive(Clone, Debug)]
pub struct ActuatorWork {
    /// Controls after delay and clamping.
    pub ctrl: Vec<f64>,
    /// Gains of user actuators, 1 unless a callback gives them.
    pub gain: Vec<f64>,
    /// Biases of user actuators, 0 unless a callback gives them.
    pub bias: Vec<f64>,
    /// Total actuator force at each tendon.
    pub tendon: Vec<f64>,
}

impl Scratch {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let nv = m.nv;
        Scratch {
            collision: CollisionWork::new(m),
            sum: RowWork { values: vec![0.0; nv], marked: vec![false; nv], dofs: Vec::with_capacity(nv) },
            block: Block { dofs: Vec::with_capacity(nv), cols: Vec::with_capacity(nv) },
            solver: SolverWork::new(m),
            workers: Vec::new(),
            island: IslandWork { set: vec![0; m.ntree], next: Vec::with_capacity(m.ntree + 1) },
            row: vec![0.0; nv],
            chain: ChainWork {
                dofs: vec![0; nv],
                jac: vec![[0.0; 6]; nv],
                product: vec![[0.0; 6]; nv],
                row: vec![0.0; nv],
            },
            rne: RneDerivWork { body: vec![[0.0; 12]; m.nbody], dof: vec![Default::default(); nv] },
            qacc: vec![0.0; nv],
            fwdinv: [vec![0.0; nv], vec![0.0; nv]],
            left: vec![0; nv],
            spring: SpringWork::new(m),
            sensor: vec![0.0; m.sensor_dim.iter().max().map_or(0, |&n| n as usize)],
            rk4: Rk4Work {
                qpos: vec![0.0; m.nq],
                x: std::array::from_fn(|_| vec![0.0; nv + m.na]),
                f: std::array::from_fn(|_| vec![0.0; nv + m.na]),
                dq: vec![0.0; nv],
                dv: vec![0.0; nv + m.na],
            },
            actuator: ActuatorWork {
                ctrl: vec![0.0; m.nu],
                gain: vec![1.0; m.nu],
                bias: vec![0.0; m.nu],
                tendon: vec![0.0; m.ntendon],
            },
            body: BodyWork { acc: vec![[0.0; 6]; m.nbody], frc: vec![[0.0; 6]; m.nbody] },
        }
    }
}
