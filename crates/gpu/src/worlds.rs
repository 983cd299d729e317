//! A batch in the memory of the host.

use crate::Status;
use crate::arguments::STATE;

/// States of worlds, world by world, and what a step says about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worlds {
    /// Positions.
    pub qpos: Vec<f32>,
    /// Velocities.
    pub qvel: Vec<f32>,
    /// Activations.
    pub act: Vec<f32>,
    /// Accelerations the solver starts from.
    pub qacc_warmstart: Vec<f32>,
    /// Times.
    pub time: Vec<f32>,
    /// Controls.
    pub ctrl: Vec<f32>,
    /// Poses of mocap bodies: positions and quaternions.
    pub mocap: Vec<f32>,
    /// Of each world: what the last step needed, and flags.
    pub status: Vec<Status>,
    /// What the plan asks for, in its order.
    pub outputs: Vec<Vec<f32>>,
}

impl Worlds {
    /// The lists of the state, in the order of the kernels.
    pub(crate) fn lists_mut(&mut self) -> [&mut Vec<f32>; STATE.len()] {
        let Worlds { qpos, qvel, act, qacc_warmstart, time, ctrl, mocap, .. } = self;
        [qpos, qvel, act, qacc_warmstart, time, ctrl, mocap]
    }
}
