//! Bounding volumes: trees of bodies, meshes and flexes, cells of signed distance fields.

use super::near::looked_into;
use crate::draw::{Draw, Of, in_group};
use sinew_engine::model::enums::{GeomType, ObjType, VisFlag};
use sinew_engine::support::flex::Nodes;
use sinew_math::{Mat3, Vec3, mat3, vec3};

const LINE_WIDTH: f64 = 3.0;

/// Whether a node is at the depth shown, or a leaf above it.
fn at_depth(draw: &Draw, node: usize) -> bool {
    let (depth, shown) = (draw.m.bvh_depth[node], draw.opt.bvh_depth);
    depth == shown || (is_leaf(draw, node) && depth < shown)
}

fn is_leaf(draw: &Draw, node: usize) -> bool {
    draw.m.bvh_child[node] == [-1, -1]
}

/// Nodes that collision visited; empty unless they are highlighted.
struct Active(Vec<bool>);

impl Active {
    fn new(draw: &Draw) -> Self {
        Active(if draw.m.vis.global.bvactive != 0 { looked_into(draw.m, draw.d) } else { Vec::new() })
    }

    fn has(&self, draw: &Draw, node: usize) -> bool {
        let near_flex = self.0.get(node).is_some_and(|marked| *marked);
        draw.m.vis.global.bvactive != 0 && (near_flex || draw.d.collision.bvh_active[node] != 0)
    }
}

/// Adds a box given by its centre and half-sizes in a frame.
fn add_box(draw: &mut Draw, id: usize, aabb: &[f64; 6], pos: Vec3, mat: &Mat3, active: bool) {
    let [x, y, z, sx, sy, sz] = *aabb;
    let of: Of = (ObjType::Unknown, id);
    let colours = &draw.m.vis.rgba;
    let rgba = if active { colours.bvactive } else { colours.bv };
    let centre = vec3::add(mat3::mul_vec(mat, [x, y, z]), pos);
    let shape = draw.decor(of, GeomType::Linebox, [sx, sy, sz], centre, mat, rgba);
    draw.add(shape);
}

pub(crate) fn body_volumes(draw: &mut Draw) {
    if !draw.shows(VisFlag::Bodybvh) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let (mut body, active) = (0, Active::new(draw));
    for node in 0..m.nbvhstatic {
        if !at_depth(draw, node) {
            continue;
        }
        // nodes of bodies come first, grouped by body
        while body < m.nbody && node as i32 >= m.body_bvhadr[body] + m.body_bvhnum[body] {
            body += 1;
        }
        if body >= m.nbody {
            break;
        }
        let marked = active.has(draw, node);
        match usize::try_from(m.bvh_nodeid[node]).ok().filter(|_| is_leaf(draw, node)) {
            Some(g) => add_box(draw, node, &m.geom_aabb[g], pose.geom_xpos[g], &pose.geom_xmat[g], marked),
            None => add_box(draw, node, &m.bvh_aabb[node], pose.xipos[body], &pose.ximat[body], marked),
        }
    }
}

pub(crate) fn flex_volumes(draw: &mut Draw) {
    if !draw.shows(VisFlag::Meshbvh) {
        return;
    }
    let (m, active) = (draw.m, Active::new(draw));
    for f in 0..m.nflex {
        let (first, count) = (m.flex_bvhadr[f], m.flex_bvhnum[f]);
        if count > 0 && in_group(&draw.opt.flexgroup, m.flex_group[f]) {
            for node in first as usize..(first + count) as usize {
                if at_depth(draw, node) {
                    let aabb = draw.d.pose.bvh_aabb_dyn[node - m.nbvhstatic];
                    add_box(draw, node, &aabb, [0.0; 3], &mat3::IDENTITY, active.has(draw, node));
                }
            }
        }
        if m.flex_interp[f] != 0 {
            control_box(draw, f);
        }
    }
}

/// Draws lines between neighbouring control nodes of a flex.
fn control_box(draw: &mut Draw, f: usize) {
    let nodes = Nodes::at(draw.m, &draw.d.pose.xpos, &draw.d.pose.xmat, f);
    let side = draw.m.flex_interp[f] as usize + 1;
    for k in 0..side * side * side {
        let place = [k / side / side, k / side % side, k % side];
        for (axis, stride) in [side * side, side, 1].into_iter().enumerate() {
            if place[axis] + 1 < side {
                let ends = [nodes.position(k), nodes.position(k + stride)];
                let of = (ObjType::Unknown, place[0]);
                draw.add_link(of, GeomType::Line, LINE_WIDTH, ends, [0.5, 0.5, 0.5, 1.0]);
            }
        }
    }
}

/// Draws trees of meshes; only active nodes if those are highlighted.
pub(crate) fn mesh_volumes(draw: &mut Draw) {
    if !draw.shows(VisFlag::Meshbvh) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    let active = Active(Vec::new());
    for geom in 0..m.ngeom {
        let Some(mesh) = shown_mesh(draw, geom) else { continue };
        if m.geom_type(geom) == GeomType::Sdf || m.mesh_octadr[mesh] >= 0 {
            continue;
        }
        let first = m.mesh_bvhadr[mesh];
        for node in first as usize..(first + m.mesh_bvhnum[mesh]) as usize {
            let marked = active.has(draw, node);
            if at_depth(draw, node) && (marked || m.vis.global.bvactive == 0) {
                add_box(draw, node, &m.bvh_aabb[node], pose.geom_xpos[geom], &pose.geom_xmat[geom], marked);
            }
        }
    }
}

/// Draws octree cells of meshes.
pub(crate) fn mesh_cells(draw: &mut Draw) {
    if !draw.shows(VisFlag::Meshbvh) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    for geom in 0..m.ngeom {
        let Some(mesh) = shown_mesh(draw, geom).filter(|mesh| m.mesh_octadr[*mesh] >= 0) else { continue };
        if m.geom_type(geom) == GeomType::Hfield {
            continue;
        }
        let first = m.mesh_octadr[mesh];
        for cell in first as usize..(first + m.mesh_octnum[mesh]) as usize {
            if m.oct_depth[cell] == draw.opt.bvh_depth {
                add_box(draw, cell, &m.oct_aabb[cell], pose.geom_xpos[geom], &pose.geom_xmat[geom], false);
            }
        }
    }
}

/// The mesh index stored in a geom. As in MuJoCo, the index of a height field is used as if it were a mesh's.
fn shown_mesh(draw: &Draw, geom: usize) -> Option<usize> {
    usize::try_from(draw.m.geom_dataid[geom]).ok().filter(|id| *id < draw.m.nmesh)
}
