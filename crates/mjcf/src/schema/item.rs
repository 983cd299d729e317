//! A checked element with parsed attribute values.

use super::attr::Attr;
use crate::error::{Error, ErrorKind};
use crate::spec::Loc;
use crate::spec::field::{Record, Slot, Value};
use sinew_engine::fields::{Fields, SliceMut};

/// A checked element.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: &'static str,
    pub(crate) loc: Loc,
    pub(crate) values: Vec<(Attr, Value, Loc)>,
    pub(crate) children: Vec<Item>,
}

impl Item {
    /// The value of an attribute.
    pub(crate) fn value(&self, name: Attr) -> Option<&Value> {
        self.values.iter().find(|v| v.0 == name).map(|v| &v.1)
    }

    /// Whether an attribute is given.
    pub(crate) fn has(&self, name: Attr) -> bool {
        self.value(name).is_some()
    }

    /// Stores an attribute if it is given; returns whether it was. Short lists fill the front of an array.
    pub(crate) fn set(&self, name: Attr, slot: &mut impl Slot) -> bool {
        let value = self.value(name);
        if let Some(value) = value {
            slot.fill(value);
        }
        value.is_some()
    }

    /// Stores every attribute for which the struct has a field.
    pub(crate) fn read(&self, target: &mut impl Record) {
        for (name, value, _) in &self.values {
            if let Some(slot) = field_of(target, *name) {
                slot.fill(value);
            }
        }
    }

    /// The attribute, if given.
    pub(crate) fn get<T: Slot + Default>(&self, name: Attr) -> Option<T> {
        let mut out = T::default();
        self.set(name, &mut out).then_some(out)
    }

    /// Text of an attribute; empty when not given.
    pub(crate) fn text(&self, name: Attr) -> &str {
        match self.value(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Numbers of an attribute; empty when not given.
    pub(crate) fn numbers(&self, name: Attr) -> &[f64] {
        match self.value(name) {
            Some(Value::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// Codes of an attribute's keywords; empty when not given.
    pub(crate) fn codes(&self, name: Attr) -> &[i32] {
        match self.value(name) {
            Some(Value::Codes(codes)) => codes,
            _ => &[],
        }
    }

    /// Stores every attribute named like a settings field.
    pub(crate) fn set_fields<T: Fields>(&self, target: &mut T) {
        for (i, field) in T::FIELDS.iter().enumerate() {
            let numbers: Vec<f64> = match self.values.iter().find(|v| v.0.name() == field.name) {
                Some((_, Value::Numbers(numbers), _)) => numbers.clone(),
                Some((_, Value::Codes(codes), _)) => codes.iter().map(|&c| f64::from(c)).collect(),
                _ => continue,
            };
            match target.field_mut(i) {
                SliceMut::F64(slots) => slots.iter_mut().zip(numbers).for_each(|(s, x)| *s = x),
                SliceMut::F32(slots) => slots.iter_mut().zip(numbers).for_each(|(s, x)| *s = x as f32),
                SliceMut::I32(slots) => slots.iter_mut().zip(numbers).for_each(|(s, x)| *s = x as i32),
                // the schema accepts only keywords of the enum
                SliceMut::Code(value) => {
                    let _ = numbers.first().map(|&x| value.set_code(x as i32));
                }
                SliceMut::I64(_) | SliceMut::U8(_) => {}
            }
        }
    }

    /// First child with a name.
    pub(crate) fn child(&self, name: &str) -> Option<&Item> {
        self.children.iter().find(|c| c.name == name)
    }

    /// An error at this element.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at(self.loc).element(self.name)
    }

    /// An [`ErrorKind::Invalid`] at this element.
    pub(crate) fn invalid(&self, message: impl Into<String>) -> Error {
        self.error(ErrorKind::Invalid(message.into()))
    }

    /// An [`ErrorKind::Invalid`] at an attribute.
    pub(crate) fn invalid_at(&self, attribute: Attr, message: impl Into<String>) -> Error {
        let loc = self.values.iter().find(|v| v.0 == attribute).map_or(self.loc, |v| v.2);
        Error::invalid(message).at(loc).element(self.name).attribute(attribute)
    }
}

/// The field that an attribute sets.
fn field_of<R: Record>(target: &mut R, attribute: Attr) -> Option<&mut dyn Slot> {
    target.slot(R::FIELDS.iter().position(|f| f.attribute == Some(attribute))?)
}
