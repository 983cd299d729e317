//! Detects where the mass matrix and bias forces would lose too much precision.

use sinew_engine::Model;
use sinew_engine::data::Data;
use sinew_engine::step::{com_pos, kinematics};

/// Maximum ratio of the terms to their difference, the inertia of a dof: of a float's 24 bits, 14 remain.
const MOST: f64 = 1024.0;

/// Whether inertias about the tree's centre of mass lose too much precision in the mass matrix. A diagonal entry is
/// ω·Iω + 2 ω·(mc × v) + m v² + armature, with I, c and v about that centre. The second term is negative if the axis
/// is nearer to the subtree than the centre, and cancels most of the others. These are compared with the result at
/// `qpos0`; ω·Iω is replaced by half the trace of I, which does not depend on the tree's orientation.
pub fn loses_precision(m: &Model) -> bool {
    let mut d = Data::new(m);
    kinematics(m, &mut d);
    com_pos(m, &mut d);
    let inertia = subtrees(m, &d);
    (0..m.nv).any(|i| {
        let [xx, yy, zz, .., mass] = inertia[m.dof_bodyid[i] as usize];
        let [x, y, z, moves @ ..] = d.pose.cdof[i];
        let turns = x * x + y * y + z * z > 0.0;
        let far = moves.iter().map(|t| t * t).sum::<f64>();
        turns && 0.5 * (xx + yy + zz) + mass * far > MOST * m.dof_M0[i]
    })
}

/// Inertias of subtrees about the centres of mass of their trees.
fn subtrees(m: &Model, d: &Data) -> Vec<[f64; 10]> {
    let mut sums = d.pose.cinert.to_vec();
    for b in (1..m.nbody).rev() {
        let (parent, own) = (m.body_parentid[b] as usize, sums[b]);
        sums[parent].iter_mut().zip(own).for_each(|(sum, x)| *sum += x);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(armature: f64) -> bool {
        let xml = format!(
            r#"<mujoco><worldbody><body><joint axis="0 0 1"/><geom size=".2" density="3000"/>
            <body pos="1 0 0"><joint axis="0 0 1" armature="{armature}"/><geom size=".02" density="9000"/></body></body></worldbody></mujoco>"#
        );
        loses_precision(&sinew_mjcf::load_str(&xml, &sinew_mjcf::Source::default()).expect("a model"))
    }

    #[test]
    fn small_links_far_away_lose_digits_unless_rotors_outweigh_them() {
        assert!(arm(0.0));
        assert!(!arm(0.01));
    }
}
