//! Loops over a few rows at a time, whose number is a constant.

/// Most rows that are handled together.
pub(crate) const MOST: usize = 4;

/// Calls a function with the number of rows, [`MOST`] at most, as a constant.
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
