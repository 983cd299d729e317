//! `custom` and `keyframe`.

use super::Reader;
use crate::error::{ErrorKind, Result};
use crate::schema::{Item, attr};
use crate::spec::{Key, Meta, Numeric, Text, Tuple};
use sinew_engine::model::enums::ObjType;

/// Maximum length of custom number arrays, as in MuJoCo.
const MAX_NUMERIC: usize = 500;

impl Reader<'_, '_> {
    pub(super) fn custom(&mut self, item: &Item) -> Result<()> {
        let meta = self.meta(item);
        match item.name {
            "numeric" => self.spec.numerics.push(numeric(item, meta)?),
            "text" if item.text(attr::DATA).is_empty() => {
                return Err(item.invalid_at(attr::DATA, "a text cannot be empty"));
            }
            "text" => self.spec.texts.push(Text { meta, data: item.text(attr::DATA).into() }),
            _ => {
                let mut tuple = Tuple { meta, ..Tuple::default() };
                for entry in &item.children {
                    let mut objtype = ObjType::Unknown;
                    entry.set(attr::OBJTYPE, &mut objtype);
                    tuple.push(objtype, entry.text(attr::OBJNAME), entry.get(attr::PRM).unwrap_or_default());
                }
                self.spec.tuples.push(tuple);
            }
        }
        Ok(())
    }

    pub(super) fn keyframe(&mut self, item: &Item) -> Result<()> {
        let mut key = Key { meta: self.meta(item), ..Key::default() };
        item.read(&mut key);
        self.spec.keys.push(key);
        Ok(())
    }
}

fn numeric(item: &Item, meta: Meta) -> Result<Numeric> {
    let mut out = Numeric { meta, ..Numeric::default() };
    item.read(&mut out);
    if !item.has(attr::SIZE) {
        out.size = out.data.len() as i32;
    }
    let (size, got) = (out.size, out.data.len());
    if !(1..=MAX_NUMERIC as i32).contains(&size) {
        let message = format!("a numeric has between 1 and {MAX_NUMERIC} numbers");
        return Err(item.invalid_at(attr::SIZE, message).hint("give 'size' or 'data'"));
    }
    if got > size as usize {
        let kind = ErrorKind::WrongCount { expected: format!("at most {size}"), got };
        return Err(item.error(kind).attribute(attr::DATA));
    }
    Ok(out)
}
