//! Workspace of the island stage.

use crate::model::Model;

/// Buffers of the island stage.
#[derive(Clone, Debug)]
pub struct IslandWork {
    /// Union-find parent of each tree; −1 for trees without constraints.
    pub set: Vec<i32>,
    /// Whether a constraint acts on a set, by the root of the set.
    pub constrained: Vec<bool>,
    /// Next free index of each island.
    next: Vec<i32>,
}

impl IslandWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        IslandWork { set: vec![0; m.ntree], constrained: vec![false; m.ntree], next: Vec::with_capacity(m.ntree + 1) }
    }

    /// Next free index of each island and, last, of elements in no island; initially `starts` and `end`.
    pub fn next(&mut self, starts: &[i32], end: i32) -> &mut [i32] {
        self.next.clear();
        self.next.extend_from_slice(starts);
        self.next.push(end);
        &mut self.next
    }
}
