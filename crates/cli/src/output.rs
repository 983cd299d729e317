//! Standard output.

use std::io::Write;

/// Prints to standard output; a reader that has gone away, as in `sinew info | head`, is no error.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// A count with the singular or plural of what is counted.
pub fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}
