//! Outputs of a step of all worlds, one row per world.

use crate::BatchError;
use crate::worlds::reserve;
use sinew_engine::Model;
use sinew_engine::step::StepError;

/// Results of the last call, in the order of worlds.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    /// Positions, then velocities: n × (nq + nv), row-major.
    pub states: Vec<f64>,
    /// Rewards.
    pub rewards: Vec<f64>,
    /// Episodes that have ended, including failed worlds.
    pub terminated: Vec<bool>,
    /// Episodes that were truncated.
    pub truncated: Vec<bool>,
    /// Error of a world that could not be stepped; it is reset at the beginning of the next call.
    pub errors: Vec<Option<StepError>>,
}

impl Outputs {
    /// Allocates outputs for `n` worlds.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(m: &Model, n: usize) -> Result<Self, BatchError> {
        let each = size_of::<f64>() * (m.nq + m.nv + 1) + 2 * size_of::<bool>() + size_of::<Option<StepError>>();
        reserve(n, each as u128)?;
        Ok(Outputs {
            states: vec![0.0; n * (m.nq + m.nv)],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            errors: vec![None; n],
        })
    }

    pub(crate) fn rows(&mut self) -> Rows<'_> {
        Rows {
            states: &mut self.states,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            errors: &mut self.errors,
        }
    }
}

/// The outputs of consecutive worlds.
pub(crate) struct Rows<'a> {
    pub(crate) states: &'a mut [f64],
    pub(crate) rewards: &'a mut [f64],
    pub(crate) terminated: &'a mut [bool],
    pub(crate) truncated: &'a mut [bool],
    pub(crate) errors: &'a mut [Option<StepError>],
}

impl<'a> Rows<'a> {
    /// Splits off the first `n` worlds, with `width` state values each.
    pub(crate) fn take(&mut self, n: usize, width: usize) -> Self {
        Rows {
            states: cut(&mut self.states, n * width),
            rewards: cut(&mut self.rewards, n),
            terminated: cut(&mut self.terminated, n),
            truncated: cut(&mut self.truncated, n),
            errors: cut(&mut self.errors, n),
        }
    }
}

/// Splits off the first `n` elements.
pub(crate) fn cut<'a, T>(all: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (head, tail) = std::mem::take(all).split_at_mut(n);
    *all = tail;
    head
}
