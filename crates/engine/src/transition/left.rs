//! Left-hand sides: the matrices that integrators solve with.

use crate::data::Data;
use crate::derivative::pattern as full_pattern;
use crate::model::Model;
use crate::model::enums::Integrator;
use crate::support::inertia::pattern;
use crate::support::spring::is_implicit;
use sinew_math::lanes::{self, Lane};
use sinew_math::lu;

/// Solves with the matrix of the integrator: `M`, `M + h B`, `M − h D` or `M + h B + h² K`, using the factor left by
/// the step.
pub(super) fn integrator(m: &Model, d: &Data, shifts: bool, x: &mut [Lane]) {
    if is_implicit(m) {
        d.scratch.integrate.spring.chol.solve_lanes(x);
    } else if !shifts {
        lanes::solve_ldl(x, &d.inertia.qLD, &d.inertia.qLDiagInv, pattern(m));
    } else if m.opt.integrator == Integrator::Implicit {
        lanes::solve_lu(x, &d.deriv.qLU, full_pattern(m), &m.D_diag);
    } else {
        lanes::solve_ldl(x, &d.deriv.qH, &d.deriv.qHDiagInv, pattern(m));
    }
}

/// Whether the matrix of the integrator is unsymmetric.
pub(super) fn is_lopsided(m: &Model) -> bool {
    m.opt.integrator == Integrator::Implicit
}

/// Solves with the transpose of that matrix.
pub(super) fn transposed(m: &Model, d: &Data, x: &mut [f64]) {
    lu::solve_transposed(x, &d.deriv.qLU, full_pattern(m), &m.D_diag);
}

/// The transpose of that matrix, not yet factored, as inverse dynamics has left it.
pub(super) fn transposed_matrix(m: &Model, d: &Data, out: &mut [f64]) {
    let nv = m.nv;
    out.fill(0.0);
    let (at, values) = match m.opt.integrator {
        Integrator::Implicit => (full_pattern(m), &d.deriv.qLU),
        Integrator::Implicitfast => (pattern(m), &d.deriv.qH),
        _ => (pattern(m), &d.inertia.M),
    };
    let symmetric = m.opt.integrator != Integrator::Implicit;
    for i in 0..nv {
        for (&j, &x) in at.cols(i).iter().zip(&values[at.range(i)]) {
            out[j as usize * nv + i] = x;
            if symmetric {
                out[i * nv + j as usize] = x;
            }
        }
        if m.opt.integrator == Integrator::Euler {
            out[i * nv + i] += m.opt.timestep * m.dof_damping[i];
        }
    }
}
