//! Text arguments: `str`, or bytes, as C programs and their wrappers pass it.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use std::ops::Deref;
use std::path::PathBuf;

/// Text. Invalid UTF-8 becomes replacement characters, which match no name.
#[derive(PartialEq, Eq, Hash)]
pub struct Text(pub String);

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Text {
    /// The text that an argument holds, if it is text at all.
    pub fn of(obj: &Bound<'_, PyAny>) -> Option<PyResult<Text>> {
        if let Ok(text) = obj.cast::<PyString>() {
            return Some(text.to_cow().map(|t| Text(t.into_owned())));
        }
        let words = |bytes: &[u8]| Text(String::from_utf8_lossy(bytes).into_owned());
        if let Ok(bytes) = obj.cast::<PyBytes>() {
            return Some(Ok(words(bytes.as_bytes())));
        }
        obj.cast::<PyByteArray>().ok().map(|bytes| Ok(words(&bytes.to_vec())))
    }
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Text::of(&obj).unwrap_or_else(|| {
            let kind = obj.get_type();
            Err(pyo3::exceptions::PyTypeError::new_err(format!("text should be str or bytes, got {kind}")))
        })
    }
}

/// A path on disk: text, or an object with `__fspath__`.
pub struct FilePath(pub PathBuf);

impl<'py> FromPyObject<'_, 'py> for FilePath {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let plain = obj.py().import("os")?.getattr("fsdecode")?.call1((obj,))?;
        Ok(FilePath(plain.extract()?))
    }
}
