//! Islands as connected components: trees coupled by constraints.

use super::work::IslandWork;
use crate::data::{Contact, Efc, Island, Pose};
use crate::model::Model;
use crate::model::enums::{ConstraintType, EqType};
use crate::support::flex;
use crate::support::row::{Jacobian, tendon_row};
use crate::support::spring::{is_implicit, is_tie};
use std::iter::repeat_n;

/// Disjoint sets (union-find) of trees, with the smallest member as the root; −1 for trees without constraints.
struct Sets<'a>(&'a mut [i32]);

impl Sets<'_> {
    fn find(&mut self, mut tree: usize) -> usize {
        while self.0[tree] as usize != tree {
            // path halving
            self.0[tree] = self.0[self.0[tree] as usize];
            tree = self.0[tree] as usize;
        }
        tree
    }

    fn add(&mut self, tree: usize) -> usize {
        if self.0[tree] < 0 {
            self.0[tree] = tree as i32;
        }
        self.find(tree)
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.add(a), self.add(b));
        self.0[a.max(b)] = a.min(b) as i32;
    }
}

/// Fills `nisland`, `tree_island` and `efc_island`.
pub(super) fn find(m: &Model, pose: &Pose, contact: &[Contact], efc: &Efc, out: &mut Island, work: &mut IslandWork) {
    work.set.fill(-1);
    let mut sets = Sets(&mut work.set);
    let jac = Jacobian::efc(m, efc);
    out.efc_island.clear();
    let of = |i: usize| (efc.efc_type[i], efc.efc_id[i]);
    let (mut i, rows) = (0, efc.efc_type.len());
    while i < rows {
        let (kind, id) = of(i);
        let first = match ends(m, contact, kind, id as usize) {
            Some([a, b]) => {
                sets.unite(a, b);
                a
            }
            None => scan(m, jac, i, &mut sets),
        };
        // rows of one constraint act on the same trees
        let alone = is_flex(m, kind, id);
        let count = if alone { 1 } else { (i..rows).take_while(|&k| of(k) == (kind, id)).count() };
        out.efc_island.extend(repeat_n(first as i32, count));
        i += count;
    }
    work.constrained.fill(!is_implicit(m));
    if is_implicit(m) {
        tie(m, pose, &mut sets);
        // trees coupled only by springs form no island
        out.efc_island.iter().for_each(|&tree| work.constrained[sets.find(tree as usize)] = true);
    }
    out.nisland = 0;
    for tree in 0..m.ntree {
        out.tree_island[tree] = match usize::try_from(sets.0[tree]) {
            Err(_) => -1,
            Ok(_) => match sets.find(tree) {
                root if !work.constrained[root] => -1,
                root if root == tree => {
                    out.nisland += 1;
                    out.nisland - 1
                }
                root => out.tree_island[root],
            },
        };
    }
    out.efc_island.iter_mut().for_each(|i| *i = out.tree_island[*i as usize]);
}

/// Unites the trees of each tendon and each flex edge whose force is integrated implicitly.
fn tie(m: &Model, pose: &Pose, sets: &mut Sets) {
    for f in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_interp[f] == 0) {
        let first = m.flex_vertadr[f] as usize;
        let tree = |v: i32| usize::try_from(m.body_treeid[m.flex_vertbodyid[first + v as usize] as usize]).ok();
        for e in flex::edges(m, f) {
            // bending also couples the two vertices opposite the edge
            let mut trees = m.flex_edge[e].into_iter().chain(m.flex_edgeflap[e]).filter(|v| *v >= 0).filter_map(tree);
            if let Some(first) = trees.next() {
                trees.for_each(|tree| sets.unite(first, tree));
            }
        }
    }
    for t in (0..m.ntendon).filter(|&t| is_tie(m, t)) {
        let mut trees = tendon_row(m, pose, t).entries().filter(|e| e.1 != 0.0).map(|e| m.dof_treeid[e.0] as usize);
        if let Some(first) = trees.next() {
            trees.for_each(|tree| sets.unite(first, tree));
        }
    }
}

/// Whether rows of one constraint can act on different trees.
fn is_flex(m: &Model, kind: i32, id: i32) -> bool {
    let is = |eq: EqType| m.eq_type[id as usize] == eq as i32;
    kind == ConstraintType::Equality as i32 && (is(EqType::Flex) || is(EqType::Flexvert))
}

/// The one or two trees of a constraint, if its kind determines them; the first is one that moves.
fn ends(m: &Model, contact: &[Contact], kind: i32, id: usize) -> Option<[usize; 2]> {
    let trees = match ConstraintType::try_from(kind) {
        Ok(ConstraintType::FrictionDof) => [m.dof_treeid[id]; 2],
        Ok(ConstraintType::LimitJoint) => [m.dof_treeid[m.jnt_dofadr[id] as usize]; 2],
        Ok(
            ConstraintType::ContactFrictionless | ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic,
        ) if contact[id].geom.iter().all(|g| *g >= 0) => {
            contact[id].geom.map(|g| m.body_treeid[m.geom_bodyid[g as usize] as usize])
        }
        Ok(ConstraintType::Equality) if [EqType::Connect as i32, EqType::Weld as i32].contains(&m.eq_type[id]) => {
            m.eq_bodies(id).map(|b| m.body_treeid[b])
        }
        _ => return None,
    };
    match trees.map(usize::try_from) {
        [Ok(a), Ok(b)] => Some([a, b]),
        [Ok(a), Err(_)] | [Err(_), Ok(a)] => Some([a, a]),
        // a constraint between static bodies has no rows
        [Err(_), Err(_)] => None,
    }
}

/// Unites the trees found in the Jacobian row; returns the first.
fn scan(m: &Model, jac: Jacobian, row: usize, sets: &mut Sets) -> usize {
    let sparse = matches!(jac, Jacobian::Sparse(..));
    let mut trees = jac.row(row).entries().filter(|e| sparse || e.1 != 0.0).map(|(dof, _)| m.dof_treeid[dof] as usize);
    let first = trees.next().unwrap_or(0);
    sets.add(first);
    let mut last = first;
    // dofs of a tree are contiguous
    for tree in trees {
        if tree != last {
            sets.unite(first, tree);
            last = tree;
        }
    }
    first
}
