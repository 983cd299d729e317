//! Where the state of each element is in a compiled model, so that it can be carried over to the recompiled model.

use super::{Id, Spec};
use crate::error::{Error, Result};
use crate::loader::Loader;
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Data, Model};
use std::ops::Range;

/// State layout: positions, velocities and activations by the elements that they belong to.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    joints: Places<(Range<usize>, Range<usize>)>,
    actuators: Places<(usize, Range<usize>)>,
    bodies: Places<(usize, Option<usize>)>,
    lengths: [usize; PARTS.len()],
}

/// The state arrays that are carried over, by the names of their sizes.
const PARTS: [&str; 6] = ["nq", "nv", "na", "nu", "nbody", "nmocap"];

/// Lengths of those arrays.
fn lengths(d: &Data) -> [usize; PARTS.len()] {
    let s = &d.state;
    [s.qpos.len(), s.qvel.len(), s.act.len(), s.ctrl.len(), s.xfrc_applied.len(), s.mocap_pos.len()]
}

/// Index ranges by id, sorted by id.
#[derive(Clone, Debug, Default)]
struct Places<T>(Vec<(Id, T)>);

impl<T> FromIterator<(Id, T)> for Places<T> {
    fn from_iter<I: IntoIterator<Item = (Id, T)>>(places: I) -> Self {
        let mut all: Vec<(Id, T)> = places.into_iter().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        Places(all)
    }
}

impl<T> Places<T> {
    /// Pairs of ranges, before and now, of the elements that both layouts have.
    fn both<'a>(&'a self, now: &'a Places<T>) -> impl Iterator<Item = (&'a T, &'a T)> {
        let mut before = self.0.iter().peekable();
        now.0.iter().filter_map(move |(id, now)| {
            while before.next_if(|(other, _)| other < id).is_some() {}
            before.next_if(|(other, _)| other == id).map(|(_, before)| (before, now))
        })
    }
}

impl Layout {
    /// The layout of a model compiled from a specification. Where compilation has dropped or merged elements, the
    /// others of that kind cannot be identified and are left out.
    pub fn of(spec: &mut Spec, m: &Model) -> Self {
        let mut ids = |kind: ObjType, n: usize| Some(spec.all(kind)).filter(|all| all.len() == n).unwrap_or_default();
        let end = |adr: &[i32], i: usize, total: usize| adr.get(i + 1).map_or(total, |&next| next as usize);
        let joints = ids(ObjType::Joint, m.njnt).into_iter().enumerate().map(|(i, id)| {
            let q = m.jnt_qposadr[i] as usize..end(&m.jnt_qposadr, i, m.nq);
            (id, (q, m.jnt_dofadr[i] as usize..end(&m.jnt_dofadr, i, m.nv)))
        });
        let joints = joints.collect();
        let actuators = ids(ObjType::Actuator, m.nu).into_iter().enumerate().map(|(i, id)| {
            let first = usize::try_from(m.actuator_actadr[i]).unwrap_or(0);
            (id, (i, first..first + m.actuator_actnum[i] as usize))
        });
        let actuators = actuators.collect();
        let bodies = ids(ObjType::Body, m.nbody).into_iter().enumerate();
        let bodies = bodies.map(|(i, id)| (id, (i, usize::try_from(m.body_mocapid[i]).ok()))).collect();
        Layout { joints, actuators, bodies, lengths: [m.nq, m.nv, m.na, m.nu, m.nbody, m.nmocap] }
    }

    /// Checks that a simulation has the sizes of the model of this layout.
    ///
    /// # Errors
    /// The first size that differs.
    pub fn fits(&self, d: &Data) -> Result<()> {
        let pairs = PARTS.iter().zip(lengths(d).into_iter().zip(self.lengths));
        match pairs.into_iter().find(|(_, (got, expected))| got != expected) {
            Some((name, (got, expected))) => Err(Error::invalid(format!(
                "the simulation is not of the model that the specification was last compiled to: {name} is {got}, expected {expected}"
            ))),
            None => Ok(()),
        }
    }

    /// Copies time and state from one simulation to another, for all elements that both models have with the same
    /// sizes.
    ///
    /// # Errors
    /// If a simulation does not match the model of its layout.
    pub fn carry(&self, from: &Data, layout: &Layout, to: &mut Data) -> Result<()> {
        self.fits(from)?;
        layout.fits(to)?;
        let (old, new) = (&from.state, &mut to.state);
        new.time = old.time;
        fn copy(to: &mut [f64], at: &Range<usize>, from: &[f64], of: &Range<usize>) {
            if at.len() == of.len() {
                to[at.clone()].copy_from_slice(&from[of.clone()]);
            }
        }
        for ((was_q, was_v), (q, v)) in self.joints.both(&layout.joints) {
            copy(&mut new.qpos, q, &old.qpos, was_q);
            copy(&mut new.qvel, v, &old.qvel, was_v);
            copy(&mut new.qacc_warmstart, v, &old.qacc_warmstart, was_v);
            copy(&mut new.qfrc_applied, v, &old.qfrc_applied, was_v);
        }
        for ((was, was_act), (i, act)) in self.actuators.both(&layout.actuators) {
            new.ctrl[*i] = old.ctrl[*was];
            copy(&mut new.act, act, &old.act, was_act);
        }
        for ((was, was_mocap), (i, mocap)) in self.bodies.both(&layout.bodies) {
            new.xfrc_applied[*i] = old.xfrc_applied[*was];
            if let (Some(mocap), Some(was_mocap)) = (mocap, was_mocap) {
                new.mocap_pos[*mocap] = old.mocap_pos[*was_mocap];
                new.mocap_quat[*mocap] = old.mocap_quat[*was_mocap];
            }
        }
        Ok(())
    }
}

/// A model with its simulation, and the specification from which it can be recompiled while the simulation continues.
///
/// ```
/// use sinew_mjcf::spec::{Geom, Joint, Live, Spec};
///
/// let mut spec = Spec::default();
/// let arm = spec.add_body(None, "arm")?;
/// spec.body_at(arm)?.joints.push(Joint::named("hinge"));
/// spec.body_at(arm)?.geoms.push(Geom::named("link").with_size([0.1, 0.0, 0.0]));
/// let mut live = Live::new(spec)?;
/// live.data.state.qpos[0] = 0.5;
/// let ball = live.spec.add_body(None, "ball")?;
/// live.spec.body_at(ball)?.joints.push(Joint::named("slide"));
/// live.spec.body_at(ball)?.geoms.push(Geom::named("ball").with_size([0.1, 0.0, 0.0]));
/// live.recompile()?;
/// assert_eq!(live.data.state.qpos[..], [0.5, 0.0]);
/// # Ok::<(), sinew_mjcf::Error>(())
/// ```
#[derive(Debug)]
pub struct Live {
    /// The specification; changes take effect at the next [`recompile`](Live::recompile).
    pub spec: Spec,
    /// The compiled model.
    pub model: Model,
    /// The simulation.
    pub data: Data,
    layout: Layout,
}

impl Live {
    /// Compiles a specification, with files from disk, and starts a simulation.
    ///
    /// # Errors
    /// Everything wrong with the specification.
    pub fn new(spec: Spec) -> Result<Self> {
        Self::with(spec, &Loader::new())
    }

    /// As [`Live::new`], with the settings of a loader.
    ///
    /// # Errors
    /// Everything wrong with the specification.
    pub fn with(mut spec: Spec, loader: &Loader<'_>) -> Result<Self> {
        let (model, _) = loader.compile(&spec)?;
        let (data, layout) = (Data::new(&model), Layout::of(&mut spec, &model));
        Ok(Live { spec, model, data, layout })
    }

    /// Recompiles the specification. Time, positions, velocities, activations, controls, applied forces and mocap poses
    /// stay with their elements; new elements start at the model's initial state. If this fails, nothing has changed.
    ///
    /// # Errors
    /// Everything wrong with the specification; or `data` was replaced by that of another model.
    #[doc(alias = "mj_recompile")]
    pub fn recompile(&mut self) -> Result<()> {
        self.recompile_with(&Loader::new())
    }

    /// As [`Live::recompile`], with the settings of a loader.
    ///
    /// # Errors
    /// As [`Live::recompile`].
    pub fn recompile_with(&mut self, loader: &Loader<'_>) -> Result<()> {
        let (model, _) = loader.compile(&self.spec)?;
        let (mut data, layout) = (Data::new(&model), Layout::of(&mut self.spec, &model));
        self.layout.carry(&self.data, &layout, &mut data)?;
        sinew_engine::step::forward(&model, &mut data);
        (self.model, self.data, self.layout) = (model, data, layout);
        Ok(())
    }
}
