//! One constant per attribute name, so that using a name that the schema does not list is a compile error.

use std::fmt;

/// An attribute name, independent of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attr(u16);

#[rustfmt::skip]
#[allow(dead_code)] // most attributes are read and written through struct fields
mod names {
    use super::Attr;
    include!(concat!(env!("OUT_DIR"), "/attr.rs"));
}

pub(crate) use names::*;

impl Attr {
    /// The name as spelled in files.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// The attribute with the given name.
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
