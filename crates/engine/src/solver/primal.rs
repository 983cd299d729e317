//! Minimisation over accelerations: cost, gradient and the outer loop shared by Newton and CG.
//!
//! `min_a ½ (a − a0)ᵀ M (a − a0) + s(J a − aref)`, with `a0` the smooth acceleration and `s` a sum of convex functions,
//! one per row or elliptic cone. Todorov, Convex and analytically-invertible dynamics, ICRA 2014.

use super::search::{self, Start};
use super::work::{Cone, SolverWork};
use super::{cone, newton};
use crate::data::rows::RowGroups;
use crate::data::solver::SolverStat;
use crate::data::{Contact, Efc};
use crate::model::enums::{ConeType, ConstraintState};
use crate::model::{Model, Options};
use crate::support::inertia::pattern;
use crate::support::row::Jacobian;
use crate::support::spring::Springs;
use sinew_math::factor::dot;
use sinew_math::sparse::{self, Pattern, Subset, add_scaled};
use sinew_math::sparse_chol::SparseChol;
use sinew_math::{MINVAL, factor, line};
use std::ops::Range;

/// Integer codes of the stored states.
pub(super) const SATISFIED: i32 = ConstraintState::Satisfied as i32;
pub(super) const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
pub(super) const LINEARNEG: i32 = ConstraintState::Linearneg as i32;
pub(super) const LINEARPOS: i32 = ConstraintState::Linearpos as i32;
pub(super) const CONE: i32 = ConstraintState::Cone as i32;

/// Inputs of the minimisation: dynamics and constraint rows of a whole model, or of one island.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Sparsity of the mass matrix.
    pub pattern: Pattern<'a>,
    /// Mass matrix.
    pub mass: &'a [f64],
    /// Implicit springs and dampers, to be added to the mass matrix.
    pub springs: Springs<'a>,
    /// Factor of the mass matrix without springs.
    pub factor: &'a [f64],
    /// Inverse diagonal of the factor.
    pub diaginv: &'a [f64],
    /// Smooth forces.
    pub frc_smooth: &'a [f64],
    /// Smooth accelerations.
    pub acc_smooth: &'a [f64],
    /// Constraint Jacobian.
    pub jac: Jacobian<'a>,
    /// Columns of the Jacobian's rows, where known.
    pub groups: Option<&'a RowGroups>,
    /// For sparse rows: how many of the following rows have the same columns.
    pub alike: &'a [i32],
    /// Constraint type of each row.
    pub kind: &'a [i32],
    /// Source object of each row; for contact rows, the index into all contacts.
    pub id: &'a [i32],
    /// Number of equality rows, which come first.
    pub ne: usize,
    /// Number of friction rows, which come next.
    pub nf: usize,
    /// Stiffness of the cost of each row.
    pub d: &'a [f64],
    /// Inverse of `d`.
    pub r: &'a [f64],
    /// Bounds of friction rows.
    pub frictionloss: &'a [f64],
    /// Reference accelerations.
    pub aref: &'a [f64],
    /// Inverse of the scale of cost and gradient: mean inertia times number of dofs.
    pub scale: f64,
}

impl<'a> Problem<'a> {
    /// The problem of a whole model: mass matrix, its factor and inverse diagonal; smooth forces and accelerations; rows.
    pub fn whole(
        m: &'a Model,
        [mass, factor, diaginv]: [&'a [f64]; 3],
        [frc_smooth, acc_smooth]: [&'a [f64]; 2],
        efc: &'a Efc,
    ) -> Self {
        Problem {
            pattern: pattern(m),
            mass,
            springs: Springs::NONE,
            factor,
            diaginv,
            frc_smooth,
            acc_smooth,
            jac: Jacobian::efc(m, efc),
            groups: None,
            alike: &efc.efc_J_rowsuper,
            kind: &efc.efc_type,
            id: &efc.efc_id,
            ne: efc.ne as usize,
            nf: efc.nf as usize,
            d: &efc.efc_D,
            r: &efc.efc_R,
            frictionloss: &efc.efc_frictionloss,
            aref: &efc.efc_aref,
            scale: 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64),
        }
    }

    /// `res = M x`, including springs.
    #[inline]
    pub fn mul_mass(&self, res: &mut [f64], x: &[f64]) {
        sparse::mul_sym_vec(res, self.mass, self.pattern, x);
        self.springs.add_product(res, x);
    }

    /// `res = J x`.
    pub fn mul_jac(&self, res: &mut [f64], x: &[f64]) {
        match (self.jac, self.groups) {
            // dense rows may have entries outside the columns of their group
            (Jacobian::Sparse(..), Some(groups)) => self.jac.mul_vec_within(groups, res, x),
            _ => self.jac.mul_vec(res, x),
        }
    }

    /// Solves `M x = x` in place, including springs; if there are any, their factor must be in `chol`.
    pub fn solve_mass(&self, x: &mut [f64], chol: &SparseChol) {
        if self.springs.is_empty() {
            let all = Subset::All(x.len());
            factor::solve_ldl(x, self.factor, self.diaginv, self.pattern, all);
        } else {
            chol.solve(x);
        }
    }

    /// Factors the mass matrix for [`Problem::solve_mass`], if it has springs.
    pub fn factor_mass(&self, chol: &mut SparseChol) {
        if !self.springs.is_empty() {
            self.springs.factor(self.pattern, self.mass, chol);
        }
    }
}

/// Unknowns of the minimisation.
#[derive(Debug)]
pub struct Unknowns<'a> {
    /// Accelerations; on entry, the initial guess.
    pub qacc: &'a mut [f64],
    /// Constraint force in joint space.
    pub qfrc: &'a mut [f64],
    /// Force of each row.
    pub force: &'a mut [f64],
    /// State of each row.
    pub state: &'a mut [i32],
    /// All contacts.
    pub contact: &'a [Contact],
}

/// Work that a solution took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Iterations.
    pub niter: usize,
    /// Stored entries of the matrices that were factored.
    pub nnz: usize,
}

/// How search directions are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Exact Hessian.
    Newton,
    /// Conjugate gradients, preconditioned by the mass matrix.
    Cg,
}

/// Computes forces, states and cost of all rows at `jaref = J a − aref`, and the Hessians of curved cones, if `curves`
/// has an entry for each cone.
///
/// *Equation*: quadratic `½ D x²` for equalities; for friction the same up to `|x| = R·loss`, linear beyond; for
/// limits, frictionless and pyramidal contacts only where `x < 0`; for elliptic contacts see [`cone`].
#[doc(alias = "mj_constraintUpdate")]
pub fn update_rows(
    p: &Problem,
    cones: &mut [Cone],
    curves: &mut [[f64; 36]],
    jaref: &[f64],
    force: &mut [f64],
    state: &mut [i32],
) -> f64 {
    let held = &mut force[..p.ne];
    held.iter_mut().zip(p.d).zip(jaref).for_each(|((f, d), x)| *f = -d * x);
    state[..p.ne].fill(QUADRATIC);
    let mut cost = -0.5 * dot(held, &jaref[..p.ne]);
    for i in p.ne..p.ne + p.nf {
        let (x, loss) = (jaref[i], p.frictionloss[i]);
        let bound = p.r[i] * loss;
        let (f, s, c) = if x <= -bound {
            (loss, LINEARNEG, -0.5 * bound * loss - loss * x)
        } else if x >= bound {
            (-loss, LINEARPOS, -0.5 * bound * loss + loss * x)
        } else {
            (-p.d[i] * x, QUADRATIC, 0.5 * p.d[i] * x * x)
        };
        force[i] = f;
        state[i] = s;
        cost += c;
    }
    let mut next = p.ne + p.nf;
    for (i, cone) in cones.iter_mut().enumerate() {
        cost += update_bounds(p.d, jaref, force, state, next..cone.row);
        let r = cone.rows();
        next = r.end;
        let (d, x) = (&p.d[r.clone()], &jaref[r.clone()]);
        cost += cone.update(d, x, &mut force[r.clone()], &mut state[r], curves.get_mut(i));
    }
    cost + update_bounds(p.d, jaref, force, state, next..jaref.len())
}

/// Updates unilateral rows, which push but do not pull. Returns their cost.
fn update_bounds(d: &[f64], jaref: &[f64], force: &mut [f64], state: &mut [i32], rows: Range<usize>) -> f64 {
    let x = &jaref[rows.clone()];
    let states = state[rows.clone()].iter_mut().zip(x);
    states.for_each(|(s, x)| *s = if *x >= 0.0 { SATISFIED } else { QUADRATIC });
    line::half_forces(&d[rows.clone()], x, &mut force[rows])
}

/// `½ (M a − f) · (a − a0)`.
pub(super) fn gauss_cost(p: &Problem, ma: &[f64], qacc: &[f64]) -> f64 {
    let mut cost = 0.0;
    for i in 0..qacc.len() {
        cost += 0.5 * (ma[i] - p.frc_smooth[i]) * (qacc[i] - p.acc_smooth[i]);
    }
    cost
}

/// Updates the forces and returns the total cost at the current acceleration, and its Gauss part.
fn update(p: &Problem, u: &mut Unknowns, w: &mut SolverWork) -> (f64, f64) {
    let cost = update_rows(p, &mut w.cones, &mut w.curves, &w.jaref, u.force, u.state);
    w.blocks.mul_vec_t(p, u.qfrc, u.force);
    let gauss = gauss_cost(p, &w.ma, u.qacc);
    (cost + gauss, gauss)
}

/// Gradient of the cost.
fn gradient(p: &Problem, u: &Unknowns, w: &mut SolverWork) {
    let n = w.grad.len();
    let (ma, smooth, qfrc) = (&w.ma[..n], &p.frc_smooth[..n], &u.qfrc[..n]);
    for (i, g) in w.grad.iter_mut().enumerate() {
        *g = ma[i] - smooth[i] - qfrc[i];
    }
}

/// Computes the preconditioned gradient.
fn precondition(method: Method, p: &Problem, w: &mut SolverWork) {
    w.mgrad.copy_from_slice(&w.grad);
    match method {
        Method::Newton => newton::solve(w),
        Method::Cg => p.solve_mass(&mut w.mgrad, &w.sparse),
    }
}

/// Finds the cones and computes the products of mass matrix and Jacobian with the acceleration in `u`.
fn begin(p: &Problem, u: &Unknowns, w: &mut SolverWork) {
    w.fit(u.qacc.len(), p.d.len());
    cone::find(p, u.contact, &mut w.cones);
    p.mul_mass(&mut w.ma, u.qacc);
    w.blocks.mul_vec(p, &mut w.jaref, u.qacc);
    w.jaref.iter_mut().zip(p.aref).for_each(|(x, a)| *x -= a);
}

/// Solves a problem whose Jacobian is in the blocks of `w`, from the acceleration in `u`. Statistics of the iterations
/// are written to `stats` as far as it reaches. With `begun`, the products of mass matrix and Jacobian with that
/// acceleration are already in `w`.
#[doc(alias = "mj_solNewton")]
#[doc(alias = "mj_solCG")]
pub fn solve(
    opt: &Options,
    method: Method,
    p: &Problem,
    u: &mut Unknowns,
    w: &mut SolverWork,
    begun: bool,
    stats: &mut [SolverStat],
) -> Outcome {
    let nv = u.qacc.len();
    if !begun {
        begin(p, u, w);
    }
    w.curves.clear();
    if method == Method::Newton {
        w.curves.resize(w.cones.len(), [0.0; 36]);
    }
    let (mut cost, mut gauss) = update(p, u, w);
    let mut nnz = 0;
    if method == Method::Newton {
        newton::prepare(p, w);
        nnz = newton::stored(p, w, opt.cone == ConeType::Elliptic);
        newton::factorize(p, u.state, w);
    } else {
        p.factor_mass(&mut w.sparse);
    }
    gradient(p, u, w);
    precondition(method, p, w);
    w.search.iter_mut().zip(&w.mgrad).for_each(|(s, g)| *s = -g);

    let mut niter = 0;
    let most = super::most_iterations(opt.iterations);
    while niter < most {
        // the Hessian maps Newton's direction to −gradient, so the curvature along it needs no evaluation
        let curvature = (method == Method::Newton).then(|| -dot(&w.grad, &w.search));
        let found = search::line_search(opt, p, w, Start { gauss, cost, curvature });
        if found.alpha == 0.0 {
            break;
        }
        add_scaled(u.qacc, &w.search, found.alpha);
        add_scaled(&mut w.ma, &w.mv, found.alpha);
        add_scaled(&mut w.jaref, &w.jv, found.alpha);
        if method == Method::Cg {
            std::mem::swap(&mut w.old[0], &mut w.grad);
            std::mem::swap(&mut w.old[1], &mut w.mgrad);
        }
        w.oldstate.copy_from_slice(u.state);
        let oldcost = cost;
        (cost, gauss) = update(p, u, w);
        gradient(p, u, w);
        let improvement = p.scale * (oldcost - cost);
        let gradient = p.scale * dot(&w.grad, &w.grad).sqrt();
        let ends = improvement.is_nan() || improvement < opt.tolerance || gradient < opt.tolerance;
        // after the last iteration neither a factor nor a direction is needed
        let last = ends || niter + 1 == most;
        let nupdate = match method {
            Method::Newton if last => newton::changes(u.state, w).count(),
            Method::Newton => newton::update(p, u.state, w),
            Method::Cg => 0,
        };
        if let Some(stat) = stats.get_mut(niter) {
            let (nactive, nchange) = count(u.state, &w.oldstate);
            let (lineslope, neval) = (found.slope, found.evaluations);
            *stat = SolverStat { improvement, gradient, lineslope, nactive, nchange, neval, nupdate: nupdate as i32 };
        }
        niter += 1;
        if last {
            break;
        }
        precondition(method, p, w);
        let beta = if method == Method::Cg { polak_ribiere(w) } else { 0.0 };
        for i in 0..nv {
            w.search[i] = -w.mgrad[i] + beta * w.search[i];
        }
    }
    let curved = w.cones.iter().zip(&w.curves).filter(|(cone, _)| cone.curved);
    w.hessians.extend(curved.map(|(cone, curve)| (cone.contact, *curve)));
    Outcome { niter, nnz }
}

/// Counts active rows, and rows whose state has changed.
pub(super) fn count(state: &[i32], old: &[i32]) -> (i32, i32) {
    let active = state.iter().map(|s| i32::from(*s != SATISFIED)).sum();
    let changed = state.iter().zip(old).map(|(a, b)| i32::from(a != b)).sum();
    (active, changed)
}

/// Weight of the previous direction in the next conjugate direction; overwrites the previous gradients.
fn polak_ribiere(w: &mut SolverWork) -> f64 {
    let [grad, mgrad] = &mut w.old;
    let size = MINVAL.max(dot(grad, mgrad));
    mgrad.iter_mut().zip(&w.mgrad).for_each(|(old, new)| *old = new - *old);
    (dot(&w.grad, mgrad) / size).max(0.0)
}
