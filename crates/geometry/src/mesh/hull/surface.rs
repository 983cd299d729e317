//! The surface of a growing hull: triangles, and the faces that coplanar triangles form.

use super::grid::Plane;

/// No triangle, face or point.
pub(super) const NONE: u32 = u32::MAX;

/// A triangle of the surface. Its edges are numbered 3 × triangle + opposite corner.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Points, counter-clockwise seen from outside, the oldest last.
    pub corner: [u32; 3],
    /// Neighbour across the edge opposite each corner.
    pub across: [u32; 3],
    /// The face that contains it.
    pub face: u32,
    /// The next triangle of the face.
    pub next: u32,
}

/// Coplanar triangles connected by edges.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub plane: Plane,
    /// Whether it is still part of the surface.
    pub live: bool,
    /// First and last triangle.
    pub triangles: [u32; 2],
    /// Own edges towards other faces, in the order in which they were listed: all edges of a face of several triangles, those
    /// towards such faces of a single triangle.
    pub border: Vec<u32>,
    /// Index of its current entry in `Surface::order`.
    pub slot: usize,
    /// The farthest of the points that wait here.
    pub farthest: u32,
    /// Height of the farthest point.
    pub height: f64,
    /// First and last of the other waiting points, a linked list in the order in which they stopped being farthest.
    pub others: [u32; 2],
}

/// A closed convex surface.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Triangles, including those of dead faces.
    pub triangles: Vec<Triangle>,
    /// Faces, including dead ones.
    pub faces: Vec<Face>,
    /// Faces from oldest to newest; a face that grows moves to the end and leaves an outdated entry behind.
    pub order: Vec<u32>,
    /// Points that were added: the first four from last to first, then the others. Some may be inside the surface by
    /// now.
    pub taken: Vec<u32>,
    /// When each point was added, counted from 1; 0 for points not added.
    pub age: Vec<u32>,
    /// When each point last became a corner of a new or growing face.
    pub touched: Vec<u64>,
    /// Faces around each point, in the order in which they were listed, once two faces have been joined; empty before.
    pub stars: Vec<Vec<u32>>,
}

impl Surface {
    /// Adds a triangle as a face of its own.
    pub fn add(&mut self, corner: [u32; 3], across: [u32; 3], plane: Plane) {
        let (triangle, face) = (self.triangles.len() as u32, self.faces.len() as u32);
        self.triangles.push(Triangle { corner, across, face, next: NONE });
        self.faces.push(Face {
            plane,
            live: true,
            triangles: [triangle; 2],
            border: Vec::new(),
            slot: self.order.len(),
            farthest: NONE,
            height: 0.0,
            others: [NONE; 2],
        });
        self.order.push(face);
    }

    pub fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    pub fn face_mut(&mut self, face: u32) -> &mut Face {
        &mut self.faces[face as usize]
    }

    pub fn triangle(&self, triangle: u32) -> &Triangle {
        &self.triangles[triangle as usize]
    }

    /// The face that contains a triangle.
    pub fn face_of(&self, triangle: u32) -> &Face {
        self.face(self.triangle(triangle).face)
    }

    /// The face at an entry of `order`, unless the entry is outdated or the face dead.
    pub fn at_slot(&self, slot: usize) -> Option<u32> {
        let number = self.order[slot];
        Some(number).filter(|_| self.face(number).live && self.face(number).slot == slot)
    }

    /// Live faces from oldest to newest.
    pub fn ordered(&self) -> impl Iterator<Item = u32> {
        (0..self.order.len()).filter_map(|slot| self.at_slot(slot))
    }

    /// Triangles of a face.
    pub fn parts(&self, face: u32) -> impl Iterator<Item = u32> {
        let following = |&t: &u32| Some(self.triangle(t).next).filter(|&next| next != NONE);
        std::iter::successors(Some(self.face(face).triangles[0]), following)
    }

    /// Corners of the triangles of a face, each once, from newest to oldest.
    pub fn corners(&self, face: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.parts(face).flat_map(|t| self.triangle(t).corner).collect();
        all.sort_unstable_by_key(|&i| std::cmp::Reverse(self.age[i as usize]));
        all.dedup();
        all
    }

    /// Whether a face is a single triangle.
    pub fn is_single(&self, face: u32) -> bool {
        let [first, last] = self.face(face).triangles;
        first == last
    }

    /// Edges of a single triangle; the one opposite the newest corner first.
    pub fn own_edges(&self, face: u32) -> [u32; 3] {
        let part = self.face(face).triangles[0];
        let [a, b, _] = self.triangle(part).corner;
        let first = if self.age[a as usize] < self.age[b as usize] { [1, 0, 2] } else { [0, 1, 2] };
        first.map(|k| 3 * part + k)
    }

    /// Start point of an edge.
    pub fn begin(&self, edge: u32) -> u32 {
        self.triangle(edge / 3).corner[(edge as usize % 3 + 1) % 3]
    }

    /// The triangle across an edge.
    pub fn across(&self, edge: u32) -> u32 {
        self.triangle(edge / 3).across[edge as usize % 3]
    }

    /// The face across an edge.
    pub fn face_across(&self, edge: u32) -> u32 {
        self.triangle(self.across(edge)).face
    }

    /// The same edge seen from the triangle across it.
    pub fn mirror(&self, edge: u32) -> u32 {
        let across = self.across(edge);
        let back = self.triangle(across).across.iter().position(|&t| t == edge / 3);
        3 * across + back.unwrap_or(0) as u32
    }
}
