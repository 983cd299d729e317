//! Merging facets.

use super::HullError;
use super::state::{NIL, Quickhull, Reason, Ridge, Step, UNMATCHED, replace, take_out, take_out_sorted};

/// Merges must not be wider than this, in widths of one merge.
const WIDE: f64 = 100.0;
/// Facets with more vertices than this keep their centre when they are merged.
pub(super) const KEEP_CENTER: usize = 8;
/// Merges are not counted further.
pub(super) const MANY_MERGES: u32 = 511;

impl Quickhull<'_> {
    /// Makes a triangle a polygon with ridges.
    pub fn make_ridges(&mut self, f: usize) {
        if !self.facets[f].simplicial {
            return;
        }
        self.facets[f].simplicial = false;
        let mut unmatched = false;
        for i in 0..self.facets[f].neighbors.len() {
            match self.facets[f].neighbors[i] {
                UNMATCHED => unmatched = true,
                n => self.facets[n].seen = false,
            }
        }
        for i in 0..self.facets[f].ridges.len() {
            let n = self.ridges[self.facets[f].ridges[i]].other(f);
            self.facets[n].seen = true;
        }
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if n == UNMATCHED || self.facets[n].seen {
                continue;
            }
            let ridge = self.ridge_opposite(f, i, f, n);
            self.ridges[ridge].tested = self.facets[f].tested && !unmatched;
        }
        while unmatched && take_out(&mut self.facets[f].neighbors, UNMATCHED) {}
    }

    /// New ridge along the side of a triangle opposite to vertex `i`, between `owner` and `neighbor`.
    pub fn ridge_opposite(&mut self, triangle: usize, i: usize, owner: usize, neighbor: usize) -> usize {
        let v = &self.facets[triangle].vertices;
        let vertices = match i {
            0 => [v[1], v[2]],
            1 => [v[0], v[2]],
            _ => [v[0], v[1]],
        };
        let top = self.facets[triangle].top ^ (i % 2 == 1);
        let ridge =
            if top { self.make_ridge(vertices, owner, neighbor) } else { self.make_ridge(vertices, neighbor, owner) };
        self.give_ridge(owner, ridge);
        self.give_ridge(neighbor, ridge);
        ridge
    }

    /// Merges a facet into a neighbour. `range` bounds the heights of its vertices over the neighbour's plane;
    /// `apex` says that it is a new facet merged into its horizon facet.
    pub fn merge_facets(
        &mut self,
        f: usize,
        to: usize,
        reason: Reason,
        range: Option<[f64; 2]>,
        apex: bool,
    ) -> Step<()> {
        if let Some([low, high]) = range {
            let widest = (WIDE * self.tol.one_merge).max(self.facets[f].max_outside).max(self.facets[to].max_outside);
            if high > widest || -low > widest {
                return Err(HullError::Irregular);
            }
        }
        if f == to || self.facets[f].visible || self.facets[to].visible || self.n_facets - self.n_visible <= 4 {
            return Err(HullError::Irregular);
        }
        self.total_merges += 1;
        self.vertex_neighbors();
        self.make_ridges(f);
        self.make_ridges(to);
        if let Some([low, high]) = range {
            self.max_outside = self.max_outside.max(high);
            self.min_vertex = self.min_vertex.min(low);
            let facet = &mut self.facets[to];
            facet.max_outside = facet.max_outside.max(high);
            facet.keep_center |= high > self.tol.wide || low < -self.tol.wide;
        }
        let merges = self.facets[f].merges + self.facets[to].merges + 1;
        let facet = &mut self.facets[to];
        facet.merges = merges.min(MANY_MERGES);
        facet.new_merge = true;
        facet.dup_ridge = false;
        self.forget_tests(f, to);
        if self.facets[f].vertices.len() == 3 {
            self.join_triangle(f, to, apex)?;
        } else {
            self.join_polygon(f, to)?;
        }
        self.requeue_facet(to);
        self.facets[to].fresh = true;
        self.facets[to].tested = false;
        if reason != Reason::CoplanarHorizon {
            self.test_redundant_neighbors(to)?;
            self.test_degenerate_neighbors(f)?;
            self.test_degenerate(to)?;
        }
        self.will_delete(f, to);
        Ok(())
    }

    /// Ridges of merged facets are tested again. The centre stays valid while many vertices anchor it.
    fn forget_tests(&mut self, f: usize, to: usize) {
        self.facets[to].tested = false;
        for i in 0..self.facets[f].ridges.len() {
            let r = self.facets[f].ridges[i];
            self.ridges[r].tested = false;
        }
        if self.facets[to].center.is_none() {
            return;
        }
        let size = self.facets[to].vertices.len();
        if size > KEEP_CENTER {
            self.facets[to].keep_center = true;
        } else if size == 3 {
            self.facets[to].keep_center = false;
        }
        if !self.facets[to].keep_center {
            self.facets[to].center = None;
            for i in 0..self.facets[to].ridges.len() {
                let r = self.facets[to].ridges[i];
                self.ridges[r].tested = false;
            }
        }
    }

    fn join_polygon(&mut self, f: usize, to: usize) -> Step<()> {
        self.vertex_visit += 1;
        let visit = self.vertex_visit;
        for i in 0..self.facets[to].vertices.len() {
            let v = self.facets[to].vertices[i];
            self.vertices[v].visit = visit;
        }
        self.join_neighbors(f, to)?;
        let vertices = union(&self.facets[f].vertices, &self.facets[to].vertices);
        self.facets[to].vertices = vertices;
        self.join_ridges(f, to);
        for i in 0..self.facets[f].vertices.len() {
            let v = self.facets[f].vertices[i];
            if self.vertices[v].visit != visit {
                replace(&mut self.vertices[v].neighbors, f, to)?;
            } else {
                self.leave_facet(v, f, to);
            }
        }
        if !self.facets[to].fresh {
            self.touch_vertices(to);
        }
        Ok(())
    }

    /// A vertex of both facets; it disappears if only the merged facet remains around it.
    fn leave_facet(&mut self, v: usize, f: usize, to: usize) {
        take_out(&mut self.vertices[v].neighbors, f);
        if self.vertices[v].neighbors.len() < 2 {
            take_out_sorted(&mut self.facets[to].vertices, v);
            self.kill_vertex(v);
        }
    }

    fn join_neighbors(&mut self, f: usize, to: usize) -> Step<()> {
        self.visit += 1;
        let visit = self.visit;
        for i in 0..self.facets[to].neighbors.len() {
            let n = self.facets[to].neighbors[i];
            self.facets[n].visit = visit;
        }
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if self.facets[n].visit == visit {
                self.make_ridges(n);
                self.forget_neighbor(n, f, to)?;
            } else if n != to {
                self.facets[to].neighbors.push(n);
                replace(&mut self.facets[n].neighbors, f, to)?;
            }
        }
        take_out(&mut self.facets[f].neighbors, to);
        take_out(&mut self.facets[to].neighbors, f);
        Ok(())
    }

    /// Removes a facet from a common neighbour; the first neighbour stays first.
    fn forget_neighbor(&mut self, n: usize, f: usize, to: usize) -> Step<()> {
        let neighbors = &mut self.facets[n].neighbors;
        if neighbors.first() == Some(&f) {
            take_out(neighbors, to);
            replace(neighbors, f, to)
        } else {
            take_out(neighbors, f);
            Ok(())
        }
    }

    fn join_ridges(&mut self, f: usize, to: usize) {
        let mut i = 0;
        while i < self.facets[to].ridges.len() {
            let r = self.facets[to].ridges[i];
            if self.ridges[r].top == f || self.ridges[r].bottom == f {
                self.delete_ridge(r);
            } else {
                i += 1;
            }
        }
        for i in 0..self.facets[f].ridges.len() {
            let r = self.facets[f].ridges[i];
            self.hand_over(r, f, to);
            self.give_ridge(to, r);
        }
    }

    pub fn hand_over(&mut self, ridge: usize, from: usize, to: usize) {
        let ridge = &mut self.ridges[ridge];
        let side = if ridge.top == from { &mut ridge.top } else { &mut ridge.bottom };
        *side = to;
    }

    /// Removes a ridge between facets that become one, or whose vertices have become one.
    pub fn delete_ridge(&mut self, r: usize) {
        let ridge = self.ridges[r];
        if ridge.nonconvex {
            self.pass_on_nonconvex(r);
        }
        for v in ridge.vertices {
            self.vertices[v].del_ridge = true;
        }
        let mut i = 0;
        while i < self.vertex_merges.len() {
            if self.vertex_merges[i].ridges.contains(&r) {
                self.vertex_merges.swap_remove(i);
            } else {
                i += 1;
            }
        }
        take_out(&mut self.facets[ridge.top].ridges, r);
        take_out(&mut self.facets[ridge.bottom].ridges, r);
    }

    /// Lets another ridge between the same facets remember that they are not convex.
    pub fn pass_on_nonconvex(&mut self, r: usize) {
        let Ridge { top, bottom, .. } = self.ridges[r];
        self.ridges[r].nonconvex = false;
        let joins = |&&s: &&usize| s != r && (self.ridges[s].top == bottom || self.ridges[s].bottom == bottom);
        if let Some(&s) = self.facets[top].ridges.iter().find(joins) {
            self.ridges[s].nonconvex = true;
        }
    }

    /// Merges a triangle, which adds one vertex.
    fn join_triangle(&mut self, f: usize, to: usize, apex: bool) -> Step<()> {
        let (opposite, added);
        if apex {
            opposite = self.facets[f].vertices[0];
            if !self.facets[to].fresh {
                self.touch_vertices(to);
            }
            added = self.facets[to].vertices.first() != Some(&opposite);
            if added {
                self.facets[to].vertices.insert(0, opposite);
            }
        } else {
            opposite = self.opposite_vertex(f, to)?;
            added = self.add_vertex(to, opposite);
            if !self.facets[to].fresh {
                self.touch_vertices(to);
            } else {
                self.touch_vertex(opposite);
            }
        }
        for i in 0..3 {
            let v = self.facets[f].vertices[i];
            if v == opposite && added {
                replace(&mut self.vertices[v].neighbors, f, to)?;
            } else {
                self.leave_facet(v, f, to);
            }
        }
        self.join_triangle_ridges(f, to)
    }

    /// Vertex of a triangle that is not on its first ridge to a neighbour. The others lose that ridge.
    fn opposite_vertex(&mut self, f: usize, to: usize) -> Step<usize> {
        let ridges = &self.facets[f].ridges;
        let shared = ridges.iter().find(|&&r| self.ridges[r].other(f) == to).map(|&r| self.ridges[r].vertices);
        for v in shared.into_iter().flatten() {
            self.vertices[v].del_ridge = true;
        }
        let shared = shared.unwrap_or([NIL; 2]);
        self.facets[f].vertices.iter().copied().find(|v| !shared.contains(v)).ok_or(HullError::Irregular)
    }

    /// Adds a vertex in order; whether it was not there.
    pub fn add_vertex(&mut self, f: usize, v: usize) -> bool {
        let vertices = &mut self.facets[f].vertices;
        let at = vertices.iter().position(|&w| w <= v).unwrap_or(vertices.len());
        let added = vertices.get(at) != Some(&v);
        if added {
            vertices.insert(at, v);
        }
        added
    }

    fn join_triangle_ridges(&mut self, f: usize, to: usize) -> Step<()> {
        self.visit += 1;
        let visit = self.visit;
        for i in 0..self.facets[to].neighbors.len() {
            let n = self.facets[to].neighbors[i];
            self.facets[n].visit = visit;
        }
        let mut i = 0;
        while i < self.facets[f].ridges.len() {
            let r = self.facets[f].ridges[i];
            let n = self.ridges[r].other(f);
            if n == to {
                self.delete_ridge(r);
                take_out(&mut self.facets[to].neighbors, f);
                continue;
            }
            if self.facets[n].dup_ridge && !self.facets[n].neighbors.contains(&f) {
                return Err(HullError::Irregular);
            }
            self.give_ridge(to, r);
            if self.facets[n].visit != visit {
                self.facets[to].neighbors.push(n);
                replace(&mut self.facets[n].neighbors, f, to)?;
                self.facets[n].visit = visit;
            } else {
                self.make_ridges(n);
                self.forget_neighbor(n, f, to)?;
            }
            self.hand_over(r, f, to);
            i += 1;
        }
        Ok(())
    }
}

/// Union of two lists of vertices by decreasing number.
fn union(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut list = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) if x == y => {
                list.push(x);
                (i, j) = (i + 1, j + 1);
            }
            (Some(&x), Some(&y)) if x > y => {
                list.push(x);
                i += 1;
            }
            (Some(&x), None) => {
                list.push(x);
                i += 1;
            }
            (_, Some(&y)) => {
                list.push(y);
                j += 1;
            }
            (None, None) => {}
        }
    }
    list
}
