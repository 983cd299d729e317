//! What kernels are called with.

use crate::header::OUTPUTS;

/// The kernels' argument: as `Batch` in `kernels/batch.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Arguments {
    /// Addresses of the state: qpos, qvel, act, qacc_warmstart, time, ctrl, mocap.
    pub state: [u64; STATE.len()],
    /// Numbers that all worlds share.
    pub shared: u64,
    /// Numbers that each world has its own of.
    pub per_world: u64,
    /// A state of the model to start from.
    pub initial: u64,
    /// States to start from, one a world; 0 if there are none.
    pub given: u64,
    /// Worlds that take part, a byte each; 0 for all.
    pub mask: u64,
    /// Address of statuses, one a world.
    pub status: u64,
    /// Addresses of outputs; 0 where nobody asks.
    pub outputs: [u64; OUTPUTS],
    /// Number of worlds.
    pub nworld: i32,
    /// Steps to take.
    pub nstep: i32,
    /// Sum of modes.
    pub mode: i32,
}

/// Arrays of a state, in the order of the kernels.
pub const STATE: [&str; 7] = ["qpos", "qvel", "act", "qacc_warmstart", "time", "ctrl", "mocap"];

/// Mode: states stay as they are.
pub const FORWARD_ONLY: i32 = 1;
/// Mode: only worlds that had too little room.
pub const RESUME: i32 = 2;
/// Mode: a larger build follows.
pub const LARGER_FOLLOWS: i32 = 4;

/// A world's status.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Contacts of the last step.
    pub contacts: i32,
    /// Rows of the last step.
    pub rows: i32,
    /// Iterations of the last step's solver.
    pub iterations: i32,
    /// Sum of what went wrong since the world began.
    pub flags: i32,
    /// Most contacts since the world began.
    pub most_contacts: i32,
    /// Most rows.
    pub most_rows: i32,
    /// Most iterations.
    pub most_iterations: i32,
    /// Steps of the last call that were not taken for want of room.
    pub left: i32,
}

impl Status {
    /// Words of a status.
    pub const WORDS: usize = 8;
    /// Flag: a step was not taken, since there was no room for its contacts or rows.
    pub const NO_ROOM: i32 = 1;
    /// Flag: the solver stopped at its last iteration.
    pub const NOT_CONVERGED: i32 = 2;
    /// Flag: a step was not taken, since its numbers are not finite or huge.
    pub const BAD_NUMBER: i32 = 4;

    /// From the words of a batch.
    pub(crate) fn all(words: &[i32]) -> Vec<Status> {
        let one = |s: &[i32]| Status {
            contacts: s[0],
            rows: s[1],
            iterations: s[2],
            flags: s[3],
            most_contacts: s[4],
            most_rows: s[5],
            most_iterations: s[6],
            left: s[7],
        };
        words.chunks_exact(Status::WORDS).map(one).collect()
    }
}
