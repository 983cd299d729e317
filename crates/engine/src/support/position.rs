//! Arithmetic on positions: integration, differences, normalisation.

use crate::model::Model;
use crate::model::enums::JointType;
use sinew_math::sparse::Subset;
use sinew_math::{Quat, quat};

#[inline(always)]
fn quat_at(qpos: &[f64], adr: usize) -> Quat {
    [qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]]
}

/// Integrates `qpos` along `qvel` over a time `dt`, for the joints of the given bodies.
#[doc(alias = "mj_integratePosInd")]
pub fn integrate_pos_of(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64, bodies: Subset) {
    for b in bodies.iter().skip(1) {
        m.body_joints(b).for_each(|j| integrate_joint(m, qpos, qvel, dt, j));
    }
}

/// Integrates `qpos` along `qvel` over a time `dt`.
#[doc(alias = "mj_integratePos")]
pub fn integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    for j in 0..m.njnt {
        integrate_joint(m, qpos, qvel, dt, j);
    }
}

#[inline(always)]
fn integrate_joint(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64, j: usize) {
    let mut q = m.jnt_qposadr[j] as usize;
    let mut v = m.jnt_dofadr[j] as usize;
    match m.jnt_type(j) {
        kind @ (JointType::Free | JointType::Ball) => {
            if kind == JointType::Free {
                for k in 0..3 {
                    qpos[q + k] += dt * qvel[v + k];
                }
                q += 3;
                v += 3;
            }
            let turned = quat::integrate(quat_at(qpos, q), [qvel[v], qvel[v + 1], qvel[v + 2]], dt);
            qpos[q..q + 4].copy_from_slice(&turned);
        }
        _ => qpos[q] += dt * qvel[v],
    }
}

/// Velocity that moves `qpos1` to `qpos2` in a time `dt`.
#[doc(alias = "mj_differentiatePos")]
pub fn differentiate_pos(m: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for j in 0..m.njnt {
        let mut q = m.jnt_qposadr[j] as usize;
        let mut v = m.jnt_dofadr[j] as usize;
        match m.jnt_type(j) {
            kind @ (JointType::Free | JointType::Ball) => {
                if kind == JointType::Free {
                    for k in 0..3 {
                        qvel[v + k] = (qpos2[q + k] - qpos1[q + k]) / dt;
                    }
                    q += 3;
                    v += 3;
                }
                let turn = quat::sub(quat_at(qpos2, q), quat_at(qpos1, q));
                for k in 0..3 {
                    qvel[v + k] = turn[k] * (1.0 / dt);
                }
            }
            _ => qvel[v] = (qpos2[q] - qpos1[q]) / dt,
        }
    }
}

/// Normalises every quaternion of `qpos`.
#[doc(alias = "mj_normalizeQuat")]
pub fn normalize_quat(m: &Model, qpos: &mut [f64]) {
    for j in 0..m.njnt {
        let skip = match m.jnt_type(j) {
            JointType::Free => 3,
            JointType::Ball => 0,
            _ => continue,
        };
        let adr = m.jnt_qposadr[j] as usize + skip;
        let unit = quat::normalize(quat_at(qpos, adr)).0;
        qpos[adr..adr + 4].copy_from_slice(&unit);
    }
}
