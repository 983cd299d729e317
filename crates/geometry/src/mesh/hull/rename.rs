//! Vertices that merging made superfluous, and vertices too close to others.

use super::HullError;
use super::state::{NIL, Quickhull, Reason, Step, TAIL, VertexMerge, take_out, take_out_sorted};

/// Vertices further apart than this, in widths of one merge, are not merged.
const WIDE_PINCH: f64 = 100.0;

impl Quickhull<'_> {
    /// Removes vertices that merged facets do not need; whether facets were merged on the way.
    pub fn reduce_vertices(&mut self) -> Step<bool> {
        let mut merged = self.merge_degenerate()?;
        'restart: loop {
            for f in self.fresh_facets() {
                if self.facets[f].new_merge && self.drop_extra_vertices(f) {
                    self.test_degenerate(f)?;
                    if self.merge_degenerate()? {
                        merged = true;
                        continue 'restart;
                    }
                }
            }
            for f in self.fresh_facets() {
                if !std::mem::replace(&mut self.facets[f].new_merge, false) {
                    continue;
                }
                let mut i = 0;
                while i < self.facets[f].vertices.len() {
                    let v = self.facets[f].vertices[i];
                    if self.vertices[v].del_ridge && self.rename_shared(v, f)? {
                        if self.merge_degenerate()? {
                            merged = true;
                            continue 'restart;
                        }
                    } else {
                        i += 1;
                    }
                }
            }
            let mut v = self.fresh_vertex;
            while self.has_vertex(v) {
                if !self.vertices[v].deleted {
                    self.vertices[v].del_ridge = false;
                }
                v = self.vertices[v].next;
            }
            return Ok(merged);
        }
    }

    /// Drops vertices of a polygon that are on none of its ridges; whether there were any.
    fn drop_extra_vertices(&mut self, f: usize) -> bool {
        if self.facets[f].simplicial {
            return false;
        }
        for i in 0..self.facets[f].vertices.len() {
            let v = self.facets[f].vertices[i];
            self.vertices[v].seen = false;
        }
        for i in 0..self.facets[f].ridges.len() {
            for v in self.ridges[self.facets[f].ridges[i]].vertices {
                self.vertices[v].seen = true;
            }
        }
        let extra: Vec<usize> = self.facets[f].vertices.iter().copied().filter(|&v| !self.vertices[v].seen).collect();
        for &v in &extra {
            take_out_sorted(&mut self.facets[f].vertices, v);
            take_out(&mut self.vertices[v].neighbors, f);
            if self.vertices[v].neighbors.is_empty() {
                self.kill_vertex(v);
            }
        }
        !extra.is_empty()
    }

    /// A vertex of only two facets lies on a straight line between others: gives its ridges to another vertex
    /// that both facets share. Whether that was possible.
    fn rename_shared(&mut self, v: usize, f: usize) -> Step<bool> {
        let other = match self.vertices[v].neighbors[..] {
            [a, b] if a == f => b,
            [a, _] => a,
            _ => return Ok(false),
        };
        self.visit += 1;
        self.facets[other].visit = self.visit;
        let mut ridges = Vec::new();
        self.ridges_at(v, f, &mut ridges);
        let second = &self.facets[other].vertices;
        let mut common: Vec<usize> = self.facets[f].vertices.iter().copied().filter(|w| second.contains(w)).collect();
        take_out(&mut common, v);
        let Some(new) = self.find_new_vertex(v, common, &ridges) else { return Ok(false) };
        self.rename(v, new, &ridges, Some((f, other)))?;
        Ok(true)
    }

    /// Collects the ridges at a vertex between a facet and those of the current visit.
    fn ridges_at(&mut self, v: usize, f: usize, list: &mut Vec<usize>) {
        for &r in &self.facets[f].ridges {
            let ridge = &self.ridges[r];
            if self.facets[ridge.other(f)].visit == self.visit && ridge.vertices.contains(&v) {
                list.push(r);
            }
        }
        self.facets[f].visit = self.visit - 1;
    }

    /// All ridges at a vertex, each once; those of the last facet are only needed if it has none in common
    /// with the others.
    fn vertex_ridges(&mut self, v: usize, all: bool) -> Vec<usize> {
        self.visit += 2;
        let neighbors = self.vertices[v].neighbors.clone();
        for &f in &neighbors {
            self.facets[f].visit = self.visit;
        }
        let count = if all { neighbors.len() } else { neighbors.len().saturating_sub(1) };
        let mut list = Vec::new();
        for &f in &neighbors[..count] {
            self.ridges_at(v, f, &mut list);
        }
        list
    }

    /// A vertex on some of the ridges, but with few, that can take their ends at `old` without making two
    /// ridges with the same vertices.
    fn find_new_vertex(&mut self, old: usize, candidates: Vec<usize>, ridges: &[usize]) -> Option<usize> {
        let count = |v: usize| ridges.iter().filter(|&&r| self.ridges[r].vertices.contains(&v)).count();
        let mut ranked: Vec<(usize, usize)> = Vec::new();
        // removing one puts the last in its place
        let mut candidates = candidates;
        let mut i = 0;
        while i < candidates.len() {
            match count(candidates[i]) {
                0 => drop(candidates.swap_remove(i)),
                n => {
                    ranked.push((n, candidates[i]));
                    i += 1;
                }
            }
        }
        ranked.sort_by_key(|(n, _)| *n);
        ranked.into_iter().map(|(_, v)| v).find(|&v| {
            let existing = self.vertex_ridges(v, false);
            !existing.iter().any(|&s| {
                let end = self.ridges[s].other_vertex(v);
                ridges.iter().any(|&r| r != s && self.ridges[r].other_vertex(old) == end)
            })
        })
    }

    /// Replaces a vertex in ridges and facets: between two facets that alone share it, or everywhere.
    fn rename(&mut self, old: usize, new: usize, ridges: &[usize], between: Option<(usize, usize)>) -> Step<()> {
        for &r in ridges {
            let lives = self.rename_in_ridge(r, old, new)?;
            if lives && !self.is_small(self.ridges[r].top, new) && !self.is_small(self.ridges[r].bottom, new) {
                self.note_same_ridges(r);
            }
        }
        let Some((f, _)) = between else { return self.rename_everywhere(old) };
        for i in 0..self.vertices[old].neighbors.len() {
            let n = self.vertices[old].neighbors[i];
            take_out_sorted(&mut self.facets[n].vertices, old);
            self.test_degenerate(n)?;
        }
        self.kill_vertex(old);
        self.test_degenerate(f)
    }

    /// Too few vertices to tell whether ridges are the same.
    fn is_small(&self, f: usize, new: usize) -> bool {
        let facet = &self.facets[f];
        facet.vertices.len() < 3 || (facet.vertices.len() == 3 && !facet.simplicial && facet.vertices.contains(&new))
    }

    fn rename_everywhere(&mut self, old: usize) -> Step<()> {
        let mut i = 0;
        while i < self.vertices[old].neighbors.len() {
            let n = self.vertices[old].neighbors[i];
            i += 1;
            if self.facets[n].simplicial {
                self.test_degenerate(n)?;
                continue;
            }
            self.drop_far_neighbors(n)?;
            take_out_sorted(&mut self.facets[n].vertices, old);
            if self.drop_extra_vertices(n) {
                i -= 1;
            }
            self.test_degenerate(n)?;
            self.test_redundant_neighbors(n)?;
            self.test_degenerate_neighbors(n)?;
        }
        if !self.vertices[old].deleted {
            self.kill_vertex(old);
        }
        Ok(())
    }

    /// Drops neighbours that a polygon has no ridge with any more.
    fn drop_far_neighbors(&mut self, f: usize) -> Step<()> {
        self.visit += 1;
        for i in 0..self.facets[f].ridges.len() {
            let ridge = self.ridges[self.facets[f].ridges[i]];
            self.facets[ridge.top].visit = self.visit;
            self.facets[ridge.bottom].visit = self.visit;
        }
        let mut i = 0;
        while i < self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if self.facets[n].visit == self.visit {
                i += 1;
                continue;
            }
            if self.facets[n].visible || self.facets[n].simplicial {
                return Err(HullError::Irregular);
            }
            take_out(&mut self.facets[n].neighbors, f);
            if self.facets[n].neighbors.len() < 3 {
                self.want_merge(n, n, Reason::Degenerate, 0.0)?;
            }
            take_out(&mut self.facets[f].neighbors, n);
        }
        if self.facets[f].neighbors.len() < 3 {
            self.want_merge(f, f, Reason::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Replaces a vertex of a ridge; whether the ridge still has two vertices.
    fn rename_in_ridge(&mut self, r: usize, old: usize, new: usize) -> Step<bool> {
        let at = self.ridges[r].vertices.iter().position(|&v| v == old).ok_or(HullError::Irregular)?;
        let keep = self.ridges[r].other_vertex(old);
        if keep == new {
            // the ridge has shrunk to a point; only the vertex that stays counts as having lost it
            self.ridges[r].vertices = [keep; 2];
            self.delete_ridge(r);
            return Ok(false);
        }
        let slot = usize::from(keep > new);
        let ridge = &mut self.ridges[r];
        ridge.vertices = if slot == 0 { [new, keep] } else { [keep, new] };
        if slot != at {
            std::mem::swap(&mut ridge.top, &mut ridge.bottom);
        }
        Ok(true)
    }

    /// Asks to merge the vertices of a ridge that a facet has twice.
    fn note_same_ridges(&mut self, r: usize) {
        for f in [self.ridges[r].top, self.ridges[r].bottom] {
            if self.facets[f].simplicial || self.facets[f].merges == 0 {
                continue;
            }
            for i in 0..self.facets[f].ridges.len() {
                let s = self.facets[f].ridges[i];
                if s != r && self.ridges[s].vertices == self.ridges[r].vertices {
                    let (distance, [to, from]) = self.nearest_pair(&self.ridges[s].vertices);
                    self.vertex_merges.push(VertexMerge { from, to, ridges: [r, s], distance });
                }
            }
        }
    }

    /// Merges vertices whose ridges are the same, and then the facets that are not convex any more.
    pub fn merge_vertices(&mut self) -> Step<()> {
        while !self.vertex_merges.is_empty() {
            self.vertex_neighbors();
            self.visible = TAIL;
            self.fresh = TAIL;
            self.fresh_vertex = TAIL;
            while let Some(merge) = self.next_vertex_merge()? {
                self.rename_adjacent(merge.from, merge.to)?;
                self.merge_degenerate()?;
            }
            self.update_neighbors();
            self.collect_merges()?;
            self.merge_all(true)?;
            self.partition_visible()?;
            self.delete_visible();
            self.reset_lists(true);
        }
        Ok(())
    }

    /// The closest pair of vertices to merge.
    fn next_vertex_merge(&mut self) -> Step<Option<VertexMerge>> {
        let (mut best, mut nearest) = (NIL, f64::MAX);
        let mut i = 0;
        while i < self.vertex_merges.len() {
            let merge = self.vertex_merges[i];
            if self.vertices[merge.from].deleted || self.vertices[merge.to].deleted {
                self.vertex_merges.swap_remove(i);
                continue;
            }
            if merge.distance < nearest {
                (best, nearest) = (i, merge.distance);
            }
            i += 1;
        }
        if best == NIL {
            return Ok(None);
        }
        if nearest / self.tol.one_merge > WIDE_PINCH {
            return Err(HullError::Irregular);
        }
        Ok(Some(self.vertex_merges.swap_remove(best)))
    }

    /// Merges a vertex into an adjacent one.
    fn rename_adjacent(&mut self, old: usize, new: usize) -> Step<()> {
        if self.vertices[old].deleted || self.vertices[new].deleted {
            return Ok(());
        }
        if self.vertices[old].neighbors.is_empty() || self.vertices[new].neighbors.is_empty() {
            return Err(HullError::Irregular);
        }
        self.total_merges += 1;
        let neighbors = self.vertices[old].neighbors.clone();
        for &f in neighbors.iter().filter(|&&f| self.facets[f].simplicial).collect::<Vec<_>>() {
            if self.facets[f].vertices.contains(&new) {
                self.make_ridges(f);
            } else {
                self.rename_in_triangle(f, old, new)?;
                self.meet(new, f);
            }
        }
        let ridges = self.vertex_ridges(old, true);
        for &f in neighbors.iter().filter(|&&f| !self.facets[f].simplicial).collect::<Vec<_>>() {
            self.add_vertex(f, new);
            self.meet(new, f);
            if self.fresh == TAIL {
                self.requeue_facet(f);
                self.facets[f].fresh = true;
            }
        }
        self.rename(old, new, &ridges, None)?;
        if self.vertices[old].deleted && !self.vertices[old].partitioned {
            let place = self.place(old);
            let (mut best, mut highest) = (NIL, -f64::MAX);
            for &f in self.vertices[new].neighbors.iter().filter(|&&f| !self.facets[f].visible) {
                let height = self.height(place, f);
                if height > highest {
                    (best, highest) = (f, height);
                }
            }
            if best == NIL {
                return Err(HullError::Irregular);
            }
            self.partition_coplanar(self.vertices[old].point, best, false)?;
            self.vertices[old].partitioned = true;
        }
        Ok(())
    }

    /// Makes a facet known to a vertex and its vertices fresh.
    fn meet(&mut self, v: usize, f: usize) {
        if !self.vertices[v].neighbors.contains(&f) {
            self.vertices[v].neighbors.push(f);
        }
        self.touch_vertices(f);
    }

    /// Replaces a vertex of a triangle; its neighbours stay opposite to their vertices.
    fn rename_in_triangle(&mut self, f: usize, old: usize, new: usize) -> Step<()> {
        let facet = &mut self.facets[f];
        let from = facet.vertices.iter().position(|&v| v == old).ok_or(HullError::Irregular)?;
        if facet.vertices.len() != 3 || facet.neighbors.len() != 3 {
            return Err(HullError::Irregular);
        }
        let neighbor = facet.neighbors.remove(from);
        facet.vertices.remove(from);
        let to = facet.vertices.iter().position(|&v| v < new).unwrap_or(2);
        facet.vertices.insert(to, new);
        facet.neighbors.insert(to, neighbor);
        facet.top ^= from % 2 != to % 2;
        Ok(())
    }

    /// Updates the facets that vertices know, after merging vertices or triangulating.
    pub fn update_neighbors(&mut self) {
        if self.neighbored {
            let mut v = self.fresh_vertex;
            while self.has_vertex(v) {
                let mut neighbors = std::mem::take(&mut self.vertices[v].neighbors);
                neighbors.retain(|&f| !self.facets[f].visible);
                self.vertices[v].neighbors = neighbors;
                v = self.vertices[v].next;
            }
            for f in self.fresh_facets() {
                let made = self.first_made != 0 && f >= self.first_made;
                for i in 0..self.facets[f].vertices.len() {
                    let v = self.facets[f].vertices[i];
                    if made || !self.vertices[v].neighbors.contains(&f) {
                        self.vertices[v].neighbors.push(f);
                    }
                }
            }
        }
        self.bury_vertices();
    }
}
