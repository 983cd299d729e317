//! Compares a step of the kernels with a step of the CPU engine from the same states.

use crate::{Plan, Settings, Status, Worlds};
use sinew_engine::Model;
use sinew_engine::data::Data;
use sinew_engine::model::enums::{ConstraintType, Integrator, SolverType, Stage};
use sinew_engine::step::{forward, step};
use std::fmt;

/// Outputs that are compared.
const OUTPUTS: [&str; 6] = ["xpos", "xquat", "geom_xpos", "cdof", "qfrc_smooth", "qacc"];
/// Tolerances relative to the largest number of a field: single precision for positions, long sums for forces, and a
/// solver tolerance of 1e-6 for accelerations.
const POSITIONS: f64 = 1e-5;
const FORCES: f64 = 1e-4;
const ACCELERATIONS: f64 = 1e-3;
/// If a distance is this close to its margin, single precision may or may not detect the contact.
const NEAR: f64 = 1e-5;

/// A relative change of positions below single precision.
const ROUNDING: f64 = 1e-7;

/// A number that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The world.
    pub world: usize,
    /// The field.
    pub field: &'static str,
    /// The kernels' value.
    pub got: f64,
    /// The engine's value.
    pub want: f64,
    /// The difference relative to the largest number of the field.
    pub error: f64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "world {}: {} {} for {} ({:.1e})", self.world, self.field, self.got, self.want, self.error)
    }
}

/// Settings with the outputs that are compared.
pub fn settings() -> Settings {
    Settings { outputs: OUTPUTS.map(String::from).to_vec(), ..Settings::default() }
}

/// Settings with all outputs.
pub fn everything() -> Settings {
    Settings { outputs: crate::outputs::NAMES.map(String::from).to_vec(), ..Settings::default() }
}

/// Initial states, and the engine's results from them.
#[derive(Debug, Default)]
pub struct States {
    /// The states.
    pub worlds: Worlds,
    /// The engine's results after a step.
    pub after: Vec<Data>,
    /// Whether a contact is at its margin, so that rounding decides whether it exists.
    pub grazing: Vec<bool>,
    /// Whether the engine's own result depends on the rounding of positions and shapes.
    pub fragile: Vec<bool>,
    /// Whether the path of a tendon does.
    pub jumps: Vec<bool>,
    /// Whether the engine's solver stopped before convergence, so that its result depends on its path.
    pub cut_short: Vec<bool>,
}

impl States {
    /// Number of worlds that are only compared up to contacts.
    pub fn left_out(&self) -> usize {
        (0..self.after.len()).filter(|w| !self.counts(*w)).count()
    }

    /// Whether all fields of a world are compared.
    fn counts(&self, world: usize) -> bool {
        !(self.grazing[world] || self.fragile[world] || self.cut_short[world])
    }
}

/// Copies of a model perturbed by rounding errors. Their results may still differ considerably: coinciding shapes,
/// flat faces on each other, searches that stop anywhere within their tolerance.
struct Perturbed {
    models: Vec<Model>,
    random: u64,
}

impl Perturbed {
    /// Signs are random: with four copies, none may reveal a dependence on rounding.
    const COUNT: usize = 8;

    fn new(m: &Model) -> Self {
        let mut perturbed = Perturbed { models: vec![m.clone(); Self::COUNT], random: 11 };
        let mut models = std::mem::take(&mut perturbed.models);
        for model in &mut models {
            let vectors = [&mut model.body_pos, &mut model.geom_pos, &mut model.geom_size];
            let vectors = vectors.into_iter().flat_map(|list| list.iter_mut().flatten());
            let quaternions = [&mut model.body_quat, &mut model.geom_quat].into_iter();
            let quaternions = quaternions.flat_map(|list| list.iter_mut().flatten());
            vectors.chain(quaternions).for_each(|x| perturbed.perturb(x));
        }
        perturbed.models = models;
        perturbed
    }

    /// Perturbs a number by a rounding error.
    fn perturb(&mut self, x: &mut f64) {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let sign = if self.random >> 63 == 0 { 1.0 } else { -1.0 };
        *x += sign * ROUNDING * x.abs().max(0.1);
    }

    /// Whether tendon lengths, and results, change by more than half of their tolerance.
    fn disagree(&mut self, d: &Data, next: &Data) -> [bool; 2] {
        let mut found = [false; 2];
        for k in 0..Self::COUNT {
            let mut other = d.clone();
            other.state.qpos.iter_mut().for_each(|x| self.perturb(x));
            step(&self.models[k], &mut other);
            found[0] |= changed(&next.pose.ten_length, &other.pose.ten_length, POSITIONS);
            found[1] |= results_changed(&self.models[k], next, &other);
        }
        found
    }
}

/// Whether the engine's solver used all iterations, or is CG and stopped where Newton's method does not.
fn cut_short(m: &Model, d: &Data, next: &Data) -> bool {
    let mut exact = d.clone();
    if m.opt.solver == SolverType::Cg {
        let mut newton = m.clone();
        newton.opt.solver = SolverType::Newton;
        step(&newton, &mut exact);
    }
    next.accel.solver_niter.iter().any(|n| *n >= m.opt.iterations.max(1))
        || m.opt.solver == SolverType::Cg && results_changed(m, next, &exact)
}

/// Whether numbers differ by more than half of a tolerance.
fn changed(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let scale = a.iter().fold(1.0f64, |s, x| s.max(x.abs()));
    a.iter().zip(b).any(|(x, y)| (x - y).abs() > 0.5 * tolerance * scale)
}

fn results_changed(m: &Model, next: &Data, other: &Data) -> bool {
    let sensed = |d: &Data, group: &Group| {
        let acceleration = d.accel.qacc.iter().filter(|_| group.acceleration).copied();
        group.numbers.iter().map(|k| d.sensor.sensordata[*k]).chain(acceleration).collect::<Vec<_>>()
    };
    changed(&next.accel.qacc, &other.accel.qacc, ACCELERATIONS)
        || changed(&next.state.qvel, &other.state.qvel, ACCELERATIONS)
        || changed(&next.accel.qfrc_constraint, &other.accel.qfrc_constraint, ACCELERATIONS)
        || changed(next.accel.cfrc_ext.as_flattened(), other.accel.cfrc_ext.as_flattened(), ACCELERATIONS)
        || sensor_groups(m).iter().any(|group| changed(&sensed(next, group), &sensed(other, group), ACCELERATIONS))
        || changed(&next.state.qpos, &other.state.qpos, POSITIONS)
}

/// States along a roll-out with random controls.
pub fn states(m: &Model, count: usize, apart: usize) -> States {
    let mut states = States::default();
    let worlds = &mut states.worlds;
    worlds.status = vec![Status::default(); count];
    let mut wide = m.clone();
    wide.geom_margin.iter_mut().chain(wide.pair_margin.iter_mut()).for_each(|margin| *margin += NEAR);
    let (mut d, mut perturbed) = (Data::new(m), Perturbed::new(m));
    let mut random = 7u64;
    let mocap = crate::initial_states::mocap_poses(&d);
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
        // contacts at the beginning of the step, and at the last stage of Runge–Kutta
        let mut around = d.clone();
        let grazes = |d: &Data| d.contact.iter().any(|c| (c.dist - c.includemargin).abs() < 3.0 * NEAR);
        forward(&wide, &mut around);
        let begins = grazes(&around);
        step(&wide, &mut around);
        states.grazing.push(begins || grazes(&around) || at_limit(&next));
        let [jumps, fragile] = perturbed.disagree(&d, &next);
        states.jumps.push(jumps);
        states.fragile.push(fragile || jumps);
        states.cut_short.push(cut_short(m, &d, &next));
        states.after.push(next);
    }
    states
}

/// Whether a joint or a tendon is at its limit up to rounding.
fn at_limit(d: &Data) -> bool {
    let limit = |kind: i32| [ConstraintType::LimitJoint as i32, ConstraintType::LimitTendon as i32].contains(&kind);
    let rows = d.efc.efc_type.iter().zip(d.efc.efc_pos.iter().zip(&d.efc.efc_margin));
    rows.into_iter().any(|(kind, (pos, margin))| limit(*kind) && (pos - margin).abs() < ROUNDING)
}

/// Sensor outputs that are compared by a common scale.
struct Group {
    numbers: Vec<usize>,
    /// Whether they are forces and accelerations.
    acceleration: bool,
}

/// One group per sensor of positions and velocities, and one of all forces and accelerations, because those are
/// differences of larger numbers.
fn sensor_groups(m: &Model) -> Vec<Group> {
    let (last, first): (Vec<_>, Vec<_>) = (0..m.nsensor).partition(|i| m.sensor_needstage(*i) == Stage::Acc);
    let group = |sensors: &[usize], acceleration| Group {
        numbers: sensors.iter().flat_map(|i| m.sensor_range(*i)).collect(),
        acceleration,
    };
    first.iter().map(|i| group(&[*i], false)).chain([group(&last, true)]).collect()
}

/// The first difference of every field and world. If rounding decides about a contact, only what precedes contacts is
/// compared.
pub fn differences(m: &Model, plan: &Plan, worlds: &Worlds, states: &States) -> Vec<Difference> {
    let mut all = Vec::new();
    let stages = m.opt.integrator == Integrator::Rk4;
    for (world, d) in states.after.iter().enumerate() {
        // all results of Runge–Kutta depend on its contacts
        if stages && !states.counts(world) {
            continue;
        }
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
        if states.jumps[world] {
            continue;
        }
        check("ten_length", output("ten_length"), &d.pose.ten_length, POSITIONS);
        check("ten_velocity", output("ten_velocity"), &d.motion.ten_velocity, FORCES);
        check("actuator_length", output("actuator_length"), &d.trn.actuator_length, POSITIONS);
        check("actuator_velocity", output("actuator_velocity"), &d.motion.actuator_velocity, FORCES);
        check("actuator_force", output("actuator_force"), &d.force.actuator_force, FORCES);
        check("qfrc_actuator", output("qfrc_actuator"), &d.force.qfrc_actuator, FORCES);
        check("qfrc_smooth", output("qfrc_smooth"), &d.force.qfrc_smooth, FORCES);
        if !states.counts(world) {
            continue;
        }
        // with few iterations both solvers may stop early
        let Status { rows, flags, .. } = worlds.status[world];
        check("nefc", &[rows as f32], &[d.efc.efc_type.len() as f64], 1e-6);
        check("flags", &[(flags & !Status::NOT_CONVERGED) as f32], &[0.0], 1e-6);
        check("qfrc_constraint", output("qfrc_constraint"), &d.accel.qfrc_constraint, ACCELERATIONS);
        check("qacc", output("qacc"), &d.accel.qacc, ACCELERATIONS);
        // the engine computes it with the sensors, at the first stage of Runge–Kutta
        if d.accel.flg_rnepost != 0 && !stages {
            check("cfrc_ext", output("cfrc_ext"), d.accel.cfrc_ext.as_flattened(), ACCELERATIONS);
        }
        let sensed = output("sensordata");
        for group in sensor_groups(m).into_iter().filter(|_| !sensed.is_empty()) {
            let mut got: Vec<f32> = group.numbers.iter().map(|k| sensed[*k]).collect();
            let mut want: Vec<f64> = group.numbers.iter().map(|k| d.sensor.sensordata[*k]).collect();
            if group.acceleration {
                // sensors derived from accelerations are as accurate as these
                got.extend(output("qacc"));
                want.extend(d.accel.qacc.iter());
            }
            check("sensordata", &got, &want, ACCELERATIONS);
        }
        check("qpos", &worlds.qpos[world * m.nq..][..m.nq], &d.state.qpos, POSITIONS);
        check("qvel", &worlds.qvel[world * m.nv..][..m.nv], &d.state.qvel, ACCELERATIONS);
    }
    all
}
