//! A batch in the memory of the host.

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
    /// Of each world: contacts, rows, iterations of the solver, flags.
    pub status: Vec<[i32; 4]>,
    /// What the plan asks for, in its order.
    pub outputs: Vec<Vec<f32>>,
}
