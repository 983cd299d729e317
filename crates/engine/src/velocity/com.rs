//! Spatial velocities of bodies and time derivatives of their motion axes.

use crate::data::{Awake, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::awake as subset;
use sinew_math::spatial::{Vec6, add, cross_motion, mul_dof};

/// Velocities of bodies about their tree's centre of mass, root to leaf.
///
/// *Equation*: `cvel_i = cvel_parent + Σ cdof_j qvel_j`; `cdof_dot_j = cvel × cdof_j` with the velocity before joint
/// `j` is added (a joint does not rotate its own axis); the translation axes of a free joint do not rotate.
/// *Reads* `qvel`, `cdof`. *Writes* `cvel`, `cdof_dot`.
/// *Source*: Featherstone 2008, table 5.1.
#[doc(alias = "mj_comVel")]
pub fn com_vel(m: &Model, awake: &Awake, state: &State, pose: &Pose, motion: &mut Motion) {
    const FREE: i32 = JointType::Free as i32;
    const BALL: i32 = JointType::Ball as i32;
    let (cdof, qvel) = (&pose.cdof[..m.nv], &state.qvel[..m.nv]);
    let Motion { cvel, cdof_dot, .. } = motion;
    let cdof_dot = &mut cdof_dot[..m.nv];
    cvel[0] = [0.0; 6];
    for i in subset::bodies(m, awake).iter().skip(1) {
        let mut vel = cvel[m.body_parentid[i] as usize];
        for j in m.body_joints(i) {
            let dof = m.jnt_dofadr[j] as usize;
            match m.jnt_type[j] {
                FREE => {
                    cdof_dot[dof..dof + 3].fill([0.0; 6]);
                    advance::<3>(&mut vel, cdof, qvel, dof);
                    turn::<3>(cdof_dot, cdof, &vel, dof + 3);
                    advance::<3>(&mut vel, cdof, qvel, dof + 3);
                }
                BALL => {
                    turn::<3>(cdof_dot, cdof, &vel, dof);
                    advance::<3>(&mut vel, cdof, qvel, dof);
                }
                _ => {
                    turn::<1>(cdof_dot, cdof, &vel, dof);
                    advance::<1>(&mut vel, cdof, qvel, dof);
                }
            }
        }
        cvel[i] = vel;
    }
}

/// `vel += Σ cdof qvel` over `N` dofs.
#[inline(always)]
fn advance<const N: usize>(vel: &mut Vec6, cdof: &[Vec6], qvel: &[f64], dof: usize) {
    *vel = add(vel, &mul_dof(&cdof[dof..dof + N], &qvel[dof..dof + N]));
}

/// `cdof_dot = vel × cdof` over `N` dofs.
#[inline(always)]
fn turn<const N: usize>(cdof_dot: &mut [Vec6], cdof: &[Vec6], vel: &Vec6, dof: usize) {
    for (dot, axis) in cdof_dot[dof..dof + N].iter_mut().zip(&cdof[dof..dof + N]) {
        *dot = cross_motion(vel, axis);
    }
}
