//! The user's callbacks: functions that a simulation calls from inside a step.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::plugin;
use pyo3::exceptions::{PyRecursionError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew_engine::hooks::Hooks;
use sinew_engine::model::enums::Stage;
use sinew_engine::plugin::{Instance, Part};
use sinew_engine::{Data, Model};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Maximum nesting of callbacks; each level uses native stack.
const MAX_DEPTH: u32 = 32;

/// The kinds of callbacks.
#[derive(Clone, Copy)]
enum Which {
    Passive,
    Control,
    Sensor,
    ContactFilter,
    ActDyn,
    ActGain,
    ActBias,
    Time,
}

const NAMES: [&str; 8] = [
    "mjcb_passive",
    "mjcb_control",
    "mjcb_sensor",
    "mjcb_contactfilter",
    "mjcb_act_dyn",
    "mjcb_act_gain",
    "mjcb_act_bias",
    "mjcb_time",
];

/// The callbacks of the process, as in MuJoCo.
static FUNCTIONS: Mutex<[Option<Py<PyAny>>; NAMES.len()]> = Mutex::new([const { None }; NAMES.len()]);

/// One bit per callback that is set, so that a call without any takes neither the lock nor the GIL.
static SET: AtomicU32 = AtomicU32::new(0);

/// Whether stages are timed with the system clock; cleared when the user sets a clock.
static OWN_CLOCK: AtomicBool = AtomicBool::new(true);

/// Times stages with the system clock unless the user has set another. As in MuJoCo, every new simulation calls this;
/// setting None, which stops the timers, holds until then.
pub fn start_clock() {
    OWN_CLOCK.store(true, Ordering::Relaxed);
}

/// Seconds since the first call.
fn clock() -> f64 {
    static CLOCK: LazyLock<(quanta::Clock, u64)> = LazyLock::new(|| {
        let clock = quanta::Clock::new();
        let start = clock.raw();
        (clock, start)
    });
    let (clock, start) = &*CLOCK;
    clock.delta_as_nanos(*start, clock.raw()) as f64 * 1e-9
}

/// The system clock without callbacks.
pub struct Clock;

impl Hooks for Clock {
    fn time(&mut self) -> f64 {
        if OWN_CLOCK.load(Ordering::Relaxed) { clock() } else { 0.0 }
    }
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

fn functions() -> MutexGuard<'static, [Option<Py<PyAny>>; NAMES.len()]> {
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn get(py: Python<'_>, which: Which) -> Option<Bound<'_, PyAny>> {
    functions()[which as usize].as_ref().map(|f| f.bind(py).clone())
}

/// A function that may be set as a callback; nothing for `None`.
fn checked(function: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    let native = function.py().import("ctypes")?.getattr("_CFuncPtr")?;
    if function.is_instance(&native)? {
        return Err(PyTypeError::new_err("callbacks are Python functions; C functions expect MuJoCo's own structs"));
    }
    if !function.is_none() && !function.is_callable() {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    Ok((!function.is_none()).then(|| function.clone().unbind()))
}

fn set(which: Which, function: &Bound<'_, PyAny>) -> PyResult<()> {
    let function = checked(function)?;
    if matches!(which, Which::Time) {
        OWN_CLOCK.store(false, Ordering::Relaxed);
    }
    let mut all = functions();
    if function.is_some() {
        SET.fetch_or(1 << which as u32, Ordering::Relaxed);
    } else {
        SET.fetch_and(!(1 << which as u32), Ordering::Relaxed);
    }
    let old = std::mem::replace(&mut all[which as usize], function);
    // freeing the old one may run Python code that sets callbacks
    drop(all);
    drop(old);
    Ok(())
}

/// Guard that counts one more callback on this thread's stack.
struct Nested;

impl Nested {
    fn enter() -> PyResult<Self> {
        let depth = DEPTH.get();
        if depth == MAX_DEPTH {
            return Err(PyRecursionError::new_err(format!("more than {MAX_DEPTH} callbacks inside one another")));
        }
        DEPTH.set(depth + 1);
        Ok(Nested)
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// The callbacks, for a native call on these two objects. An exception in a callback ends the call.
pub struct Callbacks<'a> {
    model: &'a Py<MjModel>,
    data: &'a Py<MjData>,
}

/// The hooks of a native call: the callbacks if any are set, and a clock.
pub enum UserHooks<'a> {
    Callbacks(Callbacks<'a>),
    Clock(Clock),
}

impl<'a> UserHooks<'a> {
    pub fn new(model: &'a Bound<'_, MjModel>, data: &'a Bound<'_, MjData>) -> Self {
        Self::over(model.as_unbound(), data.as_unbound())
    }

    /// [`UserHooks::new`] for threads without the GIL.
    pub fn over(model: &'a Py<MjModel>, data: &'a Py<MjData>) -> Self {
        if any_set() || plugin::in_python(model.get()) {
            UserHooks::Callbacks(Callbacks { model, data })
        } else {
            UserHooks::Clock(Clock)
        }
    }

    /// The hooks in the form the engine takes.
    pub fn get(&mut self) -> &mut dyn Hooks {
        match self {
            UserHooks::Callbacks(callbacks) => callbacks,
            UserHooks::Clock(clock) => clock,
        }
    }
}

/// Whether a callback is set.
fn any_set() -> bool {
    SET.load(Ordering::Relaxed) != 0
}

/// Whether there are callbacks that change what a step does.
pub fn any() -> bool {
    SET.load(Ordering::Relaxed) & !(1 << Which::Time as u32) != 0
}

/// Refuses callbacks that would change the results of worlds without a Python object to pass to them.
pub fn refuse(what: &str) -> PyResult<()> {
    let all = SET.load(Ordering::Relaxed) & !(1 << Which::Time as u32);
    let names: Vec<&str> = (0..NAMES.len()).filter(|i| all >> i & 1 != 0).map(|i| NAMES[i]).collect();
    if names.is_empty() {
        return Ok(());
    }
    let names = names.join(", ");
    Err(PyRuntimeError::new_err(format!(
        "{what} cannot call {names}; use mj_step or sinew.rollout, which do, or remove it"
    )))
}

impl Callbacks<'_> {
    /// Calls a callback and returns its `result`; `None` if it is not set.
    fn run<R>(
        &self,
        which: Which,
        (m, d): (&Model, &mut Data),
        extra: &[usize],
        result: impl FnOnce(Bound<'_, PyAny>) -> PyResult<R>,
    ) -> Option<R> {
        if SET.load(Ordering::Relaxed) & (1 << which as u32) == 0 {
            return None;
        }
        let outcome = Python::attach(|py| {
            let Some(function) = get(py, which) else { return Ok(None) };
            self.call(&function, (m, d), extra, result).map(Some)
        });
        outcome.unwrap_or_else(|e| error::raise(e))
    }

    /// Calls a function with the model, the simulation and further arguments.
    fn call<R>(
        &self,
        function: &Bound<'_, PyAny>,
        (m, d): (&Model, &mut Data),
        extra: &[usize],
        result: impl FnOnce(Bound<'_, PyAny>) -> PyResult<R>,
    ) -> PyResult<R> {
        let py = function.py();
        let _nested = Nested::enter()?;
        let (model, data) = (self.model.bind(py).as_any(), self.data.bind(py).as_any());
        let mut args = vec![model.clone(), data.clone()];
        for x in extra {
            args.push(x.into_pyobject(py)?.into_any());
        }
        let args = PyTuple::new(py, args)?;
        let value = self.data.get().cell.lend(d, || function.call1(args).and_then(result))?;
        self.model.get().check(m)?;
        self.data.get().check(m, d)?;
        Ok(value)
    }

    fn number(&self, which: Which, m: &Model, d: &mut Data, actuator: usize) -> Option<f64> {
        self.run(which, (m, d), &[actuator], |value| {
            let name = NAMES[which as usize];
            value.extract().map_err(|_| PyTypeError::new_err(format!("{name} callback did not return a number")))
        })
    }
}

impl Hooks for Callbacks<'_> {
    fn time(&mut self) -> f64 {
        if SET.load(Ordering::Relaxed) & (1 << Which::Time as u32) == 0 {
            return Clock.time();
        }
        let outcome = Python::attach(|py| {
            let Some(function) = get(py, Which::Time) else { return Ok(0.0) };
            let _nested = Nested::enter()?;
            let wrong = |_| PyTypeError::new_err("mjcb_time callback did not return a number");
            function.call0()?.extract::<f64>().map_err(wrong)
        });
        outcome.unwrap_or_else(|e| error::raise(e))
    }

    fn control(&mut self, m: &Model, d: &mut Data) {
        self.run(Which::Control, (m, d), &[], |_| Ok(()));
    }

    fn passive(&mut self, m: &Model, d: &mut Data) {
        self.run(Which::Passive, (m, d), &[], |_| Ok(()));
    }

    fn sensor(&mut self, m: &Model, d: &mut Data, stage: Stage) {
        self.run(Which::Sensor, (m, d), &[stage as usize], |_| Ok(()));
    }

    fn contact_filter(&mut self, m: &Model, d: &mut Data, geom1: usize, geom2: usize) -> bool {
        let result = |value: Bound<'_, PyAny>| {
            let number = value.extract::<i32>();
            number
                .map(|n| n != 0)
                .map_err(|_| PyTypeError::new_err("mjcb_contactfilter callback did not return an integer"))
        };
        self.run(Which::ContactFilter, (m, d), &[geom1, geom2], result)
            .unwrap_or_else(|| ().contact_filter(m, d, geom1, geom2))
    }

    fn plugin(&mut self, m: &Model, d: &mut Data, instance: &dyn Instance, part: Part) {
        let Some(python) = plugin::python(instance) else { return part.run(instance, m, d) };
        let outcome = Python::attach(|py| match python.method(py, part)? {
            Some(method) => self.call(&method, (m, d), &[], |_| Ok(())),
            None => Ok(()),
        });
        outcome.unwrap_or_else(|e| error::raise(e));
    }

    fn act_dyn(&mut self, m: &Model, d: &mut Data, actuator: usize) -> f64 {
        self.number(Which::ActDyn, m, d, actuator).unwrap_or_else(|| ().act_dyn(m, d, actuator))
    }

    fn act_gain(&mut self, m: &Model, d: &mut Data, actuator: usize) -> f64 {
        self.number(Which::ActGain, m, d, actuator).unwrap_or_else(|| ().act_gain(m, d, actuator))
    }

    fn act_bias(&mut self, m: &Model, d: &mut Data, actuator: usize) -> f64 {
        self.number(Which::ActBias, m, d, actuator).unwrap_or_else(|| ().act_bias(m, d, actuator))
    }
}

macro_rules! accessors {
    ($($which:ident $set:ident $get:ident $doc:literal;)*) => {
        $(
            #[doc = concat!("Sets the callback ", $doc, "; None for no callback.")]
            #[pyfunction]
            fn $set(callback: &Bound<'_, PyAny>) -> PyResult<()> {
                set(Which::$which, callback)
            }

            #[doc = concat!("The callback ", $doc, ".")]
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
                get(py, Which::$which)
            }
        )*

        /// Removes all callbacks.
        #[pyfunction]
        fn mj_resetCallbacks(py: Python<'_>) -> PyResult<()> {
            let none = py.None();
            $(set(Which::$which, none.bind(py))?;)*
            Ok(())
        }

        /// Adds the functions.
        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($set, module)?)?;
                module.add_function(wrap_pyfunction!($get, module)?)?;
            )*
            module.add_function(wrap_pyfunction!(mj_resetCallbacks, module)?)?;
            Ok(())
        }
    };
}

accessors! {
    Passive set_mjcb_passive get_mjcb_passive "`f(m, d)` that adds to `qfrc_passive`";
    Control set_mjcb_control get_mjcb_control "`f(m, d)` that sets controls and applied forces";
    Sensor set_mjcb_sensor get_mjcb_sensor "`f(m, d, stage)` that writes the `sensordata` of user sensors";
    ContactFilter set_mjcb_contactfilter get_mjcb_contactfilter
        "`f(m, d, geom1, geom2)` that returns 1 for geoms that do not collide, in place of their contact types";
    ActDyn set_mjcb_act_dyn get_mjcb_act_dyn "`f(m, d, actuator)` that returns the rate of a user activation";
    ActGain set_mjcb_act_gain get_mjcb_act_gain "`f(m, d, actuator)` that returns the gain of a user actuator";
    Time set_mjcb_time get_mjcb_time "`f()` that returns the time that stages are timed with";
    ActBias set_mjcb_act_bias get_mjcb_act_bias "`f(m, d, actuator)` that returns the bias of a user actuator";
}
