//! Loads model files and text into compiled models, with settings and warnings.

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

/// Stack of the loading thread; several times what the deepest allowed model needs.
const STACK: usize = 64 << 20;

/// A source that reads files on disk only.
static DISK: LazyLock<Source> = LazyLock::new(Source::disk);

/// Environment variable for programs that load untrusted files: models then read only the files they are given and
/// files below their own directory.
const CONFINED: &str = "SINEW_CONFINED";

/// Process-wide default of `confined`, for loaders that do not set it.
static CHOSEN: AtomicU8 = AtomicU8::new(UNSAID);
const UNSAID: u8 = 0;
const FREE: u8 = 1;
const CONFINED_ALL: u8 = 2;

/// Loads models; sets where files come from, how large a model may be, and how warnings are treated.
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

/// A compiled model, its warnings and its specification.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Warnings about content that was ignored or reinterpreted, in reading order.
    pub warnings: Vec<Report>,
    /// The editable specification, which can be changed, recompiled or saved.
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

    /// Whether loaders are [confined](Loader::confined) unless set otherwise.
    pub fn confined_by_default() -> bool {
        match CHOSEN.load(Ordering::Relaxed) {
            UNSAID => std::env::var_os(CONFINED).is_some_and(|v| !v.is_empty() && v != "0"),
            chosen => chosen == CONFINED_ALL,
        }
    }

    /// Sets whether loaders are [confined](Loader::confined) unless set otherwise. Takes effect from now on and
    /// overrides the environment variable.
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

    /// Sets which plugins models may use, in place of those that come with MuJoCo.
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

    /// Whether models may read only in-memory files of the source and files below their own directory; a model given as
    /// text then reads no file on disk. The environment variable `SINEW_CONFINED=1` sets this for a whole program.
    ///
    /// ```
    /// # use sinew_mjcf::Loader;
    /// let xml = r#"<mujoco><include file="/etc/passwd"/></mujoco>"#;
    /// assert!(Loader::new().confined(true).text(xml).is_err_and(|e| e.to_string().contains("not read")));
    /// ```
    pub fn confined(self, confined: bool) -> Self {
        Loader { confined, ..self }
    }

    /// Calls `work` with the loader to use for a model in `file`, or for a model without a file.
    fn for_model<T>(&self, file: Option<&str>, work: impl FnOnce(&Loader) -> T) -> T {
        if !self.confined {
            return work(self);
        }
        let source = file.map_or_else(|| self.source.memory_only(), |path| self.source.confined_to(path));
        work(&Loader { source: &source, ..self.clone() })
    }

    /// Whether to treat warnings as errors.
    pub fn strict(self, strict: bool) -> Self {
        Loader { strict, ..self }
    }

    /// Compiles a model file (MJCF or URDF, distinguished by the root element).
    ///
    /// # Errors
    /// Everything wrong with the file that can be found in one pass.
    pub fn path(&self, path: &str) -> Result<Loaded> {
        self.for_model(Some(path), |loader| loader.load(|session| session.read_file(path)))
    }

    /// Compiles a model given as text.
    ///
    /// # Errors
    /// Everything wrong with the text that can be found in one pass.
    pub fn text(&self, xml: &str) -> Result<Loaded> {
        self.for_model(None, |loader| loader.load(|session| session.read_text(xml, STRING)))
    }

    /// Reads a model written by [`Model::to_bytes`]. The memory that its simulation needs is bounded by
    /// [`Limits::memory`] and the number of bytes.
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

    /// Reads a model file without compiling it; also returns warnings.
    ///
    /// # Errors
    /// Everything wrong with the file that can be found without compiling.
    pub fn read_path(&self, path: &str) -> Result<(Spec, Vec<Report>)> {
        self.for_model(Some(path), |loader| loader.read(|session| session.read_file(path)))
    }

    /// Reads a model given as text without compiling it; also returns warnings.
    ///
    /// # Errors
    /// Everything wrong with the text that can be found without compiling.
    pub fn read_text(&self, xml: &str) -> Result<(Spec, Vec<Report>)> {
        self.for_model(None, |loader| loader.read(|session| session.read_text(xml, STRING)))
    }

    /// Compiles a model built or changed by a program; also returns warnings.
    ///
    /// # Errors
    /// Everything wrong with it that can be found in one pass.
    pub fn compile(&self, spec: &Spec) -> Result<(Model, Vec<Report>)> {
        // the lookup needs a file in the directory; any file name will do
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
                // keyframe values carried by attached elements become keyframes
                keys::settle(&mut spec);
                Ok((spec, session.warnings))
            }
            Err(error) => Err(error.with_warnings(session.warnings)),
        }
    }

    /// Fails with the warnings if they count as errors.
    fn settle(&self, warnings: &[Report]) -> Result<()> {
        if self.strict { Error::all(warnings) } else { Ok(()) }
    }
}

/// Hint for a saved model that cannot be read.
const AGAIN: &str = "compile the model again with this version of sinew";

/// File name in errors for text without a file.
const STRING: &str = "<string>";

/// Runs `work` on a thread with enough stack for the deepest allowed model: the caller's thread may have very little,
/// and a stack overflow aborts the process.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let run = || {
        let work = work.lock().ok().and_then(|mut work| work.take());
        work.map(|work| work())
    };
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(), // no thread can be spawned, or the platform has none
    })
    .expect("the work is taken once")
}
