//! Contacts of flexes that act as springs.

use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::contact::{MOVES_NOTHING, PASSIVE};
use crate::support::force::apply_ft;
use crate::support::{is_sparse, side};
use sinew_math::{mat3, vec3};

/// Force per penetration depth. (N/m)
const STIFFNESS: f64 = 1e4;

/// Adds a force along the normal of each passive contact, proportional to its depth. With sparse Jacobians, where empty
/// rows reveal it, contacts between static bodies are marked [`MOVES_NOTHING`].
///
/// *Reads* contacts, `flexvert_xpos`. *Writes* `qfrc_spring`, `exclude` of contacts.
#[doc(alias = "mj_contactPassive")]
pub fn contacts(m: &Model, pose: &Pose, contact: &mut [Contact], qfrc_spring: &mut [f64]) {
    if m.nflex == 0 || m.opt.disabled(DisableFlags::CONTACT) {
        return;
    }
    for con in contact.iter_mut().filter(|con| con.exclude == PASSIVE) {
        let mut moves = false;
        let push = vec3::scale(mat3::row(&con.frame, 0), -STIFFNESS * con.dist);
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            for (body, weight) in side::carriers(m, pose, con, k, sign).iter() {
                moves |= m.body_weldid[body] != 0;
                apply_ft(m, pose, vec3::scale(push, weight), [0.0; 3], con.pos, body, qfrc_spring);
            }
        }
        if !moves && is_sparse(m) {
            con.exclude = MOVES_NOTHING;
        }
    }
}
