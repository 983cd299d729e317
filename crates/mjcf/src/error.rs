//! Errors and warnings: what is wrong with a model, where, and how to fix it.

use crate::spec::Loc;
pub use sinew_engine::model::names::nearest;
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
        /// The requested file.
        path: String,
        /// The message of the operating system or of the virtual file system.
        reason: String,
    },
    /// The text is not well-formed XML.
    #[error("malformed XML: {0}")]
    Xml(String),
    /// An element that is not allowed here.
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
    /// Too few or too many values.
    #[error("expected {expected}, got {got}")]
    WrongCount {
        /// How many are allowed, in words.
        expected: String,
        /// How many there are.
        got: usize,
    },
    /// Text that does not parse as a number, or a number out of range.
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
    /// Content that has no effect. A warning, unless the loader is strict.
    #[error("ignored: {0}")]
    Ignored(String),
    /// The model is larger or deeper than the loader accepts.
    #[error("limit exceeded: {0}")]
    Limit(String),
}

/// A message about a position in a model: the content of an [`Error`], and by itself a warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Position; `file` indexes the reader's file table until [`Error::in_files`] resolves it.
    pub loc: Loc,
    /// File name, once resolved.
    pub file: Option<String>,
    /// Element name.
    pub element: Option<String>,
    /// Attribute name.
    pub attribute: Option<String>,
    /// How to fix it.
    pub hint: Option<String>,
}

impl Report {
    pub(crate) fn resolve(&mut self, files: &[String]) {
        if self.file.is_none() {
            self.file = self.loc.file_name(files);
        }
    }
}

/// An error with its source position and, if there is one, a hint. It dereferences to the [`Report`] of the first
/// problem; [`Error::reports`] lists all problems found in the same pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Reports>); // boxed: errors are rare, results are everywhere

#[derive(Clone, Debug, PartialEq)]
struct Reports {
    first: Report,
    rest: Vec<Report>,
    warnings: Vec<Report>,
}

/// Maximum number of reports in an error; reading stops when it is reached.
pub const MAX_REPORTS: usize = 100;

impl From<Report> for Error {
    fn from(first: Report) -> Self {
        Error(Box::new(Reports { first, rest: Vec::new(), warnings: Vec::new() }))
    }
}

impl Error {
    /// An error without a source position.
    pub fn new(kind: ErrorKind) -> Self {
        Report { kind, loc: Loc::default(), file: None, element: None, attribute: None, hint: None }.into()
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

    /// Adds a hint, unless there is one already.
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint.get_or_insert(text.into());
        self
    }

    /// Sets the file name, from the table that [`Loc::file`] indexes.
    pub fn in_files(mut self, files: &[String]) -> Self {
        self.0.first.resolve(files);
        self.0.rest.iter_mut().for_each(|report| report.resolve(files));
        self
    }

    /// Everything that is wrong, in the order in which it was found; at most [`MAX_REPORTS`].
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        std::iter::once(&self.0.first).chain(&self.0.rest)
    }

    /// Warnings that were raised before the error.
    pub fn warnings(&self) -> &[Report] {
        &self.0.warnings
    }

    pub(crate) fn with_warnings(mut self, warnings: Vec<Report>) -> Self {
        self.0.warnings = warnings;
        self
    }

    /// The report of an error that is only a warning.
    pub(crate) fn into_report(self) -> Report {
        self.0.first
    }

    /// Fails with all of the reports, if there are any.
    pub(crate) fn all(reports: &[Report]) -> Result<()> {
        gather(reports.iter().map(|report| Err::<(), _>(report.clone().into()))).map(drop)
    }

    /// Merges two errors.
    fn and(mut self, other: Error) -> Self {
        self.0.rest.push(other.0.first);
        self.0.rest.extend(other.0.rest);
        self.0.rest.truncate(MAX_REPORTS - 1);
        self
    }

    fn is_full(&self) -> bool {
        self.0.rest.len() + 1 >= MAX_REPORTS
    }
}

/// Collects the errors of a pass that continues after the first one.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// Records an error. Fails when there are so many that the pass should stop.
    pub(crate) fn push(&mut self, error: Error) -> Result<()> {
        let all = match self.0.take() {
            Some(former) => former.and(error),
            None => error,
        };
        if all.is_full() {
            return Err(all);
        }
        self.0 = Some(all);
        Ok(())
    }

    /// The value of a result; for an error, records it and returns `None`.
    pub(crate) fn keep<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => self.push(error).map(|()| None),
        }
    }

    /// Fails if any error was recorded.
    pub(crate) fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The values of all results, or the errors of those that failed.
pub(crate) fn gather<T>(results: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut values, mut errors) = (Vec::new(), Errors::default());
    for result in results {
        values.extend(errors.keep(result)?);
    }
    errors.finish().map(|()| values)
}

impl Deref for Error {
    type Target = Report;
    fn deref(&self) -> &Report {
        &self.0.first
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Report {
        &mut self.0.first
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.first.fmt(f)
    }
}

impl fmt::Display for Report {
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
