//! `custom` and `keyframe`.

use super::Reader;
use crate::error::{ErrorKind, Result};
use crate::schema::Item;
use crate::spec::{Key, Meta, Numeric, Text, Tuple, TupleEntry};
use sinew_engine::model::enums::ObjType;

/// Custom number arrays are at most this long, as in MuJoCo.
const MAX_NUMERIC: usize = 500;

impl Reader<'_, '_> {
    pub(super) fn custom(&mut self, item: &Item) -> Result<()> {
        let meta = self.meta(item);
        match item.name {
            "numeric" => self.spec.numerics.push(numeric(item, meta)?),
            "text" if item.text("data").is_empty() => return Err(item.invalid_at("data", "a text cannot be empty")),
            "text" => self.spec.texts.push(Text { meta, data: item.text("data").into() }),
            _ => self.spec.tuples.push(Tuple { meta, entries: item.children.iter().map(entry).collect() }),
        }
        Ok(())
    }

    pub(super) fn keyframe(&mut self, item: &Item) -> Result<()> {
        let mut key = Key { meta: self.meta(item), ..Key::default() };
        item.set("time", &mut key.time);
        item.set("qpos", &mut key.qpos);
        item.set("qvel", &mut key.qvel);
        item.set("act", &mut key.act);
        item.set("mpos", &mut key.mpos);
        item.set("mquat", &mut key.mquat);
        item.set("ctrl", &mut key.ctrl);
        self.spec.keys.push(key);
        Ok(())
    }
}

fn numeric(item: &Item, meta: Meta) -> Result<Numeric> {
    let data = item.numbers("data").to_vec();
    let size = item.get("size").unwrap_or(data.len() as i32);
    if !(1..=MAX_NUMERIC as i32).contains(&size) {
        let message = format!("a numeric has between 1 and {MAX_NUMERIC} numbers");
        return Err(item.invalid_at("size", message).hint("give 'size' or 'data'"));
    }
    if data.len() > size as usize {
        let kind = ErrorKind::WrongCount { expected: format!("at most {size}"), got: data.len() };
        return Err(item.error(kind).attribute("data"));
    }
    Ok(Numeric { meta, data, size })
}

fn entry(item: &Item) -> TupleEntry {
    let mut objtype = ObjType::Unknown;
    item.set("objtype", &mut objtype);
    TupleEntry { objtype, objname: item.text("objname").into(), prm: item.get("prm").unwrap_or_default() }
}
