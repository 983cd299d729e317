//! Where elements come from: a place in a file, or a line of the program that made them.

use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// Source files of programs that have made elements.
static PROGRAMS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// Set in [`Loc::file`] of a place in a program.
const PROGRAM: u32 = 1 << 31;

/// Where an element stands in its source file. Line and column count from 1; 0 means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loc {
    /// Index into the file table of [`Spec::files`](super::Spec::files), unless it is a line of a program.
    pub file: u32,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// The id of an element that a program has made; 0 for those of files.
    pub element: u32,
}

impl Loc {
    /// The line of a program that calls a function marked `#[track_caller]`, which calls this.
    #[track_caller]
    pub(crate) fn caller() -> Self {
        let place = Location::caller();
        let mut files = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        let known = files.iter().position(|file| *file == place.file());
        let file = known.unwrap_or_else(|| {
            files.push(place.file());
            files.len() - 1
        });
        Loc { file: PROGRAM | file as u32, line: place.line(), column: place.column(), element: 0 }
    }

    /// Whether no file knows the element.
    pub(crate) fn is_made(self) -> bool {
        self.line == 0 || self.file & PROGRAM != 0
    }

    /// Name of the file, from the file table of the model.
    pub(crate) fn file_name(self, files: &[String]) -> Option<String> {
        if self.line == 0 {
            return None;
        }
        if self.file & PROGRAM == 0 {
            return files.get(self.file as usize).cloned();
        }
        let programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        programs.get((self.file & !PROGRAM) as usize).map(ToString::to_string)
    }
}
