//! Bounding-box trees with four children per node, so that one node test covers all its children.

use crate::vector::V3;

/// Lower and upper corner.
pub(crate) type Bounds = (V3, V3);

const EMPTY: Bounds = ([f32::MAX; 3], [f32::MIN; 3]);

/// Marks an empty slot of a leaf.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Number of candidate split positions.
const BINS: usize = 16;
/// Number of levels split by the surface-area heuristic; deeper levels are halved, which bounds the depth.
const BY_AREA: usize = 12;
/// Stack size for the largest tree: three pending children per level.
pub(crate) const STACK: usize = 3 * (BY_AREA + 16);

/// Up to four children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Lower and upper corners of the children's boxes, by axis. Boxes of missing children are never entered.
    pub corners: [[[f32; 4]; 3]; 2],
    /// Index of a node, or the complement of a leaf's index (negative).
    pub child: [i32; 4],
    pub count: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    /// Items, leaf by leaf, each leaf with the same number of slots.
    pub order: Vec<u32>,
    /// Bounds of everything.
    pub bounds: Bounds,
}

fn merge(a: Bounds, b: Bounds) -> Bounds {
    let pick = |f: fn(f32, f32) -> f32, x: V3, y: V3| [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2])];
    let (less, more) = (|x: f32, y: f32| if y < x { y } else { x }, |x: f32, y: f32| if y > x { y } else { x });
    (pick(less, a.0, b.0), pick(more, a.1, b.1))
}

/// Bounds of some points.
pub(crate) fn around(points: impl IntoIterator<Item = V3>) -> Bounds {
    points.into_iter().fold(EMPTY, |b, p| merge(b, (p, p)))
}

/// Half the surface area of a box; zero for an empty one.
fn area((low, high): &Bounds) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|k| (high[k] - low[k]).max(0.0));
    x * y + y * z + z * x
}

/// An item of the tree: its box and id.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    id: u32,
}

impl Item {
    /// Twice the centre along an axis.
    fn middle(&self, axis: usize) -> f32 {
        self.bounds.0[axis] + self.bounds.1[axis]
    }
}

/// A range of items that is not split yet.
struct Part {
    first: usize,
    end: usize,
    bounds: Bounds,
}

impl Part {
    fn new(items: &[Item], first: usize, end: usize) -> Part {
        Part { first, end, bounds: items[first..end].iter().fold(EMPTY, |b, i| merge(b, i.bounds)) }
    }

    fn len(&self) -> usize {
        self.end - self.first
    }
}

impl Tree {
    /// Builds a tree over boxes with up to `leaf` of them per leaf.
    pub fn build(boxes: &[Bounds], leaf: usize) -> Tree {
        let mut items: Vec<Item> = boxes.iter().zip(0..).map(|(bounds, id)| Item { bounds: *bounds, id }).collect();
        let mut tree = Tree { bounds: boxes.iter().fold(EMPTY, |a, b| merge(a, *b)), ..Tree::default() };
        tree.nodes.reserve(boxes.len() / (2 * leaf) + 1);
        tree.order.reserve(boxes.len() + boxes.len() / 2);
        if !items.is_empty() {
            tree.grow(&mut items, leaf, 0);
        }
        tree
    }

    /// Adds a node over items and its subtree; returns its index.
    fn grow(&mut self, items: &mut [Item], leaf: usize, level: usize) -> usize {
        let by_area = level < BY_AREA;
        let mut parts = vec![Part::new(items, 0, items.len())];
        while parts.len() < 4 {
            // split the range that most rays would enter, or the one that makes the tree deepest
            let weight = |i: &usize| if by_area { area(&parts[*i].bounds) } else { parts[*i].len() as f32 };
            let large = (0..parts.len()).filter(|i| parts[*i].len() > leaf);
            let Some(i) = large.max_by(|i, j| weight(i).total_cmp(&weight(j))) else { break };
            let Part { first, end, .. } = parts[i];
            let cut = first + part(&mut items[first..end], leaf, by_area);
            parts[i] = Part::new(items, first, cut);
            parts.insert(i + 1, Part::new(items, cut, end));
        }
        let own = self.nodes.len();
        let mut corners = [[[f32::MAX; 4]; 3], [[f32::MIN; 4]; 3]];
        for (c, Part { bounds: (low, high), .. }) in parts.iter().enumerate() {
            (0..3).for_each(|k| (corners[0][k][c], corners[1][k][c]) = (low[k], high[k]));
        }
        self.nodes.push(Node { corners, child: [0; 4], count: parts.len() });
        for (c, of) in parts.iter().enumerate() {
            let below = &mut items[of.first..of.end];
            self.nodes[own].child[c] = match below.len() <= leaf {
                true => !(self.add_leaf(below, leaf) as i32),
                false => self.grow(below, leaf, level + 1) as i32,
            };
        }
        own
    }

    fn add_leaf(&mut self, items: &[Item], leaf: usize) -> usize {
        let index = self.order.len() / leaf;
        self.order.extend(items.iter().map(|i| i.id));
        self.order.resize((index + 1) * leaf, NOTHING);
        index
    }
}

/// Splits items along the longest extent of their centres; returns the size of the first part. By area, the split
/// minimises the sum over both sides of the number of leaves times the box area.
fn part(items: &mut [Item], leaf: usize, by_area: bool) -> usize {
    let (low, high) = around(items.iter().map(|i| [0, 1, 2].map(|k| i.middle(k))));
    let sides = [0, 1, 2].map(|k| high[k] - low[k]);
    let axis = (0..3).fold(0, |best, k| if sides[k] > sides[best] { k } else { best });
    let scale = BINS as f32 * 0.9999 / sides[axis];
    if by_area && scale.is_finite() && items.len() > 2 {
        let bin = |i: &Item| (((i.middle(axis) - low[axis]) * scale) as i32).clamp(0, BINS as i32 - 1) as usize;
        if let Some(first) = best_bin(items, leaf, bin) {
            return divide(items, |i| bin(i) < first);
        }
    }
    // only full leaves on the left
    let half = (items.len() / 2).next_multiple_of(leaf).min(items.len() - 1);
    items.select_nth_unstable_by(half, |a, b| a.middle(axis).total_cmp(&b.middle(axis)).then(a.id.cmp(&b.id)));
    half
}

/// The first bin of the second part.
fn best_bin(items: &[Item], leaf: usize, bin: impl Fn(&Item) -> usize) -> Option<usize> {
    let mut bins = [(EMPTY, 0usize); BINS];
    for item in items {
        let (bounds, count) = &mut bins[bin(item)];
        *bounds = merge(*bounds, item.bounds);
        *count += 1;
    }
    let price = |(bounds, count): &(Bounds, usize)| area(bounds) * count.div_ceil(leaf) as f32;
    let join = |a: (Bounds, usize), b: &(Bounds, usize)| (merge(a.0, b.0), a.1 + b.1);
    let mut right = [(EMPTY, 0); BINS + 1];
    (0..BINS).rev().for_each(|b| right[b] = join(right[b + 1], &bins[b]));
    let (mut left, mut best) = ((EMPTY, 0), None);
    for b in 1..BINS {
        left = join(left, &bins[b - 1]);
        let cost = price(&left) + price(&right[b]);
        if left.1 > 0 && right[b].1 > 0 && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, b));
        }
    }
    best.map(|(_, b)| b)
}

/// Moves the matching items to the front; returns their number.
fn divide(items: &mut [Item], front: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if front(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(boxes: &[Bounds], leaf: usize) {
        let tree = Tree::build(boxes, leaf);
        let mut seen = vec![0; boxes.len()];
        let mut stack = if boxes.is_empty() { vec![] } else { vec![(0, 1)] };
        while let Some((at, level)) = stack.pop() {
            assert!(3 * level < STACK);
            let node: &Node = &tree.nodes[at];
            for c in 0..node.count {
                let Ok(leaf_at) = usize::try_from(!node.child[c]) else {
                    stack.push((node.child[c] as usize, level + 1));
                    continue;
                };
                for item in tree.order[leaf_at * leaf..][..leaf].iter().filter(|i| **i != NOTHING) {
                    seen[*item as usize] += 1;
                    let (low, high) = boxes[*item as usize];
                    let [lows, highs] = &node.corners;
                    assert!((0..3).all(|k| lows[k][c] <= low[k] && highs[k][c] >= high[k]));
                }
            }
        }
        assert!(seen.iter().all(|n| *n == 1));
    }

    /// Every item is in exactly one leaf, inside all boxes on its path, for any distribution of items.
    #[test]
    fn holds_everything_once() {
        for n in [0usize, 1, 2, 5, 37, 1000] {
            let scattered = |i: usize| [1, 2, 3].map(|k| ((i * 7919 * k) % 101) as f32);
            let doubling = |i: usize| [1.5f32.powi(i as i32 % 200), 0.0, 0.0];
            for place in [&scattered as &dyn Fn(usize) -> V3, &doubling, &|_| [1.0; 3]] {
                let boxes: Vec<Bounds> = (0..n).map(place).map(|p| (p, [p[0] + 1.0, p[1] + 2.0, p[2] + 0.5])).collect();
                check(&boxes, 4);
                check(&boxes, 1);
            }
        }
    }
}
