//! Formats errors and warnings for people: the message, the source line, and a caret.

use sinew::Source;
use sinew_mjcf::Report;

/// A report with its source excerpt. `severity` is `error` or `warning`.
pub fn render(severity: &str, report: &Report, source: &Source) -> String {
    format!("{severity}: {report}\n{}", excerpt(report, source).unwrap_or_default())
}

/// The offending line with a caret under the column; `None` when there is no position or the source cannot be read
/// again.
fn excerpt(report: &Report, source: &Source) -> Option<String> {
    let text = source.read("", report.file.as_ref()?).ok()?;
    let text = String::from_utf8_lossy(&text);
    let number = report.loc.line as usize;
    let line = text.lines().nth(number.checked_sub(1)?)?;
    let shown: String = line.chars().take(200).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let caret = " ".repeat((report.loc.column as usize).saturating_sub(1).min(200));
    let gutter = number.to_string();
    let blank = " ".repeat(gutter.len());
    Some(format!("{blank} |\n{gutter} | {shown}\n{blank} | {caret}^\n"))
}
