//! Armature of spatial tendons. A tendon with armature `I` resists with `−Jᵀ I (J a + J̇ q̇)`, where the first term is
//! restricted to the sparsity of the mass matrix. `J̇ q̇` is the acceleration of the length at zero `a`: for a straight
//! segment of direction `u` and length `l`, with `Δ` the difference between its ends, `u · Δa + |Δv|²/l − (u · Δv)²/l`.

use super::frame::{Frame, Motion};
use super::lever::{Along, Lever};
use super::partials::Partials;
use super::path::{self, Mover};
use super::tie::By;
use super::tree::{Rates, Tree};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::WrapType;
use crate::support::cable::spans;
use crate::support::chain::merged;
use crate::support::object::ObjectFrame;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Spatial tendons with armature.
fn heavy(m: &Model) -> impl Iterator<Item = usize> {
    let bends = |k: &usize| m.wrap_type(m.tendon_adr[*k] as usize) != WrapType::Joint;
    (0..m.ntendon).filter(|&k| m.tendon_armature[k] != 0.0).filter(bends)
}

/// Adds `scale · ∂(I Jᵀ J y)/∂q`.
pub(super) fn inertia(
    m: &Model,
    d: &Data,
    (y, scale): (&[f64], f64),
    (lever, movers): (&mut Lever, &mut Vec<Mover>),
    out: &mut Partials,
) {
    for k in heavy(m) {
        path::tendon(m, &d.pose, k, lever, movers);
        lever.spread_damping(m, [m.tendon_armature[k], 0.0, 0.0], &d.state.qvel, (y, scale), out);
    }
}

/// Subtracts the derivatives of `I Jᵀ (J̇ q̇)`. Overwrites the terms of the tree.
pub(super) fn bias(
    m: &Model,
    d: &Data,
    tree: &mut Tree,
    zero: &[f64],
    (lever, movers): (&mut Lever, &mut Vec<Mover>),
    out: &mut Partials,
) {
    if heavy(m).next().is_none() {
        return;
    }
    tree.outward(m, &d.pose, &Rates { qvel: &d.state.qvel, qacc: zero, base: [0.0; 6], wind: [0.0; 3] });
    for k in heavy(m) {
        path::tendon(m, &d.pose, k, lever, movers);
        let inertia = m.tendon_armature[k];
        let mut rate = 0.0;
        for span in spans(m, k) {
            let sites = span.ends.map(|w| m.wrap_objid[w] as usize);
            let ends = sites.map(|s| {
                let (body, pos) = (m.site_bodyid[s] as usize, d.pose.site_xpos[s]);
                Frame::new(m, d, tree, ObjectFrame { body, pos, mat: &mat3::IDENTITY })
            });
            let piece = Piece::of(&ends);
            if ends[0].body == ends[1].body || piece.length < MINVAL {
                continue;
            }
            rate += piece.rate() / span.divisor;
            for shared in merged(m, ends[0].body, ends[1].body).filter(|s| s.moves != [true, true]) {
                for by in [By::Position, By::Velocity] {
                    let moved = [0, 1].map(|k| {
                        if shared.moves[k] { ends[k].change(d, tree, shared.dof, by) } else { Motion::default() }
                    });
                    let change = inertia * piece.change(&moved) / span.divisor;
                    for (i, moment) in lever.entries() {
                        let at = if by == By::Position { out.q(shared.dof, i) } else { out.v(shared.dof, i) };
                        *at -= moment * change;
                    }
                }
            }
        }
        lever.spread_q(Along { force: -inertia * rate, ..Along::default() }, zero, &|_| false, out);
    }
}

/// A straight segment: relative position, velocity and acceleration of its ends.
struct Piece {
    length: f64,
    dir: Vec3,
    vel: Vec3,
    acc: Vec3,
}

impl Piece {
    fn of([a, b]: &[Frame; 2]) -> Self {
        let (dir, length) = vec3::normalize(vec3::sub(b.now.pos, a.now.pos));
        Piece { length, dir, vel: vec3::sub(b.now.vel, a.now.vel), acc: vec3::sub(b.now.acc, a.now.acc) }
    }

    fn rate(&self) -> f64 {
        let along = vec3::dot(self.dir, self.vel);
        vec3::dot(self.dir, self.acc) + (vec3::dot(self.vel, self.vel) - along * along) / self.length
    }

    fn change(&self, [a, b]: &[Motion; 2]) -> f64 {
        let [pos, vel, acc] = [vec3::sub(b.pos, a.pos), vec3::sub(b.vel, a.vel), vec3::sub(b.acc, a.acc)];
        let stretch = vec3::dot(self.dir, pos);
        let turn = vec3::scale(vec3::add_scaled(pos, self.dir, -stretch), 1.0 / self.length);
        let along = vec3::dot(self.dir, self.vel);
        let across = vec3::dot(self.vel, self.vel) - along * along;
        let by_along = vec3::dot(turn, self.vel) + vec3::dot(self.dir, vel);
        vec3::dot(turn, self.acc)
            + vec3::dot(self.dir, acc)
            + 2.0 * (vec3::dot(self.vel, vel) - along * by_along) / self.length
            - across * stretch / (self.length * self.length)
    }
}
