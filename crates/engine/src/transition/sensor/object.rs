//! Frame sensors.

use super::gradient::Gradient;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{SensorType as S, Stage};
use crate::support::camera::focal;
use crate::support::chain::merged;
use crate::support::object::{object_frame, orientation};
use crate::transition::frame::{Frame, Motion};
use crate::transition::tie::By;
use crate::transition::tree::Tree;
use sinew_math::{MINVAL, Vec3, mat3, quat, vec3};

/// The sensed frame and the reference frame of a sensor.
struct Seen<'a> {
    kind: S,
    own: Frame<'a>,
    reference: Frame<'a>,
    m: &'a Model,
    d: &'a Data,
    sensor: usize,
}

/// Adds the gradient of a frame sensor.
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
    /// Change of the outputs for given changes of both frames.
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

    /// Change of the relative orientation `r⁻¹ q` under a small rotation.
    fn quat(&self, turn: Vec3) -> [f64; 4] {
        let (m, i) = (self.m, self.sensor);
        let of = |obj, id: i32| orientation(m, &self.d.pose, obj, usize::try_from(id).ok()?);
        let q = of(m.sensor_objtype(i), m.sensor_objid[i]).unwrap_or(quat::IDENTITY);
        let r = of(m.sensor_reftype(i), m.sensor_refid[i]).unwrap_or(quat::IDENTITY);
        let half = [0.0, 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]];
        quat::mul(quat::mul(quat::conj(r), half), q)
    }

    /// Change of the pixel coordinates of a point in a camera image.
    fn projected(&self, away: Vec3, moved: Vec3) -> [f64; 4] {
        let [fx, fy] = focal(self.m, self.m.sensor_refid[self.sensor] as usize);
        let [x, y, z] = mat3::mul_vec_t(self.reference.mat, away);
        if z.abs() < MINVAL {
            return [0.0; 4];
        }
        [-fx * (moved[0] - x / z * moved[2]) / z, fy * (moved[1] - y / z * moved[2]) / z, 0.0, 0.0]
    }
}
