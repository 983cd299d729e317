//! Serves a model's files to a page that simulates by itself, and notifies it when they change.

use crate::Error;
use crate::http::Answer;
use crate::page::Mode;
use crate::server::{Content, Server};
use crate::socket::Tab;
use sinew_engine::Model;
use sinew_web::pack_files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a page receives: files, or a compiled model if the files must not be served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    files: Vec<u8>,
    motion: Vec<u8>,
    /// Errors of the model, as readable text.
    words: String,
}

impl Bundle {
    /// The files of a model that are in its folder, named relative to it. If others are needed, or links lead out of
    /// the folder, the page gets the compiled model instead.
    pub fn new(path: &str, opened: &BTreeSet<String>, model: Option<&Model>) -> Bundle {
        let folder = Path::new(path).parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let read = |name: &String| {
            inside(folder, Path::new(name)).and_then(|(name, path)| Some((name, std::fs::read(path).ok()?)))
        };
        let first = opened.iter().find(|name| *name == path);
        // the model comes first: a page shows the first file that may be a model
        let names = first.into_iter().chain(opened.iter().filter(|name| *name != path && Path::new(name).is_file()));
        let files: Option<Vec<(String, Vec<u8>)>> = names.map(read).collect();
        match (files, model) {
            (Some(files), _) if !files.is_empty() => Bundle::of(files.iter().map(|(n, c)| (n.as_str(), c.as_slice()))),
            (_, Some(model)) => Bundle::compiled(model),
            _ => Bundle::default(),
        }
    }

    /// Files in memory.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Bundle {
        Bundle { files: pack_files(files), ..Bundle::default() }
    }

    /// A compiled model.
    pub fn compiled(model: &Model) -> Bundle {
        Bundle::of([("model.sinew", model.to_bytes().as_slice())])
    }

    /// Adds a recorded motion.
    pub fn with_motion(self, motion: Vec<u8>) -> Bundle {
        Bundle { motion, ..self }
    }

    /// Adds error messages.
    pub fn with_words(self, words: String) -> Bundle {
        Bundle { words, ..self }
    }

    /// The packed files.
    pub fn files(&self) -> &[u8] {
        &self.files
    }
}

/// Relative name and path of a file in a folder; `None` if it is elsewhere, or links lead there.
fn inside(folder: &Path, file: &Path) -> Option<(String, PathBuf)> {
    let (folder, file) = (folder.canonicalize().ok()?, file.canonicalize().ok()?);
    let name = file.strip_prefix(&folder).ok()?.to_str()?.replace('\\', "/");
    Some((name, file))
}

/// Serves a model to pages.
#[derive(Debug)]
pub struct View {
    server: Server,
    shown: Arc<Shown>,
}

#[derive(Debug, Default)]
struct Shown {
    state: Mutex<(u64, Bundle)>,
}

impl View {
    /// Starts on a port; 0 selects a free one.
    ///
    /// # Errors
    /// No page in this build, no port.
    pub fn start(port: u16, bundle: Bundle) -> Result<View, Error> {
        let shown = Arc::new(Shown { state: Mutex::new((0, bundle)) });
        Ok(View { server: Server::start(port, shown.clone())?, shown })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        self.server.address()
    }

    /// Shows another bundle; pages are notified.
    pub fn change(&self, bundle: Bundle) {
        let mut state = self.shown.lock();
        *state = (state.0 + 1, bundle);
    }
}

impl Shown {
    fn lock(&self) -> MutexGuard<'_, (u64, Bundle)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content for Shown {
    fn mode(&self) -> Mode {
        Mode::Model
    }

    fn part(&self, path: &str) -> Option<Answer> {
        let state = self.lock();
        let bytes = "application/octet-stream";
        match path {
            "/files" => Some(Answer::new(bytes, state.1.files.clone())),
            "/motion" => Some(Answer::new(bytes, state.1.motion.clone())),
            _ => None,
        }
    }

    fn talk(&self, tab: &mut Tab) {
        let mut seen = None;
        while tab.hear().is_ok() {
            let (version, words) = {
                let state = self.lock();
                (state.0, state.1.words.clone())
            };
            if seen == Some(version) {
                continue;
            }
            let first = seen.replace(version).is_none();
            // a new page loads the model without a notification, but does not know its errors
            let told = if first && words.is_empty() { Ok(()) } else { tab.tell("changed", &words) };
            if told.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_web::unpack_files;
    use std::fs;

    fn names(bundle: &Bundle) -> Vec<String> {
        unpack_files(&bundle.files).unwrap().into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn files_come_from_the_folder_only() {
        let root = std::env::temp_dir().join(format!("sinew-view-{}", std::process::id()));
        fs::create_dir_all(root.join("model/parts")).unwrap();
        let at = |name: &str| root.join(name).display().to_string();
        for name in ["model/a.xml", "model/parts/b.xml", "secret.xml"] {
            fs::write(root.join(name), "<mujoco/>").unwrap();
        }
        let opened = |list: &[&str]| list.iter().map(|n| at(n)).collect::<BTreeSet<String>>();
        let bundle = Bundle::new(&at("model/a.xml"), &opened(&["model/a.xml", "model/parts/b.xml"]), None);
        assert_eq!(names(&bundle), ["a.xml", "parts/b.xml"]);
        let out = Bundle::new(&at("model/a.xml"), &opened(&["model/a.xml", "model/../secret.xml"]), None);
        assert_eq!(out, Bundle::default());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("secret.xml"), root.join("model/link.xml")).unwrap();
            let linked = Bundle::new(&at("model/a.xml"), &opened(&["model/a.xml", "model/link.xml"]), None);
            assert_eq!(linked, Bundle::default());
        }
        fs::remove_dir_all(root).unwrap();
    }
}
