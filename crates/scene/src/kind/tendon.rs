//! Spatial tendons.

use super::slack::catenary;
use crate::colour;
use crate::draw::{Draw, in_group};
use sinew_engine::model::enums::{
    CatBits, ConstraintType, DisableFlags, GeomType, LabelType, ObjType, TrnType, VisFlag,
};
use sinew_engine::view::Shape;
use sinew_math::{MINVAL, Vec3, vec3};

/// Maximum number of points of a slack tendon.
const MAX_POINTS: usize = 100;

pub(crate) fn tendons(draw: &mut Draw) {
    if !draw.cats.contains(CatBits::DYNAMIC) || !draw.shows(VisFlag::Tendon) {
        return;
    }
    for i in 0..draw.m.ntendon {
        if in_group(&draw.opt.tendongroup, draw.m.tendon_group[i]) {
            match slack_length(draw, i) {
                Some(length) => slack(draw, i, length),
                None => taut(draw, i),
            }
        }
    }
}

/// Straight segments of a tendon's path with their widths; those around a geom are thinner.
pub(super) fn pieces(draw: &Draw, tendon: usize) -> Vec<([Vec3; 2], f64)> {
    let pose = &draw.d.pose;
    let (objects, points) = (pose.wrap_obj.as_flattened(), pose.wrap_xpos.as_flattened());
    let at = |k: usize| [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
    let (first, count) = (pose.ten_wrapadr[tendon] as usize, pose.ten_wrapnum[tendon] as usize);
    let pairs = (first..first + count).zip(first + 1..first + count);
    let between = pairs.filter(|(a, b)| objects[*a] != -2 && objects[*b] != -2);
    between
        .map(|(a, b)| {
            let around = objects[a] >= 0 && objects[b] >= 0;
            ([at(a), at(b)], draw.m.tendon_width[tendon] * if around { 0.5 } else { 1.0 })
        })
        .collect()
}

/// Impedance of the limit of a joint or a tendon; 0 if the limit is not active.
pub(super) fn limit_impedance(draw: &Draw, kind: ConstraintType, id: usize) -> f64 {
    let efc = &draw.d.efc;
    let first = (efc.ne + efc.nf) as usize;
    let rows = (first..first + efc.nl as usize).rev();
    rows.filter(|k| efc.efc_type.get(*k) == Some(&(kind as i32)) && efc.efc_id[*k] == id as i32)
        .map(|k| efc.efc_KBIP[k][2])
        .next()
        .unwrap_or(0.0)
}

fn taut(draw: &mut Draw, i: usize) {
    let (m, of) = (draw.m, (ObjType::Tendon, i));
    let mut rgba = m.tendon_rgba[i];
    if m.tendon_matid[i] == -1 && rgba == [0.5, 0.5, 0.5, 1.0] {
        let impedance = limit_impedance(draw, ConstraintType::LimitTendon, i);
        rgba = colour::mix(rgba, m.vis.rgba.constraint, impedance);
    }
    for (k, (ends, width)) in pieces(draw, i).into_iter().enumerate() {
        let mut shape = draw.link(of, CatBits::DYNAMIC, GeomType::Capsule, width, ends);
        draw.paint(&mut shape, m.tendon_matid[i], rgba);
        if draw.shows(VisFlag::Island) {
            shape.matid = -1;
            shape.rgba = colour::island(island_dof(draw, i), true);
        }
        if k == 0 {
            draw.label(&mut shape, LabelType::Tendon, of);
        }
        draw.add(shape);
    }
}

/// First dof of the island that a tendon's constraints belong to.
fn island_dof(draw: &Draw, tendon: usize) -> Option<usize> {
    let (efc, islands) = (&draw.d.efc, &draw.d.island);
    let row = usize::try_from(efc.tendon_efcadr[tendon]).ok().filter(|_| islands.nisland > 0)?;
    let island = usize::try_from(*islands.efc_island.get(row)?).ok()?;
    usize::try_from(*islands.island_dofadr.get(island)?).ok()
}

/// Length of a tendon that hangs between two sites like a string, constrained only by an upper bound on its length,
/// from a limit or a spring.
fn slack_length(draw: &Draw, i: usize) -> Option<f64> {
    let m = draw.m;
    let ([spring_low, spring], [low, limit]) = (m.tendon_lengthspring[i], m.tendon_range[i]);
    let sprung = m.tendon_stiffness[i] > 0.0 && spring_low == 0.0 && spring > 0.0;
    let limited =
        m.tendon_stiffness[i] == 0.0 && m.tendon_limited[i] == 1 && low == 0.0 && draw.d.pose.ten_length[i] < limit;
    let hangs = !m.opt.disabled(DisableFlags::GRAVITY) && vec3::norm(m.opt.gravity) > MINVAL;
    let free = m.tendon_damping[i] == 0.0 && m.tendon_frictionloss[i] == 0.0;
    let pulls = |j: usize| m.actuator_trntype(j) == TrnType::Tendon && m.actuator_trnid[j][0] == i as i32;
    if !hangs || !free || m.tendon_num[i] != 2 || sprung == limited || (0..m.nu).any(pulls) {
        return None;
    }
    Some(if limited { limit } else { spring })
}

fn slack(draw: &mut Draw, i: usize, length: f64) {
    let (m, of) = (draw.m, (ObjType::Tendon, i));
    let points = draw.d.pose.wrap_xpos.as_flattened();
    let first = 3 * draw.d.pose.ten_wrapadr[i] as usize;
    let at = |k: usize| [points[k], points[k + 1], points[k + 2]];
    let count = (m.vis.quality.numslices.max(1) as usize + 1).min(MAX_POINTS);
    let path = catenary(at(first), at(first + 3), m.opt.gravity, length, count);
    for ends in path.windows(2) {
        let width = m.tendon_width[i];
        let mut shape: Shape = draw.link(of, CatBits::DYNAMIC, GeomType::Capsule, width, [ends[0], ends[1]]);
        draw.paint(&mut shape, m.tendon_matid[i], m.tendon_rgba[i]);
        draw.label(&mut shape, LabelType::Tendon, of);
        draw.add(shape);
    }
}
