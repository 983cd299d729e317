use super::*;
use crate::factor;

/// Two trees, 0 ← 1 ← 2, 1 ← 3 and 4 ← 5, and the single dof 6.
const TREE: Pattern = Pattern {
    rownnz: &[1, 2, 3, 3, 1, 2, 1],
    rowadr: &[0, 1, 3, 6, 9, 10, 12],
    colind: &[0, 0, 1, 0, 1, 2, 0, 1, 3, 4, 4, 5, 6],
};
const MASS: [f64; 13] = [4.0, 1.0, 5.0, 0.5, -0.3, 3.0, 0.2, 0.7, 2.0, 1.5, 0.4, 2.5, 1.0];
const COUPLINGS: [(&[i32], &[f64]); 3] =
    [(&[0, 1, 3, 4, 5], &[0.5, -1.0, 0.3, 0.8, -0.2]), (&[2, 3], &[1.0, -1.0]), (&[0, 6], &[0.3, 2.0])];

fn dense(scale: [f64; 3]) -> Vec<f64> {
    let mut h = vec![0.0; 49];
    for r in 0..7 {
        for at in TREE.range(r) {
            let c = TREE.colind[at] as usize;
            h[7 * r + c] = MASS[at];
            h[7 * c + r] = MASS[at];
        }
    }
    for ((cols, v), s) in COUPLINGS.iter().zip(scale) {
        for (&a, x) in cols.iter().zip(*v) {
            for (&b, y) in cols.iter().zip(*v) {
                h[7 * a as usize + b as usize] += s * x * y;
            }
        }
    }
    h
}

fn sparse_factor(scale: [f64; 3]) -> SparseChol {
    let mut chol = SparseChol::default();
    chol.analyse(TREE, COUPLINGS.len(), |k| COUPLINGS[k].0, true);
    chol.clear();
    chol.add_tree(TREE, &MASS);
    for ((cols, v), s) in COUPLINGS.iter().zip(scale) {
        // as five rows, four of them processed together
        chol.add_block(cols, &v.repeat(5), &[0.1 * s, 0.2 * s, 0.3 * s, 0.15 * s, 0.25 * s]);
    }
    assert_eq!(chol.factor(), 7);
    chol
}

fn assert_solves(chol: &SparseChol, scale: [f64; 3]) {
    let b: Vec<f64> = (0..7).map(|i| (1.3 * i as f64).sin()).collect();
    let (mut x, mut want) = (b.clone(), b);
    chol.solve(&mut x);
    let mut h = dense(scale);
    factor::chol_factor(&mut h, 7, MINVAL);
    factor::chol_solve(&mut want, &h, 7);
    assert!(x.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-13), "{x:?} {want:?}");
}

#[test]
fn solves_like_the_dense_factor() {
    assert_solves(&sparse_factor([2.0, 0.7, 1.1]), [2.0, 0.7, 1.1]);
    assert_solves(&sparse_factor([0.0, 0.0, 0.0]), [0.0, 0.0, 0.0]);
}

#[test]
fn rows_with_all_columns_go_four_at_a_time() {
    let (cols, v): ([i32; 7], [f64; 7]) = ([0, 1, 2, 3, 4, 5, 6], [0.3, -1.0, 0.5, 0.8, -0.2, 0.6, 1.1]);
    let mut chol = SparseChol::default();
    chol.analyse(TREE, 1, |_| &cols, false);
    assert_eq!(chol.nnz(), 28);
    assert_eq!([6, 5, 3, 2, 1, 0].map(|r| chol.nested(r)), [4, 4, 4, 3, 2, 1]);
    chol.clear();
    chol.add_tree(TREE, &MASS);
    chol.add_block(&cols, &v, &[1.5]);
    assert_eq!(chol.factor(), 7);
    let mut h = dense([0.0; 3]);
    (0..49).for_each(|k| h[k] += 1.5 * v[k / 7] * v[k % 7]);
    factor::chol_factor(&mut h, 7, MINVAL);
    let (mut x, mut want) = (v, v);
    chol.solve(&mut x);
    factor::chol_solve(&mut want, &h, 7);
    assert!(x.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-13), "{x:?} {want:?}");
}

#[test]
fn entries_of_couplings_are_counted_once() {
    // 15 of the first, and (2, 2), (3, 2), (6, 0), (6, 6); (0, 0) and (3, 3) are counted already
    assert_eq!(sparse_factor([1.0; 3]).coupled(), 19);
}

#[test]
fn a_tree_fills_in_nowhere() {
    let mut chol = SparseChol::default();
    chol.analyse(TREE, 0, |_| &[], true);
    assert_eq!(chol.nnz(), MASS.len());
    // a coupling along a branch adds no entries, one across branches does
    let (along, across): ([i32; 3], [i32; 4]) = ([0, 1, 3], [0, 1, 2, 3]);
    chol.analyse(TREE, 1, |_| &along, true);
    assert_eq!(chol.nnz(), MASS.len());
    chol.analyse(TREE, 2, |k| [&along[..], &across][k], true);
    assert_eq!(chol.nnz(), MASS.len() + 1);
}

#[test]
fn updates_follow_the_couplings() {
    let mut chol = sparse_factor([2.0, 0.0, 1.1]);
    for (k, s, add) in [(1, 0.7, true), (0, 2.0, false)] {
        let (cols, v) = COUPLINGS[k];
        let mut x = vec![0.0; 7];
        cols.iter().zip(v).for_each(|(&c, v)| x[c as usize] = v * f64::sqrt(s));
        assert_eq!(chol.update(&mut x, *cols.last().expect("not empty") as usize, add), 7);
        assert!(x.iter().all(|x| *x == 0.0));
    }
    assert_solves(&chol, [0.0, 0.7, 1.1]);
}

/// Free bodies (odd ones as chains, the others diagonal), a chain of four with a branch, and single dofs.
fn bodies() -> (Vec<i32>, Vec<i32>, Vec<i32>) {
    let mut rows: Vec<Vec<i32>> = Vec::new();
    for body in 0..5 {
        let first = rows.len() as i32;
        rows.extend((0..6).map(|k| if body % 2 == 1 { (first..=first + k).collect() } else { vec![first + k] }));
    }
    rows.extend([vec![30], vec![30, 31], vec![30, 31, 32], vec![30, 31, 33], vec![34], vec![35]]);
    let len = rows.iter().map(|r| r.len() as i32);
    let adr = rows.iter().scan(0, |sum, r| Some(std::mem::replace(sum, *sum + r.len() as i32)));
    (len.collect(), adr.collect(), rows.concat())
}

#[test]
fn runs_of_dofs_change_nothing() {
    let (rownnz, rowadr, colind) = bodies();
    let tree = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
    let n = tree.rows();
    let body = |b: i32| 6 * b..6 * b + 6;
    let lists: Vec<Vec<i32>> = vec![
        body(0).collect(),
        body(0).chain(body(1)).collect(),
        body(1).chain(body(4)).collect(),
        body(2).chain(body(3)).collect(),
        body(3).chain([30, 31, 33]).collect(),
        vec![30, 31, 32],
        vec![4],
        vec![4],
        vec![35],
        vec![2, 34],
    ];
    let mut dense = vec![0.0; n * n];
    let mut coupled = vec![false; n * n];
    for r in 0..n {
        for &c in tree.cols(r) {
            let v = if c as usize == r { 9.0 + r as f64 } else { 0.3 };
            (dense[n * r + c as usize], dense[n * c as usize + r]) = (v, v);
        }
    }
    let mass: Vec<f64> = (0..n)
        .flat_map(|r| tree.cols(r).iter().map(move |&c| (r, c as usize)))
        .map(|(r, c)| dense[n * r + c])
        .collect();
    let mut chol = SparseChol::default();
    chol.analyse(tree, lists.len(), |k| &lists[k], true);
    chol.clear();
    chol.add_tree(tree, &mass);
    for (k, cols) in lists.iter().enumerate() {
        let rows: Vec<f64> = (0..3 * cols.len()).map(|i| (1.1 * i as f64 + k as f64).sin()).collect();
        let weights = [0.5, 2.0, 0.7];
        chol.add_block(cols, &rows, &weights);
        for (a, b) in (0..cols.len()).flat_map(|a| (0..cols.len()).map(move |b| (a, b))) {
            let at = n * cols[a] as usize + cols[b] as usize;
            coupled[at] |= b <= a;
            dense[at] += (0..3).map(|r| weights[r] * rows[r * cols.len() + a] * rows[r * cols.len() + b]).sum::<f64>();
        }
    }
    assert_eq!(chol.coupled(), coupled.iter().filter(|c| **c).count());
    let mut filled: Vec<bool> = dense.iter().map(|v| *v != 0.0).collect();
    for r in (0..n).rev() {
        for (a, b) in (0..r).flat_map(|a| (0..r).map(move |b| (a, b))) {
            filled[n * a + b] |= filled[n * r + a] && filled[n * r + b];
        }
    }
    assert_eq!(chol.nnz(), (0..n).map(|r| filled[n * r..=n * r + r].iter().filter(|f| **f).count()).sum::<usize>());
    assert_eq!(chol.factor(), n);
    let b: Vec<f64> = (0..n).map(|i| (0.9 * i as f64).sin()).collect();
    let (mut x, mut want) = (b.clone(), b);
    chol.solve(&mut x);
    factor::chol_factor(&mut dense, n, MINVAL);
    factor::chol_solve(&mut want, &dense, n);
    assert!(x.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-12), "{x:?} {want:?}");
}
