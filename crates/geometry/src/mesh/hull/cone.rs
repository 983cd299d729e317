//! Adding a point: the facets it sees are replaced by a cone of new ones.

use super::HullError;
use super::state::{DUPLICATE, NIL, Quickhull, Step, TAIL, UNMATCHED, replace, take_out};

/// Duplicate ridges are matched so that merging their facets makes none wider than this, in merge widths.
const WIDE_DUPLICATE: f64 = 50.0;

/// New facets at the ridges of the cone, by the ridge's vertex on the horizon. The first facet at each is
/// noted in the vertex itself.
#[derive(Default)]
struct Cone {
    stamp: u64,
    /// Further facets at ridges that more than two facets claim.
    extra: Vec<(usize, usize)>,
}

/// A pair of facets with their places for each other, and how far apart they are.
#[derive(Clone, Copy)]
struct Pair {
    facets: [usize; 2],
    slots: [usize; 2],
    distance: f64,
}

impl Quickhull<'_> {
    /// Adds outside points until there are none, or as many vertices as wanted.
    pub fn grow(&mut self, limit: Option<usize>) -> Step<()> {
        self.next_facet = self.first_facet;
        while let Some((p, f)) = self.next_point() {
            if limit.is_some_and(|n| self.n_vertices >= n) {
                break;
            }
            self.add_point(p, f)?;
        }
        Ok(())
    }

    /// Furthest point of the next facet that has any outside.
    fn next_point(&mut self) -> Option<(usize, usize)> {
        while self.has_facet(self.next_facet) {
            let f = self.next_facet;
            if !self.facets[f].outside.is_empty() {
                if self.narrow && self.facets[f].not_furthest {
                    self.move_furthest_last(f);
                }
                if !self.narrow || self.facets[f].furthest >= self.tol.outside {
                    return self.facets[f].outside.pop().map(|p| (p, f));
                }
            }
            self.next_facet = self.facets[f].next;
        }
        None
    }

    fn move_furthest_last(&mut self, f: usize) {
        let (mut best, mut highest) = (0, -f64::MAX);
        for (i, &p) in self.facets[f].outside.iter().enumerate() {
            let height = self.height(self.points[p], f);
            if height > highest {
                (best, highest) = (i, height);
            }
        }
        let facet = &mut self.facets[f];
        let p = facet.outside.swap_remove(best);
        facet.outside.push(p);
        facet.furthest = highest;
        facet.not_furthest = false;
    }

    fn add_point(&mut self, p: usize, f: usize) -> Step<()> {
        self.outside_bound = self.max_outside.max(self.tol.one_merge + self.tol.round).max(self.tol.outside);
        self.find_horizon(p, f)?;
        self.first_made = self.facets.len();
        self.make_cone(p)?;
        self.match_cone()?;
        let mut f = self.fresh;
        while self.has_facet(f) {
            if !self.facets[f].merge_horizon {
                self.set_plane(f);
            }
            f = self.facets[f].next;
        }
        self.update_cone_neighbors();

        self.search_all = false;
        self.merge_new()?;
        self.search_all = self.many_merges();
        let mut f = self.fresh;
        while self.has_facet(f) && !self.search_all {
            self.search_all = !self.facets[f].simplicial;
            f = self.facets[f].next;
        }
        self.partition_visible()?;
        self.search_all = false;
        self.not_sharp = false;
        self.delete_visible();
        self.reset_lists(true);
        self.merge_vertices()
    }

    /// Collects the visible facets, and marks the facets around them that the point is coplanar with.
    fn find_horizon(&mut self, p: usize, f: usize) -> Step<()> {
        let point = self.points[p];
        self.requeue_facet(f);
        self.n_visible = 1;
        self.visible = f;
        self.facets[f].visible = true;
        self.facets[f].link = NIL;
        self.visit += 1;
        let visit = self.visit;
        let mut horizon = false;
        let mut at = f;
        while self.is_visible(at) {
            self.facets[at].visit = visit;
            for i in 0..self.facets[at].neighbors.len() {
                let n = self.facets[at].neighbors[i];
                if self.facets[n].visit == visit {
                    continue;
                }
                self.facets[n].visit = visit;
                let height = self.height(point, n);
                if height > self.tol.visible {
                    self.requeue_facet(n);
                    self.facets[n].visible = true;
                    self.facets[n].link = NIL;
                    self.n_visible += 1;
                    continue;
                }
                horizon = true;
                let coplanar = height >= -self.tol.visible;
                self.facets[n].coplanar_horizon = coplanar;
                if coplanar && height > 0.0 {
                    self.max_outside = self.max_outside.max(height);
                    self.facets[n].max_outside = self.facets[n].max_outside.max(height);
                } else if coplanar {
                    self.min_vertex = self.min_vertex.min(height);
                }
            }
            at = self.facets[at].next;
        }
        if horizon { Ok(()) } else { Err(HullError::Irregular) }
    }

    /// Makes a facet from the point to every ridge between a visible and a horizon facet.
    fn make_cone(&mut self, p: usize) -> Step<()> {
        self.fresh = TAIL;
        self.fresh_vertex = TAIL;
        let apex = self.make_vertex(p);
        self.append_vertex(apex);
        self.visit += 1;
        // replacements found at one visible facet serve the next ones as well
        let (mut from_ridges, mut last) = (NIL, NIL);
        let mut f = self.visible;
        while self.is_visible(f) {
            for i in 0..self.facets[f].neighbors.len() {
                let n = self.facets[f].neighbors[i];
                self.facets[n].seen = false;
            }
            if self.facets[f].ridged {
                self.facets[f].visit = self.visit;
                from_ridges = self.cone_over_ridges(f, apex)?;
            }
            if self.facets[f].simplicial {
                last = self.cone_over_triangle(f, apex)?;
            }
            if from_ridges != NIL {
                last = from_ridges;
            }
            if last != NIL {
                self.facets[f].link = last;
            }
            self.facets[f].ridges.clear();
            self.facets[f].neighbors.clear();
            f = self.facets[f].next;
        }
        Ok(())
    }

    /// New facets over the horizon of a visible triangle; the last one.
    fn cone_over_triangle(&mut self, visible: usize, apex: usize) -> Step<usize> {
        let mut last = NIL;
        for i in 0..self.facets[visible].neighbors.len() {
            let n = self.facets[visible].neighbors[i];
            if self.facets[n].seen || self.facets[n].visible {
                continue;
            }
            let neighbor = &self.facets[n];
            let skip = neighbor.neighbors.iter().position(|&g| g == visible).ok_or(HullError::Irregular)?;
            if skip > 2 || neighbor.vertices.len() != 3 {
                return Err(HullError::Irregular);
            }
            let mut vertices = neighbor.vertices.clone();
            vertices.remove(skip);
            vertices.insert(0, apex);
            let top = neighbor.top == (skip % 2 == 1);
            let f = self.make_cone_facet(vertices, top, n);
            if self.facets[n].coplanar_horizon {
                self.facets[f].link = f;
                self.facets[f].merge_horizon = true;
            }
            self.facets[n].neighbors[skip] = f;
            last = f;
        }
        Ok(last)
    }

    /// New facets over the ridges of a polygon: those to the horizon of a visible one, or all of a polygon
    /// that is triangulated. Returns the last one.
    pub fn cone_over_ridges(&mut self, visible: usize, apex: usize) -> Step<usize> {
        let mut last = NIL;
        for i in 0..self.facets[visible].ridges.len() {
            let r = self.facets[visible].ridges[i];
            let ridge = self.ridges[r];
            let n = ridge.other(visible);
            if !self.facets[n].visible {
                let top = ridge.top == visible;
                let f = self.make_cone_facet(vec![apex, ridge.vertices[0], ridge.vertices[1]], top, n);
                if self.facets[n].coplanar_horizon {
                    self.add_to_cycle(f, n);
                }
                if self.facets[n].seen {
                    if self.facets[n].simplicial {
                        return Err(HullError::Irregular);
                    }
                    self.facets[n].neighbors.push(f);
                } else {
                    replace(&mut self.facets[n].neighbors, visible, f)?;
                }
                if self.facets[n].simplicial {
                    take_out(&mut self.facets[n].ridges, r);
                } else {
                    self.give_ridge(f, r);
                    let side = if top { &mut self.ridges[r].top } else { &mut self.ridges[r].bottom };
                    *side = f;
                }
                last = f;
            }
            self.facets[n].seen = true;
        }
        Ok(last)
    }

    /// Links a new facet with the others that will be merged into the same horizon facet.
    fn add_to_cycle(&mut self, f: usize, horizon: usize) {
        self.facets[f].merge_horizon = true;
        if self.facets[horizon].seen {
            let first = self.facets[horizon].link;
            self.facets[f].link = self.facets[first].link;
            self.facets[first].link = f;
        } else {
            self.facets[f].link = f;
            self.facets[horizon].link = f;
        }
    }

    fn make_cone_facet(&mut self, vertices: Vec<usize>, top: bool, horizon: usize) -> usize {
        for &v in &vertices {
            self.touch_vertex(v);
        }
        let f = self.make_facet();
        let facet = &mut self.facets[f];
        facet.vertices = vertices;
        facet.top = top;
        facet.neighbors = vec![horizon, NIL, NIL];
        self.append_facet(f);
        f
    }

    /// Makes the new facets neighbours of each other.
    pub fn match_cone(&mut self) -> Step<()> {
        self.vertex_visit += 1;
        let mut cone = Cone { stamp: self.vertex_visit, ..Cone::default() };
        let mut duplicates = false;
        let mut f = self.fresh;
        while self.has_facet(f) {
            for skip in [1, 2] {
                duplicates |= self.match_ridge(&mut cone, f, skip)?;
            }
            f = self.facets[f].next;
        }
        if duplicates {
            let mut f = self.fresh;
            while self.has_facet(f) {
                for skip in 1..3 {
                    if self.facets[f].dup_ridge && self.facets[f].neighbors[skip] == DUPLICATE {
                        self.match_duplicate(&cone, f, skip)?;
                    }
                }
                f = self.facets[f].next;
            }
        }
        let mut f = self.fresh;
        while self.has_facet(f) {
            if self.facets[f].neighbors.iter().any(|&n| n == NIL || n == DUPLICATE) {
                return Err(HullError::Irregular);
            }
            f = self.facets[f].next;
        }
        Ok(())
    }

    /// Vertex of a new facet, other than the apex, on the ridge opposite to its vertex `skip`.
    fn ridge_vertex(&self, f: usize, skip: usize) -> usize {
        self.facets[f].vertices[3 - skip]
    }

    /// Place of the ridge with this vertex in another new facet.
    fn ridge_slot(&self, f: usize, vertex: usize) -> usize {
        if self.facets[f].vertices[1] == vertex { 2 } else { 1 }
    }

    /// Whether two facets have consistent orientation at a common ridge.
    fn is_oriented(&self, f: usize, slot: usize, g: usize, other: usize) -> bool {
        (slot % 2 == other % 2) == (self.facets[f].top != self.facets[g].top)
    }

    /// New facets at a ridge of the cone, in the order they claimed it.
    fn claims(&self, cone: &Cone, vertex: usize) -> Vec<usize> {
        let first = Some(self.vertices[vertex].claim).filter(|c| c.0 == cone.stamp).map(|c| c.1);
        let extra = cone.extra.iter().filter(|(v, _)| *v == vertex).map(|(_, f)| *f);
        first.into_iter().chain(extra).collect()
    }

    fn claim(&mut self, cone: &mut Cone, vertex: usize, f: usize) {
        if self.vertices[vertex].claim.0 != cone.stamp {
            self.vertices[vertex].claim = (cone.stamp, f);
        } else if !self.claims(cone, vertex).contains(&f) {
            cone.extra.push((vertex, f));
        }
    }

    /// Finds the neighbour of a new facet; whether the ridge is claimed by several.
    fn match_ridge(&mut self, cone: &mut Cone, f: usize, skip: usize) -> Step<bool> {
        let vertex = self.ridge_vertex(f, skip);
        let first = self.vertices[vertex].claim;
        let g = match first {
            (stamp, g) if stamp == cone.stamp && g != f => g,
            (stamp, _) if stamp == cone.stamp => self.claims(cone, vertex).into_iter().find(|&g| g != f).unwrap_or(NIL),
            _ => NIL,
        };
        if g == NIL {
            self.claim(cone, vertex, f);
            return Ok(false);
        }
        let slot = self.ridge_slot(g, vertex);
        let match_of_g = self.facets[g].neighbors[slot];
        if match_of_g == NIL && self.is_oriented(f, skip, g, slot) {
            self.facets[g].neighbors[slot] = f;
            self.facets[f].neighbors[skip] = g;
            return Ok(false);
        }
        self.facets[f].neighbors[skip] = DUPLICATE;
        self.facets[f].dup_ridge = true;
        self.claim(cone, vertex, f);
        if match_of_g != DUPLICATE {
            self.facets[g].neighbors[slot] = DUPLICATE;
            self.facets[g].dup_ridge = true;
            if match_of_g != NIL {
                replace(&mut self.facets[match_of_g].neighbors, g, DUPLICATE)?;
                self.facets[match_of_g].dup_ridge = true;
                self.claim(cone, vertex, match_of_g);
            }
        }
        Ok(true)
    }

    /// Pairs the facets at a duplicate ridge. Those that would become widest if merged become neighbours; the
    /// others will be merged.
    fn match_duplicate(&mut self, cone: &Cone, at: usize, skip: usize) -> Step<()> {
        let vertex = self.ridge_vertex(at, skip);
        let mut list = self.claims(cone, vertex);
        list.retain(|&g| self.facets[g].dup_ridge);
        let (good, widest) = self.best_duplicates(&list, at, skip)?;
        let chosen = good.or(widest).ok_or(HullError::Irregular)?;
        self.facets[chosen.facets[0]].neighbors[chosen.slots[0]] = chosen.facets[1];
        self.facets[chosen.facets[1]].neighbors[chosen.slots[1]] = chosen.facets[0];

        // the rest: one side knows the other, which will be merged into it
        let mut odd = good;
        self.visit += 1;
        let (mut f, mut slot) = (at, skip);
        loop {
            self.facets[f].visit = self.visit;
            let (mut next, mut next_slot) = (NIL, 0);
            for &g in &list {
                if self.facets[g].visit == self.visit {
                    continue;
                }
                let other = self.ridge_slot(g, vertex);
                if self.facets[g].neighbors[other] != DUPLICATE {
                    continue;
                }
                if !self.is_oriented(f, slot, g, other) {
                    (next, next_slot) = (g, other);
                } else if self.facets[f].neighbors[slot] == DUPLICATE {
                    self.facets[g].neighbors[other] = f;
                    self.facets[f].neighbors[slot] = UNMATCHED;
                    if self.facets[f].tricoplanar {
                        self.facets[f].neighbors[slot] = g;
                    } else if let Some(pair) = odd.take() {
                        self.facets[pair.facets[1]].neighbors[pair.slots[1]] = UNMATCHED;
                        self.facets[f].neighbors[slot] = g;
                    }
                }
            }
            if self.facets[f].neighbors[slot] == DUPLICATE {
                return Err(HullError::Irregular);
            }
            if next == NIL {
                return Ok(());
            }
            (f, slot) = (next, next_slot);
        }
    }

    /// Among the pairs at a duplicate ridge: the best one that is narrow enough to be merged, and the widest.
    fn best_duplicates(&mut self, list: &[usize], at: usize, skip: usize) -> Step<(Option<Pair>, Option<Pair>)> {
        let narrow = WIDE_DUPLICATE * (self.tol.one_merge + self.tol.round);
        let vertex = self.ridge_vertex(at, skip);
        let (mut good, mut widest): (Option<Pair>, Option<Pair>) = (None, None);
        self.visit += 1;
        let (mut f, mut slot) = (at, skip);
        loop {
            self.facets[f].visit = self.visit;
            let (mut next, mut next_slot) = (NIL, 0);
            for &g in list {
                if self.facets[g].visit == self.visit {
                    continue;
                }
                let other = self.ridge_slot(g, vertex);
                if self.facets[g].neighbors[other] != DUPLICATE {
                    return Err(HullError::Irregular);
                }
                if !self.is_oriented(f, slot, g, other) {
                    (next, next_slot) = (g, other);
                    continue;
                }
                if self.facets[f].neighbors[slot] != DUPLICATE {
                    continue;
                }
                for x in [g, f] {
                    if self.facets[x].normal.is_none() {
                        self.set_plane(x);
                    }
                }
                let (to_f, to_g) = (self.spread(g, f).0, self.spread(f, g).0);
                let pair = |distance| Pair { facets: [g, f], slots: [other, slot], distance };
                let turned = |distance| Pair { facets: [f, g], slots: [slot, other], distance };
                let twins = self.facets[f].vertices[slot] == self.facets[g].vertices[other];
                if twins {
                    (good, widest) = (None, Some(pair(to_f.min(to_g))));
                    break;
                }
                let (flip_f, flip_g) = (self.facets[f].flipped, self.facets[g].flipped);
                let candidate = if flip_g && !flip_f && to_f < narrow {
                    Some((pair(to_f), true))
                } else if flip_f && !flip_g && to_g < narrow {
                    Some((turned(to_g), true))
                } else if to_f < narrow && (!flip_f || flip_g) {
                    Some((pair(to_f), false))
                } else if to_g < narrow && (!flip_g || flip_f) {
                    Some((turned(to_g), false))
                } else {
                    None
                };
                match (candidate, good) {
                    (Some((new, _)), None) => good = Some(new),
                    (Some((new, flips)), Some(old)) => {
                        let old_flipped = self.facets[old.facets[0]].flipped;
                        let closer = new.distance < old.distance;
                        if if flips { !old_flipped || closer } else { !old_flipped && closer } {
                            good = Some(new);
                        }
                    }
                    (None, None) => {
                        let distance = if !flip_f || flip_g { to_f.min(to_g) } else { to_f };
                        if widest.is_none_or(|w| distance > w.distance) {
                            widest = Some(pair(distance));
                        }
                    }
                    (None, Some(_)) => {}
                }
            }
            if next == NIL {
                return Ok((good, widest));
            }
            (f, slot) = (next, next_slot);
        }
    }

    /// Updates the facets that vertices know, and finds vertices that lie inside now.
    fn update_cone_neighbors(&mut self) {
        if self.neighbored {
            let mut v = self.fresh_vertex;
            while self.has_vertex(v) {
                let mut neighbors = std::mem::take(&mut self.vertices[v].neighbors);
                let mut i = 0;
                while i < neighbors.len() {
                    if self.facets[neighbors[i]].visible {
                        neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                self.vertices[v].neighbors = neighbors;
                v = self.vertices[v].next;
            }
            let mut f = self.fresh;
            while self.has_facet(f) {
                for i in 0..self.facets[f].vertices.len() {
                    let v = self.facets[f].vertices[i];
                    self.vertices[v].neighbors.push(f);
                }
                f = self.facets[f].next;
            }
        }
        self.bury_vertices();
    }

    /// Marks vertices of visible facets that belong to no other facet.
    pub fn bury_vertices(&mut self) {
        let mut f = self.visible;
        while self.is_visible(f) {
            for i in 0..self.facets[f].vertices.len() {
                let v = self.facets[f].vertices[i];
                if self.vertices[v].fresh || self.vertices[v].deleted {
                    continue;
                }
                if self.neighbored && self.vertices[v].neighbors.iter().any(|&n| !self.facets[n].visible) {
                    take_out(&mut self.vertices[v].neighbors, f);
                } else {
                    self.kill_vertex(v);
                }
            }
            f = self.facets[f].next;
        }
    }
}
