//! Polygons made by merging are cut into triangles.

use super::HullError;
use super::state::{Merge, NIL, Quickhull, Reason, Step, TAIL, replace};

impl Quickhull<'_> {
    /// Cuts every polygon into a fan from its newest vertex. Deleted facets stay in the list, marked visible.
    pub fn triangulate(&mut self) -> Step<()> {
        self.visit += 1;
        self.fresh_vertex = TAIL;
        let (mut first_facet, mut first_vertex) = (NIL, NIL);
        let mut f = self.first_facet;
        while self.has_facet(f) {
            let next = self.facets[f].next;
            if !self.facets[f].visible && !self.facets[f].simplicial {
                if first_facet == NIL {
                    first_facet = f;
                }
                self.triangulate_facet(f, &mut first_vertex)?;
            }
            f = next;
        }
        // triangles on the ridges of the fan's own vertex are empty
        let mut f = first_facet;
        while self.has_facet(f) {
            let next = self.facets[f].next;
            if !self.facets[f].visible {
                if !self.facets[f].ridges.is_empty() {
                    return Err(HullError::Irregular);
                }
                if self.facets[f].vertices[0] == self.facets[f].vertices[1] {
                    let [a, b, _] = self.facets[f].neighbors[..] else { return Err(HullError::Irregular) };
                    self.link(f, a, f, b)?;
                    self.will_delete(f, NIL);
                }
            }
            f = next;
        }
        self.visible = TAIL;
        while let Some(merge) = self.degenerate_merges.pop() {
            if merge.reason == Reason::Mirror {
                self.delete_mirrored(merge.facets)?;
            }
        }
        self.fresh_vertex = first_vertex;
        self.visible = NIL;
        self.update_neighbors();
        self.reset_lists(false);
        Ok(())
    }

    fn triangulate_facet(&mut self, f: usize, first_vertex: &mut usize) -> Step<()> {
        self.first_made = self.facets.len();
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            self.facets[n].seen = false;
            self.facets[n].coplanar_horizon = false;
        }
        self.visible = TAIL;
        self.fresh = TAIL;
        self.facets[f].visit = self.visit;
        let apex = self.facets[f].vertices[0];
        self.cone_over_ridges(f, apex)?;
        self.will_delete(f, NIL);
        let (normal, offset) = (self.facets[f].normal, self.facets[f].offset);
        for g in self.fresh_facets() {
            let facet = &mut self.facets[g];
            facet.tricoplanar = true;
            facet.normal = normal;
            facet.offset = offset;
        }
        self.match_cone()?;
        if *first_vertex == NIL {
            *first_vertex = self.fresh_vertex;
        }
        self.fresh_vertex = NIL;
        self.visible = NIL;
        self.update_neighbors();
        self.reset_lists(false);
        Ok(())
    }

    /// Makes the neighbours of a deleted facet (or of two deleted twins) neighbours of each other. If they
    /// were neighbours already, they are the same triangle from both sides and will be deleted as well.
    fn link(&mut self, old_a: usize, a: usize, old_b: usize, b: usize) -> Step<()> {
        let (knows_b, knows_a) = (self.facets[a].neighbors.contains(&b), self.facets[b].neighbors.contains(&a));
        if knows_a != knows_b {
            return Err(HullError::Irregular);
        }
        if knows_b && !self.is_mirrored(a, b) {
            self.want_merge(a, b, Reason::Mirror, 0.0)?;
        }
        replace(&mut self.facets[b].neighbors, old_b, a)?;
        replace(&mut self.facets[a].neighbors, old_a, b)
    }

    /// Whether two facets are known to be the same triangle.
    fn is_mirrored(&self, a: usize, b: usize) -> bool {
        let same = |m: &Merge| m.facets == [a, b] || m.facets == [b, a];
        self.facets[a].redundant
            && self.facets[b].redundant
            && self.degenerate_merges.iter().any(|m| m.reason == Reason::Mirror && same(m))
    }

    fn delete_mirrored(&mut self, [a, b]: [usize; 2]) -> Step<()> {
        for i in 0..self.facets[a].neighbors.len() {
            let na = self.facets[a].neighbors[i];
            let nb = *self.facets[b].neighbors.get(i).ok_or(HullError::Irregular)?;
            if (na == b && nb == a) || self.is_mirrored(na, nb) {
                continue;
            }
            if self.facets[na].visible && self.facets[nb].visible {
                continue;
            }
            self.link(a, na, b, nb)?;
        }
        self.will_delete(a, NIL);
        self.will_delete(b, NIL);
        Ok(())
    }
}
