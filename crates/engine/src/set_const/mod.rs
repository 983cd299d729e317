//! Derived constants of a model: subtree masses, inverse weights, reference lengths and poses, statistics. The compiler
//! calls this last; a user calls it after changing a model.

mod equality;
mod fixed;
mod flex;
mod stat;
mod weight;

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::CamLight;
use crate::step;
use crate::support::shape::index_hulls;
use sinew_math::{MINVAL, vec3};

/// A model whose constants cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetConstError {
    /// A body that translates without rotating has no mass.
    #[error("moving body {body} has 0 mass")]
    Massless {
        /// Body id.
        body: usize,
    },
    /// A tree that was explicitly allowed to sleep is coupled to others by a tendon.
    #[error("tree {tree} connected to tendon {tendon} {reason}, sleeping not allowed")]
    Sleepless {
        /// Tree id.
        tree: usize,
        /// Tendon id.
        tendon: usize,
        /// Property of the tendon that prevents sleep.
        reason: &'static str,
    },
    /// A shell held by its vertices is not flat at rest, or its plane is not perpendicular to the z axis.
    #[error("vertices of flex {flex} are not in one plane")]
    NotPlanar {
        /// Flex id.
        flex: usize,
    },
    /// A connect or weld constraint between objects that are neither bodies nor sites.
    #[error("invalid objtype in {kind} constraint {equality}")]
    EqualityObject {
        /// "connect" or "weld".
        kind: &'static str,
        /// Equality id.
        equality: usize,
    },
}

/// Fills the derived constants of a model, except actuator length ranges.
///
/// *Reads* the compiled fields. *Writes* subtree masses, tree ranges and sleep policies, `dof_M0`, inverse weights,
/// reference lengths, `actuator_acc0`, missing equality data, reference poses of cameras and lights, damping of
/// actuators given by a ratio, `dof_length`, statistics, spring lengths, and starting points of hull searches.
/// `d` is left in the spring reference position.
#[doc(alias = "mj_setConst")]
pub fn set_const(m: &mut Model, d: &mut Data) -> Result<(), SetConstError> {
    fixed::set_fixed(m)?;
    flex::structure(m)?;
    index_hulls(m);
    at_reference(m, d);
    flex::rest_lengths(m, d);
    m.tendon_length0.copy_from_slice(&d.pose.ten_length);
    m.actuator_length0.copy_from_slice(&d.trn.actuator_length);
    weight::body_invweight(m, d)?;
    weight::dof_invweight(m, d)?;
    flex::edge_invweight(m, d);
    weight::tendon_invweight(m, d);
    weight::actuator_acc(m, d);
    equality::fill(m, d)?;
    camera_references(m, d);
    resolve_dampratio(m, d);
    stat::set_stat(m, d);
    spring_lengths(m, d);
    Ok(())
}

/// Runs the position stages at `qpos0`, with cameras and lights as if fixed; also sets `dof_M0`.
fn at_reference(m: &mut Model, d: &mut Data) {
    let modes = [m.cam_mode.to_vec(), m.light_mode.to_vec()];
    m.cam_mode.fill(CamLight::Fixed as i32);
    m.light_mode.fill(CamLight::Fixed as i32);
    d.state.qpos.copy_from_slice(&m.qpos0);
    step::kinematics(m, d);
    step::com_pos(m, d);
    step::camlight(m, d);
    weight::dof_inertia(m, d);
    step::flex(m, d);
    step::tendon(m, d);
    step::make_m(m, d);
    step::factor_m(m, d);
    step::transmission(m, d);
    m.cam_mode.copy_from_slice(&modes[0]);
    m.light_mode.copy_from_slice(&modes[1]);
}

/// Reference offsets and orientations of tracking cameras and lights.
fn camera_references(m: &mut Model, d: &Data) {
    let target = |target: i32, own: usize| usize::try_from(target).unwrap_or(own);
    let pose = &d.pose;
    for i in 0..m.ncam {
        let body = m.cam_bodyid[i] as usize;
        m.cam_pos0[i] = vec3::sub(pose.cam_xpos[i], pose.xpos[body]);
        m.cam_poscom0[i] = vec3::sub(pose.cam_xpos[i], pose.subtree_com[target(m.cam_targetbodyid[i], body)]);
        m.cam_mat0[i] = pose.cam_xmat[i];
    }
    for i in 0..m.nlight {
        let body = m.light_bodyid[i] as usize;
        m.light_pos0[i] = vec3::sub(pose.light_xpos[i], pose.xpos[body]);
        m.light_poscom0[i] = vec3::sub(pose.light_xpos[i], pose.subtree_com[target(m.light_targetbodyid[i], body)]);
        m.light_dir0[i] = pose.light_xdir[i];
    }
}

/// Converts the damping ratio of position-like actuators, stored as a positive third bias parameter, to a damping
/// coefficient `2 ζ √(kp m)`, with `m` the inertia seen through the transmission.
fn resolve_dampratio(m: &mut Model, d: &Data) {
    for i in 0..m.nu {
        let (kp, ratio) = (m.actuator_gainprm[i][0], m.actuator_biasprm[i][2]);
        if kp != -m.actuator_biasprm[i][1] || ratio <= 0.0 {
            continue;
        }
        let start = d.trn.moment_rowadr[i] as usize;
        let row = start..start + d.trn.moment_rownnz[i] as usize;
        let mut mass = 0.0;
        for (&dof, &arm) in d.trn.moment_colind[row.clone()].iter().zip(&d.trn.actuator_moment[row]) {
            let squared = arm.abs() * arm.abs();
            if squared > MINVAL {
                mass += m.dof_M0[dof as usize] / squared;
            }
        }
        m.actuator_biasprm[i][2] = -(ratio * 2.0 * (kp * mass).sqrt());
    }
}

/// Sets the rest lengths of tendons given as (−1, −1) to their lengths at `qpos_spring`.
fn spring_lengths(m: &mut Model, d: &mut Data) {
    d.state.qpos.copy_from_slice(&m.qpos_spring);
    step::kinematics(m, d);
    step::com_pos(m, d);
    step::tendon(m, d);
    step::transmission(m, d);
    for i in 0..m.ntendon {
        if m.tendon_lengthspring[i] == [-1.0, -1.0] {
            m.tendon_lengthspring[i] = [d.pose.ten_length[i]; 2];
        }
    }
}
