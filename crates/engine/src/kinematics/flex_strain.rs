//! Strain of a shell at each vertex, for `flexvert` equality constraints.
//!
//! The deformation gradient at a vertex is the least-squares fit `F = (Σ w dy dxᵀ) B⁻¹`, `B = Σ w dx dxᵀ`, over the
//! edges that meet there: `dx` is the planar rest edge, `dy` the current edge, `w` the mass of the neighbour. With
//! `C = FᵀF`, both `tr C − 2` and `det C − 1` vanish for rigid motion. Source: Chen, Kry and Vouga, Locking-free
//! simulation of isometric thin plates, 2019; rows are scaled by the square root of the vertex mass.

use crate::data::Pose;
use crate::model::Model;
use crate::support::{chain, flex};
use sinew_math::{MINVAL, Vec3, spatial, vec3};

type Mat32 = [[f64; 2]; 3];
type Mat2 = [[f64; 2]; 2];

/// An edge at a vertex: its two ends, its rest vector and its weight.
struct Spoke {
    verts: [usize; 2],
    rest: [f64; 2],
    weight: f64,
}

/// Edges at vertex `v`; the rest shape lies in the plane of the first two coordinates.
fn spokes(m: &Model, f: usize, v: usize) -> impl Iterator<Item = Spoke> {
    let (first, edge) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    let start = m.flex_vertedgeadr[v] as usize;
    let list = &m.flex_vertedge.as_flattened()[start..start + m.flex_vertedgenum[v] as usize];
    list.iter().map(move |&e| {
        let verts = m.flex_edge[edge + e as usize].map(|k| first + k as usize);
        let dif = vec3::sub(m.flex_vert0[verts[1]], m.flex_vert0[verts[0]]);
        let rest = std::array::from_fn(|k| dif[k] * 2.0 * m.flex_size[f][k]);
        let other = if verts[0] == v { verts[1] } else { verts[0] };
        Spoke { verts, rest, weight: mass(m, other).max(MINVAL) }
    })
}

fn mass(m: &Model, v: usize) -> f64 {
    usize::try_from(m.flex_vertbodyid[v]).map_or(1.0, |b| m.body_mass[b])
}

fn mul(a: &Mat32, b: &Mat2) -> Mat32 {
    a.map(|r| [r[0] * b[0][0] + r[1] * b[1][0], r[0] * b[0][1] + r[1] * b[1][1]])
}

fn mul_vec(a: &Mat32, x: [f64; 2]) -> Vec3 {
    a.map(|r| r[0] * x[0] + r[1] * x[1])
}

/// Strain invariants at all vertices of a flex and their Jacobians.
pub(super) fn strains(m: &Model, pose: &mut Pose, f: usize) {
    for v in flex::verts(m, f) {
        let (starts, count) = flex::vertex_rows(m, v);
        starts.into_iter().for_each(|start| pose.flexvert_J.as_flattened_mut()[start..][..count].fill(0.0));
        let metric: Mat2 =
            [[m.flex_vertmetric[v][0], m.flex_vertmetric[v][1]], [m.flex_vertmetric[v][2], m.flex_vertmetric[v][3]]];
        let mut fit: Mat32 = [[0.0; 2]; 3];
        for s in spokes(m, f, v) {
            let now = vec3::sub(pose.flexvert_xpos[s.verts[1]], pose.flexvert_xpos[s.verts[0]]);
            for (row, y) in fit.iter_mut().zip(now) {
                row[0] += s.weight * y * s.rest[0];
                row[1] += s.weight * y * s.rest[1];
            }
        }
        let gradient = mul(&fit, &metric);
        let dot = |i: usize, j: usize| gradient.iter().map(|r| r[i] * r[j]).sum::<f64>();
        let (c00, c01, c11) = (dot(0, 0), dot(0, 1), dot(1, 1));
        let scale = if mass(m, v) > MINVAL { mass(m, v).sqrt() } else { 1.0 };
        pose.flexvert_length[v] = [(c00 + c11 - 2.0) * scale, (c00 * c11 - c01 * c01 - 1.0) * scale];
        // d tr C = 2 F B⁻¹ : dA, d det C = 2 F adj(C) B⁻¹ : dA
        let trace = mul(&gradient, &metric);
        let det = mul(&mul(&gradient, &[[c11, -c01], [-c01, c00]]), &metric);
        for s in spokes(m, f, v) {
            let pull = |d: &Mat32| vec3::scale(mul_vec(d, s.rest), 2.0 * s.weight * scale);
            let pulls = [pull(&trace), pull(&det)];
            for (end, sign) in [(0, -1.0), (1, 1.0)] {
                add(m, pose, v, s.verts[end], pulls.map(|p| vec3::scale(p, sign)));
            }
        }
    }
}

/// Adds the Jacobian of vertex `end`, projected on one vector per row, to the two rows of vertex `v`.
fn add(m: &Model, pose: &mut Pose, v: usize, end: usize, pulls: [Vec3; 2]) {
    let body = m.flex_vertbodyid[end] as usize;
    let ([start, second], count) = flex::vertex_rows(m, v);
    let cols = &m.flexvert_J_colind.as_flattened()[start..][..count];
    if let Some(first) = flex::slide_dofs(m, body) {
        let Some(k) = cols.binary_search(&(first as i32)).ok().filter(|k| k + 3 <= count) else { return };
        let values = pose.flexvert_J.as_flattened_mut();
        for (i, axis) in pose.cdof[first..first + 3].iter().enumerate() {
            values[start + k + i] += vec3::dot(spatial::lin(axis), pulls[0]);
            values[second + k + i] += vec3::dot(spatial::lin(axis), pulls[1]);
        }
        return;
    }
    let arm = chain::offset(m, pose, body, pose.flexvert_xpos[end]);
    for dof in chain::ancestors(m, body) {
        let column = chain::column(&pose.cdof[dof], arm);
        let Ok(k) = cols.binary_search(&(dof as i32)) else { continue };
        let values = pose.flexvert_J.as_flattened_mut();
        values[start + k] += vec3::dot(column, pulls[0]);
        values[second + k] += vec3::dot(column, pulls[1]);
    }
}
