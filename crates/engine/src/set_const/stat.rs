//! Statistics of a model and the length scale of each dof.

use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{GeomType, JointType};
use crate::support::flex;
use sinew_math::{Vec3, vec3};

const MIN_SIZE: f64 = 1e-5;

/// Sets `stat` and `dof_length`, with `d` at the reference position.
pub fn set_stat(m: &mut Model, d: &Data) {
    bounding_box(m, d);
    let sizes = body_sizes(m, d);
    if m.nbody > 1 {
        let n = (m.nbody - 1) as f64;
        m.stat.meansize = sizes[1..].iter().fold(0.0, |sum, size| sum + size / n);
        m.stat.meanmass = m.body_mass[1..].iter().sum::<f64>() / n;
    }
    for i in 0..m.nv {
        let joint = m.dof_jntid[i] as usize;
        let turns = match m.jnt_type(joint) {
            JointType::Ball | JointType::Hinge => true,
            JointType::Free => i >= m.jnt_dofadr[joint] as usize + 3,
            _ => false,
        };
        m.dof_length[i] = if turns { sizes[m.dof_bodyid[i] as usize] } else { 1.0 };
    }
    m.stat.extent = m.stat.extent.max(2.0 * m.stat.meansize);
    if m.nv > 0 {
        let diag = (0..m.nv).map(|i| d.inertia.M[(m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize]);
        m.stat.meaninertia = diag.sum::<f64>() / m.nv as f64;
    }
}

/// Radius of a geom in the bounding box; planes and height fields count with a tenth of their size.
fn drawn_radius(m: &Model, geom: usize) -> f64 {
    if m.geom_rbound[geom] > 0.0 {
        return m.geom_rbound[geom];
    }
    match m.geom_type(geom) {
        GeomType::Plane => match m.geom_size[geom] {
            [0.0, 0.0, _] => 1.0,
            [x, y, _] => x.max(y) * 0.1,
        },
        GeomType::Hfield => {
            let size = m.hfield_size[m.geom_dataid[geom] as usize];
            size.into_iter().fold(f64::NEG_INFINITY, f64::max) * 0.1
        }
        _ => 0.0,
    }
}

/// `stat.center` and `stat.extent` of the box around bodies, joints, sites and geoms.
fn bounding_box(m: &mut Model, d: &Data) {
    let (mut min, mut max) = ([1e10; 3], [-1e10; 3]);
    let mut include = |pos: Vec3, radius: f64| {
        for k in 0..3 {
            // written so that a NaN position makes the box NaN
            let (low, high) = (pos[k] - radius, pos[k] + radius);
            min[k] = if min[k] < low { min[k] } else { low };
            max[k] = if max[k] > high { max[k] } else { high };
        }
    };
    let points = d.pose.xpos.iter().skip(1).chain(d.pose.xipos.iter().skip(1));
    points.chain(d.pose.xanchor.iter()).chain(d.pose.site_xpos.iter()).for_each(|p| include(*p, 0.0));
    for (g, p) in d.pose.geom_xpos.iter().enumerate() {
        include(*p, drawn_radius(m, g));
    }
    m.stat.center = vec3::scale(vec3::add(min, max), 0.5);
    if max[0] > min[0] {
        let size = vec3::sub(max, min);
        m.stat.extent = size[0].max(size[1].max(size[2])).max(MIN_SIZE);
    }
}

/// Size of each body: distance from its centre of mass to its joints, its children's joints and the far
/// side of its geoms, whichever is largest.
fn body_sizes(m: &Model, d: &Data) -> Vec<f64> {
    let mut sizes = vec![0.0f64; m.nbody];
    for j in 0..m.njnt {
        let body = m.jnt_bodyid[j] as usize;
        for b in [body, m.body_parentid[body] as usize] {
            sizes[b] = sizes[b].max(vec3::dist(d.pose.xipos[b], d.pose.xanchor[j]));
        }
    }
    for b in 1..m.nbody {
        for g in m.body_geoms(b).filter(|&g| m.geom_rbound[g] > 0.0) {
            let reach = m.geom_rbound[g] + vec3::dist(d.pose.xipos[b], d.pose.geom_xpos[g]);
            sizes[b] = sizes[b].max(reach);
        }
    }
    flex_sizes(m, d, &mut sizes);
    sizes[1..].iter_mut().for_each(|size| *size = size.max(MIN_SIZE));
    sizes[0] = 0.0;
    sizes
}

/// For bodies of a flex, the size includes the distance to neighbours; for bodies of control nodes, to all other nodes.
fn flex_sizes(m: &Model, d: &Data, sizes: &mut [f64]) {
    for f in 0..m.nflex {
        if m.flex_interp[f] == 0 {
            let first = m.flex_vertadr[f] as usize;
            for e in flex::edges(m, f) {
                for b in m.flex_edge[e].map(|v| m.flex_vertbodyid[first + v as usize] as usize) {
                    sizes[b] = sizes[b].max(m.flexedge_length0[e]);
                }
            }
            continue;
        }
        let body = |i: usize| m.flex_nodebodyid[i] as usize;
        for i in flex::nodes(m, f) {
            for j in flex::nodes(m, f) {
                sizes[body(i)] = sizes[body(i)].max(vec3::dist(d.pose.xpos[body(i)], d.pose.xpos[body(j)]));
            }
        }
    }
}
