//! Sparse LU of matrices with the ancestor–descendant pattern of a tree, without fill-in.

use crate::MINVAL;
use crate::sparse::{Pattern, dot};

/// Why a factorisation stopped: the pivot of `row` was smaller than [`MINVAL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallPivot {
    /// The row.
    pub row: usize,
}

/// Factors `A = (U + I) L` in place, from the last row upwards; both factors share the pattern of `A`.
///
/// `left` is scratch space with one entry per row.
#[doc(alias = "mju_factorLUSparse")]
pub fn factor(a: &mut [f64], at: Pattern, left: &mut [i32]) -> Result<(), SmallPivot> {
    left.copy_from_slice(&at.rownnz[..left.len()]);
    for i in (0..left.len()).rev() {
        let start = at.rowadr[i] as usize;
        let diag = start + left[i] as usize - 1;
        left[i] -= 1;
        let pivot = a[diag];
        if pivot.abs() < MINVAL {
            return Err(SmallPivot { row: i });
        }
        // the rows that use column i are its remaining columns: the pattern is symmetric
        for k in (start..diag).rev() {
            let j = at.colind[k] as usize;
            eliminate(a, at, i, j, left);
        }
    }
    Ok(())
}

/// Eliminates column `i` from the row `j` above.
fn eliminate(a: &mut [f64], at: Pattern, i: usize, j: usize, left: &mut [i32]) {
    let (i0, j0) = (at.rowadr[i] as usize, at.rowadr[j] as usize);
    let (i1, j1) = (i0 + left[i] as usize, j0 + left[j] as usize - 1);
    left[j] -= 1;
    let f = a[j1] / a[i1];
    a[j1] = f;
    // the remaining columns of row i are ancestors of i; row j contains all of them left of j
    let mut to = j0;
    for from in i0..i1 {
        while at.colind[to] != at.colind[from] {
            to += 1;
        }
        a[to] -= a[from] * f;
        to += 1;
    }
}

/// Solves `A x = b` with the factors of [`factor`]; `x` holds `b` on entry. `diag[i]` is the position of the diagonal
/// within row `i`.
#[doc(alias = "mju_solveLUSparse")]
pub fn solve(x: &mut [f64], lu: &[f64], at: Pattern, diag: &[i32]) {
    for i in (0..x.len()).rev() {
        let row = at.range(i);
        let upper = row.start + diag[i] as usize + 1..row.end;
        x[i] -= dot(&lu[upper.clone()], &at.colind[upper], x);
    }
    for i in 0..x.len() {
        let start = at.rowadr[i] as usize;
        let d = start + diag[i] as usize;
        x[i] = (x[i] - dot(&lu[start..d], &at.colind[start..d], x)) / lu[d];
    }
}

/// Solves `Aᵀ x = b` with the factors of [`factor`]; see [`solve`].
pub fn solve_transposed(x: &mut [f64], lu: &[f64], at: Pattern, diag: &[i32]) {
    for i in (0..x.len()).rev() {
        let start = at.rowadr[i] as usize;
        let d = start + diag[i] as usize;
        x[i] /= lu[d];
        let own = x[i];
        lu[start..d].iter().zip(&at.colind[start..d]).for_each(|(v, &c)| x[c as usize] -= v * own);
    }
    for i in 0..x.len() {
        let row = at.range(i);
        let upper = row.start + diag[i] as usize + 1..row.end;
        let own = x[i];
        lu[upper.clone()].iter().zip(&at.colind[upper]).for_each(|(v, &c)| x[c as usize] -= v * own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::mul_vec;

    /// Dofs 0–1 in a chain, 2 and 3 both children of 1.
    const AT: Pattern<'static> =
        Pattern { rownnz: &[4, 4, 3, 3], rowadr: &[0, 4, 8, 11], colind: &[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0, 1, 3] };
    const DIAG: [i32; 4] = [0, 1, 2, 2];

    #[test]
    fn solve_inverts_product() {
        let a = [9.0, 1.0, 2.0, -1.0, 0.5, 8.0, 1.5, 0.7, 1.0, -2.0, 7.0, 0.3, 2.0, 6.0];
        let x = [1.0, -2.0, 0.5, 3.0];
        let mut b = [0.0; 4];
        mul_vec(&mut b, &a, AT, &x);
        let mut lu = a;
        factor(&mut lu, AT, &mut [0; 4]).unwrap();
        solve(&mut b, &lu, AT, &DIAG);
        b.iter().zip(x).for_each(|(b, x)| assert!((b - x).abs() < 1e-14));
    }

    #[test]
    fn zero_pivot_is_reported() {
        let mut a = [9.0, 1.0, 2.0, -1.0, 0.5, 8.0, 1.5, 0.7, 1.0, -2.0, 0.0, 0.3, 2.0, 6.0];
        assert_eq!(factor(&mut a, AT, &mut [0; 4]), Err(SmallPivot { row: 2 }));
    }
}
