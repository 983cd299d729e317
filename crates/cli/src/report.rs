//! Errors as a person wants to read them: the message, the source line, a pointer.

use sinew::{Error, Model};
use std::io::Write;
use std::process::ExitCode;

/// The model that needs no file.
pub const HUMANOID: &str = include_str!("../../../models/humanoid.xml");

/// Compiles a file, or the embedded humanoid when there is none.
pub fn load(path: Option<&str>) -> Result<Model, Error> {
    match path {
        Some(path) => sinew::load_path(path),
        None => sinew::load_str(HUMANOID, &sinew::Source::default()),
    }
}

/// Prints to standard output; a reader that has gone away, as in `sinew info | head`, is no error.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints an error with its source excerpt to standard error.
pub fn show(error: &Error) {
    eprintln!("error: {error}");
    if let Some(excerpt) = excerpt(error) {
        eprint!("{excerpt}");
    }
}

/// Prints an error and gives the exit status of a failed verb.
pub fn fail(error: &Error) -> ExitCode {
    show(error);
    ExitCode::FAILURE
}

/// The offending line with a caret under the column; `None` when the source cannot be read again.
fn excerpt(error: &Error) -> Option<String> {
    let text = std::fs::read_to_string(error.file.as_ref()?).ok()?;
    let number = error.loc.line as usize;
    let line = text.lines().nth(number.checked_sub(1)?)?;
    let shown: String = line.chars().take(200).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let caret = " ".repeat((error.loc.column as usize).saturating_sub(1).min(200));
    let gutter = number.to_string();
    let blank = " ".repeat(gutter.len());
    Some(format!("{blank} |\n{gutter} | {shown}\n{blank} | {caret}^\n"))
}
