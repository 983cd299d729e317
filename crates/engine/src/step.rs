//! One step, as the list of its stages. Every other file is one entry of this table of contents.

use crate::actuation::transmission::Inputs;
use crate::data::Data;
use crate::hooks::Hooks;
use crate::model::Model;
use crate::model::enums::{BiasType, DisableBit, DynType, GainType, Stage, Warning};
use crate::{acceleration, actuation, inertia, kinematics, passive, velocity};

/// Positions, velocities, forces and accelerations of the present state.
#[doc(alias = "mj_forward")]
pub fn forward(m: &Model, d: &mut Data) {
    forward_with(m, d, &mut ());
}

/// [`forward`] with callbacks.
pub fn forward_with(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    forward_skip(m, d, hooks, Stage::None);
}

/// [`forward`] without the stages up to `done`, whose inputs have not changed since the last call.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_skip(m: &Model, d: &mut Data, hooks: &mut dyn Hooks, done: Stage) {
    if done < Stage::Pos {
        fwd_position(m, d);
    }
    if done < Stage::Vel {
        fwd_velocity(m, d, hooks);
    }
    if !m.opt.disabled(DisableBit::Actuation) {
        hooks.control(m, d);
    }
    fwd_actuation(m, d, hooks);
    fwd_acceleration(m, d);
    fwd_constraint(d);
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
pub fn fwd_velocity(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    d.motion.flg_subtreevel = 0;
    d.sensor.flg_energyvel = 0;
    velocity::lengths(m, &d.state, &d.pose, &d.trn, &mut d.motion);
    velocity::com_vel(m, &d.awake, &d.state, &d.pose, &mut d.motion);
    passive::passive(m, &d.awake, &d.state, &d.pose, &d.motion, &mut d.force);
    if !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper)) {
        hooks.passive(m, d);
    }
    bias(m, d);
}

/// Coriolis, centrifugal and gravity forces, with those of tendon armature.
fn bias(m: &Model, d: &mut Data) {
    let Data { state, awake, pose, motion, force, scratch, .. } = d;
    velocity::rne(m, awake, state, pose, motion, None, &mut scratch.body, &mut force.qfrc_bias);
    velocity::tendon_bias(m, awake, state, pose, motion, &mut force.qfrc_bias);
}

/// Activation rates and actuator forces.
#[doc(alias = "mj_fwdActuation")]
pub fn fwd_actuation(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        d.force.actuator_force.fill(0.0);
        d.force.qfrc_actuator.fill(0.0);
        return;
    }
    if let Some(bad) = actuation::controls(m, &d.state, &mut d.scratch.actuator.ctrl) {
        d.warn(Warning::Badctrl, bad);
    }
    actuation::act_dot(m, &d.awake, &d.state, &d.scratch.actuator.ctrl, &mut d.force);
    user_actuators(m, d, hooks);
    let Data { state, awake, trn, motion, force, scratch, .. } = d;
    actuation::actuator_force(m, awake, state, trn, motion, &scratch.actuator, force);
    actuation::clamp_force(m, &mut scratch.actuator.tendon, force);
    actuation::joint_force(m, trn, force);
}

/// Asks the callbacks for what user actuators contribute.
fn user_actuators(m: &Model, d: &mut Data, hooks: &mut dyn Hooks) {
    for i in 0..m.nu {
        if m.actuator_dyntype[i] == DynType::User as i32
            && let Some(last) = m.actuator_act(i)
        {
            let rate = hooks.act_dyn(m, d, i);
            if m.actuator_actnum[i] == 1 {
                d.force.act_dot[last] = rate;
            }
        }
    }
    for i in 0..m.nu {
        if m.actuator_gaintype[i] == GainType::User as i32 {
            d.scratch.actuator.gain[i] = hooks.act_gain(m, d, i);
        }
        if m.actuator_biastype[i] == BiasType::User as i32 {
            d.scratch.actuator.bias[i] = hooks.act_bias(m, d, i);
        }
    }
}

/// Sum of all forces but those of constraints, and the acceleration they cause.
#[doc(alias = "mj_fwdAcceleration")]
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    acceleration::smooth(m, &d.awake, &d.state, &d.pose, &d.inertia, &mut d.force, &mut d.accel);
}

/// Acceleration where no constraint is active: the smooth one.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(d: &mut Data) {
    d.accel.qfrc_constraint.fill(0.0);
    d.accel.qacc.copy_from_slice(&d.accel.qacc_smooth);
    d.accel.solver_niter.fill(0);
}
