//! The subsets of bodies, parents and degrees of freedom that a stage visits.
//!
//! If sleep is disabled or nothing is asleep, these are all of them.

use crate::data::{Awake, State};
use crate::model::Model;
use crate::model::enums::{EnableFlags, EqType, ObjType, SensorType, SleepState, TrnType};
use sinew_math::sparse::Subset;

/// Whether some bodies are skipped.
#[inline]
pub fn skips_bodies(m: &Model, awake: &Awake) -> bool {
    m.opt.enabled(EnableFlags::SLEEP) && (awake.nbody_awake as usize) < m.nbody
}

/// Whether some degrees of freedom are skipped.
#[inline]
pub fn skips_dofs(m: &Model, awake: &Awake) -> bool {
    m.opt.enabled(EnableFlags::SLEEP) && (awake.nv_awake as usize) < m.nv
}

/// Whether some trees are skipped.
#[inline]
pub fn skips_trees(m: &Model, awake: &Awake) -> bool {
    m.opt.enabled(EnableFlags::SLEEP) && (awake.ntree_awake as usize) < m.ntree
}

/// Bodies that are not asleep, including the world, in order.
#[inline]
pub fn bodies<'a>(m: &Model, awake: &'a Awake) -> Subset<'a> {
    if skips_bodies(m, awake) {
        Subset::Listed(&awake.body_awake_ind[..awake.nbody_awake as usize])
    } else {
        Subset::All(m.nbody)
    }
}

/// Bodies whose parent is not asleep.
#[inline]
pub fn parents<'a>(m: &Model, awake: &'a Awake) -> Subset<'a> {
    if skips_bodies(m, awake) {
        Subset::Listed(&awake.parent_awake_ind[..awake.nparent_awake as usize])
    } else {
        Subset::All(m.nbody)
    }
}

/// Degrees of freedom of trees that are awake.
#[inline]
pub fn dofs<'a>(m: &Model, awake: &'a Awake) -> Subset<'a> {
    if skips_dofs(m, awake) {
        Subset::Listed(&awake.dof_awake_ind[..awake.nv_awake as usize])
    } else {
        Subset::All(m.nv)
    }
}

/// Whether a body is asleep; static bodies are not.
#[inline]
pub fn body_asleep(awake: &Awake, body: usize) -> bool {
    awake.body_awake(body) == SleepState::Asleep
}

/// Whether every tree that a tendon touches is asleep; tendons over more than two trees never sleep.
#[doc(alias = "mj_sleepState")]
pub fn tendon_asleep(m: &Model, awake: &Awake, tendon: usize) -> bool {
    let trees = &m.tendon_treeid[tendon];
    let sleeps = |k: usize| awake.tree_awake[trees[k] as usize] == 0;
    match m.tendon_treenum[tendon] {
        1 => sleeps(0),
        2 => sleeps(0) && sleeps(1),
        _ => false,
    }
}

/// Whether the target of an actuator's transmission is asleep.
#[doc(alias = "mj_sleepState")]
pub fn actuator_asleep(m: &Model, awake: &Awake, actuator: usize) -> bool {
    let [id, ref_id] = m.actuator_trnid[actuator].map(|id| id as usize);
    let site_awake = |site: usize| awake.body_awake(m.site_bodyid[site] as usize) == SleepState::Awake;
    match m.actuator_trntype(actuator) {
        TrnType::Joint | TrnType::Jointinparent => body_asleep(awake, m.jnt_bodyid[id] as usize),
        TrnType::Slidercrank => !site_awake(id) && !site_awake(ref_id),
        TrnType::Tendon => tendon_asleep(m, awake, id),
        TrnType::Site => body_asleep(awake, m.site_bodyid[id] as usize),
        TrnType::Body => body_asleep(awake, id),
        TrnType::Undefined => false,
    }
}

/// `tree_asleep` of a tree that has just been woken: it counts up to −1 (ready to sleep) over ten steps, the minimum
/// time awake.
pub const AWAKE: i32 = -(1 + 10);

/// Updates the awake lists from `tree_asleep`. With `with_static`, static bodies count as awake, so that a stage visits
/// them once.
#[doc(alias = "mj_updateSleep")]
pub fn update_sleep(m: &Model, state: &State, awake: &mut Awake, with_static: bool) {
    for (up, &asleep) in awake.tree_awake.iter_mut().zip(state.tree_asleep.iter()) {
        *up = i32::from(asleep < 0);
    }
    awake.ntree_awake = awake.tree_awake.iter().sum();
    let (mut bodies, mut parents) = (0, 0);
    for i in 0..m.nbody {
        let status = match usize::try_from(m.body_treeid[i]) {
            Ok(tree) if awake.tree_awake[tree] != 0 => SleepState::Awake,
            Ok(_) => SleepState::Asleep,
            Err(_) if with_static || m.body_mocapid[m.body_rootid[i] as usize] >= 0 => SleepState::Awake,
            Err(_) => SleepState::Static,
        };
        awake.body_awake[i] = status as i32;
        if status != SleepState::Asleep {
            awake.body_awake_ind[bodies] = i as i32;
            bodies += 1;
        }
        if i > 0 && !body_asleep(awake, m.body_parentid[i] as usize) {
            awake.parent_awake_ind[parents] = i as i32;
            parents += 1;
        }
    }
    awake.nbody_awake = bodies as i32;
    awake.nparent_awake = parents as i32;
    let mut dofs = 0;
    for i in 0..m.nv {
        let body = m.dof_bodyid[i] as usize;
        if m.body_treeid[body] >= 0 && awake.body_awake(body) == SleepState::Awake {
            awake.dof_awake_ind[dofs] = i as i32;
            dofs += 1;
        }
    }
    awake.nv_awake = dofs as i32;
}

/// Whether no object of an equality constraint is awake.
#[doc(alias = "mj_sleepState")]
pub fn equality_asleep(m: &Model, awake: &Awake, equality: usize) -> bool {
    let body_awake = |b: usize| awake.body_awake(b) == SleepState::Awake;
    let ids = [m.eq_obj1id[equality], m.eq_obj2id[equality]].map(usize::try_from);
    let any = |test: &dyn Fn(usize) -> bool| ids.iter().flatten().any(|&id| test(id));
    match m.eq_type(equality) {
        EqType::Connect | EqType::Weld => !m.eq_bodies(equality).iter().any(|&b| body_awake(b)),
        EqType::Joint => !any(&|j| body_awake(m.jnt_bodyid[j] as usize)),
        EqType::Tendon => !any(&|t| m.tendon_treenum[t] > 0 && !tendon_asleep(m, awake, t)),
        _ => false,
    }
}

/// Sleep state of a body, of an object attached to one, or of a tendon or actuator; other objects never sleep.
#[doc(alias = "mj_sleepState")]
fn object_state(m: &Model, awake: &Awake, kind: i32, id: usize) -> SleepState {
    let asleep = |is: bool| if is { SleepState::Asleep } else { SleepState::Awake };
    let body = match ObjType::try_from(kind) {
        Ok(ObjType::Body | ObjType::Xbody) => id,
        Ok(ObjType::Joint) => m.jnt_bodyid[id] as usize,
        Ok(ObjType::Dof) => m.dof_bodyid[id] as usize,
        Ok(ObjType::Geom) => m.geom_bodyid[id] as usize,
        Ok(ObjType::Site) => m.site_bodyid[id] as usize,
        Ok(ObjType::Camera) => m.cam_bodyid[id] as usize,
        Ok(ObjType::Light) => m.light_bodyid[id] as usize,
        Ok(ObjType::Tendon) if m.tendon_treenum[id] == 0 => return SleepState::Static,
        Ok(ObjType::Tendon) => return asleep(tendon_asleep(m, awake, id)),
        Ok(ObjType::Actuator) => return asleep(actuator_asleep(m, awake, id)),
        _ => return SleepState::Awake,
    };
    SleepState::try_from(awake.body_awake[body]).unwrap_or(SleepState::Awake)
}

/// Whether a sensor keeps its last value: everything it depends on is asleep or static.
#[doc(alias = "mj_sleepState")]
pub fn sensor_asleep(m: &Model, awake: &Awake, sensor: usize) -> bool {
    let kinds = [m.sensor_objtype[sensor], m.sensor_reftype[sensor]];
    let is_site = |kind: &i32| *kind == ObjType::Site as i32;
    match m.sensor_type(sensor) {
        SensorType::User | SensorType::Plugin | SensorType::Rangefinder => return false,
        // a site is a volume that other objects may enter
        SensorType::Contact if kinds.iter().any(is_site) => return false,
        _ => {}
    }
    let state = |k: usize, id: i32| {
        (kinds[k] != ObjType::Unknown as i32).then(|| object_state(m, awake, kinds[k], id as usize))
    };
    match (state(0, m.sensor_objid[sensor]), state(1, m.sensor_refid[sensor])) {
        (Some(a), Some(b)) => a != SleepState::Awake && b != SleepState::Awake,
        (Some(state), None) | (None, Some(state)) => state == SleepState::Asleep,
        (None, None) => false,
    }
}
