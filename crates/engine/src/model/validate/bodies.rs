//! Elements of bodies, and the sparsity patterns that follow from the kinematic tree.

use super::{Check, ensure};
use crate::model::Model;
use crate::model::enums::WrapType;

pub(super) fn check(m: &Model) -> Check {
    for i in 0..m.nv {
        let joint = m.dof_jntid[i];
        ensure(m.joint_dofs(joint as usize).contains(&i), "dof_jntid", i, joint, || "the joint of this dof".into())?;
    }
    belongings(["body_jntnum", "body_jntadr"], [&m.body_jntnum, &m.body_jntadr], &m.jnt_bodyid)?;
    belongings(["body_dofnum", "body_dofadr"], [&m.body_dofnum, &m.body_dofadr], &m.dof_bodyid)?;
    belongings(["body_geomnum", "body_geomadr"], [&m.body_geomnum, &m.body_geomadr], &m.geom_bodyid)?;
    belongings(["tree_bodynum", "tree_bodyadr"], [&m.tree_bodynum, &m.tree_bodyadr], &m.body_treeid)?;
    belongings(["tree_dofnum", "tree_dofadr"], [&m.tree_dofnum, &m.tree_dofadr], &m.dof_treeid)?;
    for i in 0..m.nv {
        let tree = m.dof_treeid[i];
        let whole = ancestors(m, i).all(|above| m.dof_treeid[above] == tree);
        let good = whole && m.body_treeid[m.dof_bodyid[i] as usize] == tree;
        ensure(good, "dof_treeid", i, tree, || "the tree of its body and of what it depends on".into())?;
    }
    // set_const derives the trees from these
    for b in 0..m.nbody {
        let weld = if b == 0 || m.body_jntnum[b] > 0 { b as i32 } else { m.body_weldid[m.body_parentid[b] as usize] };
        let expected = || "the body itself if it has joints, else what its parent is welded to".into();
        ensure(m.body_weldid[b] == weld, "body_weldid", b, m.body_weldid[b], expected)?;
    }
    let chain = mass_matrix(m)?;
    derivative(m, &chain)?;
    (0..m.ntendon).try_for_each(|i| path(m, i))
}

/// The elements of each body or tree are contiguous, and each element names its owner.
fn belongings(names: [&'static str; 2], [num, adr]: [&[i32]; 2], owner: &[i32]) -> Check {
    let mut count = vec![0; num.len()];
    owner.iter().filter(|b| **b >= 0).for_each(|b| count[*b as usize] += 1);
    for b in 0..num.len() {
        ensure(num[b] == count[b], names[0], b, num[b], || format!("{}, the number of its elements", count[b]))?;
        let start = adr[b].max(0) as usize;
        let own = owner[start..start + count[b] as usize].iter().all(|o| *o as usize == b);
        ensure(own, names[1], b, adr[b], || "the address of its first element".into())?;
    }
    Ok(())
}

/// The dof itself, then all dofs it depends on, up to the root.
fn ancestors(m: &Model, dof: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(dof), |&i| usize::try_from(m.dof_parentid[i]).ok())
}

/// Checks the pattern of the mass matrix. A row has an entry for each ancestor dof and, last, for the diagonal; rows of
/// simple dofs have the diagonal only; rows are contiguous. Returns the length of each dof's chain, itself included.
fn mass_matrix(m: &Model) -> Result<Vec<usize>, super::InvalidModel> {
    let mut chain = vec![0; m.nv];
    let (mut tree, mut row) = (0, 0);
    for i in 0..m.nv {
        chain[i] = 1 + usize::try_from(m.dof_parentid[i]).map_or(0, |parent| chain[parent]);
        let is = |field: &'static str, found: &[i32], at: usize, expected: usize| {
            ensure(found[at] as usize == expected, field, at, found[at], || format!("{expected}"))
        };
        let next = m.dof_simplenum.get(i + 1).copied().unwrap_or(0) as usize;
        let run = if m.dof_simplenum[i] == 0 { 0 } else { next + 1 };
        is("dof_simplenum", &m.dof_simplenum, i, run)?;
        let count = if run > 0 { 1 } else { chain[i] };
        ensure(tree + chain[i] <= m.nM && row + count <= m.nC, "dof_parentid", i, m.dof_parentid[i], || {
            format!("no more than {} and {} entries of the mass matrix", m.nM, m.nC)
        })?;
        is("dof_Madr", &m.dof_Madr, i, tree)?;
        is("M_rowadr", &m.M_rowadr, i, row)?;
        is("M_rownnz", &m.M_rownnz, i, count)?;
        for (k, column) in ancestors(m, i).take(count).enumerate() {
            is("M_colind", &m.M_colind, row + count - 1 - k, column)?;
            is("mapM2M", &m.mapM2M, row + count - 1 - k, tree + k)?;
        }
        (tree, row) = (tree + chain[i], row + count);
    }
    Ok(chain)
}

/// Checks the pattern of the derivative: a row has ancestors, the diagonal and descendants, in increasing order.
fn derivative(m: &Model, chain: &[usize]) -> Check {
    let mut below = vec![0; m.nv];
    (0..m.nv).for_each(|i| ancestors(m, i).skip(1).for_each(|above| below[above] += 1));
    let mut next = vec![0; m.nv];
    for i in 0..m.nv {
        let (nnz, diag, want) = (m.D_rownnz[i], m.D_diag[i], chain[i] + below[i]);
        ensure(nnz as usize == want, "D_rownnz", i, nnz, || format!("{want}, the dofs tied to it"))?;
        ensure(diag as usize == chain[i] - 1, "D_diag", i, diag, || format!("{}", chain[i] - 1))?;
        next[i] = m.D_rowadr[i] as usize + chain[i];
    }
    let column = |k: usize, dof: usize| {
        let found = m.D_colind[k];
        ensure(found as usize == dof, "D_colind", k, found, || format!("{dof}"))
    };
    for i in 0..m.nv {
        let diagonal = (m.D_rowadr[i] + m.D_diag[i]) as usize;
        for (k, above) in ancestors(m, i).enumerate() {
            column(diagonal - k, above)?;
            if k > 0 {
                column(next[above], i)?;
                next[above] += 1;
            }
        }
    }
    Ok(())
}

/// Each branch of a tendon path after a pulley starts with a site.
fn path(m: &Model, i: usize) -> Check {
    let start = m.tendon_adr[i].max(0) as usize;
    let path = start..start + m.tendon_num[i] as usize;
    for w in path.clone() {
        let kind = m.wrap_type(w);
        let good = match kind {
            WrapType::None => false,
            WrapType::Pulley => path.contains(&(w + 1)) && m.wrap_type(w + 1) == WrapType::Site,
            _ => true,
        };
        ensure(good, "wrap_type", w, kind as i32, || "a pulley before a site, or another element".into())?;
    }
    Ok(())
}
