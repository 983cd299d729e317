//! Constants that do not depend on the position: subtree masses, trees and sleep policies.

use super::SetConstError;
use crate::model::Model;
use crate::model::enums::{SleepPolicy, TrnType, WrapType};

const AUTO: i32 = SleepPolicy::Auto as i32;
const AUTO_NEVER: i32 = SleepPolicy::AutoNever as i32;

/// Sets all constants of this file.
pub fn set_fixed(m: &mut Model) -> Result<(), SetConstError> {
    subtree_mass(m);
    m.set_ngravcomp(m.body_gravcomp.iter().filter(|&&g| g > 0.0).count());
    tree_ranges(m);
    tendon_trees(m);
    sleep_policies(m)
}

fn subtree_mass(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for i in (1..m.nbody).rev() {
        let parent = m.body_parentid[i] as usize;
        m.body_subtreemass[parent] += m.body_subtreemass[i];
    }
}

/// Sets the bodies and dofs of each kinematic tree.
fn tree_ranges(m: &mut Model) {
    for i in 0..m.nbody {
        let moved = m.body_weldid[i] as usize;
        m.body_treeid[i] = if m.body_dofnum[moved] > 0 { m.dof_treeid[m.body_dofadr[moved] as usize] } else { -1 };
    }
    m.tree_bodynum.fill(0);
    m.tree_dofnum.fill(0);
    for i in 1..m.nbody {
        if let Ok(tree) = usize::try_from(m.body_treeid[i]) {
            if m.tree_bodynum[tree] == 0 {
                m.tree_bodyadr[tree] = i as i32;
            }
            m.tree_bodynum[tree] += 1;
        }
    }
    for i in 0..m.nv {
        let tree = m.dof_treeid[i] as usize;
        if m.tree_dofnum[tree] == 0 {
            m.tree_dofadr[tree] = i as i32;
        }
        m.tree_dofnum[tree] += 1;
    }
}

/// Tree to which path element `w` of a tendon belongs.
fn wrap_tree(m: &Model, w: usize) -> Option<usize> {
    let id = m.wrap_objid[w] as usize;
    let body = match m.wrap_type(w) {
        WrapType::Joint => m.jnt_bodyid[id],
        WrapType::Site => m.site_bodyid[id],
        WrapType::Sphere | WrapType::Cylinder => m.geom_bodyid[id],
        WrapType::Pulley | WrapType::None => return None,
    };
    usize::try_from(m.body_treeid[body as usize]).ok()
}

/// Trees along a tendon, without duplicates, in order of appearance.
fn trees_of(m: &Model, tendon: usize) -> Vec<usize> {
    let first = m.tendon_adr[tendon] as usize;
    let mut trees = Vec::new();
    for tree in (first..first + m.tendon_num[tendon] as usize).filter_map(|w| wrap_tree(m, w)) {
        if !trees.contains(&tree) {
            trees.push(tree);
        }
    }
    trees
}

fn tendon_trees(m: &mut Model) {
    for i in 0..m.ntendon {
        let trees = trees_of(m, i);
        let id = |k: usize| trees.get(k).map_or(-1, |&t| t as i32);
        m.tendon_treeid[i] = [id(0), id(1)];
        m.tendon_treenum[i] = trees.len() as i32;
    }
}

/// Decides whether trees with an automatic policy may sleep: not if they are actuated, part of a flex, or coupled to
/// others by a tendon that exerts forces or spans more than two trees.
fn sleep_policies(m: &mut Model) -> Result<(), SetConstError> {
    for i in 0..m.nu {
        let id = m.actuator_trnid[i][0] as usize;
        let body = match m.actuator_trntype(i) {
            TrnType::Joint | TrnType::Jointinparent => m.jnt_bodyid[id] as usize,
            TrnType::Site | TrnType::Slidercrank => m.site_bodyid[id] as usize,
            TrnType::Body => id,
            TrnType::Tendon => {
                trees_of(m, id).into_iter().for_each(|tree| forbid(m, tree));
                continue;
            }
            _ => continue,
        };
        forbid_body(m, body);
    }
    for i in 0..m.ntendon {
        let passive = m.tendon_stiffness[i] != 0.0 || m.tendon_damping[i] != 0.0;
        let num = m.tendon_treenum[i];
        if num < 2 || (num == 2 && !passive) {
            continue;
        }
        for tree in trees_of(m, i) {
            let policy = m.tree_sleep_policy(tree);
            if matches!(policy, SleepPolicy::Allowed | SleepPolicy::Init) {
                let reason =
                    if num > 2 { "which spans more than 2 trees" } else { "with non-zero stiffness or damping" };
                return Err(SetConstError::Sleepless { tree, tendon: i, reason });
            }
            forbid(m, tree);
        }
    }
    for f in 0..m.nflex {
        let (first, num, nodes) = if m.flex_interp[f] != 0 {
            (m.flex_nodeadr[f], m.flex_nodenum[f], true)
        } else {
            (m.flex_vertadr[f], m.flex_vertnum[f], false)
        };
        for k in first as usize..(first + num) as usize {
            let body = if nodes { m.flex_nodebodyid[k] } else { m.flex_vertbodyid[k] };
            forbid_body(m, body as usize);
        }
    }
    for policy in m.tree_sleep_policy.iter_mut().filter(|p| **p == AUTO) {
        *policy = SleepPolicy::AutoAllowed as i32;
    }
    Ok(())
}

fn forbid_body(m: &mut Model, body: usize) {
    if let Ok(tree) = usize::try_from(m.body_treeid[body]) {
        forbid(m, tree);
    }
}

fn forbid(m: &mut Model, tree: usize) {
    if m.tree_sleep_policy[tree] == AUTO {
        m.tree_sleep_policy[tree] = AUTO_NEVER;
    }
}
