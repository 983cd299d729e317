//! Compressed sparse rows: patterns, products, and the subset of rows that a computation visits.

pub use crate::tree::mul_sym_vec;

/// The rows or elements a computation visits: all of them, or a list in increasing order.
#[derive(Clone, Copy, Debug)]
pub enum Subset<'a> {
    /// `0..n`.
    All(usize),
    /// The listed ones.
    Listed(&'a [i32]),
}

impl Subset<'_> {
    /// Number of visited elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Subset::All(n) => *n,
            Subset::Listed(list) => list.len(),
        }
    }

    /// Whether no element is visited.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Index of the `k`-th visited element.
    #[inline(always)]
    pub fn at(&self, k: usize) -> usize {
        match self {
            Subset::All(_) => k,
            Subset::Listed(list) => list[k] as usize,
        }
    }

    /// Indices in increasing order.
    #[inline(always)]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        (0..self.len()).map(|k| self.at(k))
    }
}

/// Sparsity pattern of a matrix: row `i` has `rownnz[i]` columns, in increasing order, from `rowadr[i]` on.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    /// Entries per row.
    pub rownnz: &'a [i32],
    /// First entry of each row.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
}

impl<'a> Pattern<'a> {
    /// Number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rownnz.len()
    }

    /// Entries of row `i`, as a range into the values.
    #[inline(always)]
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        let adr = self.rowadr[i] as usize;
        adr..adr + self.rownnz[i] as usize
    }

    /// Start of the first `n` rows, if each of them has exactly one entry.
    #[inline]
    pub fn single(&self, n: usize) -> Option<usize> {
        let (first, last) = (*self.rowadr.first()?, n.checked_sub(1)?);
        (self.rowadr[last] - first == last as i32 && self.rownnz[last] == 1).then_some(first as usize)
    }

    /// Columns of row `i`.
    #[inline(always)]
    pub fn cols(&self, i: usize) -> &'a [i32] {
        &self.colind[self.range(i)]
    }
}

/// `res[k] = from[map[k]]`; previous contents of `res` are dropped.
#[doc(alias = "mju_gather")]
pub fn gather<T: Copy>(res: &mut Vec<T>, from: &[T], map: &[i32]) {
    res.clear();
    res.extend(map.iter().map(|&i| from[i as usize]));
}

/// `Σ vec[k] · x[ind[k]]`.
#[doc(alias = "mju_dotSparse")]
#[inline(always)]
pub fn dot(vec: &[f64], ind: &[i32], x: &[f64]) -> f64 {
    let (head, tail) = vec.split_at(vec.len() & !3);
    let (head_ind, tail_ind) = ind.split_at(head.len());
    // four partial sums hide the latency of the additions
    let mut sum = [0.0; 4];
    for (v, i) in head.as_chunks::<4>().0.iter().zip(head_ind.as_chunks::<4>().0) {
        for k in 0..4 {
            sum[k] += v[k] * x[i[k] as usize];
        }
    }
    let mut res = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    for (v, &i) in tail.iter().zip(tail_ind) {
        res += v * x[i as usize];
    }
    res
}

/// Adds the products of the entries left after groups of four, as in [`dot`].
#[inline(always)]
pub fn add_tail(sum: f64, vec: &[f64], x: &[f64]) -> f64 {
    vec.iter().zip(x).fold(sum, |sum, (v, x)| sum + v * x)
}

/// `res = mat · x`.
#[doc(alias = "mju_mulMatVecSparse")]
pub fn mul_vec(res: &mut [f64], mat: &[f64], p: Pattern, x: &[f64]) {
    for (i, r) in res.iter_mut().enumerate() {
        *r = dot(&mat[p.range(i)], p.cols(i), x);
    }
}

/// `res = matᵀ · x`.
#[doc(alias = "mju_mulMatTVecSparse")]
pub fn mul_vec_t(res: &mut [f64], mat: &[f64], p: Pattern, x: &[f64]) {
    res.fill(0.0);
    for (i, &scale) in x.iter().enumerate() {
        if scale != 0.0 {
            for (&v, &c) in mat[p.range(i)].iter().zip(p.cols(i)) {
                res[c as usize] += v * scale;
            }
        }
    }
}

/// `y += s · x`.
#[doc(alias = "mju_addToScl")]
#[inline(always)]
pub fn add_scaled(y: &mut [f64], x: &[f64], s: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x * s;
    }
}

/// `dst += s · src` at the columns that both rows have; other columns are ignored.
#[doc(alias = "mju_addToSclSparseInc")]
#[inline]
pub fn add_common(dst: &mut [f64], dst_col: &[i32], src: &[f64], src_col: &[i32], s: f64) {
    let mut dst = dst.iter_mut().zip(dst_col);
    let mut src = src.iter().zip(src_col);
    let (mut to, mut from) = (dst.next(), src.next());
    while let (Some((d, dc)), Some((v, sc))) = (&mut to, from) {
        match sc.cmp(dc) {
            std::cmp::Ordering::Equal => {
                **d += s * v;
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
    use crate::rows;

    #[test]
    fn products_agree_with_the_dense_matrix() {
        let p = Pattern { rownnz: &[1, 2, 6], rowadr: &[0, 1, 3], colind: &[2, 0, 5, 0, 1, 2, 3, 4, 5] };
        let mat = [3.0, 1.0, -2.0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5];
        let mut dense = [[0.0; 6]; 3];
        for (r, row) in dense.iter_mut().enumerate() {
            for adr in p.range(r) {
                row[p.colind[adr] as usize] = mat[adr];
            }
        }
        let x = [1.0, -1.0, 0.5, 2.0, 0.25, -3.0];
        let mut res = [0.0; 3];
        mul_vec(&mut res, &mat, p, &x);
        for r in 0..3 {
            let want: f64 = (0..6).map(|c| dense[r][c] * x[c]).sum();
            assert!((res[r] - want).abs() < 1e-14);
        }
        let mut back = [0.0; 6];
        mul_vec_t(&mut back, &mat, p, &res);
        for c in 0..6 {
            let want: f64 = (0..3).map(|r| dense[r][c] * res[r]).sum();
            assert!((back[c] - want).abs() < 1e-13);
        }
    }

    #[test]
    fn packed_products_are_the_same_to_the_last_bit() {
        let (vec, x): (Vec<f64>, Vec<f64>) = (0..15).map(|i| ((0.7 * i as f64).sin(), (1.9 * i as f64).cos())).unzip();
        let all: Vec<i32> = (0..15).collect();
        for n in 1..=15 {
            let mut res = [0.0];
            rows::mul(&mut res, &vec[..n], &x[..n], add_tail);
            assert_eq!(res[0], dot(&vec[..n], &all[..n], &x));
        }
    }

    #[test]
    fn both_triangles_of_a_symmetric_matrix_count() {
        // a chain of seven, and a branch of two more from its third row
        let p = Pattern {
            rownnz: &[1, 2, 3, 4, 5, 6, 7, 4, 5],
            rowadr: &[0, 1, 3, 6, 10, 15, 21, 28, 32],
            colind: &[
                0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 7, 0, 1,
                2, 7, 8,
            ],
        };
        let at = |k: f64, i: usize| (k * i as f64 + 0.3).sin();
        let mat: Vec<f64> = (0..37).map(|i| at(1.7, i)).collect();
        let x: Vec<f64> = (0..9).map(|i| if i == 5 { 0.0 } else { at(0.9, i) }).collect();
        let mut want = [0.0; 9];
        for i in 0..9 {
            for adr in p.range(i) {
                let c = p.colind[adr] as usize;
                want[i] += mat[adr] * x[c];
                if c != i {
                    want[c] += mat[adr] * x[i];
                }
            }
        }
        let mut res = [7.0; 9];
        mul_sym_vec(&mut res, &mat, p, &x);
        for i in 0..9 {
            assert!((res[i] - want[i]).abs() < 1e-14, "{res:?} {want:?}");
        }
    }

    #[test]
    fn only_common_columns_are_added() {
        let mut dst = [1.0, 1.0, 1.0];
        add_common(&mut dst, &[0, 3, 4], &[10.0, 20.0, 30.0], &[1, 3, 5], 0.5);
        assert_eq!(dst, [1.0, 11.0, 1.0]);
    }
}
