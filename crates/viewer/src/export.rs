//! A page that needs no server: everything in one file.

use crate::page::{Mode, NoPage, Page, text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Nothing is fetched from anywhere.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; \
                      img-src data: blob:; base-uri 'none'; form-action 'none'";

/// A page with packed files, of which the first model is shown, and perhaps a packed motion. Without files it waits for
/// some to be dropped.
///
/// # Errors
/// The page is not part of this build.
pub fn one_file(files: Option<&[u8]>, motion: Option<&[u8]>) -> Result<String, NoPage> {
    let page = Page::get()?;
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<style>{}</style>",
        text(page.style)
    );
    let mut body = part("engine", page.engine);
    for (id, bytes) in [("files", files), ("motion", motion)] {
        if let Some(bytes) = bytes {
            body += &part(id, &compressed(bytes));
        }
    }
    // the script comes last: it finds the parts before it
    body += &format!("<script>{}</script>", text(page.script));
    Ok(page.document(Mode::File, &head, &body))
}

/// Times and positions as the page reads them.
pub fn pack_motion(time: &[f64], qpos: &[f64]) -> Vec<u8> {
    let numbers = std::iter::once(time.len() as f64).chain(time.iter().copied()).chain(qpos.iter().copied());
    numbers.flat_map(f64::to_le_bytes).collect()
}

/// Bytes in an element of their own. Only letters of base 64 get into the page, so no name or text can end the element.
fn part(id: &str, compressed: &[u8]) -> String {
    format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", STANDARD.encode(compressed))
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // writing to memory does not fail
    _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
