//! The tetrahedron with which a hull begins.

use super::HullError;
use super::grid::{in_line, side};
use sinew_math::{Vec3, vec3};

/// A determinant below this fraction of its target, the previous one times the width of the points, is small.
const SMALL: f64 = 1e-3;

/// Errors of a determinant, in units of the machine epsilon times the largest coordinates.
const ROUNDING: f64 = 800.0;

/// Four points that are not coplanar, the last found first. Two span the longest segment along x; the third forms the
/// largest triangle with them in the xy projection, the fourth the largest tetrahedron. Candidates are the first points
/// that are extreme along an axis. Where they give only a small determinant, other points follow, up to the first whose
/// determinant is ten times what counts as small.
///
/// `grid` are the points on the grid, which decide exactly whether three or four of them are degenerate.
pub(super) fn simplex(points: &[Vec3], grid: &[Vec3]) -> Result<[u32; 4], HullError> {
    let first = |better: &dyn Fn(Vec3, Vec3) -> bool| {
        (1..points.len()).fold(0, |best, i| if better(points[i], points[best]) { i } else { best })
    };
    let extreme = [0, 1, 2].map(|k| [first(&|p, q| p[k] < q[k]), first(&|p, q| p[k] > q[k])]);
    let bounds = [0, 1, 2].map(|k| extreme[k].map(|i| points[i][k]));
    let widest = bounds.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    let error = ROUNDING * f64::EPSILON * bounds.iter().map(|[low, high]| high.max(-low)).sum::<f64>();
    let mut corners = extreme[0].to_vec();
    let mut size = bounds[0][1] - bounds[0][0];
    while corners.len() < 4 {
        let target = SMALL * size * widest;
        let (best, largest) = candidate(points, extreme.as_flattened(), &corners, target, error);
        let proper = |i: usize| match corners[..] {
            [a, b] => !in_line([grid[a], grid[b], grid[i]]),
            [a, b, c] => side([grid[a], grid[b], grid[c]], grid[i]) != 0,
            _ => false,
        };
        // if the best point is degenerate, use any point off the line or plane
        let next = best.filter(|&i| proper(i)).or_else(|| (0..points.len()).find(|&i| proper(i)));
        corners.push(next.ok_or(HullError::Flat)?);
        size = largest;
    }
    Ok([3, 2, 1, 0].map(|k| corners[k] as u32))
}

/// The point that forms the largest determinant with two or three corners, and the determinant.
fn candidate(points: &[Vec3], extreme: &[usize], corners: &[usize], small: f64, error: f64) -> (Option<usize>, f64) {
    let mut best = (None, -1.0);
    for &i in extreme.iter().filter(|i| !corners.contains(i)) {
        let size = determinant(points, corners, i);
        if size > best.1 {
            best = (Some(i), size);
        }
    }
    if best.1 >= error && best.1 >= small {
        return best;
    }
    for i in (0..points.len()).filter(|i| !extreme.contains(i) && !corners.contains(i)) {
        let size = determinant(points, corners, i);
        if size > best.1 {
            best = (Some(i), size);
            if size >= error && size > 10.0 * small {
                break;
            }
        }
    }
    best
}

/// Twice the area of a triangle in the xy projection, or six times the volume of a tetrahedron.
fn determinant(points: &[Vec3], corners: &[usize], i: usize) -> f64 {
    let row = |k: usize| vec3::sub(points[corners[k]], points[i]);
    let (u, v) = (row(0), row(1));
    if corners.len() == 2 {
        return (u[0] * v[1] - u[1] * v[0]).abs();
    }
    let w = row(2);
    let minor = |p: Vec3, q: Vec3| p[1] * q[2] - p[2] * q[1];
    (u[0] * minor(v, w) - v[0] * minor(u, w) + w[0] * minor(u, v)).abs()
}
