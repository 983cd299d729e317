//! Facets, ridges and vertices of a hull in the making, and the lists they are kept in.
//!
//! Facets form one list. While a point is added, the facets it sees stand near the end (`visible`), followed
//! by the facets that replace them (`fresh`); element 0 of the arena is the end of the list. Vertices form
//! another list, those touched by new facets at its end. Order in these lists decides the order of the result.

use super::HullError;
use super::plane::Tolerance;

/// Result of a step of construction.
pub(super) type Step<T> = Result<T, HullError>;

/// No facet, vertex or ridge.
pub(super) const NIL: usize = usize::MAX;
/// In a list of neighbours: several facets claim the ridge.
pub(super) const DUPLICATE: usize = usize::MAX - 1;
/// In a list of neighbours: the ridge was matched elsewhere, the facet must be merged.
pub(super) const UNMATCHED: usize = usize::MAX - 2;
/// End of the facet and vertex lists.
pub(super) const TAIL: usize = 0;

/// A triangle (`simplicial`) or a polygon made by merging.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Unit normal; absent for facets that will be merged into the horizon.
    pub normal: Option<[f64; 3]>,
    /// `normal · x + offset = 0`.
    pub offset: f64,
    /// Mean of the vertices projected to the plane; kept while valid.
    pub center: Option<[f64; 3]>,
    /// Upper bound on the height of any point above the plane.
    pub max_outside: f64,
    /// Height of the last outside point.
    pub furthest: f64,
    /// Vertices by decreasing number.
    pub vertices: Vec<usize>,
    /// Neighbours; for triangles, neighbour `i` is opposite vertex `i`.
    pub neighbors: Vec<usize>,
    /// Ridges to neighbours that are no triangles, or all of them for polygons.
    pub ridges: Vec<usize>,
    /// Points above the facet, the furthest one last.
    pub outside: Vec<usize>,
    /// Points so close to the facet that they may need attention, the furthest one last.
    pub coplanar: Vec<usize>,
    pub previous: usize,
    pub next: usize,
    /// Of a visible facet: its replacement. Of a new facet to be merged into the horizon: the next one with
    /// the same horizon facet, in a cycle. Of a horizon facet: a new facet of that cycle.
    pub link: usize,
    pub visit: u64,
    pub merges: u32,
    /// Orientation: vertices are listed clockwise seen from outside.
    pub top: bool,
    pub simplicial: bool,
    pub visible: bool,
    pub fresh: bool,
    pub seen: bool,
    pub flipped: bool,
    /// Has had ridges, even if there are none now.
    pub ridged: bool,
    pub not_furthest: bool,
    pub tricoplanar: bool,
    pub dup_ridge: bool,
    pub merge_ridge: bool,
    pub merge_ridge2: bool,
    pub coplanar_horizon: bool,
    pub merge_horizon: bool,
    pub cycle_done: bool,
    pub tested: bool,
    pub keep_center: bool,
    pub new_merge: bool,
    pub degenerate: bool,
    pub redundant: bool,
}

/// A hull vertex.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub point: usize,
    /// Facets around, once [`Quickhull::vertex_neighbors`] has been called.
    pub neighbors: Vec<usize>,
    pub previous: usize,
    pub next: usize,
    pub visit: u64,
    /// First new facet at the ridge from the apex to this vertex, and the cone it belongs to.
    pub claim: (u64, usize),
    pub seen: bool,
    /// A ridge at the vertex has disappeared.
    pub del_ridge: bool,
    pub deleted: bool,
    pub fresh: bool,
    pub partitioned: bool,
}

/// An edge between two facets, at least one of which is or was a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    /// By decreasing number.
    pub vertices: [usize; 2],
    pub top: usize,
    pub bottom: usize,
    pub nonconvex: bool,
    pub tested: bool,
}

impl Ridge {
    /// The facet on the other side.
    #[inline]
    pub fn other(&self, facet: usize) -> usize {
        if self.top == facet { self.bottom } else { self.top }
    }

    /// The other end.
    #[inline]
    pub fn other_vertex(&self, vertex: usize) -> usize {
        if self.vertices[0] == vertex { self.vertices[1] } else { self.vertices[0] }
    }
}

/// Why two facets are merged, in the order that merges are made (the last first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Coplanar,
    Concave,
    ConcaveCoplanar,
    Flip,
    DupRidge,
    Degenerate,
    Redundant,
    Mirror,
    CoplanarHorizon,
}

/// A merge to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub reason: Reason,
    pub facets: [usize; 2],
    pub distance: f64,
}

/// A vertex to be merged with another, because two ridges have the same vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexMerge {
    pub from: usize,
    pub to: usize,
    pub ridges: [usize; 2],
    pub distance: f64,
}

/// A hull in the making.
pub(super) struct Quickhull<'a> {
    pub points: &'a [[f64; 3]],
    pub tol: Tolerance,
    pub interior: [f64; 3],
    pub facets: Vec<Facet>,
    pub vertices: Vec<Vertex>,
    pub ridges: Vec<Ridge>,

    pub first_facet: usize,
    pub first_vertex: usize,
    /// Where the search for outside points goes on.
    pub next_facet: usize,
    pub visible: usize,
    pub fresh: usize,
    pub fresh_vertex: usize,
    /// First facet made for the current point.
    pub first_made: usize,
    pub n_facets: usize,
    pub n_vertices: usize,
    pub n_visible: usize,

    pub visit: u64,
    pub vertex_visit: u64,
    /// Vertices know their facets.
    pub neighbored: bool,
    /// The initial simplex is nearly flat.
    pub narrow: bool,
    /// Look at all new facets for the best one.
    pub search_all: bool,
    /// New facets were found not to point in many directions.
    pub not_sharp: bool,
    pub total_merges: usize,
    pub max_outside: f64,
    pub min_vertex: f64,
    /// Bound used to recognise points that were given to a wrong facet.
    pub outside_bound: f64,
    pub repartitioned: usize,

    pub facet_merges: Vec<Merge>,
    pub degenerate_merges: Vec<Merge>,
    pub vertex_merges: Vec<VertexMerge>,
    pub dead_vertices: Vec<usize>,
    /// Scratch of the horizon search.
    pub pending: Vec<usize>,
}

/// Removes an item, putting the last one in its place; whether it was there.
pub(super) fn take_out(list: &mut Vec<usize>, item: usize) -> bool {
    let at = list.iter().position(|&x| x == item);
    if let Some(at) = at {
        list.swap_remove(at);
    }
    at.is_some()
}

/// Removes an item and keeps the order.
pub(super) fn take_out_sorted(list: &mut Vec<usize>, item: usize) {
    if let Some(at) = list.iter().position(|&x| x == item) {
        list.remove(at);
    }
}

/// Puts one item in the place of another that must be there.
pub(super) fn replace(list: &mut [usize], old: usize, new: usize) -> Step<()> {
    let slot = list.iter_mut().find(|x| **x == old).ok_or(HullError::Irregular)?;
    *slot = new;
    Ok(())
}

/// Inserts before the last item.
pub(super) fn insert_before_last(list: &mut Vec<usize>, item: usize) {
    list.push(item);
    let n = list.len();
    if n > 1 {
        list.swap(n - 2, n - 1);
    }
}

impl Quickhull<'_> {
    /// Whether a position in the facet list is a facet rather than the end.
    #[inline]
    pub fn has_facet(&self, f: usize) -> bool {
        f != NIL && f != TAIL
    }

    /// Whether a position in the vertex list is a vertex rather than the end.
    #[inline]
    pub fn has_vertex(&self, v: usize) -> bool {
        v != NIL && v != TAIL
    }

    /// Whether a position is in the visible part of the facet list.
    #[inline]
    pub fn is_visible(&self, f: usize) -> bool {
        f != NIL && self.facets[f].visible
    }

    /// A facet outside of the list.
    pub fn make_facet(&mut self) -> usize {
        self.facets.push(Facet {
            normal: None,
            offset: 0.0,
            center: None,
            max_outside: self.tol.round,
            furthest: 0.0,
            vertices: Vec::new(),
            neighbors: Vec::new(),
            ridges: Vec::new(),
            outside: Vec::new(),
            coplanar: Vec::new(),
            previous: NIL,
            next: NIL,
            link: NIL,
            visit: 0,
            merges: 0,
            top: false,
            simplicial: true,
            visible: false,
            fresh: true,
            seen: false,
            flipped: false,
            ridged: false,
            not_furthest: false,
            tricoplanar: false,
            dup_ridge: false,
            merge_ridge: false,
            merge_ridge2: false,
            coplanar_horizon: false,
            merge_horizon: false,
            cycle_done: false,
            tested: false,
            keep_center: false,
            new_merge: false,
            degenerate: false,
            redundant: false,
        });
        self.facets.len() - 1
    }

    /// A vertex outside of the list.
    pub fn make_vertex(&mut self, point: usize) -> usize {
        self.vertices.push(Vertex {
            point,
            neighbors: Vec::new(),
            previous: NIL,
            next: NIL,
            visit: 0,
            claim: (0, NIL),
            seen: false,
            del_ridge: false,
            deleted: false,
            fresh: false,
            partitioned: false,
        });
        self.vertices.len() - 1
    }

    /// A ridge, known to both facets.
    pub fn make_ridge(&mut self, vertices: [usize; 2], top: usize, bottom: usize) -> usize {
        self.ridges.push(Ridge { vertices, top, bottom, nonconvex: false, tested: false });
        self.ridges.len() - 1
    }

    /// Adds a ridge to a facet.
    pub fn give_ridge(&mut self, f: usize, ridge: usize) {
        self.facets[f].ridges.push(ridge);
        self.facets[f].ridged = true;
    }

    pub fn append_facet(&mut self, f: usize) {
        if self.fresh == TAIL {
            self.fresh = f;
            if self.visible == TAIL {
                self.visible = f;
            }
        }
        if self.next_facet == TAIL {
            self.next_facet = f;
        }
        let last = self.facets[TAIL].previous;
        self.facets[f].previous = last;
        self.facets[f].next = TAIL;
        if last == NIL {
            self.first_facet = f;
        } else {
            self.facets[last].next = f;
        }
        self.facets[TAIL].previous = f;
        self.n_facets += 1;
    }

    pub fn remove_facet(&mut self, f: usize) {
        let (previous, next) = (self.facets[f].previous, self.facets[f].next);
        for head in [&mut self.fresh, &mut self.next_facet, &mut self.visible] {
            if *head == f {
                *head = next;
            }
        }
        if previous == NIL {
            self.first_facet = next;
        } else {
            self.facets[previous].next = next;
        }
        self.facets[next].previous = previous;
        self.n_facets -= 1;
    }

    /// Moves a facet to the end.
    pub fn requeue_facet(&mut self, f: usize) {
        self.remove_facet(f);
        self.append_facet(f);
    }

    /// Inserts a facet before another position in the list.
    pub fn insert_facet(&mut self, f: usize, before: usize) {
        let previous = self.facets[before].previous;
        self.facets[f].previous = previous;
        self.facets[f].next = before;
        if previous != NIL {
            self.facets[previous].next = f;
        }
        self.facets[before].previous = f;
        if self.first_facet == before {
            self.first_facet = f;
        }
        if self.next_facet == before {
            self.next_facet = f;
        }
        self.n_facets += 1;
    }

    /// Moves a facet to the front of the visible ones; it will be deleted.
    pub fn will_delete(&mut self, f: usize, replacement: usize) {
        self.remove_facet(f);
        let before = if self.visible == NIL { TAIL } else { self.visible };
        self.insert_facet(f, before);
        self.visible = f;
        self.n_visible += 1;
        let facet = &mut self.facets[f];
        facet.visible = true;
        facet.link = replacement;
        facet.ridges.clear();
        facet.neighbors.clear();
    }

    pub fn append_vertex(&mut self, v: usize) {
        if self.fresh_vertex == TAIL {
            self.fresh_vertex = v;
        }
        let last = self.vertices[TAIL].previous;
        let vertex = &mut self.vertices[v];
        vertex.fresh = true;
        vertex.previous = last;
        vertex.next = TAIL;
        if last == NIL {
            self.first_vertex = v;
        } else {
            self.vertices[last].next = v;
        }
        self.vertices[TAIL].previous = v;
        self.n_vertices += 1;
    }

    pub fn remove_vertex(&mut self, v: usize) {
        let (previous, next) = (self.vertices[v].previous, self.vertices[v].next);
        if self.fresh_vertex == v {
            self.fresh_vertex = next;
        }
        if previous == NIL {
            self.first_vertex = next;
        } else {
            self.vertices[previous].next = next;
        }
        self.vertices[next].previous = previous;
        self.n_vertices -= 1;
    }

    /// Moves the vertices that no new facet has touched before to the end of the list.
    pub fn touch_vertices(&mut self, f: usize) {
        for i in 0..self.facets[f].vertices.len() {
            let v = self.facets[f].vertices[i];
            self.touch_vertex(v);
        }
    }

    pub fn touch_vertex(&mut self, v: usize) {
        if !self.vertices[v].fresh {
            self.remove_vertex(v);
            self.append_vertex(v);
        }
    }

    /// Marks a vertex for deletion.
    pub fn kill_vertex(&mut self, v: usize) {
        self.vertices[v].deleted = true;
        self.dead_vertices.push(v);
    }

    /// Facet that took the place of a deleted one, if any.
    pub fn replacement(&self, f: usize) -> Step<Option<usize>> {
        let mut at = f;
        for _ in 0..=self.facets.len() {
            if at == NIL || !self.facets[at].visible {
                return Ok((at != NIL).then_some(at));
            }
            at = self.facets[at].link;
        }
        Err(HullError::Irregular)
    }

    /// Deletes the visible facets and the dead vertices.
    pub fn delete_visible(&mut self) {
        let mut f = self.visible;
        while self.is_visible(f) {
            let next = self.facets[f].next;
            self.remove_facet(f);
            let facet = &mut self.facets[f];
            facet.vertices = Vec::new();
            facet.neighbors = Vec::new();
            facet.ridges = Vec::new();
            f = next;
        }
        self.n_visible = 0;
        for v in std::mem::take(&mut self.dead_vertices) {
            self.remove_vertex(v);
            self.vertices[v].neighbors = Vec::new();
        }
    }

    /// Ends the distinction between old and new; `unmark` makes visible facets ordinary again.
    pub fn reset_lists(&mut self, unmark: bool) {
        let mut v = self.fresh_vertex;
        while self.has_vertex(v) {
            self.vertices[v].fresh = false;
            v = self.vertices[v].next;
        }
        self.fresh_vertex = NIL;
        self.first_made = 0;
        let mut f = self.fresh;
        while self.has_facet(f) {
            self.facets[f].fresh = false;
            self.facets[f].dup_ridge = false;
            f = self.facets[f].next;
        }
        self.fresh = NIL;
        if unmark {
            let mut f = self.visible;
            while self.is_visible(f) {
                self.facets[f].link = NIL;
                self.facets[f].visible = false;
                f = self.facets[f].next;
            }
            self.n_visible = 0;
        }
        self.visible = NIL;
    }

    /// From now on vertices know their facets.
    pub fn vertex_neighbors(&mut self) {
        if self.neighbored {
            return;
        }
        let mut f = self.first_facet;
        while self.has_facet(f) {
            if !self.facets[f].visible {
                for i in 0..self.facets[f].vertices.len() {
                    let v = self.facets[f].vertices[i];
                    self.vertices[v].neighbors.push(f);
                }
            }
            f = self.facets[f].next;
        }
        self.neighbored = true;
    }
}
