//! Sensors of lengths (tendons, actuators and limits), and of forces along them.

use super::gradient::Gradient;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{ConstraintType, SensorType as S, TrnType};
use crate::transition::actuator::slopes;
use crate::transition::lever::{Along, Lever};
use crate::transition::path::{self, Mover};
use crate::transition::product::inputs;
use crate::transition::tie::By;
use crate::transition::{moment, rows};

/// Workspace of moments.
pub(super) type Room<'a> = (&'a mut Lever, &'a mut Vec<Mover>);

/// Adds the position part of a sensor that depends on a length and its rate `J · x`. For constraint forces, `x` also
/// includes accelerations.
fn spread(lever: &Lever, [by_length, by_rate]: [f64; 2], x: impl Fn(usize) -> f64, out: &mut Gradient) {
    for (k, &j) in lever.dofs.iter().enumerate() {
        let turned = if lever.is_curved() { lever.curve_dot(|i| x(lever.dofs[i]), k) } else { 0.0 };
        out.add(By::Position, j, &[by_length * lever.slope[k] + by_rate * turned]);
    }
}

fn spread_rate(lever: &Lever, by: By, by_rate: f64, out: &mut Gradient) {
    lever.dofs.iter().zip(&lever.moment).for_each(|(&j, moment)| out.add(by, j, &[by_rate * moment]));
}

/// Length or velocity of a tendon or an actuator. Returns whether anything was differenced.
pub(super) fn length(m: &Model, d: &Data, kind: S, id: usize, (lever, movers): Room, out: &mut Gradient) -> bool {
    let differenced = match kind {
        S::Tendonpos | S::Tendonvel => path::tendon(m, &d.pose, id, lever, movers),
        _ => moment::actuator(m, d, id, lever, movers),
    };
    sense(d, matches!(kind, S::Tendonpos | S::Actuatorpos), lever, out);
    differenced
}

fn sense(d: &Data, position: bool, lever: &Lever, out: &mut Gradient) {
    if position {
        spread(lever, [1.0, 0.0], |_| 0.0, out);
    } else {
        spread(lever, [0.0, 1.0], |i| d.state.qvel[i], out);
        spread_rate(lever, By::Velocity, 1.0, out);
    }
}

/// Row of the active limit of joint or tendon `id`.
fn limit_row(d: &Data, kind: ConstraintType, id: usize) -> Option<usize> {
    let e = &d.efc;
    let limits = (e.ne + e.nf) as usize..e.nefc as usize;
    limits.into_iter().find(|&r| e.efc_type[r] == kind as i32 && e.efc_id[r] == id as i32)
}

/// Distance to a limit, velocity towards it, or its force; zero while the limit is inactive. Returns whether anything
/// was differenced.
pub(super) fn limit(m: &Model, d: &Data, kind: S, id: usize, (lever, movers): Room, out: &mut Gradient) -> bool {
    let of_joint = matches!(kind, S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc);
    let row = if of_joint { ConstraintType::LimitJoint } else { ConstraintType::LimitTendon };
    let Some(r) = limit_row(d, row, id) else { return false };
    let mut differenced = false;
    if of_joint {
        rows::joint_limit(m, d, r, lever);
    } else {
        differenced = rows::tendon_limit(m, d, r, lever, movers);
    }
    match kind {
        S::Jointlimitpos | S::Tendonlimitpos => sense(d, true, lever, out),
        S::Jointlimitvel | S::Tendonlimitvel => sense(d, false, lever, out),
        _ => {
            let (b, Along { by_length, by_velocity, .. }) = (d.efc.efc_KBIP[r][1], rows::along(d, r));
            spread(lever, [by_length, by_velocity], |i| d.accel.qacc[i] + b * d.state.qvel[i], out);
            spread_rate(lever, By::Velocity, by_velocity * b, out);
            spread_rate(lever, By::Acceleration, by_velocity, out);
        }
    }
    differenced
}

/// Adds the force of actuator `i` to a sensor. Returns whether anything was differenced.
pub(super) fn actuator_force(m: &Model, d: &Data, i: usize, (lever, movers): Room, out: &mut Gradient) -> bool {
    let along = slopes(m, d, i).along;
    let mut differenced = false;
    if along.by_length != 0.0 || along.by_velocity != 0.0 {
        differenced = moment::actuator(m, d, i, lever, movers);
        spread(lever, [along.by_length, along.by_velocity], |j| d.state.qvel[j], out);
        spread_rate(lever, By::Velocity, along.by_velocity, out);
    }
    add_inputs(m, d, i, 1.0, out);
    differenced
}

/// Adds the derivatives of an actuator's force with respect to activation and control, times `scale`.
fn add_inputs(m: &Model, d: &Data, i: usize, scale: f64, out: &mut Gradient) {
    let by = inputs(m, d, i);
    if let Some(a) = by.activation {
        out.act[a] += scale * by.force[0];
    }
    out.ctrl[i] += scale * by.force[1];
}

/// Sum of the forces of actuators on a tendon. Returns whether anything was differenced.
pub(super) fn tendon_force(m: &Model, d: &Data, id: usize, (lever, movers): Room, out: &mut Gradient) -> bool {
    let pulls = |i: &usize| m.actuator_trntype(*i) == TrnType::Tendon && m.actuator_trnid[*i][0] == id as i32;
    let mut differenced = false;
    for i in (0..m.nu).filter(pulls) {
        differenced |= actuator_force(m, d, i, (&mut *lever, &mut *movers), out);
    }
    differenced
}

/// Force of all actuators on one dof, given its derivatives with respect to positions and velocities.
pub(super) fn joint_force(m: &Model, d: &Data, dof: usize, [by_q, by_v]: [&[f64]; 2], out: &mut Gradient) {
    for j in 0..m.nv {
        out.add(By::Position, j, &[by_q[j * m.nv + dof]]);
        out.add(By::Velocity, j, &[by_v[j * m.nv + dof]]);
    }
    for i in 0..m.nu {
        let scale: f64 = moment::row(d, i).filter(|e| e.0 == dof).map(|e| e.1).sum();
        if scale != 0.0 {
            add_inputs(m, d, i, scale, out);
        }
    }
}
