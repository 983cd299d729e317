//! Adhesion: the actuator of a body pulls along the mean normal of all its contacts,
//! `J_i = −Σ n · (c_i2 − c_i1) / count`.

use super::contact::{self, Geometry};
use super::crank::{field, field_change};
use super::lever::Lever;
use crate::data::{Contact, Data};
use crate::model::Model;
use crate::model::enums::TrnType;
use crate::support::chain::merged;
use sinew_math::{mat3, vec3};

/// Whether a body has an adhesion actuator.
fn is_sticky(m: &Model, body: usize) -> bool {
    (0..m.nu).any(|i| m.actuator_trntype(i) == TrnType::Body && m.actuator_trnid[i][0] as usize == body)
}

/// Whether the model has any adhesion actuator.
pub(super) fn present(m: &Model) -> bool {
    (0..m.nu).any(|i| m.actuator_trntype(i) == TrnType::Body)
}

/// Bodies of a contact, if both are rigid and adhesion takes the contact into account.
fn bodies(m: &Model, con: &Contact) -> Option<[usize; 2]> {
    let counts = con.exclude == 1 || con.exclude == 0 && con.efc_address >= 0;
    let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else { return None };
    counts.then(|| [g1, g2].map(|g| m.geom_bodyid[g] as usize))
}

/// Whether a contact belongs to a body with adhesion.
pub(super) fn holds(m: &Model, con: &Contact) -> bool {
    bodies(m, con).is_some_and(|pair| pair.into_iter().any(|b| is_sticky(m, b)))
}

/// Moments of the adhesion actuator of `body`, with their derivatives.
pub(super) fn body(m: &Model, d: &Data, body: usize, geometry: &[Geometry], lever: &mut Lever) {
    let of_body = || {
        let all = d.contact.iter().zip(geometry).filter_map(|(con, by)| bodies(m, con).map(|pair| (con, by, pair)));
        all.filter(|(_, _, pair)| pair.contains(&body))
    };
    let scale = -1.0 / of_body().count().max(1) as f64;
    let signs = [-scale, scale];
    lever.set(std::iter::empty());
    for (con, _, [b1, b2]) in of_body() {
        for s in merged(m, b1, b2) {
            let along = vec3::dot(mat3::row(&con.frame, 0), field(m, &d.pose, s.dof, con.pos));
            lever.add(s.dof, (0..2).filter(|&k| s.moves[k]).map(|k| signs[k] * along).sum());
        }
    }
    lever.slope.fill(0.0); // adhesion has no length
    lever.bend();
    for (con, by, [b1, b2]) in of_body() {
        let normal = mat3::row(&con.frame, 0);
        for j in merged(m, b1, b2) {
            let moved = contact::shift(m, d, con, by, j);
            let turned = vec3::cross(moved.turn, normal);
            for i in merged(m, b1, b2).filter(|i| i.moves != [true, true]) {
                let change = vec3::dot(turned, field(m, &d.pose, i.dof, con.pos))
                    + vec3::dot(normal, field_change(m, &d.pose, [i.dof, j.dof], con.pos, moved.pos));
                let sign = if i.moves[1] { signs[1] } else { signs[0] };
                lever.add_curve(i.dof, j.dof, sign * change);
            }
        }
    }
}
