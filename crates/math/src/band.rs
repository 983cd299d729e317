//! Symmetric matrices that are banded, except for some dense rows at the end.
//!
//! Stored are, of the lower triangle, `nband` values per banded row, diagonal last, then the dense rows.

use crate::MINVAL;
use crate::factor::dot;

/// Sizes of a band matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Number of rows.
    pub ntotal: usize,
    /// Stored entries of a banded row: those left of the diagonal, and the diagonal.
    pub nband: usize,
    /// Number of dense rows, which come last.
    pub ndense: usize,
}

impl Band {
    fn nsparse(&self) -> usize {
        self.ntotal - self.ndense
    }

    /// Number of stored values.
    pub fn len(&self) -> usize {
        self.nsparse() * self.nband + self.ndense * self.ntotal
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Storage index of the diagonal entry of row `i`.
    #[doc(alias = "mju_bandDiag")]
    pub fn diag(&self, i: usize) -> usize {
        match i.checked_sub(self.nsparse()) {
            None => i * self.nband + self.nband - 1,
            Some(k) => self.nsparse() * self.nband + k * self.ntotal + i,
        }
    }

    /// First stored column of row `i`.
    fn first(&self, i: usize) -> usize {
        if i < self.nsparse() { (i + 1).saturating_sub(self.nband) } else { 0 }
    }

    /// Entries of row `i` in the columns `from..to`.
    fn part<'a>(&self, mat: &'a [f64], i: usize, from: usize, to: usize) -> &'a [f64] {
        let diag = self.diag(i);
        &mat[diag + from - i..diag + to - i]
    }

    /// Cholesky factor, in place, of the matrix with `diagadd + diagmul · a_ii` added to its diagonal. Returns the
    /// smallest squared diagonal entry of the factor, or 0 if the matrix is not positive definite.
    #[doc(alias = "mju_cholFactorBand")]
    pub fn factor(&self, mat: &mut [f64], diagadd: f64, diagmul: f64) -> f64 {
        let mut mindiag = -1.0;
        for j in 0..self.ntotal {
            let (diag, start) = (self.diag(j), self.first(j));
            let own = self.part(mat, j, start, j);
            let square = diagadd + diagmul * mat[diag] + mat[diag] - dot(own, own);
            if square < mindiag || mindiag < 0.0 {
                mindiag = square;
            }
            if square < MINVAL {
                return 0.0;
            }
            let root = square.sqrt();
            let scale = 1.0 / root;
            for i in j + 1..self.ntotal {
                let begin = self.first(i).max(start);
                if self.first(i) > j {
                    continue;
                }
                let left = dot(self.part(mat, j, begin, j), self.part(mat, i, begin, j));
                let at = self.diag(i) + j - i;
                mat[at] = scale * (mat[at] - left);
            }
            mat[diag] = root;
        }
        mindiag
    }

    /// Solves in place with the factor of [`Band::factor`].
    #[doc(alias = "mju_cholSolveBand")]
    pub fn solve(&self, x: &mut [f64], mat: &[f64]) {
        for i in 0..self.ntotal {
            let start = self.first(i);
            x[i] = (x[i] - dot(self.part(mat, i, start, i), &x[start..i])) / mat[self.diag(i)];
        }
        for i in (0..self.ntotal).rev() {
            for j in (i + 1..self.ntotal).filter(|&j| self.first(j) <= i) {
                x[i] -= mat[self.diag(j) + i - j] * x[j];
            }
            x[i] /= mat[self.diag(i)];
        }
    }

    /// The dense matrix; only its lower triangle unless `symmetric`.
    #[doc(alias = "mju_band2Dense")]
    pub fn to_dense(&self, res: &mut [f64], mat: &[f64], symmetric: bool) {
        let n = self.ntotal;
        res.fill(0.0);
        for i in 0..n {
            for j in self.first(i)..=i {
                let v = mat[self.diag(i) + j - i];
                res[i * n + j] = v;
                if symmetric {
                    res[j * n + i] = v;
                }
            }
        }
    }

    /// Extracts the band matrix of a dense one; other entries are ignored.
    #[doc(alias = "mju_dense2Band")]
    pub fn of_dense(&self, res: &mut [f64], mat: &[f64]) {
        for i in 0..self.ntotal {
            for j in self.first(i)..=i {
                res[self.diag(i) + j - i] = mat[i * self.ntotal + j];
            }
        }
    }

    /// Product with a vector; without `symmetric`, of the lower triangle only.
    #[doc(alias = "mju_bandMulMatVec")]
    pub fn mul_vec(&self, res: &mut [f64], mat: &[f64], x: &[f64], symmetric: bool) {
        for i in 0..self.ntotal {
            let start = self.first(i);
            res[i] = dot(self.part(mat, i, start, i + 1), &x[start..=i]);
            if symmetric {
                let row = self.part(mat, i, start, i);
                row.iter().zip(&mut res[start..i]).for_each(|(v, r)| *r += v * x[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_inverts_the_product() {
        let band = Band { ntotal: 6, nband: 3, ndense: 2 };
        let mut dense = [0.0; 36];
        for i in 0..6 {
            for j in 0..=i {
                dense[6 * i + j] = if i == j { 5.0 } else { 0.3 * (i + 2 * j) as f64 % 1.0 - 0.4 };
            }
        }
        let mut mat = vec![0.0; band.len()];
        band.of_dense(&mut mat, &dense);
        let x = [1.0, -2.0, 0.5, 3.0, 0.1, -1.0];
        let mut y = [0.0; 6];
        band.mul_vec(&mut y, &mat, &x, true);
        band.to_dense(&mut dense, &mat, true);
        for i in 0..6 {
            assert!((dot(&dense[6 * i..6 * i + 6], &x) - y[i]).abs() < 1e-14);
        }
        assert!(band.factor(&mut mat, 0.0, 0.0) > 0.0);
        band.solve(&mut y, &mat);
        assert!(x.iter().zip(y).all(|(a, b)| (a - b).abs() < 1e-14), "{y:?}");
        assert_eq!(band.factor(&mut vec![0.0; band.len()], 0.0, 0.0), 0.0);
    }
}
