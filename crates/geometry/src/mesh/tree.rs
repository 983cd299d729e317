//! A red-black tree of normals.
//!
//! Equality of normals within a tolerance is not transitive, so which group a face joins depends on the shape
//! of the search tree. MuJoCo keeps groups in a C++ `std::set`; this tree grows and searches the same way.

use super::polygon::compare;
use std::cmp::Ordering;

const NIL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    key: [f64; 3],
    left: u32,
    right: u32,
    parent: u32,
    black: bool,
}

/// What became of a normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It counts as equal to the one with this number.
    Known(usize),
    /// It was added.
    New,
    /// It was not found, but an equal one was met: the face belongs nowhere.
    Lost,
}

/// Normals in order; the number of each is its position of insertion.
#[derive(Clone, Debug)]
pub(super) struct NormalTree {
    nodes: Vec<Node>,
    root: u32,
}

impl NormalTree {
    pub fn new() -> Self {
        NormalTree { nodes: Vec::new(), root: NIL }
    }

    /// Finds or adds a normal. A search goes left at a node that counts as equal and may end at one that does
    /// not; insertion would stop at the first equal node. Both are one walk here.
    pub fn place(&mut self, key: [f64; 3]) -> Place {
        let (mut at, mut parent, mut left) = (self.root, NIL, false);
        let (mut bound, mut bound_equal, mut met_equal) = (NIL, false, false);
        while at != NIL {
            parent = at;
            let node = &self.nodes[at as usize];
            let order = compare(&node.key, &key);
            left = order != Ordering::Less;
            if left {
                (bound, bound_equal) = (at, order == Ordering::Equal);
                met_equal |= bound_equal;
            }
            at = if left { node.left } else { node.right };
        }
        if bound_equal {
            return Place::Known(bound as usize);
        }
        if met_equal {
            return Place::Lost;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { key, left: NIL, right: NIL, parent, black: false });
        match parent {
            NIL => self.root = new,
            _ if left => self.nodes[parent as usize].left = new,
            _ => self.nodes[parent as usize].right = new,
        }
        self.balance(new);
        Place::New
    }

    /// Numbers in order.
    pub fn order(&self) -> Vec<usize> {
        let mut list = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        loop {
            while at != NIL {
                stack.push(at);
                at = self.nodes[at as usize].left;
            }
            let Some(node) = stack.pop() else { return list };
            list.push(node as usize);
            at = self.nodes[node as usize].right;
        }
    }

    fn is_left(&self, n: u32) -> bool {
        let parent = self.nodes[n as usize].parent;
        parent != NIL && self.nodes[parent as usize].left == n
    }

    /// Restores the colour rules above a new red leaf.
    fn balance(&mut self, new: u32) {
        let mut x = new;
        self.nodes[x as usize].black = x == self.root;
        while x != self.root && !self.nodes[self.nodes[x as usize].parent as usize].black {
            let mut parent = self.nodes[x as usize].parent;
            let grand = self.nodes[parent as usize].parent;
            let left = self.is_left(parent);
            let uncle = if left { self.nodes[grand as usize].right } else { self.nodes[grand as usize].left };
            if uncle != NIL && !self.nodes[uncle as usize].black {
                self.nodes[parent as usize].black = true;
                self.nodes[uncle as usize].black = true;
                self.nodes[grand as usize].black = grand == self.root;
                x = grand;
                continue;
            }
            if self.is_left(x) != left {
                self.rotate(parent, left);
                parent = x;
            }
            self.nodes[parent as usize].black = true;
            self.nodes[grand as usize].black = false;
            self.rotate(grand, !left);
            return;
        }
    }

    /// Lifts the right child of a node above it if `to_left`, else the left child.
    fn rotate(&mut self, n: u32, to_left: bool) {
        let child = if to_left { self.nodes[n as usize].right } else { self.nodes[n as usize].left };
        let inner = if to_left { self.nodes[child as usize].left } else { self.nodes[child as usize].right };
        let parent = self.nodes[n as usize].parent;
        let was_left = self.is_left(n);
        if to_left {
            (self.nodes[n as usize].right, self.nodes[child as usize].left) = (inner, n);
        } else {
            (self.nodes[n as usize].left, self.nodes[child as usize].right) = (inner, n);
        }
        if inner != NIL {
            self.nodes[inner as usize].parent = n;
        }
        self.nodes[child as usize].parent = parent;
        self.nodes[n as usize].parent = child;
        match parent {
            NIL => self.root = child,
            _ if was_left => self.nodes[parent as usize].left = child,
            _ => self.nodes[parent as usize].right = child,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_come_out_in_decreasing_order() {
        let mut tree = NormalTree::new();
        for i in 0..500 {
            let (s, c) = (f64::from(i * 7919 % 500) * 0.0125).sin_cos();
            let key = [c, s, 0.0];
            assert_eq!(tree.place(key), Place::New);
            assert_eq!(tree.place(key), Place::Known(i as usize));
        }
        let order = tree.order();
        assert_eq!(order.len(), 500);
        let less = |w: &[usize]| compare(&tree.nodes[w[0]].key, &tree.nodes[w[1]].key) == Ordering::Less;
        assert!(order.windows(2).all(less));
    }
}
