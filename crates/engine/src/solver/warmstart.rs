//! Initial guess of the solvers.

use super::cone;
use super::dual::DualProblem;
use super::primal::{Problem, Unknowns, gauss_cost, update_rows};
use super::work::SolverWork;
use crate::model::Options;
use crate::model::enums::DisableFlags;
use sinew_math::factor::dot;

/// Starts from the last step's acceleration, unless the smooth acceleration has a lower cost. `b` is `J a0 − aref`; if
/// `built`, the Jacobian is in the blocks of `w`. Returns whether the products with the chosen acceleration are in `w`.
pub fn warmstart(
    opt: &Options,
    p: &Problem,
    last: &[f64],
    b: &[f64],
    u: &mut Unknowns,
    w: &mut SolverWork,
    built: bool,
) -> bool {
    if opt.disabled(DisableFlags::WARMSTART) {
        u.qacc.copy_from_slice(p.acc_smooth);
        u.force.fill(0.0);
        return false;
    }
    w.fit(last.len(), b.len());
    cone::find(p, u.contact, &mut w.cones);
    if built {
        w.blocks.mul_vec(p, &mut w.jaref, last);
    } else {
        p.mul_jac(&mut w.jaref, last);
    }
    w.jaref.iter_mut().zip(p.aref).for_each(|(x, a)| *x -= a);
    p.mul_mass(&mut w.ma, last);
    let warm = update_rows(p, &mut w.cones, &mut [], &w.jaref, u.force, u.state) + gauss_cost(p, &w.ma, last);
    let smooth = update_rows(p, &mut w.cones, &mut [], b, u.force, u.state);
    if warm > smooth {
        u.qacc.copy_from_slice(p.acc_smooth);
        if built {
            w.jaref.copy_from_slice(b);
            p.mul_mass(&mut w.ma, p.acc_smooth);
        }
    } else {
        u.qacc.copy_from_slice(last);
    }
    built
}

/// Starts a dual solver from the forces at the last step's acceleration, unless zero forces cost less.
pub fn warmstart_dual(
    opt: &Options,
    p: &Problem,
    dual: &DualProblem,
    last: &[f64],
    u: &mut Unknowns,
    w: &mut SolverWork,
) {
    if opt.disabled(DisableFlags::WARMSTART) {
        u.force.fill(0.0);
        return;
    }
    w.fit(last.len(), dual.b.len());
    cone::find(p, u.contact, &mut w.cones);
    p.jac.mul_vec(&mut w.jaref, last);
    w.jaref.iter_mut().zip(p.aref).for_each(|(x, a)| *x -= a);
    update_rows(p, &mut w.cones, &mut [], &w.jaref, u.force, u.state);
    dual.matrix.mul_vec(&mut w.jv, u.force);
    if dot(u.force, dual.b) + 0.5 * dot(u.force, &w.jv) > 0.0 {
        u.force.fill(0.0);
    }
}
