//! Derivatives of contact geometry and forces with respect to position.
//!
//! The geometry of a contact (distance, point and frame) depends on the poses of two geoms. It is differenced: each
//! geom is translated along and rotated about three axes, and only this pair collides again. With relative motions
//! `y = (v, ω)` of the bodies at the point, in the contact frame, rows `E y(a + b q̇) + k d(r) r` give forces
//! `F = −∇s`, and
//!
//! ```text
//! δF = −C (E δy + k (d + d' r) δr) + F d'/(d (1 − d)) δr        f = Eᵀ F in the contact frame
//! ```
//!
//! where `d(r)` is the impedance at the distance `r`, which scales all rows by the same factor.

use super::adhesion;
use super::tie::{By, Change, Field, Tie};
use crate::collision::{self, Candidate};
use crate::data::{Contact, Data, Pose};
use crate::model::Model;
use crate::model::enums::{ConstraintState, ConstraintType, GeomType};
use crate::support::chain::{Shared, column, offset};
use crate::support::contact::contact_force;
use sinew_math::spatial::rot;
use sinew_math::{Mat3, Vec3, mat3, quat, vec3};

/// Change of distance, point and frame (as a rotation vector).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shift {
    dist: f64,
    pub pos: Vec3,
    pub turn: Vec3,
}

/// Changes of a contact for rotations and translations of each geom: three axes each.
pub(super) type Geometry = [[Shift; 6]; 2];

/// Step of the geom motions.
const EPS: f64 = 1e-6;

fn is_moved(m: &Model, geom: usize) -> bool {
    m.body_weldid[m.geom_bodyid[geom] as usize] != 0
}

/// Geometry derivatives of all contacts of `d`; returns false if some cannot be determined.
pub(super) fn geometry(m: &Model, d: &mut Data, found: &mut Vec<Contact>, out: &mut Vec<Geometry>) -> bool {
    out.clear();
    out.resize(d.contact.len(), Geometry::default());
    let mut first = 0;
    while first < d.contact.len() {
        let geom = d.contact[first].geom;
        let count = d.contact[first..].iter().take_while(|c| c.geom == geom).count();
        let [Ok(g1), Ok(g2)] = geom.map(usize::try_from) else { return false };
        let span = first..first + count;
        let acts = d.contact[span.clone()].iter().any(|c| pushes(d, c) || adhesion::holds(m, c));
        if acts && !pair(m, d, [g1, g2], span, found, out) {
            return false;
        }
        first += count;
    }
    true
}

/// Whether any row of a contact has a nonzero force.
fn pushes(d: &Data, con: &Contact) -> bool {
    let rows = usize::try_from(con.efc_address).ok().and_then(|r| d.solution.efc_force.get(r..));
    rows.is_some_and(|rows| rows.iter().take(2 * con.dim as usize).any(|f| *f != 0.0))
}

/// Geometry derivatives of the contacts of one geom pair.
fn pair(
    m: &Model,
    d: &mut Data,
    geoms: [usize; 2],
    span: std::ops::Range<usize>,
    found: &mut Vec<Contact>,
    out: &mut [Geometry],
) -> bool {
    let listed = (0..m.npair).find(|&k| {
        let [a, b] = [m.pair_geom1[k] as usize, m.pair_geom2[k] as usize];
        [a, b] == geoms || [b, a] == geoms
    });
    let candidate = listed.map_or(Candidate::Geoms(geoms), |k| Candidate::Pair(geoms, k));
    let ncon = d.collision.ncon;
    let mut complete = true;
    for side in (0..2).filter(|&s| is_moved(m, geoms[s])) {
        let round = m.geom_type(geoms[side]) == GeomType::Sphere;
        for axis in (if round { 3 } else { 0 })..6 {
            let home = (d.pose.geom_xpos[geoms[side]], d.pose.geom_xmat[geoms[side]]);
            let mut reached = 0.0;
            let mut bent = Bend::default();
            for sign in [1.0, -1.0] {
                nudge(&mut d.pose, geoms[side], axis, sign * EPS);
                found.clear();
                let Data { pose, collision, scratch, .. } = d;
                collision::contacts(m, pose, candidate, found, collision, &mut scratch.collision);
                (d.pose.geom_xpos[geoms[side]], d.pose.geom_xmat[geoms[side]]) = home;
                // where contacts appear or vanish, use the other direction alone
                if found.len() == span.len() {
                    reached += EPS;
                    for (k, moved) in span.clone().zip(found.iter()) {
                        add_difference(&mut out[k][side][axis], &d.contact[k], moved, sign);
                        bent.add(&d.contact[k], moved);
                    }
                }
            }
            complete &= reached > 0.0 && (reached == EPS || bent.is_smooth());
            for k in span.clone() {
                let s = &mut out[k][side][axis];
                let inv = 1.0 / reached;
                *s = Shift { dist: s.dist * inv, pos: vec3::scale(s.pos, inv), turn: vec3::scale(s.turn, inv) };
            }
        }
    }
    d.collision.ncon = ncon;
    complete
}

/// Asymmetry of the changes under two opposite motions. It is zero to first order, except at a kink of the geometry,
/// such as two concentric spheres.
#[derive(Clone, Copy, Debug, Default)]
struct Bend {
    dist: f64,
    normal: Vec3,
}

impl Bend {
    fn add(&mut self, from: &Contact, to: &Contact) {
        self.dist += to.dist - from.dist;
        let normals = [to, from].map(|c| mat3::row(&c.frame, 0));
        self.normal = vec3::add(self.normal, vec3::sub(normals[0], normals[1]));
    }

    fn is_smooth(&self) -> bool {
        self.dist.abs() < 0.1 * EPS && vec3::norm(self.normal) < KINK
    }
}

/// A normal that rotates by more than this within the geom motions has jumped.
const KINK: f64 = 1e-4;

/// Rotates a geom about its centre (axes 0–2) or translates it (3–5).
fn nudge(pose: &mut Pose, geom: usize, axis: usize, step: f64) {
    let mut unit = [0.0; 3];
    unit[axis % 3] = 1.0;
    if axis < 3 {
        let turn = quat::to_mat(quat::from_axis_angle(unit, step));
        pose.geom_xmat[geom] = mat3::mul(&turn, &pose.geom_xmat[geom]);
    } else {
        pose.geom_xpos[geom] = vec3::add_scaled(pose.geom_xpos[geom], unit, step);
    }
}

fn add_difference(sum: &mut Shift, from: &Contact, to: &Contact, sign: f64) {
    sum.dist += sign * (to.dist - from.dist);
    sum.pos = vec3::add_scaled(sum.pos, vec3::sub(to.pos, from.pos), sign);
    for k in 0..3 {
        let (a, b) = (mat3::row(&from.frame, k), mat3::row(&to.frame, k));
        sum.turn = vec3::add_scaled(sum.turn, vec3::cross(a, vec3::sub(b, a)), 0.5 * sign);
    }
}

/// The contact as a tie.
fn tie(m: &Model, d: &Data, con: &Contact) -> Tie {
    let f = contact_force(m, con, &d.solution);
    let bodies = con.geom.map(|g| m.geom_bodyid[g as usize] as usize);
    let world = |x: Vec3| mat3::mul_vec_t(&con.frame, x);
    Tie::new(m, &d.pose, bodies, [con.pos; 2], [world([f[0], f[1], f[2]]), world([f[3], f[4], f[5]])])
}

/// Visits contacts with nonzero force, with their derivatives. `fields` are those of acceleration and velocity.
pub(super) fn each(
    m: &Model,
    d: &Data,
    geometry: &[Geometry],
    fields: [&Field; 2],
    visit: &mut impl FnMut(usize, &Tie, &dyn Fn(Shared, By) -> Change),
) {
    for (k, (con, shifts)) in d.contact.iter().zip(geometry).enumerate().filter(|(_, (c, _))| pushes(d, c)) {
        let tie = tie(m, d, con);
        let rates = fields.map(|f| f.relative(&tie));
        let change = |shared: Shared, by: By| {
            let still = [[0.0; 3]; 2];
            let (s, changes) = match by {
                By::Position => {
                    let s = shift(m, d, con, shifts, shared);
                    (s, fields.map(|f| f.change(&d.pose, &tie, shared, &[s.pos; 2])))
                }
                By::Velocity => (Shift::default(), [still, tie.unit(&d.pose, shared)]),
                By::Acceleration => (Shift::default(), [tie.unit(&d.pose, shared), still]),
            };
            let local = [0, 1].map(|k| local_change(&con.frame, s.turn, &rates[k], &changes[k]));
            let f = force_change(d, con, local, s.dist);
            let world = |x: Vec3, old: Vec3| vec3::add(mat3::mul_vec_t(&con.frame, x), vec3::cross(s.turn, old));
            Change {
                points: [s.pos; 2],
                force: world([f[0], f[1], f[2]], tie.force),
                torque: world([f[3], f[4], f[5]], tie.torque),
                normal: f[0],
            }
        };
        visit(k, &tie, &change);
    }
}

/// Derivative of the geometry of a contact with respect to a dof.
pub(super) fn shift(m: &Model, d: &Data, con: &Contact, shifts: &Geometry, shared: Shared) -> Shift {
    let axis = &d.pose.cdof[shared.dof];
    let mut s = Shift::default();
    for side in (0..2).filter(|&k| shared.moves[k]) {
        let geom = con.geom[side] as usize;
        let centre = column(axis, offset(m, &d.pose, m.geom_bodyid[geom] as usize, d.pose.geom_xpos[geom]));
        for (along, by) in rot(axis).into_iter().chain(centre).zip(&shifts[side]) {
            s.dist += along * by.dist;
            s.pos = vec3::add_scaled(s.pos, by.pos, along);
            s.turn = vec3::add_scaled(s.turn, by.turn, along);
        }
    }
    s
}

/// Change of a relative motion expressed in a rotating frame.
fn local_change(frame: &Mat3, turn: Vec3, rate: &[Vec3; 2], by: &[Vec3; 2]) -> [f64; 6] {
    let part = |k: usize| mat3::mul_vec(frame, vec3::sub(by[k], vec3::cross(turn, rate[k])));
    let ([a, b, c], [d, e, f]) = (part(0), part(1));
    [a, b, c, d, e, f]
}

/// Change of the contact force in the contact frame, given changes of relative acceleration, velocity and distance.
fn force_change(d: &Data, con: &Contact, [acc, vel]: [[f64; 6]; 2], dist: f64) -> [f64; 6] {
    let (first, dim) = (con.efc_address as usize, con.dim as usize);
    let pyramid = d.efc.efc_type(first) == ConstraintType::ContactPyramidal;
    let rows = if pyramid { 2 * (dim - 1) } else { dim };
    // edges of a pyramid: normal ± mu times an axis
    let edge = |r: usize| con.friction[r / 2] * [1.0, -1.0][r % 2];
    let pick = |r: usize, y: &[f64; 6]| if pyramid { y[0] + edge(r) * y[1 + r / 2] } else { y[r] };
    let [_, _, imp, slope] = d.efc.efc_KBIP[first];
    let stiffer = slope / (imp * (1.0 - imp)) * dist;
    let residual = |r: usize| {
        let [k, b, imp, slope] = d.efc.efc_KBIP[first + r];
        let depth = d.efc.efc_pos[first + r] - d.efc.efc_margin[first + r];
        pick(r, &acc) + b * pick(r, &vel) + k * (imp + slope * depth) * dist
    };
    let mut out = [0.0; 6];
    for r in 0..rows {
        let mut change = stiffer * d.solution.efc_force[first + r];
        match d.solution.efc_state(first + r) {
            ConstraintState::Quadratic => change -= d.efc.efc_D[first + r] * residual(r),
            ConstraintState::Cone => {
                change -= (0..dim).map(|c| con.H[r * dim + c] * residual(c)).sum::<f64>();
            }
            _ => {}
        }
        if pyramid {
            out[0] += change;
            out[1 + r / 2] += edge(r) * change;
        } else {
            out[r] += change;
        }
    }
    out
}
