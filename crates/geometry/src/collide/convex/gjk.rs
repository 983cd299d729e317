//! Distance of two convex shapes: the point of their difference nearest to the origin.

use super::simplex::Simplex;
use super::support::Difference;
use sinew_math::{MINVAL, Vec3, vec3};

const MINVAL2: f64 = MINVAL * MINVAL;
/// Square of the largest number MuJoCo admits.
const MAXVAL2: f64 = 1e20;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub iterations: usize,
    pub tolerance: f64,
    /// Distances from here on do not matter. Zero: no distance matters, only whether the shapes overlap.
    pub cutoff: f64,
}

/// What became of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// Distance; the largest number beyond the cutoff.
    pub dist: f64,
    /// Nearest point of each shape.
    pub points: [Vec3; 2],
    /// Whether the points are known.
    pub found: bool,
}

impl Nearest {
    fn apart(points: [Vec3; 2]) -> Self {
        Nearest { dist: f64::MAX, points, found: false }
    }
}

/// Points of the difference come ever nearer to the origin, each from the simplex of those before and the farthest
/// point towards the origin, until the gap to a supporting plane closes. The simplex is the part of the difference
/// nearest to the origin, or around it, unless the shapes are apart.
pub(super) fn nearest(diff: &mut Difference, limits: &Limits, simplex: &mut Simplex) -> Nearest {
    let points = [diff.a.center(), diff.b.center()];
    let want_dist = limits.cutoff > 0.0;
    let mut ask_overlap = !want_dist;
    let gap = if diff.is_discrete() { 0.0 } else { 0.5 * limits.tolerance * limits.tolerance };
    simplex.len = 0;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut x = vec3::sub(points[0], points[1]);
    let mut norm = 0.0;
    let mut k = 0;
    while k < limits.iterations {
        let square = vec3::dot(x, x);
        norm = square;
        if square < MINVAL2 {
            break;
        }
        norm = square.sqrt();
        let new = diff.support(vec3::scale(vec3::scale(x, 1.0 / norm), -1.0));
        simplex.set(simplex.len, new);
        if vec3::dot(x, vec3::sub(x, new.at)) < gap {
            if k == 0 {
                simplex.len = 1;
            }
            break;
        }
        // a plane through the new point keeps everything away from the origin
        let along = vec3::dot(x, new.at);
        let away = along > 0.0
            && (!want_dist || (limits.cutoff < f64::MAX && along * along / square >= limits.cutoff * limits.cutoff));
        if away {
            return Nearest::apart(points);
        }
        if simplex.len == 3 && ask_overlap {
            let before = *simplex;
            match overlap(diff, simplex, &mut k, limits.iterations) {
                Some(true) => {
                    simplex.len = 4;
                    return Nearest { dist: 0.0, points, found: false };
                }
                Some(false) => return Nearest::apart(points),
                None => (*simplex, ask_overlap) = (before, false),
            }
        }
        weights = simplex.weights(simplex.len + 1);
        simplex.reduce(&mut weights);
        let Some(next) = simplex.point(&weights) else { return Nearest::apart(points) };
        if (0..3).all(|i| (next[i] - x[i]).abs() < MINVAL) {
            break;
        }
        x = next;
        if simplex.len == 4 {
            norm = 0.0;
            break;
        }
        k += 1;
    }
    Nearest { dist: norm, points: simplex.points(&weights).unwrap_or(points), found: true }
}

/// Distance of the origin below a face of a tetrahedron, and the face's normal; the largest number for a face that
/// has none.
#[inline(always)]
fn below(v1: &Vec3, v2: &Vec3, v3: &Vec3) -> (f64, Vec3) {
    let normal = vec3::cross(vec3::sub(*v3, *v1), vec3::sub(*v2, *v1));
    let square = vec3::dot(normal, normal);
    if square > MINVAL2 && square < MAXVAL2 {
        let normal = vec3::scale(normal, 1.0 / square.sqrt());
        (vec3::dot(normal, *v1), normal)
    } else {
        (f64::MAX, normal)
    }
}

/// Turns a tetrahedron towards the origin by replacing the corner across from the face that the origin is farthest
/// beyond. Says whether it is around the origin in the end, or `None` if this could not be decided.
fn overlap(diff: &mut Difference, simplex: &mut Simplex, k: &mut usize, iterations: usize) -> Option<bool> {
    while *k < iterations {
        let [s0, s1, s2, s3] = &simplex.at;
        let faces = [below(s2, s1, s3), below(s0, s2, s3), below(s1, s0, s3), below(s0, s1, s2)];
        if faces.iter().any(|f| f.0 == 0.0) {
            return None;
        }
        let lesser = |i: usize, j: usize| if faces[i].0 < faces[j].0 { i } else { j };
        let worst = lesser(lesser(0, 1), lesser(2, 3));
        let (dist, normal) = faces[worst];
        if dist > 0.0 {
            return Some(true);
        }
        let new = diff.support(normal);
        simplex.set(worst, new);
        if vec3::dot(normal, new.at) < 0.0 {
            return Some(false);
        }
        // keeps the normals pointing the same way
        simplex.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    None
}
