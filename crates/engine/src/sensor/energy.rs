//! Potential and kinetic energy.

use crate::data::{Awake, Inertia, Pose, Sensor, State};
use crate::model::Model;
use crate::model::enums::{DisableFlags, JointType};
use crate::support::awake as subset;
use crate::support::flex;
use crate::support::inertia::mul_m;
use sinew_math::{factor, quat, vec3};

/// Potential energy of gravity and springs.
///
/// *Equation*: `−Σ m g · x + ½ Σ k |q ⊖ q_spring|² + ½ Σ k δ²`.
/// *Reads* `qpos`, `xipos`, `ten_length`. *Writes* `energy[0]`, `flg_energypos`.
#[doc(alias = "mj_energyPos")]
pub fn energy_pos(m: &Model, awake: &Awake, state: &State, pose: &Pose, sensor: &mut Sensor) {
    let mut energy = 0.0;
    if !m.opt.disabled(DisableFlags::GRAVITY) {
        for i in 1..m.nbody {
            energy -= m.body_mass[i] * vec3::dot(m.opt.gravity, pose.xipos[i]);
        }
    }
    if !m.opt.disabled(DisableFlags::SPRING) {
        let skips = subset::skips_bodies(m, awake);
        for j in (0..m.njnt).filter(|&j| m.jnt_stiffness[j] != 0.0) {
            if !(skips && subset::body_asleep(awake, m.jnt_bodyid[j] as usize)) {
                joint_energy(m, &state.qpos, j, &mut energy);
            }
        }
        for k in 0..m.ntendon {
            if !(skips && subset::tendon_asleep(m, awake, k)) {
                let [lower, upper] = m.tendon_lengthspring[k];
                let stretch = (pose.ten_length[k] - upper).max(0.0) + (lower - pose.ten_length[k]).max(0.0);
                energy += 0.5 * m.tendon_stiffness[k] * stretch * stretch;
            }
        }
    }
    sensor.energy[0] = energy + edge_energy(m, pose);
    sensor.flg_energypos = 1;
}

/// Energy of the edge springs of flexes. As in MuJoCo, elements and bending are not counted.
fn edge_energy(m: &Model, pose: &Pose) -> f64 {
    if m.opt.disabled(DisableFlags::SPRING) {
        return 0.0;
    }
    let springs = (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_edgestiffness[f] != 0.0);
    let edges = springs.flat_map(|f| flex::edges(m, f).map(move |e| (f, e)));
    let loose = edges.filter(|&(_, e)| m.flexedge_rigid[e] == 0);
    let stretch = |e: usize| m.flexedge_length0[e] - pose.flexedge_length[e];
    loose.map(|(f, e)| 0.5 * m.flex_edgestiffness[f] * stretch(e) * stretch(e)).sum()
}

/// Adds the spring energy of joint `j`.
fn joint_energy(m: &Model, qpos: &[f64], j: usize, energy: &mut f64) {
    let half_k = 0.5 * m.jnt_stiffness[j];
    let mut q = m.jnt_qposadr[j] as usize;
    if m.jnt_type(j) == JointType::Free {
        let dif: [f64; 3] = std::array::from_fn(|k| qpos[q + k] - m.qpos_spring[q + k]);
        *energy += half_k * vec3::dot(dif, dif);
        q += 3;
    }
    if matches!(m.jnt_type(j), JointType::Free | JointType::Ball) {
        let [now, rest] = [qpos, &m.qpos_spring[..]].map(|p| [p[q], p[q + 1], p[q + 2], p[q + 3]]);
        let dif = quat::sub(now, rest);
        *energy += half_k * vec3::dot(dif, dif);
    } else {
        let dif = qpos[q] - m.qpos_spring[q];
        *energy += half_k * dif * dif;
    }
}

/// Kinetic energy.
///
/// *Equation*: `½ qvel · M qvel`. *Reads* `qvel`, `M`. *Writes* `energy[1]`, `flg_energyvel`.
#[doc(alias = "mj_energyVel")]
pub fn energy_vel(m: &Model, state: &State, inertia: &Inertia, work: &mut [f64], sensor: &mut Sensor) {
    mul_m(m, inertia, work, &state.qvel);
    sensor.energy[1] = 0.5 * factor::dot(work, &state.qvel);
    sensor.flg_energyvel = 1;
}
