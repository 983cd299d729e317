//! A growing polytope around the origin, made of triangles.

use super::simplex::project_on_plane;
use super::support::{Ends, Vertex};
use sinew_math::{MINVAL, Vec3, vec3};

/// Iterations that there is always room for.
const MIN_ITERATIONS: usize = 170;

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face {
    /// Its corners.
    pub verts: [u32; 3],
    /// Faces beyond the sides from each corner to the next.
    pub adj: [u32; 3],
    /// The origin projected onto its plane; also its normal.
    pub normal: Vec3,
    /// Square of its distance to the origin.
    pub square: f64,
    /// Whether it may still be the nearest, and where that is listed.
    pub state: State,
}

impl Face {
    /// The side that begins at a vertex.
    #[inline(always)]
    fn side(&self, vert: u32) -> u8 {
        if self.verts[0] == vert {
            0
        } else if self.verts[1] == vert {
            1
        } else {
            2
        }
    }
}

/// Where a face stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// On the polytope, but not a candidate for the nearest face.
    #[default]
    Kept,
    /// Candidate at this place of the list.
    Candidate(u32),
    /// No longer on the polytope.
    Gone,
}

/// Vertices, faces and candidates. Buffers are kept from one pair to the next.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    /// Where the vertices are.
    at: Vec<Vec3>,
    /// What they are differences of.
    pub(super) ends: Vec<Ends>,
    pub(super) faces: Vec<Face>,
    /// Faces that may be the nearest, with the squares of their distances.
    pub(super) candidates: Vec<(f64, u32)>,
    /// Sides of faces around the part seen from a new vertex.
    pub(super) horizon: Vec<(u32, u8)>,
    /// Sides still to be looked behind in the search for the horizon.
    stack: Vec<(u32, u8)>,
    max_faces: usize,
}

impl Polytope {
    /// Room for a number of iterations.
    pub(super) fn new(iterations: usize) -> Self {
        let mut p = Polytope::default();
        p.reserve(iterations);
        p
    }

    /// Empties it and makes room; allocates only if the number of iterations grew.
    pub(super) fn reserve(&mut self, iterations: usize) {
        let n = iterations.max(MIN_ITERATIONS);
        self.clear();
        self.max_faces = n.saturating_mul(6);
        // beyond this, room is made when it is needed
        let room = n.min(10_000);
        self.at.reserve(5 + room);
        self.ends.reserve(5 + room);
        self.faces.reserve(6 * room);
        self.candidates.reserve(6 * room);
        self.horizon.reserve(6 + room);
        self.stack.reserve(12 * room);
    }

    pub(super) fn clear(&mut self) {
        self.at.clear();
        self.ends.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, vertex: Vertex) -> u32 {
        self.at.push(vertex.at);
        self.ends.push(vertex.ends);
        self.at.len() as u32 - 1
    }

    #[inline(always)]
    pub(super) fn at(&self, vert: u32) -> Vec3 {
        self.at[vert as usize]
    }

    pub(super) fn vertex(&self, vert: u32) -> Vertex {
        Vertex { at: self.at(vert), ends: self.ends[vert as usize] }
    }

    /// Faces that there is still room for.
    #[inline]
    pub(super) fn room(&self) -> usize {
        self.max_faces.saturating_sub(self.faces.len())
    }

    /// Adds a face and returns the square of its distance to the origin, which is 0 if it has no plane.
    #[inline(always)]
    pub(super) fn attach(&mut self, verts: [u32; 3], adj: [u32; 3]) -> f64 {
        let [v1, v2, v3] = verts.map(|v| self.at(v));
        let (normal, square) = match project_on_plane(v3, v2, v1) {
            Some(normal) => (normal, vec3::dot(normal, normal)),
            None => ([0.0; 3], 0.0),
        };
        self.faces.push(Face { verts, adj, normal, square, state: State::Kept });
        square
    }

    /// Lists a face as a candidate for the nearest.
    #[inline]
    pub(super) fn list(&mut self, face: usize) {
        self.faces[face].state = State::Candidate(self.candidates.len() as u32);
        self.candidates.push((self.faces[face].square, face as u32));
    }

    /// Takes a face off the polytope; the last candidate takes its place.
    #[inline]
    fn delete(&mut self, face: usize) {
        if let State::Candidate(at) = std::mem::replace(&mut self.faces[face].state, State::Gone) {
            self.candidates.swap_remove(at as usize);
            if let Some(&(_, moved)) = self.candidates.get(at as usize) {
                self.faces[moved as usize].state = State::Candidate(at);
            }
        }
    }

    /// Takes off all faces seen from `w`, beginning with one and going on depth first, and records the sides of those
    /// around them.
    pub(super) fn open(&mut self, face: u32, w: Vec3) {
        self.horizon.clear();
        self.delete(face as usize);
        self.stack.clear();
        self.stack.extend([(face, 2), (face, 1), (face, 0)]);
        while let Some((face, side)) = self.stack.pop() {
            let f = &self.faces[face as usize];
            let (beyond, vert) = (f.adj[usize::from(side)], f.verts[after(side)]);
            let f = &self.faces[beyond as usize];
            if f.state == State::Gone {
                continue;
            }
            let side = f.side(vert);
            if vec3::dot(f.normal, w) - f.square > MINVAL {
                self.delete(beyond as usize);
                let next = after(side) as u8;
                self.stack.extend([(beyond, after(next) as u8), (beyond, next)]);
            } else {
                self.horizon.push((beyond, side));
            }
        }
    }
}

/// The corner of a triangle after another.
#[inline(always)]
pub(super) fn after(corner: u8) -> usize {
    if corner == 2 { 0 } else { usize::from(corner) + 1 }
}
