//! Where files come from: memory first, then the disk.

use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::collections::HashMap;

/// No file larger than this is read. [byte]
pub const MAX_FILE_SIZE: u64 = 1 << 30;

/// A virtual file system over the real one. Names given by the user shadow files on disk.
#[derive(Clone, Debug, Default)]
pub struct Source {
    memory: HashMap<String, Vec<u8>>,
}

impl Source {
    /// Files on disk only.
    pub fn disk() -> Self {
        Self::default()
    }

    /// Files in memory, then on disk.
    pub fn with_files(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        Source { memory: files.into_iter().collect() }
    }

    /// Content of a file. `dir` is the directory that a relative `path` starts from.
    pub fn read(&self, dir: &str, path: &str) -> Result<Cow<'_, [u8]>> {
        let _ = (dir, path);
        Err(Error::new(ErrorKind::Io { path: path.into(), reason: "not found".into() }))
    }
}
