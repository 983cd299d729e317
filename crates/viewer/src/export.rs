//! Single-file pages, which need no server.

use crate::page::{Mode, NoPage, Page, text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Content security policy that allows no requests.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; \
                      img-src data: blob:; base-uri 'none'; form-action 'none'";

/// A page that contains packed files and optionally a packed motion; it shows the first model. Without files it waits
/// for some to be dropped.
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
    // the script comes last, when the parts it looks up exist
    body += &format!("<script>{}</script>", text(page.script));
    Ok(page.document(Mode::File, &head, &body))
}

/// Packs times and positions for the page.
pub fn pack_motion(time: &[f64], qpos: &[f64]) -> Vec<u8> {
    let numbers = std::iter::once(time.len() as f64).chain(time.iter().copied()).chain(qpos.iter().copied());
    numbers.flat_map(f64::to_le_bytes).collect()
}

/// An element with bytes in base64, whose characters cannot end the element, whatever the bytes are.
fn part(id: &str, compressed: &[u8]) -> String {
    format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", STANDARD.encode(compressed))
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // writing to memory cannot fail
    _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
