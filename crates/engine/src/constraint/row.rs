//! Adding rows to the list of constraints.

use crate::data::Efc;
use crate::data::scratch::Block;
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
    nv: usize,
    sparse: bool,
}

impl<'a> Rows<'a> {
    /// Starts with no rows.
    pub fn new(m: &Model, efc: &'a mut Efc) -> Self {
        efc.clear_rows();
        Rows { efc, nv: m.nv, sparse: is_sparse(m) }
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
            self.push_jacobian(block, r);
            self.efc.efc_type.push(group.kind as i32);
            self.efc.efc_id.push(group.id as i32);
            self.efc.efc_pos.push(group.pos[r]);
            self.efc.efc_margin.push(group.margin);
            self.efc.efc_frictionloss.push(group.frictionloss);
            self.efc.efc_diagApprox.push(group.diag[r]);
        }
        let count = match group.kind {
            ConstraintType::Equality => &mut self.efc.ne,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => &mut self.efc.nf,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => &mut self.efc.nl,
            _ => return,
        };
        *count += group.size as i32;
    }

    fn push_jacobian(&mut self, block: &Block, r: usize) {
        let adr = self.efc.efc_J.len();
        if self.sparse {
            self.efc.efc_J_rowadr.push(adr as i32);
            self.efc.efc_J_rownnz.push(block.dofs.len() as i32);
            self.efc.efc_J_colind.extend_from_slice(&block.dofs);
            self.efc.efc_J.extend(block.cols.iter().map(|col| col[r]));
        } else {
            self.efc.efc_J.resize(adr + self.nv, 0.0);
            let row = &mut self.efc.efc_J[adr..];
            block.dofs.iter().zip(&block.cols).for_each(|(&dof, col)| row[dof as usize] = col[r]);
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
        efc.efc_J_rowsuper.resize(n, 0);
        efc.efc_state.resize(n, 0);
        for v in
            [&mut efc.efc_D, &mut efc.efc_R, &mut efc.efc_vel, &mut efc.efc_aref, &mut efc.efc_b, &mut efc.efc_force]
        {
            v.resize(n, 0.0);
        }
        efc.efc_KBIP.resize(n, [0.0; 4]);
    }
}
