//! Springs and dampers of joints and tendons.

use super::lever::{Along, Lever};
use super::partials::Partials;
use super::path::{self, Mover};
use crate::data::{Data, State};
use crate::model::Model;
use crate::model::enums::{DisableFlags, JointType};
use crate::support::spring::stretch;
use sinew_math::{mat3, quat};

/// Adds the derivatives of joint springs and dampers.
///
/// *Equation*: `−k ∂(q ⊖ q_spring)/∂q`, which is `−k` for hinges and slides, and `−b`.
pub(super) fn joints(m: &Model, state: &State, out: &mut Partials) {
    if !m.opt.disabled(DisableFlags::SPRING) {
        for j in (0..m.njnt).filter(|&j| m.jnt_stiffness[j] != 0.0) {
            spring(m, &state.qpos, j, out);
        }
    }
    if !m.opt.disabled(DisableFlags::DAMPER) {
        (0..m.nv).for_each(|i| *out.v(i, i) -= m.dof_damping[i]);
    }
}

fn spring(m: &Model, qpos: &[f64], j: usize, out: &mut Partials) {
    let k = m.jnt_stiffness[j];
    let (q, v) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
    let lines = match m.jnt_type(j) {
        JointType::Free => 3,
        JointType::Ball => 0,
        _ => 1,
    };
    (v..v + lines).for_each(|i| *out.q(i, i) -= k);
    if lines == 1 {
        return;
    }
    let [now, rest] = [qpos, &m.qpos_spring[..]].map(|p| std::array::from_fn(|k| p[q + lines + k]));
    let turn = mat3::transpose(&quat::sub_derivative(quat::normalize(now).0, rest));
    for (c, row) in turn.chunks_exact(3).enumerate() {
        (0..3).for_each(|r| *out.q(v + lines + c, v + lines + r) -= k * row[r]);
    }
}

/// Which derivative of a force is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'a> {
    /// The force.
    Force,
    /// The force, with springs and dampers evaluated at the end of the step, which adds `(h B + h² K) a + h K q̇` to
    /// the inertial forces at this acceleration `a`.
    Springs(&'a [f64]),
    /// Only `h D y`: the contribution of the force's velocity slope `D` in an integrator with the matrix `M − h D`.
    Damping(&'a [f64]),
}

/// Adds the implicit part of joint springs that depends on the initial velocity: `−h K`.
pub(super) fn pulls(m: &Model, out: &mut Partials) {
    let h = m.opt.timestep;
    let of = |flag, value: f64| if m.opt.disabled(flag) { 0.0 } else { value };
    for i in 0..m.nv {
        let k = of(DisableFlags::SPRING, m.jnt_stiffness[m.dof_jntid[i] as usize]);
        if h * k + of(DisableFlags::DAMPER, m.dof_damping[i]) > 0.0 {
            *out.v(i, i) -= h * k;
        }
    }
}

/// Adds the derivatives of tendon springs and dampers, or of their implicit treatment. Returns whether anything was
/// differenced.
pub(super) fn tendons(
    m: &Model,
    d: &Data,
    part: Part,
    (lever, movers): (&mut Lever, &mut Vec<Mover>),
    out: &mut Partials,
) -> bool {
    let of = |flag, value: f64| if m.opt.disabled(flag) { 0.0 } else { value };
    let (h, qvel) = (m.opt.timestep, &d.state.qvel[..]);
    let mut differenced = false;
    for t in 0..m.ntendon {
        let (k, b) = (of(DisableFlags::SPRING, m.tendon_stiffness[t]), of(DisableFlags::DAMPER, m.tendon_damping[t]));
        if k == 0.0 && b == 0.0 {
            continue;
        }
        differenced |= path::tendon(m, &d.pose, t, lever, movers);
        let [lower, upper] = m.tendon_lengthspring[t];
        let stretched = stretch(d.pose.ten_length[t], [lower, upper]);
        let taut = if lower == upper || stretched != 0.0 { k } else { 0.0 };
        let along = Along { force: -k * stretched - b * d.motion.ten_velocity[t], by_length: -taut, by_velocity: -b };
        if !matches!(part, Part::Damping(_)) {
            lever.spread(along, qvel, |_| false, out);
        }
        match part {
            Part::Force => {}
            Part::Damping(y) => lever.spread_damping(m, [-b, 0.0, 0.0], qvel, (y, h), out),
            Part::Springs(y) => {
                let weight = h * (h * taut + b);
                if weight > 0.0 {
                    let along =
                        |slope: f64, rate| Along { force: slope * lever.dot(rate), by_length: 0.0, by_velocity: slope };
                    lever.spread_q(along(-weight, y), y, &|_| false, out);
                    lever.spread(along(-h * taut, qvel), qvel, |_| false, out);
                }
            }
        }
    }
    differenced
}
