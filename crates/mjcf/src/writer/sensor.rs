//! Sensors.

use super::Writer;
use super::plugin::ask;
use super::text::{Node, join};
use crate::reader::sensor::{FORMS, Form, attribute};
use crate::schema::{self, attr};
use crate::spec::Sensor;
use sinew_engine::model::enums::{ObjType, SensorType};

impl Writer<'_> {
    pub(super) fn sensor(&self, s: &Sensor) -> Node {
        let form = FORMS.iter().find(|(_, kind, _)| *kind == s.kind);
        let (name, form) = form.map_or(("user", Form::User), |(name, _, form)| (*name, *form));
        let mut node = Node::new(name);
        node.text(attr::NAME, &s.meta.name);
        match form {
            Form::At(objtype) => node.put(attribute(objtype), &s.objname),
            Form::AtWith(objtype, reftype) => {
                node.put(attribute(objtype), &s.objname);
                node.put(attribute(reftype), &s.refname);
            }
            Form::Frame | Form::Plugin => {
                object(&mut node, s);
                // of these elements, only the acceleration ones have no reference
                if !matches!(s.kind, SensorType::Framelinacc | SensorType::Frameangacc) {
                    reference(&mut node, s);
                }
            }
            Form::FrameIn => {
                object(&mut node, s);
                node.put(attr::SITE, &s.refname);
            }
            Form::Between => between(&mut node, s),
            Form::Rangefinder => {
                node.put(if s.objtype == ObjType::Camera { attr::CAMERA } else { attr::SITE }, &s.objname);
                if s.intprm[0] != 1 {
                    node.put(attr::DATA, bits("raydata", s.intprm[0]));
                }
            }
            Form::Contact => contact(&mut node, s),
            Form::Alone => {}
            Form::User => object(&mut node, s),
        }
        ask(&mut node, s.plugin_used());
        if s.kind == SensorType::User {
            node.put(attr::DIM, s.dim.to_string());
        }
        // attributes that the element does not have, or that are already written above
        let outputs = [attr::DATATYPE, attr::NEEDSTAGE, attr::DIM];
        let delay = [attr::NSAMPLE, attr::INTERP, attr::DELAY, attr::INTERVAL];
        let unsaid = match s.kind {
            SensorType::User => [&[attr::DIM], &delay[..]].concat(),
            SensorType::Plugin => [&outputs[..], &delay, &[attr::NOISE]].concat(),
            SensorType::Tactile => [&outputs[..], &[attr::CUTOFF, attr::NOISE]].concat(),
            _ => outputs.to_vec(),
        };
        node.record(s, &Sensor::default(), &unsaid);
        node
    }
}

/// A name is written only together with a type.
fn object(node: &mut Node, s: &Sensor) {
    if !s.objname.is_empty()
        && let Some(word) = schema::word("objtype", s.objtype as i32)
    {
        node.put(attr::OBJTYPE, word);
        node.put(attr::OBJNAME, &s.objname);
    }
}

fn reference(node: &mut Node, s: &Sensor) {
    if !s.refname.is_empty()
        && let Some(word) = schema::word("objtype", s.reftype as i32)
    {
        node.put(attr::REFTYPE, word);
        node.put(attr::REFNAME, &s.refname);
    }
}

fn between(node: &mut Node, s: &Sensor) {
    for (objtype, name, [geom, body]) in
        [(s.objtype, &s.objname, [attr::GEOM1, attr::BODY1]), (s.reftype, &s.refname, [attr::GEOM2, attr::BODY2])]
    {
        node.put(if objtype == ObjType::Geom { geom } else { body }, name);
    }
}

fn contact(node: &mut Node, s: &Sensor) {
    let side = |objtype: ObjType, n: usize| match (objtype, n) {
        (ObjType::Site, _) => Some(attr::SITE),
        (ObjType::Body, 1) => Some(attr::BODY1),
        (ObjType::Body, _) => Some(attr::BODY2),
        (ObjType::Xbody, 1) => Some(attr::SUBTREE1),
        (ObjType::Xbody, _) => Some(attr::SUBTREE2),
        (ObjType::Geom, 1) => Some(attr::GEOM1),
        (ObjType::Geom, _) => Some(attr::GEOM2),
        _ => None,
    };
    for (objtype, name, n) in [(s.objtype, &s.objname, 1), (s.reftype, &s.refname, 2)] {
        if let Some(attribute) = side(objtype, n) {
            node.put(attribute, name);
        }
    }
    let [data, reduce, num] = s.intprm;
    if data != 1 {
        node.put(attr::DATA, bits("condata", data));
    }
    if reduce != 0 {
        node.text(attr::REDUCE, schema::word("reduce", reduce).unwrap_or(""));
    }
    if num != 1 {
        node.put(attr::NUM, num.to_string());
    }
}

/// Keywords of the bits that are set.
fn bits(list: &str, bits: i32) -> String {
    join((0..31).filter(|i| bits & (1 << i) != 0).filter_map(|i| schema::word(list, i)).map(String::from))
}
