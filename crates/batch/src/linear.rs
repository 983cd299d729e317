//! Derivatives of a step of every world, and of rollouts.

use crate::{BatchError, Worlds};
use sinew_engine::transition::{
    self, DerivativeConfig, DifferenceError, Report, RolloutWork, Transition, TransitionWork,
};
use sinew_engine::{Data, Model};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Workspaces for derivatives, passed from world to world and kept from call to call: at most one per thread.
#[derive(Debug, Default)]
pub struct Spare {
    steps: Shelf<TransitionWork>,
    rollouts: Shelf<RolloutWork>,
}

#[derive(Debug)]
struct Shelf<W>(Mutex<Vec<Box<W>>>);

impl<W> Default for Shelf<W> {
    fn default() -> Self {
        Shelf(Mutex::default())
    }
}

impl<W> Shelf<W> {
    fn with<R>(&self, make: impl FnOnce() -> W, work: impl FnOnce(&mut W) -> R) -> R {
        let list = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = list().pop();
        let mut room = taken.unwrap_or_else(|| Box::new(make()));
        let done = work(&mut room);
        list().push(room);
        done
    }
}

/// Linearisation of a step of one world.
#[derive(Clone, Debug)]
pub struct Linear {
    /// `A`, `B`, `C` and `D`, as requested.
    pub matrices: Transition,
    /// What was differenced.
    pub report: Report,
    /// Sensors whose outputs are included.
    pub sensors: Vec<usize>,
}

type Found<T> = Result<T, DifferenceError>;

fn length(what: &'static str, found: usize, expected: usize) -> Found<()> {
    if found == expected { Ok(()) } else { Err(DifferenceError::Length { what, found, expected }) }
}

impl Worlds {
    /// Derivatives of a step of each world from its current state, computed in parallel; the same as one after the
    /// other.
    ///
    /// # Errors
    /// The errors of [`transition::transition`], for the first world that has one.
    pub fn transition(
        &mut self,
        m: &Model,
        config: &DerivativeConfig,
        spare: &Spare,
    ) -> Result<Vec<Linear>, BatchError> {
        self.each_found(m, |_, d| {
            spare.steps.with(
                || TransitionWork::new(m),
                |work| {
                    let mut matrices = Transition::default();
                    let report = transition::transition(m, d, config, work, &mut matrices)?;
                    let sensing = config.wanted[2] || config.wanted[3];
                    let sensors = if sensing { work.sensors_differenced().to_vec() } else { Vec::new() };
                    Ok(Linear { matrices, report, sensors })
                },
            )
        })
    }

    /// `A dx + B du` for each world, one row of `dx` and `du` per world.
    ///
    /// # Errors
    /// The errors of [`transition::jvp`], for the first world that has one.
    pub fn jvp(
        &mut self,
        m: &Model,
        config: &DerivativeConfig,
        spare: &Spare,
        (dx, du): (&[f64], &[f64]),
    ) -> Result<Vec<Vec<f64>>, BatchError> {
        let (ndx, nu) = (2 * m.nv + m.na, m.nu);
        length("dx", dx.len(), self.len() * ndx)?;
        length("du", du.len(), self.len() * nu)?;
        self.each_found(m, |i, d| {
            let mut out = vec![0.0; ndx];
            let given = (&dx[i * ndx..][..ndx], &du[i * nu..][..nu]);
            let found = spare
                .steps
                .with(|| TransitionWork::new(m), |work| transition::jvp(m, d, config, work, given, &mut out));
            found.map(|_| out)
        })
    }

    /// Gradients of a loss with respect to the current states and controls, from those with respect to the next states
    /// (`next`, one row per world).
    ///
    /// # Errors
    /// The errors of [`transition::vjp`], for the first world that has one.
    pub fn vjp(
        &mut self,
        m: &Model,
        config: &DerivativeConfig,
        spare: &Spare,
        next: &[f64],
    ) -> Result<Vec<[Vec<f64>; 2]>, BatchError> {
        let ndx = 2 * m.nv + m.na;
        length("next", next.len(), self.len() * ndx)?;
        self.each_found(m, |i, d| {
            let (mut by_x, mut by_u) = (vec![0.0; ndx], vec![0.0; m.nu]);
            let next = &next[i * ndx..][..ndx];
            let out = (&mut by_x[..], &mut by_u[..]);
            let found =
                spare.steps.with(|| TransitionWork::new(m), |work| transition::vjp(m, d, config, work, next, out));
            found.map(|_| [by_x, by_u])
        })
    }

    /// Gradients of losses over rollouts of `steps` steps from the current states, with respect to those states and to
    /// all controls. `ctrl` and `loss` have the rows of [`transition::rollout_vjp`], world after world.
    ///
    /// # Errors
    /// The errors of [`transition::rollout_vjp`], for the first world that has one.
    pub fn rollout_vjp(
        &mut self,
        m: &Model,
        config: &DerivativeConfig,
        spare: &Spare,
        (ctrl, loss): (&[f64], &[f64]),
        (steps, every): (usize, usize),
    ) -> Result<Vec<[Vec<f64>; 2]>, BatchError> {
        let (ndx, of_ctrl, of_loss) = (2 * m.nv + m.na, steps * m.nu, steps * (2 * m.nv + m.na));
        length("ctrl", ctrl.len(), self.len() * of_ctrl)?;
        length("loss", loss.len(), self.len() * of_loss)?;
        self.each_found(m, |i, d| {
            let (mut by_x, mut by_u) = (vec![0.0; ndx], vec![0.0; of_ctrl]);
            let given = (&ctrl[i * of_ctrl..][..of_ctrl], &loss[i * of_loss..][..of_loss], every);
            let run = |work: &mut RolloutWork| transition::rollout_vjp(m, d, config, given, work, &mut by_x, &mut by_u);
            spare.rollouts.with(|| RolloutWork::new(m), run)?;
            Ok([by_x, by_u])
        })
    }

    fn each_found<T: Send + Sync>(
        &mut self,
        m: &Model,
        one: impl Fn(usize, &Data) -> Found<T> + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let found: Vec<OnceLock<Found<T>>> = (0..self.len()).map(|_| OnceLock::new()).collect();
        self.from_states(m, |i, d| {
            // each world writes its own slot
            let _ = found[i].set(one(i, d));
        })?;
        Ok(found.into_iter().filter_map(OnceLock::into_inner).collect::<Found<Vec<T>>>()?)
    }
}
