//! Two values at a time: formulas are generic over [`Real`], which is `f64`, or a [`Pair`] with one value for each of
//! two bodies or frames. Both give bitwise equal results.

use std::ops::{Add, Mul, Sub};
use wide::f64x2;

/// Arithmetic that formulas need.
pub trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl Real for f64 {}
impl Real for Pair {}

/// One value for each of two objects.
pub type Pair = f64x2;

/// Joins two arrays into an array of pairs.
#[inline(always)]
pub fn join<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [Pair; N] {
    std::array::from_fn(|k| Pair::from([a[k], b[k]]))
}

/// Splits an array of pairs into two arrays.
#[inline(always)]
pub fn split<const N: usize>(pairs: [Pair; N]) -> [[f64; N]; 2] {
    let each = pairs.map(Pair::to_array);
    [0, 1].map(|side| std::array::from_fn(|k| each[k][side]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mat3, quat, spatial};

    fn numbers<const N: usize>(seed: f64) -> [f64; N] {
        std::array::from_fn(|k| (seed + 1.7 * k as f64).sin())
    }

    #[test]
    fn pairs_give_the_bits_of_numbers() {
        let q: [[f64; 4]; 2] = [0.5, 0.6].map(numbers);
        let inert: [[f64; 10]; 2] = [0.1, 0.2].map(numbers);
        let vel: [[f64; 6]; 2] = [0.3, 0.4].map(numbers);
        let at = [[1.0, 2.0, 3.0], [-1.0, 0.5, 0.3]];
        let product = split(quat::mul(join(&q[0], &q[1]), join(&q[1], &q[0])));
        let turn = split(quat::rotation(join(&q[0], &q[1])));
        let moved = split(mat3::mul_vec(&join(&turn[0], &turn[1]), join(&at[0], &at[1])));
        let both = |x: &[[f64; 6]; 2]| join(&x[0], &x[1]);
        let momentum = split(spatial::mul_inert(&join(&inert[0], &inert[1]), &both(&vel)));
        let rate = split(spatial::cross_force(&both(&vel), &both(&momentum)));
        for side in 0..2 {
            assert_eq!(momentum[side], spatial::mul_inert(&inert[side], &vel[side]));
            assert_eq!(rate[side], spatial::cross_force(&vel[side], &momentum[side]));
            assert_eq!(product[side], quat::mul(q[side], q[1 - side]));
            assert_eq!(turn[side], quat::to_mat(q[side]));
            assert_eq!(moved[side], mat3::mul_vec(&turn[side], at[side]));
        }
    }
}
