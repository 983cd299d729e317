//! Shortest paths around spheres and cylinders.
//!
//! Both reduce to a circle in a plane: the plane through the ends and the centre of a sphere, or the
//! plane across a cylinder's axis, where the path then rises evenly (a helix).

use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};
use std::f64::consts::PI;

type Vec2 = [f64; 2];

/// What a tendon may wrap around, in the world.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// Centre.
    pub pos: Vec3,
    /// Axes as columns; a cylinder lies along the third.
    pub mat: &'a Mat3,
    /// Radius.
    pub radius: f64,
    /// Sphere if not a cylinder.
    pub cylinder: bool,
}

/// The part of a path that touches an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Where the path meets and leaves the surface.
    pub points: [Vec3; 2],
    /// Length on the surface between them.
    pub length: f64,
}

/// Path from `x0` to `x1` around an obstacle, on the side of `side` if given; a side point inside the
/// obstacle makes the path touch it from within. `None` if the straight path is free.
#[doc(alias = "mju_wrap")]
pub fn wrap(x0: Vec3, x1: Vec3, obstacle: &Obstacle, side: Option<Vec3>) -> Option<Touch> {
    let local = |x: Vec3| mat3::mul_vec_t(obstacle.mat, vec3::sub(x, obstacle.pos));
    let ends = [local(x0), local(x1)];
    if ends.iter().any(|&p| vec3::norm(p) < MINVAL) {
        return None;
    }
    let axes = if obstacle.cylinder { [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] } else { sphere_plane(&ends) };
    let project = |p: Vec3| -> Vec2 { [vec3::dot(p, axes[0]), vec3::dot(p, axes[1])] };
    let flat = ends.map(project);
    let side = side.map(local);
    let radius = obstacle.radius;
    let (touch, mut length) = match side {
        Some(s) if vec3::norm(s) < radius => (touch_inside(flat, radius)?, 0.0),
        _ => wrap_circle(flat, side.map(|s| scale(normalize(project(s)).0, radius)), radius)?,
    };
    let mut points = touch.map(|p| vec3::add(vec3::scale(axes[0], p[0]), vec3::scale(axes[1], p[1])));
    if obstacle.cylinder {
        let run = |k: usize| {
            let (dx, dy) = (ends[k][0] - points[k][0], ends[k][1] - points[k][1]);
            (dx * dx + dy * dy).sqrt()
        };
        let (run0, run1) = (run(0), run(1));
        let rise = ends[1][2] - ends[0][2];
        let total = run0 + length + run1;
        points[0][2] = ends[0][2] + rise * run0 / total;
        points[1][2] = ends[0][2] + rise * (run0 + length) / total;
        let height = (points[1][2] - points[0][2]).abs();
        length = (length * length + height * height).sqrt();
    }
    let points = points.map(|p| vec3::add(mat3::mul_vec(obstacle.mat, p), obstacle.pos));
    Some(Touch { points, length })
}

/// Axes of the plane through the centre and both ends, the first towards the first end.
fn sphere_plane(ends: &[Vec3; 2]) -> [Vec3; 2] {
    let x = vec3::normalize(ends[0]).0;
    let (mut normal, size) = vec3::normalize(vec3::cross(ends[0], ends[1]));
    if size < MINVAL {
        // ends and centre on a line: any plane through it, away from the largest component
        let [a, b, c] = x.map(f64::abs);
        let largest = if c > a && c > b {
            2
        } else if b > a && b > c {
            1
        } else {
            0
        };
        let mut other = [1.0; 3];
        other[largest] = 0.0;
        normal = vec3::normalize(vec3::cross(x, other)).0;
    }
    [x, vec3::normalize(vec3::cross(normal, x)).0]
}

#[inline(always)]
fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
fn sub(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn scale(a: Vec2, s: f64) -> Vec2 {
    [a[0] * s, a[1] * s]
}

#[inline(always)]
fn normalize(a: Vec2) -> (Vec2, f64) {
    let n = dot(a, a).sqrt();
    if n < MINVAL { ([1.0, 0.0], n) } else { (scale(a, 1.0 / n), n) }
}

/// Whether two segments cross.
fn crosses(p1: Vec2, p2: Vec2, p3: Vec2, p4: Vec2) -> bool {
    let (u, v, w) = (sub(p2, p1), sub(p4, p3), sub(p1, p3));
    let det = v[1] * u[0] - v[0] * u[1];
    if det.abs() < MINVAL {
        return false;
    }
    let a = (v[0] * w[1] - v[1] * w[0]) / det;
    let b = (u[0] * w[1] - u[1] * w[0]) / det;
    (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b)
}

/// Tangent points and arc length of the shortest path around a circle about the origin.
fn wrap_circle(ends: [Vec2; 2], side: Option<Vec2>, radius: f64) -> Option<([Vec2; 2], f64)> {
    let sq = ends.map(|p| dot(p, p));
    let sqrad = radius * radius;
    if sq[0] < sqrad || sq[1] < sqrad || radius < MINVAL {
        return None;
    }
    let dif = sub(ends[1], ends[0]);
    let dd = dot(dif, dif);
    if dd < MINVAL {
        return None;
    }
    let a = (-dot(dif, ends[0]) / dd).clamp(0.0, 1.0);
    let nearest = [a * dif[0] + ends[0][0], a * dif[1] + ends[0][1]];
    if dot(nearest, nearest) > sqrad && side.is_none_or(|s| dot(s, nearest) >= 0.0) {
        return None;
    }
    let tangent = |k: usize, sign: f64| -> Vec2 {
        let [x, y] = ends[k];
        let root = (sq[k] - sqrad).sqrt();
        [(x * sqrad + sign * radius * y * root) / sq[k], (y * sqrad - sign * radius * x * root) / sq[k]]
    };
    // one way round, then the other
    let ways = [1.0, -1.0].map(|sign| [tangent(0, sign), tangent(1, -sign)]);
    let merit = ways.map(|[p, q]| {
        if crosses(ends[0], p, ends[1], q) {
            return -10000.0;
        }
        match side {
            Some(s) => dot(normalize([p[0] + q[0], p[1] + q[1]]).0, s),
            None => -dot(sub(p, q), sub(p, q)),
        }
    });
    let way = if merit[0] > merit[1] { 0 } else { 1 };
    let [p, q] = ways[way];
    if crosses(ends[0], p, ends[1], q) {
        return None;
    }
    Some(([p, q], arc_length(p, q, way == 1, radius)))
}

/// Arc from `p` to `q`, clockwise or counterclockwise.
fn arc_length(p: Vec2, q: Vec2, reverse: bool, radius: f64) -> f64 {
    let mut angle = dot(normalize(p).0, normalize(q).0).acos();
    let cross = p[1] * q[0] - p[0] * q[1];
    if (cross > 0.0 && reverse) || (cross < 0.0 && !reverse) {
        angle = 2.0 * PI - angle;
    }
    radius * angle
}

/// The point where a path held inside a circle touches it, twice; `None` if it does not touch.
///
/// Newton's method on `asin(Az) + asin(Bz) − 2 asin(z) + G = 0`: equal angles of incidence and
/// reflection at the touching point. Where it fails, the point midway between the ends stands in.
fn touch_inside(ends: [Vec2; 2], radius: f64) -> Option<[Vec2; 2]> {
    let len = ends.map(|p| dot(p, p).sqrt());
    let dif = sub(ends[1], ends[0]);
    let dd = dot(dif, dif);
    if len.iter().any(|&l| l <= radius || l < MINVAL) || radius < MINVAL {
        return None;
    }
    if dd > MINVAL {
        let a = -dot(dif, ends[0]) / dd;
        let nearest = [ends[0][0] + a * dif[0], ends[0][1] + a * dif[1]];
        if a > 0.0 && a < 1.0 && dot(nearest, nearest).sqrt() <= radius {
            return None;
        }
    }
    let mean = [0.5 * (ends[0][0] + ends[1][0]), 0.5 * (ends[0][1] + ends[1][1])];
    let midway = scale(normalize(mean).0, radius);
    let cos_gap = (len[0] * len[0] + len[1] * len[1] - dd) / (2.0 * len[0] * len[1]);
    if cos_gap < -1.0 + MINVAL {
        return None;
    }
    if cos_gap > 1.0 - MINVAL {
        return Some([midway; 2]);
    }
    let ratio = len.map(|l| radius / l);
    let Some(z) = incidence(ratio, cos_gap.acos()) else {
        return Some([midway; 2]);
    };
    let k = if ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0] > 0.0 { 0 } else { 1 };
    let angle = z.asin() - (ratio[k] * z).asin();
    let v = normalize(ends[k]).0;
    let (sin, cos) = angle.sin_cos();
    Some([[radius * (cos * v[0] - sin * v[1]), radius * (sin * v[0] + cos * v[1])]; 2])
}

/// Sine of the angle of incidence at the touching point.
fn incidence([a, b]: [f64; 2], gap: f64) -> Option<f64> {
    const TOLERANCE: f64 = 1e-6;
    let excess = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + gap;
    let mut z = 1.0 - 1e-7;
    let mut f = excess(z);
    if f > 0.0 {
        return None;
    }
    for _ in 0..20 {
        if f.abs() <= TOLERANCE {
            return Some(z);
        }
        let slope = |r: f64| r / (1.0 - z * z * r * r).sqrt().max(MINVAL);
        let df = slope(a) + slope(b) - 2.0 / (1.0 - z * z).sqrt().max(MINVAL);
        if df > -MINVAL {
            return None;
        }
        let next = z - f / df;
        if next > z {
            return None;
        }
        z = next;
        f = excess(z);
        if f > TOLERANCE {
            return None;
        }
    }
    None
}
