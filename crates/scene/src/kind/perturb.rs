//! The active perturbation and the selected point.

use crate::colour;
use crate::draw::Draw;
use crate::perturb::point;
use sinew_engine::model::enums::{GeomType, LabelType, ObjType, PertBits, VisFlag};
use sinew_math::{mat3, quat, vec3};

/// The selected body.
fn selected(draw: &Draw) -> Option<usize> {
    usize::try_from(draw.pert.select).ok().filter(|b| (1..draw.m.nbody).contains(b))
}

/// Draws a line to the point that the selected point is pulled to, and a box at the reference orientation.
pub(crate) fn perturbation(draw: &mut Draw) {
    let Some(body) = selected(draw).filter(|_| draw.shows(VisFlag::Pertobj)) else { return };
    let (m, pert, pose) = (draw.m, draw.pert, &draw.d.pose);
    let of = (ObjType::Unknown, body);
    let turned = quat::to_mat(pert.refquat);
    let users = |bit: PertBits| [pert.active & bit.bits() != 0, pert.active2 & bit.bits() != 0];
    let [first, second] = users(PertBits::TRANSLATE);
    if first || second {
        let rgba = colour::of_users(m.vis.rgba.constraint, first, second);
        let width = draw.scale * f64::from(m.vis.scale.constraint);
        draw.add_link(of, GeomType::Capsule, width, [point(draw.d, body, pert), pert.refselpos], rgba);
        let shape = draw.decor(of, GeomType::Sphere, [2.0 * width; 3], pert.refselpos, &turned, rgba);
        draw.add(shape);
    }
    let [first, second] = users(PertBits::ROTATE);
    if first || second {
        let rgba = colour::of_users(m.vis.rgba.inertia, first, second);
        let bounds = (m.body_bvhnum[body] > 0).then(|| m.bvh_aabb[m.body_bvhadr[body] as usize]);
        let [x, y, z, sx, sy, sz] = bounds.unwrap_or([0.0, 0.0, 0.0, draw.scale, draw.scale, draw.scale]);
        let centre = vec3::add(mat3::mul_vec(&pose.ximat[body], [x, y, z]), pose.xipos[body]);
        let shape = draw.decor(of, GeomType::Box, [sx, sy, sz], centre, &turned, rgba);
        draw.add(shape);
    }
}

pub(crate) fn selected_point(draw: &mut Draw) {
    let Some(body) = selected(draw).filter(|_| draw.shows(VisFlag::Select)) else { return };
    let at = point(draw.d, body, draw.pert);
    let radius = draw.scale * f64::from(draw.m.vis.scale.selectpoint);
    let mut shape = draw.ball((ObjType::Unknown, body), radius, at, draw.m.vis.rgba.selectpoint);
    if draw.labels(LabelType::Selpnt) {
        let ([x, y, z], [a, b, c]) = (at, draw.pert.localpos);
        shape.set_label(&format!("{x:.3} {y:.3} {z:.3} (local {a:.3} {b:.3} {c:.3})"));
    }
    draw.add(shape);
}
