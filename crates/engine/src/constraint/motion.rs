//! Jacobian of the relative motion at a contact, from which its constraint rows are built.

use super::work::Block;
use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::support::{chain, side};
use sinew_math::{Vec3, along, mat3, spatial};
use std::ops::Range;

/// Which of two bodies a dof moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    First,
    Second,
    Both,
}

/// Jacobian of the motion of the second side of a contact relative to the first, in the contact frame.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// The two bodies for which `dofs` and `parts` are valid, if any.
    bodies: Option<[usize; 2]>,
    /// Dofs in increasing order.
    pub dofs: Vec<i32>,
    /// Runs of consecutive dofs that move the same bodies: which bodies, and the end index.
    parts: Vec<(Moves, usize)>,
    /// Translation along normal and tangents, then rotation about them: six rows with one value per dof.
    rows: Vec<f64>,
}

/// The range `part` of each of the first `K` rows of `n` values.
#[inline(always)]
fn rows_mut<const K: usize>(values: &mut [f64], n: usize, part: Range<usize>) -> [&mut [f64]; K] {
    let mut rest = values;
    std::array::from_fn(|_| {
        let (row, after) = std::mem::take(&mut rest).split_at_mut(n);
        rest = after;
        &mut row[part.clone()]
    })
}

impl Motion {
    /// Buffers for up to `nv` dofs.
    pub fn new(nv: usize) -> Self {
        Motion {
            bodies: None,
            dofs: Vec::with_capacity(nv),
            parts: Vec::with_capacity(nv),
            rows: Vec::with_capacity(6 * nv),
        }
    }

    /// Invalidates the list of dofs.
    pub fn clear(&mut self) {
        self.bodies = None;
    }

    /// Row `k`.
    #[inline(always)]
    pub fn row(&self, k: usize) -> &[f64] {
        let n = self.dofs.len();
        &self.rows[k * n..(k + 1) * n]
    }

    /// The first `count` rows, concatenated.
    #[inline(always)]
    pub fn rows(&self, count: usize) -> &[f64] {
        &self.rows[..count * self.dofs.len()]
    }

    /// Computes the relative motion of two bodies. Rotations are needed only for contact dimensions above three, and
    /// tangents only above one.
    pub fn of_bodies(&mut self, m: &Model, pose: &Pose, bodies: [usize; 2], con: &Contact) {
        if self.bodies != Some(bodies) {
            self.list(m, bodies);
        }
        let n = self.dofs.len();
        let frame = [0, 1, 2].map(|k| mat3::row(&con.frame, k));
        let arm = bodies.map(|b| chain::offset(m, pose, b, con.pos));
        // rarely grows; every value that is read is overwritten below
        self.rows.resize(6 * n, 0.0);
        let mut start = 0;
        for &(moves, end) in &self.parts {
            let part = start..end;
            start = end;
            let (side, sign) = match moves {
                Moves::First => (0, -1.0),
                Moves::Second => (1, 1.0),
                Moves::Both => {
                    // a common ancestor dof moves both alike
                    rows_mut::<3>(&mut self.rows, n, part.clone()).into_iter().for_each(|row| row.fill(0.0));
                    if con.dim > 3 {
                        rows_mut::<3>(&mut self.rows[3 * n..], n, part).into_iter().for_each(|row| row.fill(0.0));
                    }
                    continue;
                }
            };
            let frame = frame.map(|axis| axis.map(|x| x * sign));
            let dofs = &self.dofs[part.clone()];
            if con.dim == 1 {
                along::shifts(rows_mut(&mut self.rows, n, part), &pose.cdof, dofs, [frame[0]], arm[side]);
                continue;
            }
            along::shifts(rows_mut(&mut self.rows, n, part.clone()), &pose.cdof, dofs, frame, arm[side]);
            if con.dim > 3 {
                along::turns(rows_mut(&mut self.rows[3 * n..], n, part), &pose.cdof, dofs, frame);
            }
        }
    }

    /// Lists the dofs that move two bodies. Contacts of the same pair are consecutive, so this is done once per pair.
    fn list(&mut self, m: &Model, bodies: [usize; 2]) {
        self.bodies = Some(bodies);
        self.dofs.clear();
        self.parts.clear();
        for shared in chain::merged(m, bodies[0], bodies[1]) {
            let moves = match shared.moves {
                [false, true] => Moves::Second,
                [true, false] => Moves::First,
                _ => Moves::Both,
            };
            // dofs come in decreasing order: store counts now, end indices after the reversal
            match self.parts.last_mut() {
                Some((last, count)) if *last == moves => *count += 1,
                _ => self.parts.push((moves, 1)),
            }
            self.dofs.push(shared.dof as i32);
        }
        self.dofs.reverse();
        self.parts.reverse();
        let mut end = 0;
        self.parts.iter_mut().for_each(|(_, count)| {
            end += *count;
            *count = end;
        });
    }

    /// [`Motion::of_bodies`] for sides carried by several bodies: the weighted sum of their motions at the contact.
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
