//! MuJoCo's enums with MuJoCo's values, generated from `tables/enums.table`.

use std::fmt;

/// An enum and its members, for reflection.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumInfo {
    /// MuJoCo's type name.
    pub name: &'static str,
    /// Whether its values are bit sets, so that any integer is valid.
    pub flags: bool,
    /// MuJoCo's member names and values.
    pub members: &'static [(&'static str, i32)],
}

impl EnumInfo {
    /// Checks that an integer is a value of the enum.
    ///
    /// # Errors
    /// [`UnknownCode`].
    pub fn check(&'static self, code: i32) -> Result<(), UnknownCode> {
        let count = |name: &str| name.starts_with("mjN");
        let known = self.flags || self.members.iter().any(|&(name, value)| value == code && !count(name));
        if known { Ok(()) } else { Err(UnknownCode { of: self, code }) }
    }
}

/// An integer that is not a member of the enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownCode {
    /// The enum.
    pub of: &'static EnumInfo,
    /// The integer.
    pub code: i32,
}

impl UnknownCode {
    /// Description of the valid values: the enum and its members.
    pub fn expected(&self) -> String {
        let members = self.of.members.iter().filter(|(name, _)| !name.starts_with("mjN"));
        let members: Vec<String> = members.map(|(name, value)| format!("{value} ({name})")).collect();
        format!("a value of {}: {}", self.of.name, members.join(", "))
    }
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not {}", self.code, self.expected())
    }
}

/// A typed value that MuJoCo stores as an integer: a member of an enum, or a set of flags. It has the integer's size.
pub trait Code {
    /// MuJoCo's integer.
    fn code(&self) -> i32;
    /// Sets the value from MuJoCo's integer.
    ///
    /// # Errors
    /// [`UnknownCode`]; the value is then unchanged. Sets of flags keep unnamed bits.
    fn set_code(&mut self, code: i32) -> Result<(), UnknownCode>;
}

include!(concat!(env!("OUT_DIR"), "/enums.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_and_others_are_named() {
        for of in ENUMS.iter().filter(|of| !of.flags) {
            assert!(of.check(-77).is_err() && of.check(of.members[0].1).is_ok(), "{}", of.name);
        }
        assert_eq!(Integrator::try_from(3), Ok(Integrator::Implicitfast));
        let mut solver = SolverType::Cg;
        let error = solver.set_code(3).unwrap_err();
        assert_eq!(error.to_string(), "3 is not a value of mjtSolver: 0 (mjSOL_PGS), 1 (mjSOL_CG), 2 (mjSOL_NEWTON)");
        assert_eq!(solver, SolverType::Cg);
        assert!(GeomType::try_from(9).is_err(), "a count is no value");
        assert!(GeomType::INFO.check(9).is_err(), "a count is no value");
        let mut flags = DisableFlags::empty();
        flags.set_code(16 | 1 << 30).unwrap();
        assert!(flags.contains(DisableFlags::CONTACT) && flags.bits() == 16 | 1 << 30);
    }
}
