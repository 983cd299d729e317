//! A step of the kernels beside a step of the CPU engine, from the same states.

use crate::{Plan, Settings, Status, Worlds};
use sinew_engine::Model;
use sinew_engine::data::Data;
use sinew_engine::model::enums::{ConstraintType, Integrator};
use sinew_engine::step::{forward, step};
use std::fmt;

/// Everything that is compared.
const OUTPUTS: [&str; 6] = ["xpos", "xquat", "geom_xpos", "cdof", "qfrc_smooth", "qacc"];
/// Relative to the largest number of a field: single precision in positions, sums of many terms in forces, and a solver
/// that stops at a tolerance of 1e-6.
const POSITIONS: f64 = 1e-5;
const FORCES: f64 = 1e-4;
const ACCELERATIONS: f64 = 1e-3;
/// Where a distance is as near to its margin as this, single precision may or may not find the contact.
const NEAR: f64 = 1e-5;

/// A change of positions that single precision cannot tell from none.
const LAST_DIGIT: f64 = 1e-7;

/// A number that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The world.
    pub world: usize,
    /// The field.
    pub field: &'static str,
    /// What the kernels say.
    pub got: f64,
    /// What the engine says.
    pub want: f64,
    /// By how much, relative to the field.
    pub error: f64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "world {}: {} {} for {} ({:.1e})", self.world, self.field, self.got, self.want, self.error)
    }
}

/// Settings under which everything that is compared is written out.
pub fn settings() -> Settings {
    Settings { outputs: OUTPUTS.map(String::from).to_vec(), ..Settings::default() }
}

/// Settings under which all that can be written out is compared.
pub fn everything() -> Settings {
    Settings { outputs: crate::outputs::NAMES.map(String::from).to_vec(), ..Settings::default() }
}

/// States to step from, and what the engine says of them.
#[derive(Debug, Default)]
pub struct States {
    /// The states.
    pub worlds: Worlds,
    /// The engine's results a step later.
    pub after: Vec<Data>,
    /// Whether a contact is barely there or not.
    pub grazing: Vec<bool>,
    /// Whether the engine's own result turns on the last digit of the positions.
    pub fragile: Vec<bool>,
}

impl States {
    /// Worlds of which only what comes before contacts is compared.
    pub fn left_out(&self) -> usize {
        self.grazing.iter().zip(&self.fragile).filter(|(grazing, fragile)| **grazing || **fragile).count()
    }
}

/// Whether results change by more than half of what they may differ by, when positions change in their last digit.
fn is_fragile(m: &Model, d: &Data, next: &Data, random: &mut u64) -> bool {
    (0..2).any(|_| {
        let mut other = d.clone();
        for x in other.state.qpos.iter_mut() {
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let sign = if *random >> 63 == 0 { 1.0 } else { -1.0 };
            *x += sign * LAST_DIGIT * x.abs().max(0.1);
        }
        step(m, &mut other);
        let changed = |a: &[f64], b: &[f64], tolerance: f64| {
            let scale = a.iter().fold(1.0f64, |s, x| s.max(x.abs()));
            a.iter().zip(b).any(|(x, y)| (x - y).abs() > 0.5 * tolerance * scale)
        };
        changed(&next.accel.qacc, &other.accel.qacc, ACCELERATIONS)
            || changed(&next.state.qvel, &other.state.qvel, ACCELERATIONS)
            || changed(&next.state.qpos, &other.state.qpos, POSITIONS)
    })
}

/// States along a roll-out with random controls.
pub fn states(m: &Model, count: usize, apart: usize) -> States {
    let mut states = States::default();
    let worlds = &mut states.worlds;
    worlds.status = vec![Status::default(); count];
    let mut wide = m.clone();
    wide.geom_margin.iter_mut().chain(wide.pair_margin.iter_mut()).for_each(|margin| *margin += NEAR);
    let mut d = Data::new(m);
    let mut random = 7u64;
    let mocap = crate::starts::mocap_poses(&d);
    for k in 0..count {
        for _ in 0..if k == 0 { 0 } else { apart } {
            for u in 0..m.nu {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let unit = f64::from((random >> 40) as u32) / f64::from(1u32 << 23) - 1.0;
                d.state.ctrl[u] = f64::from(unit as f32);
            }
            step(m, &mut d);
        }
        for list in [&mut d.state.qpos, &mut d.state.qvel, &mut d.state.act] {
            list.iter_mut().for_each(|x| *x = f64::from(*x as f32));
        }
        let mut next = d.clone();
        step(m, &mut next);
        let single = |v: &[f64]| v.iter().map(|x| *x as f32).collect::<Vec<_>>();
        worlds.qpos.extend(single(&d.state.qpos));
        worlds.qvel.extend(single(&d.state.qvel));
        worlds.act.extend(single(&d.state.act));
        worlds.qacc_warmstart.extend(single(&d.state.qacc_warmstart));
        worlds.ctrl.extend(single(&d.state.ctrl));
        worlds.mocap.extend(mocap.iter().copied());
        worlds.time.push(d.state.time as f32);
        // contacts where the step begins, and at the last stage of Runge–Kutta
        let mut around = d.clone();
        let grazes = |d: &Data| d.contact.iter().any(|c| (c.dist - c.includemargin).abs() < 3.0 * NEAR);
        forward(&wide, &mut around);
        let begins = grazes(&around);
        step(&wide, &mut around);
        states.grazing.push(begins || grazes(&around) || at_limit(&next));
        states.fragile.push(is_fragile(m, &d, &next, &mut random));
        states.after.push(next);
    }
    states
}

/// Whether a joint or a tendon is at its limit to the last digit.
fn at_limit(d: &Data) -> bool {
    let limit = |kind: i32| [ConstraintType::LimitJoint as i32, ConstraintType::LimitTendon as i32].contains(&kind);
    let rows = d.efc.efc_type.iter().zip(d.efc.efc_pos.iter().zip(&d.efc.efc_margin));
    rows.into_iter().any(|(kind, (pos, margin))| limit(*kind) && (pos - margin).abs() < LAST_DIGIT)
}

/// The first difference of every field and world; where a contact is barely there or not, or the last digit decides, only of what
/// comes before contacts.
pub fn differences(m: &Model, plan: &Plan, worlds: &Worlds, states: &States) -> Vec<Difference> {
    let mut all = Vec::new();
    for (world, d) in states.after.iter().enumerate() {
        let found = &mut all;
        let mut check = |field, got: &[f32], want: &[f64], tolerance: f64| {
            let scale = want.iter().fold(1.0f64, |s, x| s.max(x.abs()));
            let error = |(g, x): &(&f32, &f64)| (f64::from(**g) - **x).abs() / scale;
            if let Some(worst) = got.iter().zip(want).find(|pair| error(pair).is_nan() || error(pair) >= tolerance) {
                let error = error(&worst);
                found.push(Difference { world, field, got: f64::from(*worst.0), want: *worst.1, error });
            }
        };
        let output = |name: &str| {
            let at = plan.outputs.iter().position(|o| o.0 == name);
            at.map_or(&[][..], |at| &worlds.outputs[at][world * plan.outputs[at].1..][..plan.outputs[at].1])
        };
        check("xpos", output("xpos"), d.pose.xpos.as_flattened(), POSITIONS);
        check("xquat", output("xquat"), d.pose.xquat.as_flattened(), POSITIONS);
        check("geom_xpos", output("geom_xpos"), d.pose.geom_xpos.as_flattened(), POSITIONS);
        check("cdof", output("cdof"), d.pose.cdof.as_flattened(), POSITIONS);
        check("xmat", output("xmat"), d.pose.xmat.as_flattened(), POSITIONS);
        check("xipos", output("xipos"), d.pose.xipos.as_flattened(), POSITIONS);
        check("site_xpos", output("site_xpos"), d.pose.site_xpos.as_flattened(), POSITIONS);
        check("subtree_com", output("subtree_com"), d.pose.subtree_com.as_flattened(), POSITIONS);
        check("cinert", output("cinert"), d.pose.cinert.as_flattened(), POSITIONS);
        check("cvel", output("cvel"), d.motion.cvel.as_flattened(), FORCES);
        check("ten_length", output("ten_length"), &d.pose.ten_length, POSITIONS);
        check("ten_velocity", output("ten_velocity"), &d.motion.ten_velocity, FORCES);
        check("actuator_length", output("actuator_length"), &d.trn.actuator_length, POSITIONS);
        check("actuator_velocity", output("actuator_velocity"), &d.motion.actuator_velocity, FORCES);
        check("actuator_force", output("actuator_force"), &d.force.actuator_force, FORCES);
        check("qfrc_actuator", output("qfrc_actuator"), &d.force.qfrc_actuator, FORCES);
        check("qfrc_smooth", output("qfrc_smooth"), &d.force.qfrc_smooth, FORCES);
        if states.grazing[world] || states.fragile[world] {
            continue;
        }
        // a solver that is given few iterations stops early on both sides
        let Status { rows, flags, .. } = worlds.status[world];
        check("nefc", &[rows as f32], &[d.efc.efc_type.len() as f64], 1e-6);
        check("flags", &[(flags & !Status::NOT_CONVERGED) as f32], &[0.0], 1e-6);
        check("qfrc_constraint", output("qfrc_constraint"), &d.accel.qfrc_constraint, ACCELERATIONS);
        check("qacc", output("qacc"), &d.accel.qacc, ACCELERATIONS);
        // the engine finds it with the sensors, at the first stage of Runge–Kutta
        if d.accel.flg_rnepost != 0 && m.opt.integrator != Integrator::Rk4 {
            check("cfrc_ext", output("cfrc_ext"), d.accel.cfrc_ext.as_flattened(), ACCELERATIONS);
        }
        check("sensordata", output("sensordata"), &d.sensor.sensordata, ACCELERATIONS);
        check("qpos", &worlds.qpos[world * m.nq..][..m.nq], &d.state.qpos, POSITIONS);
        check("qvel", &worlds.qvel[world * m.nv..][..m.nv], &d.state.qvel, ACCELERATIONS);
    }
    all
}
