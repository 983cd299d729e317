//! Sensors of interaction forces between bodies, and of contact pressure.

use super::gradient::Gradient;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::SensorType as S;
use crate::sensor::touch::felt;
use crate::support::chain::{Shared, ancestors, column, merged, offset};
use crate::support::jacobian::subtree;
use crate::transition::anchor::{self, Torque};
use crate::transition::contact::{self, Geometry};
use crate::transition::tie::{By, Change, Field, SIGNS, Tie};
use crate::transition::tree::Tree;
use sinew_math::spatial::{Vec6, dot, lin, mul_inert, rot, transform_force};

const KINDS: [By; 3] = [By::Position, By::Velocity, By::Acceleration];

/// External forces on bodies: contacts, connects and welds, and applied forces.
#[derive(Clone, Copy)]
pub(super) struct Outside<'a> {
    pub geometry: &'a [Geometry],
    pub fields: [&'a Field; 2],
}

/// Applied forces on bodies, as ties.
fn applied(m: &Model, d: &Data) -> impl Iterator<Item = (usize, Tie)> {
    (1..m.nbody).filter(|&b| d.state.xfrc_applied[b] != [0.0; 6]).map(|b| {
        // the force comes first in `xfrc_applied`
        let f = &d.state.xfrc_applied[b];
        (b, Tie::new(m, &d.pose, [0, b], [d.pose.xipos[b]; 2], [rot(f), lin(f)]))
    })
}

/// Subtracts all external forces from the forces of bodies.
pub(super) fn subtract(m: &Model, d: &Data, outside: Outside, tree: &mut Tree) {
    applied(m, d).for_each(|(_, tie)| tie.subtract(tree));
    contact::each(m, d, outside.geometry, outside.fields, &mut |_, tie, _| tie.subtract(tree));
    anchor::each(m, d, Torque::Measured, outside.fields, &mut |tie, _| tie.subtract(tree));
}

/// Force or torque between the body of a site and its parent, in the frame of the site.
///
/// *Equation*: the force that the subtree of the body needs, minus the external forces on it. Quantities that rotate
/// with the site do not change what it senses.
pub(super) fn interaction(
    m: &Model,
    d: &Data,
    tree: &Tree,
    outside: Outside,
    (kind, site): (S, usize),
    out: &mut Gradient,
) {
    let body = m.site_bodyid[site] as usize;
    let com = d.pose.subtree_com[m.body_rootid[body] as usize];
    let see = |change: &Vec6| {
        let seen = transform_force(change, d.pose.site_xpos[site], com, Some(&d.pose.site_xmat[site]));
        if kind == S::Force { lin(&seen) } else { rot(&seen) }
    };
    let (crb, drag) = (&d.inertia.crb[body], &tree.drag[body]);
    let pushed = |shift: &Vec6, turn: &Vec6| -> Vec6 {
        let force = mul_inert(crb, shift);
        std::array::from_fn(|k| force[k] + dot(&drag[k], turn))
    };
    for j in ancestors(m, body) {
        let (s, axis) = (&d.pose.cdof[j], &tree.axis[j]);
        out.add(By::Position, j, &see(&pushed(&axis.lift, &axis.rate)));
        out.add(By::Velocity, j, &see(&pushed(&axis.drift, s)));
        out.add(By::Acceleration, j, &see(&mul_inert(crb, s)));
    }
    for j in subtree(m, body).skip(1).flat_map(|b| m.body_dofs(b)) {
        let axis = &tree.axis[j];
        out.add(By::Position, j, &see(&axis.change[0]));
        out.add(By::Velocity, j, &see(&axis.change[1]));
        out.add(By::Acceleration, j, &see(&axis.momentum));
    }
    let inside = |b: usize| b >= body && subtree(m, body).any(|k| k == b);
    let mut external = |tie: &Tie, change: &dyn Fn(By, Shared) -> Option<Change>| {
        let within = tie.bodies.map(inside);
        for shared in merged(m, tie.bodies[0], tie.bodies[1]) {
            for by in KINDS {
                let Some(change) = change(by, shared) else { continue };
                for side in (0..2).filter(|&k| within[k]) {
                    let turns = by == By::Position && shared.moves[side];
                    let delta = tie.delta(&d.pose, side, shared.dof, turns, &change);
                    out.add(by, shared.dof, &see(&delta.map(|x| -SIGNS[side] * x)));
                }
            }
        }
    };
    for (b, tie) in applied(m, d) {
        external(&tie, &|by, shared| {
            let arm = offset(m, &d.pose, b, d.pose.xipos[b]);
            let moved = column(&d.pose.cdof[shared.dof], arm);
            (by == By::Position).then_some(Change { points: [moved; 2], ..Change::default() })
        });
    }
    contact::each(m, d, outside.geometry, outside.fields, &mut |_, tie, change| {
        external(tie, &|by, shared| Some(change(shared, by)));
    });
    anchor::each(m, d, Torque::Measured, outside.fields, &mut |tie, change| {
        external(tie, &|by, shared| Some(change(shared, by)));
    });
}

/// Pressure of contacts within a site.
pub(super) fn touch(m: &Model, d: &Data, outside: Outside, site: usize, out: &mut Gradient) {
    contact::each(m, d, outside.geometry, outside.fields, &mut |k, tie, change| {
        if felt(m, &d.pose, &d.solution, &d.contact[k], site).is_none() {
            return;
        }
        for shared in merged(m, tie.bodies[0], tie.bodies[1]) {
            KINDS.into_iter().for_each(|by| out.add(by, shared.dof, &[change(shared, by).normal]));
        }
    });
}
