//! Sensor values → `sensordata`: cutoff, delay and interval.

use super::{Inputs, acc, pos, vel};
use crate::data::State;
use crate::data::history::{Interp, Layout};
use crate::model::Model;
use crate::model::enums::{DataType, SensorType, Stage};
use crate::support::awake as subset;
use sinew_geometry::collide::Work;
use sinew_math::clip;

/// Current value of sensor `i`, after its cutoff.
#[doc(alias = "mj_computeSensor")]
pub fn evaluate(x: &Inputs, i: usize, out: &mut [f64], work: &mut Work) {
    match x.m.sensor_needstage(i) {
        Stage::Pos => pos::pos(x, i, out, work),
        Stage::Vel => vel::vel(x, i, out),
        Stage::Acc => acc::acc(x, i, out),
        _ => {}
    }
    cutoff(x.m, i, out);
}

/// Clamps real values to ±cutoff, positive ones from above only.
fn cutoff(m: &Model, i: usize, out: &mut [f64]) {
    let limit = m.sensor_cutoff[i];
    let kind = m.sensor_type(i);
    // for these the cutoff means something else
    if limit <= 0.0 || matches!(kind, SensorType::Contact | SensorType::Geomfromto) {
        return;
    }
    match m.sensor_datatype(i) {
        DataType::Real => out.iter_mut().for_each(|v| *v = clip(*v, -limit, limit)),
        DataType::Positive => out.iter_mut().for_each(|v| *v = limit.min(*v)),
        _ => {}
    }
}

/// Writes the outputs of all sensors of a stage that are not asleep; user sensors are zeroed for a callback to fill.
/// Returns whether there are any user sensors.
///
/// *Reads* everything the stage has computed, `history`. *Writes* `sensordata`.
#[doc(alias = "mj_sensorPos")]
#[doc(alias = "mj_sensorVel")]
#[doc(alias = "mj_sensorAcc")]
pub fn stage(x: &Inputs, stage: Stage, sensordata: &mut [f64], work: &mut Work) -> bool {
    const PLUGIN: i32 = SensorType::Plugin as i32;
    const USER: i32 = SensorType::User as i32;
    let m = x.m;
    let mut user = false;
    let skips = subset::skips_bodies(m, x.awake);
    for i in (0..m.nsensor).filter(|&i| m.sensor_needstage[i] == stage as i32) {
        if skips && subset::sensor_asleep(m, x.awake, i) {
            continue;
        }
        let out = &mut sensordata[m.sensor_range(i)];
        match m.sensor_type[i] {
            PLUGIN => {}
            USER => {
                user = true;
                out.fill(0.0);
            }
            _ => match delayed(m, x.state, i) {
                Some(buffer) => {
                    let interp = Interp::from(m.sensor_history[i][1]);
                    buffer.read(&x.state.history, x.state.time - m.sensor_delay[i], interp, out);
                }
                None => evaluate(x, i, out, work),
            },
        }
    }
    user
}

/// Applies the cutoff of user sensors once a callback has filled them.
pub fn user_cutoff(m: &Model, stage: Stage, sensordata: &mut [f64]) {
    let of_stage = |i: &usize| m.sensor_type(*i) == SensorType::User && m.sensor_needstage[*i] == stage as i32;
    for i in (0..m.nsensor).filter(of_stage) {
        cutoff(m, i, &mut sensordata[m.sensor_range(i)]);
    }
}

/// Applies the cutoff of the sensors of a plugin instance once it has filled them.
pub fn plugin_cutoff(m: &Model, stage: Stage, instance: usize, sensordata: &mut [f64]) {
    for i in 0..m.nsensor {
        if m.sensor_plugin[i] == instance as i32 && m.sensor_needstage[i] == stage as i32 {
            cutoff(m, i, &mut sensordata[m.sensor_range(i)]);
        }
    }
}

/// History buffer to read sensor `i` from instead of computing it: always with a delay, between ticks with an
/// interval.
fn delayed(m: &Model, state: &State, i: usize) -> Option<Layout> {
    let buffer = Layout::of_sensor(m, i)?;
    let interval = m.sensor_interval[i][0];
    let waits = interval > 0.0 && buffer.last_tick(&state.history) + interval > state.time;
    (m.sensor_delay[i] > 0.0 || waits).then_some(buffer)
}

/// Whether the output of sensor `i` is now read from its history rather than computed from the current state.
pub fn is_delayed(m: &Model, state: &State, i: usize) -> bool {
    delayed(m, state, i).is_some()
}

/// What a sensor records in its history buffer at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Nothing: its interval has not passed.
    Skip,
    /// The current output.
    Output,
    /// The current value, which the output shows only after the delay.
    Value,
}

/// What sensor `i` records now.
pub fn sample(m: &Model, state: &State, i: usize) -> Sample {
    let Some(buffer) = Layout::of_sensor(m, i) else { return Sample::Skip };
    let interval = m.sensor_interval[i][0];
    if interval > 0.0 && buffer.last_tick(&state.history) + interval > state.time {
        Sample::Skip
    } else if m.sensor_delay[i] > 0.0 {
        Sample::Value
    } else {
        Sample::Output
    }
}

/// Stores a sample of sensor `i` in its history.
///
/// *Writes* `history`.
pub fn record(m: &Model, state: &mut State, i: usize, values: &[f64]) {
    let Some(buffer) = Layout::of_sensor(m, i) else { return };
    let interval = m.sensor_interval[i][0];
    if interval > 0.0 {
        // ticks stay on a grid of multiples of the interval, independent of the timestep
        let tick = buffer.last_tick(&state.history) + interval;
        buffer.set_last_tick(&mut state.history, tick);
    }
    buffer.insert(&mut state.history, state.time).copy_from_slice(values);
}
