//! The exported functions that the page calls. Data passes through two buffers: the page writes inputs to one, and
//! reads answers from the other.
#![allow(unsafe_code)] // exported names; only memory owned by safe code is accessed

use crate::files::unpack_files;
use crate::message::{FrameWriter, model_message};
use crate::{Command, Motion, Session};
use sinew_engine::Model;
use sinew_engine::model::enums::EnableFlags;
use sinew_mjcf::{Loader, Report, Source};
use std::cell::RefCell;

/// State of the page.
#[derive(Default)]
struct Page {
    session: Option<Session>,
    frames: FrameWriter,
    source: Source,
    /// Written by the page.
    input: Vec<u8>,
    /// Read by the page.
    output: Vec<u32>,
    /// Length of the output. (byte)
    length: usize,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Page) -> T) -> T {
    PAGE.with(|page| work(&mut page.borrow_mut()))
}

impl Page {
    fn answer(&mut self, words: &[u32]) {
        self.output.clear();
        self.output.extend_from_slice(words);
        self.length = 4 * words.len();
    }

    fn say(&mut self, text: &str) {
        let mut words = crate::message::Words::default();
        words.bytes(text.as_bytes());
        self.answer(words.words());
        self.length = text.len();
    }

    fn take_input(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.input)
    }
}

/// Allocates a buffer for an input of the page.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with(|page| {
        page.input = vec![0; length];
        page.input.as_mut_ptr()
    })
}

/// Address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u32 {
    with(|page| page.output.as_ptr())
}

/// Length of the last answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    with(|page| page.length)
}

/// Installs a panic hook that keeps the message for the page.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    std::panic::set_hook(Box::new(|info| {
        // the page's state is borrowed during a panic, so the message is stored separately
        LAST_WORDS.with(|words| {
            if let Ok(mut words) = words.try_borrow_mut() {
                *words = info.to_string();
            }
        });
    }));
}

thread_local! {
    static LAST_WORDS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Address of the panic message.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> *const u8 {
    LAST_WORDS.with(|words| words.borrow().as_ptr())
}

/// Length of the panic message, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_length() -> usize {
    LAST_WORDS.with(|words| words.borrow().len())
}

/// Sets the packed files from which models are loaded.
#[unsafe(no_mangle)]
pub extern "C" fn files() -> i32 {
    with(|page| match unpack_files(&page.take_input()) {
        Ok(files) => {
            page.source = Source::with_files(files);
            1
        }
        Err(e) => {
            page.say(&e.to_string());
            0
        }
    })
}

/// Loads the file whose name is the input. On errors, the answer has one line per report: severity, file, line, column
/// and text, separated by tabs; otherwise it has the warnings in the same format.
#[unsafe(no_mangle)]
pub extern "C" fn load() -> i32 {
    with(|page| {
        let name = String::from_utf8_lossy(&page.take_input()).into_owned();
        let loaded = match page.source.read("", &name) {
            Ok(content) if Model::is_saved(&content) => Model::from_bytes(&content)
                .map(|model| (model, Vec::new()))
                .map_err(|e| format!("error\t{name}\t0\t0\t{e}\n")),
            _ => compile(&page.source, &name),
        };
        match loaded {
            Ok((mut model, warnings)) => {
                model.opt.enableflags |= EnableFlags::ENERGY; // for the page's plots
                page.session = Some(Session::new(model));
                page.frames.restart();
                page.say(&lines("warning", &warnings));
                1
            }
            Err(words) => {
                page.say(&words);
                0
            }
        }
    })
}

fn compile(source: &Source, name: &str) -> Result<(Model, Vec<Report>), String> {
    match Loader::new().source(source).path(name) {
        Ok(loaded) => Ok((loaded.model, loaded.warnings)),
        Err(error) => {
            let reports: Vec<Report> = error.reports().cloned().collect();
            Err(lines("error", &reports) + &lines("warning", error.warnings()))
        }
    }
}

fn lines(severity: &str, reports: &[Report]) -> String {
    let line = |r: &Report| {
        let file = r.file.as_deref().unwrap_or("");
        let words = r.to_string().replace(['\n', '\t'], " ");
        format!("{severity}\t{file}\t{}\t{}\t{words}\n", r.loc.line, r.loc.column)
    };
    reports.iter().map(line).collect()
}

/// Shows a recorded motion: the input has the times, then the positions. Returns 0 if they do not match the model.
#[unsafe(no_mangle)]
pub extern "C" fn replay(states: usize) -> i32 {
    with(|page| {
        let input = page.take_input();
        let (numbers, _) = input.as_chunks::<8>();
        let mut numbers = numbers.iter().map(|n| f64::from_le_bytes(*n));
        let motion = Motion { time: numbers.by_ref().take(states).collect(), qpos: numbers.collect() };
        page.session.as_mut().is_some_and(|session| session.replay(motion)).into()
    })
}

/// The model message.
#[unsafe(no_mangle)]
pub extern "C" fn model() {
    with(|page| {
        if let Some(session) = &page.session {
            let words = model_message(&session.model);
            page.answer(words.words());
        }
    });
}

/// Executes the command in the input.
#[unsafe(no_mangle)]
pub extern "C" fn command() -> i32 {
    with(|page| match (&mut page.session, Command::decode(&page.input)) {
        (Some(session), Ok(command)) => session.apply(command).into(),
        _ => 0,
    })
}

/// Advances real time, with a bounded number of steps; returns the number of steps taken.
#[unsafe(no_mangle)]
pub extern "C" fn advance(seconds: f64, most: u32) -> usize {
    with(|page| {
        let Some(session) = &mut page.session else { return 0 };
        let mut left = most;
        session.advance(seconds, || {
            let done = left == 0;
            left = left.saturating_sub(1);
            done
        })
    })
}

/// The next frame.
#[unsafe(no_mangle)]
pub extern "C" fn frame() {
    with(|page| {
        if let Some(session) = &mut page.session {
            session.see();
            let words = page.frames.session(session).words();
            page.output.clear();
            page.output.extend_from_slice(words);
            page.length = 4 * words.len();
        }
    });
}

/// Takes steps without updating the scene, for tests of models; returns the time reached. (s)
#[unsafe(no_mangle)]
pub extern "C" fn steps(count: u32) -> f64 {
    with(|page| {
        page.session.as_mut().map_or(0.0, |session| {
            session.running = false;
            session.apply(Command::Step([count.into()]));
            session.data.state.time
        })
    })
}
