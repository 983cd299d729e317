//! Validation of a simulation's integers, before stages trust them: of loaded data, and of data whose counts and index
//! arrays a user has written.

use super::{Contact, Data};
use crate::fields::{Dim, Fields};
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::is_sparse;
use sinew_math::sparse::Pattern;

/// An integer that is invalid in a simulation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}[{index}] is {value}, expected {expected}")]
#[non_exhaustive]
pub struct InvalidData {
    /// The field.
    pub field: &'static str,
    /// Flat index in the field.
    pub index: usize,
    /// The value found.
    pub value: i64,
    /// The values allowed.
    pub expected: String,
}

type Check = Result<(), InvalidData>;

fn ensure(good: bool, field: &'static str, index: usize, value: i32, expected: impl FnOnce() -> String) -> Check {
    if good { Ok(()) } else { Err(InvalidData { field, index, value: value.into(), expected: expected() }) }
}

/// Every integer is at least `least` and below `end`; 0 is always allowed, the value of fields not yet computed.
fn within(field: &'static str, values: &[i32], least: i32, end: usize) -> Check {
    let bad = |v: &i32| *v < least || usize::try_from(*v).is_ok_and(|v| v >= end.max(1));
    match values.iter().position(bad) {
        Some(i) => ensure(false, field, i, values[i], || format!("{least} or more, and below {end}")),
        None => Ok(()),
    }
}

/// Checks that ranges end at or before `end`; an empty range may start anywhere.
fn ranges(field: &'static str, starts: &[i32], counts: &[i32], end: usize) -> Check {
    for (i, (&start, &count)) in starts.iter().zip(counts).enumerate() {
        let last = i64::from(start) + i64::from(count);
        let good = count == 0 || (start >= 0 && count > 0 && last <= end as i64);
        ensure(good, field, i, start, || format!("the start of {count} among {end}"))?;
    }
    Ok(())
}

/// Counts the rows of each block; an error if equalities, friction, limits and contacts are not in this order. `start`
/// is the index of the first row in `field`.
fn blocks(field: &'static str, types: &[i32], start: usize) -> Result<[i32; 4], InvalidData> {
    let mut counts = [0; 4];
    let mut last = 0;
    for (i, &kind) in types.iter().enumerate() {
        let block = match ConstraintType::try_from(kind) {
            Ok(ConstraintType::Equality) => 0,
            Ok(ConstraintType::FrictionDof | ConstraintType::FrictionTendon) => 1,
            Ok(ConstraintType::LimitJoint | ConstraintType::LimitTendon) => 2,
            _ => 3,
        };
        let in_order = || "equalities, friction, limits and contacts in order".into();
        ensure(block >= last, field, start + i, kind, in_order)?;
        last = block;
        counts[block] += 1;
    }
    Ok(counts)
}

/// [`ranges`] for rows of a sparse matrix, which are sliced even if they are empty.
fn sparse_rows(field: &'static str, starts: &[i32], counts: &[i32], end: usize) -> Check {
    for (i, &start) in starts.iter().enumerate() {
        let good = usize::try_from(start).is_ok_and(|start| start <= end);
        ensure(good, field, i, start, || format!("0 or more, and at most {end}"))?;
    }
    ranges(field, starts, counts, end)
}

/// Checks that ranges are contiguous from 0 to `end`; reports the count of the range before a gap.
fn behind(field: &'static str, starts: &[i32], counts: &[i32], end: i32) -> Check {
    let next = starts.iter().skip(1).chain([&end]);
    for (i, ((&start, &count), &next)) in starts.iter().zip(counts).zip(next).enumerate() {
        let good = i64::from(start) + i64::from(count) == i64::from(next) && (i > 0 || start == 0);
        ensure(good, field, i, count, || format!("as many as there are from {start} to {next}"))?;
    }
    Ok(())
}

/// Checks that rows are contiguous, the first at 0.
fn follow(field: &'static str, starts: &[i32], counts: &[i32]) -> Check {
    let mut next = 0;
    for (i, (&start, &count)) in starts.iter().zip(counts).enumerate() {
        ensure(start == next, field, i, start, || format!("{next}, where the row before ends"))?;
        next += count;
    }
    Ok(())
}

/// Checks that values in island order equal those of the rows they map to.
fn gathered(field: &'static str, of_islands: &[i32], of_rows: &[i32], map: &[i32]) -> Check {
    for (i, (&value, &row)) in of_islands.iter().zip(map).enumerate() {
        let want = usize::try_from(row).ok().and_then(|row| of_rows.get(row));
        ensure(want == Some(&value), field, i, value, || format!("what row {row} has"))?;
    }
    Ok(())
}

/// Checks `rowsuper`: the number of contiguous rows after each row that have the same columns.
fn alike(field: &'static str, alike: &[i32], rows: Pattern) -> Check {
    for (i, &n) in alike.iter().enumerate().filter(|(_, n)| **n != 0) {
        let follows = |next: usize| {
            alike.get(next) == Some(&(n - 1))
                && rows.range(next).start == rows.range(i).end
                && rows.cols(next) == rows.cols(i)
        };
        ensure(follows(i + 1), field, i, n, || "one more than that of the row after it, with the same columns".into())?;
    }
    Ok(())
}

impl Data {
    /// Checks every count and index, in time linear in the number of constraint rows.
    ///
    /// # Errors
    /// [`InvalidData`], with the field, the flat index, and the values allowed. Data computed by the stages always
    /// passes.
    pub fn validate(&self, m: &Model) -> Result<(), InvalidData> {
        let lengths = self.check_counts()?;
        self.check_rows(m, lengths)?;
        self.check_islands(m, lengths)?;
        self.check_paths(m)?;
        self.check_awake(m)?;
        self.validate_contacts(m)
    }

    /// The part of [`Data::validate`] that checks contacts.
    ///
    /// # Errors
    /// [`InvalidData`].
    pub fn validate_contacts(&self, m: &Model) -> Result<(), InvalidData> {
        let nefc = self.efc.efc_type.len();
        self.contact.iter().enumerate().try_for_each(|(i, c)| check_contact(m, c, i, nefc))?;
        self.check_contact_rows()
    }

    /// Each contact has the rows that its dimension requires, and each contact row belongs to a contact. Stages step
    /// from contact to contact by these counts.
    fn check_contact_rows(&self) -> Check {
        let e = &self.efc;
        // number of rows of a contact whose first row is of this kind; `None` if its dimension does not fit
        let count = |c: &Contact, kind: i32| match ConstraintType::try_from(kind) {
            Ok(ConstraintType::ContactFrictionless) => (c.dim == 1).then_some(1),
            Ok(ConstraintType::ContactPyramidal) => (c.dim > 1).then(|| 2 * (c.dim as usize - 1)),
            Ok(ConstraintType::ContactElliptic) => (c.dim > 1).then_some(c.dim as usize),
            _ => None,
        };
        let first = e.efc_type.iter().position(|&kind| is_contact(kind)).unwrap_or(e.efc_type.len());
        let mut row = first;
        while let (Some(&kind), Some(&id)) = (e.efc_type.get(row), e.efc_id.get(row)) {
            let Some(c) = usize::try_from(id).ok().and_then(|id| self.contact.get(id)) else {
                let most = self.contact.len();
                return ensure(false, "efc_id", row, id, || format!("an index below {most}"));
            };
            let same = |r: &usize| e.efc_type[*r] == kind && e.efc_id[*r] == id;
            let have = (row..e.efc_type.len()).take_while(same).count();
            ensure(count(c, kind) == Some(have), "contact.dim", id as usize, c.dim, || {
                format!("that of its {have} rows; setting nefc to 0 drops them")
            })?;
            ensure(c.efc_address == row as i32, "contact.efc_address", id as usize, c.efc_address, || {
                format!("{row}, its first row")
            })?;
            row += have;
        }
        Ok(())
    }

    /// Applies counts that the user has lowered: drops contacts beyond `ncon`, and then, or if `nefc` is 0, all
    /// constraint rows.
    pub fn settle_counts(&mut self) {
        let fewer = usize::try_from(self.collision.ncon).is_ok_and(|ncon| ncon < self.contact.len());
        if fewer {
            self.contact.truncate(self.collision.ncon as usize);
        }
        if fewer || (self.efc.nefc == 0 && !self.efc.efc_type.is_empty()) {
            self.clear_constraints();
        }
    }

    /// Replaces the workspaces of a simulation that a panic left in an inconsistent state. Drops contacts and
    /// constraint rows; fields keep their storage.
    pub fn renew_workspaces(&mut self, m: &Model) {
        let Data { scratch, row_groups, .. } = Data::allocate(m);
        self.scratch = scratch;
        self.row_groups = row_groups;
        self.contact.clear();
        self.collision.ncon = 0;
        self.clear_constraints();
    }

    /// Checks that counts equal the lengths of their fields; returns `nefc`, `nJ`, `nA`.
    fn check_counts(&self) -> Result<[usize; 3], InvalidData> {
        let (e, a, s) = (&self.efc, &self.dual, &self.island);
        let counted = [
            ("nefc", e.nefc, e.efc_type.len()),
            ("nJ", e.nJ, e.efc_J.len()),
            ("nA", a.nA, a.efc_AR.len()),
            ("nisland", s.nisland, s.island_nv.len()),
            ("nidof", s.nidof, s.iM_rownnz.len()),
        ];
        let have = self.contact.len();
        let ncon = self.collision.ncon;
        ensure(usize::try_from(ncon).is_ok_and(|n| n <= have), "ncon", 0, ncon, || format!("at most {have}"))?;
        for (field, count, len) in counted {
            ensure(usize::try_from(count) == Ok(len), field, 0, count, || format!("{len}, as many as there are"))?;
        }
        for (i, info) in Data::FIELDS.iter().enumerate() {
            let Some(Dim::Growing(name)) = info.dims.first() else { continue };
            let width: usize = info.dims[1..].iter().map(|d| if let Dim::Const(n) = d { *n } else { 1 }).product();
            let want = counted.iter().find(|c| c.0 == *name).map_or(0, |c| c.2 * width);
            let len = self.field(i).len();
            // fields that no stage has needed are empty
            ensure(len == 0 || len == want, info.name, 0, len as i32, || format!("a length of {want}"))?;
        }
        Ok([counted[0].2, counted[1].2, counted[2].2])
    }

    fn check_rows(&self, m: &Model, [nefc, nj, na]: [usize; 3]) -> Check {
        let (e, a) = (&self.efc, &self.dual);
        for (field, n) in [("ne", e.ne), ("nf", e.nf), ("nl", e.nl)] {
            ensure(usize::try_from(n).is_ok_and(|n| n <= nefc), field, 0, n, || format!("at most {nefc}"))?;
        }
        self.check_blocks()?;
        for (i, (&kind, &id)) in e.efc_type.iter().zip(&e.efc_id).enumerate() {
            let known = ConstraintType::try_from(kind);
            let end = match known {
                Ok(ConstraintType::Equality) => m.neq,
                Ok(ConstraintType::FrictionDof) => m.nv,
                Ok(ConstraintType::FrictionTendon | ConstraintType::LimitTendon) => m.ntendon,
                Ok(ConstraintType::LimitJoint) => m.njnt,
                Ok(_) => self.contact.len(),
                Err(_) => return ensure(false, "efc_type", i, kind, || "a value of mjtConstraint".into()),
            };
            ensure(usize::try_from(id).is_ok_and(|id| id < end), "efc_id", i, id, || format!("an index below {end}"))?;
        }
        if is_sparse(m) {
            sparse_rows("efc_J_rowadr", &e.efc_J_rowadr, &e.efc_J_rownnz, nj)?;
            within("efc_J_rowsuper", &e.efc_J_rowsuper, 0, nefc)?;
            within("efc_J_colind", &e.efc_J_colind, 0, m.nv)?;
            let rows = Pattern { rownnz: &e.efc_J_rownnz, rowadr: &e.efc_J_rowadr, colind: &e.efc_J_colind };
            alike("efc_J_rowsuper", &e.efc_J_rowsuper, rows)?;
            sparse_rows("efc_AR_rowadr", &a.efc_AR_rowadr, &a.efc_AR_rownnz, na)?;
            within("efc_AR_colind", &a.efc_AR_colind, 0, nefc)?;
        }
        within("efc_state", &self.solution.efc_state, 0, 5)?;
        within("iefc_state", &self.solution.iefc_state, 0, 5)
    }

    /// Rows are in the order of their blocks, with the counts that stages slice them by.
    fn check_blocks(&self) -> Check {
        let e = &self.efc;
        let have = blocks("efc_type", &e.efc_type, 0)?;
        for (field, n, have) in [("ne", e.ne, have[0]), ("nf", e.nf, have[1]), ("nl", e.nl, have[2])] {
            ensure(n == have, field, 0, n, || format!("{have}, the rows of that block"))?;
        }
        Ok(())
    }

    /// [`Data::check_blocks`] for the rows of each island.
    fn check_island_blocks(&self) -> Check {
        let s = &self.island;
        for (i, (&start, &count)) in s.island_iefcadr.iter().zip(&s.island_nefc).enumerate() {
            let (start, count) = (start.max(0) as usize, count.max(0) as usize);
            let have = blocks("iefc_type", s.iefc_type.get(start..start + count).unwrap_or_default(), start)?;
            for (field, n, have) in [("island_ne", s.island_ne[i], have[0]), ("island_nf", s.island_nf[i], have[1])] {
                ensure(n == have, field, i, n, || format!("{have}, the rows of that block in the island"))?;
            }
        }
        Ok(())
    }

    fn check_islands(&self, m: &Model, [nefc, nj, _]: [usize; 3]) -> Check {
        let s = &self.island;
        within("tree_island", &s.tree_island, -1, m.ntree)?;
        ranges("island_itreeadr", &s.island_itreeadr, &s.island_ntree, m.ntree)?;
        within("map_itree2tree", &s.map_itree2tree, 0, m.ntree)?;
        within("dof_island", &s.dof_island, -1, m.ntree)?;
        ranges("island_idofadr", &s.island_idofadr, &s.island_nv, m.nv)?;
        behind("island_nv", &s.island_idofadr, &s.island_nv, s.nidof)?;
        within("island_dofadr", &s.island_dofadr, 0, m.nv)?;
        within("map_dof2idof", &s.map_dof2idof, 0, m.nv)?;
        within("map_idof2dof", &s.map_idof2dof, 0, m.nv)?;
        gathered("iM_rownnz", &s.iM_rownnz, &m.M_rownnz, &s.map_idof2dof)?;
        sparse_rows("iM_rowadr", &s.iM_rowadr, &s.iM_rownnz, m.nC)?;
        follow("iM_rowadr", &s.iM_rowadr, &s.iM_rownnz)?;
        within("iM_colind", &s.iM_colind, 0, m.nv)?;
        within("efc_island", &s.efc_island, -1, m.ntree)?;
        ranges("island_iefcadr", &s.island_iefcadr, &s.island_nefc, nefc)?;
        within("map_efc2iefc", &s.map_efc2iefc, 0, nefc)?;
        within("map_iefc2efc", &s.map_iefc2efc, 0, nefc)?;
        gathered("iefc_type", &s.iefc_type, &self.efc.efc_type, &s.map_iefc2efc)?;
        gathered("iefc_id", &s.iefc_id, &self.efc.efc_id, &s.map_iefc2efc)?;
        self.check_island_blocks()?;
        if is_sparse(m) {
            sparse_rows("iefc_J_rowadr", &s.iefc_J_rowadr, &s.iefc_J_rownnz, nj)?;
            within("iefc_J_colind", &s.iefc_J_colind, 0, m.nv)?;
            within("iefc_J_rowsuper", &s.iefc_J_rowsuper, 0, nefc)?;
            let rows = Pattern { rownnz: &s.iefc_J_rownnz, rowadr: &s.iefc_J_rowadr, colind: &s.iefc_J_colind };
            alike("iefc_J_rowsuper", &s.iefc_J_rowsuper, rows)?;
        }
        Ok(())
    }

    /// Tendon paths and actuator moments.
    fn check_paths(&self, m: &Model) -> Check {
        let (p, t) = (&self.pose, &self.trn);
        ranges("ten_wrapadr", &p.ten_wrapadr, &p.ten_wrapnum, 2 * m.nwrap)?;
        sparse_rows("ten_J_rowadr", &p.ten_J_rowadr, &p.ten_J_rownnz, p.ten_J.len())?;
        within("ten_J_colind", &p.ten_J_colind, 0, m.nv)?;
        within("wrap_obj", p.wrap_obj.as_flattened(), -2, m.ngeom)?;
        sparse_rows("moment_rowadr", &t.moment_rowadr, &t.moment_rownnz, m.nJmom)?;
        within("moment_colind", &t.moment_colind, 0, m.nv)
    }

    /// Awake lists, and cycles of sleeping trees.
    fn check_awake(&self, m: &Model) -> Check {
        let a = &self.awake;
        let counts = [
            ("ntree_awake", a.ntree_awake, m.ntree),
            ("nbody_awake", a.nbody_awake, m.nbody),
            ("nparent_awake", a.nparent_awake, m.nbody),
            ("nv_awake", a.nv_awake, m.nv),
        ];
        for (field, n, most) in counts {
            within(field, &[n], 0, most + 1)?;
        }
        within("body_awake_ind", &a.body_awake_ind, 0, m.nbody)?;
        within("parent_awake_ind", &a.parent_awake_ind, 0, m.nbody)?;
        within("dof_awake_ind", &a.dof_awake_ind, 0, m.nv)?;
        let next = &self.state.tree_asleep;
        let mut met = vec![false; next.len()];
        for (i, &v) in next.iter().enumerate() {
            let Ok(to) = usize::try_from(v) else { continue };
            let fresh = next.get(to).is_some_and(|n| *n >= 0) && !std::mem::replace(&mut met[to], true);
            ensure(fresh, "tree_asleep", i, v, || "negative, or a tree asleep that no other leads to".into())?;
        }
        Ok(())
    }
}

/// Whether a row of this kind belongs to a contact.
fn is_contact(kind: i32) -> bool {
    use ConstraintType as C;
    matches!(C::try_from(kind), Ok(C::ContactFrictionless | C::ContactPyramidal | C::ContactElliptic))
}

impl Contact {
    /// Checks the dimension and the indices of a contact before it is added to a simulation.
    ///
    /// # Errors
    /// [`InvalidData`], with the field.
    pub fn validate(&self, m: &Model) -> Result<(), InvalidData> {
        check_contact(m, &Contact { efc_address: -1, ..*self }, 0, 0)
    }
}

fn check_contact(m: &Model, c: &Contact, i: usize, nefc: usize) -> Check {
    // flexes may have any dimension
    ensure((1..=6).contains(&c.dim), "contact.dim", i, c.dim, || "1 to 6".into())?;
    let sides = [
        ("contact.geom", c.geom, m.ngeom),
        ("contact.flex", c.flex, m.nflex),
        ("contact.elem", c.elem, m.nflexelem),
        ("contact.vert", c.vert, m.nflexvert),
    ];
    let at_i = |e: InvalidData| InvalidData { index: i, ..e };
    for (field, ids, end) in sides {
        within(field, &ids, -1, end).map_err(at_i)?;
    }
    for side in 0..2 {
        let geom = c.geom[side];
        ensure(geom >= 0 || c.flex[side] >= 0, "contact.geom", i, geom, || "a geom, there is no flex".into())?;
    }
    within("contact.efc_address", &[c.efc_address], -1, nefc).map_err(at_i)
}
