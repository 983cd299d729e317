//! Rays against curved shapes given by quadratic equations.

use super::{Frame, Hit, Ray, nearer};
use sinew_math::{MINVAL, Vec3, mat3, vec3};

/// Real roots of `a x² + 2 b x + c`, the smaller first; none unless `a` is positive.
#[inline]
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let det = b * b - a * c;
    if det < 0.0 || a < MINVAL {
        return None;
    }
    let det = det.sqrt();
    Some([(-b - det) / a, (-b + det) / a])
}

/// The smallest non-negative root.
#[inline]
fn first(roots: Option<[f64; 2]>) -> Option<f64> {
    roots?.into_iter().find(|x| *x >= 0.0)
}

/// Where a line crosses the sphere of squared radius `square`; `away` is the line's origin relative to the centre.
#[inline]
fn sphere_roots(away: Vec3, dir: Vec3, square: f64) -> Option<[f64; 2]> {
    roots(vec3::dot(dir, dir), vec3::dot(dir, away), vec3::dot(away, away) - square)
}

/// Where a line crosses the infinite cylinder about z.
#[inline]
fn side_root(local: Ray, radius: f64) -> Option<f64> {
    let ([px, py, _], [vx, vy, _]) = (local.origin, local.dir);
    first(roots(vx * vx + vy * vy, vx * px + vy * py, px * px + py * py - radius * radius))
}

/// Whether a ray meets the sphere of squared radius `square`: it starts inside, or it approaches and does not pass by.
#[inline]
pub fn passes_sphere(center: Vec3, square: f64, ray: Ray) -> bool {
    let away = vec3::sub(ray.origin, center);
    let (a, b, c) = (vec3::dot(ray.dir, ray.dir), vec3::dot(ray.dir, away), vec3::dot(away, away) - square);
    a >= MINVAL && (c <= 0.0 || b < 0.0 && b * b >= a * c)
}

/// Ray against a sphere.
pub fn sphere(center: Vec3, radius: f64, ray: Ray) -> Option<Hit> {
    let dist = first(sphere_roots(vec3::sub(ray.origin, center), ray.dir, radius * radius))?;
    Some(Hit { dist, normal: vec3::normalize(vec3::sub(ray.at(dist), center)).0 })
}

/// Ray against a capsule along z; `size` is the radius and the half-length of the straight part.
pub fn capsule(frame: Frame, size: Vec3, ray: Ray) -> Option<Hit> {
    let [radius, half, _] = size;
    let reach = radius + half;
    if !passes_sphere(frame.pos, reach * reach, ray) {
        return None;
    }
    let local = ray.seen_from(frame);
    let height = |x: f64| local.origin[2] + x * local.dir[2];
    // distance, and which part: −1 or 1 for the ends, 0 for the straight part
    let mut best = side_root(local, radius).filter(|x| height(*x).abs() <= half).map(|x| (x, 0.0));
    for end in [1.0, -1.0] {
        let [px, py, pz] = local.origin;
        let away = [px, py, pz - end * half];
        for x in sphere_roots(away, local.dir, radius * radius).into_iter().flatten() {
            let beyond = if end > 0.0 { height(x) >= half } else { height(x) <= -half };
            if beyond && nearer(x, best.map(|b| b.0)) {
                best = Some((x, end));
            }
        }
    }
    let (dist, end) = best?;
    let [x, y, z] = local.at(dist);
    let out = [x, y, if end == 0.0 { 0.0 } else { z - half * end }];
    Some(Hit { dist, normal: mat3::mul_vec(frame.mat, vec3::normalize(out).0) })
}

/// Ray against an ellipsoid with half-axes `size`.
pub fn ellipsoid(frame: Frame, size: Vec3, ray: Ray) -> Option<Hit> {
    let local = ray.seen_from(frame);
    let s = size.map(|r| 1.0 / (r * r));
    let form = |u: Vec3, v: Vec3| s[0] * u[0] * v[0] + s[1] * u[1] * v[1] + s[2] * u[2] * v[2];
    let (p, v) = (local.origin, local.dir);
    let dist = first(roots(form(v, v), form(v, p), form(p, p) - 1.0))?;
    let at = local.at(dist);
    let gradient = [s[0] * at[0], s[1] * at[1], s[2] * at[2]];
    Some(Hit { dist, normal: mat3::mul_vec(frame.mat, vec3::normalize(gradient).0) })
}

/// Ray against a cylinder along z; `size` is radius and half-length.
pub fn cylinder(frame: Frame, size: Vec3, ray: Ray) -> Option<Hit> {
    let [radius, half, _] = size;
    if !passes_sphere(frame.pos, radius * radius + half * half, ray) {
        return None;
    }
    let local = ray.seen_from(frame);
    let (p, v) = (local.origin, local.dir);
    // distance, and which part: −1 or 1 for the ends, 0 for the round side
    let mut best: Option<(f64, f64)> = None;
    if v[2].abs() > MINVAL {
        for end in [-1.0, 1.0] {
            let dist = (end * half - p[2]) / v[2];
            let (x, y) = (p[0] + dist * v[0], p[1] + dist * v[1]);
            if x * x + y * y <= radius * radius && nearer(dist, best.map(|b| b.0)) {
                best = Some((dist, end));
            }
        }
    }
    if let Some(x) = side_root(local, radius)
        && (p[2] + x * v[2]).abs() <= half
        && nearer(x, best.map(|b| b.0))
    {
        best = Some((x, 0.0));
    }
    let (dist, end) = best?;
    let out = if end == 0.0 {
        let [x, y, _] = local.at(dist);
        vec3::normalize([x, y, 0.0]).0
    } else {
        [0.0, 0.0, end]
    };
    Some(Hit { dist, normal: mat3::mul_vec(frame.mat, out) })
}
