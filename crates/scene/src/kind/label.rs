//! Labels that are not attached to a shape.

use crate::draw::Draw;
use crate::text;
use sinew_engine::model::enums::{GeomType, LabelType, ObjType, VisFlag};
use sinew_math::{Mat3, Vec3};

fn add(draw: &mut Draw, body: usize, pos: Vec3, mat: &Mat3, label: &str) {
    let mut shape = draw.decor((ObjType::Unknown, body), GeomType::Label, [0.1; 3], pos, mat, [0.5, 0.5, 0.5, 1.0]);
    shape.set_label(label);
    draw.add(shape);
}

/// Draws names of bodies, unless their inertia boxes show them.
pub(crate) fn body_labels(draw: &mut Draw) {
    let (all, chosen) = (draw.labels(LabelType::Body), draw.labels(LabelType::Selection));
    if draw.shows(VisFlag::Inertia) || !(all || chosen) {
        return;
    }
    for i in 1..draw.m.nbody {
        if (all || draw.pert.select == i as i32) && draw.admits(i) {
            let (pos, mat) = (draw.d.pose.xpos[i], &draw.d.pose.xmat[i]);
            add(draw, i, pos, mat, &text::element(draw.m, ObjType::Body, i));
        }
    }
}

/// Draws island numbers.
pub(crate) fn island_labels(draw: &mut Draw) {
    let (m, islands) = (draw.m, &draw.d.island);
    if !draw.labels(LabelType::Island) || islands.nisland == 0 {
        return;
    }
    for i in 1..m.nbody {
        let weld = m.body_weldid[i] as usize;
        if m.body_dofnum[weld] == 0 {
            continue;
        }
        let island = islands.dof_island[m.body_dofadr[weld] as usize];
        if island >= 0 {
            let (pos, mat) = (draw.d.pose.xipos[i], &draw.d.pose.ximat[i]);
            add(draw, i, pos, mat, &island.to_string());
        }
    }
}
