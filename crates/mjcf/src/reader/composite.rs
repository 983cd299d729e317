//! The `composite` element.

use super::Reader;
use super::body::Place;
use super::element;
use crate::error::{ErrorKind, Result};
use crate::numbers;
use crate::schema::{Item, attr};
use crate::spec::composite::Curve;
use crate::spec::{Composite, Joint};

impl Reader<'_, '_> {
    pub(super) fn composite(&mut self, item: &Item, place: Place) -> Result<()> {
        let mut composite = Composite { meta: self.tree_meta(item, place.class), ..Composite::default() };
        item.read(&mut composite);
        composite.kind = KINDS[item.codes(attr::TYPE).first().map_or(0, |&code| code as usize)].into();
        composite.plugin = self.shared_plugin(item, format!("composite{}", composite.prefix))?;
        composite.curve = curve(item)?;
        for child in &item.children {
            match child.name {
                "skin" => skin(child, &mut composite)?,
                "geom" => element::geom(child, &mut composite.geom)?,
                "site" => element::site(child, &mut composite.site)?,
                "joint" => joint(child, &mut composite),
                _ => {}
            }
        }
        if item.children.iter().filter(|child| child.name == "joint").count() > 1 {
            return Err(item.invalid("a cable has one kind of joint").hint("keep one 'joint' element"));
        }
        composite.make(&mut self.spec, &self.path, place.frame).map_err(|e| e.at(item.loc).element(item.name))
    }
}

/// Kinds of composite, in the order of their codes.
const KINDS: [&str; 6] = ["particle", "grid", "rope", "loop", "cable", "cloth"];

/// Up to three shapes. As in MuJoCo, a blank after the last one repeats it.
fn curve(item: &Item) -> Result<[Curve; 3]> {
    let text = item.text(attr::CURVE);
    let mut words: Vec<&str> = numbers::words(text).collect();
    if text.ends_with(|c: char| c.is_ascii_whitespace()) {
        words.extend(words.last().copied());
    }
    if words.len() > 3 {
        return Err(item.invalid_at(attr::CURVE, "a curve has at most three components"));
    }
    let mut curve = [Curve::Zero; 3];
    for (slot, word) in curve.iter_mut().zip(words) {
        *slot = match word {
            "s" => Curve::Line,
            "cos(s)" => Curve::Cos,
            "sin(s)" => Curve::Sin,
            "0" => Curve::Zero,
            _ => {
                let kind = ErrorKind::BadKeyword { got: word.into(), expected: "s, cos(s), sin(s), 0".into() };
                return Err(item.error(kind).attribute(attr::CURVE));
            }
        };
    }
    Ok(curve)
}

fn skin(item: &Item, composite: &mut Composite) -> Result<()> {
    item.read(&mut composite.skin);
    if (0..6).contains(&composite.skin.group) {
        Ok(())
    } else {
        Err(item.invalid_at(attr::GROUP, "skin groups go from 0 to 5"))
    }
}

/// As in MuJoCo, `type` and `limited` have no effect, nor do the parameters of a fix constraint that is never made.
fn joint(item: &Item, composite: &mut Composite) {
    let Joint { kind, limited, .. } = composite.joint;
    item.read(&mut composite.joint);
    (composite.joint.kind, composite.joint.limited) = (kind, limited);
}
