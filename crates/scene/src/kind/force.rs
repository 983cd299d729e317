//! External forces.

use crate::draw::Draw;
use sinew_engine::model::enums::{GeomType, ObjType, VisFlag};
use sinew_math::{MINVAL, vec3};

/// Draws arrows for the forces that the user applies to bodies.
pub(crate) fn applied_forces(draw: &mut Draw) {
    if !draw.shows(VisFlag::Pertforce) {
        return;
    }
    let m = draw.m;
    for i in 1..m.nbody {
        let [x, y, z, ..] = draw.d.state.xfrc_applied[i];
        if vec3::norm([x, y, z]) > MINVAL {
            let from = draw.d.pose.xipos[i];
            let to = vec3::add_scaled(from, [x, y, z], f64::from(m.vis.map.force) / m.stat.meanmass);
            let width = f64::from(m.vis.scale.forcewidth) * draw.scale;
            draw.add_link((ObjType::Unknown, i), GeomType::Arrow, width, [from, to], m.vis.rgba.force);
        }
    }
}
