//! The embedded page.

use flate2::read::GzDecoder;
use std::io::Read;

/// The page is not part of this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the viewer's page is not part of this build; run `cargo xtask page` (it needs Node.js), then build again")]
pub struct NoPage;

static PARTS: Option<[&[u8]; 4]> = include!(concat!(env!("OUT_DIR"), "/parts.rs"));

/// Parts of the page, compressed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    pub html: &'static [u8],
    pub script: &'static [u8],
    pub style: &'static [u8],
    pub engine: &'static [u8],
}

/// What a page shows, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Everything is in the page itself.
    File,
    /// The engine runs in the page, models come from a server.
    Model,
    /// A process simulates.
    Remote,
    /// A process simulates, and the page may run and pause it.
    Managed,
    /// A process draws scenes, and receives keys and mouse events.
    Window,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::File => "file",
            Mode::Model => "model",
            Mode::Remote => "remote",
            Mode::Managed => "managed",
            Mode::Window => "window",
        }
    }
}

/// Whether the page is part of this build.
///
/// # Errors
/// [`NoPage`], which says how to build it.
pub fn built() -> Result<(), NoPage> {
    Page::get().map(|_| ())
}

impl Page {
    pub fn get() -> Result<Page, NoPage> {
        let [html, script, style, engine] = PARTS.ok_or(NoPage)?;
        Ok(Page { html, script, style, engine })
    }

    /// The HTML document, with additions to its head and body.
    pub fn document(&self, mode: Mode, head: &str, body: &str) -> String {
        text(self.html).replacen("MODE", mode.name(), 1).replacen("HEAD", head, 1).replacen("BODY", body, 1)
    }
}

/// Decompresses text.
pub(crate) fn text(compressed: &[u8]) -> String {
    let mut text = String::new();
    // compressed by the build script, so it is valid
    _ = GzDecoder::new(compressed).read_to_string(&mut text);
    text
}
