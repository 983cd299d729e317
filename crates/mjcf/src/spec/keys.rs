//! Keyframes of models while they are joined.
//!
//! A keyframe is a vector over the joints (or actuators, or mocap bodies) of a finished model. Joining models shifts
//! the positions in that vector, so the values are stored with the elements they belong to
//! ([`Meta::keyed`](super::Meta::keyed)), move with them, and are collected when the model is complete.

use super::{Actuator, Body, Id, Key, Keyed, Meta, Spec};
use crate::error::{Error, Result};
use sinew_engine::Model;
use sinew_engine::model::enums::{DynType, JointType};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Which values of a keyframe come from the initial state; the stored values at these positions are ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Open {
    /// Ranges of `qpos`.
    pub qpos: Vec<Range<usize>>,
    /// Ranges of `mpos`.
    pub mpos: Vec<Range<usize>>,
    /// Ranges of `mquat`.
    pub mquat: Vec<Range<usize>>,
}

impl Open {
    /// Whether all values are given.
    pub(crate) fn is_empty(&self) -> bool {
        self.qpos.is_empty() && self.mpos.is_empty() && self.mquat.is_empty()
    }
}

/// Copies `values` over `row`, which holds the initial state, except in the `open` ranges.
pub(crate) fn overlay(row: &mut [f64], values: &[f64], open: &[Range<usize>]) {
    let (mut start, n) = (0, row.len().min(values.len()));
    for gap in open.iter().cloned().chain(std::iter::once(n..n)) {
        let end = gap.start.min(n);
        if start < end {
            row[start..end].copy_from_slice(&values[start..end]);
        }
        start = gap.end;
    }
}

/// Number of coordinates of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    nq: usize,
    nv: usize,
    na: usize,
    nu: usize,
    nmocap: usize,
}

/// Number of positions and velocities of a joint.
fn joint_sizes(kind: JointType) -> (usize, usize) {
    match kind {
        JointType::Free => (7, 6),
        JointType::Ball => (4, 3),
        _ => (1, 1),
    }
}

/// Number of activations of an actuator.
fn act_size(actuator: &Actuator) -> usize {
    match actuator.actdim {
        n if n > 0 => n as usize,
        _ => usize::from(actuator.dyntype != DynType::None),
    }
}

impl Sizes {
    fn of(spec: &Spec) -> Self {
        let na = spec.actuators.iter().map(act_size).sum();
        let mut sizes = Sizes { na, nu: spec.actuators.len(), ..Sizes::default() };
        spec.world.each(&mut |body| {
            for joint in &body.joints {
                let (nq, nv) = joint_sizes(joint.kind);
                sizes.nq += nq;
                sizes.nv += nv;
            }
            sizes.nmocap += usize::from(body.mocap);
        });
        sizes
    }

    fn check(&self, key: &Key) -> Result<()> {
        let vectors = [
            ("qpos", key.qpos.len(), self.nq),
            ("qvel", key.qvel.len(), self.nv),
            ("act", key.act.len(), self.na),
            ("ctrl", key.ctrl.len(), self.nu),
            ("mpos", key.mpos.len(), 3 * self.nmocap),
            ("mquat", key.mquat.len(), 4 * self.nmocap),
        ];
        for (attribute, got, expected) in vectors {
            if got != 0 && got != expected {
                let message = format!(
                    "keyframe '{}' has invalid {attribute} size, got {got}, should be {expected}",
                    key.meta.name
                );
                return Err(Error::invalid(message)
                    .at(key.meta.loc)
                    .element("key")
                    .attribute(attribute)
                    .hint("the size must fit the model at the moment it is attached or replicated"));
            }
        }
        Ok(())
    }
}

impl Meta {
    /// The values for a keyframe. If the keyframe is `new` to the model, there can be no entry yet and the search is
    /// skipped.
    fn keyed(&mut self, key: &str, new: bool) -> &mut Keyed {
        let known = if new { None } else { self.keyed.iter().position(|k| k.key == key) };
        let i = known.unwrap_or_else(|| {
            self.keyed.push(Keyed { key: key.to_string(), ..Keyed::default() });
            self.keyed.len() - 1
        });
        &mut self.keyed[i]
    }
}

/// The next `n` numbers, if there are enough.
fn take<'a>(rest: &mut &'a [f64], n: usize) -> Option<&'a [f64]> {
    let (head, tail) = rest.split_at_checked(n)?;
    *rest = tail;
    Some(head)
}

/// Overwrites a vector with the next numbers, if there are enough.
fn hand(vector: &mut Vec<f64>, rest: &mut &[f64], n: usize) {
    if let Some(values) = take(rest, n).filter(|_| n > 0) {
        *vector = values.to_vec();
    }
}

/// Distributes the values of all keyframes to the elements and returns the waiting keyframes: name, time and which
/// vectors they have. The keyframes themselves stay.
pub(super) fn store(spec: &mut Spec, prefix: &str, suffix: &str) -> Result<Vec<Key>> {
    if spec.keys.is_empty() {
        return Ok(Vec::new());
    }
    let sizes = Sizes::of(spec);
    let mut waiting = Vec::with_capacity(spec.keys.len());
    let Spec { keys, world, actuators, waiting: known, .. } = spec;
    for key in keys {
        sizes.check(key)?;
        let mut info = key.clone();
        info.meta.id = Id::default();
        info.meta.name = [prefix, &key.meta.name, suffix].concat();
        let name = info.meta.name.as_str();
        let new = known.iter().chain(&waiting).all(|k| k.meta.name != name);
        let (mut qpos, mut qvel) = (key.qpos.as_slice(), key.qvel.as_slice());
        let (mut mpos, mut mquat) = (key.mpos.as_slice(), key.mquat.as_slice());
        world.each_mut(&mut |body| {
            for joint in body.joints.iter_mut().filter(|_| !key.qpos.is_empty() || !key.qvel.is_empty()) {
                let (nq, nv) = joint_sizes(joint.kind);
                let keyed = joint.meta.keyed(name, new);
                hand(&mut keyed.pos, &mut qpos, nq);
                hand(&mut keyed.vel, &mut qvel, nv);
            }
            if body.mocap {
                let keyed = body.meta.keyed(name, new);
                hand(&mut keyed.pos, &mut mpos, 3);
                hand(&mut keyed.vel, &mut mquat, 4);
            }
        });
        let (mut act, mut ctrl) = (key.act.as_slice(), key.ctrl.as_slice());
        for actuator in actuators.iter_mut() {
            let n = act_size(actuator);
            let keyed = actuator.meta.keyed(name, new);
            hand(&mut keyed.pos, &mut act, n);
            hand(&mut keyed.vel, &mut ctrl, 1);
        }
        waiting.push(info);
    }
    Ok(waiting)
}

/// Removes waiting values from a body and everything below it.
pub(super) fn forget(body: &mut Body) {
    body.each_mut(&mut |body| {
        body.meta.keyed.clear();
        body.joints.iter_mut().for_each(|joint| joint.meta.keyed.clear());
    });
}

/// Extends keyframes that are too short for the model: new coordinates start at the values of the file.
///
/// As in MuJoCo the values are those of the attributes before compilation: `ref` in the unit of the file, and the pose
/// of a mocap body inside its frame; free and ball joints contribute `ref` and zeros.
pub(super) fn expand(spec: &mut Spec) {
    if spec.keys.is_empty() {
        return;
    }
    let sizes = Sizes::of(spec);
    let mut qpos0 = vec![0.0; sizes.nq];
    let (mut mpos0, mut mquat0) = (Vec::new(), Vec::new());
    let mut adr = 0;
    spec.world.each(&mut |body| {
        for joint in &body.joints {
            qpos0[adr] = joint.ref_;
            adr += joint_sizes(joint.kind).0;
        }
        if body.mocap {
            mpos0.extend(body.pos);
            mquat0.extend(body.quat);
        }
    });
    // an incomplete mocap pose is replaced
    let lengthen = |vector: &mut Vec<f64>, initial: &[f64], width: usize| {
        let complete = vector.len() / width * width;
        if !vector.is_empty() && complete < initial.len() {
            vector.truncate(complete);
            vector.extend(&initial[complete..]);
        }
    };
    for key in &mut spec.keys {
        lengthen(&mut key.qpos, &qpos0, 1);
        lengthen(&mut key.qvel, &vec![0.0; sizes.nv], 1);
        lengthen(&mut key.act, &vec![0.0; sizes.na], 1);
        lengthen(&mut key.ctrl, &vec![0.0; sizes.nu], 1);
        lengthen(&mut key.mpos, &mpos0, 3);
        lengthen(&mut key.mquat, &mquat0, 4);
    }
}

impl Spec {
    /// The model with its waiting keyframes as ordinary ones, all extended to full length.
    pub(crate) fn settled(&self) -> Cow<'_, Spec> {
        if self.waiting.is_empty() && !short(self) {
            return Cow::Borrowed(self);
        }
        let mut copy = self.clone();
        settle(&mut copy);
        Cow::Owned(copy)
    }

    /// Stores the keyframes of the compiled model: keyframes that came with attached models become keyframes of this
    /// one, with all values.
    pub fn settle_keys(&mut self, model: &Model) {
        settle(self);
        let row = |values: &[f64], i: usize, n: usize| values.get(i * n..(i + 1) * n).map(<[f64]>::to_vec);
        for (i, key) in self.keys.iter_mut().enumerate().filter(|(_, key)| !key.open.is_empty()) {
            let open = std::mem::take(&mut key.open);
            for (values, open, compiled) in [
                (&mut key.qpos, &open.qpos, &model.key_qpos),
                (&mut key.mpos, &open.mpos, &model.key_mpos),
                (&mut key.mquat, &open.mquat, &model.key_mquat),
            ] {
                if let Some(mut whole) = row(compiled, i, values.len()) {
                    overlay(&mut whole, values, open);
                    *values = whole;
                }
            }
        }
    }
}

/// Whether any keyframe is too short for the model.
fn short(spec: &Spec) -> bool {
    if spec.keys.is_empty() {
        return false;
    }
    let s = Sizes::of(spec);
    let less = |vector: &Vec<f64>, n: usize| !vector.is_empty() && vector.len() < n;
    spec.keys.iter().any(|key| {
        (less(&key.qpos, s.nq) || less(&key.qvel, s.nv) || less(&key.act, s.na) || less(&key.ctrl, s.nu))
            || (less(&key.mpos, 3 * s.nmocap) || less(&key.mquat, 4 * s.nmocap))
    })
}

/// The elements with values in keyframes, in the order of these values, and how many each has.
pub(super) struct Owners {
    joints: Vec<(Id, usize, usize)>,
    mocaps: Vec<Id>,
    actuators: Vec<(Id, usize)>,
}

impl Owners {
    pub(super) fn of(spec: &Spec) -> Self {
        let (mut joints, mut mocaps) = (Vec::new(), Vec::new());
        if !spec.keys.is_empty() {
            spec.world.each(&mut |body| {
                joints.extend(body.joints.iter().map(|j| (j.meta.id, joint_sizes(j.kind).0, joint_sizes(j.kind).1)));
                mocaps.extend(body.mocap.then_some(body.meta.id));
            });
        }
        Owners { joints, mocaps, actuators: spec.actuators.iter().map(|a| (a.meta.id, act_size(a))).collect() }
    }
}

/// Removes the values of deleted elements from the keyframes.
pub(super) fn follow(spec: &mut Spec, before: &Owners) {
    let now = Owners::of(spec);
    let joints: HashSet<Id> = now.joints.iter().map(|j| j.0).collect();
    let others: HashSet<Id> = now.mocaps.into_iter().chain(now.actuators.iter().map(|a| a.0)).collect();
    fn retain(values: &mut Vec<f64>, open: &mut Vec<Range<usize>>, parts: impl Iterator<Item = (bool, usize)>) {
        let mut keep = parts.flat_map(|(kept, n)| std::iter::repeat_n(kept, n));
        let said = |i: usize, x: f64| (!open.iter().any(|gap| gap.contains(&i))).then_some(x);
        let mut rest = Vector::default();
        for (i, &x) in values.iter().enumerate() {
            if keep.next().unwrap_or(true) {
                rest.push(std::iter::once(said(i, x)));
            }
        }
        (*values, *open) = (rest.values, rest.open);
    }
    for key in &mut spec.keys {
        let (open, none) = (&mut key.open, &mut Vec::new());
        retain(&mut key.qpos, &mut open.qpos, before.joints.iter().map(|(id, nq, _)| (joints.contains(id), *nq)));
        retain(&mut key.qvel, none, before.joints.iter().map(|(id, _, nv)| (joints.contains(id), *nv)));
        retain(&mut key.act, none, before.actuators.iter().map(|(id, na)| (others.contains(id), *na)));
        retain(&mut key.ctrl, none, before.actuators.iter().map(|(id, _)| (others.contains(id), 1)));
        retain(&mut key.mpos, &mut open.mpos, before.mocaps.iter().map(|id| (others.contains(id), 3)));
        retain(&mut key.mquat, &mut open.mquat, before.mocaps.iter().map(|id| (others.contains(id), 4)));
    }
}

/// A keyframe vector under construction, and its open ranges.
#[derive(Clone, Default)]
struct Vector {
    values: Vec<f64>,
    open: Vec<Range<usize>>,
}

impl Vector {
    /// Appends numbers; missing values and NaN are open.
    fn push(&mut self, numbers: impl Iterator<Item = Option<f64>>) {
        for number in numbers {
            let at = self.values.len();
            let number = number.filter(|x| !x.is_nan());
            self.values.push(number.unwrap_or(0.0));
            match self.open.last_mut() {
                _ if number.is_some() => {}
                Some(last) if last.end == at => last.end += 1,
                _ => self.open.push(at..at + 1),
            }
        }
    }
}

/// Turns waiting keyframes into ordinary ones. Values that no element provides come from the initial state, or are zero
/// for velocities, activations and controls.
pub(crate) fn settle(spec: &mut Spec) {
    expand(spec);
    if spec.waiting.is_empty() {
        return;
    }
    let missing = usize::try_from(spec.size.nkey).unwrap_or(0).min(spec.limits.elements);
    while spec.keys.len() < missing {
        spec.keys.push(Key::default());
    }
    let waiting = std::mem::take(&mut spec.waiting);
    let has = |key: &Key| [&key.qpos, &key.qvel, &key.mpos, &key.mquat, &key.act, &key.ctrl].map(|v| !v.is_empty());
    let has: Vec<[bool; 6]> = waiting.iter().map(has).collect();
    let mut vectors: Vec<[Vector; 6]> = vec![Default::default(); waiting.len()];
    // an element provides two of the six vectors, starting at `slot`
    let mut collect = |meta: &Meta, slot: usize, sizes: [usize; 2]| {
        let keyed: HashMap<&str, &Keyed> = meta.keyed.iter().rev().map(|k| (k.key.as_str(), k)).collect();
        for (i, key) in waiting.iter().enumerate() {
            let keyed = keyed.get(key.meta.name.as_str());
            for (j, values) in [keyed.map(|k| &k.pos), keyed.map(|k| &k.vel)].into_iter().enumerate() {
                let vector = &mut vectors[i][slot + j];
                match values.filter(|v| v.len() == sizes[j]) {
                    _ if !has[i][slot + j] => {}
                    Some(values) => vector.push(values.iter().copied().map(Some)),
                    None => vector.push(std::iter::repeat_n(None, sizes[j])),
                }
            }
        }
    };
    spec.world.each(&mut |body| {
        for joint in &body.joints {
            let (nq, nv) = joint_sizes(joint.kind);
            collect(&joint.meta, 0, [nq, nv]);
        }
        if body.mocap {
            collect(&body.meta, 2, [3, 4]);
        }
    });
    spec.actuators.iter().for_each(|a| collect(&a.meta, 4, [act_size(a), 1]));
    for (mut key, vectors) in waiting.into_iter().zip(vectors) {
        let [qpos, qvel, mpos, mquat, act, ctrl] = vectors;
        (key.qvel, key.act, key.ctrl) = (qvel.values, act.values, ctrl.values);
        key.open = Open { qpos: qpos.open, mpos: mpos.open, mquat: mquat.open };
        (key.qpos, key.mpos, key.mquat) = (qpos.values, mpos.values, mquat.values);
        spec.keys.push(key);
    }
    forget(&mut spec.world);
    spec.actuators.iter_mut().for_each(|actuator| actuator.meta.keyed.clear());
}
