//! `compiler`, `option`, `size`, `visual` and `statistic`.

use crate::error::{Error, Result};
use crate::schema::{self, Item, attr};
use crate::spec::field::Record;
use crate::spec::{Spec, SpecSizes};
use crate::xml::Element;
use sinew_engine::model::enums::{DisableFlags, EnableFlags};

/// Reads the sections that a URDF file may embed in a `mujoco` element. Unknown names are ignored there.
pub(crate) fn embedded(element: &Element, spec: &mut Spec) -> Result<()> {
    let root = schema::bind_loose(element)?;
    type Section = fn(&Item, &mut Spec) -> Result<()>;
    let sections: [(&str, Section); 3] = [("compiler", compiler), ("option", option), ("size", size)];
    sections.into_iter().try_for_each(|(name, read)| root.child(name).map_or(Ok(()), |item| read(item, spec)))
}

pub(super) fn compiler(item: &Item, spec: &mut Spec) -> Result<()> {
    let c = &mut spec.compilers[0];
    if item.get::<bool>(attr::COORDINATE) == Some(true) {
        let hint = "convert the model to local coordinates";
        return Err(item.invalid_at(attr::COORDINATE, "global coordinates are no longer part of MJCF").hint(hint));
    }
    if item.has(attr::EULERSEQ) {
        let sequence = item.text(attr::EULERSEQ).as_bytes();
        c.eulerseq = sequence.try_into().map_err(|_| {
            item.invalid_at(attr::EULERSEQ, "eulerseq must have three letters").hint("for example 'xyz' or 'ZYX'")
        })?;
    }
    item.set(attr::ASSETDIR, &mut c.meshdir);
    item.set(attr::ASSETDIR, &mut c.texturedir);
    item.read(c);
    if let Some(item) = item.child("lengthrange") {
        item.read(&mut c.lengthrange);
    }
    Ok(())
}

pub(super) fn option(item: &Item, spec: &mut Spec) -> Result<()> {
    let option = &mut spec.option;
    item.set_fields(option);
    for &group in item.numbers(attr::ACTUATORGROUPDISABLE) {
        if !(0.0..=30.0).contains(&group) {
            return Err(item.invalid_at(attr::ACTUATORGROUPDISABLE, "actuator groups go from 0 to 30"));
        }
        option.disableactuator |= 1 << group as i32;
    }
    let Some(flags) = item.child("flag") else { return Ok(()) };
    for &(name, _, _) in &flags.values {
        let enable: bool = flags.get(name).unwrap_or_default();
        let name = name.name().to_ascii_uppercase();
        if let Some(flag) = DisableFlags::from_name(&name) {
            option.disableflags.set(flag, !enable);
        } else if let Some(flag) = EnableFlags::from_name(&name) {
            option.enableflags.set(flag, enable);
        }
    }
    Ok(())
}

pub(super) fn size(item: &Item, spec: &mut Spec) -> Result<()> {
    let size = &mut spec.size;
    if let Some(bytes) = memory(item)? {
        size.memory = bytes;
    }
    item.read(size);
    if size.nuserdata < 0 {
        return Err(item.invalid_at(attr::NUSERDATA, "nuserdata cannot be negative"));
    }
    for (name, value) in [(attr::NSTACK, size.nstack), (attr::NJMAX, size.njmax)] {
        if item.has(name) && size.memory != -1 && value != -1 {
            return Err(item.invalid_at(name, format!("memory and {name} cannot both be given")));
        }
    }
    let bounded = SpecSizes::FIELDS.iter().filter(|f| f.name.starts_with("nuser_") || f.name == "nconmax");
    match bounded.filter_map(|f| f.attribute).find(|&name| item.numbers(name).iter().any(|&n| n < -1.0)) {
        Some(name) => Err(item.invalid_at(name, format!("{name} must be at least -1"))),
        None => Ok(()),
    }
}

pub(super) fn visual(section: &Item, spec: &mut Spec) -> Result<()> {
    let visual = &mut spec.visual;
    for item in &section.children {
        match item.name {
            "global" => {
                item.set_fields(&mut visual.global);
                if visual.global.realtime <= 0.0 {
                    return Err(item.invalid_at(attr::REALTIME, "realtime must be greater than 0"));
                }
            }
            "quality" => item.set_fields(&mut visual.quality),
            "headlight" => item.set_fields(&mut visual.headlight),
            "map" => {
                item.set_fields(&mut visual.map);
                if visual.map.znear <= 0.0 {
                    return Err(item.invalid_at(attr::ZNEAR, "znear must be greater than 0"));
                }
            }
            "scale" => item.set_fields(&mut visual.scale),
            _ => item.set_fields(&mut visual.rgba),
        }
    }
    Ok(())
}

pub(super) fn statistic(item: &Item, spec: &mut Spec) -> Result<()> {
    let stat = &mut spec.stat;
    item.read(stat);
    if stat.extent.is_some_and(|x| x <= 0.0) {
        return Err(item.invalid_at(attr::EXTENT, "extent must be greater than 0"));
    }
    Ok(())
}

/// `memory`: a byte count with an optional binary suffix; −1 means automatic.
fn memory(item: &Item) -> Result<Option<i64>> {
    if !item.has(attr::MEMORY) {
        return Ok(None);
    }
    let bad = || -> Error {
        let hint = "write a whole number with an optional suffix K, M, G, T, P or E";
        item.invalid_at(attr::MEMORY, "bad memory size").hint(hint)
    };
    let text = item.text(attr::MEMORY).trim();
    if text == "-1" {
        return Ok(None);
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let base: u64 = text[..digits].parse().map_err(|_| bad())?;
    let shift = match &text[digits..] {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        "P" | "p" => 50,
        "E" | "e" => 60,
        _ => return Err(bad()),
    };
    let bytes = base.checked_mul(1 << shift).ok_or_else(bad)?;
    i64::try_from(bytes).map(Some).map_err(|_| bad())
}
