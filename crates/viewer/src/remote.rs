//! A simulation in this process, shown on pages.

use crate::Error;
use crate::http::Answer;
use crate::page::Mode;
use crate::server::{Content, Server};
use crate::socket::Tab;
use sinew_engine::{Data, Model};
use sinew_scene::Scene;
use sinew_web::message::{FrameWriter, model_message};
use sinew_web::{Command, Look};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A viewer ends this long after its last page has gone; reloading a page takes less time.
const PATIENCE: Duration = Duration::from_secs(5);
/// Capacity for commands waiting for the simulation; excess ones are dropped, the oldest first.
const MAX_WAITING: usize = 1000;

/// What pages did since the last exchange.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Synced {
    /// Controls that were set: index and value.
    pub ctrl: Vec<(usize, f64)>,
    /// Coordinates that were set: index and value.
    pub qpos: Vec<(usize, f64)>,
}

/// Permissions of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// They show a simulation, and may perturb it.
    Look,
    /// They may also run and pause it.
    Manage,
    /// They are windows of a program: they show the scenes it draws, and send it keys and mouse events.
    Window,
}

/// A simulation shown on pages.
#[derive(Debug)]
pub struct Remote {
    server: Server,
    stage: Arc<Stage>,
}

#[derive(Debug)]
struct Stage {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    model: Arc<Model>,
    data: Data,
    look: Look,
    /// Counters: `models` changes with every model, `version` with every change of what is shown.
    models: u64,
    version: u64,
    /// Open pages in order of arrival; the first one is in control.
    tabs: Vec<u64>,
    next_tab: u64,
    left: Option<Instant>,
    synced: Synced,
    keys: Vec<i32>,
    waiting: Vec<Command>,
    words: (u64, String),
    role: Role,
    /// Whether it runs, and simulated time per real time.
    clock: (bool, f64),
    /// Width and height of the first page's view. (pixel)
    size: (u32, u32),
}

impl Remote {
    /// Starts on a port; 0 selects a free one.
    ///
    /// # Errors
    /// No page in this build, no port.
    pub fn start(port: u16, model: Arc<Model>, data: &Data, role: Role) -> Result<Remote, Error> {
        let mut look = Look::new(&model);
        _ = look.update(&model, data);
        let state = State {
            data: data.clone(),
            look,
            model,
            models: 0,
            version: 0,
            tabs: Vec::new(),
            next_tab: 0,
            left: None,
            synced: Synced::default(),
            keys: Vec::new(),
            waiting: Vec::new(),
            words: (0, String::new()),
            role,
            clock: (true, 1.0),
            size: (0, 0),
        };
        let stage = Arc::new(Stage { state: Mutex::new(state) });
        Ok(Remote { server: Server::start(port, stage.clone())?, stage })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        self.server.address()
    }

    /// Whether a page is open or may still arrive; false some time after the last one has gone.
    pub fn is_running(&self) -> bool {
        self.stage.lock().left.is_none_or(|left| left.elapsed() < PATIENCE)
    }

    /// Number of open pages.
    pub fn tabs(&self) -> usize {
        self.stage.lock().tabs.len()
    }

    /// Gives access to the camera, the options, the perturbation and the user's shapes; returns what pages did since
    /// the last exchange.
    pub fn exchange(&self, work: impl FnOnce(&mut Look)) -> Synced {
        let mut state = self.stage.lock();
        work(&mut state.look);
        state.version += 1;
        std::mem::take(&mut state.synced)
    }

    /// Gives access to the copy of the state that pages show.
    pub fn show(&self, work: impl FnOnce(&mut Data)) {
        let mut state = self.stage.lock();
        work(&mut state.data);
        state.version += 1;
    }

    /// Shows a scene that a program draws in its window.
    pub fn show_scene(&self, scene: &Scene) {
        let mut state = self.stage.lock();
        state.look.scene.clone_from(scene);
        state.version += 1;
    }

    /// Replaces the model after changes of meshes, height fields or textures.
    pub fn replace_model(&self, model: Arc<Model>) {
        let mut state = self.stage.lock();
        (state.model, state.models, state.version) = (model, state.models + 1, state.version + 1);
    }

    /// Keys pressed since the last call, as GLFW key codes.
    pub fn take_keys(&self) -> Vec<i32> {
        std::mem::take(&mut self.stage.lock().keys)
    }

    /// Commands for the owner of the simulation, such as run, step and reset.
    pub fn take_commands(&self) -> Vec<Command> {
        std::mem::take(&mut self.stage.lock().waiting)
    }

    /// Tells pages whether the simulation runs, and how fast.
    pub fn set_clock(&self, running: bool, speed: f64) {
        self.stage.lock().clock = (running, speed);
    }

    /// Width and height of the view; zeros before the first page arrives. (pixel)
    pub fn size(&self) -> (u32, u32) {
        self.stage.lock().size
    }

    /// Shows overlays in the page's own format: JSON with lists of texts, images and figures.
    pub fn overlay(&self, words: String) {
        let mut state = self.stage.lock();
        state.words = (state.words.0 + 1, words);
    }
}

impl Stage {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What still has to be sent to a page: the model, a frame, text.
    fn next(&self, got: &mut Got) -> (Option<Vec<u8>>, Option<Vec<u8>>, Option<String>) {
        let mut state = self.lock();
        let state = &mut *state;
        let model = (got.models != Some(state.models)).then(|| {
            got.writer.restart();
            got.models = Some(state.models);
            (got.version, got.wants) = (None, true);
            model_message(&state.model).to_bytes()
        });
        let frame = (got.wants && got.version != Some(state.version)).then(|| {
            // a window shows what its program has drawn
            if state.role != Role::Window && state.look.update(&state.model, &state.data).is_err() {
                state.look.apply(&state.model, &state.data, Command::FreeCamera([]));
            }
            (got.version, got.wants) = (Some(state.version), false);
            got.writer.passive(&state.model, &state.data, &state.look, state.clock).to_bytes()
        });
        let words = (got.words != state.words.0).then(|| {
            got.words = state.words.0;
            state.words.1.clone()
        });
        (model, frame, words)
    }
}

impl State {
    fn apply(&mut self, command: Command) {
        match command {
            Command::Size([width, height]) => self.size = (width as u32, height as u32),
            Command::Key([code]) => push(&mut self.keys, code as i32),
            Command::Ctrl([id, value]) => push(&mut self.synced.ctrl, (id.max(0.0) as usize, value)),
            Command::Qpos([id, value]) => push(&mut self.synced.qpos, (id.max(0.0) as usize, value)),
            _ if self.role == Role::Window => push(&mut self.waiting, command),
            _ if self.look.apply(&self.model, &self.data, command) => self.version += 1,
            _ => push(&mut self.waiting, command),
        }
    }
}

/// Appends to a list of bounded length.
fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= MAX_WAITING {
        list.remove(0);
    }
    list.push(item);
}

/// What a page has received.
#[derive(Default)]
struct Got {
    models: Option<u64>,
    version: Option<u64>,
    words: u64,
    wants: bool,
    writer: FrameWriter,
}

impl Content for Stage {
    fn mode(&self) -> Mode {
        match self.lock().role {
            Role::Look => Mode::Remote,
            Role::Manage => Mode::Managed,
            Role::Window => Mode::Window,
        }
    }

    fn part(&self, _path: &str) -> Option<Answer> {
        None
    }

    fn talk(&self, tab: &mut Tab) {
        let own = {
            let mut state = self.lock();
            let own = state.next_tab;
            (state.next_tab, state.left) = (own + 1, None);
            state.tabs.push(own);
            own
        };
        self.converse(tab, own);
        let mut state = self.lock();
        state.tabs.retain(|t| *t != own);
        if state.tabs.is_empty() {
            state.left = Some(Instant::now());
        }
    }
}

impl Stage {
    fn converse(&self, tab: &mut Tab, own: u64) {
        let mut got = Got::default();
        loop {
            match tab.hear() {
                Err(_) => return,
                Ok(Some(Command::Next([]))) => got.wants = true,
                Ok(Some(command)) => {
                    let mut state = self.lock();
                    if state.tabs.first() == Some(&own) {
                        state.apply(command);
                    }
                    continue; // a burst of commands needs only one frame
                }
                Ok(None) => {}
            }
            let (model, frame, words) = self.next(&mut got);
            let sent = [model, frame].into_iter().flatten().try_for_each(|bytes| tab.send(bytes));
            if sent.and_then(|()| words.map_or(Ok(()), |w| tab.tell("overlay", &w))).is_err() {
                return;
            }
        }
    }
}
