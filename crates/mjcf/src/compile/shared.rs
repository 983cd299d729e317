//! Rules shared by several sections: limits, user values, array addresses.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::attr;
use sinew_engine::model::enums::Limited;

/// Whether a limit is active; `Auto` follows the range.
pub(crate) fn is_limited(limited: Limited, range: [f64; 2]) -> bool {
    match limited {
        Limited::True => true,
        Limited::False => false,
        Limited::Auto => range[0] < range[1],
    }
}

/// Refuses a range without an explicit flag when the compiler must not infer the flag. `prefix` is that of the
/// attribute: `ctrl` in `ctrlrange` and `ctrllimited`.
pub(super) fn check_autolimits(autolimits: bool, prefix: &str, limited: Limited, range: [f64; 2]) -> Result<()> {
    if autolimits || limited != Limited::Auto || range == [0.0; 2] {
        return Ok(());
    }
    Err(Error::invalid(format!("{prefix}range without {prefix}limited while autolimits is off"))
        .attribute(format!("{prefix}range"))
        .hint(format!("set {prefix}limited, remove {prefix}range, or set autolimits=\"true\" in compiler")))
}

/// Refuses an active limit whose range is empty or reversed.
pub(super) fn check_range(attribute: &str, limited: Limited, range: [f64; 2]) -> Result<()> {
    if is_limited(limited, range) && range[0] >= range[1] {
        return Err(Error::invalid(format!("invalid range {} {}", range[0], range[1]))
            .attribute(attribute)
            .hint("the first number must be smaller than the second"));
    }
    Ok(())
}

/// Number of user values per element: as declared, or, if negative, the length of the longest list.
pub(super) fn user_size(declared: i32, lengths: impl Iterator<Item = usize>) -> usize {
    usize::try_from(declared).unwrap_or_else(|_| lengths.max().unwrap_or(0))
}

/// Refuses more user values than declared.
pub(super) fn check_user(given: usize, declared: usize, size_attribute: &str) -> Result<()> {
    if given > declared {
        return Err(Error::new(ErrorKind::WrongCount { expected: format!("at most {declared} numbers"), got: given })
            .attribute(attr::USER)
            .hint(format!("raise {size_attribute} in the size element, or leave it out")));
    }
    Ok(())
}

/// Writes user values row by row; missing ones stay zero.
pub(super) fn fill_user<'a>(table: &mut [f64], width: usize, rows: impl Iterator<Item = &'a [f64]>) {
    if width > 0 {
        table.chunks_exact_mut(width).zip(rows).for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
    }
}

/// An optional id as MuJoCo stores it: −1 for none.
pub(super) fn id_or_none(id: Option<usize>) -> i32 {
    id.map_or(-1, |id| id as i32)
}
