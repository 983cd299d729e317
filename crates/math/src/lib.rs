//! Numerical building blocks: vectors, quaternions, rotations, spatial algebra, sparse products and factorisations.
//!
//! Everything works on plain arrays (`[f64; 3]`, quaternions `[w, x, y, z]`, row-major `[f64; 9]`), in MuJoCo's order
//! of operations, so that results agree up to rounding. This crate does not depend on the model.

pub mod along;
pub mod band;
pub mod bounds;
pub mod box_qp;
mod by_count;
pub mod factor;
pub mod fours;
pub mod lanes;
pub mod line;
pub mod lu;
pub mod mat3;
pub mod order;
pub mod pair;
pub mod quat;
pub mod rows;
pub mod sparse;
pub mod sparse_chol;
pub mod spatial;
pub mod svd;
mod tree;
pub mod vec3;

/// Below this a length or divisor counts as zero; MuJoCo's `mjMINVAL`.
pub const MINVAL: f64 = 1e-15;

/// 3-vector.
pub type Vec3 = [f64; 3];
/// Quaternion, scalar first.
pub type Quat = [f64; 4];
/// 3×3 matrix, row-major.
pub type Mat3 = [f64; 9];

/// Clamps `x` to `[min, max]`; `min` wins if they cross, and NaN stays NaN.
#[doc(alias = "mju_clip")]
#[inline(always)]
pub fn clip(x: f64, min: f64, max: f64) -> f64 {
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// Element `index` of the Halton sequence, a low-discrepancy sequence in the unit interval.
#[doc(alias = "mju_Halton")]
pub fn halton(index: usize, base: usize) -> f64 {
    let (mut left, mut fraction, mut sum) = (index, 1.0 / base as f64, 0.0);
    while left > 0 {
        sum += fraction * (left % base) as f64;
        fraction /= base as f64;
        left /= base;
    }
    sum
}
