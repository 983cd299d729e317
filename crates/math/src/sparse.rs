//! Products with matrices stored by compressed rows.

use std::ops::Range;

/// Where the non-zeros of a matrix are: row `r` owns `rownnz[r]` values from `rowadr[r]` on, in the
/// increasing columns `colind`.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    /// Number of non-zeros of each row.
    pub rownnz: &'a [i32],
    /// Address of the first value of each row.
    pub rowadr: &'a [i32],
    /// Column of every value.
    pub colind: &'a [i32],
}

impl<'a> Pattern<'a> {
    /// Addresses of the values of row `r`.
    #[inline(always)]
    pub fn row(&self, r: usize) -> Range<usize> {
        let start = self.rowadr[r] as usize;
        start..start + self.rownnz[r] as usize
    }

    /// Columns of row `r`.
    #[inline(always)]
    pub fn cols(&self, r: usize) -> &'a [i32] {
        &self.colind[self.row(r)]
    }
}

/// `Σ val[k] · x[col[k]]`, summed in the order of MuJoCo's vectorised dot product.
#[doc(alias = "mju_dotSparse")]
#[inline]
pub fn dot(val: &[f64], col: &[i32], x: &[f64]) -> f64 {
    let mut sum = [0.0; 4];
    let mut vals = val.chunks_exact(4);
    let mut cols = col[..val.len()].chunks_exact(4);
    for (v, c) in (&mut vals).zip(&mut cols) {
        for k in 0..4 {
            sum[k] += v[k] * x[c[k] as usize];
        }
    }
    let head = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    vals.remainder().iter().zip(cols.remainder()).fold(head, |s, (v, &c)| s + v * x[c as usize])
}

/// `res[cols] += scale · val` over one row.
#[inline(always)]
pub fn scatter_add(res: &mut [f64], val: &[f64], col: &[i32], scale: f64) {
    for (v, &c) in val.iter().zip(col) {
        res[c as usize] += v * scale;
    }
}

/// `res = A x`.
#[doc(alias = "mju_mulMatVecSparse")]
pub fn mul_vec(res: &mut [f64], a: &[f64], at: Pattern, x: &[f64]) {
    for (r, out) in res.iter_mut().enumerate() {
        let row = at.row(r);
        *out = dot(&a[row.clone()], &at.colind[row], x);
    }
}

/// `res = Aᵀ x`.
#[doc(alias = "mju_mulMatTVecSparse")]
pub fn mul_vec_t(res: &mut [f64], a: &[f64], at: Pattern, x: &[f64]) {
    res.fill(0.0);
    for (r, &s) in x.iter().enumerate() {
        if s != 0.0 {
            let row = at.row(r);
            scatter_add(res, &a[row.clone()], &at.colind[row], s);
        }
    }
}

/// `res = S x` for a symmetric matrix given by its lower triangle, each row ending at its diagonal.
#[doc(alias = "mju_mulSymVecSparse")]
pub fn mul_sym_vec(res: &mut [f64], lower: &[f64], at: Pattern, x: &[f64]) {
    for i in 0..x.len() {
        let row = at.row(i);
        let diag = row.end - 1;
        let (xi, mut sum) = (x[i], lower[diag] * x[i]);
        for k in (row.start..diag).rev() {
            let j = at.colind[k] as usize;
            sum += lower[k] * x[j];
            res[j] += lower[k] * xi;
        }
        res[i] = sum;
    }
}

/// `dst += scale · src` at the columns both rows have; the others are dropped.
#[doc(alias = "mju_addToSclSparseInc")]
#[inline]
pub fn add_common(dst: &mut [f64], dst_col: &[i32], src: &[f64], src_col: &[i32], scale: f64) {
    let mut dst = dst.iter_mut().zip(dst_col);
    let mut src = src.iter().zip(src_col);
    let (mut to, mut from) = (dst.next(), src.next());
    while let (Some((d, dc)), Some((s, sc))) = (&mut to, from) {
        match sc.cmp(dc) {
            std::cmp::Ordering::Equal => {
                **d += scale * s;
                (to, from) = (dst.next(), src.next());
            }
            std::cmp::Ordering::Less => from = src.next(),
            std::cmp::Ordering::Greater => to = dst.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Pattern<'static> = Pattern { rownnz: &[1, 2, 3], rowadr: &[0, 1, 3], colind: &[0, 0, 1, 0, 1, 2] };
    const L: [f64; 6] = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0];

    #[test]
    fn products_match_dense() {
        let x = [1.0, -2.0, 0.5];
        let mut y = [0.0; 3];
        mul_vec(&mut y, &L, AT, &x);
        assert_eq!(y, [2.0, -7.0, -8.5]);
        mul_vec_t(&mut y, &L, AT, &x);
        assert_eq!(y, [-0.5, -4.5, 6.5]);
        mul_sym_vec(&mut y, &L, AT, &x);
        assert_eq!(y, [-0.5, -1.5, -8.5]);
    }

    #[test]
    fn only_common_columns_are_added() {
        let mut dst = [1.0, 1.0, 1.0];
        add_common(&mut dst, &[0, 3, 4], &[10.0, 20.0, 30.0], &[1, 3, 5], 0.5);
        assert_eq!(dst, [1.0, 11.0, 1.0]);
    }
}
