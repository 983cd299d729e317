//! Binary trees of boxes. A node holds the boxes of both its children, so that one look decides both.

use crate::vector::V3;

/// Lower and upper corner.
pub(crate) type Bounds = (V3, V3);

const EMPTY: Bounds = ([f32::MAX; 3], [f32::MIN; 3]);

/// A pair of children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub min: [V3; 2],
    pub max: [V3; 2],
    /// A node, or, negative, a leaf: the complement of its first place in the order.
    pub child: [i32; 2],
    /// Items of a leaf.
    pub count: [u32; 2],
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    /// Items, leaf after leaf.
    pub order: Vec<u32>,
    /// Bounds of everything.
    pub bounds: Bounds,
}

fn merge(a: Bounds, b: Bounds) -> Bounds {
    let pick = |f: fn(f32, f32) -> f32, x: V3, y: V3| [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2])];
    (pick(f32::min, a.0, b.0), pick(f32::max, a.1, b.1))
}

/// Bounds of some points.
pub(crate) fn around(points: impl IntoIterator<Item = V3>) -> Bounds {
    points.into_iter().fold(EMPTY, |b, p| merge(b, (p, p)))
}

impl Tree {
    /// A tree over boxes with up to `leaf` of them in a leaf: halves along the longest side of the middles.
    pub fn build(boxes: &[Bounds], leaf: usize) -> Tree {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let bounds = boxes.iter().fold(EMPTY, |a, b| merge(a, *b));
        let mut nodes = Vec::with_capacity(2 * boxes.len() / leaf.max(1));
        if !boxes.is_empty() {
            let middles: Vec<V3> = boxes.iter().map(|(a, b)| [0, 1, 2].map(|k| 0.5 * a[k] + 0.5 * b[k])).collect();
            let (child, count) = split(&mut nodes, boxes, &middles, &mut order, 0, leaf);
            if child < 0 {
                nodes.push(Node {
                    min: [bounds.0, EMPTY.0],
                    max: [bounds.1, EMPTY.1],
                    child: [child, !0],
                    count: [count, 0],
                });
            }
        }
        Tree { nodes, order, bounds }
    }
}

/// Puts items in order below a new node; its index, or a leaf with the number of its items.
fn split(
    nodes: &mut Vec<Node>,
    boxes: &[Bounds],
    middles: &[V3],
    items: &mut [u32],
    first: usize,
    leaf: usize,
) -> (i32, u32) {
    if items.len() <= leaf {
        return (!(first as i32), items.len() as u32);
    }
    let (low, high) = around(items.iter().map(|i| middles[*i as usize]));
    let sides = [0, 1, 2].map(|k| high[k] - low[k]);
    let axis = if sides[0] >= sides[1] && sides[0] >= sides[2] {
        0
    } else if sides[1] >= sides[2] {
        1
    } else {
        2
    };
    // whole leaves on the left
    let half = (items.len() / 2).next_multiple_of(leaf).min(items.len() - 1);
    let key = |i: &u32| middles[*i as usize][axis];
    items.select_nth_unstable_by(half, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
    let (left, right) = items.split_at_mut(half);
    let bound = |part: &[u32]| part.iter().fold(EMPTY, |b, i| merge(b, boxes[*i as usize]));
    let (a, b) = (bound(left), bound(right));
    let own = nodes.len();
    nodes.push(Node { min: [a.0, b.0], max: [a.1, b.1], child: [0; 2], count: [0; 2] });
    let (l, ln) = split(nodes, boxes, middles, left, first, leaf);
    let (r, rn) = split(nodes, boxes, middles, right, first + half, leaf);
    (nodes[own].child, nodes[own].count) = ([l, r], [ln, rn]);
    (own as i32, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item is in exactly one leaf, inside the boxes on the way to it.
    #[test]
    fn holds_everything_once() {
        for n in [0usize, 1, 2, 5, 37, 1000] {
            let boxes: Vec<Bounds> = (0..n)
                .map(|i| {
                    let p = [1, 2, 3].map(|k| ((i * 7919 * k) % 101) as f32);
                    (p, [p[0] + 1.0, p[1] + 2.0, p[2] + 0.5])
                })
                .collect();
            let tree = Tree::build(&boxes, 4);
            let mut seen = vec![0; n];
            let mut stack: Vec<usize> = if n > 0 { vec![0] } else { vec![] };
            while let Some(at) = stack.pop() {
                let node = &tree.nodes[at];
                for c in 0..2 {
                    if node.child[c] >= 0 {
                        stack.push(node.child[c] as usize);
                        continue;
                    }
                    let first = !node.child[c] as usize;
                    for item in &tree.order[first..first + node.count[c] as usize] {
                        seen[*item as usize] += 1;
                        let (low, high) = boxes[*item as usize];
                        assert!((0..3).all(|k| node.min[c][k] <= low[k] && node.max[c][k] >= high[k]));
                    }
                }
            }
            assert!(seen.iter().all(|n| *n == 1));
        }
    }
}
