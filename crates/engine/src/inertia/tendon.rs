//! Rotor inertia of tendons.

use crate::data::{Awake, Inertia, Pose};
use crate::model::Model;
use crate::support::awake as subset;
use crate::support::row::tendon_row;

/// Adds tendon armature to the mass matrix, within its tree sparsity.
///
/// *Equation*: `M += armature Jᵀ J`. *Reads* `ten_J`. *Writes* `M`, `qM`.
#[doc(alias = "mj_tendonArmature")]
pub fn tendon_armature(m: &Model, awake: &Awake, pose: &Pose, inertia: &mut Inertia) {
    let skips = subset::skips_dofs(m, awake);
    for k in 0..m.ntendon {
        let armature = m.tendon_armature[k];
        if armature == 0.0 || skips && subset::tendon_asleep(m, awake, k) {
            continue;
        }
        let row = tendon_row(m, pose, k);
        for (i, j_i) in row.entries().filter(|e| e.1 != 0.0) {
            let scale = armature * j_i;
            let start = m.M_rowadr[i] as usize;
            let end = start + m.M_rownnz[i] as usize;
            let mut rest = row.entries();
            let mut next = rest.next();
            // merge: both lists are in increasing order of dof
            for adr in start..end {
                let col = m.M_colind[adr] as usize;
                while next.is_some_and(|e| e.0 < col) {
                    next = rest.next();
                }
                match next {
                    Some((c, j_c)) if c == col => {
                        inertia.M[adr] += scale * j_c;
                        inertia.qM[m.dof_Madr[i] as usize + (end - 1 - adr)] = inertia.M[adr];
                    }
                    Some(_) => {}
                    None => break,
                }
            }
        }
    }
}
