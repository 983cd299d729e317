//! Standard output.

use std::io::Write;

/// Prints to standard output; a closed pipe, as in `sinew info | head`, is not an error.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// A count followed by the singular or plural noun.
pub fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}
