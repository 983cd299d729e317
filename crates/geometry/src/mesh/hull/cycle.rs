//! Merging new facets that are coplanar with the horizon: all that share a horizon facet at once.

use super::HullError;
use super::join::{KEEP_CENTER, MANY_MERGES};
use super::state::{NIL, Quickhull, Reason, Step, replace, take_out, take_out_sorted};

impl Quickhull<'_> {
    /// Merges new facets that are coplanar with their horizon facet into it; whether there were any.
    pub fn merge_cycles(&mut self) -> Step<bool> {
        let mut merged = false;
        let mut f = self.fresh;
        while self.has_facet(f) {
            let mut next = self.facets[f].next;
            if self.facets[f].normal.is_some() {
                f = next;
                continue;
            }
            if !self.facets[f].merge_horizon {
                return Err(HullError::Irregular);
            }
            let horizon = self.facets[f].neighbors[0];
            if self.facets[f].link == f {
                for i in 1..3 {
                    let v = self.facets[f].vertices[i];
                    self.vertices[v].del_ridge = true;
                }
                self.facets[horizon].link = NIL;
                self.merge_facets(f, horizon, Reason::CoplanarHorizon, None, true)?;
            } else {
                let count = self.close_cycle(f)?;
                while next != NIL && self.facets[next].cycle_done {
                    next = self.facets[next].next;
                }
                self.facets[horizon].link = NIL;
                self.merge_cycle(f, horizon)?;
                self.facets[horizon].merges = (self.facets[horizon].merges + count).min(MANY_MERGES);
            }
            merged = true;
            f = next;
        }
        if merged {
            for f in self.fresh_facets() {
                if self.facets[f].coplanar_horizon {
                    self.test_redundant_neighbors(f)?;
                    self.facets[f].coplanar_horizon = false;
                }
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// Drops the facets that got a plane of their own from a cycle; returns how many remain.
    fn close_cycle(&mut self, first: usize) -> Step<u32> {
        let (mut previous, mut count) = (first, 0);
        let mut same = self.facets[first].link;
        loop {
            let next = self.facets[same].link;
            if self.facets[same].cycle_done || self.facets[same].visible {
                return Err(HullError::Irregular);
            }
            self.facets[same].cycle_done = true;
            if self.facets[same].normal.is_some() {
                self.facets[previous].link = next;
                self.facets[same].link = NIL;
            } else {
                previous = same;
                count += 1;
            }
            if same == first {
                return Ok(count);
            }
            same = next;
        }
    }

    /// The facets of a cycle, the given one last.
    fn cycle(&self, first: usize) -> Vec<usize> {
        let mut list = Vec::new();
        let mut same = self.facets[first].link;
        while same != NIL {
            list.push(same);
            if same == first {
                break;
            }
            same = self.facets[same].link;
        }
        list
    }

    /// Merges all facets of a cycle into their horizon facet.
    fn merge_cycle(&mut self, first: usize, to: usize) -> Step<()> {
        self.total_merges += 1;
        self.vertex_neighbors();
        let cycle = self.cycle(first);
        let apex = self.facets[first].vertices[0];
        self.make_ridges(to);
        self.cycle_neighbors(&cycle, to)?;
        self.cycle_ridges(&cycle, to)?;
        self.cycle_vertices(&cycle, to, apex);
        if self.facets[to].vertices.first() != Some(&apex) {
            self.facets[to].vertices.insert(0, apex);
        }
        if !self.facets[to].fresh {
            self.touch_vertices(to);
        }
        self.requeue_facet(to);
        let facet = &mut self.facets[to];
        facet.fresh = true;
        facet.simplicial = false;
        facet.new_merge = true;
        for &same in &cycle {
            self.will_delete(same, to);
        }
        if self.facets[to].vertices.len() <= KEEP_CENTER {
            self.facets[to].center = None;
        }
        Ok(())
    }

    /// Gives the neighbours of a cycle to the horizon facet. Facets of the cycle are left with the visit before
    /// the current one.
    fn cycle_neighbors(&mut self, cycle: &[usize], to: usize) -> Step<()> {
        self.visit += 2;
        let (inside, visit) = (self.visit - 1, self.visit);
        for &same in cycle {
            if self.facets[same].visit == inside || self.facets[same].visible {
                return Err(HullError::Irregular);
            }
            self.facets[same].visit = inside;
        }
        self.facets[to].visit = visit;
        let mut neighbors = std::mem::take(&mut self.facets[to].neighbors);
        neighbors.retain(|&n| self.facets[n].visit != inside);
        for &n in &neighbors {
            self.facets[n].visit = visit;
        }
        self.facets[to].neighbors = neighbors;
        for &same in cycle {
            for i in 0..self.facets[same].neighbors.len() {
                let n = self.facets[same].neighbors[i];
                if self.facets[n].visit == inside {
                    continue;
                }
                let known = self.facets[n].visit == visit;
                if self.facets[n].simplicial && !known {
                    self.facets[to].neighbors.push(n);
                    replace(&mut self.facets[n].neighbors, same, to)?;
                    self.facets[n].visit = visit;
                    let ridges = &self.facets[n].ridges;
                    let joins = |&&r: &&usize| self.ridges[r].top == same || self.ridges[r].bottom == same;
                    if let Some(&r) = ridges.iter().find(joins) {
                        self.hand_over(r, same, to);
                    }
                } else {
                    self.make_ridges(n);
                    take_out(&mut self.facets[n].neighbors, same);
                    if !known {
                        self.facets[n].neighbors.push(to);
                        self.facets[to].neighbors.push(n);
                        self.facets[n].visit = visit;
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the ridges around a cycle to the horizon facet and drops those inside.
    fn cycle_ridges(&mut self, cycle: &[usize], to: usize) -> Step<()> {
        let inside = self.visit - 1;
        let mut ridges = std::mem::take(&mut self.facets[to].ridges);
        ridges.retain(|&r| self.facets[self.ridges[r].other(to)].visit != inside);
        self.facets[to].ridges = ridges;
        for &same in cycle {
            for r in std::mem::take(&mut self.facets[same].ridges) {
                let ridge = self.ridges[r];
                if ridge.top != same && ridge.bottom != same {
                    if ridge.top != to && ridge.bottom != to {
                        return Err(HullError::Irregular);
                    }
                    self.give_ridge(to, r);
                    continue;
                }
                let n = ridge.other(same);
                self.hand_over(r, same, to);
                if n == to {
                    continue;
                }
                if self.facets[n].visit == inside {
                    take_out(&mut self.facets[n].ridges, r);
                } else {
                    self.give_ridge(to, r);
                }
            }
            if !self.facets[same].simplicial {
                continue;
            }
            for i in 0..self.facets[same].neighbors.len() {
                let n = self.facets[same].neighbors[i];
                if self.facets[n].visit != inside && self.facets[n].simplicial {
                    self.ridge_opposite(same, i, to, n);
                }
            }
        }
        Ok(())
    }

    /// Replaces the facets of a cycle at their vertices.
    fn cycle_vertices(&mut self, cycle: &[usize], to: usize, apex: usize) {
        let inside = self.visit - 1;
        self.facets[to].visit = inside;
        self.vertex_visit += 1;
        let visit = self.vertex_visit;
        self.vertices[apex].visit = visit;
        let mut base = Vec::new();
        for &same in cycle.iter().filter(|&&f| !self.facets[f].merge_ridge) {
            for &v in &self.facets[same].vertices {
                if self.vertices[v].visit != visit {
                    self.vertices[v].visit = visit;
                    base.push(v);
                }
            }
        }
        base.push(apex);
        for v in base {
            self.vertices[v].del_ridge = true;
            let mut neighbors = std::mem::take(&mut self.vertices[v].neighbors);
            neighbors.retain(|&n| self.facets[n].visit != inside);
            neighbors.push(to);
            let lonely = neighbors.len() < 2;
            self.vertices[v].neighbors = neighbors;
            if lonely {
                take_out_sorted(&mut self.facets[to].vertices, v);
                self.kill_vertex(v);
            }
        }
    }
}
