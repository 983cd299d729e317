//! Falling asleep.

use crate::data::{Accel, Island, State};
use crate::model::Model;
use crate::model::enums::{EnableFlags, SleepPolicy};
use crate::support::awake::AWAKE;

/// Whether a tree may sleep: its policy allows it, no force is applied to it, and its speeds are below `tolerance`, or
/// exactly zero if that is zero.
///
/// *Equation*: `max_i dof_length_i |qvel_i| < tolerance`.
pub(super) fn can_sleep(m: &Model, state: &State, tree: usize, tolerance: f64) -> bool {
    let policy = m.tree_sleep_policy[tree];
    if policy == SleepPolicy::Never as i32 || policy == SleepPolicy::AutoNever as i32 {
        return false;
    }
    let range = |start: i32, count: i32| start as usize..(start + count) as usize;
    let bodies = range(m.tree_bodyadr[tree], m.tree_bodynum[tree]);
    let dofs = range(m.tree_dofadr[tree], m.tree_dofnum[tree]);
    // bitwise: −0.0 counts as an applied force, as in MuJoCo
    let none = |values: &[f64]| values.iter().all(|v| v.to_bits() == 0);
    if !none(state.xfrc_applied[bodies].as_flattened()) || !none(&state.qfrc_applied[dofs.clone()]) {
        return false;
    }
    let speeds = &state.qvel[dofs.clone()];
    if tolerance == 0.0 {
        return none(speeds);
    }
    // a NaN speed does not keep the tree awake
    !speeds.iter().zip(&m.dof_length[dofs]).any(|(v, length)| length * v.abs() >= tolerance)
}

/// Puts trees to sleep that have been slow for long enough, whole islands at a time. Returns the number of trees.
///
/// *Reads* islands, applied forces. *Writes* `tree_asleep`; `qvel` and `qacc` of trees that fall asleep.
#[doc(alias = "mj_sleep")]
pub fn sleep(m: &Model, rows: i32, island: &Island, state: &mut State, accel: &mut Accel) -> usize {
    // without islands it is unknown which trees support each other
    if !m.opt.enabled(EnableFlags::SLEEP) || rows > 0 && island.nisland == 0 {
        return 0;
    }
    for tree in 0..m.ntree {
        let count = state.tree_asleep[tree];
        if count < 0 {
            let slow = can_sleep(m, state, tree, m.opt.sleep_tolerance);
            state.tree_asleep[tree] = if slow { (count + 1).min(-1) } else { AWAKE };
        }
    }
    let mut slept = 0;
    for i in 0..island.nisland as usize {
        let start = island.island_itreeadr[i] as usize;
        let trees = &island.map_itree2tree[start..start + island.island_ntree[i] as usize];
        if trees.iter().all(|&t| state.tree_asleep[t as usize] == -1) {
            put_to_sleep(m, trees, state, accel);
            slept += trees.len();
        }
    }
    let mut alone = |tree: usize| {
        if state.tree_asleep[tree] == -1 {
            put_to_sleep(m, &[tree as i32], state, accel);
            slept += 1;
        }
    };
    if island.nisland > 0 {
        let constrained = island.island_ntree.iter().sum::<i32>() as usize;
        island.map_itree2tree[constrained..].iter().for_each(|&t| alone(t as usize));
    } else {
        (0..m.ntree).for_each(alone);
    }
    slept
}

/// Links trees in a cycle and zeroes their velocities and accelerations.
fn put_to_sleep(m: &Model, trees: &[i32], state: &mut State, accel: &mut Accel) {
    for (tree, next) in trees.iter().zip(trees.iter().cycle().skip(1)) {
        let tree = *tree as usize;
        state.tree_asleep[tree] = *next;
        let start = m.tree_dofadr[tree] as usize;
        let dofs = start..start + m.tree_dofnum[tree] as usize;
        state.qvel[dofs.clone()].fill(0.0);
        accel.qacc[dofs].fill(0.0);
    }
}
