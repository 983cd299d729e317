//! Connect and weld constraints.
//!
//! A weld also constrains the vector part of `q_2⁻¹ q_1`, scaled by `s`; its rate is `G ω` when the first body rotates
//! relative to the second, with `G ω = s/2 vec(q_2⁻¹ ω q_1)`, and forces `F` on it correspond to a torque `Gᵀ F`.

use super::tie::{By, Change, Field, Tie};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::EqType;
use crate::support::anchor;
use crate::support::chain::{Shared, column, offset};
use sinew_math::spatial::{Vec6, dot, join, lin as last_three, rot, rot as first_three};
use sinew_math::{MINVAL, Quat, Vec3, quat, vec3};

/// Torque of a weld: the real one, or the constraint forces as sensors report them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Torque {
    Real,
    Measured,
}

/// First rows and ids of connects and welds.
fn anchors<'a>(m: &'a Model, d: &'a Data) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_first = |r: usize| r == 0 || d.efc.efc_id[r - 1] != d.efc.efc_id[r];
    (0..d.efc.ne as usize)
        .filter(move |&r| is_first(r))
        .map(|r| (r, d.efc.efc_id[r] as usize))
        .filter(|&(_, id)| matches!(m.eq_type(id), EqType::Connect | EqType::Weld))
}

/// Maps relative rotation to rates of a weld's rows.
struct Twist {
    first: Quat,
    inverse: Quat,
    half: f64,
}

impl Twist {
    fn of(m: &Model, d: &Data, id: usize) -> Self {
        let [first, second] = anchor::frames(m, &d.pose, id);
        Twist { first, inverse: quat::conj(second), half: 0.5 * m.eq_data[id][10] }
    }

    fn vector(&self, x: Quat) -> Vec3 {
        let [_, x, y, z] = quat::mul(quat::mul(self.inverse, x), self.first);
        vec3::scale([x, y, z], self.half)
    }

    /// `G ω`.
    fn rate(&self, w: Vec3) -> Vec3 {
        self.vector([0.0, w[0], w[1], w[2]])
    }

    /// Change of `G ω` when both bodies rotate.
    fn turned(&self, w: Vec3, [second, first]: [Vec3; 2]) -> Vec3 {
        // products of vectors: ω θ_1 − θ_2 ω
        let real = vec3::dot(second, w) - vec3::dot(w, first);
        let [x, y, z] = vec3::sub(vec3::cross(w, first), vec3::cross(second, w));
        vec3::scale(self.vector([real, x, y, z]), 0.5)
    }

    /// `Gᵀ F` for the given `G`.
    fn back(force: Vec3, by: impl Fn(Vec3) -> Vec3) -> Vec3 {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| vec3::dot(force, by(e)))
    }
}

/// Visits connects and welds with their derivatives. Their force acts on the first body.
///
/// *Equation*: with the violation `x` and the impedance `d(|x|)`:
/// `δF = −D (δ(J (a + b q̇)) + k (d δx + d' x δ|x|)) + F d'/(d (1 − d)) δ|x|`.
pub(super) fn each(
    m: &Model,
    d: &Data,
    torque: Torque,
    fields: [&Field; 2],
    visit: &mut impl FnMut(&Tie, &dyn Fn(Shared, By) -> Change),
) {
    for (r, id) in anchors(m, d) {
        let twist = (m.eq_type(id) == EqType::Weld).then(|| Twist::of(m, d, id));
        let rows = if twist.is_some() { 6 } else { 3 };
        // translation first
        let take = |x: &[f64]| -> Vec6 { std::array::from_fn(|k| if k < rows { x[r + k] } else { 0.0 }) };
        let (force, off, stiff) = (take(&d.solution.efc_force), take(&d.efc.efc_pos), take(&d.efc.efc_D));
        let real = torque == Torque::Real;
        let pull = match &twist {
            Some(twist) if real => Twist::back(last_three(&force), |w| twist.rate(w)),
            _ => last_three(&force),
        };
        let ([b1, b2], [p1, p2]) = (m.eq_bodies(id), anchor::points(m, &d.pose, id));
        let tie = Tie::new(m, &d.pose, [b2, b1], [p2, p1], [first_three(&force), pull]);
        let rates = fields.map(|f| f.relative(&tie)[1]);
        let change = |shared: Shared, by: By| {
            let moving = if by == By::Position { shared.moves } else { [false; 2] };
            let axis = &d.pose.cdof[shared.dof];
            let points = [0, 1].map(|side| {
                let arm = offset(m, &d.pose, tie.bodies[side], tie.points[side]);
                if moving[side] { column(axis, arm) } else { [0.0; 3] }
            });
            let turns = moving.map(|moves| if moves { rot(axis) } else { [0.0; 3] });
            let spin = |w: Vec3| twist.as_ref().map_or([0.0; 3], |t| t.rate(w));
            let bent = |w: Vec3| twist.as_ref().map_or([0.0; 3], |t| t.turned(w, turns));
            let still = [[0.0; 3]; 2];
            let [acc, vel] = match by {
                By::Position => fields.map(|f| f.change(&d.pose, &tie, shared, &points)),
                By::Velocity => [still, tie.unit(&d.pose, shared)],
                By::Acceleration => [tie.unit(&d.pose, shared), still],
            };
            let whole = |k: usize, y: [Vec3; 2]| join(y[0], vec3::add(spin(y[1]), bent(rates[k])));
            let (acc, vel) = (whole(0, acc), whole(1, vel));
            let moved = join(vec3::sub(points[1], points[0]), spin(vec3::sub(turns[1], turns[0])));
            let [k, b, imp, slope] = d.efc.efc_KBIP[r];
            let farther = dot(&off, &moved) / dot(&off, &off).sqrt().max(MINVAL);
            let shift: Vec6 = std::array::from_fn(|i| {
                let residual = acc[i] + b * vel[i] + k * (imp * moved[i] + slope * off[i] * farther);
                force[i] * slope / (imp * (1.0 - imp)) * farther - stiff[i] * residual
            });
            let torque = if real && twist.is_some() {
                vec3::add(Twist::back(last_three(&shift), spin), Twist::back(last_three(&force), bent))
            } else {
                last_three(&shift)
            };
            Change { points, force: first_three(&shift), torque, normal: 0.0 }
        };
        visit(&tie, &change);
    }
}
