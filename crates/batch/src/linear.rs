//! Derivatives of a step of every world.

use crate::{BatchError, Worlds};
use sinew_engine::Model;
use sinew_engine::transition::{self, DerivativeConfig, DifferenceError, Report, Transition, TransitionWork};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Room for derivatives, handed from world to world and kept from call to call: as much as there are threads.
#[derive(Debug, Default)]
pub struct Spare(Mutex<Vec<Box<TransitionWork>>>);

impl Spare {
    fn with<R>(&self, m: &Model, work: impl FnOnce(&mut TransitionWork) -> R) -> R {
        let list = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = list().pop();
        let mut room = taken.unwrap_or_else(|| Box::new(TransitionWork::new(m)));
        let done = work(&mut room);
        list().push(room);
        done
    }
}

type Found<T> = Result<T, DifferenceError>;

impl Worlds {
    /// Derivatives of a step of each world from its present state, side by side; the same as one after the other.
    ///
    /// # Errors
    /// Those of [`transition::transition`], of the first world that has one.
    pub fn transition(
        &mut self,
        m: &Model,
        config: &DerivativeConfig,
        spare: &Spare,
    ) -> Result<Vec<(Transition, Report)>, BatchError> {
        let one = |d: &sinew_engine::Data, work: &mut TransitionWork, _: usize| {
            let mut t = Transition::default();
            transition::transition(m, d, config, work, &mut t).map(|report| (t, report))
        };
        self.linear(m, spare, one)
    }

    /// Gradients of a loss by the present states and controls, from those by the next states, one row of `next` per world.
    ///
    /// # Errors
    /// Those of [`transition::vjp`], of the first world that has one.
    pub fn vjp(
        &mut self,
        m: &Model,
        config: &DerivativeConfig,
        spare: &Spare,
        next: &[f64],
    ) -> Result<Vec<[Vec<f64>; 2]>, BatchError> {
        let ndx = 2 * m.nv + m.na;
        if next.len() != self.len() * ndx {
            let (found, expected) = (next.len(), self.len() * ndx);
            return Err(DifferenceError::Length { what: "next", found, expected }.into());
        }
        let one = |d: &sinew_engine::Data, work: &mut TransitionWork, i: usize| {
            let (mut by_x, mut by_u) = (vec![0.0; ndx], vec![0.0; m.nu]);
            let next = &next[i * ndx..][..ndx];
            transition::vjp(m, d, config, work, next, (&mut by_x, &mut by_u)).map(|_| [by_x, by_u])
        };
        self.linear(m, spare, one)
    }

    fn linear<T: Send + Sync>(
        &mut self,
        m: &Model,
        spare: &Spare,
        one: impl Fn(&sinew_engine::Data, &mut TransitionWork, usize) -> Found<T> + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let found: Vec<OnceLock<Found<T>>> = (0..self.len()).map(|_| OnceLock::new()).collect();
        self.each(
            |_| true,
            |i, d| {
                let done = spare.with(m, |work| one(d, work, i));
                // each world has a place of its own
                let _ = found[i].set(done);
            },
        )?;
        Ok(found.into_iter().filter_map(OnceLock::into_inner).collect::<Found<Vec<T>>>()?)
    }
}
