//! Static bounding-volume hierarchies: binary trees split at the median of the longest axis.

use std::cmp::Ordering;

/// Flat boxes are inflated by this much, and positions closer than this count as equal. (m)
const EPS: f64 = 1e-14;

/// Input of the tree: one leaf.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// What [`Tree::nodeid`] reports for the leaf.
    pub id: i32,
    /// Position that decides on which side of a split the leaf goes. (m)
    pub center: [f64; 3],
    /// Box in the frame of the tree: minimum. (m)
    pub min: [f64; 3],
    /// Box in the frame of the tree: maximum. (m)
    pub max: [f64; 3],
}

/// A hierarchy in depth-first order, parent before children; node 0 is the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Boxes: centre, half-size. (m)
    pub aabb: Vec<[f64; 6]>,
    /// Children; −1 for leaves.
    pub child: Vec<[i32; 2]>,
    /// Id of the leaf; −1 for inner nodes.
    pub nodeid: Vec<i32>,
    /// Depth.
    pub level: Vec<i32>,
}

impl Tree {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.aabb.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.aabb.is_empty()
    }

    /// Builds the hierarchy.
    pub fn build(leaves: &[Leaf]) -> Tree {
        let n = (2 * leaves.len()).saturating_sub(1);
        let mut tree = Tree {
            aabb: Vec::with_capacity(n),
            child: Vec::with_capacity(n),
            nodeid: Vec::with_capacity(n),
            level: Vec::with_capacity(n),
        };
        let item = |(i, leaf): (usize, &Leaf)| Item {
            center: leaf.center,
            min: leaf.min,
            max: leaf.max,
            index: i as u32,
            id: leaf.id,
        };
        let mut items: Vec<Item> = leaves.iter().enumerate().map(item).collect();
        if !items.is_empty() {
            tree.split(&mut items, 0, &mut Vec::with_capacity(leaves.len()));
        }
        tree
    }

    /// Adds the node over some leaves and its subtree; the depth is at most log₂ of the leaf count.
    fn split(&mut self, items: &mut [Item], level: i32, keys: &mut Vec<(f64, u32)>) -> i32 {
        let bounds = Bounds::around(items);
        let index = self.len();
        self.aabb.push(bounds.aabb());
        self.level.push(level);
        self.child.push([-1; 2]);
        if let [only] = items {
            self.nodeid.push(only.id);
        } else {
            self.nodeid.push(-1);
            let middle = items.len() / 2;
            halve(items, middle, bounds.longest_axis(), keys);
            let (low, high) = items.split_at_mut(middle);
            self.child[index] = [low, high].map(|half| self.split(half, level + 1, keys));
        }
        index as i32
    }
}

/// A bounding box that is never quite flat.
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl Bounds {
    fn around(items: &[Item]) -> Bounds {
        // comparisons rather than `min` and `max`: they keep the first of equal values and ignore NaN
        let lower =
            |low: [f64; 3], item: &Item| [0, 1, 2].map(|k| if item.min[k] < low[k] { item.min[k] } else { low[k] });
        let upper =
            |high: [f64; 3], item: &Item| [0, 1, 2].map(|k| if item.max[k] > high[k] { item.max[k] } else { high[k] });
        let (min, max) = (items.iter().fold([f64::MAX; 3], lower), items.iter().fold([-f64::MAX; 3], upper));
        let slack = [0, 1, 2].map(|k| if (min[k] - max[k]).abs() < EPS { EPS } else { 0.0 });
        Bounds { min: [0, 1, 2].map(|k| min[k] - slack[k]), max: [0, 1, 2].map(|k| max[k] + slack[k]) }
    }

    /// Centre and half-size.
    fn aabb(&self) -> [f64; 6] {
        std::array::from_fn(|k| match k {
            0..3 => (self.max[k] + self.min[k]) / 2.0,
            _ => (self.max[k - 3] - self.min[k - 3]) / 2.0,
        })
    }

    /// The longest axis; a later axis wins only if it is clearly longer.
    fn longest_axis(&self) -> usize {
        let edge = |k: usize| self.max[k] - self.min[k];
        (1..3).fold(0, |best, k| if edge(k) >= edge(best) + EPS { k } else { best })
    }
}

/// A leaf with its index. Items are sorted directly rather than through indices, for cache locality.
#[derive(Clone, Copy)]
struct Item {
    center: [f64; 3],
    min: [f64; 3],
    max: [f64; 3],
    index: u32,
    id: i32,
}

/// Whether `a` comes before `b` along an axis; near ties are ordered by index.
fn before(a: &Item, b: &Item, axis: usize) -> bool {
    let (x, y) = (a.center[axis], b.center[axis]);
    if (x - y).abs() > EPS { x < y } else { a.index < b.index }
}

/// Moves the first half of the items along an axis to the front. A selection in exact order finds the median quickly;
/// the result differs from [`before`] only if positions next to the median are nearly but not exactly equal, or NaN.
fn halve(items: &mut [Item], middle: usize, axis: usize, keys: &mut Vec<(f64, u32)>) {
    // adding 0 makes −0 and 0 equal in the total order as well
    let key = |item: &Item| (item.center[axis] + 0.0, item.index);
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    keys.clear();
    keys.extend(items.iter().map(key));
    let (_, &mut pivot, _) = keys.select_nth_unstable_by(middle, order);
    let clear = |&(x, _): &(f64, u32)| x == pivot.0 || (x - pivot.0).abs() > EPS;
    if !keys.iter().all(clear) {
        return select(items, middle, &|a, b| before(a, b, axis));
    }
    let in_front = |item: &Item| order(&key(item), &pivot).is_lt();
    let (mut i, mut j) = (0, items.len());
    loop {
        while i < j && in_front(&items[i]) {
            i += 1;
        }
        while i < j && !in_front(&items[j - 1]) {
            j -= 1;
        }
        if i >= j {
            return;
        }
        items.swap(i, j - 1);
    }
}

/// Moves the `nth` smallest item to index `nth`, with smaller ones before it. Unlike the standard library's selection
/// this accepts a non-transitive comparison, which near ties and NaN produce.
fn select<T: Copy>(items: &mut [T], nth: usize, less: &impl Fn(&T, &T) -> bool) {
    let (mut low, mut high) = (0, items.len());
    let mut budget = 2 * usize::BITS as usize;
    while high - low > 1 {
        if budget == 0 {
            merge_sort(&mut items[low..high], less);
            return;
        }
        budget -= 1;
        let pivot = median(items[low], items[low + (high - low) / 2], items[high - 1], less);
        let (mut i, mut j) = (low, high);
        loop {
            while i < j && less(&items[i], &pivot) {
                i += 1;
            }
            while i < j && less(&pivot, &items[j - 1]) {
                j -= 1;
            }
            if j <= i + 1 {
                break;
            }
            items.swap(i, j - 1);
            i += 1;
            j -= 1;
        }
        // items below `i` are not above the pivot, items from `i` on are not below it
        let cut = i.clamp(low + 1, high - 1);
        if nth < cut { high = cut } else { low = cut }
    }
}

fn median<T: Copy>(a: T, b: T, c: T, less: &impl Fn(&T, &T) -> bool) -> T {
    let (a, b) = if less(&b, &a) { (b, a) } else { (a, b) };
    if less(&c, &a) {
        a
    } else if less(&c, &b) {
        c
    } else {
        b
    }
}

/// Merge sort that tolerates inconsistent comparisons.
fn merge_sort<T: Copy>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    if items.len() < 2 {
        return;
    }
    let (a, b) = items.split_at_mut(items.len() / 2);
    merge_sort(a, less);
    merge_sort(b, less);
    let (left, right) = (a.to_vec(), b.to_vec());
    let (mut i, mut j) = (0, 0);
    for slot in items {
        let order = match (left.get(i), right.get(j)) {
            (Some(x), Some(y)) if less(y, x) => Ordering::Greater,
            (None, _) => Ordering::Greater,
            _ => Ordering::Less,
        };
        if order == Ordering::Less {
            *slot = left[i];
            i += 1;
        } else {
            *slot = right[j];
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_partitions_like_a_sort() {
        let mut seed = 1u64;
        for n in 1..200usize {
            let mut random = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 33) as usize % (n + 1)
            };
            let items: Vec<(usize, usize)> = (0..n).map(|i| (random(), i)).collect();
            let mut sorted = items.clone();
            sorted.sort();
            for nth in [0, n / 2, n - 1] {
                let mut work = items.clone();
                select(&mut work, nth, &|a, b| a < b);
                let mut head = work[..nth].to_vec();
                head.sort();
                assert_eq!(head, sorted[..nth]);
            }
        }
    }

    #[test]
    fn every_leaf_appears_once_inside_its_parents() {
        let leaf = |i: i32| {
            let c = [0, 1, 2].map(|k| f64::from((i * (k + 7) * 37) % 101));
            Leaf { id: i, center: c, min: c.map(|x| x - 0.5), max: c.map(|x| x + 0.5) }
        };
        let leaves: Vec<Leaf> = (0..77).map(leaf).collect();
        let tree = Tree::build(&leaves);
        let mut ids: Vec<i32> = tree.nodeid.iter().copied().filter(|&i| i >= 0).collect();
        ids.sort();
        assert_eq!(ids, (0..77).collect::<Vec<_>>());
        for (i, children) in tree.child.iter().enumerate() {
            for &c in children.iter().filter(|&&c| c >= 0) {
                for k in 0..3 {
                    let (p, q) = (tree.aabb[i], tree.aabb[c as usize]);
                    assert!((p[k] - q[k]).abs() + q[k + 3] <= p[k + 3] + 1e-9);
                }
            }
        }
    }
}
