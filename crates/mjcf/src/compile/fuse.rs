//! Merges bodies that cannot move into their parents.

use super::flat::Flat;
use super::frames::Pose;
use super::inertia;
use crate::error::Result;
use crate::spec::Spec;
use sinew_engine::model::enums::{ObjType, SensorType, TrnType};
use sinew_math::MINVAL;
use sinew_math::order::by_key;
use std::collections::HashSet;

/// Names of bodies that other elements refer to; such bodies stay.
fn referenced(spec: &Spec, flat: &Flat) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut keep = |name: &str| {
        if !name.is_empty() {
            names.insert(name.to_string());
        }
    };
    flat.cameras.iter().for_each(|c| keep(&c.spec.targetbody));
    flat.lights.iter().for_each(|l| keep(&l.spec.targetbody));
    spec.skins.iter().flat_map(|s| &s.bones).for_each(|b| keep(&b.body));
    spec.flexes.iter().flat_map(|f| f.vertbody.iter().chain(&f.nodebody)).for_each(|n| keep(n));
    spec.excludes.iter().flat_map(|e| [&e.bodyname1, &e.bodyname2]).for_each(|n| keep(n));
    let is_body = |obj: ObjType| matches!(obj, ObjType::Body | ObjType::Xbody);
    spec.equalities.iter().filter(|e| is_body(e.objtype)).flat_map(|e| [&e.name1, &e.name2]).for_each(|n| keep(n));
    spec.actuators.iter().filter(|a| a.trntype == TrnType::Body).for_each(|a| keep(&a.target));
    for s in &spec.sensors {
        if is_body(s.objtype) {
            keep(&s.objname);
        }
        if is_body(s.reftype) {
            keep(&s.refname);
        }
    }
    spec.tuples.iter().flat_map(|t| t.objects()).filter(|o| is_body(o.0)).for_each(|o| keep(o.1));
    // force and torque sensors measure across the weld between their site's body and its parent
    let sensed: HashSet<&str> = spec
        .sensors
        .iter()
        .filter(|s| s.objtype == ObjType::Site && matches!(s.kind, SensorType::Force | SensorType::Torque))
        .map(|s| s.objname.as_str())
        .collect();
    let carriers = flat.sites.iter().filter(|s| sensed.contains(s.spec.meta.name.as_str()));
    carriers.for_each(|s| keep(&flat.bodies[s.body].spec.meta.name));
    names
}

/// Merges every body without joints into its parent, unless it is a mocap body or an element refers to it. Geoms,
/// sites, cameras and lights move to the parent; so do mass and inertia, unless the parent is the world.
pub(crate) fn fuse(spec: &Spec, flat: &mut Flat) -> Result<()> {
    let keep = referenced(spec, flat);
    let nbody = flat.bodies.len();
    // the body that receives the elements of each body, and the pose of the merged body in it
    let mut target: Vec<usize> = (0..nbody).collect();
    let mut pose = vec![Pose::IDENTITY; nbody];
    for i in 1..nbody {
        let (before, rest) = flat.bodies.split_at_mut(i);
        let body = &mut rest[0];
        let parent = body.parent;
        body.parent = target[parent];
        if body.parent != parent {
            let placed = pose[parent].then(&Pose::new(body.spec.pos, body.spec.quat));
            (body.spec.pos, body.spec.quat) = (placed.pos, placed.quat);
        }
        if !body.joints.is_empty() || body.spec.mocap || keep.contains(&body.spec.meta.name) {
            continue;
        }
        if body.parent != 0 && body.spec.mass >= MINVAL {
            let place = |e: crate::Error| e.at(body.spec.meta.loc).element("body");
            inertia::absorb(&mut before[body.parent].spec, &body.spec).map_err(place)?;
        }
        target[i] = body.parent;
        pose[i] = Pose::new(body.spec.pos, body.spec.quat);
    }
    // new ids of the bodies that stay
    let mut ids = vec![0; nbody];
    let mut next = 0;
    for i in 0..nbody {
        ids[i] = if target[i] == i { next } else { ids[target[i]] };
        next += usize::from(target[i] == i);
    }
    let mut index = 0..;
    flat.bodies.retain(|_| index.next().is_some_and(|i| target[i] == i));
    flat.bodies.iter_mut().for_each(|b| b.parent = ids[b.parent]);
    flat.joints.iter_mut().for_each(|j| j.body = ids[j.body]);
    let carry = |body: &mut usize, pos: &mut [f64; 3], quat: &mut [f64; 4]| {
        if target[*body] != *body {
            let placed = pose[*body].then(&Pose::new(*pos, *quat));
            (*pos, *quat) = (placed.pos, placed.quat);
        }
        *body = ids[*body];
    };
    flat.geoms.iter_mut().for_each(|g| carry(&mut g.body, &mut g.spec.pos, &mut g.spec.quat));
    flat.sites.iter_mut().for_each(|s| carry(&mut s.body, &mut s.spec.pos, &mut s.spec.quat));
    flat.cameras.iter_mut().for_each(|c| carry(&mut c.body, &mut c.spec.pos, &mut c.spec.quat));
    for l in &mut flat.lights {
        let turn = pose[l.body].quat;
        carry(&mut l.body, &mut l.spec.pos, &mut { sinew_math::quat::IDENTITY });
        l.spec.dir = sinew_math::quat::rotate(turn, l.spec.dir);
    }
    by_key(&mut flat.geoms, |g| g.body as u64);
    by_key(&mut flat.sites, |s| s.body as u64);
    by_key(&mut flat.cameras, |c| c.body as u64);
    by_key(&mut flat.lights, |l| l.body as u64);
    Ok(())
}
