//! Sensors that depend on accelerations and forces.

use super::Inputs;
use super::contact::contact;
use super::tactile::tactile;
use super::touch::touch;
use crate::model::enums::{ConstraintType, SensorType as S, TrnType};
use sinew_math::spatial::{Vec6, lin, rot, transform_force};

/// Writes the value of acceleration sensor `i`.
pub fn acc(x: &Inputs, i: usize, out: &mut [f64]) {
    let id = x.object(i);
    match x.kind(i) {
        Some(S::Touch) => out[0] = touch(x, id),
        Some(S::Contact) => contact(x, i, out),
        Some(S::Tactile) => tactile(x, i, out),
        Some(S::Accelerometer) => out.copy_from_slice(&lin(&acceleration(x, i, true))),
        Some(S::Force) => out.copy_from_slice(&lin(&interaction(x, id))),
        Some(S::Torque) => out.copy_from_slice(&rot(&interaction(x, id))),
        Some(S::Actuatorfrc) => out[0] = x.force.actuator_force[id],
        Some(S::Jointactfrc) => out[0] = x.force.qfrc_actuator[x.m.jnt_dofadr[id] as usize],
        Some(S::Tendonactfrc) => out[0] = tendon_force(x, id),
        Some(S::Jointlimitfrc) => out[0] = limit_force(x, ConstraintType::LimitJoint, id),
        Some(S::Tendonlimitfrc) => out[0] = limit_force(x, ConstraintType::LimitTendon, id),
        Some(S::Framelinacc) => out.copy_from_slice(&lin(&acceleration(x, i, false))),
        Some(S::Frameangacc) => out.copy_from_slice(&rot(&acceleration(x, i, false))),
        _ => {}
    }
}

/// Force of an active limit; 0 if no limit is active.
fn limit_force(x: &Inputs, kind: ConstraintType, id: usize) -> f64 {
    x.limit_row(kind, id).map_or(0.0, |r| x.solution.efc_force[r])
}

fn acceleration(x: &Inputs, i: usize, local: bool) -> Vec6 {
    x.frame(i).map_or([0.0; 6], |at| at.acceleration(x.m, x.pose, x.motion, x.accel, local))
}

/// Interaction force between the body of a site and its parent, at the site and in its frame.
fn interaction(x: &Inputs, site: usize) -> Vec6 {
    let body = x.m.site_bodyid[site] as usize;
    let com = x.pose.subtree_com[x.m.body_rootid[body] as usize];
    transform_force(&x.accel.cfrc_int[body], x.pose.site_xpos[site], com, Some(&x.pose.site_xmat[site]))
}

/// Sum of the forces of actuators attached to a tendon.
fn tendon_force(x: &Inputs, tendon: usize) -> f64 {
    let pulls = |i: &usize| x.m.actuator_trntype(*i) == TrnType::Tendon && x.m.actuator_trnid[*i][0] == tendon as i32;
    (0..x.m.nu).filter(pulls).map(|i| x.force.actuator_force[i]).sum()
}
