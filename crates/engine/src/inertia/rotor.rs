//! Rotor inertia of pulleys driven by cables.

use crate::data::{Awake, Inertia, Pose};
use crate::model::Model;
use crate::support::awake as subset;
use crate::support::capstan::before_arc;

/// Adds the rotor inertia of pulleys to the mass matrix, within its tree sparsity.
///
/// *Equation*: `M += I/r² Jᵀ J` with `J` the derivative of the length of the cable before the pulley.
/// *Reads* the paths of cables. *Writes* `M`, `qM`; `row` is scratch, zero on entry and on return.
pub fn rotors(m: &Model, awake: &Awake, pose: &Pose, row: &mut Vec<f64>, inertia: &mut Inertia) {
    row.resize(m.nv, 0.0);
    let skips = subset::skips_dofs(m, awake);
    for pulley in m.extension().pulleys.iter().filter(|p| p.inertia > 0.0) {
        if skips && subset::tendon_asleep(m, awake, pulley.tendon) {
            continue;
        }
        before_arc(m, pose, pulley, |piece| piece.slopes(m, pose, |dof, slope| row[dof] += slope));
        let mass = pulley.reflected(m);
        for i in (0..m.nv).filter(|&i| row[i] != 0.0) {
            let start = m.M_rowadr[i] as usize;
            let end = start + m.M_rownnz[i] as usize;
            for adr in start..end {
                inertia.M[adr] += mass * row[i] * row[m.M_colind[adr] as usize];
                inertia.qM[m.dof_Madr[i] as usize + (end - 1 - adr)] = inertia.M[adr];
            }
        }
        row.fill(0.0);
    }
}
