//! Frames of geoms, sites, bodies and the world.

use crate::draw::{Draw, in_group};
use sinew_engine::model::enums::{FrameType, VisFlag};

/// Opacity of an element, from its material if it has one.
fn opacity(draw: &Draw, matid: i32, rgba: [f32; 4]) -> f32 {
    usize::try_from(matid).map_or(rgba, |mat| draw.m.mat_rgba[mat])[3]
}

pub(crate) fn geom_frames(draw: &mut Draw) {
    if !draw.frames(FrameType::Geom) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    for i in 0..m.ngeom {
        let shown = draw.admits(m.geom_bodyid[i] as usize) && in_group(&draw.opt.geomgroup, m.geom_group[i]);
        if shown && opacity(draw, m.geom_matid[i], m.geom_rgba[i]) != 0.0 {
            draw.add_frame(i, pose.geom_xpos[i], &pose.geom_xmat[i], 1.0);
        }
    }
}

pub(crate) fn site_frames(draw: &mut Draw) {
    if !draw.frames(FrameType::Site) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    for i in 0..m.nsite {
        let shown = draw.admits(m.site_bodyid[i] as usize) && in_group(&draw.opt.sitegroup, m.site_group[i]);
        if shown && opacity(draw, m.site_matid[i], m.site_rgba[i]) != 0.0 {
            draw.add_frame(i, pose.site_xpos[i], &pose.site_xmat[i], 1.0);
        }
    }
}

/// Draws frames of bodies, at their centres of mass if inertia is shown; or the world frame, twice as large.
pub(crate) fn body_frames(draw: &mut Draw) {
    let pose = &draw.d.pose;
    let inertial = draw.shows(VisFlag::Inertia);
    let frame = |i: usize| match inertial {
        true => (pose.xipos[i], &pose.ximat[i]),
        false => (pose.xpos[i], &pose.xmat[i]),
    };
    if draw.frames(FrameType::World) {
        let (pos, mat) = frame(0);
        draw.add_frame(0, pos, mat, 2.0);
    } else if draw.frames(FrameType::Body) {
        for i in (1..draw.m.nbody).filter(|i| draw.admits(*i)).collect::<Vec<_>>() {
            let (pos, mat) = frame(i);
            draw.add_frame(i, pos, mat, 1.0);
        }
    }
}
