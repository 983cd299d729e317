//! Composite rigid bodies, the mass matrix and its LᵀDL factor.

use crate::data::{Awake, Inertia, Pose};
use crate::model::Model;
use crate::support::awake as subset;
use crate::support::inertia::pattern;
use sinew_math::sparse::Subset;
use sinew_math::{factor, spatial};

/// Mass matrix in compressed rows (ancestors first, diagonal last).
///
/// *Equation*: `M_ij = cdof_jᵀ Ic_i cdof_i + δ_ij armature_i` for `j` an ancestor of `i`, `Ic_i` the
/// inertia of everything that dof `i` carries.
/// *Reads* `cinert`, `cdof`. *Writes* `crb`, `M`.
/// *Source*: Featherstone 2008, section 6.2 (composite-rigid-body algorithm).
#[doc(alias = "mj_crb")]
pub fn crb(m: &Model, awake: &Awake, pose: &Pose, inertia: &mut Inertia) {
    let (bodies, parents) = if subset::skips_dofs(m, awake) {
        (subset::bodies(m, awake), subset::parents(m, awake))
    } else {
        (Subset::All(m.nbody), Subset::All(m.nbody))
    };
    match bodies {
        Subset::All(_) => inertia.crb.copy_from_slice(&pose.cinert),
        Subset::Listed(_) => bodies.iter().for_each(|i| inertia.crb[i] = pose.cinert[i]),
    }
    for i in parents.iter().rev() {
        let parent = m.body_parentid[i] as usize;
        if parent > 0 {
            let child = inertia.crb[i];
            for (sum, c) in inertia.crb[parent].iter_mut().zip(child) {
                *sum += c;
            }
        }
    }
    let cdof = &pose.cdof[..m.nv];
    for i in subset::dofs(m, awake).iter() {
        let adr = m.M_rowadr[i] as usize;
        if m.dof_simplenum[i] != 0 {
            inertia.M[adr] = m.dof_M0[i];
            continue;
        }
        let nnz = m.M_rownnz[i] as usize;
        let row = &mut inertia.M[adr..adr + nnz];
        let momentum = spatial::mul_inert(&inertia.crb[m.dof_bodyid[i] as usize], &cdof[i]);
        for (v, &j) in row.iter_mut().zip(&m.M_colind[adr..adr + nnz]) {
            *v = spatial::dot(&cdof[j as usize], &momentum);
        }
        row[nnz - 1] += m.dof_armature[i];
    }
}

/// Mass matrix in MuJoCo's older order (each row from the diagonal to the root), for those who read `qM`.
///
/// *Reads* `M`. *Writes* `qM`.
#[doc(alias = "mj_makeM")]
pub fn scatter_m(m: &Model, inertia: &mut Inertia) {
    for (&v, &at) in inertia.M.iter().zip(m.mapM2M.iter()) {
        inertia.qM[at as usize] = v;
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
