//! Derivatives of a step of every world, and of roll-outs.

use crate::{BatchError, Worlds};
use sinew_engine::transition::{
    self, DerivativeConfig, DifferenceError, Report, RolloutWork, Transition, TransitionWork,
};
use sinew_engine::{Data, Model};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Room for derivatives, handed from world to world and kept from call to call: as much as there are threads.
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

/// The linear system about a step of one world.
#[derive(Clone, Debug)]
pub struct Linear {
    /// `A`, `B`, `C` and `D`, as far as wanted.
    pub matrices: Transition,
    /// What was differenced.
    pub report: Report,
    /// Sensors whose outputs were.
    pub sensors: Vec<usize>,
}

type Found<T> = Result<T, DifferenceError>;

fn length(what: &'static str, found: usize, expected: usize) -> Found<()> {
    if found == expected { Ok(()) } else { Err(DifferenceError::Length { what, found, expected }) }
}

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

    /// `A dx + B du` of each world, one row of `dx` and `du` per world.
    ///
    /// # Errors
    /// Those of [`transition::jvp`], of the first world that has one.
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

    /// Gradients of losses over roll-outs of `steps` steps from the present states, by those states and by all controls. `ctrl` and
    /// `loss` have the rows of [`transition::rollout_vjp`], those of one world after those of another.
    ///
    /// # Errors
    /// Those of [`transition::rollout_vjp`], of the first world that has one.
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
            // each world has a place of its own
            let _ = found[i].set(one(i, d));
        })?;
        Ok(found.into_iter().filter_map(OnceLock::into_inner).collect::<Found<Vec<T>>>()?)
    }
}
