//! Contact forces from the forces of constraint rows.

use super::is_pyramidal;
use crate::data::{Contact, Solution};
use crate::model::Model;
use sinew_math::spatial::Vec6;

/// Value of `exclude` for a contact that moves no dof.
pub const MOVES_NOTHING: i32 = 3;
/// Value of `exclude` for a contact that acts as a passive force.
pub const PASSIVE: i32 = 4;

/// Force and torque of a contact in the contact frame, force first; zero if the contact is not in the solver.
#[doc(alias = "mj_contactForce")]
pub fn contact_force(m: &Model, contact: &Contact, solution: &Solution) -> Vec6 {
    let mut res = [0.0; 6];
    let Ok(start) = usize::try_from(contact.efc_address) else { return res };
    let dim = contact.dim as usize;
    let pyramid = is_pyramidal(m);
    let count = if pyramid && dim > 1 { 2 * (dim - 1) } else { dim };
    // no such rows if they were dropped, or if the contact is from another step
    let Some(rows) = solution.efc_force.get(start..).and_then(|rows| rows.get(..count)) else { return res };
    if pyramid {
        decode_pyramid(&mut res, rows, &contact.friction, dim);
    } else {
        res[..dim].copy_from_slice(&rows[..dim]);
    }
    res
}

/// Contact force from forces along the edges of a friction pyramid: the normal force is their sum, the friction along
/// axis `k` is `mu_k` times the difference of its two edges.
#[doc(alias = "mju_decodePyramid")]
pub fn decode_pyramid(force: &mut [f64], pyramid: &[f64], mu: &[f64], dim: usize) {
    if dim == 1 {
        force[0] = pyramid[0];
        return;
    }
    force[0] = pyramid[..2 * (dim - 1)].iter().sum();
    for i in 0..dim - 1 {
        force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
    }
}

/// Forces along the edges of a friction pyramid that sum to a contact force, with the normal force shared equally
/// between the friction axes: `f_k⁺ + f_k⁻ = f_0/(dim − 1)`, `f_k⁺ − f_k⁻ = f_k/mu_k`.
#[doc(alias = "mju_encodePyramid")]
pub fn encode_pyramid(pyramid: &mut [f64], force: &[f64], mu: &[f64], dim: usize) {
    let axes = dim.saturating_sub(1);
    let sum = force[0] / axes as f64;
    for i in 0..axes {
        let difference = sum.min(force[i + 1] / mu[i]);
        pyramid[2 * i] = 0.5 * (sum + difference);
        pyramid[2 * i + 1] = 0.5 * (sum - difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pyramids_decode_to_what_was_encoded() {
        let (force, mu) = ([3.0, 0.3, -0.2, 0.01, 0.0, 0.002], [0.7, 0.4, 0.1, 0.1, 0.2]);
        for dim in [3, 4, 6] {
            let (mut pyramid, mut back) = ([0.0; 10], [0.0; 6]);
            encode_pyramid(&mut pyramid, &force, &mu, dim);
            assert!(pyramid.iter().all(|f| *f >= 0.0));
            decode_pyramid(&mut back, &pyramid, &mu, dim);
            assert!((0..dim).all(|k| (back[k] - force[k]).abs() < 1e-14), "{back:?}");
        }
    }
}
