//! Which facet a point is above, and the sets of points that facets keep.

use super::HullError;
use super::state::{NIL, Quickhull, Step, insert_before_last};

/// A point this many times higher than expected was given to a wrong facet.
const MISPLACED: f64 = 30.0;

/// The facet found for a point.
#[derive(Clone, Copy)]
pub(super) struct Found {
    facet: usize,
    height: f64,
    outside: bool,
}

impl Quickhull<'_> {
    /// Distances are doubled once there were many merges.
    fn caution(&self) -> f64 {
        if self.many_merges() { 2.0 } else { 1.0 }
    }

    /// So many merges that all new facets are searched for the best one.
    pub fn many_merges(&self) -> bool {
        self.total_merges > 50
    }

    /// Height at which a facet is good enough, though there may be a better one.
    pub fn clearly_outside(&self) -> f64 {
        self.caution() * (2.0 * self.tol.outside).max(self.max_outside)
    }

    /// Gives a point to the outside set of the best facet, or to a coplanar set, or drops it.
    pub fn partition(&mut self, p: usize, start: usize) -> Step<()> {
        let mut found =
            if self.search_all { self.find_among_new(p, start, false)? } else { self.find(p, start, false, true)? };
        let f = found.facet;
        if self.facets[f].visible {
            return Err(HullError::Irregular);
        }
        if self.narrow && found.height >= -self.tol.near_inside {
            found.outside = true;
        }
        if found.outside {
            self.add_outside(p, f, found.height);
            Ok(())
        } else if found.height >= -self.tol.near_inside {
            self.keep_coplanar(p, f, f, found.height, true)
        } else {
            Ok(())
        }
    }

    fn add_outside(&mut self, p: usize, f: usize, height: f64) {
        let (narrow, enough) = (self.narrow, self.tol.outside);
        let facet = &mut self.facets[f];
        let mut begins = false;
        if facet.outside.is_empty() {
            facet.outside.push(p);
            facet.furthest = height;
            begins = !narrow || height > enough;
        } else if facet.furthest < height {
            begins = narrow && facet.furthest < enough && height >= enough;
            facet.outside.push(p);
            facet.furthest = height;
        } else {
            insert_before_last(&mut facet.outside, p);
        }
        if begins && self.next_facet != f {
            if self.facets[f].fresh {
                if self.facets[self.next_facet].fresh {
                    self.next_facet = self.fresh;
                }
            } else {
                self.requeue_facet(f);
                if self.fresh != NIL {
                    self.facets[f].fresh = true;
                }
            }
        }
    }

    /// Finds the best facet for a point near the hull and keeps it there, or drops it if it is deep inside.
    pub fn partition_coplanar(&mut self, p: usize, start: usize, all: bool) -> Step<()> {
        let found = if all { self.find_among_new(p, start, true)? } else { self.find(p, start, true, false)? };
        if found.height < -self.tol.near_inside {
            self.repartitioned = 0;
            return Ok(());
        }
        self.keep_coplanar(p, start, found.facet, found.height, false)
    }

    /// Adds a point to the coplanar set of its best facet, unless it turns out to be outside. `located` says
    /// that `best` came from a search for outside points.
    fn keep_coplanar(&mut self, p: usize, start: usize, best: usize, height: f64, located: bool) -> Step<()> {
        if self.facets[best].visible {
            return Err(HullError::Irregular);
        }
        if height > self.max_outside {
            let mut misplaced = false;
            if !located && start != best {
                let (a, b) =
                    (self.facets[start].normal.unwrap_or_default(), self.facets[best].normal.unwrap_or_default());
                misplaced = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.0;
            }
            if !misplaced && height > self.outside_bound * MISPLACED {
                if start == best {
                    if self.repartitioned == start {
                        return Err(HullError::Irregular);
                    }
                    self.repartitioned = start;
                }
                misplaced = true;
            }
            if misplaced {
                let all = std::mem::replace(&mut self.search_all, false);
                self.partition(p, best)?;
                self.search_all = all;
                self.repartitioned = 0;
                return Ok(());
            }
            self.repartitioned = 0;
            self.max_outside = height;
        }
        match self.facets[best].coplanar.last() {
            Some(&last) if self.height(self.points[last], best) >= height => {
                insert_before_last(&mut self.facets[best].coplanar, p);
            }
            _ => self.facets[best].coplanar.push(p),
        }
        Ok(())
    }

    /// Walks from `start` to ever higher facets. Unless `exact`, any facet that the point is outside of ends
    /// the walk; `fresh` keeps it among new facets.
    fn find(&mut self, p: usize, start: usize, exact: bool, fresh: bool) -> Step<Found> {
        let point = self.points[p];
        let enough = self.tol.outside;
        let (mut best, mut highest) = (NIL, -f64::MAX / 2.0);
        self.visit += 1;
        let visit = self.visit;
        if !self.facets[start].flipped {
            highest = self.height(point, start);
            best = start;
            if !exact && highest >= enough {
                return Ok(Found { facet: start, height: highest, outside: true });
            }
        }
        self.facets[start].visit = visit;
        let mut at = start;
        'walk: loop {
            for i in 0..self.facets[at].neighbors.len() {
                let n = self.facets[at].neighbors[i];
                if (fresh && !self.facets[n].fresh) || self.facets[n].visit == visit {
                    continue;
                }
                self.facets[n].visit = visit;
                if self.facets[n].flipped {
                    continue;
                }
                let height = self.height(point, n);
                if height > highest {
                    if !exact && height >= enough {
                        return Ok(Found { facet: n, height, outside: true });
                    }
                    (best, highest) = (n, height);
                    at = n;
                    continue 'walk;
                }
            }
            break;
        }
        let mut found = Found { facet: best, height: highest, outside: true };
        let mut horizon = true;
        if fresh {
            if best == NIL {
                found = self.find_among_new(p, self.fresh, exact)?;
                horizon = false;
            } else if !self.not_sharp && highest < -self.tol.round {
                if self.is_sharp() {
                    found = self.find_among_new(p, best, exact)?;
                    horizon = false;
                    self.search_all = true;
                } else {
                    self.not_sharp = true;
                }
            }
        }
        if found.facet == NIL {
            found = self.find_anywhere(p, at)?;
        }
        if horizon {
            (found.facet, found.height) = self.find_near(point, found.facet, found.height);
        }
        found.outside &= found.height >= enough;
        Ok(found)
    }

    /// Highest facet among the new ones, from `start` on and then from the beginning, and its surroundings.
    fn find_among_new(&mut self, p: usize, start: usize, exact: bool) -> Step<Found> {
        if !self.has_facet(start) {
            return Err(HullError::Irregular);
        }
        let point = self.points[p];
        let enough = if exact { f64::INFINITY } else { self.clearly_outside() };
        let (mut best, mut highest) = (NIL, -f64::MAX / 2.0);
        self.visit += 1;
        for round in 0..2 {
            let mut f = if round == 0 { start } else { self.fresh };
            while self.has_facet(f) && (round == 0 || f != start) {
                self.facets[f].visit = self.visit;
                if !self.facets[f].flipped {
                    let height = self.height(point, f);
                    if height > highest {
                        (best, highest) = (f, height);
                        if height >= enough {
                            return Ok(Found { facet: f, height, outside: true });
                        }
                    }
                }
                f = self.facets[f].next;
            }
        }
        let (facet, height) = self.find_near(point, if best == NIL { start } else { best }, highest);
        Ok(Found { facet, height, outside: height >= self.tol.outside })
    }

    /// Looks for a higher facet around a good one, across facets that are nearly as high.
    fn find_near(&mut self, point: [f64; 3], start: usize, height: f64) -> (usize, f64) {
        let reach = self.caution() * (self.max_outside + 2.0 * self.tol.round + self.tol.visible);
        let (mut best, mut highest) = (start, height);
        let mut lowest = highest - reach;
        self.visit += 1;
        let visit = self.visit;
        self.facets[start].visit = visit;
        self.pending.clear();
        let mut at = start;
        loop {
            let mut next = NIL;
            for i in 0..self.facets[at].neighbors.len() {
                let n = self.facets[at].neighbors[i];
                if self.facets[n].visit == visit {
                    continue;
                }
                self.facets[n].visit = visit;
                if !self.facets[n].flipped {
                    let height = self.height(point, n);
                    if height > highest {
                        lowest = height - reach;
                        if height > highest + reach {
                            self.pending.clear();
                        }
                        (best, highest) = (n, height);
                    } else if height < lowest {
                        continue;
                    }
                }
                if next != NIL {
                    self.pending.push(next);
                }
                next = n;
            }
            at = match (next, self.pending.is_empty()) {
                (NIL, true) => return (best, highest),
                (NIL, false) => self.pending.pop().unwrap_or(best),
                _ => next,
            };
        }
    }

    /// Last resort: the highest neighbour of a facet, or else the highest of all facets.
    fn find_anywhere(&self, p: usize, at: usize) -> Step<Found> {
        let all = std::iter::successors(Some(self.first_facet), |&f| self.has_facet(f).then(|| self.facets[f].next));
        let near = self.facets[at].neighbors.iter().copied();
        let mut found = Found { facet: NIL, height: -f64::MAX / 2.0, outside: true };
        for (i, f) in near.chain(all.take_while(|&f| self.has_facet(f))).enumerate() {
            if i >= self.facets[at].neighbors.len() && found.facet != NIL {
                break;
            }
            let facet = &self.facets[f];
            if !facet.flipped && facet.normal.is_some() && !facet.visible {
                let height = self.height(self.points[p], f);
                if height > found.height {
                    (found.facet, found.height) = (f, height);
                }
            }
        }
        if found.facet == NIL { Err(HullError::Irregular) } else { Ok(found) }
    }

    /// Whether the new facets point to more than one octant.
    fn is_sharp(&self) -> bool {
        let octant = |f: usize| self.facets[f].normal.unwrap_or_default().map(|x| x > 0.0);
        let mut f = self.fresh;
        let first = octant(f);
        while self.has_facet(f) {
            if octant(f) != first {
                return true;
            }
            f = self.facets[f].next;
        }
        false
    }

    /// Gives the points of visible facets and the dead vertices to other facets.
    pub fn partition_visible(&mut self) -> Step<()> {
        let mut f = self.visible;
        while self.is_visible(f) {
            let outside = std::mem::take(&mut self.facets[f].outside);
            let coplanar = std::mem::take(&mut self.facets[f].coplanar);
            if !outside.is_empty() || !coplanar.is_empty() {
                let start = self.replacement(f)?.unwrap_or(self.fresh);
                if !self.has_facet(start) {
                    return Err(HullError::Irregular);
                }
                for p in outside {
                    self.partition(p, start)?;
                }
                for p in coplanar {
                    self.partition_coplanar(p, start, self.search_all)?;
                }
            }
            f = self.facets[f].next;
        }
        for i in 0..self.dead_vertices.len() {
            let v = self.dead_vertices[i];
            if !self.vertices[v].partitioned {
                if !self.has_facet(self.fresh) {
                    return Err(HullError::Irregular);
                }
                self.partition_coplanar(self.vertices[v].point, self.fresh, true)?;
                self.vertices[v].partitioned = true;
            }
        }
        Ok(())
    }
}
