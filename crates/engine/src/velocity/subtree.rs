//! Linear velocity and angular momentum of subtrees.

use crate::data::{Awake, Motion, Pose};
use crate::model::Model;
use crate::support::awake as subset;
use sinew_math::spatial::{Vec6, lin, rot, transform_motion};
use sinew_math::{MINVAL, mat3, vec3};

/// Velocity of each subtree's centre of mass and angular momentum about it.
///
/// *Equation*: `p = Σ m v`, `subtree_linvel = p / m`; `subtree_angmom = Σ (I ω + r × m v')` with `r`, `v'`
/// relative to the subtree's centre of mass.
/// *Reads* `xipos`, `ximat`, `subtree_com`, `cvel`.
/// *Writes* `subtree_linvel`, `subtree_angmom`, `flg_subtreevel`.
#[doc(alias = "mj_subtreeVel")]
pub fn subtree_vel(m: &Model, awake: &Awake, pose: &Pose, motion: &mut Motion, body_vel: &mut [Vec6]) {
    let bodies = subset::bodies(m, awake);
    for i in bodies.iter() {
        let root = m.body_rootid[i] as usize;
        body_vel[i] = if m.body_weldid[i] == 0 {
            [0.0; 6]
        } else {
            transform_motion(&motion.cvel[i], pose.xipos[i], pose.subtree_com[root], None)
        };
        motion.subtree_linvel[i] = vec3::scale(lin(&body_vel[i]), m.body_mass[i]);
        let mut w = mat3::mul_vec_t(&pose.ximat[i], rot(&body_vel[i]));
        (0..3).for_each(|k| w[k] *= m.body_inertia[i][k]);
        motion.subtree_angmom[i] = mat3::mul_vec(&pose.ximat[i], w);
    }
    let (p, l) = (&mut motion.subtree_linvel, &mut motion.subtree_angmom);
    for i in bodies.iter().rev() {
        if i > 0 {
            let parent = m.body_parentid[i] as usize;
            p[parent] = vec3::add(p[parent], p[i]);
        }
        p[i] = vec3::scale(p[i], 1.0 / MINVAL.max(m.body_subtreemass[i]));
    }
    for i in bodies.iter().skip(1).rev() {
        let parent = m.body_parentid[i] as usize;
        let (com, parent_com) = (pose.subtree_com[i], pose.subtree_com[parent]);
        let own = vec3::scale(vec3::sub(lin(&body_vel[i]), p[i]), m.body_mass[i]);
        l[i] = vec3::add(l[i], vec3::cross(vec3::sub(pose.xipos[i], com), own));
        l[parent] = vec3::add(l[parent], l[i]);
        let relative = vec3::scale(vec3::sub(p[i], p[parent]), m.body_subtreemass[i]);
        l[parent] = vec3::add(l[parent], vec3::cross(vec3::sub(com, parent_com), relative));
    }
    motion.flg_subtreevel = 1;
}
