//! Inertia boxes, centres of mass, and lines between them.

use crate::draw::Draw;
use crate::text;
use sinew_engine::model::enums::{CatBits, GeomType, LabelType, ObjType, VisFlag};
use sinew_math::{MINVAL, Vec3};
use std::f64::consts::PI;

/// Draws a box or an ellipsoid with the inertia of each body; if scaled, with the density of water.
pub(crate) fn inertia(draw: &mut Draw) {
    if !draw.shows(VisFlag::Inertia) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let ellipsoid = m.vis.global.ellipsoidinertia == 1;
    let kind = if ellipsoid { GeomType::Ellipsoid } else { GeomType::Box };
    for i in 1..m.nbody {
        if m.body_mass[i] <= MINVAL || !draw.admits(i) {
            continue;
        }
        let mut size = half_sizes(m.body_inertia[i], m.body_mass[i], ellipsoid);
        if draw.shows(VisFlag::Sclinertia) {
            let unit = if ellipsoid { 4.0 / 3.0 * PI } else { 8.0 };
            let density = m.body_mass[i] / (unit * size[0] * size[1] * size[2]).max(MINVAL);
            size = size.map(|s| s * (density * 0.001).powf(1.0 / 3.0));
        }
        let mut shape =
            draw.solid((ObjType::Body, i), CatBits::DECOR, kind as i32, size, pose.xipos[i], &pose.ximat[i]);
        shape.rgba = m.vis.rgba.inertia;
        let selected = draw.pert.select == i as i32;
        if selected {
            draw.glow(&mut shape);
        }
        if draw.labels(LabelType::Body) || (draw.labels(LabelType::Selection) && selected) {
            shape.set_label(&text::element(m, ObjType::Body, i));
        }
        draw.add(shape);
    }
}

/// Half-sizes of a box or an ellipsoid with the given principal moments.
fn half_sizes([x, y, z]: Vec3, mass: f64, ellipsoid: bool) -> Vec3 {
    let spread = if ellipsoid { 5f64 } else { 3f64 }.sqrt();
    [y + z - x, x + z - y, x + y - z].map(|s| (s / (2.0 * mass)).sqrt() * spread)
}

/// Draws centres of mass of trees.
pub(crate) fn mass_centres(draw: &mut Draw) {
    if !draw.shows(VisFlag::Com) {
        return;
    }
    let m = draw.m;
    for i in (1..m.nbody).filter(|i| m.body_rootid[*i] as usize == *i) {
        let radius = draw.scale * f64::from(m.vis.scale.com);
        let shape = draw.ball((ObjType::Unknown, i), radius, draw.d.pose.subtree_com[i], m.vis.rgba.com);
        draw.add(shape);
    }
}

/// Draws lines from each body's centre of mass via its joints to the centre of mass of its parent.
pub(crate) fn connections(draw: &mut Draw) {
    if !draw.shows(VisFlag::Autoconnect) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let width = draw.scale * f64::from(m.vis.scale.connect);
    for i in (1..m.nbody).filter(|i| m.body_parentid[*i] != 0) {
        let joints = (0..m.body_jntnum[i]).rev().map(|k| pose.xanchor[(m.body_jntadr[i] + k) as usize]);
        let mut at = pose.xipos[i];
        for next in joints.chain([pose.xipos[m.body_parentid[i] as usize]]) {
            draw.add_link((ObjType::Unknown, i), GeomType::Capsule, width, [at, next], m.vis.rgba.connect);
            at = next;
        }
    }
}
