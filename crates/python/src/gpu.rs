//! Batches on a GPU, as `sinew.gpu` wraps them.

use crate::error::{self, FatalError};
use crate::model::MjModel;
use crate::views::dlpack;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyNotImplementedError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew_engine::fields::Fields;
use sinew_engine::{Data, Model};
use sinew_gpu::{BatchSim, Capacity, Chosen, Device, Given, GpuError, Memory, Settings, Status};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

pyo3::create_exception!(
    sinew,
    GpuUnavailable,
    PyRuntimeError,
    "There is no GPU, driver or compiler to run kernels with."
);
pyo3::create_exception!(sinew, GpuRefusal, PyNotImplementedError, "A model has something that no kernel does.");

/// The array of status words.
const STATUS: &str = "status";
/// Prefix of the names of model fields.
const FIELD: &str = "model.";

fn raised(e: GpuError) -> PyErr {
    let text = e.to_string();
    match e {
        GpuError::Unavailable(_) | GpuError::Emulate(_) => GpuUnavailable::new_err(text),
        GpuError::Refused(_) | GpuError::Large { .. } => GpuRefusal::new_err(text),
        GpuError::Key { .. } => PyIndexError::new_err(text),
        GpuError::Memory(_) => PyMemoryError::new_err(text),
        GpuError::Size { .. }
        | GpuError::Count { .. }
        | GpuError::Name(_)
        | GpuError::Bounds { .. }
        | GpuError::Structure => PyValueError::new_err(text),
        GpuError::Failed(_) => FatalError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}

/// Worlds on a GPU, or emulated if `device` is None.
#[pyclass(frozen, module = "sinew", name = "_GpuBatch")]
pub struct GpuBatch {
    sim: Mutex<BatchSim>,
}

/// A mask or states: an array on the host, or an address on the device.
#[derive(FromPyObject)]
enum Place<'py, T: numpy::Element> {
    Address(u64),
    Host(PyReadonlyArray1<'py, T>),
}

impl GpuBatch {
    fn lock(&self) -> PyResult<MutexGuard<'_, BatchSim>> {
        match self.sim.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy("gpu.BatchSim")),
        }
    }
}

/// Memory of an array, or of a model field stored per world.
fn memory(sim: &BatchSim, name: &str) -> PyResult<Arc<Memory>> {
    let field = name.strip_prefix(FIELD).and_then(|name| sim.fields().iter().find(|f| f.name == name));
    match (name, field) {
        (STATUS, _) => Ok(sim.status_memory().clone()),
        (_, Some(field)) => Ok(field.memory.clone()),
        _ => Ok(sim.array(name).map_err(raised)?.memory.clone()),
    }
}

fn chosen<'a>(mask: Option<&'a Place<'_, bool>>) -> PyResult<Chosen<'a>> {
    Ok(match mask {
        None => Chosen::All,
        Some(Place::Address(address)) => Chosen::Device(dlpack::address(*address)),
        Some(Place::Host(mask)) => Chosen::Mask(mask.as_slice()?),
    })
}

#[pymethods]
impl GpuBatch {
    #[new]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        nworld: usize,
        device: Option<usize>,
        capacity: Option<[usize; 2]>,
        outputs: Vec<String>,
        fields: Vec<String>,
        fast_math: bool,
    ) -> PyResult<Self> {
        let capacity = capacity.map(|[contacts, rows]| Capacity { contacts, rows });
        let settings = Settings { capacity, outputs, fields, fast_math };
        let device = device.map_or(Device::Emulated, Device::Gpu);
        let places = model.get().places();
        let model = model.get().read()?;
        let m = &*model;
        let made = py.detach(|| error::guarded(|| BatchSim::new(m, nworld, device, &settings)))?;
        let made = made.map_err(|e| match e {
            GpuError::Refused(refusal) => GpuError::Refused(refusal.placed(|kind, id| places.find(kind, id))),
            other => other,
        });
        Ok(GpuBatch { sim: Mutex::new(made.map_err(raised)?) })
    }

    /// Name, address and number of values per world of every array.
    fn arrays(&self) -> PyResult<Vec<(&'static str, u64, usize)>> {
        let sim = self.lock()?;
        let mut all: Vec<_> = sim.arrays().iter().map(|a| (a.name, a.memory.address(), a.width)).collect();
        all.push((STATUS, sim.status_memory().address(), Status::WORDS));
        Ok(all)
    }

    /// Name, address and number of values per world of the model fields stored per world.
    fn fields(&self) -> PyResult<Vec<(String, u64, usize)>> {
        let sim = self.lock()?;
        Ok(sim.fields().iter().map(|f| (format!("{FIELD}{}", f.name), f.memory.address(), f.width)).collect())
    }

    /// Recomputes the constants that depend on changed model fields.
    fn set_const(&self, py: Python<'_>, mask: Option<PyReadonlyArray1<'_, bool>>, stream: u64) -> PyResult<()> {
        let mut guard = self.lock()?;
        let (sim, mask) = (&mut *guard, mask.as_ref().map(|m| m.as_slice()).transpose()?);
        py.detach(|| error::guarded(|| sim.set_const(mask, stream)))?.map_err(raised)
    }

    /// How the batch was built.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.lock()?.report.clone();
        let all = PyDict::new(py);
        all.set_item("device", report.device)?;
        all.set_item("seconds_to_compile", report.compiling.as_secs_f64())?;
        all.set_item("shared_bytes", report.shared_bytes)?;
        all.set_item("device_bytes", report.device_bytes)?;
        all.set_item("registers", report.registers)?;
        all.set_item("spilled_bytes", report.spilled)?;
        all.set_item("resident_worlds", report.resident)?;
        let room = report.room.map(|r| r.map(|c| (c.contacts, c.rows)));
        all.set_item("room", room[0])?;
        all.set_item("retry_room", room[1])?;
        Ok(all)
    }

    fn step(&self, py: Python<'_>, nstep: usize, stream: u64) -> PyResult<()> {
        let mut guard = self.lock()?;
        let sim = &mut *guard;
        py.detach(|| sim.step(nstep, stream)).map_err(raised)
    }

    fn forward(&self, py: Python<'_>, mask: Option<Place<'_, bool>>, stream: u64) -> PyResult<()> {
        let mut guard = self.lock()?;
        let (sim, chosen) = (&mut *guard, chosen(mask.as_ref())?);
        py.detach(|| sim.forward(chosen, stream)).map_err(raised)
    }

    fn reset(
        &self,
        mask: Option<Place<'_, bool>>,
        key: Option<usize>,
        given: Option<Place<'_, f32>>,
        stream: u64,
    ) -> PyResult<()> {
        let given = match &given {
            None => None,
            Some(Place::Address(address)) => Some(Given::Device(dlpack::address(*address))),
            Some(Place::Host(values)) => Some(Given::Host(values.as_slice()?)),
        };
        self.lock()?.reset(chosen(mask.as_ref())?, key, given, stream).map_err(raised)
    }

    fn check(&self) -> PyResult<()> {
        self.lock()?.check().map_err(raised)
    }

    fn synchronize(&self, py: Python<'_>, stream: u64) -> PyResult<()> {
        let guard = self.lock()?;
        let sim = &*guard;
        py.detach(|| sim.synchronize(stream)).map_err(raised)
    }

    /// All bytes of an array.
    fn read<'py>(&self, py: Python<'py>, name: &str, stream: u64) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let guard = self.lock()?;
        let (machine, memory) = (guard.machine(), memory(&guard, name)?);
        let mut bytes = vec![0u8; memory.bytes()];
        py.detach(|| machine.read(&memory, 0, &mut bytes, stream)).map_err(raised)?;
        Ok(PyArray1::from_vec(py, bytes))
    }

    /// Sets all bytes of an array.
    fn write(&self, name: &str, bytes: PyReadonlyArray1<'_, u8>, stream: u64) -> PyResult<()> {
        let sim = self.lock()?;
        sim.machine().write(&*memory(&sim, name)?, 0, bytes.as_slice()?, stream).map_err(raised)
    }

    /// Sets all bytes of an array from an address on the device with at least that many bytes.
    fn copy(&self, name: &str, address: u64, stream: u64) -> PyResult<()> {
        let sim = self.lock()?;
        dlpack::copy(sim.machine(), &*memory(&sim, name)?, address, stream).map_err(raised)
    }

    /// Device of the arrays: type and index, as in DLPack.
    fn device(&self) -> PyResult<(i32, i32)> {
        Ok(dlpack::device(self.lock()?.machine()))
    }

    /// A DLPack capsule of an array or a part of it.
    fn dlpack<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        offset: usize,
        shape: Vec<i64>,
        strides: Vec<i64>,
        versioned: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sim = self.lock()?;
        let memory = memory(&sim, name)?;
        let last: i64 = shape.iter().zip(&strides).map(|(n, s)| (n - 1).max(0) * s).sum();
        let apart = shape.len() != strides.len() || strides.iter().chain(&shape).any(|s| *s < 0);
        if apart || !shape.contains(&0) && 4 * (offset + last as usize + 1) > memory.bytes() {
            return Err(PyValueError::new_err("a view beyond its array"));
        }
        dlpack::capsule(py, sim.machine(), &memory, offset, [&shape, &strides], [name == STATUS, versioned])
    }
}

/// Whether a usable GPU is present.
#[pyfunction]
fn _gpu_available() -> bool {
    sinew_gpu::available()
}

/// Whether kernels can be emulated, which takes a C++ compiler.
#[pyfunction]
fn _gpu_emulated() -> bool {
    sinew_gpu::emulate::compiler().is_some()
}

/// The shape of a field of MjData, or of MjModel, in a world; None if there is no such field.
#[pyfunction]
fn _field_shape(model: &Bound<'_, MjModel>, name: &str) -> Option<Vec<usize>> {
    let info = match name.strip_prefix(FIELD) {
        Some(name) => &Model::FIELDS[Model::index_of(name)?],
        None => &Data::FIELDS[Data::index_of(name)?],
    };
    (!info.grows()).then(|| info.shape(model.get().sizes(), 0))
}

/// Adds the class and functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GpuBatch>()?;
    module.add("_GpuUnavailable", module.py().get_type::<GpuUnavailable>())?;
    module.add("_GpuRefusal", module.py().get_type::<GpuRefusal>())?;
    module.add_function(wrap_pyfunction!(_gpu_available, module)?)?;
    module.add_function(wrap_pyfunction!(_gpu_emulated, module)?)?;
    module.add_function(wrap_pyfunction!(_field_shape, module)?)
}
