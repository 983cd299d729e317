//! Faces of several triangles: how triangles of a cone join coplanar faces.
//!
//! A face of several triangles lists the edges of its border, and a single triangle those that it shares with such a face. A
//! list is in the order of arrival, except that the last element takes the place of one that leaves. Positions in lists
//! matter: they decide which face a point sees first, and in which order vertices are listed.

use super::grow::Work;
use super::surface::{NONE, Surface};

impl Work<'_> {
    /// Joins triangles of a cone to the face across their rim edge that they are coplanar with.
    pub(super) fn join_horizon(&mut self, point: u32, before: u64) {
        for new in std::mem::take(&mut self.coplanar) {
            let whole = self.surface.face_across(self.rim_edge(new, point));
            let corners = self.surface.corners(whole);
            self.touch_points(&corners, before);
            self.surface.join(self.surface.triangle(new).face, whole);
            self.joins += 1;
        }
    }

    /// Joins triangles of a cone that are coplanar with the triangle beside them.
    pub(super) fn join_neighbors(&mut self, first: usize, point: u32) {
        for new in first as u32..self.surface.triangles.len() as u32 {
            let beside = self.surface.across(3 * new + (self.rim_edge(new, point) + 1) % 3);
            let [whole, part] = [new, beside].map(|t| self.surface.triangle(t).face);
            let plane = &self.surface.face(whole).plane;
            let inside = |&i: &u32| plane.contains(self.grid[i as usize]);
            if whole != part && self.surface.triangle(beside).corner.iter().all(inside) {
                self.surface.join(part, whole);
                self.joins += 1;
            }
        }
    }
}

impl Surface {
    /// Renews the lists where a new triangle lies across an edge of a face: that of the triangle if the face has several
    /// triangles, otherwise that of the face, which may have listed the edge because of a face that is dead now.
    pub(super) fn list_rim(&mut self, face: u32, edge: u32) {
        if self.is_single(face) {
            take_out(&mut self.face_mut(face).border, edge);
        } else {
            let theirs = self.mirror(edge);
            self.face_mut(self.triangle(theirs / 3).face).border.push(theirs);
        }
    }

    /// Lists the remaining edges of a single triangle, on both sides.
    fn list_edges(&mut self, face: u32) {
        if !self.is_single(face) {
            return;
        }
        for edge in self.own_edges(face) {
            if !self.face(face).border.contains(&edge) {
                let (beyond, theirs) = (self.face_across(edge), self.mirror(edge));
                self.face_mut(face).border.push(edge);
                self.face_mut(beyond).border.push(theirs);
            }
        }
    }

    /// Makes a face part of another one beside it. From front to back, edges of the part between the two leave both lists, and
    /// the others become edges of the whole.
    fn join(&mut self, part: u32, whole: u32) {
        self.find_stars();
        for i in self.corners(part) {
            let star = &mut self.stars[i as usize];
            match star.iter().position(|&face| face == part) {
                Some(at) if star.contains(&whole) => _ = star.swap_remove(at),
                Some(at) => star[at] = whole,
                None => {}
            }
        }
        self.list_edges(part);
        self.list_edges(whole);
        let mut edges = std::mem::take(&mut self.face_mut(part).border);
        let mut at = 0;
        while let Some(&edge) = edges.get(at) {
            if self.face_across(edge) == whole {
                let theirs = self.mirror(edge);
                edges.swap_remove(at);
                take_out(&mut self.face_mut(whole).border, theirs);
            } else {
                self.face_mut(whole).border.push(edge);
                at += 1;
            }
        }
        self.move_triangles(part, whole);
    }

    /// Moves the triangles of a face to another, which becomes the newest.
    fn move_triangles(&mut self, part: u32, whole: u32) {
        let [first, last] = self.face(part).triangles;
        self.face_mut(part).live = false;
        let mut at = first;
        while at != NONE {
            let triangle = &mut self.triangles[at as usize];
            triangle.face = whole;
            at = triangle.next;
        }
        let end = self.face(whole).triangles[1];
        self.triangles[end as usize].next = first;
        let slot = self.order.len();
        let face = self.face_mut(whole);
        (face.triangles[1], face.slot) = (last, slot);
        self.order.push(whole);
    }

    /// Finds the faces around all points, before two faces are joined for the first time.
    fn find_stars(&mut self) {
        if !self.stars.is_empty() {
            return;
        }
        let mut stars = vec![Vec::new(); self.age.len()];
        for face in self.ordered() {
            for part in self.parts(face) {
                self.triangle(part).corner.iter().for_each(|&i| stars[i as usize].push(face));
            }
        }
        self.stars = stars;
    }

    /// Replaces dead faces around the points of a cone by those of the cone.
    pub(super) fn renew_stars(&mut self, first: usize) {
        let Surface { triangles, faces, stars, .. } = self;
        if stars.is_empty() {
            return;
        }
        for i in triangles[first..].iter().flat_map(|triangle| triangle.corner) {
            let star = &mut stars[i as usize];
            let mut at = 0;
            while let Some(&face) = star.get(at) {
                if faces[face as usize].live {
                    at += 1;
                } else {
                    star.swap_remove(at);
                }
            }
        }
        for triangle in &triangles[first..] {
            triangle.corner.iter().for_each(|&i| stars[i as usize].push(triangle.face));
        }
    }
}

/// Removes an element; the last one takes its place.
fn take_out(list: &mut Vec<u32>, x: u32) {
    if let Some(at) = list.iter().position(|&y| y == x) {
        list.swap_remove(at);
    }
}
