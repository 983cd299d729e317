//! Open-loop trajectories from many initial states, on one or several threads.

use crate::arrays::{Out, numbers};
use crate::callbacks::Callbacks;
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use numpy::PyArrayMethods;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_engine::data::state::state_size;
use sinew_engine::model::enums::StateBit;
use sinew_engine::step::{step, step_with};
use sinew_engine::{Data, Model};
use std::sync::{Mutex, PoisonError};

/// What the state vectors of a roll-out hold: time, positions, velocities, activations, histories, plugin state.
const PHYSICS: i32 = StateBit::Time as i32
    | StateBit::Qpos as i32
    | StateBit::Qvel as i32
    | StateBit::Act as i32
    | StateBit::History as i32
    | StateBit::Plugin as i32;

/// Everything the trajectories share.
struct Plan<'a> {
    models: Vec<&'a Model>,
    wrappers: Vec<&'a Py<MjModel>>,
    nstep: usize,
    nstate: usize,
    ncontrol: usize,
    control_spec: i32,
    initial: Vec<f64>,
    warmstart: Option<Vec<f64>>,
    control: Option<Vec<f64>>,
}

/// One trajectory and where its outputs go; an empty slice where they are not wanted.
struct Job<'a> {
    index: usize,
    state: &'a mut [f64],
    sensordata: &'a mut [f64],
}

impl Plan<'_> {
    /// Inputs that the control vectors do not set start from rest.
    fn clear_inputs(&self, m: &Model, d: &mut Data) {
        let given = |bit: StateBit| self.control_spec & bit as i32 != 0;
        if !given(StateBit::Ctrl) {
            d.state.ctrl.fill(0.0);
        }
        if !given(StateBit::QfrcApplied) {
            d.state.qfrc_applied.fill(0.0);
        }
        if !given(StateBit::XfrcApplied) {
            d.state.xfrc_applied.as_flattened_mut().fill(0.0);
        }
        if !given(StateBit::EqActive) {
            d.state.eq_active.copy_from_slice(&m.eq_active0);
        }
        for b in 0..m.nbody {
            if let Ok(i) = usize::try_from(m.body_mocapid[b]) {
                if !given(StateBit::MocapPos) {
                    d.state.mocap_pos[i] = m.body_pos[b];
                }
                if !given(StateBit::MocapQuat) {
                    d.state.mocap_quat[i] = m.body_quat[b];
                }
            }
        }
    }

    fn run(
        &self,
        d: &mut Data,
        wrapper: &Py<MjData>,
        job: Job<'_>,
    ) -> Result<(), sinew_engine::data::state::StateError> {
        let (r, m) = (job.index, self.models[job.index]);
        let mut hooks = Callbacks::over(self.wrappers[r], wrapper);
        self.clear_inputs(m, d);
        d.state.set(m, &self.initial[r * self.nstate..][..self.nstate], PHYSICS)?;
        match &self.warmstart {
            Some(w) => d.state.qacc_warmstart.copy_from_slice(&w[r * m.nv..][..m.nv]),
            None => d.state.qacc_warmstart.fill(0.0),
        }
        d.warning.iter_mut().for_each(|w| w.number = 0);
        for t in 0..self.nstep {
            // after a warning the trajectory stands still
            if d.warning.iter().all(|w| w.number == 0) {
                if let Some(control) = &self.control {
                    let first = (r * self.nstep + t) * self.ncontrol;
                    d.state.set(m, &control[first..][..self.ncontrol], self.control_spec)?;
                }
                match &mut hooks {
                    Some(hooks) => step_with(m, d, hooks),
                    None => step(m, d),
                }
            }
            if !job.state.is_empty() {
                d.state.get(m, &mut job.state[t * self.nstate..][..self.nstate], PHYSICS)?;
            }
            if !job.sensordata.is_empty() {
                job.sensordata[t * m.nsensordata..][..m.nsensordata].copy_from_slice(&d.sensor.sensordata);
            }
        }
        Ok(())
    }

    /// Runs all jobs, each on the first simulation that is free.
    fn run_all(&self, datas: Vec<(&mut Data, &Py<MjData>)>, jobs: Vec<Job<'_>>) -> PyResult<()> {
        let queue = Mutex::new(jobs.into_iter());
        let work = |(d, wrapper): (&mut Data, &Py<MjData>)| loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = next else { return Ok(()) };
            error::guarded(|| self.run(d, wrapper, job))?.map_err(|e| PyValueError::new_err(e.to_string()))?;
        };
        std::thread::scope(|scope| {
            let mut datas = datas.into_iter();
            let first = datas.next();
            let others: Vec<_> = datas.map(|d| scope.spawn(|| work(d))).collect();
            let mine = first.map_or(Ok(()), work);
            others.into_iter().fold(mine, |done, t| {
                done.and(t.join().unwrap_or_else(|_| Err(error::fatal("a worker thread stopped"))))
            })
        })
    }
}

fn input(arg: Option<&Bound<'_, PyAny>>, name: &str, size: usize) -> PyResult<Option<Vec<f64>>> {
    let Some(arg) = arg else { return Ok(None) };
    let (_, values) = numbers(arg, name)?;
    if values.len() != size {
        return Err(PyValueError::new_err(format!("{name}.size should be {size}, got {}", values.len())));
    }
    Ok(Some(values))
}

/// An array that was asked for.
type Array<'py> = Option<Bound<'py, PyAny>>;

/// An array of results: the caller's, or a new one of the given shape.
enum Target<'py> {
    Given(Out<'py>),
    New([usize; 3]),
    Unwanted,
}

impl<'py> Target<'py> {
    fn new(
        arg: Option<&Bound<'py, PyAny>>,
        name: &'static str,
        shape: [usize; 3],
        make: bool,
    ) -> PyResult<(Self, Vec<f64>)> {
        let size = shape.iter().product();
        let target = match arg {
            Some(arg) => {
                let out = Out::new(arg, name)?;
                let found: usize = out.shape().iter().product();
                if found != size {
                    return Err(PyValueError::new_err(format!("{name}.size should be {size}, got {found}")));
                }
                Target::Given(out)
            }
            None if make => Target::New(shape),
            None => return Ok((Target::Unwanted, Vec::new())),
        };
        Ok((target, vec![0.0; size]))
    }

    fn finish(self, py: Python<'py>, values: Vec<f64>) -> PyResult<Array<'py>> {
        Ok(match self {
            Target::Given(out) => {
                out.store(&values)?;
                Some(out.into_array())
            }
            Target::New(shape) => {
                let array: Bound<'py, PyArrayDyn<f64>> = PyArray1::from_vec(py, values).reshape(shape.to_vec())?;
                Some(array.into_any())
            }
            Target::Unwanted => None,
        })
    }
}

/// Cuts a buffer into one piece per trajectory; empty pieces where there is nothing to store.
fn pieces(buffer: &mut [f64], nbatch: usize) -> impl Iterator<Item = &mut [f64]> {
    let len = buffer.len() / nbatch.max(1);
    let mut rest = buffer;
    (0..nbatch).map(move |_| {
        let (head, tail) = std::mem::take(&mut rest).split_at_mut(len);
        rest = tail;
        head
    })
}

/// Rolls out trajectories; arrays that are not given are made if `make`. Returns states and sensor values.
#[pyfunction]
#[pyo3(signature = (model, data, nstep, control_spec, initial_state, initial_warmstart=None, control=None, state=None,
    sensordata=None, make=false))]
fn _rollout<'py>(
    py: Python<'py>,
    model: Vec<Bound<'py, MjModel>>,
    data: Vec<Bound<'py, MjData>>,
    nstep: usize,
    control_spec: i32,
    initial_state: &Bound<'py, PyAny>,
    initial_warmstart: Option<&Bound<'py, PyAny>>,
    control: Option<&Bound<'py, PyAny>>,
    state: Option<&Bound<'py, PyAny>>,
    sensordata: Option<&Bound<'py, PyAny>>,
    make: bool,
) -> PyResult<(Array<'py>, Array<'py>)> {
    let (Some(first), false) = (model.first(), data.is_empty()) else {
        return Err(PyValueError::new_err("the lists of models and data instances must not be empty"));
    };
    let same = |m: &MjModel| first.get().same_shape(m);
    if !model.iter().all(|m| same(m.get())) || !data.iter().all(|d| same(d.get().model.get())) {
        return Err(PyValueError::new_err("models and data are not compatible: their sizes differ"));
    }
    let guards = model.iter().map(|m| m.get().read()).collect::<PyResult<Vec<_>>>()?;
    let m = &*guards[0];
    let size = |sig| state_size(m, sig).map_err(|e| PyValueError::new_err(e.to_string()));
    let (nstate, ncontrol) = (size(PHYSICS)?, size(control_spec)?);
    let (_, initial) = numbers(initial_state, "initial_state")?;
    let nbatch = initial.len() / nstate;
    if initial.len() != nbatch * nstate || nbatch > model.len() {
        let (found, models) = (initial.len(), model.len());
        return Err(PyValueError::new_err(format!(
            "initial_state.size should be a multiple of {nstate}, at most for {models} models, got {found}"
        )));
    }
    let plan = Plan {
        models: guards.iter().map(|g| &**g).collect(),
        wrappers: model.iter().map(Bound::as_unbound).collect(),
        nstep,
        nstate,
        ncontrol,
        control_spec,
        initial,
        warmstart: input(initial_warmstart, "warmstart0", nbatch * m.nv)?,
        control: input(control, "control", nbatch * nstep * ncontrol)?,
    };
    let (state_to, mut states) = Target::new(state, "state", [nbatch, nstep, nstate], make)?;
    let (sensor_to, mut sensors) = Target::new(sensordata, "sensordata", [nbatch, nstep, m.nsensordata], make)?;
    let jobs = pieces(&mut states, nbatch).zip(pieces(&mut sensors, nbatch)).enumerate();
    let jobs = jobs.map(|(index, (state, sensordata))| Job { index, state, sensordata }).collect();
    let mut locks = data.iter().map(|d| d.get().cell.lock()).collect::<PyResult<Vec<_>>>()?;
    let datas = locks.iter_mut().map(|g| &mut **g).zip(data.iter().map(Bound::as_unbound)).collect();
    py.detach(|| plan.run_all(datas, jobs))?;
    drop(locks);
    Ok((state_to.finish(py, states)?, sensor_to.finish(py, sensors)?))
}

/// Adds the function.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_rollout, module)?)
}
