//! Loops over a few rows at a time, with the number of rows as a constant.

/// Maximum number of rows processed together.
pub(crate) const MOST: usize = 4;

/// Calls a function with the number of rows, at most [`MOST`], as a const generic.
macro_rules! by_count {
    ($count:expr, $function:ident($($arg:expr),*)) => {
        match $count {
            1 => $function::<1>($($arg),*),
            2 => $function::<2>($($arg),*),
            3 => $function::<3>($($arg),*),
            _ => $function::<{ $crate::by_count::MOST }>($($arg),*),
        }
    };
}
pub(crate) use by_count;
