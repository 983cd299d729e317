//! `contact`, `equality` and `tendon`.

use super::Reader;
use crate::error::Result;
use crate::schema::{Attr, Item, attr};
use crate::spec::{Equality, Exclude, Pair, Tendon, Wrap};
use sinew_engine::model::enums::{EqType, ObjType};

impl Reader<'_, '_> {
    pub(super) fn contact(&mut self, item: &Item) -> Result<()> {
        let meta = self.meta(item);
        if item.name == "pair" {
            let class = self.class_of(item, attr::CLASS, 0)?;
            let mut out = Pair { meta, ..self.spec.classes[class].defaults().pair.clone() };
            item.read(&mut out);
            self.spec.pairs.push(out);
        } else {
            let mut out = Exclude { meta, ..Exclude::default() };
            item.read(&mut out);
            self.spec.excludes.push(out);
        }
        Ok(())
    }

    pub(super) fn equality(&mut self, item: &Item) -> Result<()> {
        let class = self.class_of(item, attr::CLASS, 0)?;
        let mut out = Equality { meta: self.meta(item), ..self.spec.classes[class].defaults().equality.clone() };
        match item.name {
            "connect" => connect(item, &mut out)?,
            "weld" => weld(item, &mut out)?,
            "joint" => coupling(item, &mut out, EqType::Joint, [attr::JOINT1, attr::JOINT2]),
            "tendon" => coupling(item, &mut out, EqType::Tendon, [attr::TENDON1, attr::TENDON2]),
            _ => Self::flex_equality(item, &mut out),
        }
        item.read(&mut out);
        self.spec.equalities.push(out);
        Ok(())
    }

    pub(super) fn tendon(&mut self, item: &Item) -> Result<()> {
        let class = self.class_of(item, attr::CLASS, 0)?;
        let mut out = Tendon { meta: self.meta(item), ..self.spec.classes[class].defaults().tendon.clone() };
        out.spatial = item.name == "spatial";
        tendon(item, &mut out);
        out.path = item.children.iter().map(|part| (wrap(part), part.loc)).collect();
        self.spec.tendons.push(out);
        Ok(())
    }
}

/// Reads two bodies or two sites, not a mixture.
fn ends(item: &Item, out: &mut Equality, body_attributes: &[Attr], bodies: bool) -> Result<()> {
    let any = |names: &[Attr]| names.iter().any(|&name| item.has(name));
    if any(&[attr::SITE1, attr::SITE2]) && any(body_attributes) {
        return Err(item.invalid("bodies and sites cannot be mixed").hint("give either bodies or two sites"));
    }
    let sites = item.has(attr::SITE1) && item.has(attr::SITE2);
    if sites == bodies {
        let body_words = if out.kind == EqType::Connect { "body1 and anchor" } else { "body1" };
        return Err(item.invalid(format!("either {body_words} or both site1 and site2 must be given")));
    }
    let (objtype, first, second) =
        if sites { (ObjType::Site, attr::SITE1, attr::SITE2) } else { (ObjType::Body, attr::BODY1, attr::BODY2) };
    out.objtype = objtype;
    item.set(first, &mut out.name1);
    item.set(second, &mut out.name2);
    Ok(())
}

fn connect(item: &Item, out: &mut Equality) -> Result<()> {
    out.kind = EqType::Connect;
    item.set(attr::ANCHOR, &mut out.data);
    ends(item, out, &[attr::BODY1, attr::BODY2, attr::ANCHOR], item.has(attr::BODY1) && item.has(attr::ANCHOR))
}

fn weld(item: &Item, out: &mut Equality) -> Result<()> {
    out.kind = EqType::Weld;
    ends(item, out, &[attr::BODY1, attr::BODY2, attr::ANCHOR, attr::RELPOSE], item.has(attr::BODY1))?;
    if out.objtype == ObjType::Body {
        out.data[..3].fill(0.0);
    }
    item.set(attr::ANCHOR, &mut out.data);
    out.data[3..].iter_mut().zip(item.numbers(attr::RELPOSE)).for_each(|(slot, &x)| *slot = x);
    item.set(attr::TORQUESCALE, &mut out.data[10]);
    Ok(())
}

fn coupling(item: &Item, out: &mut Equality, kind: EqType, [first, second]: [Attr; 2]) {
    out.kind = kind;
    out.objtype = if kind == EqType::Joint { ObjType::Joint } else { ObjType::Tendon };
    item.set(first, &mut out.name1);
    item.set(second, &mut out.name2);
    item.set(attr::POLYCOEF, &mut out.data);
}

pub(super) fn tendon(item: &Item, tendon: &mut Tendon) {
    item.read(tendon);
    if let [single] = item.numbers(attr::SPRINGLENGTH) {
        tendon.springlength = [*single; 2];
    }
}

fn wrap(item: &Item) -> Wrap {
    match item.name {
        "site" => Wrap::Site { site: item.text(attr::SITE).into() },
        "geom" => Wrap::Geom { geom: item.text(attr::GEOM).into(), sidesite: item.text(attr::SIDESITE).into() },
        "joint" => Wrap::Joint { joint: item.text(attr::JOINT).into(), coef: item.get(attr::COEF).unwrap_or_default() },
        _ => Wrap::Pulley { divisor: item.get(attr::DIVISOR).unwrap_or_default() },
    }
}
