//! Scalar constraint rows: constraints of a single row that are not diagonal.

use sinew_engine::Model;
use sinew_engine::constraint::impedance::{Hold, hold};
use sinew_engine::model::enums::{DisableFlags, EqType, JointType, ObjType};

/// What a row constrains. The numbers are those of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarRowType {
    /// Tendon limit.
    TendonLimit = 0,
    /// Tendon friction.
    TendonFriction = 1,
    /// Ball joint limit.
    BallLimit = 2,
    /// Joint equality: follows a polynomial of another joint, or is constant.
    EqJoint = 3,
    /// A component of a connect or a weld.
    EqWeld = 4,
    /// Tendon equality: follows a polynomial of another tendon, or keeps its length.
    EqTendon = 5,
    /// Both limits of a hinge or slide joint whose margins overlap.
    JointBothLimits = 6,
    /// Both limits of a tendon whose margins overlap.
    TendonBothLimits = 7,
}

/// The kernels' names of them.
pub const TYPES: [(&str, ScalarRowType); 8] = [
    ("SCALAR_TENDON_LIMIT", ScalarRowType::TendonLimit),
    ("SCALAR_TENDON_FRICTION", ScalarRowType::TendonFriction),
    ("SCALAR_BALL_LIMIT", ScalarRowType::BallLimit),
    ("SCALAR_EQ_JOINT", ScalarRowType::EqJoint),
    ("SCALAR_EQ_WELD", ScalarRowType::EqWeld),
    ("SCALAR_EQ_TENDON", ScalarRowType::EqTendon),
    ("SCALAR_JOINT_BOTH_LIMITS", ScalarRowType::JointBothLimits),
    ("SCALAR_TENDON_BOTH_LIMITS", ScalarRowType::TendonBothLimits),
];

/// A scalar constraint row.
#[derive(Clone, Copy, Debug)]
pub struct ScalarRow {
    /// What it constrains.
    pub kind: ScalarRowType,
    /// The tendons.
    pub tendons: [Option<usize>; 2],
    /// The joints.
    pub joints: [Option<usize>; 2],
    /// Range, or the friction bound.
    pub range: [f64; 2],
    /// Margin of the limit.
    pub margin: f64,
    /// Stiffness, damping and impedance.
    pub hold: Hold,
    /// Inverse weight.
    pub invweight: f64,
    /// Polynomial coefficients of the equality.
    pub polycoef: [f64; 5],
    /// The weld and its component.
    pub weld: (usize, usize),
}

/// A connect or a weld; a connect is a weld without orientation.
#[derive(Clone, Copy, Debug)]
pub struct Weld {
    /// The equality.
    pub equality: usize,
    /// The bodies.
    pub bodies: [usize; 2],
    /// The anchor in each body.
    pub points: [[f64; 3]; 2],
    /// The frame in each body.
    pub frames: [[f64; 4]; 2],
    /// Whether orientations are constrained too.
    pub orientation: bool,
    /// Scale of the rotation (torquescale).
    pub scale: f64,
}

/// Connects and welds of a model.
pub fn welds(m: &Model) -> Vec<Weld> {
    let off = m.opt.disabled(DisableFlags::EQUALITY | DisableFlags::CONSTRAINT);
    let welds = |e: &usize| matches!(m.eq_type(*e), EqType::Connect | EqType::Weld) && m.eq_active0[*e] != 0 && !off;
    // a weld of static bodies has no rows
    let moves = |weld: &Weld| weld.bodies.iter().any(|&b| m.body_weldid[b] != 0);
    (0..m.neq).filter(welds).map(|e| weld(m, e)).filter(moves).collect()
}

const NO_ROTATION: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn weld(m: &Model, e: usize) -> Weld {
    let data = &m.eq_data[e];
    let orientation = m.eq_type(e) == EqType::Weld;
    let [a, b] = [[data[0], data[1], data[2]], [data[3], data[4], data[5]]];
    let (mut points, mut frames) = ([a, b], [NO_ROTATION; 2]);
    if m.eq_objtype(e) == ObjType::Site {
        let sites = [m.eq_obj1id[e] as usize, m.eq_obj2id[e] as usize];
        (points, frames) = (sites.map(|s| m.site_pos[s]), sites.map(|s| m.site_quat[s]));
    } else if orientation {
        (points, frames[0]) = ([b, a], [data[6], data[7], data[8], data[9]]);
    }
    Weld {
        equality: e,
        bodies: m.eq_bodies(e),
        points,
        frames,
        orientation,
        scale: if orientation { data[10] } else { 0.0 },
    }
}

/// All scalar rows of a model, sorted by the stage of their kind: equalities, friction, limits.
pub fn scalar_rows(m: &Model) -> Vec<ScalarRow> {
    let on = |flag| !m.opt.disabled(flag | DisableFlags::CONSTRAINT);
    let mut all = Vec::new();
    if on(DisableFlags::EQUALITY) {
        let of = |kind| (0..m.neq).filter(move |&e| m.eq_active0[e] != 0 && m.eq_type(e) == kind);
        all.extend(of(EqType::Joint).map(|e| eq_joint(m, e)));
        all.extend(of(EqType::Tendon).map(|e| eq_tendon(m, e)));
        for (t, weld) in welds(m).iter().enumerate() {
            all.extend((0..if weld.orientation { 6 } else { 3 }).map(|k| weld_component(m, weld, t, k)));
        }
    }
    if on(DisableFlags::FRICTIONLOSS) {
        all.extend((0..m.ntendon).filter(|&t| m.tendon_frictionloss[t] > 0.0).map(|t| tendon_friction(m, t)));
    }
    if on(DisableFlags::LIMIT) {
        let ball = |j: &usize| m.jnt_limited[*j] != 0 && m.jnt_type(*j) == JointType::Ball;
        all.extend((0..m.njnt).filter(ball).map(|j| ball_limit(m, j)));
        all.extend((0..m.ntendon).filter(|&t| m.tendon_limited[t] != 0).map(|t| tendon_limit(m, t)));
        let scalar = |j: &usize| matches!(m.jnt_type(*j), JointType::Hinge | JointType::Slide);
        let both = |j: &usize| m.jnt_limited[*j] != 0 && overlap(m.jnt_range[*j], m.jnt_margin[*j]);
        all.extend((0..m.njnt).filter(scalar).filter(both).map(|j| joint_both_limits(m, j)));
    }
    all
}

/// Whether both ends of a range may be active at once.
fn overlap([low, high]: [f64; 2], margin: f64) -> bool {
    high - low < 2.0 * margin
}

fn scalar_row(kind: ScalarRowType, hold: Hold, invweight: f64) -> ScalarRow {
    ScalarRow {
        kind,
        hold,
        invweight,
        tendons: [None; 2],
        joints: [None; 2],
        range: [0.0; 2],
        margin: 0.0,
        polycoef: [0.0; 5],
        weld: (0, 0),
    }
}

/// A component of a weld: 0 to 2 translation, 3 to 5 rotation.
fn weld_component(m: &Model, weld: &Weld, t: usize, k: usize) -> ScalarRow {
    let e = weld.equality;
    let held = hold(m, m.eq_solref[e], [0.0; 2], m.eq_solimp[e]);
    let weight = weld.bodies.iter().map(|&b| m.body_invweight0[b][k / 3]).sum();
    ScalarRow { weld: (t, k), ..scalar_row(ScalarRowType::EqWeld, held, weight) }
}

fn eq_joint(m: &Model, e: usize) -> ScalarRow {
    let first = m.eq_obj1id[e] as usize;
    let second = usize::try_from(m.eq_obj2id[e]).ok();
    let weight = |j: usize| m.dof_invweight0[m.jnt_dofadr[j] as usize];
    let held = hold(m, m.eq_solref[e], [0.0; 2], m.eq_solimp[e]);
    let sum = weight(first) + second.map_or(0.0, weight);
    let polycoef = polycoef(m, e);
    ScalarRow { joints: [Some(first), second], polycoef, ..scalar_row(ScalarRowType::EqJoint, held, sum) }
}

/// Coefficients of the equality; only the constant if there is no second object.
fn polycoef(m: &Model, e: usize) -> [f64; 5] {
    std::array::from_fn(|k| if k == 0 || m.eq_obj2id[e] >= 0 { m.eq_data[e][k] } else { 0.0 })
}

fn eq_tendon(m: &Model, e: usize) -> ScalarRow {
    let first = m.eq_obj1id[e] as usize;
    let second = usize::try_from(m.eq_obj2id[e]).ok();
    let held = hold(m, m.eq_solref[e], [0.0; 2], m.eq_solimp[e]);
    let sum = m.tendon_invweight0[first] + second.map_or(0.0, |t| m.tendon_invweight0[t]);
    let polycoef = polycoef(m, e);
    ScalarRow { tendons: [Some(first), second], polycoef, ..scalar_row(ScalarRowType::EqTendon, held, sum) }
}

fn tendon_friction(m: &Model, t: usize) -> ScalarRow {
    let held = hold(m, m.tendon_solref_fri[t], [0.0; 2], m.tendon_solimp_fri[t]);
    let bound = m.tendon_frictionloss[t];
    ScalarRow {
        tendons: [Some(t), None],
        range: [bound; 2],
        ..scalar_row(ScalarRowType::TendonFriction, held, m.tendon_invweight0[t])
    }
}

fn ball_limit(m: &Model, j: usize) -> ScalarRow {
    let held = hold(m, m.jnt_solref[j], [0.0; 2], m.jnt_solimp[j]);
    let weight = m.dof_invweight0[m.jnt_dofadr[j] as usize];
    let most = m.jnt_range[j][0].max(m.jnt_range[j][1]);
    ScalarRow {
        joints: [Some(j), None],
        range: [0.0, most],
        margin: m.jnt_margin[j],
        ..scalar_row(ScalarRowType::BallLimit, held, weight)
    }
}

fn joint_both_limits(m: &Model, j: usize) -> ScalarRow {
    let held = hold(m, m.jnt_solref[j], [0.0; 2], m.jnt_solimp[j]);
    let weight = m.dof_invweight0[m.jnt_dofadr[j] as usize];
    let (range, margin) = (m.jnt_range[j], m.jnt_margin[j]);
    ScalarRow { joints: [Some(j), None], range, margin, ..scalar_row(ScalarRowType::JointBothLimits, held, weight) }
}

fn tendon_limit(m: &Model, t: usize) -> ScalarRow {
    let held = hold(m, m.tendon_solref_lim[t], [0.0; 2], m.tendon_solimp_lim[t]);
    let (range, margin) = (m.tendon_range[t], m.tendon_margin[t]);
    let kind = if overlap(range, margin) { ScalarRowType::TendonBothLimits } else { ScalarRowType::TendonLimit };
    ScalarRow { tendons: [Some(t), None], range, margin, ..scalar_row(kind, held, m.tendon_invweight0[t]) }
}
