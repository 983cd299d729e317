//! Sensors of subtrees and of energy.

use super::gradient::Gradient;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{DisableFlags, SensorType as S};
use crate::support::chain::{ancestors, column, offset};
use crate::support::inertia::mul_m;
use crate::support::jacobian::{jac_subtree_com, subtree};
use crate::transition::tie::By;
use crate::transition::tree::Tree;
use sinew_math::spatial::{Vec6, add, cross_force, lin, mul_inert, rot, transform_force};
use sinew_math::{MINVAL, Vec3, vec3};

/// Centre of mass of a subtree.
pub(super) fn com(m: &Model, d: &Data, body: usize, out: &mut Gradient) {
    jac_subtree_com(m, &d.pose, &mut out.by[By::Position as usize], body);
}

/// Momenta of subtrees, each about the reference point of its tree.
pub(super) fn momenta(m: &Model, d: &Data, tree: &Tree, out: &mut [Vec6]) {
    (1..m.nbody).for_each(|b| out[b] = mul_inert(&d.pose.cinert[b], &tree.vel[b]));
    for b in (1..m.nbody).rev() {
        let (parent, own) = (m.body_parentid[b] as usize, out[b]);
        if parent > 0 {
            out[parent] = add(&out[parent], &own);
        }
    }
}

/// Velocity of the centre of mass of a subtree, or angular momentum about it.
///
/// *Equation*: the part moved by dof `j`, with inertia `I` and momentum `p`, changes its momentum by `S_j ×* p + I Ṡ_j`
/// with position, and by `I S_j` with velocity; about the centre of mass `c`, `δL = δl − δc × P − c × δP`.
pub(super) fn momentum(m: &Model, d: &Data, tree: &Tree, of: &[Vec6], (kind, body): (S, usize), out: &mut Gradient) {
    // use the unused acceleration rows as scratch space for the motion of the centre of mass
    let spare = By::Acceleration as usize;
    jac_subtree_com(m, &d.pose, &mut out.by[spare], body);
    let centre = d.pose.subtree_com[body];
    let mass = MINVAL.max(m.body_subtreemass[body]);
    let total = vec3::scale(d.motion.subtree_linvel[body], mass);
    let above = |j: usize| ancestors(m, body).any(|i| i == j);
    let below = |j: usize| {
        let b = m.dof_bodyid[j] as usize;
        b > body && subtree(m, body).any(|k| k == b)
    };
    for j in 0..m.nv {
        let carried = if above(j) {
            body
        } else if below(j) {
            m.dof_bodyid[j] as usize
        } else {
            continue;
        };
        let (s, crb) = (&d.pose.cdof[j], &d.inertia.crb[carried]);
        let position = add(&cross_force(s, &of[carried]), &mul_inert(crb, &tree.axis[j].rate));
        for (by, change) in [(By::Position, position), (By::Velocity, mul_inert(crb, s))] {
            let about = d.pose.subtree_com[m.body_rootid[carried] as usize];
            let change = transform_force(&change, centre, about, None);
            let moved: Vec3 = std::array::from_fn(|k| out.by[spare][k * m.nv + j]);
            let shifted = if by == By::Position { vec3::cross(moved, total) } else { [0.0; 3] };
            let sensed = match kind {
                S::Subtreelinvel => vec3::scale(lin(&change), 1.0 / mass),
                _ => vec3::sub(rot(&change), shifted),
            };
            out.add(by, j, &sensed);
        }
    }
    out.by[spare].fill(0.0);
}

/// Potential energy: its gradient is minus the forces of gravity and springs.
pub(super) fn potential(m: &Model, d: &Data, out: &mut Gradient) {
    if !m.opt.disabled(DisableFlags::GRAVITY) {
        for b in 1..m.nbody {
            let arm = offset(m, &d.pose, b, d.pose.xipos[b]);
            let weight = vec3::scale(m.opt.gravity, -m.body_mass[b]);
            for j in ancestors(m, b) {
                out.add(By::Position, j, &[vec3::dot(weight, column(&d.pose.cdof[j], arm))]);
            }
        }
    }
    (0..m.nv).for_each(|j| out.add(By::Position, j, &[-d.force.qfrc_spring[j]]));
}

/// Kinetic energy: `M q̇` with respect to velocity; with respect to position from `∂(M y)/∂q` at `y = q̇`, in
/// `by_position`.
pub(super) fn kinetic(m: &Model, d: &Data, by_position: &[f64], out: &mut Gradient) {
    mul_m(m, &d.inertia, &mut out.by[By::Velocity as usize], &d.state.qvel);
    for (j, row) in by_position.chunks_exact(m.nv.max(1)).enumerate() {
        out.add(By::Position, j, &[0.5 * sinew_math::factor::dot(row, &d.state.qvel)]);
    }
}
