//! Room for the island stage.

use crate::model::Model;

/// Trees and places of islands.
#[derive(Clone, Debug)]
pub struct IslandWork {
    /// Sets of trees that constraints tie together.
    pub set: Vec<i32>,
    /// Whether a constraint acts on a set.
    pub constrained: Vec<bool>,
    /// Next free place of each island.
    next: Vec<i32>,
}

impl IslandWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        IslandWork { set: vec![0; m.ntree], constrained: vec![false; m.ntree], next: Vec::with_capacity(m.ntree + 1) }
    }

    /// Next free place of each island, and of what belongs to none.
    pub fn next(&mut self, starts: &[i32], end: i32) -> &mut [i32] {
        self.next.clear();
        self.next.extend_from_slice(starts);
        self.next.push(end);
        &mut self.next
    }
}
