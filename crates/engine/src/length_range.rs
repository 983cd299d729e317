//! Actuator length ranges, found by pulling each actuator in both directions until it stops.

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{BiasType, DisableFlags, GainType, LengthRangeMode, TrnType};
use crate::step;
use crate::support::inertia::solve_m;
use sinew_math::MINVAL;
use sinew_math::factor::dot;

/// Options for computing actuator length ranges.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "mjLROpt")]
pub struct LengthRangeOptions {
    /// Which actuators to process.
    pub mode: LengthRangeMode,
    /// Keep an existing length range.
    pub useexisting: bool,
    /// Use joint and tendon limits where they exist.
    pub uselimit: bool,
    /// Target acceleration of the pushing force.
    pub accel: f64,
    /// Upper bound of the pushing force; 0 for none.
    pub maxforce: f64,
    /// Time constant of velocity decay. (s)
    pub timeconst: f64,
    /// Simulation step; 0 for the model's timestep. (s)
    pub timestep: f64,
    /// Total simulated time. (s)
    pub inttotal: f64,
    /// Evaluation interval at the end. (s)
    pub interval: f64,
    /// Allowed relative variation within the interval.
    pub tolrange: f64,
}

impl Default for LengthRangeOptions {
    fn default() -> Self {
        LengthRangeOptions {
            mode: LengthRangeMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}

/// Maximum number of steps of one simulation; the defaults take a thousand.
const MAX_STEPS: f64 = 1e7;

/// Why a length range could not be found.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LengthRangeError {
    /// The simulation would take very many steps.
    #[error(
        "Lengthrange simulation of actuator {actuator} would take {steps} steps: inttotal is too long or timestep too short"
    )]
    TooLong {
        /// Actuator id.
        actuator: usize,
        /// Number of steps.
        steps: f64,
    },
    /// The simulation diverged.
    #[error("Unstable lengthrange simulation in actuator {actuator}")]
    Unstable {
        /// Actuator id.
        actuator: usize,
    },
    /// Pulling in the two directions gave an empty range.
    #[error("Invalid lengthrange ({}, {}) in actuator {actuator}", range[0], range[1])]
    Empty {
        /// Actuator id.
        actuator: usize,
        /// The range found.
        range: [f64; 2],
    },
    /// The length still changed at the end.
    #[error(
        "Lengthrange computation did not converge in actuator {actuator}:\n  eval ({}, {})\n  range ({}, {})",
        eval[0], eval[1], range[0], range[1]
    )]
    NotConverged {
        /// Actuator id.
        actuator: usize,
        /// Lengths within the last interval.
        eval: [f64; 2],
        /// The range found.
        range: [f64; 2],
    },
}

/// Computes the length ranges of all actuators that need one, with only limits and equalities acting on the model,
/// several actuators in parallel.
pub fn set_length_ranges(m: &mut Model, opt: &LengthRangeOptions) -> Result<(), LengthRangeError> {
    let wanted: Vec<usize> = (0..m.nu).filter(|&i| wants_range(m, i, opt)).collect();
    let (known, simulated): (Vec<usize>, Vec<usize>) = wanted.iter().partition(|&&i| limit_range(m, i, opt).is_some());
    for i in known {
        m.actuator_lengthrange[i] = limit_range(m, i, opt).unwrap_or_default();
    }
    if simulated.is_empty() {
        return Ok(());
    }
    let saved = m.opt.clone();
    // sensors are disabled too, since nothing reads them
    m.opt.disableflags = DisableFlags::FRICTIONLOSS
        | DisableFlags::CONTACT
        | DisableFlags::SPRING
        | DisableFlags::DAMPER
        | DisableFlags::GRAVITY
        | DisableFlags::ACTUATION
        | DisableFlags::SENSOR;
    if opt.timestep > 0.0 {
        m.opt.timestep = opt.timestep;
    }
    let steps = opt.inttotal / m.opt.timestep;
    // rejects NaN, too
    let found = if steps <= MAX_STEPS {
        Ok(simulate_all(m, &simulated, opt))
    } else {
        Err(LengthRangeError::TooLong { actuator: simulated[0], steps })
    };
    m.opt = saved;
    let found = found?;
    for (i, range) in simulated.into_iter().zip(found) {
        m.actuator_lengthrange[i] = range?;
    }
    Ok(())
}

fn simulate_all(m: &Model, actuators: &[usize], opt: &LengthRangeOptions) -> Vec<Result<[f64; 2], LengthRangeError>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(actuators.len());
    let share = actuators.len().div_ceil(threads);
    let work = |part: &[usize]| -> Vec<_> {
        let mut d = Data::new(m);
        part.iter().map(|&i| simulate(m, &mut d, i, opt)).collect()
    };
    if threads == 1 {
        return work(actuators);
    }
    std::thread::scope(|scope| {
        let parts: Vec<_> = actuators.chunks(share).map(|part| scope.spawn(|| work(part))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    })
}

/// Computes the length range of one actuator under the model's current options, if `opt` applies to it.
#[doc(alias = "mj_setLengthRange")]
pub fn set_length_range(
    m: &mut Model,
    d: &mut Data,
    actuator: usize,
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    if wants_range(m, actuator, opt) {
        m.actuator_lengthrange[actuator] = match limit_range(m, actuator, opt) {
            Some(range) => range,
            None => simulate(m, d, actuator, opt)?,
        };
    }
    Ok(())
}

fn wants_range(m: &Model, i: usize, opt: &LengthRangeOptions) -> bool {
    let is =
        |gain: GainType, bias: BiasType| m.actuator_gaintype[i] == gain as i32 || m.actuator_biastype[i] == bias as i32;
    let muscle = is(GainType::Muscle, BiasType::Muscle);
    let user = is(GainType::User, BiasType::User);
    let applies = match opt.mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::Muscleuser => muscle || user,
        LengthRangeMode::All => true,
    };
    let [low, high] = m.actuator_lengthrange[i];
    applies && !(opt.useexisting && low < high)
}

/// Range of the joint or tendon that an actuator acts on, if it is limited and `opt` allows using it.
///
/// MuJoCo looks the joint or tendon up at `actuator_trnid[i]` of the flattened pairs, which is right only for the first
/// actuator. This is kept for compatibility, except where the index is out of range.
fn limit_range(m: &Model, i: usize, opt: &LengthRangeOptions) -> Option<[f64; 2]> {
    if !opt.uselimit {
        return None;
    }
    let id = usize::try_from(m.actuator_trnid.as_flattened()[i]).ok()?;
    match m.actuator_trntype(i) {
        TrnType::Joint | TrnType::Jointinparent if *m.jnt_limited.get(id)? != 0 => Some(m.jnt_range[id]),
        TrnType::Tendon if *m.tendon_limited.get(id)? != 0 => Some(m.tendon_range[id]),
        _ => None,
    }
}

/// Pulls the actuator shorter, then longer, starting from the initial position.
fn simulate(m: &Model, d: &mut Data, i: usize, opt: &LengthRangeOptions) -> Result<[f64; 2], LengthRangeError> {
    let mut moment = vec![0.0; m.nv];
    let mut ends = [[0.0f64; 2]; 2];
    for (direction, end) in [-1.0, 1.0].into_iter().zip(&mut ends) {
        d.reset(m);
        let mut updated = false;
        while d.state.time < opt.inttotal {
            let before = d.state.time;
            let length = pull(m, d, i, direction, opt, &mut moment);
            // a bad state has been reset
            if d.state.time <= before {
                return Err(LengthRangeError::Unstable { actuator: i });
            }
            if d.state.time > opt.inttotal - opt.interval {
                *end = if updated { [end[0].min(length), end[1].max(length)] } else { [length; 2] };
                updated = true;
            }
        }
    }
    let range = [ends[0][0], ends[1][1]];
    let size = range[1] - range[0];
    if size <= 0.0 {
        return Err(LengthRangeError::Empty { actuator: i, range });
    }
    for eval in ends {
        if eval[1] - eval[0] > opt.tolrange * size {
            return Err(LengthRangeError::NotConverged { actuator: i, eval, range });
        }
    }
    Ok(range)
}

/// Takes one step under a force along the actuator's moment that would accelerate the model by `opt.accel`. Velocities
/// decay, so that the motion comes to rest. Returns the length before the step.
fn pull(m: &Model, d: &mut Data, i: usize, direction: f64, opt: &LengthRangeOptions, moment: &mut [f64]) -> f64 {
    let decay = (-m.opt.timestep / opt.timeconst.max(0.01)).exp();
    d.state.qvel.iter_mut().for_each(|v| *v *= decay);
    step::step1(m, d, &mut ());
    moment.fill(0.0);
    let start = d.trn.moment_rowadr[i] as usize;
    for adr in start..start + d.trn.moment_rownnz[i] as usize {
        moment[d.trn.moment_colind[adr] as usize] = d.trn.actuator_moment[adr];
    }
    let norm = |v: &[f64]| dot(v, v).sqrt();
    let applied = &mut d.state.qfrc_applied;
    applied.copy_from_slice(moment);
    solve_m(m, &d.inertia, applied);
    let scale = direction * opt.accel / MINVAL.max(norm(applied));
    applied.iter_mut().zip(moment.iter()).for_each(|(f, r)| *f = r * scale);
    let size = norm(applied);
    if opt.maxforce > 0.0 && size > opt.maxforce {
        let reduce = opt.maxforce / MINVAL.max(size);
        applied.iter_mut().for_each(|f| *f *= reduce);
    }
    step::step2(m, d, &mut ());
    d.trn.actuator_length[i]
}
