//! Contacts, equalities, tendons, actuators and keyframes.

use super::plugin::ask;
use super::text::{Node, real};
use super::{Writer, named};
use crate::compile::actuator::inherited;
use crate::schema::{Attr, attr};
use crate::spec::{Actuator, Equality, Key, Tendon, Wrap};
use sinew_engine::model::enums::{BiasType, DynType, EqType, GainType, Limited, ObjType, TrnType};

/// Attributes that only the general form of an actuator has.
const GENERAL: [Attr; 6] = [attr::DYNTYPE, attr::GAINTYPE, attr::BIASTYPE, attr::DYNPRM, attr::GAINPRM, attr::BIASPRM];

/// The shortest form of an actuator: a shortcut if there is an equivalent one.
pub(super) fn drive(a: &Actuator, base: &Actuator) -> Node {
    let kp = a.gainprm[0];
    let plain = (a.actdim, a.actearly, a.actrange) == (base.actdim, base.actearly, base.actrange)
        && a.gainprm[1..] == base.gainprm[1..];
    let fixed = plain && a.gaintype == GainType::Fixed;
    let same_dyn = a.dyntype == base.dyntype && a.dynprm == base.dynprm;
    let filter = a.dyntype == DynType::Filterexact && a.dynprm[1..] == base.dynprm[1..] && a.dynprm[0] > 0.0;
    let spring = fixed
        && a.biastype == BiasType::Affine
        && a.biasprm[1] == -kp
        && a.biasprm[0] == base.biasprm[0]
        && a.biasprm[3..] == base.biasprm[3..]
        && free(a);
    let limited = a.actlimited == base.actlimited;
    if fixed && limited && a.biastype == BiasType::None && a.dyntype == DynType::None && kp == 1.0 {
        if a.dynprm == base.dynprm && a.biasprm == base.biasprm {
            return common("motor", a, base);
        }
    } else if spring && limited && (filter || same_dyn) {
        let mut node = position("position", a, base);
        if filter && !same_dyn {
            node.numbers(attr::TIMECONST, &[a.dynprm[0]]);
        }
        return node;
    } else if spring && a.dyntype == DynType::Integrator && a.actlimited == Limited::True && a.dynprm == base.dynprm {
        return position("intvelocity", a, base);
    } else if fixed
        && limited
        && a.biastype == BiasType::Affine
        && a.dyntype == DynType::None
        && a.dynprm == base.dynprm
    {
        let mut damping = [0.0; 10];
        damping[2] = -kp;
        if a.biasprm == damping {
            let mut node = common("velocity", a, base);
            node.numbers(attr::KV, &[kp]);
            return node;
        }
    }
    let mut node = Node::new("general");
    node.record(a, base, &[]);
    node
}

/// Whether a shortcut can be used: shortcuts refuse an explicit range together with an inherited one.
fn free(a: &Actuator) -> bool {
    let zero = [0.0; 2];
    a.inheritrange == 0.0 || (a.ctrlrange == zero && (a.dyntype != DynType::Integrator || a.actrange == zero))
}

fn common(name: &'static str, a: &Actuator, base: &Actuator) -> Node {
    let mut node = Node::new(name);
    let except: Vec<Attr> = GENERAL.iter().chain(&[attr::ACTLIMITED, attr::ACTDIM, attr::ACTEARLY]).copied().collect();
    node.record(a, base, &except);
    node
}

fn position(name: &'static str, a: &Actuator, base: &Actuator) -> Node {
    let mut node = common(name, a, base);
    if a.gainprm[0] != base.gainprm[0] {
        node.numbers(attr::KP, &[a.gainprm[0]]);
    }
    let damping = a.biasprm[2];
    if damping > 0.0 {
        node.numbers(attr::DAMPRATIO, &[damping]);
    } else if damping != base.biasprm[2] {
        node.numbers(attr::KV, &[-damping]);
    }
    if a.inheritrange != base.inheritrange {
        node.numbers(attr::INHERITRANGE, &[a.inheritrange]);
    }
    node
}

impl Writer<'_> {
    pub(super) fn contact(&self) -> Vec<Node> {
        let pairs = self.spec.pairs.iter().map(|pair| {
            let mut node = self.start("pair", &pair.meta);
            node.record(pair, &self.classes().of(self.class(&pair.meta)).pair, &[]);
            node
        });
        let excludes = self.spec.excludes.iter().map(|exclude| {
            let mut node = named("exclude", &exclude.meta);
            // an empty name is a valid reference too
            node.put(attr::BODY1, &exclude.bodyname1);
            node.put(attr::BODY2, &exclude.bodyname2);
            node
        });
        pairs.chain(excludes).collect()
    }

    pub(super) fn equality(&self, e: &Equality) -> Option<Node> {
        let bodies = e.objtype == ObjType::Body;
        let (one, two) = if bodies { (attr::BODY1, attr::BODY2) } else { (attr::SITE1, attr::SITE2) };
        let (element, first, second) = match e.kind {
            EqType::Connect => ("connect", one, Some(two)),
            EqType::Weld => ("weld", one, Some(two)),
            EqType::Joint => ("joint", attr::JOINT1, Some(attr::JOINT2)),
            EqType::Tendon => ("tendon", attr::TENDON1, Some(attr::TENDON2)),
            EqType::Flex => ("flex", attr::FLEX, None),
            EqType::Flexvert => ("flexvert", attr::FLEX, None),
            _ => return None,
        };
        let mut node = self.start(element, &e.meta);
        // an empty name is a valid reference too
        node.put(first, &e.name1);
        if let Some(second) = second {
            node.text(second, &e.name2);
        }
        let polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
        match e.kind {
            EqType::Connect if bodies => node.numbers(attr::ANCHOR, &e.data[..3]),
            EqType::Weld => {
                if bodies && e.data[..3] != [0.0; 3] {
                    node.numbers(attr::ANCHOR, &e.data[..3]);
                }
                if bodies && e.data[3..10] != [0.0; 7] {
                    node.numbers(attr::RELPOSE, &e.data[3..10]);
                }
                if e.data[10] != 1.0 {
                    node.numbers(attr::TORQUESCALE, &e.data[10..]);
                }
            }
            EqType::Joint | EqType::Tendon if e.data[..5] != polynomial => node.numbers(attr::POLYCOEF, &e.data[..5]),
            _ => {}
        }
        node.record(e, &self.classes().of(self.class(&e.meta)).equality, &[]);
        Some(node)
    }

    pub(super) fn tendon(&self, tendon: &Tendon) -> Node {
        let fixed =
            matches!(tendon.path.first(), Some((Wrap::Joint { .. }, _))) || (tendon.path.is_empty() && !tendon.spatial);
        let mut node = self.start(if fixed { "fixed" } else { "spatial" }, &tendon.meta);
        let look: &[Attr] = if fixed { &[attr::WIDTH, attr::MATERIAL, attr::RGBA] } else { &[] };
        node.record(tendon, &self.classes().of(self.class(&tendon.meta)).tendon, look);
        for (wrap, _) in &tendon.path {
            let part = match wrap {
                Wrap::Joint { joint, coef } => {
                    part("joint", &[(attr::JOINT, joint.clone()), (attr::COEF, real(*coef))])
                }
                Wrap::Site { site } => part("site", &[(attr::SITE, site.clone())]),
                Wrap::Geom { geom, sidesite } => {
                    let mut node = part("geom", &[(attr::GEOM, geom.clone())]);
                    node.text(attr::SIDESITE, sidesite);
                    node
                }
                Wrap::Pulley { divisor } => part("pulley", &[(attr::DIVISOR, real(*divisor))]),
            };
            node.children.push(part);
        }
        node
    }

    /// The element of an actuator without its target.
    fn form(&self, a: &Actuator) -> Node {
        let base = &self.classes().of(self.class(&a.meta)).actuator;
        let mut a = a.clone();
        if let Some(range) = inherited(&mut a) {
            *range = [0.0; 2];
        }
        if a.trntype != TrnType::Slidercrank {
            a.cranklength = base.cranklength;
        }
        let mut rest = drive(&a, base);
        if a.plugin.is_some() {
            rest = Node::new("plugin");
            rest.record(&a, base, &[attr::GAINTYPE, attr::BIASTYPE, attr::GAINPRM, attr::BIASPRM]);
        } else if a.trntype == TrnType::Body && !rest.is("general") {
            // only the general form can act on bodies
            rest = Node::new("general");
            rest.record(&a, base, &[]);
        }
        rest
    }

    /// Actuators that inherit a range but cannot be written as a shortcut: the compiled range must be written instead.
    pub(super) fn heirs(&self) -> Vec<usize> {
        let shortcut = |form: Node| form.is("position") || form.is("intvelocity");
        let heir = |a: &Actuator| inherited(&mut a.clone()).is_some() && !shortcut(self.form(a));
        let all = self.spec.actuators.iter().enumerate();
        all.filter(|(_, a)| heir(a)).map(|(i, _)| i).collect()
    }

    pub(super) fn actuator(&self, a: &Actuator) -> Node {
        let rest = self.form(a);
        let mut node = rest.like();
        node.text(attr::NAME, &a.meta.name);
        node.text(attr::CLASS, self.class(&a.meta));
        let target = match a.trntype {
            TrnType::Joint => Some(attr::JOINT),
            TrnType::Jointinparent => Some(attr::JOINTINPARENT),
            TrnType::Tendon => Some(attr::TENDON),
            TrnType::Slidercrank => Some(attr::CRANKSITE),
            TrnType::Site => Some(attr::SITE),
            TrnType::Body => Some(attr::BODY),
            _ => None,
        };
        if let Some(target) = target {
            node.put(target, &a.target);
        }
        match a.trntype {
            TrnType::Slidercrank => node.text(attr::SLIDERSITE, &a.slidersite),
            TrnType::Site if a.plugin.is_none() => node.text(attr::REFSITE, &a.refsite),
            _ => {}
        }
        node.absorb(rest);
        ask(&mut node, a.plugin.as_ref());
        node
    }

    pub(super) fn keys(&self) -> Vec<Node> {
        let key = |key: &Key| {
            let mut node = named("key", &key.meta);
            node.record(key, &Key::default(), &[]);
            node
        };
        self.spec.keys.iter().map(key).collect()
    }
}

/// An element of a tendon's path. An empty name is a valid reference too.
fn part(kind: &'static str, attributes: &[(Attr, String)]) -> Node {
    let mut node = Node::new(kind);
    attributes.iter().for_each(|(attribute, text)| node.put(*attribute, text));
    node
}
