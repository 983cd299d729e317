//! Which facets to merge: new facets must be clearly convex to each other and to the horizon.

use super::HullError;
use super::state::{Facet, Merge, NIL, Quickhull, Reason, Step, UNMATCHED, take_out};

/// Merging facets at a duplicate ridge must not make them wider than this, in widths seen so far.
const WIDE_DUPLICATE: f64 = 100.0;
/// A flipped facet is merged at a duplicate ridge rather than the other one up to this width.
const WIDE_FLIPPED: f64 = 50.0;
/// With more vertices than this, only centres are compared to find the best neighbour.
const MANY_VERTICES: usize = 26;
/// With more vertices than this, nonconvex neighbours are tried first.
const SOME_VERTICES: usize = 18;

impl Quickhull<'_> {
    /// Merges new facets until all are clearly convex.
    pub fn merge_new(&mut self) -> Step<()> {
        if self.all_clearly_convex() {
            return Ok(());
        }
        self.mark_duplicates()?;
        let mut merged = self.merge_cycles()?;
        merged |= self.merge_duplicates()?;
        merged |= self.merge_flipped()?;
        self.collect_first_merges()?;
        self.merge_all(merged)
    }

    /// Quick test that no merge is needed: every vertex is below the planes of the facets opposite to it.
    fn all_clearly_convex(&mut self) -> bool {
        let mut f = self.fresh;
        while self.has_facet(f) {
            let facet = &self.facets[f];
            let horizon = &self.facets[facet.neighbors[0]];
            if !horizon.simplicial || facet.flipped || facet.dup_ridge || facet.normal.is_none() {
                return false;
            }
            f = facet.next;
        }
        let limit = -2.0 * self.tol.round;
        let mut f = self.fresh;
        while self.has_facet(f) {
            let facet = &self.facets[f];
            let base = [facet.vertices[1], facet.vertices[2]];
            for i in [1, 2] {
                if self.height(self.place(facet.vertices[i]), facet.neighbors[i]) >= limit {
                    return false;
                }
            }
            let horizon = &self.facets[facet.neighbors[0]];
            let opposite = horizon.vertices.iter().find(|v| !base.contains(v));
            if opposite.is_some_and(|&v| self.height(self.place(v), f) >= limit) {
                return false;
            }
            f = facet.next;
        }
        true
    }

    /// Asks for a merge.
    pub fn want_merge(&mut self, f: usize, neighbor: usize, reason: Reason, distance: f64) -> Step<()> {
        if (self.facets[f].redundant && reason != Reason::Mirror) || self.facets[neighbor].redundant {
            return Ok(());
        }
        if self.facets[f].degenerate && reason == Reason::Degenerate {
            return Ok(());
        }
        if self.facets[neighbor].flipped && !self.facets[f].flipped && reason != Reason::DupRidge {
            return Err(HullError::Irregular);
        }
        let merge = Merge { reason, facets: [f, neighbor], distance };
        match reason {
            Reason::Degenerate => {
                self.facets[f].degenerate = true;
                if self.degenerate_merges.last().is_none_or(|m| m.reason == Reason::Degenerate) {
                    self.degenerate_merges.push(merge);
                } else {
                    self.degenerate_merges.insert(0, merge);
                }
            }
            Reason::Redundant => {
                self.facets[f].redundant = true;
                self.degenerate_merges.push(merge);
            }
            Reason::Mirror => {
                if self.facets[f].redundant || self.facets[f].vertices != self.facets[neighbor].vertices {
                    return Err(HullError::Irregular);
                }
                self.facets[f].redundant = true;
                self.facets[neighbor].redundant = true;
                self.degenerate_merges.push(merge);
            }
            _ => self.facet_merges.push(merge),
        }
        Ok(())
    }

    /// Marks the new facets at duplicate ridges and gives them ridges.
    fn mark_duplicates(&mut self) -> Step<()> {
        let facets = self.fresh_facets();
        for &f in &facets {
            self.facets[f].merge_ridge = false;
            self.facets[f].merge_ridge2 = false;
        }
        let mut wanted = Vec::new();
        for &f in facets.iter().filter(|&&f| self.facets[f].dup_ridge).collect::<Vec<_>>() {
            for i in 0..self.facets[f].neighbors.len() {
                let n = self.facets[f].neighbors[i];
                if n == UNMATCHED {
                    self.facets[f].merge_ridge = true;
                    continue;
                }
                if !self.facets[n].dup_ridge {
                    continue;
                }
                let one_sided = !self.facets[n].neighbors.contains(&f);
                if one_sided || self.facets[f].vertices == self.facets[n].vertices {
                    self.want_merge(f, n, Reason::DupRidge, 0.0)?;
                    self.facets[f].merge_ridge2 = true;
                    self.facets[f].merge_ridge = true;
                    wanted.push([f, n]);
                    if !one_sided {
                        break;
                    }
                }
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        for &f in &facets {
            if self.facets[f].merge_ridge && !self.facets[f].merge_ridge2 {
                self.make_ridges(f);
            }
        }
        for i in 0..self.facet_merges.len() {
            let Merge { reason: Reason::DupRidge, facets: [f, n], .. } = self.facet_merges[i] else { continue };
            if self.facets[n].merge_ridge2 && self.facets[n].neighbors.contains(&f) {
                return Err(HullError::Irregular);
            }
            self.facets[n].neighbors.push(f);
            self.make_ridges(f);
        }
        Ok(())
    }

    /// The new facets, as they stand.
    pub fn fresh_facets(&self) -> Vec<usize> {
        let list = std::iter::successors(Some(self.fresh), |&f| self.has_facet(f).then(|| self.facets[f].next));
        list.take_while(|&f| self.has_facet(f)).collect()
    }

    /// Merges the facets at duplicate ridges; whether there were any.
    fn merge_duplicates(&mut self) -> Step<bool> {
        let wanted = std::mem::take(&mut self.facet_merges);
        let flipped_width = WIDE_FLIPPED * (self.tol.one_merge + self.tol.round);
        let (mut found, mut merged) = (false, false);
        for merge in wanted.iter().filter(|m| m.reason == Reason::DupRidge) {
            found = true;
            let mut facets = [0; 2];
            for (facet, &f) in facets.iter_mut().zip(&merge.facets) {
                *facet = self.replacement(f)?.ok_or(HullError::Irregular)?;
            }
            let [f, g] = facets;
            if f == g {
                continue;
            }
            if !self.facets[g].neighbors.contains(&f) {
                return Err(HullError::Irregular);
            }
            let ((df, range_f), (dg, range_g)) = (self.spread(f, g), self.spread(g, f));
            self.check_duplicate(df.min(dg))?;
            let only = |a: usize, b: usize| self.facets[a].flipped && !self.facets[b].flipped;
            let first = if df < dg { !(only(g, f) && dg < flipped_width) } else { only(f, g) && df < flipped_width };
            let (from, to, range) = if first { (f, g, range_f) } else { (g, f, range_g) };
            self.merge_facets(from, to, Reason::DupRidge, Some(range), false)?;
            self.merge_degenerate()?;
            merged = true;
        }
        self.facet_merges.extend(wanted.into_iter().filter(|m| m.reason != Reason::DupRidge));
        if found {
            for f in self.fresh_facets() {
                if self.facets[f].dup_ridge {
                    self.facets[f].dup_ridge = false;
                    self.facets[f].merge_ridge = false;
                    self.facets[f].merge_ridge2 = false;
                    if self.facets[f].neighbors.len() < 3 {
                        self.want_merge(f, f, Reason::Degenerate, 0.0)?;
                    }
                }
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// Refuses merges that would be much wider than anything before.
    fn check_duplicate(&self, width: f64) -> Step<()> {
        let outer = self.max_outside.max(self.tol.round) + self.tol.round;
        let inner = self.min_vertex - self.tol.round;
        let seen = outer.max(inner).max(self.tol.one_merge + self.tol.round).max(self.tol.outside + self.tol.round);
        if width / seen > WIDE_DUPLICATE { Err(HullError::Irregular) } else { Ok(()) }
    }

    /// Merges facets that the interior is above; whether there were any.
    fn merge_flipped(&mut self) -> Step<bool> {
        for f in self.fresh_facets() {
            if self.facets[f].flipped && !self.facets[f].visible {
                self.want_merge(f, f, Reason::Flip, 0.0)?;
            }
        }
        let wanted = std::mem::take(&mut self.facet_merges);
        let mut merged = false;
        for merge in wanted.iter().filter(|m| m.reason == Reason::Flip) {
            let f = merge.facets[0];
            if !self.facets[f].visible {
                let (neighbor, _, range) = self.best_neighbor(f)?;
                self.merge_facets(f, neighbor, Reason::Flip, Some(range), false)?;
                merged = true;
            }
        }
        self.facet_merges.extend(wanted.into_iter().filter(|m| m.facets.iter().all(|&f| !self.facets[f].visible)));
        self.merge_degenerate()?;
        Ok(merged)
    }

    /// Tests every pair of new facets and their neighbours.
    fn collect_first_merges(&mut self) -> Step<()> {
        self.visit += 1;
        let visit = self.visit;
        let mut f = self.fresh;
        while self.has_facet(f) {
            self.facets[f].visit = visit;
            for i in 0..self.facets[f].neighbors.len() {
                let n = self.facets[f].neighbors[i];
                if self.facets[n].visit != visit && self.test_convex(f, n)? {
                    let ridges = &self.facets[n].ridges;
                    if let Some(&r) = ridges.iter().find(|&&r| self.ridges[r].other(n) == f) {
                        self.ridges[r].nonconvex = true;
                    }
                }
            }
            self.facets[f].tested = true;
            for i in 0..self.facets[f].ridges.len() {
                let r = self.facets[f].ridges[i];
                self.ridges[r].tested = true;
            }
            f = self.facets[f].next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Tests what merging has changed.
    pub fn collect_merges(&mut self) -> Step<()> {
        self.visit += 1;
        let visit = self.visit;
        let mut f = self.fresh;
        while self.has_facet(f) {
            if !self.facets[f].tested {
                self.facets[f].visit = visit;
                for i in 0..self.facets[f].neighbors.len() {
                    let n = self.facets[f].neighbors[i];
                    self.facets[n].seen = false;
                }
                for i in 0..self.facets[f].ridges.len() {
                    let r = self.facets[f].ridges[i];
                    if self.ridges[r].tested && !self.ridges[r].nonconvex {
                        continue;
                    }
                    let n = self.ridges[r].other(f);
                    if self.facets[n].seen {
                        self.ridges[r].tested = true;
                        self.ridges[r].nonconvex = false;
                    } else if self.facets[n].visit != visit {
                        self.facets[n].seen = true;
                        self.ridges[r].nonconvex = self.test_convex(f, n)?;
                        self.ridges[r].tested = true;
                    }
                }
                self.facets[f].tested = true;
            }
            f = self.facets[f].next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Coplanar and narrow merges are made first, from the end of the list.
    fn sort_merges(&mut self) {
        self.facet_merges.sort_by(|a, b| b.reason.cmp(&a.reason).then(b.distance.total_cmp(&a.distance)));
    }

    /// Whether two facets are not clearly convex, by their centres; if so asks to merge them.
    fn test_convex(&mut self, f: usize, n: usize) -> Step<bool> {
        let radius = self.tol.centrum;
        let (center_f, center_n) = (self.center(f), self.center(n));
        let (over_n, over_f) = (self.height(center_f, n), self.height(center_n, f));
        let concave = over_n > radius || over_f > radius;
        let within = |d: f64| d <= radius && d >= -radius;
        let coplanar = within(over_n) || within(over_f);
        match (concave, coplanar) {
            (false, false) => return Ok(false),
            (true, true) if over_n > over_f => self.want_merge(f, n, Reason::ConcaveCoplanar, over_n)?,
            (true, true) => self.want_merge(n, f, Reason::ConcaveCoplanar, over_f)?,
            (true, false) => self.want_merge(f, n, Reason::Concave, over_n.max(over_f))?,
            (false, true) => self.want_merge(f, n, Reason::Coplanar, over_n.abs().min(over_f.abs()))?,
        }
        Ok(true)
    }

    /// Makes the collected merges and those they entail, and removes superfluous vertices.
    pub fn merge_all(&mut self, mut merged_before: bool) -> Step<()> {
        loop {
            let mut merged = false;
            while !self.facet_merges.is_empty() || !self.degenerate_merges.is_empty() {
                if !self.degenerate_merges.is_empty() {
                    self.merge_degenerate()?;
                    merged = true;
                }
                while let Some(merge) = self.facet_merges.pop() {
                    let [f, g] = merge.facets.map(|f| &self.facets[f]);
                    let stale = |f: &Facet| !f.tested && f.fresh;
                    if f.visible || g.visible || (merge.reason == Reason::Coplanar && (stale(f) || stale(g))) {
                        continue;
                    }
                    self.merge_nonconvex(merge)?;
                    self.merge_degenerate()?;
                    merged = true;
                }
                self.collect_merges()?;
            }
            if self.neighbored && (merged || merged_before) {
                merged_before = false;
                if self.reduce_vertices()? {
                    self.collect_merges()?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Merges one of two facets into its best neighbour, whichever makes the narrower facet.
    fn merge_nonconvex(&mut self, merge: Merge) -> Step<()> {
        let [mut f, mut g] = merge.facets;
        if !self.facets[f].fresh {
            std::mem::swap(&mut f, &mut g);
        }
        let (to_f, df, range_f) = self.best_neighbor(f)?;
        let (to_g, dg, range_g) = self.best_neighbor(g)?;
        if df < dg {
            self.merge_facets(f, to_f, merge.reason, Some(range_f), false)
        } else {
            self.merge_facets(g, to_g, merge.reason, Some(range_g), false)
        }
    }

    /// Merges facets with too few neighbours, and facets whose vertices all belong to a neighbour.
    pub fn merge_degenerate(&mut self) -> Step<bool> {
        let mut merged = false;
        while let Some(merge) = self.degenerate_merges.pop() {
            let [f, g] = merge.facets;
            if self.facets[f].visible {
                continue;
            }
            self.facets[f].degenerate = false;
            self.facets[f].redundant = false;
            if merge.reason == Reason::Redundant {
                let to = self.replacement(g)?.ok_or(HullError::Irregular)?;
                if f != to {
                    self.merge_facets(f, to, merge.reason, None, false)?;
                    merged = true;
                }
                continue;
            }
            match self.facets[f].neighbors.len() {
                0 => {
                    self.will_delete(f, NIL);
                    for i in 0..self.facets[f].vertices.len() {
                        let v = self.facets[f].vertices[i];
                        take_out(&mut self.vertices[v].neighbors, f);
                        if self.vertices[v].neighbors.is_empty() {
                            self.kill_vertex(v);
                        }
                    }
                    merged = true;
                }
                1 | 2 => {
                    let (to, _, range) = self.best_neighbor(f)?;
                    self.merge_facets(f, to, merge.reason, Some(range), false)?;
                    merged = true;
                }
                _ => {}
            }
        }
        Ok(merged)
    }

    /// Neighbour that a facet is best merged into: the one whose plane its vertices are nearest to. Returns
    /// that distance and the range of heights as well.
    fn best_neighbor(&mut self, f: usize) -> Step<(usize, f64, [f64; 2])> {
        let size = self.facets[f].vertices.len();
        let by_center = size > MANY_VERTICES;
        let mut best: Option<(usize, f64, [f64; 2])> = None;
        if size > SOME_VERTICES {
            for i in 0..self.facets[f].ridges.len() {
                let ridge = self.ridges[self.facets[f].ridges[i]];
                if ridge.nonconvex {
                    self.try_neighbor(f, ridge.other(f), by_center, &mut best);
                }
            }
        }
        if best.is_none() {
            for i in 0..self.facets[f].neighbors.len() {
                let n = self.facets[f].neighbors[i];
                self.try_neighbor(f, n, by_center, &mut best);
            }
        }
        let (n, distance, mut range) = best.ok_or(HullError::Irregular)?;
        if by_center {
            range = self.spread(f, n).1;
        }
        Ok((n, distance, range))
    }

    fn try_neighbor(&mut self, f: usize, n: usize, by_center: bool, best: &mut Option<(usize, f64, [f64; 2])>) {
        if self.facets[f].flipped && self.facets[n].flipped && best.is_some_and(|b| !self.facets[b.0].flipped) {
            return;
        }
        let (distance, range) = if by_center {
            let center = self.center(f);
            let d = self.height(center, n) * 3.0;
            (d.abs(), if d < 0.0 { [d, 0.0] } else { [0.0, d] })
        } else {
            self.spread(f, n)
        };
        if best.is_none_or(|b| distance < b.1) {
            *best = Some((n, distance, range));
        }
    }

    /// Asks to merge a facet whose vertices all belong to a neighbour, or that has too few neighbours.
    pub fn test_degenerate(&mut self, f: usize) -> Step<()> {
        if self.facets[f].flipped {
            return Ok(());
        }
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if self.facets[n].flipped {
                continue;
            }
            if self.facets[n].visible {
                return Err(HullError::Irregular);
            }
            if self.is_subset(f, n) {
                return self.want_merge(f, n, Reason::Redundant, 0.0);
            }
        }
        if self.facets[f].neighbors.len() < 3 {
            self.want_merge(f, f, Reason::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Whether all vertices of a facet belong to another.
    fn is_subset(&mut self, f: usize, of: usize) -> bool {
        self.vertex_visit += 1;
        for i in 0..self.facets[of].vertices.len() {
            let v = self.facets[of].vertices[i];
            self.vertices[v].visit = self.vertex_visit;
        }
        self.facets[f].vertices.iter().all(|&v| self.vertices[v].visit == self.vertex_visit)
    }

    /// Asks to merge neighbours whose vertices all belong to the facet.
    pub fn test_redundant_neighbors(&mut self, f: usize) -> Step<()> {
        if self.facets[f].neighbors.len() < 3 {
            return self.want_merge(f, f, Reason::Degenerate, 0.0);
        }
        self.vertex_visit += 1;
        let visit = self.vertex_visit;
        for i in 0..self.facets[f].vertices.len() {
            let v = self.facets[f].vertices[i];
            self.vertices[v].visit = visit;
        }
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            let neighbor = &self.facets[n];
            if neighbor.visible {
                return Err(HullError::Irregular);
            }
            let marked = neighbor.degenerate || neighbor.redundant || neighbor.dup_ridge;
            if marked || (self.facets[f].flipped && !neighbor.flipped) {
                continue;
            }
            if neighbor.vertices.iter().all(|&v| self.vertices[v].visit == visit) {
                self.want_merge(n, f, Reason::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    /// Asks to merge neighbours that have too few neighbours themselves.
    pub fn test_degenerate_neighbors(&mut self, f: usize) -> Step<()> {
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            let neighbor = &self.facets[n];
            if neighbor.visible {
                return Err(HullError::Irregular);
            }
            let marked = neighbor.degenerate || neighbor.redundant || neighbor.dup_ridge;
            if !marked && neighbor.neighbors.len() < 3 {
                self.want_merge(n, n, Reason::Degenerate, 0.0)?;
            }
        }
        Ok(())
    }
}
