//! Files and text to compiled models, with settings and warnings.

use crate::compile;
use crate::error::{Error, Report, Result};
use crate::limits::Limits;
use crate::reader::Session;
use crate::source::Source;
use crate::spec::{Spec, keys};
use sinew_engine::plugin::Registry;
use sinew_engine::{Data, Model};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{LazyLock, Mutex};

/// Stack of the thread that loads: the deepest model allowed fits many times.
const STACK: usize = 64 << 20;

/// Files on disk only.
static DISK: LazyLock<Source> = LazyLock::new(Source::disk);

/// Programs that load files of strangers set this: models then read no files but those given and those beside them.
const CONFINED: &str = "SINEW_CONFINED";

/// What the program has said of loaders that are not told.
static CHOSEN: AtomicU8 = AtomicU8::new(UNSAID);
const UNSAID: u8 = 0;
const FREE: u8 = 1;
const CONFINED_ALL: u8 = 2;

/// Loads models, with a say in where files come from, how large a model may be, and what becomes of warnings.
///
/// ```
/// let xml = r#"<mujoco><body name="lost"/><worldbody><geom size=".1"/></worldbody></mujoco>"#;
/// let loaded = sinew_mjcf::Loader::new().text(xml)?;
/// assert_eq!(loaded.model.ngeom, 1);
/// assert_eq!(loaded.warnings[0].element.as_deref(), Some("body")); // MuJoCo ignores it without a word
/// assert!(sinew_mjcf::Loader::new().strict(true).text(xml).is_err());
/// # Ok::<(), sinew_mjcf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loader<'a> {
    source: &'a Source,
    limits: Limits,
    strict: bool,
    confined: bool,
    plugins: Option<&'a Registry>,
}

/// A compiled model and what its author should know.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What was read otherwise than written, in the order of reading.
    pub warnings: Vec<Report>,
    /// What the file says, to be changed, compiled again or saved.
    pub spec: Spec,
}

impl Default for Loader<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Loader<'a> {
    /// Reads files on disk, with the usual limits, and collects warnings.
    pub fn new() -> Self {
        let confined = Self::confined_by_default();
        Loader { source: &DISK, limits: Limits::default(), strict: false, confined, plugins: None }
    }

    /// Whether loaders that are not told are [confined](Loader::confined).
    pub fn confined_by_default() -> bool {
        match CHOSEN.load(Ordering::Relaxed) {
            UNSAID => std::env::var_os(CONFINED).is_some_and(|v| !v.is_empty() && v != "0"),
            chosen => chosen == CONFINED_ALL,
        }
    }

    /// Says whether loaders that are not told are [confined](Loader::confined), from now on and whatever the environment
    /// says.
    pub fn confine_by_default(confined: bool) {
        CHOSEN.store(if confined { CONFINED_ALL } else { FREE }, Ordering::Relaxed);
    }

    /// Looks up files in `source`.
    pub fn source(self, source: &'a Source) -> Self {
        Loader { source, ..self }
    }

    /// Sets how large a model may be.
    pub fn limits(self, limits: Limits) -> Self {
        Loader { limits, ..self }
    }

    /// Sets which plugins models may ask for, in place of those that come with MuJoCo.
    ///
    /// ```
    /// # use sinew_mjcf::Loader;
    /// let mut registry = sinew_engine::plugin::Registry::builtin();
    /// // registry.register(Arc::new(MyPlugin))?;
    /// let loaded = Loader::new().plugins(&registry).text("<mujoco/>")?;
    /// # Ok::<(), sinew_mjcf::Error>(())
    /// ```
    pub fn plugins(self, registry: &'a Registry) -> Self {
        Loader { plugins: Some(registry), ..self }
    }

    /// Whether models may read only files that the source has in memory and files in the directory of their own; a model
    /// given as text then reads no file on disk. The environment variable `SINEW_CONFINED=1` says so for a whole program.
    ///
    /// ```
    /// # use sinew_mjcf::Loader;
    /// let xml = r#"<mujoco><include file="/etc/passwd"/></mujoco>"#;
    /// assert!(Loader::new().confined(true).text(xml).is_err_and(|e| e.to_string().contains("not read")));
    /// ```
    pub fn confined(self, confined: bool) -> Self {
        Loader { confined, ..self }
    }

    /// The loader for a model in a file, or for one that is in none.
    fn for_model<T>(&self, file: Option<&str>, work: impl FnOnce(&Loader) -> T) -> T {
        if !self.confined {
            return work(self);
        }
        let source = file.map_or_else(|| self.source.memory_only(), |path| self.source.confined_to(path));
        work(&Loader { source: &source, ..self.clone() })
    }

    /// Whether warnings are errors.
    pub fn strict(self, strict: bool) -> Self {
        Loader { strict, ..self }
    }

    /// Compiles a model file (MJCF or URDF, told apart by the root element).
    ///
    /// # Errors
    /// Everything that is wrong with the file, as far as it can be told at once.
    pub fn path(&self, path: &str) -> Result<Loaded> {
        self.for_model(Some(path), |loader| loader.load(|session| session.read_file(path)))
    }

    /// Compiles a model given as text.
    ///
    /// # Errors
    /// Everything that is wrong with the text, as far as it can be told at once.
    pub fn text(&self, xml: &str) -> Result<Loaded> {
        self.for_model(None, |loader| loader.load(|session| session.read_text(xml, STRING)))
    }

    /// Reads a model that [`Model::to_bytes`] wrote. What a simulation of it takes is bounded by [`Limits::memory`] and the
    /// number of bytes.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn saved(&self, bytes: &[u8]) -> Result<Model> {
        let builtin = Registry::builtin();
        let model = Model::from_bytes_with(bytes, self.plugins.unwrap_or(&builtin))
            .map_err(|e| Error::invalid(e.to_string()).hint(AGAIN))?;
        let mut limits = self.limits;
        limits.justify_bytes(bytes.len());
        limits.check_memory("a simulation of the model", Data::bytes_needed(&model))?;
        Ok(model)
    }

    /// Reads a model file without compiling it; returns what its author should know too.
    ///
    /// # Errors
    /// Everything that is wrong with the file, as far as it can be told without compiling.
    pub fn read_path(&self, path: &str) -> Result<(Spec, Vec<Report>)> {
        self.for_model(Some(path), |loader| loader.read(|session| session.read_file(path)))
    }

    /// Reads a model given as text without compiling it; returns what its author should know too.
    ///
    /// # Errors
    /// Everything that is wrong with the text, as far as it can be told without compiling.
    pub fn read_text(&self, xml: &str) -> Result<(Spec, Vec<Report>)> {
        self.for_model(None, |loader| loader.read(|session| session.read_text(xml, STRING)))
    }

    /// Compiles a model that a program has made or changed; returns what its author should know too.
    ///
    /// # Errors
    /// Everything that is wrong with it, as far as it can be told at once.
    pub fn compile(&self, spec: &Spec) -> Result<(Model, Vec<Report>)> {
        // any file in the directory stands for it
        let dir = spec.compilers.first().map(|c| c.modelfiledir.as_str()).filter(|dir| !dir.is_empty());
        self.for_model(dir.map(|dir| format!("{dir}model")).as_deref(), |loader| {
            on_deep_stack(|| {
                let mut warnings = Vec::new();
                match compile::compile_with(spec, loader.source, &mut warnings) {
                    Ok(model) => loader.settle(&warnings).map(|()| (model, warnings)),
                    Err(error) => Err(error.with_warnings(warnings)),
                }
            })
        })
    }

    fn load(&self, read: impl FnOnce(&mut Session) -> Result<Spec> + Send) -> Result<Loaded> {
        on_deep_stack(|| {
            let (spec, mut warnings) = self.session(read)?;
            let model = compile::compile_with(&spec, self.source, &mut warnings);
            let model = model.and_then(|model| self.settle(&warnings).map(|()| model));
            match model {
                Ok(model) => Ok(Loaded { model, warnings, spec }),
                Err(error) => Err(error.with_warnings(warnings)),
            }
        })
    }

    fn read(&self, read: impl FnOnce(&mut Session) -> Result<Spec> + Send) -> Result<(Spec, Vec<Report>)> {
        on_deep_stack(|| self.session(read))
    }

    fn session(&self, read: impl FnOnce(&mut Session) -> Result<Spec>) -> Result<(Spec, Vec<Report>)> {
        let mut session = Session::new(self.source, self.limits, self.plugins.cloned().unwrap_or_default());
        match read(&mut session) {
            Ok(mut spec) => {
                // keyframe values that travelled with attached elements become keyframes
                keys::settle(&mut spec);
                Ok((spec, session.warnings))
            }
            Err(error) => Err(error.with_warnings(session.warnings)),
        }
    }

    /// The warnings as an error if they count as one.
    fn settle(&self, warnings: &[Report]) -> Result<()> {
        if self.strict { Error::all(warnings) } else { Ok(()) }
    }
}

/// What to do with a saved model that cannot be read.
const AGAIN: &str = "compile the model again with this version of sinew";

/// What text without a file is called in errors.
const STRING: &str = "<string>";

/// Runs `work` where there is stack for the deepest model allowed: threads of a program may have very little, and
/// running out of it ends the process.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let run = || {
        let work = work.lock().ok().and_then(|mut work| work.take());
        work.map(|work| work())
    };
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(), // no more threads, or no such thing here
    })
    .expect("the work is taken once")
}
