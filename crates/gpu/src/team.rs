//! The team of lanes that steps a world: one warp, or several for many dofs.

use sinew_engine::Model;
use std::ops::Range;

/// Lanes of a warp.
const WARP: usize = 32;
/// Maximum number of dofs of one warp: two per lane.
const MOST: usize = 2 * WARP;

/// Warps per world, and the dofs of each.
#[derive(Debug)]
pub struct Team {
    pub warps: usize,
    /// Dofs of whole trees, one group per warp; or one group of all dofs.
    pub groups: Vec<Range<usize>>,
}

impl Team {
    pub fn new(m: &Model) -> Self {
        let tree = |i: usize| m.dof_treeid[i];
        let first: Vec<usize> = (0..m.nv).filter(|&i| i == 0 || tree(i) != tree(i - 1)).chain([m.nv]).collect();
        let trees = first.windows(2).map(|w| w[0]..w[1]);
        if m.nv <= MOST {
            return Team { warps: 1, groups: std::iter::once(0..m.nv).collect() };
        }
        if trees.clone().any(|t| t.len() > WARP) {
            return Team { warps: m.nv.div_ceil(WARP), groups: std::iter::once(0..m.nv).collect() };
        }
        let mut groups: Vec<Range<usize>> = Vec::new();
        for t in trees {
            match groups.last_mut() {
                Some(g) if t.end - g.start <= WARP => g.end = t.end,
                _ => groups.push(t),
            }
        }
        Team { warps: groups.len(), groups }
    }

    /// The group of a dof.
    pub fn of(&self, dof: usize) -> usize {
        self.groups.iter().position(|g| g.contains(&dof)).unwrap_or(0)
    }

    /// The dof of each lane, `none` for a lane without one. The lanes of a warp have the dofs of its group.
    pub fn lanes(&self, none: usize) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(move |g| (g.start..g.start + WARP).map(move |i| if i < g.end { i } else { none }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(balls: usize) -> Team {
        let body = "<body><freejoint/><geom size='.1'/></body>".repeat(balls);
        let text = format!("<mujoco><worldbody>{body}</worldbody></mujoco>");
        Team::new(&sinew_mjcf::load_str(&text, &sinew_mjcf::Source::default()).expect("a model"))
    }

    #[test]
    fn trees_are_not_torn() {
        assert_eq!(team(10).warps, 1);
        let many = team(16);
        assert_eq!(many.groups, [0..30, 30..60, 60..90, 90..96]);
        assert_eq!(many.warps, 4);
        let lanes: Vec<usize> = many.lanes(96).collect();
        assert_eq!((lanes[29], lanes[30], lanes[32], lanes[127]), (29, 96, 30, 96));
    }
}
