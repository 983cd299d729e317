//! Writer of the constraint row list.

use super::work::Block;
use crate::data::Efc;
use crate::data::rows::RowGroups;
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::is_sparse;
use std::iter::repeat_n;

/// Attributes of a group of rows, apart from the Jacobian.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Kind of constraint.
    pub kind: ConstraintType,
    /// Id of the equality, dof, joint or tendon.
    pub id: usize,
    /// Number of rows.
    pub size: usize,
    /// Violation of each row.
    pub pos: [f64; 6],
    /// Distance at which the constraint becomes active.
    pub margin: f64,
    /// Bound on the force of a friction row.
    pub frictionloss: f64,
    /// Approximate diagonal of `J M⁻¹ Jᵀ` for each row.
    pub diag: [f64; 6],
}

impl Group {
    /// A single row.
    pub fn one(kind: ConstraintType, id: usize, pos: f64, diag: f64) -> Self {
        let first = |v: f64| [v, 0.0, 0.0, 0.0, 0.0, 0.0];
        Group { kind, id, size: 1, pos: first(pos), margin: 0.0, frictionloss: 0.0, diag: first(diag) }
    }
}

/// Writer of constraint rows.
#[derive(Debug)]
pub struct Rows<'a> {
    efc: &'a mut Efc,
    groups: &'a mut RowGroups,
    nv: usize,
    sparse: bool,
}

impl<'a> Rows<'a> {
    /// Starts with no rows.
    pub fn new(m: &Model, efc: &'a mut Efc, groups: &'a mut RowGroups) -> Self {
        efc.clear_rows();
        groups.clear();
        Rows { efc, groups, nv: m.nv, sparse: is_sparse(m) }
    }

    /// Number of rows so far.
    pub fn len(&self) -> usize {
        self.efc.efc_type.len()
    }

    /// Whether there are no rows yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Records the first row of a tendon.
    pub fn mark_tendon(&mut self, tendon: usize, row: usize) {
        let first = &mut self.efc.tendon_efcadr[tendon];
        if *first == -1 {
            *first = row as i32;
        }
    }

    /// Adds rows, unless their Jacobian is empty (sparse) or all zero (dense).
    #[doc(alias = "mj_addConstraint")]
    pub fn push(&mut self, block: &Block, group: &Group) {
        let vanishes = || block.cols.iter().all(|col| col[..group.size].iter().all(|v| *v == 0.0));
        if if self.sparse { block.dofs.is_empty() } else { vanishes() } {
            return;
        }
        for r in 0..group.size {
            self.push_jacobian(&block.dofs, block.cols.iter().map(|col| col[r]));
            self.push_row(group.kind, group.id, [group.pos[r], group.margin, group.frictionloss, group.diag[r]]);
        }
        self.end_group(&block.dofs);
        self.count(group.kind, group.size);
    }

    /// [`Rows::push`] for values stored row by row.
    pub fn push_stored<const N: usize>(&mut self, dofs: &[i32], values: [&[f64]; N], group: &Group) {
        let vanishes = || values.iter().all(|row| row.iter().all(|v| *v == 0.0));
        if if self.sparse { dofs.is_empty() } else { vanishes() } {
            return;
        }
        for (r, values) in values.into_iter().enumerate() {
            self.push_jacobian(dofs, values.iter().copied());
            self.push_row(group.kind, group.id, [group.pos[r], group.margin, group.frictionloss, group.diag[r]]);
        }
        self.end_group(dofs);
        self.count(group.kind, N);
    }

    /// Adds to the row count of a kind.
    #[inline]
    fn count(&mut self, kind: ConstraintType, rows: usize) {
        let count = match kind {
            ConstraintType::Equality => &mut self.efc.ne,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => &mut self.efc.nf,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => &mut self.efc.nl,
            _ => return,
        };
        *count += rows as i32;
    }

    /// Whether a contact that moves these dofs gets rows.
    pub fn accepts(&self, dofs: &[i32]) -> bool {
        !self.sparse || !dofs.is_empty()
    }

    /// Adds rows of a contact whose Jacobian has been added already. `first` and `others` are distance and margin, of
    /// the first row and of the others; `diag` gives the approximate diagonal of `J M⁻¹ Jᵀ` for each row.
    #[inline]
    pub fn push_contact(
        &mut self,
        kind: ConstraintType,
        id: usize,
        count: usize,
        [first, others]: [[f64; 2]; 2],
        diag: impl Fn(usize) -> f64,
    ) {
        self.efc.efc_type.extend(repeat_n(kind as i32, count));
        self.efc.efc_id.extend(repeat_n(id as i32, count));
        self.efc.efc_pos.push(first[0]);
        self.efc.efc_pos.extend(repeat_n(others[0], count - 1));
        self.efc.efc_margin.push(first[1]);
        self.efc.efc_margin.extend(repeat_n(others[1], count - 1));
        self.efc.efc_frictionloss.extend(repeat_n(0.0, count));
        self.efc.efc_diagApprox.extend((0..count).map(diag));
    }

    /// Marks the end of the rows of a constraint.
    #[inline]
    pub fn end_group(&mut self, dofs: &[i32]) {
        self.groups.push(self.efc.efc_type.len(), dofs);
    }

    #[inline]
    fn push_row(&mut self, kind: ConstraintType, id: usize, [pos, margin, frictionloss, diag]: [f64; 4]) {
        self.efc.efc_type.push(kind as i32);
        self.efc.efc_id.push(id as i32);
        self.efc.efc_pos.push(pos);
        self.efc.efc_margin.push(margin);
        self.efc.efc_frictionloss.push(frictionloss);
        self.efc.efc_diagApprox.push(diag);
    }

    /// Adds the Jacobian of a row.
    #[inline]
    fn push_jacobian(&mut self, dofs: &[i32], values: impl Iterator<Item = f64>) {
        self.push_columns(dofs, 1);
        if self.sparse {
            self.efc.efc_J.extend(values);
        } else {
            let row = self.new_rows(1);
            dofs.iter().zip(values).for_each(|(&dof, v)| row[dof as usize] = v);
        }
    }

    /// Adds the column indices of `count` rows; the values must be added next.
    #[inline]
    pub fn push_columns(&mut self, dofs: &[i32], count: usize) {
        if self.sparse {
            let (first, n) = (self.efc.efc_J.len(), dofs.len());
            self.efc.efc_J_rowadr.extend((0..count).map(|r| (first + r * n) as i32));
            self.efc.efc_J_rownnz.extend(repeat_n(n as i32, count));
            (0..count).for_each(|_| self.efc.efc_J_colind.extend_from_slice(dofs));
        }
    }

    /// Appends dense rows of zeros and returns them.
    #[inline]
    fn new_rows(&mut self, count: usize) -> &mut [f64] {
        let first = self.efc.efc_J.len();
        self.efc.efc_J.resize(first + count * self.nv, 0.0);
        &mut self.efc.efc_J[first..]
    }

    /// Adds the values of `count` rows, stored row by row.
    #[inline]
    pub fn push_values(&mut self, dofs: &[i32], count: usize, values: &[f64]) {
        if self.sparse {
            return self.efc.efc_J.extend_from_slice(values);
        }
        for r in 0..count {
            let row = self.new_rows(1);
            dofs.iter().zip(&values[r * dofs.len()..]).for_each(|(&dof, v)| row[dof as usize] = *v);
        }
    }

    /// Adds the values of two rows, `normal ± mu · tangent`.
    #[inline]
    pub fn push_edges(&mut self, dofs: &[i32], [normal, tangent]: [&[f64]; 2], mu: f64) {
        let all = normal.iter().zip(tangent).map(|(n, t)| (*n, t * mu));
        if self.sparse {
            let first = self.efc.efc_J.len();
            self.efc.efc_J.resize(first + 2 * normal.len(), 0.0);
            let (plus, minus) = self.efc.efc_J[first..].split_at_mut(normal.len());
            plus.iter_mut().zip(minus).zip(all).for_each(|((p, m), (n, t))| (*p, *m) = (n + t, n - t));
        } else {
            let nv = self.nv;
            let (plus, minus) = self.new_rows(2).split_at_mut(nv);
            dofs.iter().zip(all).for_each(|(&dof, (n, t))| {
                (plus[dof as usize], minus[dof as usize]) = (n + t, n - t);
            });
        }
    }

    /// Sets the counts and sizes the arrays that later stages fill.
    pub fn finish(self) {
        let efc = self.efc;
        let n = efc.efc_type.len();
        efc.nefc = n as i32;
        efc.nJ = efc.efc_J.len() as i32;
        efc.efc_J_rownnz.resize(n, 0);
        efc.efc_J_rowadr.resize(n, 0);
        if self.sparse {
            supernodes(efc, self.groups)
        } else {
            efc.efc_J_rowsuper.resize(n, 0)
        }
        for v in [&mut efc.efc_vel, &mut efc.efc_aref] {
            v.resize(n, 0.0);
        }
    }
}

/// Counts, for each row, the following rows with the same columns. Rows of one group share their columns.
#[doc(alias = "mju_superSparse")]
fn supernodes(efc: &mut Efc, groups: &RowGroups) {
    efc.efc_J_rowsuper.clear();
    efc.efc_J_rowsuper.resize(efc.efc_type.len(), 0);
    let mut after: &[i32] = &[];
    let mut follow = 0;
    for (rows, cols) in groups.iter().rev() {
        follow = if cols == after { follow } else { 0 };
        for row in efc.efc_J_rowsuper[rows].iter_mut().rev() {
            *row = follow;
            follow += 1;
        }
        after = cols;
    }
}
