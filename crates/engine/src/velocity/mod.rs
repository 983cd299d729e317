//! `qvel` → velocities of bodies, tendons and actuators, and the bias forces that depend on them.

pub mod com;
pub mod post;
pub mod rne;
pub mod subtree;
pub mod tendon_bias;
pub mod work;

use crate::data::{Motion, Pose, State, Trn};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::row::tendon_row;
use sinew_math::sparse::{self, Pattern};

pub use com::com_vel;
pub use post::{External, rne_post_constraint};
pub use rne::rne;
pub use subtree::subtree_vel;
pub use tendon_bias::tendon_bias;
pub use work::BodyWork;

/// Rates of change of tendon lengths, actuator lengths and flex edges.
///
/// *Equation*: `v = J qvel`, one row per tendon, actuator and edge.
/// *Reads* `qvel`, `ten_J`, `actuator_moment`, `flexedge_J`.
/// *Writes* `ten_velocity`, `actuator_velocity` (zero while actuation is disabled), `flexedge_velocity`.
#[doc(alias = "mj_fwdVelocity")]
pub fn lengths(m: &Model, state: &State, pose: &Pose, trn: &Trn, motion: &mut Motion) {
    let edges = Pattern { rownnz: &m.flexedge_J_rownnz, rowadr: &m.flexedge_J_rowadr, colind: &m.flexedge_J_colind };
    sparse::mul_vec(&mut motion.flexedge_velocity, &pose.flexedge_J, edges, &state.qvel);
    for (k, v) in motion.ten_velocity.iter_mut().enumerate() {
        *v = tendon_row(m, pose, k).dot(&state.qvel);
    }
    if m.opt.disabled(DisableFlags::ACTUATION) {
        motion.actuator_velocity.fill(0.0);
    } else {
        let moments = Pattern { rownnz: &trn.moment_rownnz, rowadr: &trn.moment_rowadr, colind: &trn.moment_colind };
        sparse::mul_vec(&mut motion.actuator_velocity, &trn.actuator_moment, moments, &state.qvel);
    }
}
