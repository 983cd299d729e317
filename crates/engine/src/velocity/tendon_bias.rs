//! Bias force of tendons with rotor inertia, due to the time derivative of their Jacobian.

use crate::data::{Awake, Motion, Pose, State};
use crate::model::Model;
use crate::support::awake as subset;
use crate::support::cable::{Span, spans};
use crate::support::capstan::{Piece, before_arc};
use crate::support::chain::{ancestors, column};
use crate::support::jacobian::axis_rate;
use crate::support::row::tendon_row;
use sinew_math::spatial::{lin, rot, transform_motion};
use sinew_math::{MINVAL, Vec3, vec3};

/// Adds the bias force of tendon armature and pulley inertia, due to the time derivative of the Jacobian.
///
/// *Equation*: `qfrc += Jᵀ armature (J̇ qvel)`.
/// *Reads* `qvel`, `ten_J`, `site_xpos`, `cdof`, `cvel`, `cdof_dot`. *Writes* `qfrc`.
/// The compiler rejects armature on tendons that wrap around geoms.
#[doc(alias = "mj_tendonBias")]
pub fn tendon_bias(m: &Model, awake: &Awake, state: &State, pose: &Pose, motion: &Motion, qfrc: &mut [f64]) {
    let skips = subset::skips_trees(m, awake);
    for k in 0..m.ntendon {
        let armature = m.tendon_armature[k];
        if armature == 0.0 || skips && subset::tendon_asleep(m, awake, k) {
            continue;
        }
        let coef = armature * length_acc(m, state, pose, motion, k);
        if coef != 0.0 {
            tendon_row(m, pose, k).add_to(qfrc, coef);
        }
    }
    for pulley in m.extension().pulleys.iter().filter(|p| p.inertia > 0.0) {
        if skips && subset::tendon_asleep(m, awake, pulley.tendon) {
            continue;
        }
        let mut acc = 0.0;
        before_arc(m, pose, pulley, |Piece(ends)| {
            acc += between(m, state, pose, motion, ends.map(|(pos, body)| Point::new(m, pose, motion, body, pos)));
        });
        let coef = pulley.reflected(m) * acc;
        before_arc(m, pose, pulley, |piece| piece.slopes(m, pose, |dof, slope| qfrc[dof] += coef * slope));
    }
}

/// `J̇ qvel` of tendon `k`: the acceleration of its length at zero `qacc`; zero for a fixed tendon.
#[doc(alias = "mj_tendonDot")]
fn length_acc(m: &Model, state: &State, pose: &Pose, motion: &Motion, k: usize) -> f64 {
    let mut sum = 0.0;
    for Span { ends, divisor, .. } in spans(m, k) {
        let [a, b] = ends.map(|w| m.wrap_objid[w] as usize);
        if m.site_bodyid[a] != m.site_bodyid[b] {
            sum += segment_acc(m, state, pose, motion, a, b) / divisor;
        }
    }
    sum
}

/// Acceleration of the distance from site `a` to site `b`: `d · (a_b − a_a) + ḋ · (v_b − v_a)`.
fn segment_acc(m: &Model, state: &State, pose: &Pose, motion: &Motion, a: usize, b: usize) -> f64 {
    let point = |s: usize| Point::new(m, pose, motion, m.site_bodyid[s] as usize, pose.site_xpos[s]);
    between(m, state, pose, motion, [point(a), point(b)])
}

/// [`segment_acc`] for two points fixed to bodies.
fn between(m: &Model, state: &State, pose: &Pose, motion: &Motion, [start, end]: [Point; 2]) -> f64 {
    let (dir, dist) = vec3::normalize(vec3::sub(end.pos, start.pos));
    let vel = vec3::sub(end.vel, start.vel);
    let across = vec3::add_scaled(vel, dir, -vec3::dot(dir, vel));
    let turn = vec3::scale(across, if dist > MINVAL { 1.0 / dist } else { 0.0 });
    let acc = vec3::sub(end.bias_acc(m, state, pose, motion), start.bias_acc(m, state, pose, motion));
    vec3::dot(dir, acc) + vec3::dot(turn, vel)
}

/// A point fixed to a body.
struct Point {
    body: usize,
    pos: Vec3,
    vel: Vec3,
    offset: Vec3,
}

impl Point {
    fn new(m: &Model, pose: &Pose, motion: &Motion, body: usize, pos: Vec3) -> Self {
        let com = pose.subtree_com[m.body_rootid[body] as usize];
        let moves = m.body_weldid[body] != 0;
        let vel = if moves { lin(&transform_motion(&motion.cvel[body], pos, com, None)) } else { [0.0; 3] };
        Point { body, pos, vel, offset: vec3::sub(pos, com) }
    }

    /// `J̇ qvel` of the point.
    fn bias_acc(&self, m: &Model, state: &State, pose: &Pose, motion: &Motion) -> Vec3 {
        ancestors(m, self.body).fold([0.0; 3], |sum, i| {
            let turned = column(&axis_rate(m, pose, motion, i), self.offset);
            let swept = vec3::cross(rot(&pose.cdof[i]), self.vel);
            vec3::add_scaled(sum, vec3::add(turned, swept), state.qvel[i])
        })
    }
}
