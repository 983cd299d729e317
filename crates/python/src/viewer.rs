//! Simulations in Python, shown in a browser.

use crate::data::MjData;
use crate::error;
use crate::functions::call;
use crate::model::MjModel;
use crate::scene::{MjvCamera, MjvOption, MjvPerturb, MjvScene};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sinew_engine::model::enums::StateFlags;
use sinew_engine::{Data, Model, step};
use sinew_scene::{Camera, Perturb, ViewOptions, apply_force, apply_pose};
use sinew_viewer::{Bundle, Remote, Role, Synced, built, one_file, pack_motion};
use sinew_web::{Command, Look};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last values both sides agreed on; a difference shows which side has changed one since.
#[derive(Clone, Debug)]
struct Agreed {
    cam: Camera,
    opt: ViewOptions,
    pert: Perturb,
}

/// A simulation shown on web pages.
#[pyclass(frozen, name = "_Viewer", module = "sinew")]
pub struct Viewer {
    open: Mutex<Option<(Arc<Remote>, Agreed)>>,
}

fn failed(e: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(e.to_string())
}

/// Resolves a value that one side has changed since both agreed; if both have, Python wins.
fn settle<T: Clone + PartialEq>(ours: &mut T, theirs: &mut T, agreed: &mut T) {
    if *ours == *agreed {
        ours.clone_from(theirs);
    } else {
        theirs.clone_from(ours);
    }
    agreed.clone_from(ours);
}

impl Viewer {
    fn lock(&self) -> MutexGuard<'_, Option<(Arc<Remote>, Agreed)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queries the viewer, if it is open.
    fn ask<R>(&self, question: impl FnOnce(&Remote) -> R) -> Option<R> {
        self.lock().as_ref().map(|(remote, _)| question(remote))
    }
}

/// Applies the mouse perturbations of users to a simulation.
fn lay_hands(m: &Model, d: &mut Data, synced: &Synced, pert: &Perturb) {
    let state = &mut d.state;
    for (values, changes) in [(&mut *state.ctrl, &synced.ctrl), (&mut *state.qpos, &synced.qpos)] {
        for (id, value) in changes {
            if let Some(slot) = values.get_mut(*id) {
                *slot = *value;
            }
        }
    }
    state.xfrc_applied.fill([0.0; 6]);
    apply_pose(m, d, pert, false);
    apply_force(m, d, pert);
}

/// Copies what is displayed.
fn show(m: &Model, d: &Data, shown: &mut Data, state_only: bool) {
    if state_only && shown.copy_state(d, StateFlags::INTEGRATION.bits()).is_ok() {
        step::forward(m, shown);
    } else {
        shown.copy_from(d);
    }
}

#[pymethods]
impl Viewer {
    #[new]
    fn new(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, port: u16, role: &str) -> PyResult<Self> {
        let role = match role {
            "look" => Role::Look,
            "manage" => Role::Manage,
            "window" => Role::Window,
            _ => return Err(PyValueError::new_err(format!("no viewer has the role '{role}'"))),
        };
        built().map_err(failed)?;
        let model = Arc::new(m.get().read()?.clone());
        let data = d.get().cell.read()?;
        let remote = Remote::start(port, model.clone(), &data, role).map_err(failed)?;
        let Look { cam, opt, pert, .. } = Look::new(&model);
        Ok(Viewer { open: Mutex::new(Some((Arc::new(remote), Agreed { cam, opt, pert }))) })
    }

    /// The address to open; empty when closed.
    fn address(&self) -> String {
        self.ask(Remote::address).unwrap_or_default()
    }

    fn is_running(&self) -> bool {
        self.ask(Remote::is_running).unwrap_or(false)
    }

    /// Number of connected pages.
    fn tabs(&self) -> usize {
        self.ask(Remote::tabs).unwrap_or(0)
    }

    /// Width and height of the view.
    fn size(&self) -> (u32, u32) {
        self.ask(Remote::size).unwrap_or_default()
    }

    fn close(&self) {
        *self.lock() = None;
    }

    /// Keys pressed since the last call.
    fn keys(&self) -> Vec<i32> {
        self.ask(Remote::take_keys).unwrap_or_default()
    }

    /// Drags since the last call: the action (`mjtMouse`) and the distance relative to the height of the view.
    fn drags(&self) -> Vec<(i32, f64, f64)> {
        let drag = |command| match command {
            Command::MoveCamera([action, dx, dy]) => Some((action as i32, dx, dy)),
            _ => None,
        };
        self.ask(Remote::take_commands).unwrap_or_default().into_iter().filter_map(drag).collect()
    }

    /// Shows the scene of a window.
    fn show_scene(&self, scn: &Bound<'_, MjvScene>) -> PyResult<()> {
        let scene = scn.get().shared.read()?;
        self.ask(|remote| remote.show_scene(&scene));
        Ok(())
    }

    /// Commands of the pages since the last call: name and value.
    fn commands(&self) -> Vec<(&'static str, f64)> {
        let named = |command| match command {
            Command::Run([on]) => Some(("run", on)),
            Command::Step([count]) => Some(("step", count)),
            Command::Speed([factor]) => Some(("speed", factor)),
            Command::Reset([]) => Some(("reset", 0.0)),
            Command::Keyframe([id]) => Some(("keyframe", id)),
            Command::ClearCtrl([]) => Some(("clear", 0.0)),
            _ => None,
        };
        self.ask(Remote::take_commands).unwrap_or_default().into_iter().filter_map(named).collect()
    }

    fn set_clock(&self, running: bool, speed: f64) {
        self.ask(|remote| remote.set_clock(running, speed));
    }

    fn overlay(&self, words: String) {
        self.ask(|remote| remote.overlay(words));
    }

    /// Tells pages that meshes, height fields or textures have changed.
    fn replace_model(&self, m: &Bound<'_, MjModel>) -> PyResult<()> {
        let model = Arc::new(m.get().read()?.clone());
        self.ask(|remote| remote.replace_model(model));
        Ok(())
    }

    /// Synchronises both sides: the simulation and the user's shapes go out, changes made on pages come in.
    #[allow(clippy::too_many_arguments)]
    fn sync(
        &self,
        py: Python<'_>,
        m: &Bound<'_, MjModel>,
        d: &Bound<'_, MjData>,
        cam: &Bound<'_, MjvCamera>,
        opt: &Bound<'_, MjvOption>,
        pert: &Bound<'_, MjvPerturb>,
        user_scn: Option<&Bound<'_, MjvScene>>,
        state_only: bool,
    ) -> PyResult<()> {
        let user = user_scn.map(|s| Ok::<_, PyErr>(s.get().shared.read()?.shapes().to_vec())).transpose()?;
        // no lock is held while the GIL is released: its holder may be waiting for one
        let (remote, synced, hand) = {
            let mut open = self.lock();
            let Some((remote, agreed)) = open.as_mut() else { return Ok(()) };
            let mut cam = cam.get().shared.write()?;
            let mut opt = opt.get().shared.write()?;
            let mut pert = pert.get().shared.write()?;
            let synced = remote.exchange(|look| {
                settle(&mut *cam, &mut look.cam, &mut agreed.cam);
                settle(&mut *opt, &mut look.opt, &mut agreed.opt);
                settle(&mut *pert, &mut look.pert, &mut agreed.pert);
                look.user = user.unwrap_or_default();
            });
            (remote.clone(), synced, pert.clone())
        };
        call(py, m, d, |m, d| {
            lay_hands(m, d, &synced, &hand);
            remote.show(|shown| show(m, d, shown, state_only));
        })
    }
}

/// Raises an error, with advice, if the page is not part of this build.
#[pyfunction]
fn _page_built() -> PyResult<()> {
    built().map_err(failed)
}

/// A single-file page that plays a recorded motion: times, and positions concatenated.
#[pyfunction]
fn _replay_page(py: Python<'_>, m: &Bound<'_, MjModel>, time: Vec<f64>, qpos: Vec<f64>) -> PyResult<String> {
    let model = m.get().read()?;
    if time.is_empty() || qpos.len() != time.len() * model.nq {
        return Err(error::fatal(format!("a motion has a time and {} positions for each state", model.nq)));
    }
    let model = &*model;
    let page = py.detach(|| one_file(Some(Bundle::compiled(model).files()), Some(&pack_motion(&time, &qpos))));
    page.map_err(failed)
}

/// Adds the class.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Viewer>()?;
    module.add_function(wrap_pyfunction!(_page_built, module)?)?;
    module.add_function(wrap_pyfunction!(_replay_page, module)?)
}
