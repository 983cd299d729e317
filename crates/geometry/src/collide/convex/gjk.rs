//! Distance of two convex shapes by the Gilbert–Johnson–Keerthi algorithm (GJK): the point of their Minkowski
//! difference nearest to the origin.
//!
//! From a point `x` of the difference, the support point `w` towards the origin bounds the distance from below by
//! `x·w / |x|`. While that bound is below `|x|`, the hull of `w` and the earlier points has a point nearer than `x`.

use super::simplex::Simplex;
use super::support::{Difference, Vertex};
use sinew_math::{MINVAL, Vec3, vec3};

/// Squared distance that counts as zero.
const NO_DISTANCE: f64 = MINVAL * MINVAL;

/// Squared length limit of a tetrahedron's face normal: MuJoCo's limit on values.
const LONGEST: f64 = 1e20;

/// Termination criteria.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub iterations: usize,
    /// Tolerance of the distance: the search ends when `|x|² − x·w` is below half its square.
    pub tolerance: f64,
    /// Distances from this value on are not computed. Zero: only whether the shapes overlap matters.
    pub cutoff: f64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// A plane separates the difference from the origin by more than the cutoff.
    Beyond,
    /// The nearest point of the difference, found in the simplex.
    Nearest { dist: f64, points: [Vec3; 2] },
    /// The simplex is a tetrahedron that encloses the origin.
    Around,
}

/// Searches the difference for the point nearest to the origin.
pub(super) fn nearest(diff: &mut Difference, limits: &Limits, simplex: &mut Simplex) -> Outcome {
    let overlap_only = limits.cutoff <= 0.0;
    let tolerance = if diff.is_discrete() { 0.0 } else { 0.5 * limits.tolerance * limits.tolerance };
    let mut can_walk = overlap_only;
    let mut budget = limits.iterations;
    let centers = [diff.a.center(), diff.b.center()];
    let mut x = vec3::sub(centers[0], centers[1]);
    let mut dist = 0.0;
    simplex.clear();
    while budget > 0 {
        let square = vec3::dot(x, x);
        dist = square.sqrt();
        if square < NO_DISTANCE {
            break;
        }
        let new = diff.support(vec3::scale(x, -1.0 / dist));
        let along = vec3::dot(x, new.at);
        if vec3::dot(x, vec3::sub(x, new.at)) < tolerance {
            if simplex.len() == 0 {
                simplex.push(new);
            }
            break;
        }
        if along > 0.0 && (overlap_only || along / dist >= limits.cutoff) {
            return Outcome::Beyond;
        }
        if can_walk && simplex.len() == 3 {
            let mut walk = Walk { corners: [simplex.corner(0), simplex.corner(1), simplex.corner(2), new] };
            match walk.tumble(diff, &mut budget) {
                Some(true) => {
                    simplex.replace(&walk.corners);
                    return Outcome::Around;
                }
                Some(false) => return Outcome::Beyond,
                None => can_walk = false,
            }
        }
        simplex.push(new);
        let next = simplex.settle();
        if simplex.len() == 0 {
            return Outcome::Beyond;
        }
        if (0..3).all(|i| (next[i] - x[i]).abs() < MINVAL) {
            break;
        }
        if simplex.len() == 4 {
            dist = 0.0;
            break;
        }
        x = next;
        budget = budget.saturating_sub(1);
    }
    Outcome::Nearest { dist, points: if simplex.len() == 0 { centers } else { simplex.points() } }
}

/// A tetrahedron that moves towards the origin by replacing corners.
struct Walk {
    /// Ordered so that the face normals point outward. Reflecting a corner through its opposite face reverses the
    /// orientation, and swapping two other corners restores it.
    corners: [Vertex; 4],
}

/// Position of the origin relative to the face opposite a corner.
struct Side {
    corner: usize,
    /// Distance of the origin below the face; negative beyond it.
    below: f64,
    normal: Vec3,
}

impl Walk {
    /// Replaces the corner opposite the face that the origin is farthest beyond, until the origin is beyond none
    /// (`true`) or the difference ends before it (`false`). `None` if undecided: the origin lies in the plane of some
    /// face, or no iterations are left. Wrongly oriented initial corners are corrected by the first replacement.
    fn tumble(&mut self, diff: &mut Difference, budget: &mut usize) -> Option<bool> {
        while *budget > 0 {
            let worst = self.worst()?;
            if worst.below > 0.0 {
                return Some(true);
            }
            let new = diff.support(worst.normal);
            if vec3::dot(worst.normal, new.at) < 0.0 {
                return Some(false);
            }
            self.corners[worst.corner] = new;
            self.corners.swap((worst.corner + 1) % 4, (worst.corner + 2) % 4);
            *budget -= 1;
        }
        None
    }

    /// The face that the origin is least below; `None` if the origin lies in the plane of one.
    fn worst(&self) -> Option<Side> {
        let mut worst: Option<Side> = None;
        for corner in 0..4 {
            let side = self.side(corner);
            if side.below == 0.0 {
                return None;
            }
            if worst.as_ref().is_none_or(|w| side.below < w.below) {
                worst = Some(side);
            }
        }
        worst
    }

    #[inline(always)]
    fn side(&self, corner: usize) -> Side {
        const ACROSS: [[usize; 3]; 4] = [[2, 3, 1], [0, 3, 2], [1, 3, 0], [0, 2, 1]];
        let [p, q, r] = ACROSS[corner].map(|i| self.corners[i].at);
        let normal = vec3::cross(vec3::sub(q, p), vec3::sub(r, p));
        let square = vec3::dot(normal, normal);
        if !(NO_DISTANCE..LONGEST).contains(&square) {
            return Side { corner, below: f64::INFINITY, normal };
        }
        let normal = vec3::scale(normal, 1.0 / square.sqrt());
        Side { corner, below: vec3::dot(normal, p), normal }
    }
}
