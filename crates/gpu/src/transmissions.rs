//! Transmissions of actuators, and tendons, with their moments.

use crate::spatial_tendons;
use sinew_engine::Model;
use sinew_engine::model::enums::{JointType, TrnType};

/// Type of a transmission. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransmissionType {
    /// Joints and fixed tendons: a fixed combination of joint positions.
    Fixed = 0,
    /// Ball joint: rotation about an axis.
    Ball = 1,
    /// Free joint: force and torque on the body; it has no length.
    Free = 2,
    /// Site: force and torque at the site; it has no length.
    Site = 3,
    /// Site with reference site: relative translation and rotation.
    SiteRef = 4,
    /// Slider-crank.
    SliderCrank = 5,
    /// Spatial tendon: the objects are the index of its first segment and their number.
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

/// A transmission, or a tendon.
#[derive(Clone, Copy, Debug)]
pub struct Transmission {
    /// Its type.
    pub kind: TransmissionType,
    /// Joint, sites or segments.
    pub objects: [i32; 2],
}

/// Derivative of a transmission's length with respect to a dof.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The transmission.
    pub transmission: usize,
    /// The dof.
    pub dof: usize,
    /// Address of the joint position, if that is scalar.
    pub qpos: usize,
    /// The derivative, if it is constant.
    pub coef: f64,
}

/// Whether no transmission has two moments, and no dof either.
pub fn disjoint(moments: &[Moment], nv: usize) -> bool {
    let transmissions = moments.windows(2).all(|two| two[0].transmission != two[1].transmission);
    let mut of_dof = vec![0; nv];
    moments.iter().for_each(|e| of_dof[e.dof] += 1);
    transmissions && of_dof.iter().all(|n| *n <= 1)
}

/// Transmissions of actuators, then tendons.
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

/// Their moments, transmission by transmission.
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
                // a dof that moves both sites has no effect
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

/// A dof and its ancestors.
pub fn chain(m: &Model, last: Option<usize>) -> Vec<usize> {
    std::iter::successors(last, |&i| usize::try_from(m.dof_parentid[i]).ok()).collect()
}

fn actuator(m: &Model, u: usize) -> Vec<Moment> {
    let (target, gear) = (m.actuator_trnid[u][0] as usize, m.actuator_gear[u][0]);
    match m.actuator_trntype(u) {
        TrnType::Tendon => tendon(m, u, target, gear),
        // body transmission (adhesion): it has no length, and its moments depend on contacts
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
