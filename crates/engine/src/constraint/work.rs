//! Workspace of the constraint stage.

use super::motion::Motion;
use crate::model::Model;
use crate::support::row::{RowSum, RowWork};

/// Buffers of the constraint stage.
#[derive(Clone, Debug)]
pub struct ConstraintWork {
    /// Rows of one constraint.
    pub block: Block,
    /// Relative motion at one contact.
    pub motion: Motion,
    /// Accumulator for a sparse row.
    pub sum: RowWork,
}

impl ConstraintWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let block = Block { dofs: Vec::with_capacity(m.nv), cols: Vec::with_capacity(m.nv) };
        ConstraintWork { block, motion: Motion::new(m.nv), sum: RowWork::new(m.nv) }
    }
}

/// Up to six Jacobian rows with common columns.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Dofs in increasing order.
    pub dofs: Vec<i32>,
    /// Values of all rows at each dof.
    pub cols: Vec<[f64; 6]>,
}

impl Block {
    /// Removes all columns.
    pub fn clear(&mut self) {
        self.dofs.clear();
        self.cols.clear();
    }

    /// Appends a column; `dof` must be greater than all others.
    #[inline]
    pub fn push(&mut self, dof: usize, col: [f64; 6]) {
        self.dofs.push(dof as i32);
        self.cols.push(col);
    }

    /// The column of a dof; a zero column is inserted if there is none.
    pub fn column(&mut self, dof: usize) -> &mut [f64; 6] {
        let dof = dof as i32;
        // dofs mostly come in increasing order
        let place = match self.dofs.last() {
            Some(&last) if last >= dof => self.dofs.binary_search(&dof),
            _ => Err(self.dofs.len()),
        };
        let at = place.unwrap_or_else(|at| {
            self.dofs.insert(at, dof);
            self.cols.insert(at, [0.0; 6]);
            at
        });
        &mut self.cols[at]
    }

    /// Moves an accumulated row to the first row of an empty block.
    pub fn take(&mut self, row: RowSum) {
        row.drain(|dof, value| self.push(dof as usize, [value, 0.0, 0.0, 0.0, 0.0, 0.0]));
    }
}
