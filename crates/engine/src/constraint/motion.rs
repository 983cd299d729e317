//! Relative motion at a contact, row by row: what the Jacobian of its constraint rows is made from.

use super::work::Block;
use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::support::{chain, side};
use sinew_math::{Vec3, mat3, spatial, vec3};

/// Which of two bodies a dof moves.
#[derive(Clone, Copy, Debug)]
enum Moves {
    First,
    Second,
    Both,
}

/// Motion of the second side of a contact relative to the first, in the contact frame.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Bodies that the dofs are of, where it is two bodies.
    bodies: Option<[usize; 2]>,
    /// Dofs in increasing order.
    pub dofs: Vec<i32>,
    moves: Vec<Moves>,
    /// Translation along normal and tangents, then rotation about them; a value per dof each.
    rows: Vec<f64>,
}

impl Motion {
    /// Room for rows of `nv` dofs.
    pub fn new(nv: usize) -> Self {
        Motion {
            bodies: None,
            dofs: Vec::with_capacity(nv),
            moves: Vec::with_capacity(nv),
            rows: Vec::with_capacity(6 * nv),
        }
    }

    /// Forgets whose dofs it has.
    pub fn clear(&mut self) {
        self.bodies = None;
    }

    /// Row `k`.
    #[inline(always)]
    pub fn row(&self, k: usize) -> &[f64] {
        let n = self.dofs.len();
        &self.rows[k * n..(k + 1) * n]
    }

    /// Motion of two bodies. Only contacts of more than three dimensions need rotations, and one with a single
    /// dimension the normal only.
    pub fn of_bodies(&mut self, m: &Model, pose: &Pose, bodies: [usize; 2], con: &Contact) {
        if self.bodies != Some(bodies) {
            self.list(m, bodies);
        }
        let n = self.dofs.len();
        let frame = [0, 1, 2].map(|k| mat3::row(&con.frame, k));
        let arm = bodies.map(|b| chain::offset(m, pose, b, con.pos));
        let axes = if con.dim == 1 { 1 } else { 3 };
        self.rows.clear();
        self.rows.resize(if con.dim > 3 { 6 * n } else { axes * n }, 0.0);
        let (shifts, turns) = self.rows.split_at_mut(axes * n);
        for (j, (&dof, moves)) in self.dofs.iter().zip(&self.moves).enumerate() {
            let axis = &pose.cdof[dof as usize];
            let shift = match moves {
                Moves::Second => chain::column(axis, arm[1]),
                Moves::First => vec3::scale(chain::column(axis, arm[0]), -1.0),
                Moves::Both => vec3::sub(chain::column(axis, arm[1]), chain::column(axis, arm[0])),
            };
            (0..axes).for_each(|k| shifts[k * n + j] = vec3::dot(frame[k], shift));
            if con.dim > 3 {
                let turn = match moves {
                    Moves::Second => spatial::rot(axis),
                    Moves::First => vec3::scale(spatial::rot(axis), -1.0),
                    // both bodies turn alike
                    Moves::Both => [0.0; 3],
                };
                (0..3).for_each(|k| turns[k * n + j] = vec3::dot(frame[k], turn));
            }
        }
    }

    /// Lists the dofs of two bodies. Contacts of the same two come one after the other.
    fn list(&mut self, m: &Model, bodies: [usize; 2]) {
        self.bodies = Some(bodies);
        self.dofs.clear();
        self.moves.clear();
        for shared in chain::merged(m, bodies[0], bodies[1]) {
            self.dofs.push(shared.dof as i32);
            self.moves.push(match shared.moves {
                [false, true] => Moves::Second,
                [true, false] => Moves::First,
                _ => Moves::Both,
            });
        }
        self.dofs.reverse();
        self.moves.reverse();
    }

    /// The same for sides that several bodies carry: the sum of the motions of all of them at the contact, weighted.
    pub fn of_carriers(&mut self, m: &Model, pose: &Pose, con: &Contact, block: &mut Block) {
        block.clear();
        let turns = con.dim > 3;
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            for (body, weight) in side::carriers(m, pose, con, k, sign).iter() {
                let arm = chain::offset(m, pose, body, con.pos);
                for dof in chain::ancestors(m, body) {
                    let axis = &pose.cdof[dof];
                    let shift = mat3::mul_vec(&con.frame, chain::column(axis, arm));
                    let turn: Vec3 = if turns { mat3::mul_vec(&con.frame, spatial::rot(axis)) } else { [0.0; 3] };
                    spatial::add_scaled(block.column(dof), &spatial::join(shift, turn), weight);
                }
            }
        }
        self.bodies = None;
        self.dofs.clone_from(&block.dofs);
        self.rows.clear();
        (0..6).for_each(|k| self.rows.extend(block.cols.iter().map(|col| col[k])));
    }
}
