//! Memory of constraint rows, islands and solutions, and the dofs that the rows of each constraint move.

use super::capacity::Capacity;
use super::{Dual, Efc, Island, Solution};
use crate::bytes::{BytesError, Reader, Writer};
use crate::fields::{Slice, SliceMut};
use crate::model::Model;
use crate::support::is_sparse;

/// The dofs that the rows of each constraint move, by constraint. Known when rows are made, so that no stage has to
/// look for zeros in dense rows.
#[derive(Clone, Debug, Default)]
pub struct RowGroups {
    /// End of the rows and end of the columns of each constraint.
    ends: Vec<[usize; 2]>,
    cols: Vec<i32>,
}

impl RowGroups {
    /// Empty groups with capacity for a model's rows.
    pub(super) fn with_capacity(m: &Model) -> Self {
        let Capacity { rows, entries, .. } = Capacity::new(m);
        RowGroups { ends: Vec::with_capacity(rows), cols: Vec::with_capacity(entries) }
    }

    /// Copies other groups, within the capacity.
    pub(super) fn copy_from(&mut self, src: &Self) {
        self.ends.clone_from(&src.ends);
        self.cols.clone_from(&src.cols);
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.cols.clear();
    }

    /// Adds a group: the rows since the last call, up to `end`, and their columns.
    #[inline]
    pub fn push(&mut self, end: usize, cols: &[i32]) {
        self.cols.extend_from_slice(cols);
        self.ends.push([end, self.cols.len()]);
    }

    /// Appends the groups to a saved simulation.
    pub(super) fn write(&self, w: &mut Writer) {
        w.u64(self.ends.len() as u64);
        self.ends.as_flattened().iter().for_each(|&end| w.u64(end as u64));
        w.slice(Slice::I32(&self.cols));
    }

    /// Reads the output of [`RowGroups::write`] for up to `rows` rows over `nv` dofs.
    pub(super) fn read(r: &mut Reader<'_>, rows: usize, nv: usize) -> Result<Self, BytesError> {
        let found = r.u64()?;
        let wrong = |expected| BytesError::Shape { field: "columns of constraint rows", expected, found };
        if found > rows as u64 {
            return Err(wrong(rows));
        }
        let mut groups = RowGroups::default();
        let mut last = [0; 2];
        for _ in 0..found {
            let end = [r.u64()? as usize, r.u64()? as usize];
            if end[0] < last[0] || end[0] > rows || end[1] < last[1] || end[1] - last[1] > nv {
                return Err(wrong(rows));
            }
            groups.ends.push(end);
            last = end;
        }
        if last[1] > r.0.len() / size_of::<i32>() {
            return Err(BytesError::Length { expected: last[1] as u128, found: r.0.len() });
        }
        groups.cols.resize(last[1], 0);
        r.slice(SliceMut::I32(&mut groups.cols))?;
        if !groups.cols.iter().all(|&c| usize::try_from(c).is_ok_and(|c| c < nv)) {
            return Err(wrong(nv));
        }
        Ok(groups)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ends.last().map_or(0, |end| end[0])
    }

    /// Rows and columns of each constraint.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (std::ops::Range<usize>, &[i32])> {
        (0..self.ends.len()).map(|i| {
            let [start, first] = i.checked_sub(1).map_or([0; 2], |last| self.ends[last]);
            let [end, last] = self.ends[i];
            (start..end, &self.cols[first..last])
        })
    }
}

impl Efc {
    /// Removes all rows.
    pub(crate) fn clear_rows(&mut self) {
        let most = self.maxuse_efc;
        self.zero();
        self.maxuse_efc = most;
        self.tendon_efcadr.fill(-1);
    }

    /// No rows, with a model's [`Capacity`] reserved.
    pub(super) fn with_capacity(m: &Model) -> Self {
        let mut efc = Efc::new(m);
        let Capacity { rows, entries, .. } = Capacity::new(m);
        for ints in
            [&mut efc.efc_type, &mut efc.efc_id, &mut efc.efc_J_rownnz, &mut efc.efc_J_rowadr, &mut efc.efc_J_rowsuper]
        {
            ints.reserve(rows);
        }
        for nums in [
            &mut efc.efc_pos,
            &mut efc.efc_margin,
            &mut efc.efc_frictionloss,
            &mut efc.efc_diagApprox,
            &mut efc.efc_D,
            &mut efc.efc_R,
            &mut efc.efc_vel,
            &mut efc.efc_aref,
        ] {
            nums.reserve(rows);
        }
        efc.efc_KBIP.reserve(rows);
        efc.efc_J.reserve(entries);
        if is_sparse(m) {
            efc.efc_J_colind.reserve(entries);
        }
        efc
    }
}

impl Dual {
    /// No matrix, with a model's [`Capacity`] reserved.
    pub(super) fn with_capacity(m: &Model) -> Self {
        let mut out = Dual::new(m);
        let Capacity { rows, dual, .. } = Capacity::new(m);
        out.efc_AR.reserve(dual);
        if is_sparse(m) && dual > 0 {
            out.efc_AR_colind.reserve(dual);
            out.efc_AR_rownnz.reserve(rows);
            out.efc_AR_rowadr.reserve(rows);
        }
        out
    }
}

impl Island {
    /// No islands, with a model's [`Capacity`] reserved.
    pub(super) fn with_capacity(m: &Model) -> Self {
        let mut island = Island::new(m);
        let Capacity { rows, entries, .. } = Capacity::new(m);
        let (dofs, islands) = if rows == 0 { (0, 0) } else { (m.nv, m.ntree) };
        for of_islands in [
            &mut island.island_ntree,
            &mut island.island_itreeadr,
            &mut island.island_nv,
            &mut island.island_idofadr,
            &mut island.island_dofadr,
            &mut island.island_ne,
            &mut island.island_nf,
            &mut island.island_nefc,
            &mut island.island_iefcadr,
        ] {
            of_islands.reserve(islands);
        }
        island.iLDiagInv.reserve(dofs);
        island.iM_rownnz.reserve(dofs);
        island.iM_rowadr.reserve(dofs);
        island.reserve_rows(m, rows, entries);
        island
    }

    /// No islands.
    pub(crate) fn clear(&mut self) {
        if self.nisland > 0 {
            self.zero();
        }
        self.tree_island.fill(-1);
        self.dof_island.fill(-1);
    }

    fn reserve_rows(&mut self, m: &Model, rows: usize, entries: usize) {
        for ints in [
            &mut self.efc_island,
            &mut self.map_efc2iefc,
            &mut self.map_iefc2efc,
            &mut self.iefc_type,
            &mut self.iefc_id,
            &mut self.iefc_J_rownnz,
            &mut self.iefc_J_rowadr,
            &mut self.iefc_J_rowsuper,
        ] {
            ints.reserve(rows);
        }
        for nums in [&mut self.iefc_frictionloss, &mut self.iefc_D, &mut self.iefc_R] {
            nums.reserve(rows);
        }
        self.iefc_J.reserve(entries);
        if is_sparse(m) {
            self.iefc_J_colind.reserve(entries);
        }
    }
}

impl Solution {
    /// No solution, with a model's [`Capacity`] reserved.
    pub(super) fn with_capacity(m: &Model) -> Self {
        let mut solution = Solution::new(m);
        let rows = Capacity::new(m).rows;
        solution.fit_rows(rows);
        solution.fit_islands(if rows == 0 { 0 } else { m.nv }, rows);
        solution.zero();
        solution
    }

    /// Resizes to `rows` constraint rows and sets them to zero.
    pub(crate) fn fit_rows(&mut self, rows: usize) {
        refill(&mut self.efc_state, rows);
        refill(&mut self.efc_b, rows);
        refill(&mut self.efc_force, rows);
    }

    /// Resizes to `dofs` and `rows` in islands and sets them to zero.
    pub(crate) fn fit_islands(&mut self, dofs: usize, rows: usize) {
        for v in [&mut self.ifrc_smooth, &mut self.iacc_smooth, &mut self.iacc, &mut self.ifrc_constraint] {
            refill(v, dofs);
        }
        refill(&mut self.iefc_aref, rows);
        refill(&mut self.iefc_force, rows);
        refill(&mut self.iefc_state, rows);
    }
}

/// Resizes to `n` zeros.
fn refill<T: Copy + Default>(v: &mut Vec<T>, n: usize) {
    v.clear();
    v.resize(n, T::default());
}
