//! What actuators and tendons pull at, and the dofs that change its length.

use crate::spatial_tendons;
use sinew_engine::Model;
use sinew_engine::model::enums::{JointType, TrnType};

/// How the length of a strand comes about. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransmissionType {
    /// A fixed combination of joint positions.
    Fixed = 0,
    /// The turn of a ball joint about an axis.
    Ball = 1,
    /// A force and a torque on a free body; it has no length.
    Free = 2,
    /// A force and a torque at a site; it has no length.
    Site = 3,
    /// Way and turn of a site relative to another.
    SiteRef = 4,
    /// A crank on a rod that slides.
    SliderCrank = 5,
    /// A spatial tendon: the objects are its first span and their number.
    SpatialTendon = 6,
}

/// The kernels' names of them.
pub const KINDS: [(&str, TransmissionType); 7] = [
    ("TRN_FIXED", TransmissionType::Fixed),
    ("TRN_BALL", TransmissionType::Ball),
    ("TRN_FREE", TransmissionType::Free),
    ("TRN_SITE", TransmissionType::Site),
    ("TRN_SITE_REF", TransmissionType::SiteRef),
    ("TRN_SLIDERCRANK", TransmissionType::SliderCrank),
    ("TRN_SPATIAL_TENDON", TransmissionType::SpatialTendon),
];

/// A strand.
#[derive(Clone, Copy, Debug)]
pub struct Transmission {
    /// How its length comes about.
    pub kind: TransmissionType,
    /// The joint, the sites or the spans.
    pub objects: [i32; 2],
}

/// How far a strand moves with a dof.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The strand.
    pub transmission: usize,
    /// The dof.
    pub dof: usize,
    /// Where the position of its joint is, if that is a number.
    pub qpos: usize,
    /// The lever, where it is fixed.
    pub coef: f64,
}

/// Whether no strand has two entries, and no dof.
pub fn disjoint(moments: &[Moment], nv: usize) -> bool {
    let transmissions = moments.windows(2).all(|two| two[0].transmission != two[1].transmission);
    let mut of_dof = vec![0; nv];
    moments.iter().for_each(|e| of_dof[e.dof] += 1);
    transmissions && of_dof.iter().all(|n| *n <= 1)
}

/// Strands of actuators, then of tendons.
pub fn transmissions(m: &Model) -> Vec<Transmission> {
    let kind = |u: usize| match m.actuator_trntype(u) {
        TrnType::Joint | TrnType::Jointinparent => match m.jnt_type(m.actuator_trnid[u][0] as usize) {
            JointType::Ball => TransmissionType::Ball,
            JointType::Free => TransmissionType::Free,
            _ => TransmissionType::Fixed,
        },
        TrnType::Site if m.actuator_trnid[u][1] >= 0 => TransmissionType::SiteRef,
        TrnType::Site => TransmissionType::Site,
        TrnType::Slidercrank => TransmissionType::SliderCrank,
        TrnType::Tendon if spatial_tendons::is_spatial(m, m.actuator_trnid[u][0] as usize) => {
            TransmissionType::SpatialTendon
        }
        _ => TransmissionType::Fixed,
    };
    let spatial_tendon = |t: usize| {
        let segments = spatial_tendons::range(m, t);
        Transmission { kind: TransmissionType::SpatialTendon, objects: [segments.start as i32, segments.len() as i32] }
    };
    let actuator = |u: usize| match kind(u) {
        TransmissionType::SpatialTendon => spatial_tendon(m.actuator_trnid[u][0] as usize),
        kind => Transmission { kind, objects: m.actuator_trnid[u] },
    };
    let fixed = Transmission { kind: TransmissionType::Fixed, objects: [0; 2] };
    let tendon = |t: usize| if spatial_tendons::is_spatial(m, t) { spatial_tendon(t) } else { fixed };
    (0..m.nu).map(actuator).chain((0..m.ntendon).map(tendon)).collect()
}

/// Their entries, strand by strand.
pub fn moments(m: &Model, transmissions: &[Transmission], last_dof: &[Option<usize>]) -> Vec<Moment> {
    let of = |k: usize| {
        let Transmission { kind, objects } = transmissions[k];
        let moment = |dof: usize| Moment { transmission: k, dof, qpos: 0, coef: 0.0 };
        let moving = |site: i32| chain(m, last_dof[m.site_bodyid[site as usize] as usize]);
        match kind {
            TransmissionType::Fixed if k < m.nu => actuator(m, k),
            TransmissionType::Fixed => tendon(m, k, k - m.nu, 1.0),
            TransmissionType::Ball | TransmissionType::Free => m.joint_dofs(objects[0] as usize).map(moment).collect(),
            TransmissionType::Site => moving(objects[0]).into_iter().map(moment).collect(),
            TransmissionType::SiteRef => {
                // what moves both sites has no effect
                let [a, b] = objects.map(moving);
                let alone = |x: &[usize], y: &[usize]| x.iter().copied().filter(|i| !y.contains(i)).collect::<Vec<_>>();
                [alone(&a, &b), alone(&b, &a)].concat().into_iter().map(moment).collect()
            }
            TransmissionType::SpatialTendon => {
                let t = if k < m.nu { m.actuator_trnid[k][0] as usize } else { k - m.nu };
                spatial_tendons::dofs(m, t, |body| chain(m, last_dof[body])).into_iter().map(moment).collect()
            }
            TransmissionType::SliderCrank => {
                let mut dofs = objects.map(moving).concat();
                dofs.sort_unstable();
                dofs.dedup();
                dofs.into_iter().map(moment).collect()
            }
        }
    };
    (0..transmissions.len()).flat_map(of).collect()
}

/// A dof and those above it.
pub fn chain(m: &Model, last: Option<usize>) -> Vec<usize> {
    std::iter::successors(last, |&i| usize::try_from(m.dof_parentid[i]).ok()).collect()
}

fn actuator(m: &Model, u: usize) -> Vec<Moment> {
    let (target, gear) = (m.actuator_trnid[u][0] as usize, m.actuator_gear[u][0]);
    match m.actuator_trntype(u) {
        TrnType::Tendon => tendon(m, u, target, gear),
        // it has no length, and contacts say what it moves
        TrnType::Body => Vec::new(),
        _ => vec![of_joint(m, u, target, gear)],
    }
}

fn of_joint(m: &Model, transmission: usize, joint: usize, coef: f64) -> Moment {
    Moment { transmission, dof: m.jnt_dofadr[joint] as usize, qpos: m.jnt_qposadr[joint] as usize, coef }
}

fn tendon(m: &Model, transmission: usize, t: usize, gear: f64) -> Vec<Moment> {
    let mut moments: Vec<Moment> = Vec::new();
    for w in m.tendon_adr[t] as usize..(m.tendon_adr[t] + m.tendon_num[t]) as usize {
        let own = of_joint(m, transmission, m.wrap_objid[w] as usize, gear * m.wrap_prm[w]);
        match moments.iter_mut().find(|e| e.dof == own.dof) {
            Some(e) => e.coef += own.coef,
            None => moments.push(own),
        }
    }
    moments
}
