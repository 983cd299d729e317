//! MuJoCo's enums with MuJoCo's values, generated from `tables/enums.table`.

/// An enum and its members, for reflection.
#[derive(Clone, Copy, Debug)]
pub struct EnumInfo {
    /// MuJoCo's type name.
    pub name: &'static str,
    /// MuJoCo's member names and values.
    pub members: &'static [(&'static str, i32)],
}

/// An integer that is no member of the enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code} is not a value of {enum_name}")]
pub struct UnknownCode {
    /// MuJoCo's type name.
    pub enum_name: &'static str,
    /// The integer.
    pub code: i32,
}

include!(concat!(env!("OUT_DIR"), "/enums.rs"));
