//! Where files are looked up: first in memory, then on disk.

use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files larger than this are refused. (byte)
pub const MAX_FILE_SIZE: u64 = 1 << 30;

/// A virtual file system on top of the real one. Names given by the user shadow files on disk.
///
/// Names are looked up as in MuJoCo: the whole path, then its parent directories, then the bare file name ignoring
/// case, and last on disk, where access may be restricted: [`Source::confined_to`], [`Source::memory_only`].
#[derive(Clone, Debug, Default)]
pub struct Source {
    memory: Arc<BTreeMap<String, Vec<u8>>>,
    reach: Reach,
    /// Files on disk that were read; recorded only by [`Source::recording`].
    opened: Option<Arc<Mutex<BTreeSet<String>>>>,
}

/// Which files on disk may be read.
#[derive(Clone, Debug, Default)]
enum Reach {
    #[default]
    Anywhere,
    /// Files below these directories, whose paths contain no symbolic links.
    Below(Vec<PathBuf>),
}

/// Hint for a file that may not be read.
const REACH: &str = "give it as an asset, or load the model without confinement";

impl Source {
    /// Reads files on disk only.
    pub fn disk() -> Self {
        Source::default()
    }

    /// The same files in memory; on disk only files below the directory of the model file, or of the file that it links
    /// to. Symbolic links that lead out of that directory are not followed.
    pub fn confined_to(&self, model: &str) -> Self {
        let parent =
            |path: &Path| path.parent().map(|p| if p.as_os_str().is_empty() { ".".into() } else { p.to_path_buf() });
        let real = std::fs::canonicalize(model).ok();
        let given = parent(Path::new(model)).and_then(|dir| std::fs::canonicalize(dir).ok());
        let dirs = given.into_iter().chain(real.as_deref().and_then(parent)).collect();
        Source { reach: Reach::Below(dirs), ..self.clone() }
    }

    /// The same files in memory, and no files on disk.
    pub fn memory_only(&self) -> Self {
        Source { reach: Reach::Below(Vec::new()), ..self.clone() }
    }

    /// The file to open for a path, if it may be read.
    fn on_disk(&self, full: &str) -> std::result::Result<PathBuf, String> {
        let Reach::Below(dirs) = &self.reach else { return Ok(full.into()) };
        // the error must not reveal whether a file outside exists
        let real = std::fs::canonicalize(full).ok().filter(|real| dirs.iter().any(|dir| real.starts_with(dir)));
        real.ok_or_else(|| "there is no such file in the directory of the model, and others are not read".into())
    }

    /// Reads files on disk only and records which; see [`Source::opened`].
    pub fn recording() -> Self {
        Source { opened: Some(Arc::default()), ..Source::default() }
    }

    /// Files on disk read so far through a [`Source::recording`] or a clone of it.
    pub fn opened(&self) -> BTreeSet<String> {
        let all = self.opened.as_ref().map(|all| all.lock().unwrap_or_else(PoisonError::into_inner).clone());
        all.unwrap_or_default()
    }

    /// Looks up these files in memory, then files on disk.
    pub fn with_files(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let memory = files.into_iter().map(|(name, content)| (reduce(&name), content)).collect();
        Source { memory: Arc::new(memory), ..Source::default() }
    }

    /// Content of a file. A relative `path` is resolved against the directory `dir`.
    pub fn read(&self, dir: &str, path: &str) -> Result<Cow<'_, [u8]>> {
        let full = join(dir, path);
        if let Some(content) = self.find(&full) {
            return Ok(Cow::Borrowed(content));
        }
        if let Some(all) = &self.opened {
            all.lock().unwrap_or_else(PoisonError::into_inner).insert(full.clone());
        }
        let error = |reason| Error::new(ErrorKind::Io { path: full.clone(), reason });
        let file = self.on_disk(&full).map_err(|reason| error(reason).hint(REACH))?;
        read_disk(&file).map(Cow::Owned).map_err(error)
    }

    /// Whether [`Source::read`] would find the file.
    pub fn exists(&self, dir: &str, path: &str) -> bool {
        let full = join(dir, path);
        self.find(&full).is_some() || self.on_disk(&full).is_ok_and(|file| file.exists())
    }

    /// A stamp that changes with the content of a file; `None` if there is none.
    pub(crate) fn stamp(&self, path: &str) -> Option<Stamp> {
        if let Some(content) = self.find(path) {
            return Some(Stamp::Content(content.to_vec()));
        }
        let meta = std::fs::metadata(self.on_disk(path).ok()?).ok()?;
        Some(Stamp::Disk(meta.modified().ok()?, meta.len()))
    }

    fn find(&self, full: &str) -> Option<&[u8]> {
        if self.memory.is_empty() {
            return None;
        }
        let mut part = full;
        while !part.is_empty() {
            if let Some(content) = self.memory.get(part) {
                return Some(content);
            }
            part = part.rfind(['/', '\\']).map_or("", |n| &part[..n]);
        }
        let name = file_name(full);
        self.memory
            .iter()
            .find(|(key, _)| file_name(key).eq_ignore_ascii_case(name))
            .map(|(_, content)| content.as_slice())
    }
}

/// State of a file: modification time and length, or the content for a file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// A file on disk.
    Disk(std::time::SystemTime, u64),
    /// A file in memory.
    Content(Vec<u8>),
}

impl Stamp {
    /// Memory that the stamp takes. (byte)
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Stamp::Disk(..) => 0,
            Stamp::Content(content) => content.len(),
        }
    }
}

fn read_disk(path: &Path) -> std::result::Result<Vec<u8>, String> {
    let words = |e: std::io::Error| e.to_string();
    let meta = std::fs::metadata(path).map_err(words)?;
    if !meta.is_file() {
        return Err("not a regular file".into());
    }
    let mut content = Vec::new();
    std::fs::File::open(path).map_err(words)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut content).map_err(words)?;
    if content.len() as u64 > MAX_FILE_SIZE { Err(format!("larger than {MAX_FILE_SIZE} bytes")) } else { Ok(content) }
}

/// Joins `dir` and `path`; an absolute `path` replaces `dir`. Dots are resolved.
pub fn join(dir: &str, path: &str) -> String {
    if is_absolute(path) || dir.is_empty() {
        reduce(path)
    } else if dir.ends_with(['/', '\\']) {
        reduce(&format!("{dir}{path}"))
    } else {
        reduce(&format!("{dir}/{path}"))
    }
}

/// Whether a path is absolute: it starts with a separator, a drive or a scheme.
pub fn is_absolute(path: &str) -> bool {
    root_len(path) > 0
}

/// The part of a path up to and including its last separator.
pub fn directory(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |n| &path[..=n])
}

/// The part of a path after its last separator.
pub fn file_name(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or(path, |n| &path[n + 1..])
}

fn root_len(path: &str) -> usize {
    match path.find(":/").or_else(|| path.find(":\\")) {
        _ if path.starts_with(['/', '\\']) => 1,
        Some(n) => n + 2,
        None => 0,
    }
}

/// Resolves `.` and `..` textually and unifies separators.
fn reduce(path: &str) -> String {
    let (root, rest) = path.split_at(root_len(path));
    let mut parts: Vec<&str> = Vec::new();
    let mut names = rest.split(['/', '\\']).peekable();
    while let Some(name) = names.next() {
        let last = names.peek().is_none();
        match name {
            ".." if !last && parts.last().is_some_and(|&p| p != "..") => drop(parts.pop()),
            "." if !last => {}
            _ => parts.push(name),
        }
    }
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(join("a/b/", "../c.png"), "a/c.png");
        assert_eq!(join("a", "./c.png"), "a/c.png");
        assert_eq!(join("", "../../c"), "../../c");
        assert_eq!(join("a", "/c/../d"), "/d");
        assert_eq!(join("a", "C:\\x\\y"), "C:\\x/y");
        assert_eq!(directory("a/b.xml"), "a/");
        assert_eq!(directory("b.xml"), "");
    }

    #[test]
    fn memory_shadows_disk() {
        let source = Source::with_files([("dir/A.STL".to_string(), vec![1]), ("b".to_string(), vec![2])]);
        assert_eq!(*source.read("dir", "A.STL").unwrap(), [1]);
        assert_eq!(*source.read("elsewhere", "a.stl").unwrap(), [1]);
        assert_eq!(*source.read("", "b/inner.txt").unwrap(), [2]);
        assert!(source.read("", "c").is_err());
        assert!(Source::disk().read("", ".").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn confined_sources_stay_where_the_model_is() {
        let top = std::env::temp_dir().join(format!("sinew-confined-{}", std::process::id()));
        let dir = top.join("model");
        std::fs::create_dir_all(dir.join("inner")).unwrap();
        for name in ["model/a.xml", "model/inner/b.obj", "secret.obj"] {
            std::fs::write(top.join(name), "x").unwrap();
        }
        std::os::unix::fs::symlink(top.join("secret.obj"), dir.join("link.obj")).unwrap();
        std::os::unix::fs::symlink(dir.join("a.xml"), top.join("link.xml")).unwrap();
        let path = |name: &str| dir.join(name).display().to_string();
        let given = Source::with_files([("given.obj".to_string(), vec![1])]);
        for model in [path("a.xml"), path("../link.xml")] {
            let source = given.confined_to(&model);
            for inside in ["a.xml", "inner/b.obj", "inner/../a.xml", "elsewhere/given.obj"] {
                assert!(source.read("", &path(inside)).is_ok(), "{inside}");
            }
        }
        let source = given.confined_to(&path("a.xml"));
        for outside in ["../secret.obj", "link.obj", "inner/../../secret.obj", "../nothing.obj"] {
            let error = source.read("", &path(outside)).expect_err(outside);
            assert!(error.to_string().contains("directory of the model"), "{error}");
            assert!(!source.exists("", &path(outside)) && source.stamp(&path(outside)).is_none(), "{outside}");
            assert_eq!(given.exists("", &path(outside)), !outside.contains("nothing"));
        }
        assert!(given.memory_only().read("", &path("a.xml")).is_err());
        assert!(given.memory_only().read("", "given.obj").is_ok());
        std::fs::remove_dir_all(top).unwrap();
    }
}
