//! A batch in host memory.

use crate::Status;
use crate::arguments::STATE;

/// States of worlds, world by world, and the results of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worlds {
    /// Positions.
    pub qpos: Vec<f32>,
    /// Velocities.
    pub qvel: Vec<f32>,
    /// Activations.
    pub act: Vec<f32>,
    /// Warm start of the solver.
    pub qacc_warmstart: Vec<f32>,
    /// Times.
    pub time: Vec<f32>,
    /// Controls.
    pub ctrl: Vec<f32>,
    /// Mocap poses: positions and quaternions.
    pub mocap: Vec<f32>,
    /// Counts and flags of each world.
    pub status: Vec<Status>,
    /// Outputs of the plan, in its order.
    pub outputs: Vec<Vec<f32>>,
}

impl Worlds {
    /// The arrays of the state, in the order of the kernels.
    pub(crate) fn lists_mut(&mut self) -> [&mut Vec<f32>; STATE.len()] {
        let Worlds { qpos, qvel, act, qacc_warmstart, time, ctrl, mocap, .. } = self;
        [qpos, qvel, act, qacc_warmstart, time, ctrl, mocap]
    }
}
