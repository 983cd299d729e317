//! Removal of useless contacts.

use crate::collide::{Contact, Shape};
use sinew_math::{Vec3, mat3, vec3};
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// Relative tolerance: a point beyond the box by more than this factor is outside; within it by more, inside.
const SKIN: f64 = 1.01;

/// Drops contacts outside one box and not inside the other. Of contacts at the same position, keeps only the last.
pub(super) fn keep_good(a: &Shape, b: &Shape, margin: f64, first: usize, out: &mut Vec<Contact>) {
    let bad = |c: &Contact| match (side(a, c.pos, margin), side(b, c.pos, margin)) {
        (Greater, other) | (other, Greater) => other != Less,
        _ => false,
    };
    retain(first, out, |list, i| !bad(&list[i]));
    retain(first, out, |list, i| list[i + 1..].iter().all(|c| c.pos != list[i].pos));
}

/// Greater for outside, less for inside, equal for on the surface of a box inflated by the margin.
fn side(shape: &Shape, point: Vec3, margin: f64) -> Ordering {
    let local = mat3::mul_vec_t(shape.mat, vec3::sub(point, shape.pos));
    let size = shape.size.map(|s| s + margin);
    if (0..3).any(|k| local[k].abs() > size[k] * SKIN) {
        Greater
    } else if (0..3).all(|k| local[k].abs() < size[k] / SKIN) {
        Less
    } else {
        Equal
    }
}

/// Keeps the entries from `first` on that pass the test, which may look at all entries after the tested one.
fn retain(first: usize, out: &mut Vec<Contact>, good: impl Fn(&[Contact], usize) -> bool) {
    let mut kept = first;
    for i in first..out.len() {
        if good(out, i) {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}
