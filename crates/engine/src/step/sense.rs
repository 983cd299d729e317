//! Sensors and energy, and the quantities that only they need.

use crate::data::Data;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, PluginCapabilities, Stage};
use crate::parts::Parts;
use crate::plugin::{Bound, Part};
use crate::sensor::{self, Sample, SensorWork};
use crate::support::awake as subset;
use crate::{integrate, velocity};

/// Sensors of the position stage.
#[doc(alias = "mj_sensorPos")]
pub fn sensor_pos<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    if !m.opt.disabled(DisableFlags::SENSOR) {
        let needs = present_needs(m, d, Stage::Pos);
        energies(m, d, needs);
        sensors(m, d, parts, Stage::Pos);
    }
}

/// Sensors of the velocity stage.
#[doc(alias = "mj_sensorVel")]
pub fn sensor_vel<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    if !m.opt.disabled(DisableFlags::SENSOR) {
        let needs = present_needs(m, d, Stage::Vel);
        subtree_vel(m, d, needs);
        sensors(m, d, parts, Stage::Vel);
    }
}

/// Sensors of the acceleration stage.
#[doc(alias = "mj_sensorAcc")]
pub fn sensor_acc<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P) {
    d.accel.flg_rnepost = 0;
    if !m.opt.disabled(DisableFlags::SENSOR) {
        let needs = present_needs(m, d, Stage::Acc);
        rne_post(m, d, needs);
        sensors(m, d, parts, Stage::Acc);
    }
}

/// Potential energy, unless a sensor has already computed it; zero if energy is disabled.
pub(crate) fn energy_pos(m: &Model, d: &mut Data) {
    if d.sensor.flg_energypos != 0 {
        return;
    }
    if m.opt.enabled(EnableFlags::ENERGY) {
        sensor::energy_pos(m, &d.awake, &d.state, &d.pose, &mut d.sensor);
    } else {
        d.sensor.energy = [0.0; 2];
    }
}

/// Kinetic energy, if enabled.
pub(crate) fn energy_vel(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableFlags::ENERGY) && d.sensor.flg_energyvel == 0 {
        sensor::energy_vel(m, &d.state, &d.inertia, &mut d.scratch.sensor.row, &mut d.sensor);
    }
}

/// What the undelayed sensors of a stage need computed; sensors of sleeping objects need nothing.
fn present_needs(m: &Model, d: &Data, stage: Stage) -> sensor::Needs {
    let skips = subset::skips_bodies(m, &d.awake);
    let sensors = (0..m.nsensor).filter(|&i| m.sensor_needstage[i] == stage as i32);
    sensor::needs(m, sensors, |i| {
        !(sensor::is_delayed(m, &d.state, i) || skips && subset::sensor_asleep(m, &d.awake, i))
    })
}

/// Energies, if a sensor needs them.
fn energies(m: &Model, d: &mut Data, needs: sensor::Needs) {
    if needs.energy_pos {
        sensor::energy_pos(m, &d.awake, &d.state, &d.pose, &mut d.sensor);
    }
    if needs.energy_vel {
        sensor::energy_vel(m, &d.state, &d.inertia, &mut d.scratch.sensor.row, &mut d.sensor);
    }
}

/// Subtree velocities, if a sensor needs them and they are not current.
fn subtree_vel(m: &Model, d: &mut Data, needs: sensor::Needs) {
    if needs.subtree_vel && d.motion.flg_subtreevel == 0 {
        velocity::subtree_vel(m, &d.awake, &d.pose, &mut d.motion, &mut d.scratch.velocity.acc);
    }
}

/// Body accelerations and forces between bodies, if a sensor needs them and they are not current.
fn rne_post(m: &Model, d: &mut Data, needs: sensor::Needs) {
    if needs.rne_post && d.accel.flg_rnepost == 0 {
        rne_post_constraint(m, d);
    }
}

/// Body accelerations and forces between bodies.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post_constraint(m: &Model, d: &mut Data) {
    let external = velocity::External { contact: &d.contact, efc: &d.efc, solution: &d.solution };
    velocity::rne_post_constraint(m, &d.state, &d.pose, &d.motion, external, &mut d.accel);
}

/// Outputs of the sensors of a stage.
fn sensors<P: Parts + ?Sized>(m: &Model, d: &mut Data, parts: &mut P, stage: Stage) {
    let (x, sensordata, room) = d.sensor_inputs(m);
    if sensor::stage(&x, stage, sensordata, &mut room.colliders) {
        parts.hooks().sensor(m, d, stage);
        sensor::user_cutoff(m, stage, &mut d.sensor.sensordata);
    }
    m.plugins().that(PluginCapabilities::SENSOR).for_each(|(i, plugin)| plugin_sensors(m, d, parts, stage, i, plugin));
}

/// Outputs of the sensors of a plugin instance, if this is their stage; first computes all that the stage can provide.
fn plugin_sensors<P: Parts + ?Sized>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    stage: Stage,
    instance: usize,
    plugin: &Bound,
) {
    if plugin.needstage.max(Stage::Pos) != stage {
        return;
    }
    let needs = sensor::Needs { subtree_vel: stage == Stage::Vel, rne_post: stage == Stage::Acc, ..Default::default() };
    subtree_vel(m, d, needs);
    rne_post(m, d, needs);
    parts.hooks().plugin(m, d, plugin.object.as_ref(), Part::Sense);
    sensor::plugin_cutoff(m, stage, instance, &mut d.sensor.sensordata);
}

/// Records the controls and sensor values of delayed actuators and sensors in the history buffers.
pub(super) fn record(m: &Model, d: &mut Data) {
    if m.nhistory == 0 {
        return;
    }
    integrate::record_ctrl(m, &mut d.state);
    let mut needs = sensor::needs(m, 0..m.nsensor, |i| sensor::sample(m, &d.state, i) == Sample::Value);
    // if enabled, the energies from the integrator's last evaluation are used, as in MuJoCo
    needs.energy_pos &= d.sensor.flg_energypos == 0;
    needs.energy_vel &= d.sensor.flg_energyvel == 0;
    energies(m, d, needs);
    subtree_vel(m, d, needs);
    rne_post(m, d, needs);
    for i in 0..m.nsensor {
        let range = m.sensor_range(i);
        match sensor::sample(m, &d.state, i) {
            Sample::Skip => {}
            Sample::Output => sensor::record(m, &mut d.state, i, &d.sensor.sensordata[range]),
            Sample::Value => {
                let (x, _, room) = d.sensor_inputs(m);
                sensor::evaluate(&x, i, &mut room.values[..range.len()], &mut room.colliders);
                sensor::record(m, &mut d.state, i, &d.scratch.sensor.values[..range.len()]);
            }
        }
    }
}

impl Data {
    /// Inputs of the sensors, their output array and their workspace.
    fn sensor_inputs<'a>(&'a mut self, m: &'a Model) -> (sensor::Inputs<'a>, &'a mut [f64], &'a mut SensorWork) {
        let Data { state, awake, pose, trn, motion, force, accel, contact, efc, solution, sensor, scratch, .. } = self;
        let energy = sensor.energy;
        let x = sensor::Inputs { m, state, awake, pose, trn, motion, force, accel, contact, efc, solution, energy };
        (x, &mut sensor.sensordata, &mut scratch.sensor)
    }
}
