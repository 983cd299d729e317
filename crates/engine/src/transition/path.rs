//! Derivatives of the moments of a spatial tendon with respect to position.
//!
//! A piece of a path is either straight, from a point of body `G` to a point of another body, or runs from one body
//! over a geom of `G` to a third. Seen from `G`, its length is a function `ℓ(x_0, x_1)` of its ends only, with
//! gradients `n` and second derivatives `H`. Per unit of dof `i`, an end on body `X` moves relative to `G` by
//! `r_i = c_i` if `i` moves only `X`, by `−c_i` if it moves only `G`, and not at all if it moves both, with
//! `c_i = v_i + ω_i × x`. Hence
//!
//! ```text
//! J_i = Σ n · r_i            ∂J_i/∂q_j = Σ ∂n/∂q_j · r_i + n · ∂r_i/∂q_j
//! ∂n/∂q_j = [j moves G] ω_j × n + Σ H r_j
//! ∂c_i/∂q_j = [i turns with j] (ω_j × c_i − ω_i × c_j) + [j moves X] ω_i × c_j
//! ```
//!
//! Dofs that move the whole piece have no effect. For a straight piece, `H = (1 − n nᵀ)/ℓ`; around a geom the gradients
//! are differenced (six values by six).

use super::lever::Lever;
use crate::data::Pose;
use crate::kinematics::tendon::obstacle;
use crate::kinematics::wrap::wrap;
use crate::model::Model;
use crate::model::enums::{JointType, WrapType};
use crate::support::cable;
use crate::support::chain::{column, last_dof};
use crate::support::row::tendon_row;
use sinew_math::spatial::rot;
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// An end of a piece.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    body: usize,
    pos: Vec3,
    /// Gradient of the length.
    grad: Vec3,
}

/// A piece of a path.
struct Piece<'a> {
    /// The base body, `G`.
    base: usize,
    ends: &'a [End],
    /// Second derivatives: `hess[a][b]` is the derivative of the gradient at end `a` with respect to end `b`.
    hess: [[Mat3; 2]; 2],
    weight: f64,
}

/// A dof that moves some, but not all bodies of a piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mover {
    dof: usize,
    /// First dof of the group of axes that rotate together.
    group: usize,
    /// Whether it moves the base and each end.
    moves: [bool; 3],
    /// Motion of each end relative to the base.
    relative: [Vec3; 2],
    /// Velocity field at each end.
    field: [Vec3; 2],
}

/// Moments of tendon `k`, with their derivatives. Returns whether anything was differenced.
pub(super) fn tendon(m: &Model, pose: &Pose, k: usize, lever: &mut Lever, movers: &mut Vec<Mover>) -> bool {
    sum(m, pose, &[(k, 1.0)], lever, movers)
}

/// Moments of a weighted sum of tendons, with their derivatives. Returns whether anything was differenced.
pub(super) fn sum(
    m: &Model,
    pose: &Pose,
    tendons: &[(usize, f64)],
    lever: &mut Lever,
    movers: &mut Vec<Mover>,
) -> bool {
    let elements = |k: usize| (m.tendon_adr[k] as usize..).take(m.tendon_num[k] as usize);
    let bends = |k: usize| m.wrap_type(m.tendon_adr[k] as usize) != WrapType::Joint;
    lever.set(std::iter::empty());
    for &(k, weight) in tendons {
        let entries = tendon_row(m, pose, k).entries().filter(|e| e.1 != 0.0);
        entries.for_each(|(dof, moment)| lever.add(dof, weight * moment));
    }
    for &(k, _) in tendons.iter().filter(|t| bends(t.0)) {
        lever.include(m, elements(k).filter_map(|w| body(m, w)));
    }
    let mut differenced = false;
    for &(k, weight) in tendons.iter().filter(|t| bends(t.0)) {
        lever.bend_if_straight();
        differenced |= pieces(m, pose, k, weight, lever, movers);
    }
    differenced
}

/// Adds the moment derivatives of all pieces of a tendon. Returns whether anything was differenced.
fn pieces(m: &Model, pose: &Pose, k: usize, weight: f64, lever: &mut Lever, movers: &mut Vec<Mover>) -> bool {
    let mut differenced = false;
    for span in cable::spans(m, k) {
        let [start, stop] = span.ends.map(|w| site(m, pose, m.wrap_objid[w] as usize));
        let weight = weight / span.divisor;
        if span.around.is_some_and(|w| around(m, pose, w, [start, stop], weight, lever, movers)) {
            differenced = true;
        } else {
            straight(m, pose, start, stop, weight, lever, movers);
        }
    }
    differenced
}

/// Body of a path element.
fn body(m: &Model, w: usize) -> Option<usize> {
    let id = m.wrap_objid[w] as usize;
    match m.wrap_type(w) {
        WrapType::Site => Some(m.site_bodyid[id] as usize),
        WrapType::Sphere | WrapType::Cylinder => Some(m.geom_bodyid[id] as usize),
        _ => None,
    }
}

fn site(m: &Model, pose: &Pose, site: usize) -> End {
    End { body: m.site_bodyid[site] as usize, pos: pose.site_xpos[site], grad: [0.0; 3] }
}

/// Adds a straight piece, with the body it starts on as base.
fn straight(m: &Model, pose: &Pose, a: End, b: End, weight: f64, lever: &mut Lever, movers: &mut Vec<Mover>) {
    if a.body == b.body {
        return;
    }
    let (u, length) = vec3::normalize(vec3::sub(b.pos, a.pos));
    if length < MINVAL {
        return;
    }
    let across = std::array::from_fn(|k| (mat3::IDENTITY[k] - u[k / 3] * u[k % 3]) / length);
    let mut hess = [[[0.0; 9]; 2]; 2];
    hess[0][0] = across;
    let ends = [End { grad: u, ..b }];
    add(m, pose, &Piece { base: a.body, ends: &ends, hess, weight }, lever, movers);
}

/// Adds a piece around the geom of path element `w`; returns false if the path does not touch the geom.
fn around(
    m: &Model,
    pose: &Pose,
    w: usize,
    mut ends: [End; 2],
    weight: f64,
    lever: &mut Lever,
    movers: &mut Vec<Mover>,
) -> bool {
    let (obstacle, side) = obstacle(m, pose, w);
    let gradients = |x: [Vec3; 2]| {
        let touch = wrap(x[0], x[1], &obstacle, side)?;
        Some([0, 1].map(|k| vec3::normalize(vec3::sub(x[k], touch.points[k])).0))
    };
    let at = ends.map(|e| e.pos);
    let Some(grad) = gradients(at) else { return false };
    (0..2).for_each(|k| ends[k].grad = grad[k]);
    let eps = 1e-5 * (obstacle.radius + vec3::dist(at[0], at[1]));
    let mut hess = [[[0.0; 9]; 2]; 2];
    for b in 0..2 {
        for axis in 0..3 {
            let moved = |step: f64| {
                let mut x = at;
                x[b][axis] += step;
                gradients(x).map(|g| (g, step))
            };
            // at the boundary of contact the path touches the geom on one side only
            let (Some((hi, up)), Some((lo, down))) =
                (moved(eps).or(Some((grad, 0.0))), moved(-eps).or(Some((grad, 0.0))))
            else {
                continue;
            };
            let inv = if up > down { 1.0 / (up - down) } else { 0.0 };
            for a in 0..2 {
                (0..3).for_each(|r| hess[a][b][3 * r + axis] = inv * (hi[a][r] - lo[a][r]));
            }
        }
    }
    let base = m.geom_bodyid[m.wrap_objid[w] as usize] as usize;
    add(m, pose, &Piece { base, ends: &ends, hess, weight }, lever, movers);
    true
}

/// First dof of the group of axes that rotate together with dof `i`.
pub(super) fn group(m: &Model, i: usize) -> usize {
    let joint = m.dof_jntid[i] as usize;
    let first = m.jnt_dofadr[joint] as usize;
    match m.jnt_type(joint) {
        JointType::Ball => first,
        JointType::Free if i >= first + 3 => first + 3,
        _ => i,
    }
}

/// Collects the dofs that move some, but not all bodies of a piece.
fn collect(m: &Model, pose: &Pose, piece: &Piece, movers: &mut Vec<Mover>) {
    movers.clear();
    let bodies = [Some(piece.base), piece.ends.first().map(|e| e.body), piece.ends.get(1).map(|e| e.body)];
    let mut next = bodies.map(|b| b.map_or(-1, |b| last_dof(m, b)));
    let count = bodies.iter().flatten().count();
    loop {
        let top = next.into_iter().max().unwrap_or(-1);
        let Ok(dof) = usize::try_from(top) else { return };
        let moves = next.map(|n| n == top);
        (0..3).filter(|&k| moves[k]).for_each(|k| next[k] = m.dof_parentid[dof]);
        if moves.iter().filter(|x| **x).count() == count {
            return; // as do all dofs further up
        }
        let mut mover = Mover { dof, group: group(m, dof), moves, ..Mover::default() };
        let com = pose.subtree_com[m.body_rootid[m.dof_bodyid[dof] as usize] as usize];
        for (k, end) in piece.ends.iter().enumerate() {
            mover.field[k] = column(&pose.cdof[dof], vec3::sub(end.pos, com));
            let sign = f64::from(moves[k + 1]) - f64::from(moves[0]);
            mover.relative[k] = vec3::scale(mover.field[k], sign);
        }
        movers.push(mover);
    }
}

/// Adds the derivatives of a piece's moments.
fn add(m: &Model, pose: &Pose, piece: &Piece, lever: &mut Lever, movers: &mut Vec<Mover>) {
    collect(m, pose, piece, movers);
    for j in movers.iter() {
        let wj = rot(&pose.cdof[j.dof]);
        let mut turned = [[0.0; 3]; 2];
        for (a, end) in piece.ends.iter().enumerate() {
            if j.moves[0] {
                turned[a] = vec3::cross(wj, end.grad);
            }
            for b in 0..piece.ends.len() {
                turned[a] = vec3::add(turned[a], mat3::mul_vec(&piece.hess[a][b], j.relative[b]));
            }
        }
        for i in movers.iter() {
            let wi = rot(&pose.cdof[i.dof]);
            let chained = (0..3).any(|k| i.moves[k] && j.moves[k]);
            let follows = chained && (j.dof < i.dof || i.group == j.group);
            let mut sum = 0.0;
            for (a, end) in piece.ends.iter().enumerate() {
                let sign = f64::from(i.moves[a + 1]) - f64::from(i.moves[0]);
                if sign == 0.0 {
                    continue;
                }
                let carried = vec3::cross(wi, j.field[a]);
                let mut change = if j.moves[a + 1] { carried } else { [0.0; 3] };
                if follows {
                    change = vec3::add(change, vec3::sub(vec3::cross(wj, i.field[a]), carried));
                }
                sum += vec3::dot(turned[a], i.relative[a]) + sign * vec3::dot(end.grad, change);
            }
            lever.add_curve(i.dof, j.dof, sum * piece.weight);
        }
    }
}
