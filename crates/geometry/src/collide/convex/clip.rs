//! Overlap of two polygons on nearly the same plane.

use crate::collide::MAX_CONTACTS;
use sinew_math::{MINVAL, Vec3, vec3};

/// Most sides of a polygon.
pub(super) const MAX_SIDES: usize = 150;

/// Buffers of polygons.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    /// Faces or edges that may touch, of both shapes.
    pub a: super::feature::Features,
    pub b: super::feature::Features,
    /// The polygon that clips.
    pub clipper: Vec<Vec3>,
    /// The polygon that is clipped, corner after corner.
    pub polygon: Vec<Vec3>,
    clipped: Vec<Vec3>,
}

impl Clip {
    pub fn new() -> Self {
        Clip {
            a: super::feature::Features::new(),
            b: super::feature::Features::new(),
            clipper: Vec::with_capacity(MAX_SIDES),
            polygon: Vec::with_capacity(2 * MAX_SIDES),
            clipped: Vec::with_capacity(2 * MAX_SIDES),
        }
    }

    /// Replaces the points by the corners of the overlap, each with its counterpart `dir` before it, and at most
    /// `most` of them; keeps them as they are if nothing overlaps.
    pub fn overlap(&mut self, normal: Vec3, dir: Vec3, most: usize, points: &mut Vec<[Vec3; 2]>) {
        if self.clipper.len() < 3 {
            return;
        }
        for i in 0..self.clipper.len() {
            let (from, to) = (self.clipper[i], self.clipper[(i + 1) % self.clipper.len()]);
            self.cut(from, to, normal);
        }
        if self.polygon.is_empty() {
            return;
        }
        points.clear();
        let pair = |&at: &Vec3| [vec3::sub(at, dir), at];
        if most < 5 && self.polygon.len() > 4 {
            points.extend(quad(&self.polygon).map(|i| pair(&self.polygon[i])));
        } else if self.polygon.len() > MAX_CONTACTS {
            points.extend(self.polygon[..MAX_CONTACTS].iter().map(pair));
        } else {
            for at in &self.polygon {
                let same = |p: &[Vec3; 2]| (0..3).all(|i| (p[1][i] - at[i]).abs() < MINVAL);
                if !points.iter().any(same) {
                    points.push(pair(at));
                }
            }
        }
    }

    /// Keeps the part of the polygon on the inner side of one side of the clipper.
    fn cut(&mut self, from: Vec3, to: Vec3, normal: Vec3) {
        let inward = vec3::cross(vec3::sub(to, from), vec3::sub(vec3::add(from, normal), from));
        let offset = vec3::dot(inward, from);
        let inside = |p: Vec3| vec3::dot(vec3::sub(p, from), inward) > -MINVAL;
        self.clipped.clear();
        for i in 0..self.polygon.len() {
            let (p, q) = (self.polygon[i], self.polygon[(i + 1) % self.polygon.len()]);
            let (p_in, q_in) = (inside(p), inside(q));
            if p_in != q_in {
                let way = vec3::sub(q, p);
                let speed = vec3::dot(inward, way);
                let t = (offset - vec3::dot(inward, p)) / speed;
                if speed != 0.0 && (0.0..=1.0).contains(&t) {
                    self.clipped.push(vec3::add_scaled(p, way, t));
                }
            }
            if q_in {
                self.clipped.push(q);
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.clipped);
    }
}

/// Corners of a large quadrilateral within a convex polygon of at least four corners: each corner moves on while
/// that enlarges the area.
fn quad(polygon: &[Vec3]) -> [usize; 4] {
    let next = |i: usize| if i + 1 == polygon.len() { 0 } else { i + 1 };
    let area = |a: usize, b: usize, c: usize, d: usize| {
        let [a, b, c, d] = [a, b, c, d].map(|i| polygon[i]);
        let one = vec3::cross(vec3::sub(d, a), vec3::sub(b, d));
        let other = vec3::cross(vec3::sub(c, b), vec3::sub(a, c));
        0.5 * vec3::norm(vec3::add(one, other))
    };
    let (mut b, mut c, mut d) = (1, 2, 3);
    let mut best = [0, 1, 2, 3];
    let mut most = area(0, 1, 2, 3);
    for a in 0..polygon.len() {
        loop {
            let m = area(a, b, c, next(d));
            if m > most {
                (most, d) = (m, next(d));
                best = [a, b, c, d];
            } else {
                break;
            }
            loop {
                let m = area(a, b, next(c), d);
                if m > most {
                    (most, c) = (m, next(c));
                    best = [a, b, c, d];
                } else {
                    break;
                }
            }
            loop {
                let m = area(a, next(b), c, d);
                if m > most {
                    (most, b) = (m, next(b));
                    best = [a, b, c, d];
                } else {
                    break;
                }
            }
        }
        if b == a {
            b = next(b);
            if c == b {
                c = next(c);
                if d == c {
                    d = next(d);
                }
            }
        }
    }
    best
}
