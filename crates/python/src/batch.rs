//! Many worlds of one model behind numpy arrays.

mod linear;
mod look;

use crate::arrays::{Input, Output, exact};
use crate::canvas::check_size;
use crate::error;
use crate::model::MjModel;
use crate::scene::{MjvCamera, MjvOption};
use crate::{callbacks, interrupt, plugin};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyAttributeError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::batch::{BatchError, Outputs, Pool, Spare, Starts, Values, Worlds};
use sinew_engine::data::State;
use sinew_engine::fields::{DType, Fields, Slice, SliceMut};
use sinew_engine::{Data, Model};
use sinew_render::{Shot, Studio};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Worlds of one model that are stepped together, in parallel threads with the GIL released.
///
/// Arrays have one row per world. Attributes named like those of MjData give read-only copies: `sim.qpos`, `sim.xpos`.
/// Callbacks (`mjcb_*`) are refused.
#[pyclass(frozen, subclass, module = "sinew", weakref)]
pub struct BatchSim {
    batch: Mutex<Batch>,
    #[pyo3(get)]
    model: Py<MjModel>,
    #[pyo3(get)]
    num_worlds: usize,
    #[pyo3(get)]
    num_threads: usize,
    /// Time steps per call of `step`.
    #[pyo3(get)]
    nstep: usize,
    /// Whether a step fails if its constraint forces are not within the solver's tolerance.
    #[pyo3(get)]
    strict: bool,
}

struct Batch {
    worlds: Worlds,
    out: Outputs,
    /// Workspace for derivatives.
    spare: Spare,
    /// What renders images of the worlds.
    studio: Option<Studio>,
}

fn refused(e: BatchError) -> PyErr {
    match e {
        BatchError::Memory { .. } => PyMemoryError::new_err(e.to_string()),
        BatchError::Interrupted => interrupt::raised(),
        e => PyValueError::new_err(e.to_string()),
    }
}

/// A field that has the same shape in every world.
struct Column {
    row: usize,
    kind: &'static str,
    /// Shape in one world.
    shape: Vec<usize>,
}

/// The element types of fields.
trait Numbers: Element + Copy {
    fn of<'a>(slice: Slice<'a>) -> &'a [Self];
    fn of_mut<'a>(slice: SliceMut<'a>) -> &'a mut [Self];
    /// Conversion from the double precision in which values are stored.
    fn kept(value: f64) -> Self;
}

macro_rules! numbers {
    ($($t:ty => $variant:ident),*) => {$(
        impl Numbers for $t {
            fn of<'a>(slice: Slice<'a>) -> &'a [Self] {
                if let Slice::$variant(s) = slice { s } else { &[] }
            }
            fn of_mut<'a>(slice: SliceMut<'a>) -> &'a mut [Self] {
                if let SliceMut::$variant(s) = slice { s } else { &mut [] }
            }
            fn kept(value: f64) -> Self {
                value as $t
            }
        }
    )*};
}
numbers!(f64 => F64, f32 => F32, i32 => I32, i64 => I64, u8 => U8);

impl BatchSim {
    fn lock(&self) -> PyResult<MutexGuard<'_, Batch>> {
        match self.batch.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(p)) => Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error::busy("BatchSim")),
        }
    }

    fn column(&self, name: &str) -> PyResult<Column> {
        let row = Data::index_of(name)
            .ok_or_else(|| PyAttributeError::new_err(format!("'BatchSim' and MjData have no attribute '{name}'")))?;
        let info = &Data::FIELDS[row];
        if info.grows() {
            return Err(PyAttributeError::new_err(format!("'{name}' has another length in every world")));
        }
        let kind = match info.dtype {
            DType::F64 => "float64",
            DType::F32 => "float32",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 | DType::Char => "uint8",
        };
        Ok(Column { row, kind, shape: info.shape(self.model.get().sizes(), 0) })
    }

    /// Indices of the worlds that Python selects by a mask, indices, a slice or one index.
    fn chosen(&self, py: Python<'_>, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        let Some(worlds) = worlds else { return Ok((0..self.num_worlds).collect()) };
        let np = py.import("numpy")?;
        let which = np.call_method1("arange", (self.num_worlds as i64,))?;
        let which = if worlds.is_instance_of::<pyo3::types::PySlice>() {
            which.get_item(worlds)?
        } else {
            let empty = worlds.len().is_ok_and(|n| n == 0);
            let index = np.call_method1("asarray", (worlds,))?;
            which.get_item(if empty { index.call_method1("astype", ("int64",))? } else { index })?
        };
        let flat = np.call_method1("ravel", (which,))?;
        let flat: Vec<i64> = flat.cast_into::<PyArray1<i64>>()?.to_vec()?;
        Ok(flat.into_iter().map(|i| i as usize).collect())
    }

    fn gather_as<T: Numbers>(&self, column: &Column, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = Output::<T>::new(out, "out", column.kind)?;
        let mut want = vec![self.num_worlds];
        want.extend(&column.shape);
        if out.shape() != want {
            return Err(PyValueError::new_err(format!("out should be of shape {want:?}, got {:?}", out.shape())));
        }
        let len: usize = column.shape.iter().product();
        let values = out.values()?;
        let batch = self.lock()?;
        for i in 0..self.num_worlds {
            let to = &mut values[i * len..][..len];
            match batch.worlds.values(i, column.row) {
                Some(Values::Field(field)) => to.copy_from_slice(T::of(field)),
                Some(Values::Kept(kept)) => to.iter_mut().zip(kept).for_each(|(to, &value)| *to = T::kept(value)),
                None => {}
            }
        }
        out.finish()
    }

    fn scatter_as<T: Numbers>(&self, column: &Column, values: &Bound<'_, PyAny>, chosen: &[usize]) -> PyResult<()> {
        let len: usize = column.shape.iter().product();
        let mut shape = vec![chosen.len()];
        shape.extend(&column.shape);
        let values = match exact::<T>(values, &shape) {
            Some(values) => values,
            None => {
                let np = values.py().import("numpy")?;
                let values = np.call_method1("broadcast_to", (values, shape))?;
                let values = np.call_method1("ascontiguousarray", (values, column.kind))?;
                values.cast::<numpy::PyArrayDyn<T>>()?.to_vec()?
            }
        };
        let (model, mut batch) = (self.model.get().read()?, self.lock()?);
        for (k, &i) in chosen.iter().enumerate() {
            let field = if column.row < State::FIELDS.len() {
                batch.worlds.state_mut(i).map(|state| state.field_mut(column.row))
            } else {
                batch.worlds.get_mut(&model, i).map(|d| d.field_mut(column.row))
            };
            if let Some(field) = field {
                T::of_mut(field).copy_from_slice(&values[k * len..][..len]);
            }
        }
        Ok(())
    }

    /// Renders every world, one per thread, with the GIL released, into an array with a given number of values per
    /// pixel.
    fn draw<'py, T: Element + Default + Copy>(
        &self,
        py: Python<'py>,
        shot: &Shot,
        per_pixel: usize,
        work: impl Fn(&Studio, &Model, &Data, &mut [T]) -> sinew_scene::Result<()> + Sync,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let (model, mut batch) = (self.model.get().read()?, self.lock()?);
        let (m, Batch { worlds, studio, .. }) = (&*model, &mut *batch);
        let len = per_pixel * shot.size[0] * shot.size[1];
        let mut out = vec![T::default(); len * self.num_worlds];
        let found = py.detach(|| {
            error::guarded(|| {
                let studio = &*studio.get_or_insert_with(|| Studio::new(m));
                let failed = Mutex::new(None);
                let parts: Vec<_> = out.chunks_mut(len.max(1)).map(Mutex::new).collect();
                let done = worlds.look(
                    m,
                    |i| i < parts.len(),
                    |i, d| {
                        let mut part = parts[i].lock().unwrap_or_else(PoisonError::into_inner);
                        if let Err(e) = work(studio, m, d, &mut part) {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
                        }
                    },
                );
                (done, failed.into_inner().unwrap_or_else(PoisonError::into_inner))
            })
        })?;
        found.0.map_err(refused)?;
        match found.1 {
            Some(e) => Err(error::fatal(e.to_string())),
            None => Ok(PyArray1::from_vec(py, out)),
        }
    }

    /// Runs native code on the selected worlds with the GIL released.
    fn each(
        &self,
        py: Python<'_>,
        worlds: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&Model, &mut Worlds, &[bool]) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        callbacks::refuse("BatchSim")?;
        plugin::refuse("BatchSim", self.model.get())?;
        let mut mask = vec![worlds.is_none(); self.num_worlds];
        if worlds.is_some() {
            self.chosen(py, worlds)?.into_iter().for_each(|i| mask[i] = true);
        }
        let model = self.model.get().read()?;
        let (m, mut batch) = (&*model, self.lock()?);
        let worlds = &mut batch.worlds;
        py.detach(|| error::guarded(|| work(m, worlds, &mask)))?.map_err(refused)
    }
}

/// The camera and options that Python requests.
fn shot(
    camera: &Bound<'_, MjvCamera>,
    options: &Bound<'_, MjvOption>,
    [height, width]: [usize; 2],
    max_shapes: usize,
) -> PyResult<Shot> {
    check_size([height, width])?;
    let (camera, options) = (camera.get().shared.read()?, options.get().shared.read()?);
    Ok(Shot { camera: camera.clone(), options: options.clone(), size: [width, height], max_shapes })
}

/// Calls a generic function with the element type of a column.
macro_rules! by_kind {
    ($self:ident.$name:ident, $column:expr, $($arg:expr),*) => {
        match Data::FIELDS[$column.row].dtype {
            DType::F64 => $self.$name::<f64>($column, $($arg),*),
            DType::F32 => $self.$name::<f32>($column, $($arg),*),
            DType::I32 => $self.$name::<i32>($column, $($arg),*),
            DType::I64 => $self.$name::<i64>($column, $($arg),*),
            DType::U8 | DType::Char => $self.$name::<u8>($column, $($arg),*),
        }
    };
}

#[pymethods]
impl BatchSim {
    /// `num_worlds` worlds in their initial state. `num_threads` defaults to the number of cores; a call of `step`
    /// takes `nstep` time steps; if `strict`, a step fails if its constraint forces are not within the solver's
    /// tolerance.
    #[new]
    #[pyo3(signature = (model, num_worlds, num_threads=None, nstep=1, strict=false))]
    fn new(
        py: Python<'_>,
        model: Py<MjModel>,
        num_worlds: usize,
        num_threads: Option<usize>,
        nstep: usize,
        strict: bool,
    ) -> PyResult<Self> {
        let pool = Pool::new(num_threads.unwrap_or(0)).map_err(refused)?.looking(interrupt::look);
        let num_threads = pool.threads();
        let batch = {
            let guard = model.get().read()?;
            let m = &*guard;
            let make = || {
                let mut worlds = Worlds::new(m, num_worlds, pool)?;
                worlds.set_strict(strict);
                Ok(Batch { worlds, out: Outputs::new(m, num_worlds)?, spare: Spare::default(), studio: None })
            };
            py.detach(|| error::guarded(make))?.map_err(refused)?
        };
        Ok(BatchSim { batch: Mutex::new(batch), model, num_worlds, num_threads, nstep, strict })
    }

    fn __len__(&self) -> usize {
        self.num_worlds
    }

    /// Steps all worlds under controls (num_worlds x nu, or nu for all); without them, the controls set last are used.
    /// A world that fails is reported in `failed` and `errors` and is reset at the next call; the others continue.
    /// Ctrl-C ends the call between steps; worlds may then have taken different numbers of steps.
    #[pyo3(signature = (ctrl=None))]
    fn step(&self, py: Python<'_>, ctrl: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        callbacks::refuse("BatchSim")?;
        plugin::refuse("BatchSim", self.model.get())?;
        let nu = self.model.get().sizes().nu;
        let ctrl = match ctrl {
            Some(ctrl) => {
                let given = Input::new(ctrl, "ctrl")?;
                match *given.shape() {
                    [n] if n == nu => Input::Copy(vec![self.num_worlds, nu], given.values()?.repeat(self.num_worlds)),
                    [worlds, n] if worlds == self.num_worlds && n == nu => given,
                    ref found => {
                        let want = (self.num_worlds, nu);
                        return Err(PyValueError::new_err(format!("ctrl should be of shape {want:?}, got {found:?}")));
                    }
                }
            }
            None => {
                let batch = self.lock()?;
                let states = (0..self.num_worlds).filter_map(|i| batch.worlds.state(i));
                let present = states.flat_map(|state| state.ctrl.iter().copied()).collect();
                Input::Copy(vec![self.num_worlds, nu], present)
            }
        };
        let (ctrl, model, mut batch) = (ctrl.values()?, self.model.get().read()?, self.lock()?);
        let (m, Batch { worlds, out, .. }, nstep) = (&*model, &mut *batch, self.nstep);
        py.detach(|| error::guarded(|| worlds.step(m, &(), nstep, ctrl, out)))?.map_err(refused)
    }

    /// A step in which the worlds of a mask are reset instead and start from their rows of `qpos` and `qvel`, as by
    /// `reset`, `set_state` and `forward`. Controls are num_worlds x nu.
    fn _step_or_start(
        &self,
        py: Python<'_>,
        ctrl: &Bound<'_, PyAny>,
        mask: PyReadonlyArray1<'_, bool>,
        qpos: &Bound<'_, PyAny>,
        qvel: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        callbacks::refuse("BatchSim")?;
        plugin::refuse("BatchSim", self.model.get())?;
        let (ctrl, qpos, qvel) = (Input::new(ctrl, "ctrl")?, Input::new(qpos, "qpos")?, Input::new(qvel, "qvel")?);
        let starts = Starts { mask: mask.as_slice()?, qpos: qpos.values()?, qvel: qvel.values()? };
        let (ctrl, model, mut batch) = (ctrl.values()?, self.model.get().read()?, self.lock()?);
        let (m, Batch { worlds, out, .. }, nstep) = (&*model, &mut *batch, self.nstep);
        py.detach(|| error::guarded(|| worlds.step_or_start(m, starts, nstep, ctrl, out)))?.map_err(refused)
    }

    /// Resets worlds, selected by a mask or indices, to the model's initial state; all of them by default.
    #[pyo3(signature = (worlds=None))]
    fn reset(&self, py: Python<'_>, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let chosen = self.chosen(py, worlds)?;
        let model = self.model.get().read()?;
        let mut batch = self.lock()?;
        chosen.into_iter().try_for_each(|i| batch.worlds.reset(&model, &(), i)).map_err(refused)
    }

    /// Computes positions, velocities, forces and accelerations at the present state, as `mj_forward`.
    #[pyo3(signature = (worlds=None))]
    fn forward(&self, py: Python<'_>, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.each(py, worlds, |m, worlds, mask| worlds.forward(m, |i| mask[i]))
    }

    /// Computes the accelerations of bodies and the forces between them, as `mj_rnePostConstraint`; from then on, steps
    /// compute them too.
    #[pyo3(signature = (worlds=None))]
    fn rne_post_constraint(&self, py: Python<'_>, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.each(py, worlds, |m, worlds, mask| worlds.rne_post_constraint(m, |i| mask[i]))
    }

    /// Images of all worlds, stacked; rows start at the top.
    fn _colours<'py>(
        &self,
        py: Python<'py>,
        camera: &Bound<'py, MjvCamera>,
        options: &Bound<'py, MjvOption>,
        size: [usize; 2],
        max_geom: usize,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let shot = shot(camera, options, size, max_geom)?;
        self.draw(py, &shot, 3, |studio, m, d, out| studio.colours(m, d, &shot, out))
    }

    /// Depths of all worlds in metres, stacked; rows start at the top.
    fn _depths<'py>(
        &self,
        py: Python<'py>,
        camera: &Bound<'py, MjvCamera>,
        options: &Bound<'py, MjvOption>,
        size: [usize; 2],
        max_geom: usize,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let shot = shot(camera, options, size, max_geom)?;
        self.draw(py, &shot, 1, |studio, m, d, out| studio.depths(m, d, &shot, out))
    }

    /// A field of MjData of all worlds, in a new array or in `out`. The worlds keep their states and the fields
    /// requested before; a field requested for the first time is recomputed from the state at which the last call of
    /// `step` began.
    #[pyo3(signature = (name, out=None))]
    fn gather<'py>(&self, py: Python<'py>, name: &str, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let column = self.column(name)?;
        {
            let (model, mut batch) = (self.model.get().read()?, self.lock()?);
            let (m, worlds) = (&*model, &mut batch.worlds);
            py.detach(|| error::guarded(|| worlds.watch(m, column.row)))?.map_err(refused)?;
        }
        let out = match out {
            Some(out) => out,
            None => {
                let mut shape = vec![self.num_worlds];
                shape.extend(&column.shape);
                py.import("numpy")?.call_method1("empty", (shape, column.kind))?
            }
        };
        by_kind!(self.gather_as, &column, &out)?;
        Ok(out)
    }

    /// Sets a field of MjData in worlds selected by a mask or indices, or in all of them by default; `values` has one
    /// row per selected world, or is one row for all of them.
    #[pyo3(signature = (name, values, worlds=None))]
    fn scatter(
        &self,
        py: Python<'_>,
        name: &str,
        values: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (column, chosen) = (self.column(name)?, self.chosen(py, worlds)?);
        by_kind!(self.scatter_as, &column, values, &chosen)
    }

    /// Sets positions and velocities of worlds selected by a mask or indices, or of all of them if None.
    #[pyo3(signature = (worlds, qpos, qvel))]
    fn set_state(
        &self,
        py: Python<'_>,
        worlds: Option<&Bound<'_, PyAny>>,
        qpos: &Bound<'_, PyAny>,
        qvel: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.scatter(py, "qpos", qpos, worlds)?;
        self.scatter(py, "qvel", qvel, worlds)?;
        // as with mj_setState
        let (chosen, mut batch) = (self.chosen(py, worlds)?, self.lock()?);
        chosen.into_iter().for_each(|i| batch.worlds.forget(i));
        Ok(())
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let array = self.gather(py, name, None)?;
        let flags = PyDict::new(py);
        flags.set_item("write", false)?;
        array.call_method("setflags", (), Some(&flags))?;
        Ok(array)
    }

    /// Which worlds the last step could not advance.
    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_iter(py, self.lock()?.out.errors.iter().map(Option::is_some)))
    }

    /// Error messages of the last step; None for worlds that succeeded.
    #[getter]
    fn errors(&self) -> PyResult<Vec<Option<String>>> {
        Ok(self.lock()?.out.errors.iter().map(|e| e.map(|e| e.to_string())).collect())
    }

    /// Memory of one world: what the next step reads, and the fields that have been requested. (byte)
    #[getter]
    fn nbytes(&self) -> PyResult<usize> {
        Ok(self.lock()?.worlds.nbytes().checked_div(self.num_worlds).unwrap_or(0))
    }

    fn __repr__(&self) -> String {
        format!("BatchSim({} worlds, {} threads, {} steps per call)", self.num_worlds, self.num_threads, self.nstep)
    }
}

/// Adds the class.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<BatchSim>()?;
    module.add_function(wrap_pyfunction!(look::_look, module)?)?;
    linear::register(module)
}
