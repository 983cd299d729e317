//! A growing convex polytope around the origin, made of triangles.
//!
//! Triangles and their sides are indexed: side `4f + k` of triangle `f` runs from its corner `k` to the next. Each side
//! has a twin, the same edge seen from the neighbouring triangle, which runs the other way.

use super::simplex::foot;
use super::support::{Ends, Vertex};
use sinew_math::{MINVAL, Vec3, vec3};

/// Capacity is reserved for at least this many iterations.
const MIN_ITERATIONS: usize = 170;
/// Capacity is reserved in advance for at most this many iterations.
const MAX_RESERVED: usize = 10_000;
/// `place` of triangles that are not candidates.
const NOWHERE: u32 = u32::MAX;

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    corners: [u32; 3],
    /// Twins of its sides.
    twin: [u32; 3],
    /// The origin projected onto the triangle's plane; also the plane's normal.
    pub foot: Vec3,
    /// Squared distance of the plane to the origin.
    pub square: f64,
    /// Index among the candidates.
    place: u32,
    /// Whether it is still part of the surface.
    present: bool,
}

/// The polytope. Buffers are reused from one pair to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    at: Vec<Vec3>,
    ends: Vec<Ends>,
    faces: Vec<Face>,
    /// Triangles that may be the nearest, with their squared distances.
    candidates: Vec<(f64, u32)>,
    /// Twins of the sides around the region that a new corner sees, in order.
    rim: Vec<u32>,
    /// Stack of sides still to be crossed.
    ahead: Vec<u32>,
    max_faces: usize,
}

impl Polytope {
    /// Reserves capacity for a number of iterations.
    pub fn new(iterations: usize) -> Self {
        let mut p = Polytope::default();
        p.reserve(iterations);
        p
    }

    /// Clears the polytope and reserves capacity; allocates only if the number of iterations grew.
    pub fn reserve(&mut self, iterations: usize) {
        self.clear();
        let iterations = iterations.max(MIN_ITERATIONS);
        self.max_faces = iterations.saturating_mul(6).min(u32::MAX as usize / 4);
        let iterations = iterations.min(MAX_RESERVED);
        self.at.reserve(5 + iterations);
        self.ends.reserve(5 + iterations);
        self.faces.reserve(6 * iterations);
        self.candidates.reserve(6 * iterations);
        self.rim.reserve(6 * iterations);
        self.ahead.reserve(12 * iterations);
    }

    /// Clears the polytope.
    pub fn clear(&mut self) {
        self.at.clear();
        self.ends.clear();
        self.faces.clear();
        self.candidates.clear();
        self.rim.clear();
        self.ahead.clear();
    }

    #[inline(always)]
    pub fn add_corner(&mut self, vertex: Vertex) -> u32 {
        self.at.push(vertex.at);
        self.ends.push(vertex.ends);
        self.at.len() as u32 - 1
    }

    /// Adds a triangle without neighbours and returns its squared distance to the origin; 0 if the origin is in its
    /// plane, or it is degenerate.
    #[inline(always)]
    pub fn add_face(&mut self, corners: [u32; 3], twin: [u32; 3]) -> f64 {
        let [a, b, c] = corners;
        let foot = foot(self.at[a as usize], self.at[b as usize], self.at[c as usize]).unwrap_or([0.0; 3]);
        let square = vec3::dot(foot, foot);
        self.faces.push(Face { corners, twin, foot, square, place: NOWHERE, present: true });
        square
    }

    /// Pairs all sides that run between the same corners as twins. Used for the initial triangles, which have at most
    /// five corners.
    pub fn sew_all(&mut self) {
        let mut sides = [[0; 5]; 5];
        for (n, face) in self.faces.iter().enumerate() {
            let [a, b, c] = face.corners.map(|i| i as usize);
            let first = 4 * n as u32;
            (sides[a][b], sides[b][c], sides[c][a]) = (first, first + 1, first + 2);
        }
        for face in &mut self.faces {
            let [a, b, c] = face.corners.map(|i| i as usize);
            face.twin = [sides[b][a], sides[c][b], sides[a][c]];
        }
    }

    /// Makes a triangle a candidate for the nearest.
    #[inline]
    pub fn offer(&mut self, face: u32) {
        let f = &mut self.faces[face as usize];
        f.place = self.candidates.len() as u32;
        self.candidates.push((f.square, face));
    }

    /// Makes all triangles candidates.
    pub fn offer_all(&mut self) {
        (0..self.faces.len() as u32).for_each(|face| self.offer(face));
    }

    /// The nearest candidate; the first wins ties.
    #[inline]
    pub fn nearest(&self) -> Option<u32> {
        let mut best = (f64::INFINITY, NOWHERE);
        for &next in &self.candidates {
            if next.0 < best.0 {
                best = next;
            }
        }
        (best.1 != NOWHERE).then_some(best.1)
    }

    pub fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    pub fn at(&self, face: u32) -> [Vec3; 3] {
        self.faces[face as usize].corners.map(|i| self.at[i as usize])
    }

    pub fn ends(&self, face: u32) -> [Ends; 3] {
        self.faces[face as usize].corners.map(|i| self.ends[i as usize])
    }

    pub fn corner(&self, i: u32) -> Vertex {
        Vertex { at: self.at[i as usize], ends: self.ends[i as usize] }
    }

    /// Whether some corner of the polytope comes from these corners of the two shapes.
    pub fn has(&self, corners: [i32; 2]) -> bool {
        self.ends.iter().any(|e| e.corners == corners)
    }

    /// Adds a point beyond a triangle: all triangles that it sees are replaced by a fan around it. Returns the indices
    /// of the fan's triangles, empty if there is no capacity for them; `None` if rounding broke the surface.
    #[inline]
    pub fn take_in(&mut self, face: u32, vertex: Vertex) -> Option<std::ops::Range<u32>> {
        self.uncover(face, vertex.at);
        let (first, count) = (self.faces.len() as u32, self.rim.len() as u32);
        if count < 3 {
            return None;
        }
        if first as usize + count as usize > self.max_faces {
            return Some(first..first);
        }
        let apex = self.add_corner(vertex);
        let last = first + count - 1;
        let mut start = self.ends_of(self.rim[count as usize - 1])[0];
        for new in first..=last {
            let beyond = self.rim[(new - first) as usize];
            let [to, from] = self.ends_of(beyond);
            let (before, after) =
                (if new == first { last } else { new - 1 }, if new == last { first } else { new + 1 });
            // the side from `from` to `to` borders on what stays, the other two on the fan
            if from != start || self.add_face([apex, from, to], [4 * before + 2, beyond, 4 * after]) == 0.0 {
                return None;
            }
            self.faces[beyond as usize / 4].twin[beyond as usize % 4] = 4 * new + 1;
            start = to;
        }
        Some(first..last + 1)
    }

    /// Corners that a side connects.
    #[inline(always)]
    fn ends_of(&self, side: u32) -> [u32; 2] {
        let [a, b, c] = self.faces[side as usize / 4].corners;
        match side % 4 {
            0 => [a, b],
            1 => [b, c],
            _ => [c, a],
        }
    }

    /// Removes the triangles that a point sees, starting from one of them, and lists the sides around them. Depth-first
    /// search across the sides of each triangle in turn yields the rim in order.
    #[inline]
    fn uncover(&mut self, face: u32, w: Vec3) {
        self.rim.clear();
        self.ahead.clear();
        self.remove(face);
        self.ahead.extend([4 * face + 2, 4 * face + 1, 4 * face]);
        while let Some(side) = self.ahead.pop() {
            let twin = self.faces[side as usize / 4].twin[side as usize % 4];
            let beyond = &self.faces[twin as usize / 4];
            if !beyond.present {
                continue;
            }
            if vec3::dot(beyond.foot, w) - beyond.square > MINVAL {
                self.remove(twin / 4);
                let next = after(twin);
                self.ahead.extend([after(next), next]);
            } else {
                self.rim.push(twin);
            }
        }
    }

    /// Removes a triangle from the surface; the last candidate moves into its slot.
    #[inline]
    fn remove(&mut self, face: u32) {
        let f = &mut self.faces[face as usize];
        f.present = false;
        let place = f.place;
        if place != NOWHERE {
            self.candidates.swap_remove(place as usize);
            if let Some(&(_, moved)) = self.candidates.get(place as usize) {
                self.faces[moved as usize].place = place;
            }
        }
    }
}

/// The next side of the same triangle.
#[inline(always)]
fn after(side: u32) -> u32 {
    if side % 4 == 2 { side - 2 } else { side + 1 }
}
