//! Friction of cables on the geoms they wrap around.
//!
//! Capstan equation: from the last site of a tendon or branch, where the tension is `T`, the tension changes by
//! `e^{−μθ}` over each arc of angle `θ` if the cable slides towards that site, and by `e^{μθ}` if it slides away:
//! `T_j = T exp(−Σ s_k μ_k θ_k)` over the arcs between piece `j` and the end. The sign is smoothed, `s = tanh(u/u₀)`,
//! with `u` the speed of the cable on the arc: the rate at which everything before the arc shortens. With this `u`,
//! friction also dissipates energy when the cable stretches.

use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{GeomType, WrapType};
use crate::model::extension::Pulley;
use crate::support::{cable, chain};
use sinew_math::{Vec3, mat3, vec3};

/// Sliding speed `u₀` at which friction is three quarters of its maximum. A sticking cable creeps at less than this
/// speed.
pub const CREEP: f64 = 5e-4;

/// Adds to `qfrc` what friction changes about the force `force` along tendon `k`: `Σ_j (T_j − T) ∂L_j/∂q`. A slack
/// cable has no friction.
///
/// *Reads* the path, `cdof`, `subtree_com`, `qvel`.
pub fn drag(m: &Model, pose: &Pose, qvel: &[f64], k: usize, force: f64, qfrc: &mut [f64]) {
    let friction = &m.extension().pulleys;
    if friction.is_empty() || force >= 0.0 || friction.iter().all(|p| p.tendon != k) {
        return;
    }
    // for each branch: first the rate of its total length, then the forces, from its end, where the tension is known
    let (mut total, mut speed, mut exponent) = (0.0, 0.0, 0.0);
    walk(m, pose, k, |part| match part {
        Part::Branch(branch) => {
            total = 0.0;
            walk(m, pose, k, |part| match part {
                Part::Piece(at, piece, _) if at == branch => {
                    piece.slopes(m, pose, |dof, slope| total += slope * qvel[dof])
                }
                _ => {}
            });
            (speed, exponent) = (0.0, 0.0);
        }
        Part::Arc(element, angle) => {
            let mu = friction.iter().find(|p| p.wrap == element).map_or(0.0, |p| p.friction);
            // the cable slides over the arc as fast as everything before the arc shortens
            exponent += f64::tanh((speed - total) / CREEP) * mu * angle;
        }
        Part::Piece(_, piece, divisor) => {
            let share = force * (f64::exp(-exponent) - 1.0) / divisor;
            piece.slopes(m, pose, |dof, slope| {
                speed += slope * qvel[dof];
                qfrc[dof] += share * slope;
            });
        }
    });
}

/// An element of a cable, visited from its end.
enum Part {
    /// Start of a branch, with its number counted from the cable's end.
    Branch(usize),
    /// An arc: its path element and angle.
    Arc(usize, f64),
    /// A straight piece: its branch, its ends with their bodies, the divisor of the branch.
    Piece(usize, Piece, f64),
}

/// Visits a cable from its end to its beginning.
fn walk(m: &Model, pose: &Pose, k: usize, mut visit: impl FnMut(Part)) {
    let points = pose.wrap_xpos.as_flattened().as_chunks::<3>().0;
    let path = pose.ten_wrapadr[k] as usize..(pose.ten_wrapadr[k] + pose.ten_wrapnum[k]) as usize;
    let mut branch = 0;
    let mut after: Option<(Vec3, usize, bool)> = None;
    visit(Part::Branch(branch));
    for i in path.clone().rev() {
        let Some((element, divisor)) = cable::points(m, pose, k).nth(i - path.start).flatten() else {
            branch += 1;
            after = None;
            visit(Part::Branch(branch));
            continue;
        };
        let (id, wraps) = (m.wrap_objid[element] as usize, m.wrap_type(element) != WrapType::Site);
        let body = (if wraps { m.geom_bodyid[id] } else { m.site_bodyid[id] }) as usize;
        match after {
            Some((off, _, true)) if wraps => {
                let before = if i > path.start { points[i - 1] } else { points[i] };
                visit(Part::Arc(element, angle(m, pose, id, before, points[i], off)));
            }
            Some((end, end_body, _)) => {
                visit(Part::Piece(branch, Piece([(points[i], body), (end, end_body)]), divisor));
            }
            None => {}
        }
        after = Some((points[i], body, wraps));
    }
}

/// A straight piece of a cable: its ends, with the bodies they move with.
#[derive(Clone, Copy, Debug)]
pub struct Piece(pub [(Vec3, usize); 2]);

impl Piece {
    /// Visits the derivatives of the length with respect to each dof that changes it.
    pub fn slopes(&self, m: &Model, pose: &Pose, mut with: impl FnMut(usize, f64)) {
        let [(a, a_body), (b, b_body)] = self.0;
        if a_body == b_body {
            return;
        }
        let dir = vec3::normalize(vec3::sub(b, a)).0;
        let arm = [chain::offset(m, pose, a_body, a), chain::offset(m, pose, b_body, b)];
        for shared in chain::merged(m, a_body, b_body) {
            let axis = &pose.cdof[shared.dof];
            let end = |side: usize| {
                if shared.moves[side] { vec3::dot(chain::column(axis, arm[side]), dir) } else { 0.0 }
            };
            with(shared.dof, end(1) - end(0));
        }
    }
}

/// Visits the pieces of the branch before a pulley, if the cable touches it: the pulley turns as fast as these shorten.
pub fn before_arc(m: &Model, pose: &Pose, pulley: &Pulley, mut visit: impl FnMut(Piece)) {
    let mut passed = false;
    walk(m, pose, pulley.tendon, |part| match part {
        Part::Branch(_) => passed = false,
        Part::Arc(element, _) => passed |= element == pulley.wrap,
        Part::Piece(_, piece, _) if passed => visit(piece),
        Part::Piece(..) => {}
    });
}

impl Pulley {
    /// Inertia reflected to the cable: `I/r²`.
    pub fn reflected(&self, m: &Model) -> f64 {
        let radius = m.geom_size[m.wrap_objid[self.wrap] as usize][0];
        self.inertia / (radius * radius)
    }
}

/// Angle of the arc from `on` to `off` around a geom, for a cable that comes from `before`.
fn angle(m: &Model, pose: &Pose, geom: usize, before: Vec3, on: Vec3, off: Vec3) -> f64 {
    let [mut a, mut b, ahead] =
        [(on, pose.geom_xpos[geom]), (off, pose.geom_xpos[geom]), (on, before)].map(|(to, from)| vec3::sub(to, from));
    let cylinder = mat3::col(&pose.geom_xmat[geom], 2);
    let is_cylinder = m.geom_type(geom) == GeomType::Cylinder;
    let turn = if is_cylinder {
        [a, b] = [a, b].map(|x| vec3::add_scaled(x, cylinder, -vec3::dot(x, cylinder)));
        let sense = vec3::dot(cylinder, vec3::cross(a, ahead));
        vec3::scale(cylinder, if sense < 0.0 { -1.0 } else { 1.0 })
    } else {
        vec3::normalize(vec3::cross(a, ahead)).0
    };
    let angle = f64::atan2(vec3::dot(turn, vec3::cross(a, b)), vec3::dot(a, b));
    // rounding may make the angle of a point contact slightly negative
    if angle < -1e-9 { angle + std::f64::consts::TAU } else { angle.max(0.0) }
}
