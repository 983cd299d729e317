//! Contacts of signed distance fields: gradient descent from many start points on functions of the two distances.

use super::{Contact, MAX_CONTACTS, Settings, Shape, Work};
use crate::field::{Probe, distance};
use sinew_math::{MINVAL, Mat3, Quat, Vec3, halton, mat3, quat, vec3};

/// Distances from this value on, and NaN, count as too far.
const MAXVAL: f64 = 1e10;

/// Objective of the descent, a function of the distances `a` to the field and `b` to the other shape.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// `a + b + |max(a, b)|`, minimal where the shapes overlap most.
    Overlap,
    /// `max(a, b)`.
    Intersection,
    /// `a − b`, zero halfway between the surfaces.
    Midsurface,
}

/// A field and another shape, in the field's frame.
struct Pair<'a> {
    field: &'a Shape<'a>,
    other: &'a Shape<'a>,
    /// Transform from the field's frame to the other's.
    mat: Mat3,
    pos: Vec3,
}

/// Contacts of a shape with a signed distance field, one where each descent ends within both. The margin is not used.
#[doc(alias = "mjc_SDF")]
pub fn collide(a: &Shape, b: &Shape, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    work.seen.clear();
    let (qa, qb) = (quat::from_mat(a.mat), quat::from_mat(b.mat));
    let (pos, mat) = relative((b.pos, qb), (a.pos, qa));
    let Some((low, high)) = common_box(a.aabb, b.aabb, pos, &mat) else { return };
    // the identity up to rounding; descents on octree fields amplify that rounding, so it is reproduced as in MuJoCo
    let (own_pos, own_mat) = relative((a.pos, qa), (a.pos, qa));
    let (to_pos, to_mat) = relative((a.pos, qa), (b.pos, qb));
    let pair = Pair { field: b, other: a, mat, pos };
    for i in 0..s.sdf_initpoints {
        let start = std::array::from_fn(|k| low[k] + (high[k] - low[k]) * halton(i, [2, 3, 5][k]));
        let start = vec3::add(mat3::mul_vec(&own_mat, start), own_pos);
        let mut x = vec3::add(mat3::mul_vec(&to_mat, start), to_pos);
        let found = pair.descend(Goal::Overlap, &mut x, s.sdf_iterations);
        // inexact distances produce false contacts; one step towards the intersection discards them
        let found = found.and_then(|_| pair.descend(Goal::Intersection, &mut x, 1));
        let Some(dist) = found else { return };
        if dist > 0.0 || work.seen.iter().any(|&p| vec3::dist(x, p) < MINVAL) {
            continue;
        }
        if work.contacts.len() == MAX_CONTACTS {
            return;
        }
        let Some((_, grad)) = pair.slope(Goal::Midsurface, x) else { return };
        work.seen.push(x);
        let Some(frame) = mat3::frame(quat::rotate(qb, vec3::scale(grad, -1.0)), [0.0; 3]) else { continue };
        let (normal, tangent) = (mat3::row(&frame, 0), mat3::row(&frame, 1));
        let pos = vec3::add(vec3::add(quat::rotate(qb, x), b.pos), vec3::scale(normal, -dist / 2.0));
        work.contacts.push(Contact { dist, pos, normal, tangent });
    }
}

impl Pair<'_> {
    /// The point in the other shape's frame.
    fn across(&self, x: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.mat, x), self.pos)
    }

    fn value(&self, goal: Goal, x: Vec3) -> Option<f64> {
        let (a, b) = (distance(self.field, x)?, distance(self.other, self.across(x))?);
        Some(goal.of(a, b))
    }

    /// Value and gradient of the objective.
    fn slope(&self, goal: Goal, x: Vec3) -> Option<(f64, Vec3)> {
        let y = self.across(x);
        let (field, other) = (Probe::new(self.field, x)?, Probe::new(self.other, y)?);
        let (a, b) = (field.dist, other.dist);
        let of_a = || field.gradient();
        let of_b = || Some(mat3::mul_vec_t(&self.mat, other.gradient()?));
        let grad = match goal {
            Goal::Overlap => {
                let (ga, gb) = (of_a()?, of_b()?);
                let sign = if a.max(b) > 0.0 { 1.0 } else { -1.0 };
                vec3::add_scaled(vec3::add(ga, gb), if a > b { ga } else { gb }, sign)
            }
            Goal::Intersection if a > b => of_a()?,
            Goal::Intersection => of_b()?,
            Goal::Midsurface => vec3::normalize(vec3::sub(vec3::normalize(of_a()?).0, vec3::normalize(of_b()?).0)).0,
        };
        Some((goal.of(a, b), grad))
    }

    /// Gradient descent; returns the final value. `None` if a shape has no distance function.
    fn descend(&self, goal: Goal, x: &mut Vec3, steps: usize) -> Option<f64> {
        let mut value = MAXVAL;
        for _ in 0..steps {
            let (before, grad) = self.slope(goal, *x)?;
            if !grad.iter().all(|g| (-MAXVAL..=MAXVAL).contains(g)) {
                return Some(MAXVAL);
            }
            (*x, value) = self.shorten(goal, *x, before, grad)?;
            if before < value {
                break;
            }
        }
        Some(value)
    }

    /// Backtracking line search: the longest step of length 1, ½, ¼, … against the gradient that achieves a tenth of
    /// the predicted decrease; otherwise the shortest.
    fn shorten(&self, goal: Goal, from: Vec3, before: f64, grad: Vec3) -> Option<(Vec3, f64)> {
        const ENOUGH: f64 = 0.1;
        /// Exponent of the first length that is no longer than 10⁻⁴.
        const SHORTEST: i32 = 14;
        let promise = ENOUGH * vec3::dot(grad, grad);
        let mut end = (from, before);
        for length in (0..=SHORTEST).map(|k| 0.5f64.powi(k)) {
            let to = vec3::add_scaled(from, grad, -length);
            end = (to, self.value(goal, to)?);
            // false for NaN, which is therefore accepted
            let too_little = end.1 - before > -length * promise;
            if !too_little {
                break;
            }
        }
        Some(end)
    }
}

impl Goal {
    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Goal::Overlap => a + b + a.max(b).abs(),
            Goal::Intersection => a.max(b),
            Goal::Midsurface => a - b,
        }
    }
}

/// Pose of one frame relative to another, as position and rotation matrix.
fn relative((pos, rot): (Vec3, Quat), (from, turn): (Vec3, Quat)) -> (Vec3, Mat3) {
    let back = quat::conj(turn);
    let away = vec3::scale(quat::rotate(back, from), -1.0);
    let rot = quat::normalize(quat::mul(back, rot)).0;
    (vec3::add(quat::rotate(back, pos), away), quat::to_mat(rot))
}

/// Lower and upper corner of the intersection of two shapes' bounding boxes, in the axes of the first.
fn common_box(a: &[f64; 6], b: &[f64; 6], pos: Vec3, mat: &Mat3) -> Option<(Vec3, Vec3)> {
    let corner = |aabb: &[f64; 6], i: usize| -> Vec3 {
        std::array::from_fn(|k| if i >> k & 1 == 1 { aabb[k] + aabb[3 + k] } else { aabb[k] - aabb[3 + k] })
    };
    let (low_a, high_a) = (corner(a, 0), corner(a, 7));
    let (mut low, mut high) = ([MAXVAL; 3], [-MAXVAL; 3]);
    for i in 0..8 {
        let at = vec3::add(mat3::mul_vec(mat, corner(b, i)), pos);
        for k in 0..3 {
            low[k] = low[k].min(at[k]);
            high[k] = high[k].max(at[k]);
        }
    }
    for k in 0..3 {
        low[k] = low[k].max(low_a[k]);
        high[k] = high[k].min(high_a[k]);
    }
    (0..3).all(|k| high[k] >= low[k]).then_some((low, high))
}
