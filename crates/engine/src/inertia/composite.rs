//! Composite rigid bodies, the mass matrix and its LᵀDL factor.

use crate::data::{Awake, Inertia, Pose};
use crate::model::Model;
use crate::support::awake as subset;
use crate::support::inertia::pattern;
use sinew_math::sparse::Subset;
use sinew_math::{factor, spatial};

/// Mass matrix, in compressed sparse rows (ancestors first, diagonal last) and in MuJoCo's legacy layout (each row
/// from the diagonal to the root).
///
/// *Equation*: `M_ij = cdof_jᵀ Ic_i cdof_i + δ_ij armature_i` for `j` an ancestor of `i`, `Ic_i` the
/// composite inertia of the subtree that dof `i` moves.
/// *Reads* `cinert`, `cdof`. *Writes* `crb`, `M`, `qM`.
/// *Source*: Featherstone 2008, section 6.2 (composite-rigid-body algorithm).
#[doc(alias = "mj_crb")]
pub fn crb(m: &Model, awake: &Awake, pose: &Pose, inertia: &mut Inertia) {
    match subset::dofs(m, awake) {
        Subset::All(nv) => {
            inertia.crb.copy_from_slice(&pose.cinert);
            accumulate(m, inertia, (1..m.nbody).rev());
            mass_rows(m, pose, inertia, 0..nv);
        }
        Subset::Listed(dofs) => {
            subset::bodies(m, awake).iter().for_each(|i| inertia.crb[i] = pose.cinert[i]);
            accumulate(m, inertia, subset::parents(m, awake).iter().rev());
            mass_rows(m, pose, inertia, dofs.iter().map(|&i| i as usize));
        }
    }
}

/// Adds the composite inertia of each body to its parent's, children first.
#[inline(always)]
fn accumulate(m: &Model, inertia: &mut Inertia, bodies: impl Iterator<Item = usize>) {
    let parents = &m.body_parentid[..m.nbody];
    for i in bodies {
        let parent = parents[i] as usize;
        if parent > 0 {
            let child = inertia.crb[i];
            for (sum, c) in inertia.crb[parent].iter_mut().zip(child) {
                *sum += c;
            }
        }
    }
}

#[inline(always)]
fn mass_rows(m: &Model, pose: &Pose, inertia: &mut Inertia, dofs: impl Iterator<Item = usize>) {
    let nv = m.nv;
    let (rowadr, rownnz, madr) = (&m.M_rowadr[..nv], &m.M_rownnz[..nv], &m.dof_Madr[..nv]);
    let (body, simple, cdof) = (&m.dof_bodyid[..nv], &m.dof_simplenum[..nv], &pose.cdof[..nv]);
    let (armature, constant) = (&m.dof_armature[..nv], &m.dof_M0[..nv]);
    let Inertia { crb, M, qM, .. } = inertia;
    for i in dofs {
        let (adr, old) = (rowadr[i] as usize, madr[i] as usize);
        if simple[i] != 0 {
            M[adr] = constant[i];
            qM[old] = constant[i];
            continue;
        }
        let nnz = rownnz[i] as usize;
        let momentum = spatial::mul_inert(&crb[body[i] as usize], &cdof[i]);
        let (row, back) = (&mut M[adr..adr + nnz], &mut qM[old..old + nnz]);
        let cols = &m.M_colind[adr..adr + nnz];
        for ((v, w), &j) in row.iter_mut().zip(back.iter_mut().rev()).zip(cols) {
            *v = spatial::dot(&cdof[j as usize], &momentum);
            *w = *v;
        }
        row[nnz - 1] += armature[i];
        back[0] = row[nnz - 1];
    }
}

/// Factor of the mass matrix.
///
/// *Equation*: `M = Lᵀ D L`. *Reads* `M`. *Writes* `qLD` (`L` with `D` on the diagonal), `qLDiagInv`.
#[doc(alias = "mj_factorM")]
pub fn factor_m(m: &Model, awake: &Awake, inertia: &mut Inertia) {
    let p = pattern(m);
    let rows = subset::dofs(m, awake);
    match rows {
        Subset::All(_) => inertia.qLD.copy_from_slice(&inertia.M),
        Subset::Listed(_) => {
            for i in rows.iter() {
                inertia.qLD[p.range(i)].copy_from_slice(&inertia.M[p.range(i)]);
            }
        }
    }
    factor::factor_ldl(&mut inertia.qLD, &mut inertia.qLDiagInv, p, rows);
}
