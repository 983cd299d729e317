//! Cameras with their frusta, and lights.

use crate::camera::lens;
use crate::draw::Draw;
use sinew_engine::model::enums::{FrameType, GeomType, LabelType, ObjType, Projection, VisFlag};
use sinew_math::{Vec3, mat3, quat, vec3};

/// Opacity of cameras whose frustum is drawn.
const SEEN_THROUGH: f32 = 0.3;
const LINE_WIDTH: f64 = 3.0;

/// Draws cameras as a box and a lens; those with a resolution also have a frustum.
pub(crate) fn cameras(draw: &mut Draw) {
    if !draw.shows(VisFlag::Camera) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let size = draw.scale * f64::from(m.vis.scale.camera);
    for i in 0..m.ncam {
        let (of, pos, mat) = ((ObjType::Camera, i), pose.cam_xpos[i], &pose.cam_xmat[i]);
        let mut rgba = m.vis.rgba.camera;
        if m.cam_resolution[i].iter().any(|n| *n > 1) {
            frustum(draw, i);
            rgba[3] = SEEN_THROUGH;
        }
        let body = [1.0, 0.8, 0.4].map(|s| s * size);
        let mut shape = draw.decor(of, GeomType::Box, body, pos, mat, rgba);
        draw.label(&mut shape, LabelType::Camera, of);
        draw.add(shape);
        let (front, [r, g, b, a]) = (vec3::add_scaled(pos, mat3::col(mat, 2), -0.6 * size), rgba);
        let lens = [0.4, 0.4, 0.3].map(|s| s * size);
        let shape = draw.decor(of, GeomType::Cylinder, lens, front, mat, [0.5 * r, 0.5 * g, 0.5 * b, a]);
        draw.add(shape);
        if draw.frames(FrameType::Camera) {
            draw.add_frame(i, pos, mat, 1.0);
        }
    }
}

/// Draws sides and edges of a camera's frustum, between the near plane and the drawing depth.
fn frustum(draw: &mut Draw, i: usize) {
    let (m, of, rgba) = (draw.m, (ObjType::Camera, i), draw.m.vis.rgba.frustum);
    let near = f64::from(m.vis.map.znear) * m.stat.extent;
    let deep = f64::from(m.vis.scale.frustum) * draw.scale;
    let aspect = f64::from(m.cam_resolution[i][0]) / f64::from(m.cam_resolution[i][1]);
    let centred = |half: f64| [[half; 2], [half * aspect; 2]];
    let parallel = m.cam_projection(i) == Projection::Orthographic;
    let seen = if parallel {
        centred(m.cam_fovy[i] / 2.0)
    } else if m.cam_sensorsize[i].iter().all(|s| *s != 0.0) {
        lens(m, i, near as f32).map(|side| side.map(f64::from))
    } else {
        centred(near * (m.cam_fovy[i].to_radians() / 2.0).tan())
    };
    let (deep, wider) = if parallel { ((seen[1][0] + seen[0][0]) / 2.0, 1.0) } else { (deep, deep / near) };
    let first = corners(draw, i, near, seen);
    let last = corners(draw, i, deep, seen.map(|side| side.map(|x| x * wider)));
    for e in 0..4 {
        let next = (e + 1) % 4;
        draw.add_triangle(of, [first[e], last[e], first[next]], rgba);
        draw.add_triangle(of, [last[e], last[next], first[next]], rgba);
        for ends in [[first[e], first[next]], [last[e], last[next]], [first[e], last[e]]] {
            draw.add_link(of, GeomType::Line, LINE_WIDTH, ends, rgba);
        }
    }
}

/// Corners of a camera's frustum at a depth: lower left, lower right, upper right, upper left.
fn corners(draw: &Draw, i: usize, depth: f64, [[down, up], [left, right]]: [[f64; 2]; 2]) -> [Vec3; 4] {
    let (pos, mat) = (draw.d.pose.cam_xpos[i], &draw.d.pose.cam_xmat[i]);
    [[-left, -down], [right, -down], [right, up], [-left, up]]
        .map(|[x, y]| vec3::add(mat3::mul_vec(mat, [x, y, -depth]), pos))
}

/// Draws lights as cylinders behind the bulb, so that they cast no shadow.
pub(crate) fn lights(draw: &mut Draw) {
    if !draw.shows(VisFlag::Light) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let size = draw.scale * f64::from(m.vis.scale.light);
    for i in 0..m.nlight {
        let (of, pos, dir) = ((ObjType::Light, i), pose.light_xpos[i], pose.light_xdir[i]);
        let mat = quat::to_mat(quat::z_to(dir));
        let behind = vec3::add_scaled(pos, dir, -size - 0.0001);
        let extents = [0.8, 0.8, 1.0].map(|s| s * size);
        let mut shape = draw.decor(of, GeomType::Cylinder, extents, behind, &mat, m.vis.rgba.light);
        draw.label(&mut shape, LabelType::Light, of);
        draw.add(shape);
        if draw.frames(FrameType::Light) {
            draw.add_frame(i, pos, &mat, 1.0);
        }
    }
}
