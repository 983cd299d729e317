//! Equality constraints between points.

use crate::draw::Draw;
use sinew_engine::model::enums::{EqType, GeomType, LabelType, ObjType, VisFlag};
use sinew_math::{mat3, vec3};

/// Draws a ball at each of the two anchors of a connect or weld constraint.
pub(crate) fn equalities(draw: &mut Draw) {
    if !draw.shows(VisFlag::Constraint) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let radius = draw.scale * f64::from(m.vis.scale.constraint);
    for i in (0..m.neq).filter(|i| draw.d.state.eq_active[*i] != 0) {
        // offsets of the two bodies' anchors in the parameters
        let anchors = match m.eq_type(i) {
            EqType::Connect => [0, 3],
            EqType::Weld => [3, 0],
            _ => continue,
        };
        let of = (ObjType::Equality, i);
        let ids = [m.eq_obj1id[i], m.eq_obj2id[i]].map(|id| id as usize);
        let colours = [m.vis.rgba.connect, m.vis.rgba.constraint];
        for ((id, first), rgba) in ids.into_iter().zip(anchors).zip(colours) {
            let (at, mat) = if m.eq_objtype[i] == ObjType::Site as i32 {
                (pose.site_xpos[id], &pose.site_xmat[id])
            } else {
                let anchor = std::array::from_fn(|k| m.eq_data[i][first + k]);
                (vec3::add(mat3::mul_vec(&pose.xmat[id], anchor), pose.xpos[id]), &pose.xmat[id])
            };
            let mut shape = draw.decor(of, GeomType::Sphere, [radius; 3], at, mat, rgba);
            draw.label(&mut shape, LabelType::Constraint, of);
            draw.add(shape);
        }
    }
}
