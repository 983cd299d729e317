//! Bodies, frames and their contents.

use super::Writer;
use super::plugin::ask;
use super::text::{Node, join};
use crate::compile::frames;
use crate::compile::shared::is_limited;
use crate::schema::{self, Attr, attr};
use crate::spec::class::Defaults;
use crate::spec::field::{Element, Record, Slot, Value};
use crate::spec::{Body, Camera, Frame, Geom, Joint, Meta, Orientation, Site, Spec};
use sinew_engine::model::enums::{AlignFree, JointType};
use std::f64::consts::PI;

/// Attributes for orientations, by the code of the form.
const FORMS: [Attr; 5] = [attr::QUAT, attr::AXISANGLE, attr::XYAXES, attr::ZAXIS, attr::EULER];
/// Number of kinds of elements in a body.
const KINDS: usize = 6;

/// Writes an orientation if it differs from the default.
fn orientation(node: &mut Node, (quat, alt): (&[f64; 4], &Orientation), base: (&[f64; 4], &Orientation)) {
    let form = match alt.value() {
        Value::Numbers(numbers) if numbers.len() > 1 => Some(numbers),
        _ => None,
    };
    match form {
        Some(numbers) if alt != base.1 => node.numbers(FORMS[numbers[0] as usize], &numbers[1..]),
        None if quat != base.0 => node.numbers(attr::QUAT, quat),
        _ => {}
    }
}

pub(super) fn geom(geom: &Geom, base: &Geom) -> Node {
    let mut node = Node::new("geom");
    node.record(geom, base, &[attr::QUAT]);
    orientation(&mut node, (&geom.quat, &geom.alt), (&base.quat, &base.alt));
    ask(&mut node, geom.plugin.as_ref());
    node
}

pub(super) fn site(site: &Site, base: &Site) -> Node {
    let mut node = Node::new("site");
    node.record(site, base, &[attr::QUAT]);
    orientation(&mut node, (&site.quat, &site.alt), (&base.quat, &base.alt));
    node
}

pub(super) fn camera(camera: &Camera, base: &Camera) -> Node {
    let mut node = Node::new("camera");
    // user values of a class are not inherited
    let base = Camera { userdata: Vec::new(), ..base.clone() };
    // files contain only one of these: a sensor size, if positive, replaces the field of view
    let both = camera.sensor_size != base.sensor_size && camera.fovy != base.fovy;
    let unsaid = match camera.sensor_size.iter().all(|&x| x > 0.0) {
        _ if !both => attr::QUAT,
        true => attr::FOVY,
        false => attr::SENSORSIZE,
    };
    node.record(camera, &base, &[attr::QUAT, unsaid]);
    orientation(&mut node, (&camera.quat, &camera.alt), (&base.quat, &base.alt));
    if camera.output != base.output {
        let words = (0..31).map(|i| 1 << i).filter(|bit| camera.output & bit != 0);
        node.put(attr::OUTPUT, join(words.filter_map(|bit| schema::word("camout", bit)).map(String::from)));
    }
    node
}

impl Writer<'_> {
    /// Converts an orientation given in the units of another file.
    fn convert(&self, quat: &mut [f64; 4], alt: &mut Orientation, meta: &Meta) {
        let Some(from) = self.spec.compilers.get(meta.compiler) else { return };
        // the same operations as in the compiler
        let radian = |angle: f64| if from.degree != self.degree { angle / 180.0 * PI } else { angle };
        match alt {
            Orientation::AxisAngle(axis) => axis[3] = radian(axis[3]),
            Orientation::Euler(angles) if from.eulerseq == self.main.eulerseq => *angles = angles.map(radian),
            Orientation::Euler(_) => {
                if let Ok(turn) = frames::orientation(*quat, alt, from) {
                    (*quat, *alt) = (turn, Orientation::Quat);
                }
            }
            _ => {}
        }
    }

    /// A copy in the units of the file being written.
    fn native<E: Element>(&self, e: &E, pose: impl Fn(&mut E) -> (&mut [f64; 4], &mut Orientation)) -> E {
        let mut e = e.clone();
        let meta = e.meta().clone();
        let (quat, alt) = pose(&mut e);
        self.convert(quat, alt, &meta);
        e
    }

    /// Starts an element of the tree, with its name, and its class if that differs from the inherited one.
    fn named<E: Element>(&self, element: &E, around: &str, rest: impl Fn(&Defaults) -> Node) -> Node {
        let class = self.class(element.meta());
        let rest = rest(self.classes().of(class));
        let mut out = rest.like();
        out.text(attr::NAME, &element.meta().name);
        if class != around {
            out.put(attr::CLASS, if class.is_empty() { "main" } else { class });
        }
        out.absorb(rest);
        out
    }

    fn joint(&self, body: &Body, i: usize, around: &str) -> Node {
        let mut joint = body.joints[i].clone();
        if self.spec.compilers.get(joint.meta.compiler).is_some_and(|from| from.degree != self.degree) {
            let factor = PI / 180.0;
            // a range without effect has no units
            if matches!(joint.kind, JointType::Hinge | JointType::Ball) && is_limited(joint.limited, joint.range) {
                joint.range = joint.range.map(|x| x * factor);
            }
            if joint.kind == JointType::Hinge {
                joint.ref_ *= factor;
                joint.springref *= factor;
            }
        }
        if is_freejoint(&joint) {
            if aligned(self.spec, body, &joint) != self.alignfree && joint.align == AlignFree::Auto {
                joint.align = if self.alignfree { AlignFree::False } else { AlignFree::True };
            }
            let mut node = Node::new("freejoint");
            node.text(attr::NAME, &joint.meta.name);
            let base = Joint::default();
            node.record(&joint, &base, &[attr::TYPE]);
            if joint.align != base.align {
                node.text(attr::ALIGN, schema::word("align", joint.align as i32).unwrap_or(""));
            }
            return node;
        }
        self.named(&joint, around, |class| {
            let mut node = Node::new("joint");
            node.record(&joint, &class.joint, &[]);
            node
        })
    }

    fn inertial(body: &Body) -> Option<Node> {
        if !body.explicitinertial && body.ipos.is_none() {
            return None;
        }
        let mut node = Node::new("inertial");
        // NaN means that the inertial frame is the body frame
        node.numbers(attr::POS, &body.ipos.unwrap_or([f64::NAN; 3]));
        if body.fullinertia.is_none() {
            orientation(&mut node, (&body.iquat, &body.ialt), (&[1.0, 0.0, 0.0, 0.0], &Orientation::Quat));
        }
        node.numbers(attr::MASS, &[body.mass]);
        match body.fullinertia {
            Some(full) => node.numbers(attr::FULLINERTIA, &full),
            None if body.inertia != [0.0; 3] => node.numbers(attr::DIAGINERTIA, &body.inertia),
            None => {}
        }
        Some(node)
    }

    fn body(&self, body: &Body, around: &str) -> Node {
        let mut copy = Body { frames: Vec::new(), ..shallow(body) };
        self.convert(&mut copy.quat, &mut copy.alt, &body.meta);
        self.convert(&mut copy.iquat, &mut copy.ialt, &body.meta);
        let inside = self.inside(&body.meta, &body.childclass, around);
        let base = Body::default();
        let mut node = Node::new("body");
        node.text(attr::NAME, &body.meta.name);
        if inside != around {
            node.put(attr::CHILDCLASS, if inside.is_empty() { "main" } else { inside });
        }
        node.record(&copy, &base, &[attr::QUAT, attr::CHILDCLASS]);
        orientation(&mut node, (&copy.quat, &copy.alt), (&base.quat, &base.alt));
        node.children.extend(Self::inertial(&copy));
        ask(&mut node, body.plugin.as_ref());
        node.children.extend(self.contents(body, inside));
        node
    }

    /// The default class inside a body or frame.
    fn inside<'m>(&self, meta: &'m Meta, childclass: &'m str, around: &'m str) -> &'m str {
        match self.classes().find(childclass) {
            Some(id) if id > 0 => childclass,
            Some(_) if !childclass.is_empty() => "",
            _ => match self.class(meta) {
                "" => around,
                class => class,
            },
        }
    }

    /// Everything in a body, in an order that preserves the order of each kind when read back.
    pub(super) fn contents(&self, body: &Body, around: &str) -> Vec<Node> {
        let all = [body.joints.len(), body.geoms.len(), body.sites.len(), body.cameras.len(), body.lights.len()];
        let mut members: [Vec<usize>; KINDS] = Default::default();
        for (list, n) in members.iter_mut().zip(all.into_iter().chain([body.bodies.len()])) {
            list.extend(0..n);
        }
        let mut named = vec![false; body.frames.len()];
        self.level(body, None, around, members, &mut named)
    }

    /// The elements directly in a frame of a body, or in the body itself; `members` are all elements below.
    fn level(
        &self,
        body: &Body,
        frame: Option<usize>,
        around: &str,
        members: [Vec<usize>; KINDS],
        named: &mut [bool],
    ) -> Vec<Node> {
        let owner = |kind: usize, i: usize| child_frame(body, frame, frame_of(body, kind, i));
        let mut rest = members.map(std::collections::VecDeque::from);
        let mut out = Vec::new();
        let mut empty: Vec<usize> = (0..body.frames.len()).filter(|&f| body.frames[f].parent == frame).collect();
        loop {
            for (kind, list) in rest.iter_mut().enumerate() {
                while let Some(&i) = list.front().filter(|&&i| owner(kind, i).is_none()) {
                    out.push(self.element(body, kind, i, around));
                    list.pop_front();
                }
            }
            // a frame can be written in one piece if its elements come next in every kind that it contains
            let next = |kind: usize| rest[kind].front().and_then(|&i| owner(kind, i));
            let whole =
                |f: usize| (0..KINDS).all(|k| next(k) == Some(f) || rest[k].iter().all(|&i| owner(k, i) != Some(f)));
            let waiting: Vec<usize> = (0..KINDS).filter_map(next).collect();
            let Some(&f) = waiting.iter().find(|&&f| whole(f)).or(waiting.first()) else { break };
            let parts: [Vec<usize>; KINDS] = std::array::from_fn(|kind| {
                let n = rest[kind].iter().take_while(|&&i| owner(kind, i) == Some(f)).count();
                rest[kind].drain(..n).collect()
            });
            empty.retain(|&e| e != f);
            out.push(self.frame(body, f, around, parts, named));
        }
        // frames without elements may be attachment points
        out.extend(
            empty
                .into_iter()
                .filter(|&f| !body.frames[f].meta.name.is_empty())
                .map(|f| self.frame(body, f, around, Default::default(), named))
                .collect::<Vec<_>>(),
        );
        out
    }

    fn frame(&self, body: &Body, f: usize, around: &str, parts: [Vec<usize>; KINDS], named: &mut [bool]) -> Node {
        let frame = self.native(&body.frames[f], |f: &mut Frame| (&mut f.quat, &mut f.alt));
        let inside = self.inside(&frame.meta, &frame.childclass, around).to_string();
        let base = Frame::default();
        let mut node = Node::new("frame");
        // a frame written in several pieces has its name only once
        if !std::mem::replace(&mut named[f], true) {
            node.text(attr::NAME, &frame.meta.name);
        }
        if inside != around {
            node.put(attr::CHILDCLASS, if inside.is_empty() { "main" } else { &inside });
        }
        node.record(&frame, &base, &[attr::QUAT, attr::CHILDCLASS]);
        orientation(&mut node, (&frame.quat, &frame.alt), (&base.quat, &base.alt));
        node.children = self.level(body, Some(f), &inside, parts, named);
        node
    }

    fn element(&self, body: &Body, kind: usize, i: usize, around: &str) -> Node {
        match kind {
            0 => self.joint(body, i, around),
            1 => {
                let e = self.native(&body.geoms[i], |e: &mut Geom| (&mut e.quat, &mut e.alt));
                self.named(&e, around, |class| geom(&e, &class.geom))
            }
            2 => {
                let e = self.native(&body.sites[i], |e: &mut Site| (&mut e.quat, &mut e.alt));
                self.named(&e, around, |class| site(&e, &class.site))
            }
            3 => {
                let e = self.native(&body.cameras[i], |e: &mut Camera| (&mut e.quat, &mut e.alt));
                self.named(&e, around, |class| camera(&e, &class.camera))
            }
            4 => self.named(&body.lights[i], around, |class| {
                let mut node = Node::new("light");
                node.record(&body.lights[i], &class.light, &[]);
                node
            }),
            _ => self.body(&body.bodies[i], around),
        }
    }
}

/// Whether a `freejoint` can express the joint.
fn is_freejoint(joint: &Joint) -> bool {
    let (meta, frame, group, align) = (joint.meta.clone(), joint.frame, joint.group, joint.align);
    *joint == Joint { meta, frame, group, align, kind: JointType::Free, ..Joint::default() }
}

fn aligned(spec: &Spec, body: &Body, joint: &Joint) -> bool {
    match joint.align {
        AlignFree::Auto => spec.compilers.get(body.meta.compiler).is_some_and(|c| c.alignfree),
        align => align == AlignFree::True,
    }
}

/// The `alignfree` setting of the file; it applies to free joints not written as `freejoint`, the only element with
/// `align`.
pub(super) fn alignfree(spec: &Spec) -> bool {
    let main = spec.compilers[0].alignfree;
    let (mut any, mut all) = (false, true);
    spec.world.each(&mut |body| {
        let alone = body.joints.first().filter(|_| body.joints.len() == 1 && body.bodies.is_empty());
        if let Some(joint) = alone.filter(|j| j.kind == JointType::Free && !is_freejoint(j)) {
            any = true;
            all &= aligned(spec, body, joint) != main;
        }
    });
    main != (any && all)
}

/// A copy of a body without what it owns.
fn shallow(body: &Body) -> Body {
    let mut copy = Body { meta: body.meta.clone(), ..Body::default() };
    for i in 0..Body::FIELDS.len() {
        if let Some(slot) = copy.slot(i) {
            slot.fill(&body.value(i));
        }
    }
    copy
}

fn frame_of(body: &Body, kind: usize, i: usize) -> Option<usize> {
    match kind {
        0 => body.joints[i].frame,
        1 => body.geoms[i].frame,
        2 => body.sites[i].frame,
        3 => body.cameras[i].frame,
        4 => body.lights[i].frame,
        _ => body.bodies[i].frame,
    }
}

/// The child frame of `outer` that contains `inner`; `None` when they are the same.
fn child_frame(body: &Body, outer: Option<usize>, inner: Option<usize>) -> Option<usize> {
    let mut at = inner;
    // bounded by the number of frames: a frame inside itself is reported by the compiler
    for _ in 0..body.frames.len() {
        let here = at?;
        let parent = body.frames[here].parent;
        if at == outer {
            return None;
        }
        if parent == outer {
            return Some(here);
        }
        at = parent;
    }
    None
}
