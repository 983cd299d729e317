//! Names of attributes, one constant each, so that one the schema does not list is no program.

use std::fmt;

/// An attribute by its name, whatever the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attr(u16);

#[rustfmt::skip]
#[allow(dead_code)] // most are read and written through the fields of structs
mod names {
    use super::Attr;
    include!(concat!(env!("OUT_DIR"), "/attr.rs"));
}

pub(crate) use names::*;

impl Attr {
    /// As files spell it.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// The attribute of a name.
    pub(super) fn find(name: &str) -> Option<Attr> {
        NAMES.binary_search(&name).ok().map(|i| Attr(i as u16))
    }
}

impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Attr> for String {
    fn from(attribute: Attr) -> String {
        attribute.name().into()
    }
}
