//! What can be wrong with a model, where, and what to do about it.

use crate::spec::Loc;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Result of reading or compiling a model.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read.
    #[error("cannot read '{path}': {reason}")]
    Io {
        /// The file as it was asked for.
        path: String,
        /// The operating system's or the virtual file system's words.
        reason: String,
    },
    /// The text is not well-formed XML.
    #[error("malformed XML: {0}")]
    Xml(String),
    /// An element that does not belong here.
    #[error("unrecognized element")]
    UnknownElement,
    /// An attribute the element does not have.
    #[error("unrecognized attribute")]
    UnknownAttribute,
    /// An element that may appear only once.
    #[error("element may appear only once here")]
    RepeatedElement,
    /// A required attribute or sub-element is absent.
    #[error("missing {0}")]
    Missing(String),
    /// Too few or too many numbers.
    #[error("expected {expected}, got {got}")]
    WrongCount {
        /// How many are allowed, in words.
        expected: String,
        /// How many there are.
        got: usize,
    },
    /// A word that is no number, or a number out of range.
    #[error("bad number '{0}'")]
    BadNumber(String),
    /// A word outside the list of choices.
    #[error("invalid value '{got}', expected one of: {expected}")]
    BadKeyword {
        /// The word found.
        got: String,
        /// The words allowed.
        expected: String,
    },
    /// A reference to something that does not exist.
    #[error("unknown {objtype} '{name}'")]
    UnknownName {
        /// What was looked for.
        objtype: String,
        /// The name.
        name: String,
    },
    /// Two elements of one kind with one name.
    #[error("repeated name '{0}'")]
    RepeatedName(String),
    /// A file includes itself.
    #[error("file '{0}' was already included")]
    IncludeCycle(String),
    /// An asset's content is unusable.
    #[error("{0}")]
    Asset(String),
    /// The values contradict each other or the rules of the format.
    #[error("{0}")]
    Invalid(String),
    /// Valid MJCF that this version cannot simulate.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// The model is larger or deeper than the loader accepts.
    #[error("limit exceeded: {0}")]
    Limit(String),
}

/// An error with its place in the source and, where there is one, a way out. Its [`Report`] is boxed: errors are
/// rare, results are everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Report>);

/// What an [`Error`] knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What went wrong.
    pub kind: ErrorKind,
    /// Position; `file` indexes the reader's file table until [`Error::in_files`] resolves it.
    pub loc: Loc,
    /// File name, once resolved.
    pub file: Option<String>,
    /// Element name.
    pub element: Option<String>,
    /// Attribute name.
    pub attribute: Option<String>,
    /// What to do.
    pub hint: Option<String>,
}

impl Error {
    /// An error without a place.
    pub fn new(kind: ErrorKind) -> Self {
        Error(Box::new(Report { kind, loc: Loc::default(), file: None, element: None, attribute: None, hint: None }))
    }

    /// Shorthand for [`ErrorKind::Invalid`].
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid(message.into()))
    }

    /// Adds a source position, unless there is one already.
    pub fn at(mut self, loc: Loc) -> Self {
        if self.loc == Loc::default() {
            self.loc = loc;
        }
        self
    }

    /// Adds the element name, unless there is one already.
    pub fn element(mut self, name: impl Into<String>) -> Self {
        self.element.get_or_insert(name.into());
        self
    }

    /// Adds the attribute name, unless there is one already.
    pub fn attribute(mut self, name: impl Into<String>) -> Self {
        self.attribute.get_or_insert(name.into());
        self
    }

    /// Adds advice, unless there is some already.
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint.get_or_insert(text.into());
        self
    }

    /// Names the file, from the table that [`Loc::file`] indexes.
    pub fn in_files(mut self, files: &[String]) -> Self {
        if self.loc.line > 0 && self.file.is_none() {
            self.file = files.get(self.loc.file as usize).cloned();
        }
        self
    }
}

impl Deref for Error {
    type Target = Report;
    fn deref(&self) -> &Report {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Report {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        if self.loc.line > 0 {
            write!(f, "{}:{}: ", self.loc.line, self.loc.column)?;
        }
        write!(f, "{}", self.kind)?;
        match (&self.element, &self.attribute) {
            (Some(e), Some(a)) => write!(f, " (element '{e}', attribute '{a}')")?,
            (Some(e), None) => write!(f, " (element '{e}')")?,
            (None, Some(a)) => write!(f, " (attribute '{a}')")?,
            (None, None) => {}
        }
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The candidate nearest to a misspelt name, if any is near.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|c| (edit_distance(name, c), c))
        .filter(|(d, c)| *d <= 1 + name.len().max(c.len()) / 4)
        .min()
        .map(|(_, c)| c)
}

/// Levenshtein distance, of the first 64 bytes.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b) = (&a.as_bytes()[..a.len().min(64)], &b.as_bytes()[..b.len().min(64)]);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
