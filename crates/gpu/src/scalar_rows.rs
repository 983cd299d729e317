//! Constraints of a single row.

use sinew_engine::Model;
use sinew_engine::constraint::impedance::{Hold, hold};
use sinew_engine::model::enums::{DisableFlags, EqType, JointType, ObjType};

/// What a line holds. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineType {
    /// The length of a tendon within its range.
    Tendon = 0,
    /// Dry friction of a tendon.
    TendonFriction = 1,
    /// The angle of a ball joint.
    Ball = 2,
    /// A joint that follows a polynomial of another, or stays.
    Joints = 3,
    /// A component of a tie between two bodies.
    Tie = 4,
    /// A tendon that follows a polynomial of another, or keeps its length.
    Tendons = 5,
    /// Both ends of a hinge's or slide's range, where margins overlap.
    JointEnds = 6,
    /// The same of a tendon.
    TendonEnds = 7,
}

/// The kernels' names of them.
pub const TYPES: [(&str, LineType); 8] = [
    ("LINE_TENDON", LineType::Tendon),
    ("LINE_TENDON_FRICTION", LineType::TendonFriction),
    ("LINE_BALL", LineType::Ball),
    ("LINE_JOINTS", LineType::Joints),
    ("LINE_TIE", LineType::Tie),
    ("LINE_TENDONS", LineType::Tendons),
    ("LINE_JOINT_ENDS", LineType::JointEnds),
    ("LINE_TENDON_ENDS", LineType::TendonEnds),
];

/// A line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// What it holds.
    pub kind: LineType,
    /// The tendons.
    pub tendons: [Option<usize>; 2],
    /// The joints.
    pub joints: [Option<usize>; 2],
    /// Range, or the bound of friction.
    pub range: [f64; 2],
    /// Distance at which it acts.
    pub margin: f64,
    /// How hard it is held.
    pub hold: Hold,
    /// Inverse inertia along it.
    pub invweight: f64,
    /// Where the first joint should be.
    pub polynomial: [f64; 5],
    /// The tie and its component.
    pub tie: (usize, usize),
}

/// Two bodies that a connection or a weld keeps together.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The equality.
    pub equality: usize,
    /// The bodies.
    pub bodies: [usize; 2],
    /// A point in each.
    pub points: [[f64; 3]; 2],
    /// A frame in each.
    pub frames: [[f64; 4]; 2],
    /// Whether frames are kept together too.
    pub weld: bool,
    /// Scale of the turn.
    pub scale: f64,
}

/// Ties of a model.
pub fn ties(m: &Model) -> Vec<Tie> {
    let off = m.opt.disabled(DisableFlags::EQUALITY | DisableFlags::CONSTRAINT);
    let ties = |e: &usize| matches!(m.eq_type(*e), EqType::Connect | EqType::Weld) && m.eq_active0[*e] != 0 && !off;
    // what cannot move needs no row
    let moves = |tie: &Tie| tie.bodies.iter().any(|&b| m.body_weldid[b] != 0);
    (0..m.neq).filter(ties).map(|e| tie(m, e)).filter(moves).collect()
}

const NO_TURN: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn tie(m: &Model, e: usize) -> Tie {
    let data = &m.eq_data[e];
    let weld = m.eq_type(e) == EqType::Weld;
    let [a, b] = [[data[0], data[1], data[2]], [data[3], data[4], data[5]]];
    let (mut points, mut frames) = ([a, b], [NO_TURN; 2]);
    if m.eq_objtype(e) == ObjType::Site {
        let sites = [m.eq_obj1id[e] as usize, m.eq_obj2id[e] as usize];
        (points, frames) = (sites.map(|s| m.site_pos[s]), sites.map(|s| m.site_quat[s]));
    } else if weld {
        (points, frames[0]) = ([b, a], [data[6], data[7], data[8], data[9]]);
    }
    Tie { equality: e, bodies: m.eq_bodies(e), points, frames, weld, scale: if weld { data[10] } else { 0.0 } }
}

/// All lines of a model, in the order of their kinds.
pub fn lines(m: &Model) -> Vec<Line> {
    let on = |flag| !m.opt.disabled(flag | DisableFlags::CONSTRAINT);
    let mut all = Vec::new();
    if on(DisableFlags::EQUALITY) {
        let of = |kind| (0..m.neq).filter(move |&e| m.eq_active0[e] != 0 && m.eq_type(e) == kind);
        all.extend(of(EqType::Joint).map(|e| joints(m, e)));
        all.extend(of(EqType::Tendon).map(|e| tendons(m, e)));
        for (t, tie) in ties(m).iter().enumerate() {
            all.extend((0..if tie.weld { 6 } else { 3 }).map(|k| part(m, tie, t, k)));
        }
    }
    if on(DisableFlags::FRICTIONLOSS) {
        all.extend((0..m.ntendon).filter(|&t| m.tendon_frictionloss[t] > 0.0).map(|t| friction(m, t)));
    }
    if on(DisableFlags::LIMIT) {
        let ball = |j: &usize| m.jnt_limited[*j] != 0 && m.jnt_type(*j) == JointType::Ball;
        all.extend((0..m.njnt).filter(ball).map(|j| angle(m, j)));
        all.extend((0..m.ntendon).filter(|&t| m.tendon_limited[t] != 0).map(|t| length(m, t)));
        let scalar = |j: &usize| matches!(m.jnt_type(*j), JointType::Hinge | JointType::Slide);
        let both = |j: &usize| m.jnt_limited[*j] != 0 && overlap(m.jnt_range[*j], m.jnt_margin[*j]);
        all.extend((0..m.njnt).filter(scalar).filter(both).map(|j| ends(m, j)));
    }
    all
}

/// Whether both ends of a range may act at once.
fn overlap([low, high]: [f64; 2], margin: f64) -> bool {
    high - low < 2.0 * margin
}

fn line(kind: LineType, hold: Hold, invweight: f64) -> Line {
    Line {
        kind,
        hold,
        invweight,
        tendons: [None; 2],
        joints: [None; 2],
        range: [0.0; 2],
        margin: 0.0,
        polynomial: [0.0; 5],
        tie: (0, 0),
    }
}

/// A component of a tie: of its points below 3, of its turn from there.
fn part(m: &Model, tie: &Tie, t: usize, k: usize) -> Line {
    let e = tie.equality;
    let held = hold(m, m.eq_solref[e], [0.0; 2], m.eq_solimp[e]);
    let weight = tie.bodies.iter().map(|&b| m.body_invweight0[b][k / 3]).sum();
    Line { tie: (t, k), ..line(LineType::Tie, held, weight) }
}

fn joints(m: &Model, e: usize) -> Line {
    let first = m.eq_obj1id[e] as usize;
    let second = usize::try_from(m.eq_obj2id[e]).ok();
    let weight = |j: usize| m.dof_invweight0[m.jnt_dofadr[j] as usize];
    let held = hold(m, m.eq_solref[e], [0.0; 2], m.eq_solimp[e]);
    let sum = weight(first) + second.map_or(0.0, weight);
    let polynomial = polynomial(m, e);
    Line { joints: [Some(first), second], polynomial, ..line(LineType::Joints, held, sum) }
}

/// Of the other's position, or a constant if there is no other.
fn polynomial(m: &Model, e: usize) -> [f64; 5] {
    std::array::from_fn(|k| if k == 0 || m.eq_obj2id[e] >= 0 { m.eq_data[e][k] } else { 0.0 })
}

fn tendons(m: &Model, e: usize) -> Line {
    let first = m.eq_obj1id[e] as usize;
    let second = usize::try_from(m.eq_obj2id[e]).ok();
    let held = hold(m, m.eq_solref[e], [0.0; 2], m.eq_solimp[e]);
    let sum = m.tendon_invweight0[first] + second.map_or(0.0, |t| m.tendon_invweight0[t]);
    let polynomial = polynomial(m, e);
    Line { tendons: [Some(first), second], polynomial, ..line(LineType::Tendons, held, sum) }
}

fn friction(m: &Model, t: usize) -> Line {
    let held = hold(m, m.tendon_solref_fri[t], [0.0; 2], m.tendon_solimp_fri[t]);
    let bound = m.tendon_frictionloss[t];
    Line { tendons: [Some(t), None], range: [bound; 2], ..line(LineType::TendonFriction, held, m.tendon_invweight0[t]) }
}

fn angle(m: &Model, j: usize) -> Line {
    let held = hold(m, m.jnt_solref[j], [0.0; 2], m.jnt_solimp[j]);
    let weight = m.dof_invweight0[m.jnt_dofadr[j] as usize];
    let most = m.jnt_range[j][0].max(m.jnt_range[j][1]);
    Line { joints: [Some(j), None], range: [0.0, most], margin: m.jnt_margin[j], ..line(LineType::Ball, held, weight) }
}

fn ends(m: &Model, j: usize) -> Line {
    let held = hold(m, m.jnt_solref[j], [0.0; 2], m.jnt_solimp[j]);
    let weight = m.dof_invweight0[m.jnt_dofadr[j] as usize];
    let (range, margin) = (m.jnt_range[j], m.jnt_margin[j]);
    Line { joints: [Some(j), None], range, margin, ..line(LineType::JointEnds, held, weight) }
}

fn length(m: &Model, t: usize) -> Line {
    let held = hold(m, m.tendon_solref_lim[t], [0.0; 2], m.tendon_solimp_lim[t]);
    let (range, margin) = (m.tendon_range[t], m.tendon_margin[t]);
    let kind = if overlap(range, margin) { LineType::TendonEnds } else { LineType::Tendon };
    Line { tendons: [Some(t), None], range, margin, ..line(kind, held, m.tendon_invweight0[t]) }
}
