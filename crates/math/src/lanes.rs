//! Several right-hand sides at once: one pass over a sparse factor serves eight interleaved vectors.

use crate::sparse::Pattern;

/// Number of vectors processed together.
pub const LANES: usize = 8;

/// One entry of each vector.
pub type Lane = [f64; LANES];

/// `a += s b`.
#[inline(always)]
pub fn add_scaled(a: &mut Lane, b: &Lane, s: f64) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += s * b);
}

#[inline(always)]
fn scaled(a: &Lane, s: f64) -> Lane {
    a.map(|x| x * s)
}

/// `x[c] −= v · own` over the entries of a row.
#[inline(always)]
pub(crate) fn scatter(x: &mut [Lane], values: &[f64], cols: &[i32], own: &Lane) {
    for (&v, &c) in values.iter().zip(cols) {
        add_scaled(&mut x[c as usize], own, -v);
    }
}

/// `own − Σ v · x[c]` over the entries of a row.
#[inline(always)]
pub(crate) fn gather(x: &[Lane], values: &[f64], cols: &[i32], mut own: Lane) -> Lane {
    for (&v, &c) in values.iter().zip(cols) {
        add_scaled(&mut own, &x[c as usize], -v);
    }
    own
}

/// [`solve_ldl`](crate::factor::solve_ldl) with all rows, for several vectors.
pub fn solve_ldl(x: &mut [Lane], ld: &[f64], diaginv: &[f64], p: Pattern) {
    for i in (0..x.len()).rev() {
        let own = x[i];
        if own != [0.0; LANES] {
            let range = p.range(i);
            let row = range.start..range.end - 1;
            scatter(x, &ld[row.clone()], &p.colind[row], &own);
        }
    }
    for i in 0..x.len() {
        let range = p.range(i);
        let row = range.start..range.end - 1;
        x[i] = gather(x, &ld[row.clone()], &p.colind[row], scaled(&x[i], diaginv[i]));
    }
}

/// [`solve`](crate::lu::solve) for several vectors.
pub fn solve_lu(x: &mut [Lane], lu: &[f64], at: Pattern, diag: &[i32]) {
    for i in (0..x.len()).rev() {
        let row = at.range(i);
        let upper = row.start + diag[i] as usize + 1..row.end;
        x[i] = gather(x, &lu[upper.clone()], &at.colind[upper], x[i]);
    }
    for i in 0..x.len() {
        let start = at.rowadr[i] as usize;
        let d = start + diag[i] as usize;
        x[i] = scaled(&gather(x, &lu[start..d], &at.colind[start..d], x[i]), 1.0 / lu[d]);
    }
}

/// `res = A x` for a symmetric matrix given by its lower triangle, for several vectors.
pub fn mul_sym(res: &mut [Lane], values: &[f64], p: Pattern, x: &[Lane]) {
    res.fill([0.0; LANES]);
    for i in 0..x.len() {
        let range = p.range(i);
        let last = range.end - 1;
        // row i of the result has received no contributions yet: only later rows add to it
        let (own, mut sum) = (x[i], scaled(&x[i], values[last]));
        for (&v, &c) in values[range.start..last].iter().zip(&p.colind[range.start..last]) {
            let c = c as usize;
            add_scaled(&mut sum, &x[c], v);
            add_scaled(&mut res[c], &own, v);
        }
        res[i] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::{Subset, mul_sym_vec};
    use crate::{factor, lu};

    /// Dofs 0–1 in a chain, 2 and 3 both children of 1.
    const TREE: Pattern<'static> =
        Pattern { rownnz: &[1, 2, 3, 3], rowadr: &[0, 1, 3, 6], colind: &[0, 0, 1, 0, 1, 2, 0, 1, 3] };
    const FULL: Pattern<'static> =
        Pattern { rownnz: &[4, 4, 3, 3], rowadr: &[0, 4, 8, 11], colind: &[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0, 1, 3] };

    fn vectors() -> Vec<Lane> {
        (0..4).map(|i| std::array::from_fn(|l| if l == 2 { 0.0 } else { (3 * i + 5 * l) as f64 % 7.0 - 2.0 })).collect()
    }

    /// Compares each lane with the same operation on one vector.
    fn check(lanes: &[Lane], one: impl Fn(&mut [f64])) {
        for l in 0..LANES {
            let mut x: Vec<f64> = vectors().iter().map(|lane| lane[l]).collect();
            one(&mut x);
            assert!(x.iter().zip(lanes).all(|(x, lane)| (x - lane[l]).abs() < 1e-14), "{x:?}");
        }
    }

    #[test]
    fn lanes_are_solved_as_single_vectors_are() {
        let mass = [4.0, 1.0, 3.0, 0.5, -0.4, 2.0, 0.3, 0.2, 5.0];
        let (mut ld, mut inv) = (mass, [0.0; 4]);
        factor::factor_ldl(&mut ld, &mut inv, TREE, Subset::All(4));
        let mut x = vectors();
        solve_ldl(&mut x, &ld, &inv, TREE);
        check(&x, |x| factor::solve_ldl(x, &ld, &inv, TREE, Subset::All(4)));

        let mut product = vec![[0.0; LANES]; 4];
        mul_sym(&mut product, &mass, TREE, &vectors());
        check(&product, |x| {
            let from = x.to_vec();
            mul_sym_vec(x, &mass, TREE, &from);
        });

        let mut full = [6.0, 1.0, 0.5, 0.3, 0.9, 5.0, -0.4, 0.2, 0.4, -0.3, 4.0, 0.2, 0.1, 3.0];
        lu::factor(&mut full, FULL, &mut [0; 4]).expect("regular");
        let mut x = vectors();
        solve_lu(&mut x, &full, FULL, &[0, 1, 2, 2]);
        check(&x, |x| lu::solve(x, &full, FULL, &[0, 1, 2, 2]));
    }
}
