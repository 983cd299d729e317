//! `contact`, `equality` and `tendon`.

use super::Reader;
use crate::error::Result;
use crate::schema::Item;
use crate::spec::{Equality, Exclude, Pair, Tendon, Wrap};
use sinew_engine::model::enums::{EqType, ObjType};

impl Reader<'_, '_> {
    pub(super) fn contact(&mut self, item: &Item) -> Result<()> {
        let meta = self.meta(item);
        if item.name == "pair" {
            let class = self.class_of(item, "class", 0)?;
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
        let class = self.class_of(item, "class", 0)?;
        let mut out = Equality { meta: self.meta(item), ..self.spec.classes[class].defaults().equality.clone() };
        match item.name {
            "connect" => connect(item, &mut out)?,
            "weld" => weld(item, &mut out)?,
            "joint" => coupling(item, &mut out, EqType::Joint, ObjType::Joint),
            "tendon" => coupling(item, &mut out, EqType::Tendon, ObjType::Tendon),
            _ => Self::flex_equality(item, &mut out),
        }
        item.read(&mut out);
        self.spec.equalities.push(out);
        Ok(())
    }

    pub(super) fn tendon(&mut self, item: &Item) -> Result<()> {
        let class = self.class_of(item, "class", 0)?;
        let mut out = Tendon { meta: self.meta(item), ..self.spec.classes[class].defaults().tendon.clone() };
        out.spatial = item.name == "spatial";
        tendon(item, &mut out);
        out.path = item.children.iter().map(|part| (wrap(part), part.loc)).collect();
        self.spec.tendons.push(out);
        Ok(())
    }
}

/// Two bodies or two sites, not a mixture.
fn ends(item: &Item, out: &mut Equality, body_attributes: &[&str], bodies: bool) -> Result<()> {
    let any = |names: &[&str]| names.iter().any(|name| item.has(name));
    if any(&["site1", "site2"]) && any(body_attributes) {
        return Err(item.invalid("bodies and sites cannot be mixed").hint("give either bodies or two sites"));
    }
    let sites = item.has("site1") && item.has("site2");
    if sites == bodies {
        let body_words = if out.kind == EqType::Connect { "body1 and anchor" } else { "body1" };
        return Err(item.invalid(format!("either {body_words} or both site1 and site2 must be given")));
    }
    let (objtype, first, second) =
        if sites { (ObjType::Site, "site1", "site2") } else { (ObjType::Body, "body1", "body2") };
    out.objtype = objtype;
    item.set(first, &mut out.name1);
    item.set(second, &mut out.name2);
    Ok(())
}

fn connect(item: &Item, out: &mut Equality) -> Result<()> {
    out.kind = EqType::Connect;
    item.set("anchor", &mut out.data);
    ends(item, out, &["body1", "body2", "anchor"], item.has("body1") && item.has("anchor"))
}

fn weld(item: &Item, out: &mut Equality) -> Result<()> {
    out.kind = EqType::Weld;
    ends(item, out, &["body1", "body2", "anchor", "relpose"], item.has("body1"))?;
    if out.objtype == ObjType::Body {
        out.data[..3].fill(0.0);
    }
    item.set("anchor", &mut out.data);
    out.data[3..].iter_mut().zip(item.numbers("relpose")).for_each(|(slot, &x)| *slot = x);
    item.set("torquescale", &mut out.data[10]);
    Ok(())
}

fn coupling(item: &Item, out: &mut Equality, kind: EqType, objtype: ObjType) {
    out.kind = kind;
    out.objtype = objtype;
    item.set(&format!("{}1", item.name), &mut out.name1);
    item.set(&format!("{}2", item.name), &mut out.name2);
    item.set("polycoef", &mut out.data);
}

pub(super) fn tendon(item: &Item, tendon: &mut Tendon) {
    item.read(tendon);
    if let [single] = item.numbers("springlength") {
        tendon.springlength = [*single; 2];
    }
}

fn wrap(item: &Item) -> Wrap {
    let name = || item.text(item.name).to_string();
    match item.name {
        "site" => Wrap::Site { site: name() },
        "geom" => Wrap::Geom { geom: name(), sidesite: item.text("sidesite").into() },
        "joint" => Wrap::Joint { joint: name(), coef: item.get("coef").unwrap_or_default() },
        _ => Wrap::Pulley { divisor: item.get("divisor").unwrap_or_default() },
    }
}
