//! Shortest paths around spheres and cylinders.
//!
//! Both reduce to a circle in a plane: the plane through the ends and the centre of a sphere, or the
//! plane normal to a cylinder's axis, along which the path then rises at a constant rate (a helix).

use super::circle::{self, Complex};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Sphere or cylinder that a tendon may wrap around, in world coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// Centre.
    pub pos: Vec3,
    /// Axes as columns; the axis of a cylinder is the third.
    pub mat: &'a Mat3,
    /// Radius.
    pub radius: f64,
    /// Whether it is a cylinder rather than a sphere.
    pub cylinder: bool,
}

/// The part of a path that lies on an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Where the path reaches and leaves the surface.
    pub points: [Vec3; 2],
    /// Length on the surface between them.
    pub length: f64,
}

/// Path from `x0` to `x1` around an obstacle, on the side of the point `side` if given; a side point inside the
/// obstacle makes the path pass through it, touching its surface from inside. `None` if the straight path is free.
#[doc(alias = "mju_wrap")]
pub fn wrap(x0: Vec3, x1: Vec3, obstacle: &Obstacle, side: Option<Vec3>) -> Option<Touch> {
    let local = |x: Vec3| mat3::mul_vec_t(obstacle.mat, vec3::sub(x, obstacle.pos));
    let ends = [local(x0), local(x1)];
    if ends.iter().any(|&p| vec3::norm(p) < MINVAL) {
        return None;
    }
    let axes = if obstacle.cylinder { [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] } else { sphere_plane(&ends) };
    let project = |p: Vec3| Complex { re: vec3::dot(p, axes[0]), im: vec3::dot(p, axes[1]) };
    let flat = ends.map(project);
    let radius = obstacle.radius;
    let side = side.map(local);
    let (touch, arc) = if side.is_some_and(|s| vec3::norm(s) < radius) {
        ([circle::through(flat, radius)?; 2], 0.0)
    } else {
        let arc = circle::around(flat, side.map(|s| project(s).direction().scale(radius)), radius)?;
        ([arc.on, arc.off], radius * arc.angle)
    };
    let mut points = touch.map(|p| vec3::add(vec3::scale(axes[0], p.re), vec3::scale(axes[1], p.im)));
    let mut length = arc;
    if obstacle.cylinder {
        let runs = [0, 1].map(|k| flat[k].minus(touch[k]).length());
        let climb = Climb { from: ends[0][2], rise: ends[1][2] - ends[0][2], run: runs[0] + arc + runs[1] };
        points[0][2] = climb.height(runs[0]);
        points[1][2] = climb.height(runs[0] + arc);
        length = arc.hypot(points[1][2] - points[0][2]);
    }
    let points = points.map(|p| vec3::add(mat3::mul_vec(obstacle.mat, p), obstacle.pos));
    Some(Touch { points, length })
}

/// Linear interpolation of the height along a cylinder's axis over the length of the path in the plane.
struct Climb {
    from: f64,
    rise: f64,
    run: f64,
}

impl Climb {
    fn height(&self, run: f64) -> f64 {
        self.from + self.rise * run / self.run
    }
}

/// Axes of the plane through the centre and both ends, the first towards the first end. If the ends are collinear with
/// the centre the plane is undetermined; the choice made here is MuJoCo's.
fn sphere_plane(ends: &[Vec3; 2]) -> [Vec3; 2] {
    let x = vec3::normalize(ends[0]).0;
    let (mut normal, size) = vec3::normalize(vec3::cross(ends[0], ends[1]));
    if size < MINVAL {
        let [a, b, c] = x.map(f64::abs);
        let largest = if c > a.max(b) { 2 } else { usize::from(b > a.max(c)) };
        let across = std::array::from_fn(|k| if k == largest { 0.0 } else { 1.0 });
        normal = vec3::normalize(vec3::cross(x, across)).0;
    }
    [x, vec3::normalize(vec3::cross(normal, x)).0]
}
