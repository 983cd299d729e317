//! Adding rows to the list of constraints.

use super::work::Block;
use crate::data::Efc;
use crate::data::rows::RowGroups;
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::is_sparse;

/// What a group of rows is, besides its Jacobian.
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

    /// Remembers the first row of a tendon.
    pub fn mark_tendon(&mut self, tendon: usize, row: usize) {
        let first = &mut self.efc.tendon_efcadr[tendon];
        if *first == -1 {
            *first = row as i32;
        }
    }

    /// Adds rows, unless nothing moves them.
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

    /// [`Rows::push`] of rows whose entries are stored one row after the other.
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

    /// Counts rows of a kind.
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

    /// Whether a contact that moves these dofs has rows.
    pub fn accepts(&self, dofs: &[i32]) -> bool {
        !self.sparse || !dofs.is_empty()
    }

    /// Adds rows of a contact whose Jacobian is there already; distance and the margin within which it acts, and the
    /// approximate diagonal of `J M⁻¹ Jᵀ`, by the number of the row.
    #[inline]
    pub fn push_contact(
        &mut self,
        kind: ConstraintType,
        id: usize,
        count: usize,
        distance: impl Fn(usize) -> [f64; 2],
        diag: impl Fn(usize) -> f64,
    ) {
        self.efc.efc_type.extend((0..count).map(|_| kind as i32));
        self.efc.efc_id.extend((0..count).map(|_| id as i32));
        self.efc.efc_pos.extend((0..count).map(|r| distance(r)[0]));
        self.efc.efc_margin.extend((0..count).map(|r| distance(r)[1]));
        self.efc.efc_frictionloss.extend((0..count).map(|_| 0.0));
        self.efc.efc_diagApprox.extend((0..count).map(diag));
    }

    /// Ends the rows of a constraint.
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
    pub fn push_jacobian(&mut self, dofs: &[i32], values: impl Iterator<Item = f64>) {
        let adr = self.efc.efc_J.len();
        if self.sparse {
            self.efc.efc_J_rowadr.push(adr as i32);
            self.efc.efc_J_rownnz.push(dofs.len() as i32);
            self.efc.efc_J_colind.extend_from_slice(dofs);
            self.efc.efc_J.extend(values);
        } else {
            self.efc.efc_J.resize(adr + self.nv, 0.0);
            let row = &mut self.efc.efc_J[adr..];
            dofs.iter().zip(values).for_each(|(&dof, v)| row[dof as usize] = v);
        }
    }

    /// Sizes everything that later stages fill, and the counts.
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

/// Counts, for each row, the rows that follow with the same columns, which those of one group have.
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
