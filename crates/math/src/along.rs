//! Jacobian rows for contacts: motions of dof axes projected on a frame, two axes at a time.

use crate::Vec3;
use crate::spatial::Vec6;
use wide::f64x2;

/// A value for each of two axes.
type Two = f64x2;

/// `rows[k][j] = frame[k] · (lin + rot × arm)` for the `j`-th listed axis: the velocity of the point at `arm`, per unit
/// speed.
#[inline(always)]
pub fn shifts<const K: usize>(rows: [&mut [f64]; K], axes: &[Vec6], list: &[i32], frame: [Vec3; K], arm: Vec3) {
    let [x, y, z] = arm.map(Two::splat);
    each(rows, axes, list, frame, |[a, b, c, u, v, w]| [u + (b * z - c * y), v + (c * x - a * z), w + (a * y - b * x)]);
}

/// `rows[k][j] = frame[k] · rot` for the `j`-th listed axis.
#[inline(always)]
pub fn turns<const K: usize>(rows: [&mut [f64]; K], axes: &[Vec6], list: &[i32], frame: [Vec3; K]) {
    each(rows, axes, list, frame, |[a, b, c, ..]| [a, b, c]);
}

#[inline(always)]
fn each<const K: usize>(
    mut rows: [&mut [f64]; K],
    axes: &[Vec6],
    list: &[i32],
    frame: [Vec3; K],
    motion: impl Fn([Two; 6]) -> [Two; 3],
) {
    let frame = frame.map(|axis| axis.map(Two::splat));
    let along = |pair: [i32; 2]| {
        let [p, q] = pair.map(|i| &axes[i as usize]);
        let [x, y, z] = motion(std::array::from_fn(|k| Two::from([p[k], q[k]])));
        frame.map(|[fx, fy, fz]| (fx * x + fy * y + fz * z).to_array())
    };
    let (pairs, last) = list.as_chunks::<2>();
    let mut heads = rows.each_mut().map(|row| &mut row.as_chunks_mut::<2>().0[..pairs.len()]);
    for (j, &pair) in pairs.iter().enumerate() {
        let two = along(pair);
        (0..K).for_each(|k| heads[k][j] = two[k]);
    }
    if let [last] = *last {
        let two = along([last; 2]);
        (0..K).for_each(|k| rows[k][list.len() - 1] = two[k][0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec3;

    #[test]
    fn rows_are_products_with_the_motion_of_each_axis() {
        let axes: Vec<Vec6> =
            (0..7).map(|i| std::array::from_fn(|k| (1.3 * i as f64 + 0.7 * k as f64).sin())).collect();
        let frame = [[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], [0.0, 0.0, 1.0]];
        let arm = [0.3, -1.2, 0.5];
        let list = [1, 2, 4, 5, 6];
        let [mut a, mut b, mut c] = [[0.0; 5]; 3];
        shifts([&mut a, &mut b, &mut c], &axes, &list, frame, arm);
        let [mut d, mut e, mut f] = [[0.0; 5]; 3];
        turns([&mut d, &mut e, &mut f], &axes, &list, frame);
        for (j, &i) in list.iter().enumerate() {
            let [p, q, r, u, v, w] = axes[i as usize];
            let shift = vec3::add([u, v, w], vec3::cross([p, q, r], arm));
            assert_eq!([a[j], b[j], c[j]], frame.map(|axis| vec3::dot(axis, shift)));
            assert_eq!([d[j], e[j], f[j]], frame.map(|axis| vec3::dot(axis, [p, q, r])));
        }
    }
}
