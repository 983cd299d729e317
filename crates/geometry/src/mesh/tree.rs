//! A red-black tree of normals.
//!
//! Equality of normals within a tolerance is not transitive, so which group a face joins depends on the shape
//! of the search tree. MuJoCo keeps groups in a C++ `std::set`; this tree grows and searches the same way.

use super::polygon::precedes;

const NIL: usize = usize::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    key: [f64; 3],
    left: usize,
    right: usize,
    parent: usize,
    black: bool,
}

/// Normals in order; the number of each is its position of insertion.
#[derive(Clone, Debug)]
pub(super) struct NormalTree {
    nodes: Vec<Node>,
    root: usize,
}

impl NormalTree {
    pub fn new() -> Self {
        NormalTree { nodes: Vec::new(), root: NIL }
    }

    /// Number of a normal that counts as equal.
    pub fn find(&self, key: &[f64; 3]) -> Option<usize> {
        let (mut at, mut bound) = (self.root, NIL);
        while at != NIL {
            if precedes(&self.nodes[at].key, key) {
                at = self.nodes[at].right;
            } else {
                bound = at;
                at = self.nodes[at].left;
            }
        }
        (bound != NIL && !precedes(key, &self.nodes[bound].key)).then_some(bound)
    }

    /// Adds a normal that [`NormalTree::find`] did not find; false if the way down meets an equal one after all.
    pub fn insert(&mut self, key: [f64; 3]) -> bool {
        let (mut at, mut parent, mut left) = (self.root, NIL, false);
        while at != NIL {
            parent = at;
            left = precedes(&key, &self.nodes[at].key);
            if !left && !precedes(&self.nodes[at].key, &key) {
                return false;
            }
            at = if left { self.nodes[at].left } else { self.nodes[at].right };
        }
        let new = self.nodes.len();
        self.nodes.push(Node { key, left: NIL, right: NIL, parent, black: false });
        match parent {
            NIL => self.root = new,
            _ if left => self.nodes[parent].left = new,
            _ => self.nodes[parent].right = new,
        }
        self.balance(new);
        true
    }

    /// Numbers in order.
    pub fn order(&self) -> Vec<usize> {
        let mut list = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        loop {
            while at != NIL {
                stack.push(at);
                at = self.nodes[at].left;
            }
            let Some(node) = stack.pop() else { return list };
            list.push(node);
            at = self.nodes[node].right;
        }
    }

    fn is_left(&self, n: usize) -> bool {
        let parent = self.nodes[n].parent;
        parent != NIL && self.nodes[parent].left == n
    }

    /// Restores the colour rules above a new red leaf.
    fn balance(&mut self, new: usize) {
        let mut x = new;
        self.nodes[x].black = x == self.root;
        while x != self.root && !self.nodes[self.nodes[x].parent].black {
            let mut parent = self.nodes[x].parent;
            let grand = self.nodes[parent].parent;
            let left = self.is_left(parent);
            let uncle = if left { self.nodes[grand].right } else { self.nodes[grand].left };
            if uncle != NIL && !self.nodes[uncle].black {
                self.nodes[parent].black = true;
                self.nodes[uncle].black = true;
                self.nodes[grand].black = grand == self.root;
                x = grand;
                continue;
            }
            if self.is_left(x) != left {
                self.rotate(parent, left);
                parent = x;
            }
            self.nodes[parent].black = true;
            self.nodes[grand].black = false;
            self.rotate(grand, !left);
            return;
        }
    }

    /// Lifts the right child of a node above it if `to_left`, else the left child.
    fn rotate(&mut self, n: usize, to_left: bool) {
        let child = if to_left { self.nodes[n].right } else { self.nodes[n].left };
        let inner = if to_left { self.nodes[child].left } else { self.nodes[child].right };
        let parent = self.nodes[n].parent;
        let was_left = self.is_left(n);
        if to_left {
            (self.nodes[n].right, self.nodes[child].left) = (inner, n);
        } else {
            (self.nodes[n].left, self.nodes[child].right) = (inner, n);
        }
        if inner != NIL {
            self.nodes[inner].parent = n;
        }
        self.nodes[child].parent = parent;
        self.nodes[n].parent = child;
        match parent {
            NIL => self.root = child,
            _ if was_left => self.nodes[parent].left = child,
            _ => self.nodes[parent].right = child,
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
            assert_eq!(tree.find(&key), None);
            assert!(tree.insert(key));
            assert_eq!(tree.find(&key), Some(i as usize));
        }
        let order = tree.order();
        assert_eq!(order.len(), 500);
        assert!(order.windows(2).all(|w| precedes(&tree.nodes[w[0]].key, &tree.nodes[w[1]].key)));
    }
}
