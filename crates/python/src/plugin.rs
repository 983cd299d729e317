//! Plugins that are Python classes; an object of the class is a plugin instance. Slow, since each stage that a plugin
//! takes part in calls Python.

use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew_engine::model::enums::Stage;
use sinew_engine::plugin::{Config, Field, Instance, Part, Plugin, PluginCapabilities, PluginError, Plugins, Registry};
use sinew_engine::{Data, Model};
use std::any::Any;
use std::sync::Arc;

/// The registry of MuJoCo's own plugins and those of the user.
pub fn registry(py: Python<'_>, classes: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<Registry> {
    let mut registry = Registry::builtin();
    for class in classes.unwrap_or_default() {
        let plugin = Kind::new(py, &class)?;
        registry.register(Arc::new(plugin)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    }
    Ok(registry)
}

/// A plugin class.
#[derive(Debug)]
struct Kind {
    class: Py<PyAny>,
    name: String,
    attributes: Vec<String>,
    capabilities: PluginCapabilities,
    needstage: Stage,
}

/// An attribute of a class, converted to its expected type.
fn attribute<'py, T: FromPyObjectOwned<'py>>(class: &Bound<'py, PyAny>, name: &str, what: &str) -> PyResult<Option<T>> {
    let Some(value) = class.getattr_opt(name)? else { return Ok(None) };
    let wrong = |_| PyTypeError::new_err(format!("'{name}' of a plugin class must be {what}"));
    value.extract::<T>().map(Some).map_err(|e| wrong(e.into()))
}

impl Kind {
    fn new(_py: Python<'_>, class: &Bound<'_, PyAny>) -> PyResult<Self> {
        let missing = |name: &str| PyTypeError::new_err(format!("a plugin class needs the attribute '{name}'"));
        let name: String = attribute(class, "name", "a string")?.ok_or_else(|| missing("name"))?;
        let bits: i32 = attribute(class, "capabilities", "bits of mjtPluginCapabilityBit")?
            .ok_or_else(|| missing("capabilities"))?;
        let stage: Option<i32> = attribute(class, "needstage", "an mjtStage")?;
        let needstage = Stage::try_from(stage.unwrap_or(Stage::Pos as i32));
        Ok(Kind {
            class: class.clone().unbind(),
            name,
            attributes: attribute(class, "attributes", "a list of strings")?.unwrap_or_default(),
            capabilities: PluginCapabilities::from_bits_retain(bits),
            needstage: needstage.map_err(|e| PyValueError::new_err(e.to_string()))?,
        })
    }

    /// A count that the class gives as an attribute or as a function of the settings.
    fn count(&self, name: &str, config: &Config) -> Result<usize, PluginError> {
        attached(|py| {
            let Some(value) = self.class.bind(py).getattr_opt(name)? else { return Ok(0) };
            if value.is_callable() { value.call1((dict(py, config)?,))?.extract() } else { value.extract() }
        })
    }

    fn make<'py>(&self, py: Python<'py>, config: &Config, users: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.class.bind(py).call1((dict(py, config)?, users))
    }
}

/// Runs Python code; an exception becomes an error of the plugin.
fn attached<R>(work: impl FnOnce(Python<'_>) -> PyResult<R>) -> Result<R, PluginError> {
    Python::attach(|py| work(py).map_err(|e| PluginError::new(e.to_string())))
}

/// The settings as a dictionary.
fn dict<'py>(py: Python<'py>, config: &Config) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    config.iter().filter(|(_, value)| !value.is_empty()).try_for_each(|(key, value)| dict.set_item(key, value))?;
    Ok(dict)
}

/// Ids of the elements that use an instance.
fn users<'py>(py: Python<'py>, m: &Model, instance: usize) -> PyResult<Bound<'py, PyAny>> {
    let of = |ids: &[i32]| (0..ids.len()).filter(|&i| ids[i] == instance as i32).collect::<Vec<_>>();
    let users = PyDict::new(py);
    users.set_item("instance", instance)?;
    users.set_item("body", of(&m.body_plugin))?;
    users.set_item("geom", of(&m.geom_plugin))?;
    users.set_item("actuator", of(&m.actuator_plugin))?;
    users.set_item("sensor", of(&m.sensor_plugin))?;
    Ok(users.into_any())
}

impl Plugin for Kind {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Vec<&str> {
        self.attributes.iter().map(String::as_str).collect()
    }

    fn capabilities(&self) -> PluginCapabilities {
        self.capabilities
    }

    fn needstage(&self) -> Stage {
        self.needstage
    }

    fn nstate(&self, config: &Config) -> Result<usize, PluginError> {
        self.count("nstate", config)
    }

    fn nsensordata(&self, config: &Config) -> Result<usize, PluginError> {
        self.count("nsensordata", config)
    }

    fn field(&self, config: &Config) -> Result<Box<dyn Field>, PluginError> {
        attached(|py| {
            let object = self.make(py, config, py.None().bind(py))?;
            let aabb = object.call_method0("aabb")?.extract()?;
            let exact = object.hasattr("gradient")?;
            Ok(Box::new(PyField { object: object.unbind(), aabb, exact }) as Box<dyn Field>)
        })
    }

    fn bind(&self, m: &Model, instance: usize, config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        attached(|py| {
            let object = self.make(py, config, &users(py, m, instance)?)?.unbind();
            Ok(Box::new(PyInstance { class: self.class.clone_ref(py), object }) as Box<dyn Instance>)
        })
    }
}

/// An instance of a plugin class.
#[derive(Debug)]
pub struct PyInstance {
    class: Py<PyAny>,
    object: Py<PyAny>,
}

impl PyInstance {
    /// The method for a stage, if the class has it.
    pub fn method<'py>(&self, py: Python<'py>, part: Part) -> PyResult<Option<Bound<'py, PyAny>>> {
        let name = match part {
            Part::Passive => "passive",
            Part::ActDot => "act_dot",
            Part::Actuate => "actuate",
            Part::Sense => "sense",
            Part::Advance => "advance",
        };
        self.object.bind(py).getattr_opt(name)
    }

    /// Refuses simulations that were not started from Python, for which there is no Python object.
    fn refuse(&self) {
        error::raise(PyRuntimeError::new_err(
            "a plugin in Python cannot run here; use mj_step or sinew.rollout, or write it in Rust",
        ))
    }
}

impl Instance for PyInstance {
    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn reset(&self, _m: &Model, state: &mut [f64]) {
        let initial = Python::attach(|py| {
            let Some(method) = self.object.bind(py).getattr_opt("reset")? else { return Ok(None) };
            let values: Vec<f64> = method.call0()?.extract()?;
            if values.len() == state.len() {
                return Ok(Some(values));
            }
            let message = format!("reset gave {} values for a state of {}", values.len(), state.len());
            Err(PyValueError::new_err(message))
        });
        match initial {
            Ok(values) => values.into_iter().for_each(|values| state.copy_from_slice(&values)),
            Err(e) => error::raise(e),
        }
    }

    fn passive(&self, _m: &Model, _d: &mut Data) {
        self.refuse();
    }

    fn act_dot(&self, _m: &Model, _d: &mut Data) {
        self.refuse();
    }

    fn actuate(&self, _m: &Model, _d: &mut Data) {
        self.refuse();
    }

    fn sense(&self, _m: &Model, _d: &mut Data) {
        self.refuse();
    }

    fn advance(&self, _m: &Model, _d: &mut Data) {
        self.refuse();
    }
}

/// Signed distance function of a plugin instance.
#[derive(Debug)]
struct PyField {
    object: Py<PyAny>,
    aabb: [f64; 6],
    /// Whether the class has a method for the gradient.
    exact: bool,
}

impl PyField {
    fn ask<T: for<'py> FromPyObjectOwned<'py>>(&self, method: &str, p: [f64; 3]) -> T {
        let value = Python::attach(|py| {
            let wrong = |_| PyTypeError::new_err(format!("'{method}' of a plugin gave something else than numbers"));
            let value = self.object.bind(py).call_method1(method, (p,))?;
            value.extract::<T>().map_err(|e| wrong(e.into()))
        });
        value.unwrap_or_else(|e: PyErr| error::raise(e))
    }
}

impl Field for PyField {
    fn distance(&self, p: [f64; 3]) -> f64 {
        self.ask("distance", p)
    }

    fn gradient(&self, p: [f64; 3], dist: f64) -> [f64; 3] {
        if self.exact { self.ask("gradient", p) } else { sinew_engine::plugin::differences(self, p, dist) }
    }

    fn aabb(&self) -> [f64; 6] {
        self.aabb
    }
}

/// A plugin instance as its Python object.
pub fn python(instance: &dyn Instance) -> Option<&PyInstance> {
    instance.as_any()?.downcast_ref()
}

/// Whether a model has plugins in Python.
pub fn in_python(model: &MjModel) -> bool {
    model.sizes().nplugin > 0 && model.read().is_ok_and(|m| classes_of(m.plugins()).next().is_some())
}

/// Refuses Python plugins in worlds that have no Python object to pass to them.
pub fn refuse(what: &str, model: &MjModel) -> PyResult<()> {
    if !in_python(model) {
        return Ok(());
    }
    let message = format!("{what} cannot run plugins in Python; use mj_step or sinew.rollout, or write them in Rust");
    Err(PyRuntimeError::new_err(message))
}

fn classes_of(plugins: &Plugins) -> impl Iterator<Item = &PyInstance> {
    plugins.list().iter().filter_map(|bound| python(bound.object.as_ref()))
}

/// Classes of the Python plugins of a model.
pub fn classes<'py>(py: Python<'py>, plugins: &Plugins) -> Vec<Bound<'py, PyAny>> {
    let mut classes: Vec<Bound<'py, PyAny>> = Vec::new();
    for instance in classes_of(plugins) {
        let class = instance.class.bind(py);
        if !classes.iter().any(|known| known.is(class)) {
            classes.push(class.clone());
        }
    }
    classes
}
