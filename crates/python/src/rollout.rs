//! Open-loop trajectories from many initial states, on one or several threads.

use crate::arrays::{Input, Output};
use crate::callbacks::UserHooks;
use crate::data::MjData;
use crate::model::MjModel;
use crate::{error, interrupt};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::batch::{BatchError, Call, Pool};
use sinew_engine::data::state::{StateError, state_size};
use sinew_engine::model::enums::StateFlags;
use sinew_engine::step::step_with;
use sinew_engine::{Data, Model};
use std::sync::{Mutex, PoisonError};

/// Contents of the state vectors of a rollout: time, positions, velocities, activations, histories, plugin state.
const PHYSICS: i32 = StateFlags::TIME.bits()
    | StateFlags::QPOS.bits()
    | StateFlags::QVEL.bits()
    | StateFlags::ACT.bits()
    | StateFlags::HISTORY.bits()
    | StateFlags::PLUGIN.bits();

/// Default number of chunks per thread.
const CHUNKS: usize = 10;

/// Vectors of one length for every trajectory and step; a shared dimension has stride 0.
#[derive(Clone, Copy)]
struct Vectors<'a> {
    values: &'a [f64],
    size: usize,
    per_roll: usize,
    per_step: usize,
}

impl<'a> Vectors<'a> {
    fn new(arg: &'a Input<'_>, name: &str, nbatch: usize, nstep: usize, size: usize) -> PyResult<Self> {
        let (values, want) = (arg.values()?, nbatch * nstep * size);
        let stride = |n: usize, own: usize| if n == 1 { 0 } else { own };
        let found = |per_roll, per_step| Ok(Vectors { values, size, per_roll, per_step });
        match *arg.shape() {
            _ if values.len() == want => found(nstep * size, size),
            [b, last] if nstep == 1 && b == 1 && last == size => found(0, 0),
            [b, t, last] if (b == 1 || b == nbatch) && (t == 1 || t == nstep) && last == size => {
                found(stride(b, t * size), stride(t, size))
            }
            _ => Err(PyValueError::new_err(format!("{name}.size should be {want}, got {}", values.len()))),
        }
    }

    fn at(&self, roll: usize, step: usize) -> &'a [f64] {
        &self.values[roll * self.per_roll + step * self.per_step..][..self.size]
    }
}

/// Inputs shared by all trajectories.
struct Plan<'a> {
    /// One model for all trajectories, or one for each.
    models: Vec<(&'a Model, &'a Py<MjModel>)>,
    nstep: usize,
    nstate: usize,
    control_spec: i32,
    initial: Vectors<'a>,
    warmstart: Option<Vectors<'a>>,
    control: Option<Vectors<'a>>,
}

/// Consecutive trajectories and their output slices; a slice is empty where the output is not wanted.
struct Rolls<'a> {
    first: usize,
    count: usize,
    state: &'a mut [f64],
    sensordata: &'a mut [f64],
}

impl<'a> Rolls<'a> {
    /// Takes up to `n` trajectories from the front; none when all are taken.
    fn take(&mut self, n: usize) -> Option<Rolls<'a>> {
        if self.count == 0 {
            return None;
        }
        let n = n.min(self.count);
        let cut = |all: &mut &'a mut [f64]| {
            let len = all.len() / self.count * n;
            let (head, tail) = std::mem::take(all).split_at_mut(len);
            *all = tail;
            head
        };
        let taken =
            Rolls { first: self.first, count: n, state: cut(&mut self.state), sensordata: cut(&mut self.sensordata) };
        self.first += n;
        self.count -= n;
        Some(taken)
    }
}

impl Plan<'_> {
    /// Zeroes the inputs that the control vectors do not set.
    fn clear_inputs(&self, m: &Model, d: &mut Data) {
        let given = |bit: StateFlags| self.control_spec & bit.bits() != 0;
        if !given(StateFlags::CTRL) {
            d.state.ctrl.fill(0.0);
        }
        if !given(StateFlags::QFRC_APPLIED) {
            d.state.qfrc_applied.fill(0.0);
        }
        if !given(StateFlags::XFRC_APPLIED) {
            d.state.xfrc_applied.as_flattened_mut().fill(0.0);
        }
        if !given(StateFlags::EQ_ACTIVE) {
            d.state.eq_active.copy_from_slice(&m.eq_active0);
        }
        for b in 0..m.nbody {
            if let Ok(i) = usize::try_from(m.body_mocapid[b]) {
                if !given(StateFlags::MOCAP_POS) {
                    d.state.mocap_pos[i] = m.body_pos[b];
                }
                if !given(StateFlags::MOCAP_QUAT) {
                    d.state.mocap_quat[i] = m.body_quat[b];
                }
            }
        }
    }

    /// Runs one trajectory; only its beginning if a signal ends the call after a step.
    fn roll(&self, d: &mut Data, wrapper: &Py<MjData>, job: Rolls<'_>, call: &Call) -> Result<(), StateError> {
        let r = job.first;
        let (m, model) = self.models[if self.models.len() == 1 { 0 } else { r }];
        let mut hooks = UserHooks::over(model, wrapper);
        self.clear_inputs(m, d);
        d.set_state(m, self.initial.at(r, 0), PHYSICS)?;
        match &self.warmstart {
            Some(w) => d.state.qacc_warmstart.copy_from_slice(w.at(r, 0)),
            None => d.state.qacc_warmstart.fill(0.0),
        }
        d.warning.iter_mut().for_each(|w| w.number = 0);
        for t in 0..self.nstep {
            if t > 0 && call.over() {
                break;
            }
            // after a warning the trajectory stays constant
            if d.warning.iter().all(|w| w.number == 0) {
                if let Some(control) = &self.control {
                    d.state.set(m, control.at(r, t), self.control_spec)?;
                }
                step_with(m, d, hooks.get());
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

    /// Runs all trajectories; each simulation takes the next `chunk` of them when it is idle.
    fn run(&self, pool: &Pool, datas: Vec<(&mut Data, &Py<MjData>)>, rolls: Rolls<'_>, chunk: usize) -> PyResult<()> {
        let rest = Mutex::new(rolls);
        let failure = Mutex::new(None);
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).take(chunk);
        let work = |(d, wrapper): (&mut Data, &Py<MjData>), call: &Call| {
            while let Some(mut rolls) = next() {
                while let Some(one) = rolls.take(1).filter(|_| !call.over()) {
                    let done = error::stopped(|| self.roll(d, wrapper, one, call));
                    let done = done.map_err(|stop| wrapper.get().cell.stopped(stop, self.models[0].0, d));
                    if let Err(e) = done.and_then(|r| r.map_err(|e| PyValueError::new_err(e.to_string()))) {
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
                        return;
                    }
                }
            }
        };
        pool.each(datas, work).map_err(|e| match e {
            BatchError::Interrupted => interrupt::raised(),
            e => error::fatal(e.to_string()),
        })?;
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Threads for rollouts; only the calling one if `nthread` is 0.
#[pyclass(frozen, module = "sinew")]
struct Rollout {
    pool: Pool,
    nthread: usize,
}

/// An optional array; `name` is used in messages.
fn input<'py>(arg: Option<&Bound<'py, PyAny>>, name: &str) -> PyResult<Option<Input<'py>>> {
    arg.map(|arg| Input::new(arg, name)).transpose()
}

fn output<'py>(arg: Option<&Bound<'py, PyAny>>, name: &'static str, want: usize) -> PyResult<Option<Output<'py, f64>>> {
    let Some(arg) = arg else { return Ok(None) };
    let out = Output::new(arg, name, "float64")?;
    let found: usize = out.shape().iter().product();
    if found == want {
        Ok(Some(out))
    } else {
        Err(PyValueError::new_err(format!("{name}.size should be {want}, got {found}")))
    }
}

#[pymethods]
impl Rollout {
    #[new]
    #[pyo3(signature = (*, nthread))]
    fn new(nthread: usize) -> PyResult<Self> {
        let pool = Pool::new(nthread.max(1)).map_err(|e| error::fatal(e.to_string()))?;
        Ok(Rollout { pool: pool.looking(interrupt::look), nthread })
    }

    /// Runs `nbatch` trajectories, or one per initial state, and writes them into the given arrays.
    #[pyo3(signature = (model, data, nstep, control_spec, state0, warmstart0=None, control=None, state=None,
        sensordata=None, chunk_size=None, nbatch=None))]
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        model: Vec<Bound<'py, MjModel>>,
        data: Vec<Bound<'py, MjData>>,
        nstep: i64,
        control_spec: i32,
        state0: &Bound<'py, PyAny>,
        warmstart0: Option<&Bound<'py, PyAny>>,
        control: Option<&Bound<'py, PyAny>>,
        state: Option<&Bound<'py, PyAny>>,
        sensordata: Option<&Bound<'py, PyAny>>,
        chunk_size: Option<i64>,
        nbatch: Option<usize>,
    ) -> PyResult<()> {
        let state0 = Input::new(state0, "state0")?;
        let nbatch = nbatch.unwrap_or(state0.shape().first().copied().unwrap_or(1));
        let nstep = usize::try_from(nstep).unwrap_or(0);
        self.check(&model, &data, nbatch)?;
        if nstep == 0 || nbatch == 0 {
            return Ok(());
        }
        let guards = model.iter().map(|m| m.get().read()).collect::<PyResult<Vec<_>>>()?;
        let m = &*guards[0];
        let size = |sig| state_size(m, sig).map_err(|e| PyValueError::new_err(e.to_string()));
        let (nstate, ncontrol) = (size(PHYSICS)?, size(control_spec)?);
        let (warmstart0, control) = (input(warmstart0, "warmstart0")?, input(control, "control")?);
        let mut state = output(state, "state", nbatch * nstep * nstate)?;
        let mut sensordata = output(sensordata, "sensordata", nbatch * nstep * m.nsensordata)?;
        let plan = Plan {
            models: guards.iter().map(|g| &**g).zip(model.iter().map(Bound::as_unbound)).collect(),
            nstep,
            nstate,
            control_spec,
            initial: Vectors::new(&state0, "state0", nbatch, 1, nstate)?,
            warmstart: warmstart0.as_ref().map(|w| Vectors::new(w, "warmstart0", nbatch, 1, m.nv)).transpose()?,
            control: control.as_ref().map(|u| Vectors::new(u, "control", nbatch, nstep, ncontrol)).transpose()?,
        };
        let rolls = Rolls {
            first: 0,
            count: nbatch,
            state: state.as_mut().map_or(Ok(&mut [][..]), Output::values)?,
            sensordata: sensordata.as_mut().map_or(Ok(&mut [][..]), Output::values)?,
        };
        let chunk =
            chunk_size.map_or(nbatch / (CHUNKS * self.nthread.max(1)), |n| usize::try_from(n).unwrap_or(0)).max(1);
        let mut locks = data.iter().map(|d| d.get().cell.lock()).collect::<PyResult<Vec<_>>>()?;
        data.iter().zip(&mut locks).try_for_each(|(d, lock)| d.get().settle(m, lock))?;
        let datas = locks.iter_mut().map(|g| &mut **g).zip(data.iter().map(Bound::as_unbound)).collect();
        let done = py.detach(|| plan.run(&self.pool, datas, rolls, chunk));
        drop((locks, state0, warmstart0, control));
        // store the computed steps even if a signal ended the call
        state.map_or(Ok(()), Output::finish)?;
        sensordata.map_or(Ok(()), Output::finish)?;
        done
    }
}

impl Rollout {
    /// Checks that there is one simulation per thread and that all models have the same sizes.
    fn check(&self, model: &[Bound<'_, MjModel>], data: &[Bound<'_, MjData>], nbatch: usize) -> PyResult<()> {
        let fault = match (self.nthread, data.len()) {
            (_, 0) => "The list of data instances is empty".into(),
            (0, 2..) => "More than one data instance passed but rollout is configured to run on main thread".into(),
            (n @ 1.., len) if n != len => format!("Length of data: {len} not equal to nthread: {n}"),
            _ if model.len() != 1 && model.len() < nbatch => {
                format!("{} models for {nbatch} trajectories", model.len())
            }
            _ => {
                let fits = |m: &MjModel| model.first().is_none_or(|first| first.get().same_shape(m));
                if model.iter().all(|m| fits(m.get())) && data.iter().all(|d| fits(d.get().model.get())) {
                    return Ok(());
                }
                "models and data are not compatible: their sizes differ".into()
            }
        };
        Err(PyValueError::new_err(fault))
    }
}

/// Adds the class.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("_Rollout", module.py().get_type::<Rollout>())
}
