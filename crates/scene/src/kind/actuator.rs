//! Actuators, coloured by their controls, and slider-cranks.

use super::tendon::pieces;
use crate::draw::{Draw, Of, in_group};
use sinew_engine::model::enums::{CatBits, GeomType, JointType, LabelType, ObjType, TrnType, VisFlag};
use sinew_engine::support::activation::is_disabled;
use sinew_engine::view::Shape;
use sinew_math::{MINVAL, clip, mat3, vec3};

/// Scale factor of the geoms and sites that an actuator acts on.
const INFLATE: f64 = 1.05;

pub(crate) fn actuators(draw: &mut Draw) {
    if !draw.shows(VisFlag::Actuator) {
        return;
    }
    let m = draw.m;
    for i in 0..m.nu {
        if !in_group(&draw.opt.actuatorgroup, m.actuator_group[i]) || is_disabled(m, i) {
            continue;
        }
        let (rgba, of, id) = (colour(draw, i), (ObjType::Actuator, i), m.actuator_trnid[i][0] as usize);
        let shapes = match m.actuator_trntype(i) {
            TrnType::Joint | TrnType::Jointinparent => vec![joint(draw, of, id)],
            TrnType::Site => {
                let (pos, mat) = (draw.d.pose.site_xpos[id], &draw.d.pose.site_xmat[id]);
                let size = vec3::scale(m.site_size[id], INFLATE);
                vec![draw.solid(of, CatBits::DECOR, m.site_type[id], size, pos, mat)]
            }
            TrnType::Body => body(draw, of, id),
            TrnType::Tendon => tendon(draw, of, id),
            TrnType::Slidercrank | TrnType::Undefined => continue,
        };
        let named = m.actuator_trntype(i) != TrnType::Body;
        for (k, mut shape) in shapes.into_iter().enumerate() {
            shape.rgba = rgba;
            if k == 0 && named {
                draw.label(&mut shape, LabelType::Actuator, of);
            }
            draw.add(shape);
        }
    }
}

/// Colour of a control or an activation, interpolated between those of its smallest, middle and largest value. The
/// range is extended so that the middle is zero or, if zero is outside the range, the end nearest to it.
fn colour(draw: &Draw, i: usize) -> [f32; 4] {
    let (m, state) = (draw.m, &draw.d.state);
    let activation = draw.shows(VisFlag::Activation);
    let [least, most] = if m.actuator_ctrllimited[i] != 0 {
        m.actuator_ctrlrange[i]
    } else if activation && m.actuator_actlimited[i] != 0 {
        m.actuator_actrange[i]
    } else {
        [-1.0, 1.0]
    };
    let [low, middle, high] = if least >= 0.0 {
        [-1.0, least, most]
    } else if most <= 0.0 {
        [least, most, 1.0]
    } else {
        [least, 0.0, most]
    };
    let (low, high) = (low.min(middle - MINVAL), high.max(middle + MINVAL));
    let last = (m.actuator_actadr[i] + m.actuator_actnum[i] - 1).max(0) as usize;
    let value = match activation && m.actuator_dyntype[i] != 0 {
        true => state.act.get(last).copied().unwrap_or(0.0),
        false => state.ctrl[i],
    };
    let value = clip(value, low, high);
    let colours = &m.vis.rgba;
    let (share, end) = if value <= middle {
        ((middle - value) / (middle - low).max(MINVAL), colours.actuatornegative)
    } else {
        ((value - middle) / (high - middle).max(MINVAL), colours.actuatorpositive)
    };
    let share = share as f32;
    std::array::from_fn(|k| share * end[k] + (1.0 - share) * colours.actuator[k])
}

fn joint(draw: &Draw, of: Of, id: usize) -> Shape {
    let (m, pose) = (draw.m, &draw.d.pose);
    let (at, sizes) = (pose.xanchor[id], &m.vis.scale);
    let block = |kind| {
        let size = [f64::from(sizes.jointlength) * draw.scale * 0.33; 3];
        draw.decor(of, kind, size, at, &pose.xmat[m.jnt_bodyid[id] as usize], [0.0; 4])
    };
    let arrow = |kind| {
        let end = vec3::add_scaled(at, pose.xaxis[id], f64::from(sizes.actuatorlength) * draw.scale);
        draw.link(of, CatBits::DECOR, kind, f64::from(sizes.actuatorwidth) * draw.scale, [at, end])
    };
    match m.jnt_type(id) {
        JointType::Free => block(GeomType::Box),
        JointType::Ball => block(GeomType::Sphere),
        JointType::Slide => arrow(GeomType::Arrow),
        JointType::Hinge => arrow(GeomType::Arrow1),
    }
}

/// The primitive geoms of a body.
fn body(draw: &Draw, of: Of, id: usize) -> Vec<Shape> {
    let (m, pose) = (draw.m, &draw.d.pose);
    let plain =
        |g: &usize| !matches!(m.geom_type(*g), GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf);
    let first = m.body_geomadr[id].max(0) as usize;
    (first..first + m.body_geomnum[id] as usize)
        .filter(plain)
        .map(|g| {
            let size = vec3::scale(m.geom_size[g], INFLATE);
            draw.solid(of, CatBits::DECOR, m.geom_type[g], size, pose.geom_xpos[g], &pose.geom_xmat[g])
        })
        .collect()
}

fn tendon(draw: &Draw, of: Of, id: usize) -> Vec<Shape> {
    let wider = f64::from(draw.m.vis.map.actuatortendon);
    let piece = |(ends, width): ([_; 2], f64)| {
        let mut shape = draw.link(of, CatBits::DECOR, GeomType::Capsule, width * wider, ends);
        draw.paint(&mut shape, draw.m.tendon_matid[id], draw.m.tendon_rgba[id]);
        shape
    };
    pieces(draw, id).into_iter().map(piece).collect()
}

/// Draws slider and rod of slider-cranks; the rod is red if it is too short.
pub(crate) fn slider_cranks(draw: &mut Draw) {
    if !draw.cats.contains(CatBits::DYNAMIC) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    for i in (0..m.nu).filter(|i| m.actuator_trntype(*i) == TrnType::Slidercrank) {
        let [crank, slider] = m.actuator_trnid[i].map(|id| id as usize);
        let (from, to) = (pose.site_xpos[slider], pose.site_xpos[crank]);
        let (axis, rod) = (mat3::col(&pose.site_xmat[slider], 2), m.actuator_cranklength[i]);
        let away = vec3::sub(to, from);
        let along = vec3::dot(away, axis);
        let square = along * along + rod * rod - vec3::dot(away, away);
        let joint = vec3::add_scaled(from, axis, along - square.max(0.0).sqrt());
        let (of, width) = ((ObjType::Actuator, i), draw.scale * f64::from(m.vis.scale.slidercrank));
        let mut shape = draw.link(of, CatBits::DYNAMIC, GeomType::Cylinder, width, [from, joint]);
        shape.rgba = m.vis.rgba.slidercrank;
        draw.label(&mut shape, LabelType::Actuator, of);
        draw.add(shape);
        let mut shape = draw.link(of, CatBits::DYNAMIC, GeomType::Capsule, width / 2.0, [joint, to]);
        shape.rgba = if square < 0.0 { m.vis.rgba.crankbroken } else { m.vis.rgba.slidercrank };
        draw.add(shape);
    }
}
