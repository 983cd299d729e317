//! Faces of several triangles: how triangles of a cone join coplanar faces.
//!
//! Positions in lists matter, because they decide which face a point sees first and in which order vertices are listed.
//! Removing an element moves the last one into its place, unless several are removed at once.

use super::grow::Work;
use super::surface::{NONE, Surface};

impl Work<'_> {
    /// Joins triangles of a cone to the face across their rim edge that they are coplanar with, group by group.
    pub(super) fn join_horizon(&mut self, groups: &[Vec<u32>], point: u32, before: u64) {
        for group in groups {
            let whole = self.surface.face_across(self.rim_edge(group[0], point));
            let corners = self.surface.corners(whole);
            self.touch_points(&corners, before);
            let parts: Vec<u32> = group.iter().map(|&t| self.surface.triangle(t).face).collect();
            match parts[..] {
                [part] => self.surface.join(part, whole),
                _ => self.surface.join_all(&parts, whole),
            }
        }
        self.joins += groups.len();
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
    /// Lists all edges and neighbours of a face, which is no longer simplicial from then on.
    fn list_ridges(&mut self, face: u32) {
        if !self.face(face).simplicial {
            return;
        }
        let edges = self.own_edges(face);
        self.face_mut(face).neighbors = edges.map(|edge| self.face_across(edge)).to_vec();
        self.face_mut(face).simplicial = false;
        for edge in edges {
            if !self.face(face).ridges.contains(&edge) {
                self.add_ridge(edge);
            }
        }
    }

    /// Lists an edge at the faces on both sides.
    fn add_ridge(&mut self, edge: u32) {
        for side in [edge, self.mirror(edge)] {
            let face = self.triangle(side / 3).face;
            self.face_mut(face).ridges.push(side);
        }
    }

    /// Puts a new triangle in place of a dead neighbour across a ridge; `again` if another ridge to the dead neighbour was
    /// replaced before.
    pub(super) fn replace_neighbor(&mut self, face: u32, [dead, new]: [u32; 2], ridge: u32, again: bool) {
        if self.face(face).simplicial {
            remove(&mut self.face_mut(face).ridges, ridge);
            return;
        }
        if again {
            self.face_mut(face).neighbors.push(new);
        } else {
            replace(&mut self.face_mut(face).neighbors, dead, new);
        }
        let own = self.mirror(ridge);
        self.face_mut(new).ridges.push(own);
    }

    /// Makes a face part of another one beside it.
    fn join(&mut self, part: u32, whole: u32) {
        self.list_ridges(part);
        self.list_ridges(whole);
        self.find_stars();
        for i in self.corners(part) {
            let star = &mut self.stars[i as usize];
            if star.contains(&whole) { remove(star, part) } else { replace(star, part, whole) }
        }
        let mut ridges = std::mem::take(&mut self.face_mut(part).ridges);
        let mut at = 0;
        while let Some(&edge) = ridges.get(at) {
            let other = self.face_across(edge);
            if other == whole {
                let theirs = self.mirror(edge);
                ridges.swap_remove(at);
                remove(&mut self.face_mut(whole).ridges, theirs);
                remove(&mut self.face_mut(whole).neighbors, part);
                continue;
            }
            at += 1;
            self.face_mut(whole).ridges.push(edge);
            if self.face(whole).neighbors.contains(&other) {
                self.list_ridges(other);
                let list = &mut self.face_mut(other).neighbors;
                if list.first() == Some(&part) {
                    remove(list, whole);
                    replace(list, part, whole);
                } else {
                    remove(list, part);
                }
            } else {
                self.face_mut(whole).neighbors.push(other);
                replace(&mut self.face_mut(other).neighbors, part, whole);
            }
        }
        self.move_triangles(part, whole);
    }

    /// Makes several simplicial faces part of one that is beside them all, the last one first.
    fn join_all(&mut self, parts: &[u32], whole: u32) {
        self.list_ridges(whole);
        self.find_stars();
        let mut corners: Vec<u32> = parts.iter().flat_map(|&part| self.corners(part)).collect();
        corners.sort_unstable();
        corners.dedup();
        for i in corners {
            let star = &mut self.stars[i as usize];
            star.retain(|face| *face != whole && !parts.contains(face));
            star.push(whole);
        }
        self.face_mut(whole).neighbors.retain(|face| !parts.contains(face));
        for &part in parts.iter().rev() {
            self.join_neighbors_of(part, parts, whole);
        }
        let mut ridges = std::mem::take(&mut self.face_mut(whole).ridges);
        ridges.retain(|&edge| !parts.contains(&self.face_across(edge)));
        self.face_mut(whole).ridges = ridges;
        for &part in parts.iter().rev() {
            for edge in std::mem::take(&mut self.face_mut(part).ridges) {
                let other = self.face_across(edge);
                if other != whole && !parts.contains(&other) {
                    self.face_mut(whole).ridges.push(edge);
                }
            }
            for edge in self.own_edges(part) {
                let other = self.face_across(edge);
                if !parts.contains(&other) && self.face(other).simplicial {
                    let theirs = self.mirror(edge);
                    self.face_mut(whole).ridges.push(edge);
                    self.face_mut(other).ridges.push(theirs);
                }
            }
        }
        parts.iter().for_each(|&part| self.move_triangles(part, whole));
    }

    /// Makes the neighbours of a part neighbours of the whole.
    fn join_neighbors_of(&mut self, part: u32, parts: &[u32], whole: u32) {
        for other in self.own_edges(part).map(|edge| self.face_across(edge)) {
            if other == whole || parts.contains(&other) {
                continue;
            }
            let known = self.face(whole).neighbors.contains(&other);
            if !known {
                self.face_mut(whole).neighbors.push(other);
            }
            if self.face(other).simplicial {
                if known {
                    self.list_ridges(other);
                    remove(&mut self.face_mut(other).neighbors, part);
                }
            } else {
                let list = &mut self.face_mut(other).neighbors;
                remove(list, part);
                if !known {
                    list.push(whole);
                }
            }
        }
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

/// Removes an element and moves the last one into its place.
fn remove(list: &mut Vec<u32>, x: u32) {
    if let Some(at) = list.iter().position(|&y| y == x) {
        list.swap_remove(at);
    }
}

fn replace(list: &mut [u32], x: u32, by: u32) {
    list.iter_mut().filter(|y| **y == x).for_each(|y| *y = by);
}
