//! `MjData`.

use crate::callbacks;
use crate::error;
use crate::model::MjModel;
use crate::named::{Elements, Kind, Side, Views, with_accessors};
use crate::views::records::Records;
use crate::views::{DataCell, Struct, Table, install};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use sinew_engine::data::memory;
use sinew_engine::fields::{DType, Fields};
use sinew_engine::transition::{RolloutWork, TransitionWork};
use sinew_engine::{Data, Model, Sizes, constraint};
use std::sync::{Arc, Mutex, OnceLock};

/// The state of one simulation and everything computed from it.
#[pyclass(extends = Struct, subclass, frozen, module = "sinew")]
pub struct MjData {
    pub cell: Arc<DataCell>,
    #[pyo3(get)]
    pub model: Py<MjModel>,
    fields: Arc<Table>,
    elements: Elements,
    lists: Lists,
    /// Workspace for derivatives, allocated on first use.
    pub linear: Mutex<Option<Box<TransitionWork>>>,
    /// Workspace for derivatives over rollouts, allocated on first use.
    pub rollout: Mutex<Option<Box<RolloutWork>>>,
}

/// The lists of a simulation, created on first access.
#[derive(Default)]
struct Lists {
    contact: OnceLock<Py<PyAny>>,
    warning: OnceLock<Py<PyAny>>,
    timer: OnceLock<Py<PyAny>>,
    solver: OnceLock<Py<PyAny>>,
}

/// Returns the same list on each access.
fn once(py: Python<'_>, list: &OnceLock<Py<PyAny>>, make: impl FnOnce() -> PyResult<Py<PyAny>>) -> PyResult<Py<PyAny>> {
    if let Some(made) = list.get() {
        return Ok(made.clone_ref(py));
    }
    let made = make()?;
    Ok(list.get_or_init(|| made).clone_ref(py))
}

impl MjData {
    fn init(py: Python<'_>, data: Data, model: Py<MjModel>) -> PyResult<PyClassInitializer<Self>> {
        callbacks::start_clock();
        let cell = DataCell::new(py, data)?;
        let fields = Struct::over_data(py, &cell, model.get().sizes())?;
        let (elements, lists, linear, rollout) = Default::default();
        let init = MjData { cell, model, fields: fields.clone(), elements, lists, linear, rollout };
        Ok(PyClassInitializer::from(fields).add_subclass(init))
    }

    /// Checks the integers that Python may have written.
    pub fn check(&self, m: &Model, data: &Data) -> PyResult<()> {
        self.cell.check(m, data)?;
        self.fields.check(|| data.validate(m).map_err(|e| error::fatal(format!("MjData.{e}"))))
    }

    /// [`MjData::check`] before a call that may change sizes.
    pub fn settle(&self, m: &Model, data: &mut Data) -> PyResult<()> {
        self.cell.settle(m, data)?;
        self.check(m, data)
    }

    /// A copy of the native simulation.
    fn copied(&self) -> PyResult<Data> {
        let (model, data) = (self.model.get().read()?, self.cell.read()?);
        self.check(&model, &data)?;
        memory::probe(Data::bytes_needed(&model)).map_err(|e| error::data(e.into()))?;
        Ok(data.clone())
    }

    fn element(slf: &Bound<'_, Self>, kind: &'static Kind, which: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Views>> {
        let owner = (&**slf.as_super().get(), slf.get().model.get().shared(), Side::Data);
        slf.get().elements.get(slf.py(), owner, kind, which)
    }
}

/// What pickling stores: a function, its arguments, and the state for `__setstate__`.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>, Py<MjModel>), Bound<'py, PyBytes>);

/// The model passed to a constructor: its only argument or, for a subclass, one of them.
fn model_among(
    cls: &Bound<'_, PyType>,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<MjModel>> {
    let count = args.len() + kwargs.map_or(0, |k| k.len());
    let plain = cls.is(cls.py().get_type::<MjData>());
    let named = kwargs.map(|k| k.get_item("model")).transpose()?.flatten();
    let given = named.into_iter().chain(args.iter()).chain(kwargs.iter().flat_map(|k| k.values()));
    let mut models = given.filter_map(|arg| arg.cast_into::<MjModel>().ok());
    match models.next() {
        Some(model) if count == 1 || !plain => Ok(model.unbind()),
        _ if plain => Err(PyTypeError::new_err("MjData takes one argument, the MjModel")),
        _ => Err(PyTypeError::new_err(format!(
            "the constructor of '{}' needs an MjModel among its arguments",
            cls.name()?
        ))),
    }
}

with_accessors! {
    MjData,
    [
        body = BODY, joint = JOINT, jnt = JOINT, geom = GEOM, site = SITE, camera = CAMERA, cam = CAMERA,
        light = LIGHT, equality = EQUALITY, eq = EQUALITY, tendon = TENDON, ten = TENDON, actuator = ACTUATOR,
        sensor = SENSOR,
    ],
    {
        /// The simulation is created here; `__init__` (in Python) only accepts the arguments that constructors of
        /// subclasses pass on. A subclass must therefore have the model among its arguments.
        #[new]
        #[classmethod]
        #[pyo3(signature = (*args, **kwargs))]
        fn new(
            cls: &Bound<'_, PyType>,
            args: &Bound<'_, PyTuple>,
            kwargs: Option<&Bound<'_, PyDict>>,
        ) -> PyResult<PyClassInitializer<Self>> {
            let py = cls.py();
            let model = model_among(cls, args, kwargs)?;
            let data = error::guarded(|| model.get().read().map(|m| Data::try_new(&m)))??;
            Self::init(py, data.map_err(error::data)?, model)
        }

        /// The whole simulation as bytes.
        fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
            let (model, data) = (self.model.get().read()?, self.cell.read()?);
            self.check(&model, &data)?;
            Ok(PyBytes::new(py, &data.to_bytes()))
        }

        /// The current contacts.
        #[getter]
        fn contact(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            once(py, &self.lists.contact, || Records::contacts(py, &self.cell))
        }

        /// Warning counters, by `mjtWarning`.
        #[getter]
        fn warning(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            once(py, &self.lists.warning, || Records::warnings(py, &self.cell))
        }

        /// Stage timers, by `mjtTimer`.
        #[getter]
        fn timer(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            once(py, &self.lists.timer, || Records::timers(py, &self.cell))
        }

        /// Statistics of solver iterations.
        #[getter]
        fn solver(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            once(py, &self.lists.solver, || Records::solver(py, &self.cell))
        }

        fn __copy__(&self, py: Python<'_>) -> PyResult<Py<Self>> {
            let copy = self.copied()?;
            Py::new(py, Self::init(py, copy, self.model.clone_ref(py))?)
        }

        fn __deepcopy__<'py>(&self, py: Python<'py>, memo: &Bound<'py, PyAny>) -> PyResult<Py<Self>> {
            let model = py.import("copy")?.call_method1("deepcopy", (&self.model, memo))?;
            let copy = self.copied()?;
            Py::new(py, Self::init(py, copy, model.cast_into::<MjModel>()?.unbind())?)
        }

        fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
            let py = slf.py();
            let make = py.import("copyreg")?.getattr("__newobj__")?;
            let data = slf.get();
            Ok((make, (slf.get_type(), data.model.clone_ref(py)), data._to_bytes(py)?))
        }

        fn __setstate__(&self, bytes: &[u8]) -> PyResult<()> {
            let saved = error::guarded(|| self.model.get().read().map(|m| Data::from_bytes(&m, bytes)))??;
            let saved = saved.map_err(|e| PyValueError::new_err(e.to_string()))?;
            self.cell.lock()?.copy_from(&saved);
            Ok(())
        }

        /// Address of the simulation in memory.
        #[getter]
        fn _address(&self) -> usize {
            self.cell.address()
        }

        /// The signature of the model.
        #[getter]
        fn signature(&self) -> PyResult<u64> {
            self.model.get().signature()
        }

        /// Memory that the model allows for contacts and constraint rows. (byte)
        #[getter]
        fn narena(&self) -> usize {
            self.model.get().sizes().narena
        }

        /// Memory of all arrays of fixed length, each aligned. (byte)
        #[getter]
        fn nbuffer(&self) -> usize {
            arrays_bytes(self.model.get().sizes())
        }

        /// Memory that the current contacts and rows would take in MuJoCo's arena, at least. (byte)
        #[getter]
        fn parena(&self) -> PyResult<usize> {
            let (m, d) = (self.model.get().read()?, self.cell.read()?);
            Ok(constraint::memory(&m, d.contact.len(), &d.efc))
        }

        /// Always 0: there is no stack.
        #[getter]
        fn pstack(&self) -> usize {
            0
        }

        /// Always 0: there is no stack.
        #[getter]
        fn pbase(&self) -> usize {
            0
        }

        /// Same as `parena`: memory of the current contacts and rows. (byte)
        #[getter]
        fn maxuse_arena(&self) -> PyResult<usize> {
            self.parena()
        }

        /// Always 0: there is no stack.
        #[getter]
        fn maxuse_stack(&self) -> usize {
            0
        }

        /// Zeros: threads have no stacks here.
        #[getter]
        fn maxuse_threadstack<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
            PyArray1::from_vec(py, vec![0; MAX_THREADS])
        }

        /// Plugin instances.
        #[getter]
        fn nplugin(&self) -> usize {
            self.model.get().sizes().nplugin
        }

        /// Plugin slots, as in the model.
        #[getter]
        fn plugin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
            Ok(PyArray1::from_slice(py, &self.model.get().read()?.plugin))
        }

        /// Zeros: plugin instances belong to the model and have no data here.
        #[getter]
        fn plugin_data<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
            PyArray1::from_vec(py, vec![0; self.nplugin()])
        }

        /// Always 0: threads belong to batches and rollouts, not to a simulation.
        #[getter]
        fn threadpool(&self) -> usize {
            0
        }

        /// The element of this simulation that corresponds to `element`, a view of a model or data of the same
        /// structure.
        fn bind_scalar(slf: &Bound<'_, Self>, element: &Bound<'_, Views>) -> PyResult<Py<Views>> {
            let (kind, id) = element.get().which(slf.get().model.get().shared())?;
            Self::element(slf, kind, Some(id.into_pyobject(slf.py())?.as_any()))
        }

        fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
            slf.as_super().get().describe(slf.as_any(), Data::FIELDS.iter().map(|f| f.name))
        }
    }
}

/// Number of threads for which MuJoCo has counters.
const MAX_THREADS: usize = 128;

/// Bytes of all arrays of fixed length; each except the last is padded to a multiple of 64.
fn arrays_bytes(sizes: &Sizes) -> usize {
    let width = |dtype| match dtype {
        DType::F64 | DType::I64 => 8,
        DType::F32 | DType::I32 => 4,
        DType::U8 | DType::Char => 1,
    };
    let arrays = Data::FIELDS.iter().filter(|f| !f.is_scalar());
    let bytes = arrays.map(|f| f.shape(sizes, 0).iter().product::<usize>() * width(f.dtype));
    bytes.map(|n| n.next_multiple_of(64)).sum()
}

/// Adds the class with its fields.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjData>()?;
    install::<Data>(&module.py().get_type::<MjData>(), "MjData", 0)
}
