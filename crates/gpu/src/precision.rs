//! Where the mass matrix and bias forces would lose too many digits.

use sinew_engine::Model;
use sinew_engine::data::Data;
use sinew_engine::step::{com_pos, kinematics};

/// By how much a dof's inertia may be smaller than the numbers of which it is a difference: a float has 24 bits, of which 14 are left.
const MOST: f64 = 1024.0;

/// Whether inertias about the centre of mass of a tree lose more digits of the mass matrix than may be lost. An entry of its diagonal
/// is ω·Iω + 2 ω·(mc × v) + m v² + armature with I, c and v about that centre. The second is negative where the axis is nearer to what it
/// turns, and takes most of the others away; these, by half the trace of I so that it does not matter how the tree is turned, are
/// compared with what is left at `qpos0`.
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
