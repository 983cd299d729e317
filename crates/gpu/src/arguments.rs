//! Kernel arguments.

use crate::header::OUTPUTS;

/// The argument of the kernels. The layout is that of `Batch` in `kernels/batch.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Arguments {
    /// Addresses of the state: qpos, qvel, act, qacc_warmstart, time, ctrl, mocap.
    pub state: [u64; STATE.len()],
    /// Numbers that all worlds share.
    pub shared: u64,
    /// Numbers of which each world has its own.
    pub per_world: u64,
    /// The state of the model that a reset copies.
    pub initial: u64,
    /// Optional states for a reset, one per world; 0 if there are none.
    pub given: u64,
    /// Mask of worlds that take part, one byte each; 0 for all.
    pub mask: u64,
    /// Address of the statuses, one per world.
    pub status: u64,
    /// Addresses of outputs; 0 for those not requested.
    pub outputs: [u64; OUTPUTS],
    /// Number of worlds.
    pub nworld: i32,
    /// Steps to take.
    pub nstep: i32,
    /// Bitwise or of modes.
    pub mode: i32,
}

/// Arrays of a state, in the order of the kernels.
pub const STATE: [&str; 7] = ["qpos", "qvel", "act", "qacc_warmstart", "time", "ctrl", "mocap"];

/// Mode: compute outputs and counts, leave the states as they are.
pub const FORWARD_ONLY: i32 = 1;
/// Mode: only worlds that overflowed the smaller build's capacity.
pub const RESUME: i32 = 2;
/// Mode: a larger build will follow.
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
    /// Flags that were raised since the last reset.
    pub flags: i32,
    /// Maximum number of contacts since the last reset.
    pub most_contacts: i32,
    /// Maximum number of rows.
    pub most_rows: i32,
    /// Maximum number of iterations.
    pub most_iterations: i32,
    /// Steps of the last call that were not taken because the capacity was exceeded.
    pub left: i32,
}

impl Status {
    /// Number of 32-bit words of a status.
    pub const WORDS: usize = 8;
    /// Flag: a step was not taken because its contacts or rows exceeded the capacity.
    pub const NO_ROOM: i32 = 1;
    /// Flag: the solver stopped at its iteration limit.
    pub const NOT_CONVERGED: i32 = 2;
    /// Flag: a step was not taken because its numbers are not finite or huge.
    pub const BAD_NUMBER: i32 = 4;

    /// From the words of all worlds.
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
