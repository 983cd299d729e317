//! Geoms.

use crate::colour;
use crate::draw::{Draw, in_group};
use crate::shape::single;
use sinew_engine::model::enums::{EnableFlags, GeomType, LabelType, ObjType, VisFlag};
use sinew_engine::sleep;
use sinew_engine::view::Shape;
use sinew_math::{Vec3, mat3, vec3};

/// Number of squares per side with which MuJoCo draws an infinite plane.
const PLANE_GRID: f64 = 200.0;

pub(crate) fn geoms(draw: &mut Draw) {
    let mut planes = 0;
    for i in 0..draw.m.ngeom {
        let plane = planes;
        planes += i32::from(draw.m.geom_type(i) == GeomType::Plane);
        let body = draw.m.geom_bodyid[i] as usize;
        if !draw.admits(body) || !in_group(&draw.opt.geomgroup, draw.m.geom_group[i]) {
            continue;
        }
        let mut shape = coloured(draw, i, body);
        if shape.rgba[3] == 0.0 {
            continue;
        }
        if draw.pert.select > 0 && draw.pert.select == body as i32 {
            draw.glow(&mut shape);
        }
        draw.label(&mut shape, LabelType::Geom, (ObjType::Geom, i));
        match draw.m.geom_type(i) {
            GeomType::Mesh | GeomType::Sdf => mesh(draw, i, &mut shape),
            GeomType::Plane => {
                shape.dataid = plane;
                shape.pos = single(&near_eye(draw, i));
            }
            _ => {}
        }
        draw.add(shape);
    }
}

/// The geom with its material, or in the colour of its island.
fn coloured(draw: &Draw, i: usize, body: usize) -> Shape {
    let (m, pose) = (draw.m, &draw.d.pose);
    let of = (ObjType::Geom, i);
    let (pos, mat) = (pose.geom_xpos[i], &pose.geom_xmat[i]);
    let mut shape = draw.solid(of, draw.category(body), m.geom_type[i], m.geom_size[i], pos, mat);
    shape.dataid = m.geom_dataid[i];
    shape.modelrbound = m.geom_rbound[i] as f32;
    draw.paint(&mut shape, m.geom_matid[i], m.geom_rgba[i]);
    let weld = m.body_weldid[body] as usize;
    if draw.shows(VisFlag::Island) && m.body_dofnum[weld] > 0 {
        shape.matid = -1;
        let awake = draw.d.awake.body_awake[body] != 0;
        shape.rgba = colour::island(colour_dof(draw, m.body_dofadr[weld] as usize, awake), awake);
    }
    shape
}

/// The dof that determines a geom's colour: the first of its island, or of its sleeping cycle.
fn colour_dof(draw: &Draw, dof: usize, awake: bool) -> Option<usize> {
    let (m, islands) = (draw.m, &draw.d.island);
    let island = if islands.nisland > 0 { usize::try_from(islands.dof_island[dof]).ok() } else { None };
    if let Some(island) = island {
        return usize::try_from(islands.island_dofadr[island]).ok();
    }
    if !m.opt.enabled(EnableFlags::SLEEP) {
        return None;
    }
    let tree = m.dof_treeid[dof] as usize;
    let tree = if awake { tree } else { sleep::cycle(&draw.d.state.tree_asleep, tree) };
    usize::try_from(m.tree_dofadr[tree]).ok()
}

/// Selects the triangles that a mesh is drawn with, and whether they have texture coordinates.
fn mesh(draw: &Draw, i: usize, shape: &mut Shape) {
    let m = draw.m;
    let Ok(id) = usize::try_from(m.geom_dataid[i]) else { return };
    shape.texcoord = i32::from(m.mesh_texcoordadr[id] >= 0);
    let collides = m.geom_contype[i] != 0 || m.geom_conaffinity[i] != 0;
    let hull = draw.shows(VisFlag::Convexhull) && collides && m.mesh_graphadr[id] >= 0;
    shape.dataid = 2 * shape.dataid + i32::from(hull);
}

/// Position of a plane: along its infinite sides it follows the eye, in steps that keep its texture in place.
fn near_eye(draw: &Draw, i: usize) -> Vec3 {
    let (m, at) = (draw.m, draw.d.pose.geom_xpos[i]);
    let away = vec3::sub(draw.eye(), at);
    let mut pos = at;
    for k in (0..2).filter(|k| m.geom_size[i][*k] <= 0.0) {
        let repeat = usize::try_from(m.geom_matid[i]).map_or(0.0, |mat| m.mat_texrepeat[mat][k]);
        let zfar = f64::from(m.vis.map.zfar) * m.stat.extent;
        let step = if repeat > 0.0 { 2.0 / f64::from(repeat) } else { 2.1 * zfar / (PLANE_GRID - 2.0) };
        let axis = mat3::col(&draw.d.pose.geom_xmat[i], k);
        let steps = (0.5 * vec3::dot(away, axis) / step + 0.5).floor();
        pos = vec3::add_scaled(pos, axis, 2.0 * step * steps);
    }
    pos
}
