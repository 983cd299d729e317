//! What actuators and tendons pull at, and the dofs that change its length.

use crate::spatial_tendons;
use sinew_engine::Model;
use sinew_engine::model::enums::{JointType, TrnType};

/// How the length of a strand comes about. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrandKind {
    /// A fixed combination of joint positions.
    Fixed = 0,
    /// The turn of a ball joint about an axis.
    Ball = 1,
    /// A force and a torque on a free body; it has no length.
    Free = 2,
    /// A force and a torque at a site; it has no length.
    Site = 3,
    /// Way and turn of a site relative to another.
    Sites = 4,
    /// A crank on a rod that slides.
    Crank = 5,
    /// A spatial tendon: the objects are its first span and their number.
    Cable = 6,
}

/// The kernels' names of them.
pub const KINDS: [(&str, StrandKind); 7] = [
    ("STRAND_FIXED", StrandKind::Fixed),
    ("STRAND_BALL", StrandKind::Ball),
    ("STRAND_FREE", StrandKind::Free),
    ("STRAND_SITE", StrandKind::Site),
    ("STRAND_SITES", StrandKind::Sites),
    ("STRAND_CRANK", StrandKind::Crank),
    ("STRAND_CABLE", StrandKind::Cable),
];

/// A strand.
#[derive(Clone, Copy, Debug)]
pub struct Strand {
    /// How its length comes about.
    pub kind: StrandKind,
    /// The joint, the sites or the spans.
    pub objects: [i32; 2],
}

/// How far a strand moves with a dof.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The strand.
    pub strand: usize,
    /// The dof.
    pub dof: usize,
    /// Where the position of its joint is, if that is a number.
    pub qpos: usize,
    /// The lever, where it is fixed.
    pub arm: f64,
}

/// Whether no strand has two entries, and no dof.
pub fn apart(entries: &[Entry], nv: usize) -> bool {
    let strands = entries.windows(2).all(|two| two[0].strand != two[1].strand);
    let mut of_dof = vec![0; nv];
    entries.iter().for_each(|e| of_dof[e.dof] += 1);
    strands && of_dof.iter().all(|n| *n <= 1)
}

/// Strands of actuators, then of tendons.
pub fn strands(m: &Model) -> Vec<Strand> {
    let kind = |u: usize| match m.actuator_trntype(u) {
        TrnType::Joint | TrnType::Jointinparent => match m.jnt_type(m.actuator_trnid[u][0] as usize) {
            JointType::Ball => StrandKind::Ball,
            JointType::Free => StrandKind::Free,
            _ => StrandKind::Fixed,
        },
        TrnType::Site if m.actuator_trnid[u][1] >= 0 => StrandKind::Sites,
        TrnType::Site => StrandKind::Site,
        TrnType::Slidercrank => StrandKind::Crank,
        TrnType::Tendon if spatial_tendons::is_spatial(m, m.actuator_trnid[u][0] as usize) => StrandKind::Cable,
        _ => StrandKind::Fixed,
    };
    let cable = |t: usize| {
        let spans = spatial_tendons::range(m, t);
        Strand { kind: StrandKind::Cable, objects: [spans.start as i32, spans.len() as i32] }
    };
    let actuator = |u: usize| match kind(u) {
        StrandKind::Cable => cable(m.actuator_trnid[u][0] as usize),
        kind => Strand { kind, objects: m.actuator_trnid[u] },
    };
    let fixed = Strand { kind: StrandKind::Fixed, objects: [0; 2] };
    let tendon = |t: usize| if spatial_tendons::is_spatial(m, t) { cable(t) } else { fixed };
    (0..m.nu).map(actuator).chain((0..m.ntendon).map(tendon)).collect()
}

/// Their entries, strand by strand.
pub fn entries(m: &Model, strands: &[Strand], last_dof: &[Option<usize>]) -> Vec<Entry> {
    let pulled = |k: usize| {
        let Strand { kind, objects } = strands[k];
        let entry = |dof: usize| Entry { strand: k, dof, qpos: 0, arm: 0.0 };
        let moving = |site: i32| chain(m, last_dof[m.site_bodyid[site as usize] as usize]);
        match kind {
            StrandKind::Fixed if k < m.nu => actuator(m, k),
            StrandKind::Fixed => tendon(m, k, k - m.nu, 1.0),
            StrandKind::Ball | StrandKind::Free => m.joint_dofs(objects[0] as usize).map(entry).collect(),
            StrandKind::Site => moving(objects[0]).into_iter().map(entry).collect(),
            StrandKind::Sites => {
                // what moves both sites has no effect
                let [a, b] = objects.map(moving);
                let alone = |x: &[usize], y: &[usize]| x.iter().copied().filter(|i| !y.contains(i)).collect::<Vec<_>>();
                [alone(&a, &b), alone(&b, &a)].concat().into_iter().map(entry).collect()
            }
            StrandKind::Cable => {
                let t = if k < m.nu { m.actuator_trnid[k][0] as usize } else { k - m.nu };
                spatial_tendons::dofs(m, t, |body| chain(m, last_dof[body])).into_iter().map(entry).collect()
            }
            StrandKind::Crank => {
                let mut dofs = objects.map(moving).concat();
                dofs.sort_unstable();
                dofs.dedup();
                dofs.into_iter().map(entry).collect()
            }
        }
    };
    (0..strands.len()).flat_map(pulled).collect()
}

/// A dof and those above it.
pub fn chain(m: &Model, last: Option<usize>) -> Vec<usize> {
    std::iter::successors(last, |&i| usize::try_from(m.dof_parentid[i]).ok()).collect()
}

fn actuator(m: &Model, u: usize) -> Vec<Entry> {
    let (target, gear) = (m.actuator_trnid[u][0] as usize, m.actuator_gear[u][0]);
    match m.actuator_trntype(u) {
        TrnType::Tendon => tendon(m, u, target, gear),
        // it has no length, and contacts say what it moves
        TrnType::Body => Vec::new(),
        _ => vec![of_joint(m, u, target, gear)],
    }
}

fn of_joint(m: &Model, strand: usize, joint: usize, arm: f64) -> Entry {
    Entry { strand, dof: m.jnt_dofadr[joint] as usize, qpos: m.jnt_qposadr[joint] as usize, arm }
}

fn tendon(m: &Model, strand: usize, t: usize, gear: f64) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for w in m.tendon_adr[t] as usize..(m.tendon_adr[t] + m.tendon_num[t]) as usize {
        let own = of_joint(m, strand, m.wrap_objid[w] as usize, gear * m.wrap_prm[w]);
        match entries.iter_mut().find(|e| e.dof == own.dof) {
            Some(e) => e.arm += own.arm,
            None => entries.push(own),
        }
    }
    entries
}
