//! Waking up. Each function returns the number of trees woken; unless it is zero, the lists of awake bodies and dofs
//! are stale.

use super::rest::can_sleep;
use crate::data::{Awake, Contact, Pose, State};
use crate::model::Model;
use crate::model::enums::{EnableFlags, EqType};
use crate::support::awake::AWAKE;

/// Wakes a tree with all trees that fell asleep with it, by setting their `tree_asleep` to `count`.
#[doc(alias = "mj_wakeTree")]
fn wake_tree(asleep: &mut [i32], tree: usize, count: i32) -> usize {
    if asleep[tree] < 0 {
        asleep[tree] = asleep[tree].min(count);
        return 0;
    }
    let mut woken = 0;
    let mut next = tree;
    // a broken cycle ends at a tree that is awake
    while let Ok(then) = usize::try_from(asleep[next]) {
        asleep[next] = count;
        woken += 1;
        next = then.min(asleep.len() - 1);
    }
    woken
}

/// First tree of the sleeping cycle of a tree; the tree itself if the cycle is broken.
#[doc(alias = "mj_sleepCycle")]
pub fn cycle(asleep: &[i32], tree: usize) -> usize {
    let (mut first, mut at) = (tree, tree);
    for _ in 0..asleep.len() {
        match usize::try_from(asleep[at]) {
            Ok(next) if next < asleep.len() => at = next,
            _ => return tree,
        }
        first = first.min(at);
        if at == tree {
            break;
        }
    }
    first
}

/// Wakes trees to which the user has given a pose, force or velocity; wakes all trees if sleep is disabled.
///
/// *Reads* `tree_awake`, where kinematics marks sleeping trees whose pose has changed; applied forces, `qvel`.
#[doc(alias = "mj_wake")]
pub fn wake(m: &Model, state: &mut State, awake: &Awake) -> usize {
    if !m.opt.enabled(EnableFlags::SLEEP) {
        let sleeping = m.ntree - awake.ntree_awake as usize;
        if sleeping > 0 {
            state.tree_asleep.fill(AWAKE);
        }
        return sleeping;
    }
    let mut woken = 0;
    for tree in 0..m.ntree {
        if state.tree_asleep[tree] >= 0 && (awake.tree_awake[tree] != 0 || !can_sleep(m, state, tree, 0.0)) {
            woken += wake_tree(&mut state.tree_asleep, tree, AWAKE);
        }
    }
    woken
}

/// If exactly one of two trees is asleep, wakes it and gives it the sleep counter of the other.
fn wake_other(state: &mut State, awake: &Awake, [a, b]: [usize; 2]) -> usize {
    let (sleeping, other) = match (awake.tree_awake[a] != 0, awake.tree_awake[b] != 0) {
        (true, false) => (b, a),
        (false, true) => (a, b),
        _ => return 0,
    };
    let count = state.tree_asleep[other].min(-1);
    wake_tree(&mut state.tree_asleep, sleeping, count)
}

/// Wakes trees in contact with awake trees.
#[doc(alias = "mj_wakeCollision")]
pub fn wake_collision(m: &Model, contact: &[Contact], state: &mut State, awake: &Awake) -> usize {
    if !m.opt.enabled(EnableFlags::SLEEP) {
        return 0;
    }
    let mut woken = 0;
    for con in contact.iter().filter(|c| c.geom.iter().all(|g| *g >= 0)) {
        let trees = con.geom.map(|g| usize::try_from(m.body_treeid[m.geom_bodyid[g as usize] as usize]));
        if let [Ok(a), Ok(b)] = trees {
            woken += wake_other(state, awake, [a, b]);
        }
    }
    woken
}

/// Wakes trees coupled to an awake tree by a tendon at its limit.
#[doc(alias = "mj_wakeTendon")]
pub fn wake_tendon(m: &Model, pose: &Pose, state: &mut State, awake: &Awake) -> usize {
    if !m.opt.enabled(EnableFlags::SLEEP) {
        return 0;
    }
    let mut woken = 0;
    for i in 0..m.ntendon {
        let (length, [low, high]) = (pose.ten_length[i], m.tendon_range[i]);
        let taut = || length - low < m.tendon_margin[i] || high - length < m.tendon_margin[i];
        if m.tendon_treenum[i] == 2 && m.tendon_limited[i] != 0 && taut() {
            woken += wake_other(state, awake, m.tendon_treeid[i].map(|t| t as usize));
        }
    }
    woken
}

/// Trees of an equality constraint; `None` for static bodies and constraints without known trees.
fn equality_trees(m: &Model, i: usize) -> [Option<usize>; 2] {
    let tree = |body: usize| usize::try_from(m.body_treeid[body]).ok();
    let ids = [m.eq_obj1id[i], m.eq_obj2id[i]].map(|id| usize::try_from(id).ok());
    match m.eq_type(i) {
        EqType::Connect | EqType::Weld => m.eq_bodies(i).map(tree),
        EqType::Joint => ids.map(|id| id.and_then(|j| tree(m.jnt_bodyid[j] as usize))),
        // MuJoCo stops here; we take the first tree of each tendon
        EqType::Tendon => ids.map(|id| id.filter(|&t| m.tendon_treenum[t] > 0).map(|t| m.tendon_treeid[t][0] as usize)),
        _ => [None; 2],
    }
}

/// Wakes trees coupled by an equality constraint to an awake tree, or to one in a different sleeping cycle.
#[doc(alias = "mj_wakeEquality")]
pub fn wake_equality(m: &Model, state: &mut State, awake: &Awake) -> usize {
    if !m.opt.enabled(EnableFlags::SLEEP) {
        return 0;
    }
    let mut woken = 0;
    for i in (0..m.neq).filter(|&i| state.eq_active[i] != 0) {
        let [Some(a), Some(b)] = equality_trees(m, i) else { continue };
        if a == b {
            continue;
        }
        let asleep = &mut state.tree_asleep;
        woken += match [a, b].map(|t| awake.tree_awake[t] != 0) {
            [true, true] => 0,
            [true, false] => wake_tree(asleep, b, AWAKE),
            [false, true] => wake_tree(asleep, a, AWAKE),
            [false, false] if cycle(asleep, a) == cycle(asleep, b) => 0,
            [false, false] => wake_tree(asleep, a, AWAKE) + wake_tree(asleep, b, AWAKE),
        };
    }
    woken
}
