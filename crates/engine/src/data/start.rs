//! The starting point of a simulation: everything that the next step reads from the last one. It is a hundredth of the
//! size of a simulation, so that many can be stored while only one is being computed.

use super::multiplier::Multiplier;
use super::{Awake, Data, NTIMER, State, TimerStat, WarningStat, history};
use crate::fields::{Fields, Slice};
use crate::model::Model;
use crate::model::enums::EnableFlags;
use crate::support::awake;

/// State, warm start of the solver, and counters that continue from step to step.
///
/// With sleeping enabled a step also reads the poses of sleeping trees from the last one: see [`Start::suffices`].
#[derive(Clone, Debug)]
pub struct Start {
    /// The state.
    pub state: State,
    awake: Awake,
    multipliers: Vec<Multiplier>,
    warning: [WarningStat; 8],
    timer: [TimerStat; NTIMER],
    /// Largest numbers of contacts and constraint rows since the reset.
    most: [i32; 2],
}

impl Start {
    /// The model's initial state.
    pub fn new(m: &Model) -> Self {
        let mut start = Start {
            state: State::new(m),
            awake: Awake::new(m),
            multipliers: Vec::new(),
            warning: Default::default(),
            timer: Default::default(),
            most: [0; 2],
        };
        start.reset(m);
        start
    }

    /// Whether steps of a model read nothing else from the last step.
    pub fn suffices(m: &Model) -> bool {
        !m.opt.enabled(EnableFlags::SLEEP)
    }

    /// Resets to the model's initial state, like [`Data::reset`] without sleeping.
    pub fn reset(&mut self, m: &Model) {
        self.state.zero();
        self.state.begin(m);
        self.state.begin_plugins(m);
        self.state.begin_mocap(m);
        awake::update_sleep(m, &self.state, &mut self.awake, false);
        self.forget();
        self.warning = Default::default();
        self.timer = Default::default();
        self.most = [0; 2];
    }

    /// Clears the solver's warm start, as when a state is set.
    pub fn forget(&mut self) {
        self.multipliers.clear();
    }

    /// Copies the starting point of a simulation.
    pub fn copy_from(&mut self, d: &Data) {
        self.state.copy_from(&d.state);
        self.awake.copy_from(&d.awake);
        self.multipliers.clone_from(&d.multipliers);
        self.warning = d.warning;
        self.timer = d.timer;
        self.most = [d.collision.maxuse_con, d.efc.maxuse_efc];
    }

    /// Memory of the fields. (byte)
    pub fn nbytes(&self) -> usize {
        let state: usize = (0..State::FIELDS.len()).map(|i| self.state.field(i).bytes()).sum();
        let awake = &self.awake;
        let lists = [
            &awake.tree_awake,
            &awake.body_awake,
            &awake.body_awake_ind,
            &awake.parent_awake_ind,
            &awake.dof_awake_ind,
        ];
        let awake: usize = lists.iter().map(|list| Slice::I32(list).bytes()).sum();
        size_of::<Self>() + state + awake + self.multipliers.capacity() * size_of::<Multiplier>()
    }
}

impl State {
    /// Sets positions, constraints and histories to the model's initial state, with all trees awake.
    pub(crate) fn begin(&mut self, m: &Model) {
        self.qpos.copy_from_slice(&m.qpos0);
        self.eq_active.copy_from_slice(&m.eq_active0);
        history::reset(m, self);
        self.tree_asleep.fill(awake::AWAKE);
    }

    /// Sets plugin instances to their initial states.
    pub(crate) fn begin_plugins(&mut self, m: &Model) {
        for (i, plugin) in m.plugins().list().iter().enumerate() {
            let start = usize::try_from(m.plugin_stateadr[i]).unwrap_or(0);
            let range = start..start + m.plugin_statenum[i] as usize;
            if let Some(state) = self.plugin_state.get_mut(range) {
                plugin.object.reset(m, state);
            }
        }
    }

    /// Sets mocap bodies to their poses in the model.
    pub(crate) fn begin_mocap(&mut self, m: &Model) {
        for b in 0..m.nbody {
            if let Ok(i) = usize::try_from(m.body_mocapid[b]) {
                self.mocap_pos[i] = m.body_pos[b];
                self.mocap_quat[i] = m.body_quat[b];
            }
        }
    }
}

impl Data {
    /// Continues from the starting point of another simulation of the same model. Computed results are left unchanged.
    pub fn go_from(&mut self, start: &Start) {
        self.state.copy_from(&start.state);
        self.awake.copy_from(&start.awake);
        self.multipliers.clone_from(&start.multipliers);
        self.warning = start.warning;
        self.timer = start.timer;
        [self.collision.maxuse_con, self.efc.maxuse_efc] = start.most;
    }
}
