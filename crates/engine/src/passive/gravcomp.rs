//! Gravity compensation forces.

use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::awake as subset;
use crate::support::force::apply_ft;
use sinew_math::vec3;

/// Whether gravity compensation has any effect.
pub fn acts(m: &Model) -> bool {
    m.ngravcomp > 0 && !m.opt.disabled(DisableFlags::GRAVITY) && m.opt.gravity != [0.0; 3]
}

/// Adds the gravity compensation force of every body to `qfrc`; returns whether there was any.
///
/// *Equation*: `Jᵀ (−gravcomp · m · g)` at the centre of mass. *Reads* `xipos`, `cdof`. *Writes* `qfrc_gravcomp`.
pub fn gravcomp(m: &Model, awake: &Awake, pose: &Pose, qfrc: &mut [f64]) -> bool {
    if !acts(m) {
        return false;
    }
    let mut any = false;
    for i in subset::bodies(m, awake).iter().skip(1) {
        if m.body_gravcomp[i] != 0.0 {
            any = true;
            let lift = vec3::scale(m.opt.gravity, -(m.body_mass[i] * m.body_gravcomp[i]));
            apply_ft(m, pose, lift, [0.0; 3], pose.xipos[i], i, qfrc);
        }
    }
    any
}
