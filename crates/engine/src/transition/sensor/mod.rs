//! Derivatives of sensors: `C` and `D`.
//!
//! Outputs `s(q, q̇, a, act, u)` also depend on accelerations, which follow from the force balance, `H ∂a = G ∂x`. So
//! `∂s/∂x = s_x + (H⁻¹ s_a)ᵀ G`: one solve for every output that depends on accelerations. Delayed outputs do not
//! change in this step, nor do outputs at their cutoff.

mod force;
mod gradient;
mod inverse;
mod length;
mod object;
mod subtree;

use super::partials::Partials;
use super::spring::Part;
use super::tie::By;
use super::tree::Rates;
use super::work::Work;
use super::{
    DerivativeConfig, DifferenceError, Method, Report, Term, Terms, Transition, TransitionWork, actuator, fd, forces,
    is_closed, moment, smooth,
};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{CamLight, DataType, DisableFlags, EnableFlags, ObjType, SensorType as S, Stage, TrnType};
use crate::sensor::is_delayed;
use crate::step;
use crate::support::activation;
use gradient::Gradient;
pub(super) use inverse::inverse;
use sinew_math::quat;
use sinew_math::spatial::Vec6;
use std::ops::Range;

/// Workspace of sensor derivatives.
#[derive(Clone, Debug)]
pub(super) struct SensorRoom {
    gradient: Gradient,
    momenta: Vec<Vec6>,
    /// For one output: the right-hand side of the solve with `H`, then the derivatives with respect to state and
    /// controls.
    row: Vec<f64>,
    /// Derivatives of actuator forces with respect to position and velocity, and of `M q̇` with respect to position.
    actuators: Option<Partials>,
    inertia: Vec<f64>,
    /// Sensors that were differenced, and the differences of all sensors.
    pub differenced: Vec<usize>,
    found: Transition,
}

impl SensorRoom {
    pub(super) fn new(m: &Model) -> Self {
        let mut gradient = Gradient::default();
        gradient.clear(m, (0..m.nsensor).map(|i| m.sensor_range(i).len()).max().unwrap_or(0));
        SensorRoom {
            gradient,
            momenta: vec![[0.0; 6]; m.nbody],
            row: vec![0.0; 3 * m.nv + m.na + m.nu],
            actuators: (0..m.nsensor).any(|i| m.sensor_type(i) == S::Jointactfrc).then(|| Partials::new(m)),
            inertia: vec![0.0; if (0..m.nsensor).any(|i| m.sensor_type(i) == S::EKinetic) { m.nv * m.nv } else { 0 }],
            differenced: Vec::with_capacity(m.nsensor),
            found: Transition::default(),
        }
    }
}

/// Which derivatives of the force balance are available.
#[derive(Clone, Copy)]
struct Known {
    /// `None` if accelerations have no derivative; otherwise whether there are constraints.
    constrained: Option<bool>,
    /// Whether the forces of contacts, connects and welds have derivatives, too.
    tied: bool,
}

/// Fills `C` and `D`. `ready`, if the force balance is already available: whether there are constraints, and which of
/// its terms were differenced.
pub(super) fn transition(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    ready: Option<(bool, Terms)>,
    out: &mut Transition,
) -> Result<Report, DifferenceError> {
    work.sensor.differenced.clear();
    if m.opt.disabled(DisableFlags::SENSOR) {
        return Ok(Report::default());
    }
    let whole = config.method == Method::Fd || m.opt.enabled(EnableFlags::SLEEP);
    if whole {
        work.sensor.differenced.extend(0..m.nsensor);
        return Ok(differences(m, d, config, work, out));
    }
    let (known, terms) = prepare(m, d, config, work, ready)?;
    let mut report = Report { positions: terms, velocities: terms, ..Report::default() };
    for i in (0..m.nsensor).filter(|&i| !is_delayed(m, &d.state, i)) {
        if !sensor_is_closed(m, i, known) {
            work.sensor.differenced.push(i);
            continue;
        }
        let rows = m.sensor_range(i);
        let TransitionWork { inner, sensor, .. } = work;
        sensor.gradient.clear(m, rows.len());
        if gradient(m, i, inner, sensor, known) {
            report.positions.insert(Term::Wrapping);
            report.velocities.insert(Term::Wrapping);
        }
        work.store_sensor(m, i, rows, known, out);
    }
    if !work.sensor.differenced.is_empty() {
        if config.method == Method::Analytic {
            return Err(DifferenceError::NotClosed(Term::Sensor));
        }
        report = report.with(differences(m, d, config, work, out));
    }
    Ok(report)
}

/// Computes all stages with sensors at the current state, the force balance if a sensor depends on it, and the terms of
/// bodies.
fn prepare(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    ready: Option<(bool, Terms)>,
) -> Result<(Known, Terms), DifferenceError> {
    let data = &mut work.inner.data;
    if ready.is_some() {
        step::sensor_pos(m, data, &mut ());
        step::sensor_vel(m, data, &mut ());
        step::sensor_acc(m, data, &mut ());
    } else {
        data.copy_start(d);
        step::forward_skip(m, data, &mut (), Stage::None, false);
        work.qacc.copy_from_slice(&data.accel.qacc);
        work.advance.copy_from_slice(&data.accel.qacc);
    }
    let needed = is_closed(m) && (0..m.nsensor).any(|i| m.sensor_needstage(i) == Stage::Acc);
    let balance = match ready {
        _ if !needed => None,
        Some(ready) => Some(ready),
        None => Some(forces(m, config, work, false)?),
    };
    let terms = balance.map_or(Terms::default(), |b| b.1);
    let tied = !terms.has(Term::Constraint);
    bodies(m, work, balance.is_some() && tied);
    Ok((Known { constrained: balance.map(|b| b.0), tied }, terms))
}

/// Computes the terms of bodies at the state and acceleration of `work`; `tied`: including constraint forces between
/// them.
fn bodies(m: &Model, work: &mut TransitionWork, tied: bool) {
    let Work { data, tree, geometry, fields, zero, lever, movers, .. } = &mut work.inner;
    let d = &*data;
    if !work.sensor.inertia.is_empty() {
        let rates = Rates { qvel: zero, qacc: &d.state.qvel, base: [0.0; 6], wind: [0.0; 3] };
        tree.outward(m, &d.pose, &rates);
        tree.inward(m, &d.pose, &d.inertia);
        work.sensor.inertia.fill(0.0);
        tree.add_by_position(m, &d.pose, 1.0, &mut work.sensor.inertia);
    }
    let rates = Rates { qvel: &d.state.qvel, qacc: &work.qacc, base: smooth::base(m), wind: [0.0; 3] };
    tree.outward(m, &d.pose, &rates);
    if tied {
        fields[0].fill(m, &d.pose, &work.qacc);
        fields[1].fill(m, &d.pose, &d.state.qvel);
        force::subtract(m, d, force::Outside { geometry, fields: fields.each_ref() }, tree);
    }
    tree.inward(m, &d.pose, &d.inertia);
    subtree::momenta(m, d, tree, &mut work.sensor.momenta);
    if let Some(partials) = &mut work.sensor.actuators {
        partials.clear();
        actuator::forces(m, d, (Part::Force, None), (lever, movers), partials);
    }
}

/// Whether a sensor has a closed-form derivative.
fn sensor_is_closed(m: &Model, i: usize, known: Known) -> bool {
    let id = m.sensor_objid[i] as usize;
    let stays = |kind: ObjType, id: i32| kind != ObjType::Camera || m.cam_mode(id as usize) == CamLight::Fixed;
    let acts = |i: &usize| !m.opt.disabled(DisableFlags::ACTUATION) && !activation::is_disabled(m, *i);
    // a tendon that limits its actuators couples their forces
    let alone = |i: usize| {
        m.actuator_trntype(i) != TrnType::Tendon || m.tendon_actfrclimited[m.actuator_trnid[i][0] as usize] == 0
    };
    let smooth = known.constrained.is_some();
    match m.sensor_type(i) {
        S::Jointpos | S::Jointvel | S::Ballquat | S::Ballangvel | S::Clock | S::Insidesite => true,
        S::Tendonpos | S::Tendonvel | S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => true,
        S::Jointlimitpos | S::Jointlimitvel | S::Tendonlimitpos | S::Tendonlimitvel => true,
        S::Actuatorpos | S::Actuatorvel => moment::is_closed(m, id),
        S::EPotential => m.nflex == 0,
        S::EKinetic => m.tendon_armature.iter().all(|&a| a == 0.0),
        S::Magnetometer | S::Velocimeter | S::Gyro => true,
        S::Framepos | S::Framequat | S::Framexaxis | S::Frameyaxis | S::Framezaxis => {
            stays(m.sensor_objtype(i), m.sensor_objid[i]) && stays(m.sensor_reftype(i), m.sensor_refid[i])
        }
        S::Framelinvel | S::Frameangvel | S::Camprojection => {
            stays(m.sensor_objtype(i), m.sensor_objid[i]) && stays(m.sensor_reftype(i), m.sensor_refid[i])
        }
        S::Framelinacc | S::Frameangacc => smooth && stays(m.sensor_objtype(i), m.sensor_objid[i]),
        S::Accelerometer | S::Jointlimitfrc | S::Tendonlimitfrc => smooth,
        S::Actuatorfrc => smooth && moment::is_closed(m, id) && alone(id),
        S::Tendonactfrc => smooth && m.tendon_actfrclimited[id] == 0,
        S::Jointactfrc => {
            let unmoved = m.jnt_actgravcomp[id] == 0 || m.body_gravcomp.iter().all(|&g| g == 0.0);
            smooth && unmoved && (0..m.nu).filter(acts).all(|k| moment::is_closed(m, k) && alone(k))
        }
        S::Force | S::Torque => smooth && known.tied && m.body_weldid[m.site_bodyid[id] as usize] != 0,
        S::Touch => smooth && known.tied,
        _ => false,
    }
}

/// Computes the gradient of a sensor. Returns whether anything was differenced.
fn gradient(m: &Model, i: usize, work: &mut Work, room: &mut SensorRoom, known: Known) -> bool {
    let (kind, id) = (m.sensor_type(i), m.sensor_objid[i] as usize);
    let Work { data: d, tree, lever, movers, geometry, fields, .. } = work;
    let (d, tree, out) = (&*d, &*tree, &mut room.gradient);
    let outside = force::Outside { geometry, fields: fields.each_ref() };
    match kind {
        S::Jointpos => out.add(By::Position, m.jnt_dofadr[id] as usize, &[1.0]),
        S::Jointvel => out.add(By::Velocity, m.jnt_dofadr[id] as usize, &[1.0]),
        S::Ballquat => ball(m, d, id, out),
        S::Ballangvel => {
            for k in 0..3 {
                let mut unit = [0.0; 3];
                unit[k] = 1.0;
                out.add(By::Velocity, m.jnt_dofadr[id] as usize + k, &unit);
            }
        }
        S::Tendonpos | S::Tendonvel | S::Actuatorpos | S::Actuatorvel => {
            return length::length(m, d, kind, id, (lever, movers), out);
        }
        S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc => {
            return length::limit(m, d, kind, id, (lever, movers), out);
        }
        S::Tendonlimitpos | S::Tendonlimitvel | S::Tendonlimitfrc => {
            return length::limit(m, d, kind, id, (lever, movers), out);
        }
        S::Actuatorfrc => return length::actuator_force(m, d, id, (lever, movers), out),
        S::Tendonactfrc => return length::tendon_force(m, d, id, (lever, movers), out),
        S::Jointactfrc => {
            let dof = m.jnt_dofadr[id] as usize;
            if let Some(by) = room.actuators.as_ref().filter(|_| !actuator::is_held(m, d, dof)) {
                length::joint_force(m, d, dof, [&by.by_q, &by.by_v], out);
            }
        }
        S::Subtreecom => subtree::com(m, d, id, out),
        S::Subtreelinvel | S::Subtreeangmom => subtree::momentum(m, d, tree, &room.momenta, (kind, id), out),
        S::EPotential => subtree::potential(m, d, out),
        S::EKinetic => subtree::kinetic(m, d, &room.inertia, out),
        S::Force | S::Torque => force::interaction(m, d, tree, outside, (kind, id), out),
        S::Touch if known.constrained == Some(true) => force::touch(m, d, outside, id, out),
        S::Touch | S::Clock | S::Insidesite => {}
        _ => object::frame(m, d, tree, i, out),
    }
    false
}

/// Orientation of a ball joint: `δq = q (0, e_j/2)`.
fn ball(m: &Model, d: &Data, joint: usize, out: &mut Gradient) {
    let adr = m.jnt_qposadr[joint] as usize;
    let q = quat::normalize(std::array::from_fn(|k| d.state.qpos[adr + k])).0;
    for k in 0..3 {
        let mut unit = [0.0; 3];
        unit[k] = 0.5;
        out.add(By::Position, m.jnt_dofadr[joint] as usize + k, &quat::mul_axis(q, unit));
    }
}

impl TransitionWork {
    /// Stores the rows of sensor `i` from its gradient.
    fn store_sensor(&mut self, m: &Model, i: usize, rows: Range<usize>, known: Known, out: &mut Transition) {
        let (nv, ndx, nu) = (m.nv, 2 * m.nv + m.na, m.nu);
        let mut room = std::mem::take(&mut self.sensor.row);
        let (w, rest) = room.split_at_mut(nv);
        let (by_x, by_u) = rest.split_at_mut(ndx);
        for (r, at) in rows.enumerate() {
            if is_cut(m, i, self.inner.data.sensor.sensordata[at]) {
                continue;
            }
            let g = &self.sensor.gradient;
            by_x[..nv].copy_from_slice(g.row(By::Position, r));
            by_x[nv..2 * nv].copy_from_slice(g.row(By::Velocity, r));
            by_x[2 * nv..].copy_from_slice(&g.act[r * m.na..][..m.na]);
            by_u.copy_from_slice(&g.ctrl[r * nu..][..nu]);
            w.copy_from_slice(g.row(By::Acceleration, r));
            if let Some(constrained) = known.constrained.filter(|_| w.iter().any(|x| *x != 0.0)) {
                self.accelerate(m, constrained, w);
                self.pull(m, w, by_x, by_u);
            }
            for (to, from) in [(&mut out.C, &*by_x), (&mut out.D, &*by_u)] {
                if !to.is_empty() {
                    to[at * from.len()..][..from.len()].copy_from_slice(from);
                }
            }
        }
        self.sensor.row = room;
    }
}

/// Whether an output is clamped by its cutoff.
fn is_cut(m: &Model, i: usize, value: f64) -> bool {
    let limit = m.sensor_cutoff[i];
    limit > 0.0
        && match m.sensor_datatype(i) {
            DataType::Real => value.abs() >= limit,
            DataType::Positive => value >= limit,
            _ => false,
        }
}

/// Differences the sensors that have no closed form.
fn differences(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
    out: &mut Transition,
) -> Report {
    work.inner.data.copy_from(d);
    let SensorRoom { found, differenced, .. } = &mut work.sensor;
    found.fit(m, [false, false, !out.C.is_empty(), !out.D.is_empty()]);
    fd::whole(m, &mut work.inner.data, config, true, &mut work.differences, found);
    for &i in differenced.iter() {
        let rows = m.sensor_range(i);
        for (to, from, cols) in [(&mut out.C, &found.C, 2 * m.nv + m.na), (&mut out.D, &found.D, m.nu)] {
            let span = rows.start * cols..rows.end * cols;
            if !to.is_empty() {
                to[span.clone()].copy_from_slice(&from[span]);
            }
        }
    }
    let mut all = Terms::default();
    all.insert(Term::Sensor);
    Report { positions: all, velocities: all, activations: all, controls: all }
}
