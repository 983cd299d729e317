//! Joints.

use super::tendon::limit_impedance;
use crate::colour;
use crate::draw::{Draw, in_group};
use sinew_engine::model::enums::{CatBits, ConstraintType, GeomType, JointType, LabelType, ObjType, VisFlag};
use sinew_math::vec3;

/// Draws boxes for free joints, balls for ball joints, arrows along axes; red near a limit.
pub(crate) fn joints(draw: &mut Draw) {
    if !draw.shows(VisFlag::Joint) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let length = f64::from(m.vis.scale.jointlength) * draw.scale;
    let width = f64::from(m.vis.scale.jointwidth) * draw.scale;
    for i in 0..m.njnt {
        if !in_group(&draw.opt.jointgroup, m.jnt_group[i]) {
            continue;
        }
        let (of, at) = ((ObjType::Joint, i), pose.xanchor[i]);
        let mat = &pose.xmat[m.jnt_bodyid[i] as usize];
        let ends = [at, vec3::add_scaled(at, pose.xaxis[i], length)];
        let block = |kind| draw.decor(of, kind, [0.3 * length; 3], at, mat, [0.0; 4]);
        let arrow = |kind| draw.link(of, CatBits::DECOR, kind, width, ends);
        let mut shape = match m.jnt_type(i) {
            JointType::Free => block(GeomType::Box),
            JointType::Ball => block(GeomType::Sphere),
            JointType::Slide => arrow(GeomType::Arrow),
            JointType::Hinge => arrow(GeomType::Arrow1),
        };
        let impedance = limit_impedance(draw, ConstraintType::LimitJoint, i);
        shape.rgba = colour::mix(m.vis.rgba.joint, m.vis.rgba.constraint, impedance);
        shape.rgba[3] = 1.0;
        draw.label(&mut shape, LabelType::Joint, of);
        draw.add(shape);
    }
}
