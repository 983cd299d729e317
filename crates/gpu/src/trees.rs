//! Trees known to the kernels at compile time: loops over them are unrolled and sums stay in registers.

use crate::plan::Structure;
use sinew_engine::Model;

/// Maximum number of bodies and of dofs for unrolled loops.
const MOST: usize = 40;

/// The tree of which a model consists, once or several times.
#[derive(Debug, PartialEq, Eq)]
pub struct Tree {
    /// Parent of each body, relative to the root; the root's parent is itself.
    pub bodies: Vec<usize>,
    /// Parent of each dof.
    pub dofs: Vec<Option<usize>>,
}

impl Tree {
    /// The common tree of all roots; `None` if they differ or are too large.
    pub fn common(m: &Model, s: &Structure) -> Option<Self> {
        let mut trees = s.roots.iter().map(|&(root, size)| Tree::of(m, root, size));
        let first = trees.next()?;
        let small = first.bodies.len() <= MOST && first.dofs.len() <= MOST && !first.dofs.is_empty();
        (small && trees.all(|t| t == first)).then_some(first)
    }

    fn of(m: &Model, root: usize, size: usize) -> Self {
        let parent = |b: usize| (m.body_parentid[b] as usize).max(root) - root;
        let own = (0..m.nv).filter(|&i| (root..root + size).contains(&(m.dof_bodyid[i] as usize)));
        let first = own.clone().next().unwrap_or(0);
        let above = |i: usize| usize::try_from(m.dof_parentid[i]).ok().map(|p| p - first);
        Tree { bodies: (root..root + size).map(parent).collect(), dofs: own.map(above).collect() }
    }
}

/// Off-diagonal nonzeros of the mass matrix: a dof and one of its ancestors.
pub fn mass_entries(m: &Model) -> Vec<(usize, usize)> {
    let up = |i: &usize| usize::try_from(m.dof_parentid[*i]).ok();
    (0..m.nv).flat_map(|i| std::iter::successors(up(&i), up).map(move |j| (i, j))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(bodies: &str) -> Option<Tree> {
        let text = format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>");
        let m = sinew_mjcf::load_str(&text, &sinew_mjcf::Source::default()).expect("a model");
        Tree::common(&m, &Structure::new(&m))
    }

    #[test]
    fn trees_are_alike_or_not() {
        let leg = "<body><joint/><geom size='.1'/></body>";
        let walker = format!("<body><freejoint/><geom size='.1'/>{leg}{leg}</body>");
        let one = tree(&walker).expect("a tree");
        assert_eq!(one.bodies, [0, 0, 0]);
        let chain = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), Some(5)];
        assert_eq!(one.dofs, chain);
        assert_eq!(tree(&walker.repeat(2)), Some(one));
        assert_eq!(tree(&format!("{walker}{leg}")), None);
        assert_eq!(tree("<body><geom size='.1'/></body>"), None);
    }
}
