//! One step, as the list of its stages. Every other file is one entry of this table of contents.

use crate::actuation::transmission::Inputs;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::Stage;
use crate::{actuation, inertia, kinematics, passive, velocity};

/// Positions, velocities, forces and accelerations of the present state.
#[doc(alias = "mj_forward")]
pub fn forward(m: &Model, d: &mut Data) {
    forward_from(m, d, Stage::Pos);
}

/// [`forward`], beginning at a stage whose inputs have changed since the last call.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_from(m: &Model, d: &mut Data, first: Stage) {
    if first <= Stage::Pos {
        fwd_position(m, d);
    }
    if first <= Stage::Vel {
        fwd_velocity(m, d);
    }
}

/// Everything that depends on positions only.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position(m: &Model, d: &mut Data) {
    d.sensor.flg_energypos = 0;
    fwd_kinematics(m, d);
    make_m(m, d);
    factor_m(m, d);
    transmission(m, d);
}

/// Poses and everything attached to them.
#[doc(alias = "mj_fwdKinematics")]
pub fn fwd_kinematics(m: &Model, d: &mut Data) {
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    tendon(m, d);
}

/// Frames of bodies, then of what is attached to them.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(m: &Model, d: &mut Data) {
    kinematics::kinematics1(m, &d.state, &mut d.awake, &mut d.pose);
    kinematics::kinematics2(m, &d.awake, &mut d.pose);
}

/// Centres of mass, and inertias and motion axes about them.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, d: &mut Data) {
    kinematics::com_pos(m, &d.awake, &mut d.pose);
}

/// Camera and light frames.
#[doc(alias = "mj_camlight")]
pub fn camlight(m: &Model, d: &mut Data) {
    kinematics::camlight(m, &d.awake, &mut d.pose);
}

/// Tendon paths, lengths and Jacobians.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, d: &mut Data) {
    kinematics::tendon(m, &d.state, &d.awake, &mut d.pose, &mut d.scratch);
}

/// Mass matrix, in both storage orders.
#[doc(alias = "mj_makeM")]
pub fn make_m(m: &Model, d: &mut Data) {
    inertia::crb(m, &d.awake, &d.pose, &mut d.inertia);
    inertia::tendon_armature(m, &d.awake, &d.pose, &mut d.inertia);
    inertia::scatter_m(m, &mut d.inertia);
}

/// Factor of the mass matrix.
#[doc(alias = "mj_factorM")]
pub fn factor_m(m: &Model, d: &mut Data) {
    inertia::factor_m(m, &d.awake, &mut d.inertia);
}

/// Actuator lengths and moments.
#[doc(alias = "mj_transmission")]
pub fn transmission(m: &Model, d: &mut Data) {
    let inputs = Inputs { state: &d.state, awake: &d.awake, pose: &d.pose, contact: &d.contact, efc: &d.efc };
    actuation::transmission(m, inputs, &mut d.trn, &mut d.scratch);
}

/// Everything that depends on velocities, besides positions.
#[doc(alias = "mj_fwdVelocity")]
pub fn fwd_velocity(m: &Model, d: &mut Data) {
    d.motion.flg_subtreevel = 0;
    d.sensor.flg_energyvel = 0;
    velocity::lengths(m, &d.state, &d.pose, &d.trn, &mut d.motion);
    velocity::com_vel(m, &d.awake, &d.state, &d.pose, &mut d.motion);
    passive::passive(m, &d.awake, &d.state, &d.pose, &d.motion, &mut d.force);
    bias(m, d);
}

/// Coriolis, centrifugal and gravity forces, with those of tendon armature.
fn bias(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, motion, force, scratch, .. } = d;
    velocity::rne(m, awake, state, pose, motion, None, &mut scratch.body, &mut force.qfrc_bias);
    velocity::tendon_bias(m, awake, state, pose, motion, &mut force.qfrc_bias);
}
