//! Loops over rows of a factor in whole chunks. Remainder loops would cost more than the rows of small matrices
//! themselves. The padding at the end of a row is never used in results.

use crate::MINVAL;
use crate::rows::each;
use wide::{f64x2, f64x4};

/// Number of values per chunk.
pub(super) const WIDTH: usize = 4;

type Chunk = [f64; WIDTH];

/// Storage length of a row.
#[inline(always)]
pub(super) fn padded(len: usize) -> usize {
    len.next_multiple_of(WIDTH)
}

/// Nested rows, stored contiguously: each is one shorter than the one before; the first has `len` entries.
#[inline(always)]
pub(super) fn nested<const N: usize>(values: &[f64], len: usize) -> [&[f64]; N] {
    let mut rest = values;
    std::array::from_fn(|i| {
        let (row, after) = rest.split_at(padded(len - i));
        rest = after;
        row
    })
}

/// [`nested`], mutable.
#[inline(always)]
pub(super) fn nested_mut<const N: usize>(values: &mut [f64], len: usize) -> [&mut [f64]; N] {
    let mut rest = values;
    std::array::from_fn(|i| {
        let (row, after) = std::mem::take(&mut rest).split_at_mut(padded(len - i));
        rest = after;
        row
    })
}

/// `t −= Σ s v`, over all chunks of `t`.
#[inline(always)]
pub(super) fn subtract<const N: usize>(t: &mut [f64], v: [&[f64]; N], s: [f64; N]) {
    let t = t.as_chunks_mut::<WIDTH>().0;
    let n = t.len();
    let v = v.map(|v| &v.as_chunks::<WIDTH>().0[..n]);
    let s = s.map(f64x4::splat);
    for (c, t) in t.iter_mut().enumerate() {
        let mut sum = f64x4::from(*t);
        for i in 0..N {
            sum -= f64x4::from(v[i][c]) * s[i];
        }
        *t = sum.to_array();
    }
}

/// `t −= Σ s v`, for lengths that are not multiples of a chunk.
#[inline(always)]
pub(super) fn subtract_part<const N: usize>(t: &mut [f64], v: [&[f64]; N], s: [f64; N]) {
    let (four, rest) = t.as_chunks_mut::<WIDTH>();
    let done = WIDTH * four.len();
    subtract(four.as_flattened_mut(), v, s);
    let v = v.map(|v| &v[done..done + rest.len()]);
    let (two, one) = rest.as_chunks_mut::<2>();
    if let [t] = two {
        let mut sum = f64x2::from(*t);
        for i in 0..N {
            sum -= f64x2::from([v[i][0], v[i][1]]) * f64x2::splat(s[i]);
        }
        *t = sum.to_array();
    }
    if let [t] = one {
        (0..N).for_each(|i| *t -= v[i][v[i].len() - 1] * s[i]);
    }
}

/// Factors nested rows among themselves, writing their inverse diagonals to `inv` in reverse order. Returns the number
/// of diagonals that were raised.
#[inline(always)]
pub(super) fn factor<const N: usize>(mut rows: [&mut [f64]; N], len: usize, inv: &mut [f64]) -> usize {
    let mut raised = 0;
    for i in 0..N {
        let (done, others) = rows.split_at_mut(i + 1);
        let (row, diag) = (&mut *done[i], len - 1 - i);
        let square = if row[diag] < MINVAL {
            raised += 1;
            MINVAL
        } else {
            row[diag]
        };
        let root = square.sqrt();
        let scale = 1.0 / root;
        inv[N - 1 - i] = scale;
        for v in row.as_chunks_mut::<WIDTH>().0 {
            *v = (f64x4::from(*v) * f64x4::splat(scale)).to_array();
        }
        row[diag] = root;
        for (j, other) in others.iter_mut().enumerate() {
            let last = diag - 1 - j;
            subtract(other, [&*row], [row[last]]);
        }
    }
    raised
}

/// `t += Σ w v[a] v` over rows `v` of `chunks` chunks each, with weights `w`, using the first `t.len() / WIDTH` chunks
/// of each row.
#[inline(always)]
pub(super) fn accumulate(t: &mut [f64], rows: &[f64], chunks: usize, a: usize, weights: &[f64]) {
    let t = t.as_chunks_mut::<WIDTH>().0;
    let rows = rows.as_chunks::<WIDTH>().0;
    let mut first = 0;
    for panel in t.chunks_mut(3) {
        match panel {
            [t0, t1, t2] => panel_of::<3>([t0, t1, t2], rows, chunks, first, a, weights),
            [t0, t1] => panel_of::<2>([t0, t1], rows, chunks, first, a, weights),
            [t0] => panel_of::<1>([t0], rows, chunks, first, a, weights),
            _ => {}
        }
        first += 3;
    }
}

/// [`accumulate`] for `C` chunks, which stay in registers.
#[inline(always)]
fn panel_of<const C: usize>(
    t: [&mut Chunk; C],
    rows: &[Chunk],
    chunks: usize,
    first: usize,
    a: usize,
    weights: &[f64],
) {
    let mut sum: [f64x4; C] = std::array::from_fn(|c| f64x4::from(*t[c]));
    for (row, w) in each(rows, chunks).zip(weights) {
        let s = f64x4::splat(w * row.as_flattened()[a]);
        let v = &row[first..first + C];
        for c in 0..C {
            sum[c] += f64x4::from(v[c]) * s;
        }
    }
    t.into_iter().zip(sum).for_each(|(t, sum)| *t = sum.to_array());
}
