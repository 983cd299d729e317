//! Points in groups of four, for exhaustive searches.

use crate::Vec3;
use wide::f64x4;

/// Coordinates of four points: all x, then all y, then all z.
pub type Four = [[f64; 4]; 3];

/// Writes the coordinate of each point along a direction, as computed by [`vec3::dot`](crate::vec3::dot), and returns
/// the maximum; it is unspecified if a coordinate is NaN.
#[inline(always)]
pub fn along(points: &[Four], dir: Vec3, far: &mut [[f64; 4]]) -> f64 {
    let [x, y, z] = dir.map(f64x4::splat);
    let mut most = f64x4::splat(f64::NEG_INFINITY);
    for (p, far) in points.iter().zip(far) {
        let [px, py, pz] = p.map(f64x4::from);
        let sum = x * px + y * py + z * pz;
        most = most.fast_max(sum);
        *far = sum.to_array();
    }
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let [a, b, c, d] = most.to_array();
    larger(larger(a, b), larger(c, d))
}

/// Bit mask of the values larger than a bound; at most 64 values.
#[inline(always)]
pub fn larger(numbers: &[[f64; 4]], bound: f64) -> u64 {
    let bound = f64x4::splat(bound);
    let bits = |n: &[f64; 4]| u64::from(f64x4::from(*n).simd_gt(bound).to_bitmask());
    numbers.iter().enumerate().fold(0, |all, (k, n)| all | bits(n) << (4 * k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec3;

    #[test]
    fn the_farthest_of_fours_is_the_farthest_of_points() {
        let points: [Vec3; 12] = std::array::from_fn(|i| [2.1, 0.7, 1.3].map(|k| (k * i as f64 + 0.3).sin()));
        let fours: [Four; 3] =
            std::array::from_fn(|i| std::array::from_fn(|k| std::array::from_fn(|j| points[4 * i + j][k])));
        for dir in points {
            let mut far = [[0.0; 4]; 3];
            let most = along(&fours, dir, &mut far);
            let want = points.map(|p| vec3::dot(dir, p));
            assert_eq!(far.as_flattened(), want);
            assert_eq!(most, want.into_iter().fold(f64::NEG_INFINITY, f64::max));
            let bits = (0..12).filter(|&i| want[i] > 0.5).map(|i| 1 << i).sum::<u64>();
            assert_eq!(larger(&far, 0.5), bits);
        }
    }
}
