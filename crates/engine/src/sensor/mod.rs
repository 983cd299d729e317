//! Sensors of each stage, cutoff and delay, and energies.

pub mod acc;
mod contact;
pub mod energy;
pub mod output;
pub mod pos;
mod rangefinder;
mod tactile;
pub mod touch;
pub mod vel;
pub mod work;

use crate::data::{Accel, Awake, Contact, Efc, Force, Motion, Pose, Solution, State, Trn};
use crate::model::Model;
use crate::model::enums::{ConstraintType, SensorType, Stage};
use crate::support::object::{ObjectFrame, object_frame};

pub use energy::{energy_pos, energy_vel};
pub use output::{Sample, evaluate, is_delayed, plugin_cutoff, record, sample, stage, user_cutoff};
pub use rangefinder::pixel_ray;
pub use work::SensorWork;

/// Inputs of sensors.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// Model.
    pub m: &'a Model,
    /// State.
    pub state: &'a State,
    /// Sleep states.
    pub awake: &'a Awake,
    /// Poses and tendon lengths.
    pub pose: &'a Pose,
    /// Actuator lengths.
    pub trn: &'a Trn,
    /// Velocities.
    pub motion: &'a Motion,
    /// Forces.
    pub force: &'a Force,
    /// Accelerations.
    pub accel: &'a Accel,
    /// Contacts.
    pub contact: &'a [Contact],
    /// Constraint rows.
    pub efc: &'a Efc,
    /// Constraint forces.
    pub solution: &'a Solution,
    /// Potential and kinetic energy.
    pub energy: [f64; 2],
}

impl<'a> Inputs<'a> {
    /// Type of sensor `i`.
    fn kind(&self, i: usize) -> Option<SensorType> {
        SensorType::try_from(self.m.sensor_type[i]).ok()
    }

    /// Object that sensor `i` is attached to.
    fn object(&self, i: usize) -> usize {
        self.m.sensor_objid[i] as usize
    }

    /// Frame of the object of sensor `i`.
    fn frame(&self, i: usize) -> Option<ObjectFrame<'a>> {
        let obj = self.m.sensor_objtype(i);
        object_frame(self.m, self.pose, obj, self.object(i))
    }

    /// Reference frame of sensor `i`; `None` for the world.
    fn reference(&self, i: usize) -> Option<ObjectFrame<'a>> {
        let id = usize::try_from(self.m.sensor_refid[i]).ok()?;
        object_frame(self.m, self.pose, self.m.sensor_reftype(i), id)
    }

    /// Constraint row of the active limit of joint or tendon `id`.
    fn limit_row(&self, kind: ConstraintType, id: usize) -> Option<usize> {
        let e = self.efc;
        let limits = (e.ne + e.nf) as usize..e.nefc as usize;
        limits.into_iter().find(|&r| e.efc_type[r] == kind as i32 && e.efc_id[r] == id as i32)
    }
}

/// Quantities needed by sensors that a step does not compute otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Subtree velocities.
    pub subtree_vel: bool,
    /// Body accelerations and forces between bodies.
    pub rne_post: bool,
    /// Potential energy.
    pub energy_pos: bool,
    /// Kinetic energy.
    pub energy_vel: bool,
}

/// Needs of those `sensors` that are about to be evaluated.
#[inline]
pub fn needs(m: &Model, sensors: impl Iterator<Item = usize>, evaluated: impl Fn(usize) -> bool) -> Needs {
    use SensorType as S;
    let mut needs = Needs::default();
    for i in sensors {
        let stage = |stage: Stage| m.sensor_needstage[i] == stage as i32;
        let need = match m.sensor_type(i) {
            S::Subtreelinvel | S::Subtreeangmom => &mut needs.subtree_vel,
            S::Accelerometer | S::Force | S::Torque | S::Framelinacc | S::Frameangacc => &mut needs.rne_post,
            S::EPotential => &mut needs.energy_pos,
            S::EKinetic => &mut needs.energy_vel,
            S::User if stage(Stage::Vel) => &mut needs.subtree_vel,
            S::User if stage(Stage::Acc) => &mut needs.rne_post,
            _ => continue,
        };
        *need = *need || evaluated(i);
    }
    needs
}
