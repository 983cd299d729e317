//! Where elements come from: a position in a file, or a line of the program that made them.

use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// Source files of programs that made elements.
static PROGRAMS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// Flag in [`Loc::file`] that marks a position in a program.
const PROGRAM: u32 = 1 << 31;

/// Source position of an element. Line and column count from 1; 0 means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loc {
    /// Index into [`Spec::files`](super::Spec::files), unless it refers to a program.
    pub file: u32,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Id of an element made by a program; 0 for elements from files.
    pub element: u32,
}

impl Loc {
    /// The line that calls a `#[track_caller]` function that calls this one.
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

    /// Whether the element was made by a program rather than read from a file.
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
