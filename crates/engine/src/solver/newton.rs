//! The Hessian of the cost and its Cholesky factor.

use super::primal::{CONE, Problem, QUADRATIC};
use super::work::{Cone, NewtonCost, SolverWork};
use crate::support::row::Jacobian;
use sinew_math::sparse::add_scaled;
use sinew_math::{MINVAL, factor};

/// Prepares the sparsity of the Hessian.
pub fn prepare(p: &Problem, w: &mut SolverWork) {
    let (blocks, entries) = (&w.blocks, w.blocks.entries(p));
    let springs = p.springs.len();
    let columns = |i: usize| match i.checked_sub(springs) {
        Some(i) => entries.columns(&blocks.list[i]),
        None => p.springs.row(i).0,
    };
    let counted = matches!(p.jac, Jacobian::Sparse(..));
    w.sparse.analyse(p.pattern, springs + blocks.list.len(), columns, counted);
    let (mut assemble, mut update) = (0, 0);
    for b in &blocks.list {
        let rows = b.end - b.start;
        assemble += rows * b.len * b.len;
        // square roots and divisions cost tens of multiplications
        update += rows * (2 * b.len * b.len + 36 * b.len);
    }
    w.cost = NewtonCost { refactor: w.sparse.work() + assemble, update: update / p.d.len().max(1) };
}

/// Number of entries that MuJoCo stores for the Hessian and its factors; with elliptic cones there is a second factor.
pub fn stored(p: &Problem, w: &SolverWork, elliptic: bool) -> usize {
    match p.jac {
        Jacobian::Dense { nv, .. } => nv * nv,
        Jacobian::Sparse(..) => {
            let mass = p.pattern.rows().checked_sub(1).map_or(0, |last| p.pattern.range(last).end);
            (1 + usize::from(elliptic)) * w.sparse.nnz() + w.sparse.coupled() + mass
        }
    }
}

/// Number of rows of curved cones.
fn cone_rows(cones: &[Cone], state: &[i32]) -> usize {
    cones.iter().filter(|c| state[c.row] == CONE).map(|c| c.dim).sum()
}

/// Factors `H = M + Jᵀ diag(D) J`, over the rows in their quadratic range, including curved cones.
pub fn factorize(p: &Problem, state: &[i32], w: &mut SolverWork) {
    let curved = cone_rows(&w.cones, state);
    if curved * w.cost.update > w.cost.refactor {
        refactor(p, state, w, true);
    } else {
        refactor(p, state, w, false);
        add_cones(p, state, w);
    }
}

/// Assembles and factors the Hessian, with or without curved cones.
fn refactor(p: &Problem, state: &[i32], w: &mut SolverWork, with_cones: bool) {
    let SolverWork { blocks, sparse, cones, curves, pack, weights, .. } = w;
    let entries = blocks.entries(p);
    sparse.clear();
    sparse.add_tree(p.pattern, p.mass);
    p.springs.add_to(sparse);
    let mut cones = cones.iter().zip(curves.iter());
    for b in &blocks.list {
        if state[b.start..b.end].iter().all(|s| *s == QUADRATIC) {
            sparse.add_block(entries.columns(b), entries.rows(b), &p.d[b.start..b.end]);
            continue;
        }
        pack.clear();
        weights.clear();
        let mut r = b.start;
        while r < b.end {
            if state[r] == QUADRATIC {
                pack.extend_from_slice(entries.row(b, r));
                weights.push(p.d[r]);
            } else if state[r] == CONE && with_cones {
                let Some((cone, curve)) = cones.find(|c| c.0.row == r) else { break };
                pack_cone(cone, curve, |k| entries.row(b, r + k), pack);
                weights.resize(weights.len() + cone.dim, 1.0);
                r += cone.dim - 1;
            }
            r += 1;
        }
        sparse.add_block(entries.columns(b), pack, weights);
    }
    sparse.factor();
    w.base = !with_cones || cone_rows(&w.cones, state) == 0;
    w.curved = false;
}

/// Appends rows `v` with `Σ v vᵀ = Jᵀ H J` for the Hessian `H` of a cone and its Jacobian rows.
fn pack_cone<'a>(cone: &Cone, curve: &[f64; 36], row: impl Fn(usize) -> &'a [f64], pack: &mut Vec<f64>) {
    let n = cone.dim;
    let mut upper = *curve;
    factor::chol_factor(&mut upper[..n * n], n, MINVAL);
    for r in 0..n {
        let start = pack.len();
        pack.resize(start + row(0).len(), 0.0);
        for c in r..n {
            add_scaled(&mut pack[start..], row(c), upper[r * n + c]);
        }
    }
}

/// How the Hessian differs from the one at `w.oldstate`.
pub struct Changes {
    /// Rows that entered or left their quadratic range.
    rows: usize,
    /// Rows of curved cones.
    curved: usize,
}

impl Changes {
    /// Equivalent number of rank-one updates.
    pub fn count(&self) -> usize {
        self.rows + self.curved
    }
}

/// Counts the changes since `w.oldstate`.
pub fn changes(state: &[i32], w: &SolverWork) -> Changes {
    let entered = |(new, old): (&i32, &i32)| usize::from((*new == QUADRATIC) != (*old == QUADRATIC));
    Changes { rows: state.iter().zip(&w.oldstate).map(entered).sum(), curved: cone_rows(&w.cones, state) }
}

/// Updates the factor for rows that entered or left their quadratic range since `w.oldstate`. Returns the equivalent
/// number of rank-one updates.
pub fn update(p: &Problem, state: &[i32], w: &mut SolverWork) -> usize {
    let changes = changes(state, w);
    let (count, curved) = (changes.count(), changes.curved);
    if !w.base || count * w.cost.update > w.cost.refactor {
        // refactoring is cheaper
        refactor(p, state, w, true);
        return count;
    }
    if changes.rows > 0 && !update_factor(p, state, w) {
        // accuracy was lost in an update
        refactor(p, state, w, true);
        return state.len() + curved;
    }
    add_cones(p, state, w);
    count
}

/// Applies rank-one updates for all changed rows; returns false if accuracy was lost.
fn update_factor(p: &Problem, state: &[i32], w: &mut SolverWork) -> bool {
    let SolverWork { blocks, sparse, oldstate, row, .. } = w;
    let entries = blocks.entries(p);
    for b in &blocks.list {
        let cols = entries.columns(b);
        let Some(&last) = cols.last() else { continue };
        for r in b.start..b.end {
            let (was, is) = (oldstate[r] == QUADRATIC, state[r] == QUADRATIC);
            if was == is {
                continue;
            }
            let scale = p.d[r].sqrt();
            cols.iter().zip(entries.row(b, r)).for_each(|(&c, v)| row[c as usize] = v * scale);
            if sparse.update(row, last as usize, is) < row.len() {
                return false;
            }
        }
    }
    true
}

/// Computes a second factor of the Hessian, including curved cones, and keeps the one without.
fn add_cones(p: &Problem, state: &[i32], w: &mut SolverWork) {
    w.curved = cone_rows(&w.cones, state) > 0;
    if !w.curved {
        return;
    }
    debug_assert_eq!(p.d.len(), state.len());
    let SolverWork { blocks, sparse, cones, curves, pack, row, .. } = w;
    let entries = blocks.entries(p);
    sparse.save();
    let mut list = blocks.list.iter();
    let mut block = list.next();
    for (cone, curve) in cones.iter().zip(curves.iter()).filter(|c| state[c.0.row] == CONE) {
        while block.is_some_and(|b| b.end <= cone.row) {
            block = list.next();
        }
        let Some(b) = block else { break };
        let cols = entries.columns(b);
        let Some(&last) = cols.last() else { continue };
        pack.clear();
        pack_cone(cone, curve, |k| entries.row(b, cone.row + k), pack);
        for v in pack.chunks_exact(b.len) {
            cols.iter().zip(v).for_each(|(&c, v)| row[c as usize] = *v);
            sparse.update(row, last as usize, true);
        }
    }
    sparse.swap();
}

/// Solves `H x = x` in place for `w.mgrad`.
pub fn solve(w: &mut SolverWork) {
    if w.curved { w.sparse.solve_other(&mut w.mgrad) } else { w.sparse.solve(&mut w.mgrad) }
}
