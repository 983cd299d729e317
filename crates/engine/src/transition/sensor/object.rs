//! Sensors of frames: where they are, how they move, and how that changes.
//!
//! At a point `x` of a body with velocity `V` and acceleration `A`, moving dof `j` gives `δx = c_j`, `δV = S_j × V + Ṡ_j` and
//! `δA = S_j × A + Ṡ_j × V + η_j`; moving it faster gives `δV = S_j` and `δA = ψ_j − V × S_j`. The letters are those of
//! `tree.rs`.

use super::gradient::Gradient;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{SensorType as S, Stage};
use crate::sensor::pos::focal;
use crate::support::chain::{column, merged, offset};
use crate::support::object::{ObjectFrame, object_frame, orientation};
use crate::transition::tie::By;
use crate::transition::tree::Tree;
use sinew_math::spatial::{Vec6, add, cross_motion, lin, rot, sub};
use sinew_math::{MINVAL, Mat3, Vec3, mat3, quat, vec3};

/// Motion of a frame along the axes of the world, or a change of it.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    pos: Vec3,
    turn: Vec3,
    spin: Vec3,
    vel: Vec3,
    /// Angular acceleration, and that of the point.
    lift: Vec3,
    acc: Vec3,
}

/// A frame, and the motion of its body about the reference point of the tree.
struct Frame<'a> {
    body: usize,
    mat: &'a Mat3,
    arm: Vec3,
    now: Motion,
    vel: Vec6,
    acc: Vec6,
}

/// Motion of the point at `arm`, where velocity and acceleration are those of the reference point.
fn at(arm: Vec3, vel: &Vec6, acc: &Vec6) -> Motion {
    let (spin, lift) = (rot(vel), rot(acc));
    let shift = |x: &Vec6| vec3::add(lin(x), vec3::cross(rot(x), arm));
    Motion { spin, lift, vel: shift(vel), acc: shift(acc), ..Motion::default() }
}

impl<'a> Frame<'a> {
    fn new(m: &Model, d: &Data, tree: &Tree, frame: ObjectFrame<'a>) -> Self {
        let ObjectFrame { body, pos, mat } = frame;
        let arm = offset(m, &d.pose, body, pos);
        let (vel, acc) = (tree.vel[body], tree.acc[body]);
        let mut now = at(arm, &vel, &acc);
        now.pos = pos;
        // the point moves with the body
        now.acc = vec3::add(now.acc, vec3::cross(now.spin, now.vel));
        Frame { body, mat, arm, now, vel, acc }
    }

    /// The world.
    fn fixed() -> Self {
        let still = [0.0; 6];
        Frame { body: 0, mat: &mat3::IDENTITY, arm: [0.0; 3], now: Motion::default(), vel: still, acc: still }
    }

    /// Change of the motion by a dof that moves the frame.
    fn change(&self, d: &Data, tree: &Tree, j: usize, by: By) -> Motion {
        let (s, axis, still) = (&d.pose.cdof[j], &tree.axis[j], [0.0; 6]);
        let mut by = match by {
            By::Position => {
                let vel = add(&cross_motion(s, &self.vel), &axis.rate);
                let turned = add(&cross_motion(s, &self.acc), &cross_motion(&axis.rate, &self.vel));
                let mut change = at(self.arm, &vel, &add(&turned, &axis.lift));
                (change.pos, change.turn) = (column(s, self.arm), rot(s));
                change.vel = vec3::add(change.vel, vec3::cross(rot(&self.vel), change.pos));
                change.acc = vec3::add(change.acc, vec3::cross(rot(&self.acc), change.pos));
                change
            }
            By::Velocity => at(self.arm, s, &sub(&axis.drift, &cross_motion(&self.vel, s))),
            By::Acceleration => at(self.arm, &still, s),
        };
        let swept = vec3::add(vec3::cross(by.spin, self.now.vel), vec3::cross(self.now.spin, by.vel));
        by.acc = vec3::add(by.acc, swept);
        by
    }

    /// Change of a vector along the axes of this frame, as both change.
    fn seen(&self, vector: Vec3, change: Vec3, turn: Vec3) -> Vec3 {
        mat3::mul_vec_t(self.mat, vec3::sub(change, vec3::cross(turn, vector)))
    }
}

/// What is sensed, where, and seen from where.
struct Seen<'a> {
    kind: S,
    own: Frame<'a>,
    reference: Frame<'a>,
    m: &'a Model,
    d: &'a Data,
    sensor: usize,
}

/// Adds the gradient of a sensor of a frame.
pub(super) fn frame(m: &Model, d: &Data, tree: &Tree, i: usize, out: &mut Gradient) {
    let of = |obj, id: i32| object_frame(m, &d.pose, obj, usize::try_from(id).ok()?);
    let Some(own) = of(m.sensor_objtype(i), m.sensor_objid[i]) else { return };
    let reference = of(m.sensor_reftype(i), m.sensor_refid[i]);
    let reference = reference.map_or_else(Frame::fixed, |r| Frame::new(m, d, tree, r));
    let seen = Seen { kind: m.sensor_type(i), own: Frame::new(m, d, tree, own), reference, m, d, sensor: i };
    let kinds: &[By] = match m.sensor_needstage(i) {
        Stage::Pos => &[By::Position],
        Stage::Vel => &[By::Position, By::Velocity],
        _ => &[By::Position, By::Velocity, By::Acceleration],
    };
    for shared in merged(m, seen.own.body, seen.reference.body) {
        for &by in kinds {
            let moved = |frame: &Frame, moves: bool| {
                if moves { frame.change(d, tree, shared.dof, by) } else { Motion::default() }
            };
            let [own, reference] = [moved(&seen.own, shared.moves[0]), moved(&seen.reference, shared.moves[1])];
            out.add(by, shared.dof, &seen.change(&own, &reference));
        }
    }
}

impl Seen<'_> {
    /// Change of the outputs.
    fn change(&self, own: &Motion, reference: &Motion) -> [f64; 4] {
        let (o, r) = (&self.own, &self.reference);
        let away = vec3::sub(o.now.pos, r.now.pos);
        let moved = vec3::sub(own.pos, reference.pos);
        let mine = |vector: Vec3, change: Vec3| o.seen(vector, change, own.turn);
        let theirs = |vector: Vec3, change: Vec3| r.seen(vector, change, reference.turn);
        let axis = |k: usize| {
            let axis = mat3::col(o.mat, k);
            theirs(axis, vec3::cross(own.turn, axis))
        };
        let [x, y, z] = match self.kind {
            S::Magnetometer => mine(self.m.opt.magnetic, [0.0; 3]),
            S::Camprojection => return self.projected(away, theirs(away, moved)),
            S::Framepos => theirs(away, moved),
            S::Framexaxis => axis(0),
            S::Frameyaxis => axis(1),
            S::Framezaxis => axis(2),
            S::Framequat => return self.quat(vec3::sub(own.turn, reference.turn)),
            S::Velocimeter => mine(o.now.vel, own.vel),
            S::Gyro => mine(o.now.spin, own.spin),
            S::Framelinvel => {
                let swept = |spin: Vec3, way: Vec3| vec3::cross(spin, way);
                let vel = vec3::sub(vec3::sub(o.now.vel, r.now.vel), swept(r.now.spin, away));
                let turned = vec3::add(swept(reference.spin, away), swept(r.now.spin, moved));
                theirs(vel, vec3::sub(vec3::sub(own.vel, reference.vel), turned))
            }
            S::Frameangvel => theirs(vec3::sub(o.now.spin, r.now.spin), vec3::sub(own.spin, reference.spin)),
            S::Accelerometer => mine(o.now.acc, own.acc),
            S::Framelinacc => own.acc,
            S::Frameangacc => own.lift,
            _ => [0.0; 3],
        };
        [x, y, z, 0.0]
    }

    /// Change of the relative orientation `r⁻¹ q` as it turns.
    fn quat(&self, turn: Vec3) -> [f64; 4] {
        let (m, i) = (self.m, self.sensor);
        let of = |obj, id: i32| orientation(m, &self.d.pose, obj, usize::try_from(id).ok()?);
        let q = of(m.sensor_objtype(i), m.sensor_objid[i]).unwrap_or(quat::IDENTITY);
        let r = of(m.sensor_reftype(i), m.sensor_refid[i]).unwrap_or(quat::IDENTITY);
        let half = [0.0, 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]];
        quat::mul(quat::mul(quat::conj(r), half), q)
    }

    /// Change of the pixel at which a camera sees a point.
    fn projected(&self, away: Vec3, moved: Vec3) -> [f64; 4] {
        let [fx, fy] = focal(self.m, self.m.sensor_refid[self.sensor] as usize);
        let [x, y, z] = mat3::mul_vec_t(self.reference.mat, away);
        if z.abs() < MINVAL {
            return [0.0; 4];
        }
        [-fx * (moved[0] - x / z * moved[2]) / z, fy * (moved[1] - y / z * moved[2]) / z, 0.0, 0.0]
    }
}
