//! Structure and reference shape of flexes.

use super::SetConstError;
use crate::data::Data;
use crate::kinematics;
use crate::model::Model;
use crate::support::inertia::solve_m;
use crate::support::{chain, flex};
use sinew_math::{MINVAL, mat3, quat, vec3};

/// Sets the sparsity of the Jacobians, and the edge lists, metrics and rest shapes of shells held by their vertices.
pub fn structure(m: &mut Model) -> Result<(), SetConstError> {
    m.flexedge_J_rownnz.fill(0);
    m.flexedge_J_rowadr.fill(0);
    m.flexvert_J_rownnz.as_flattened_mut().fill(0);
    m.flexvert_J_rowadr.as_flattened_mut().fill(0);
    m.flex_vertedgenum.fill(0);
    m.flex_vertedgeadr.fill(0);
    let mut next = Next::default();
    for f in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_interp[f] == 0).collect::<Vec<_>>() {
        if flex::has_edge_jacobian(m, f) || m.flex_edgeequality[f] != 0 {
            edge_rows(m, f, &mut next.edge);
        }
        if flex::holds_vertices(m, f) {
            spokes(m, f, &mut next.spoke);
            metrics(m, f)?;
            vertex_rows(m, f, &mut next.vertex);
            align(m, f);
        }
    }
    Ok(())
}

/// Next free indices in the arrays that flexes share.
#[derive(Default)]
struct Next {
    edge: usize,
    vertex: usize,
    spoke: usize,
}

fn edge_rows(m: &mut Model, f: usize, next: &mut usize) {
    let first = m.flex_vertadr[f] as usize;
    for e in flex::edges(m, f) {
        let [a, b] = m.flex_edge[e].map(|v| m.flex_vertbodyid[first + v as usize] as usize);
        let mut cols: Vec<i32> = chain::merged(m, a, b).map(|s| s.dof as i32).collect();
        cols.reverse();
        m.flexedge_J_rowadr[e] = *next as i32;
        m.flexedge_J_rownnz[e] = cols.len() as i32;
        m.flexedge_J_colind[*next..*next + cols.len()].copy_from_slice(&cols);
        *next += cols.len();
    }
}

/// Lists the edges at each vertex.
fn spokes(m: &mut Model, f: usize, next: &mut usize) {
    let (verts, edges) = (flex::verts(m, f), flex::edges(m, f));
    let mut lists = vec![Vec::new(); verts.len()];
    for e in edges.clone() {
        m.flex_edge[e].iter().for_each(|&v| lists[v as usize].push((e - edges.start) as i32));
    }
    for (v, list) in verts.zip(lists) {
        m.flex_vertedgeadr[v] = *next as i32;
        m.flex_vertedgenum[v] = list.len() as i32;
        m.flex_vertedge.as_flattened_mut()[*next..*next + list.len()].copy_from_slice(&list);
        *next += list.len();
    }
}

/// Edges at a vertex, as indices within the flex.
fn edges_at(m: &Model, v: usize) -> &[i32] {
    let start = m.flex_vertedgeadr[v] as usize;
    &m.flex_vertedge.as_flattened()[start..start + m.flex_vertedgenum[v] as usize]
}

/// `flex_vertmetric`: the inverse of `Σ w dx dxᵀ` over the edges at each vertex.
fn metrics(m: &mut Model, f: usize) -> Result<(), SetConstError> {
    let (first, edge) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    for v in flex::verts(m, f) {
        let mut b = [0.0; 3];
        for &e in edges_at(m, v) {
            let [p, q] = m.flex_edge[edge + e as usize].map(|k| first + k as usize);
            let dif = vec3::sub(m.flex_vert0[q], m.flex_vert0[p]);
            let [x, y, z]: [f64; 3] = std::array::from_fn(|k| dif[k] * 2.0 * m.flex_size[f][k]);
            if z.abs() > MINVAL {
                return Err(SetConstError::NotPlanar { flex: f });
            }
            let body = m.flex_vertbodyid[if p == v { q } else { p }];
            let weight = usize::try_from(body).map_or(1.0, |b| m.body_mass[b].max(MINVAL));
            b[0] += weight * x * x;
            b[1] += weight * x * y;
            b[2] += weight * y * y;
        }
        let det = b[0] * b[2] - b[1] * b[1];
        m.flex_vertmetric[v] =
            if det.abs() < MINVAL { [0.0; 4] } else { [b[2] / det, -b[1] / det, -b[1] / det, b[0] / det] };
    }
    Ok(())
}

fn vertex_rows(m: &mut Model, f: usize, next: &mut usize) {
    let (first, edge) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    for v in flex::verts(m, f) {
        let ends = edges_at(m, v).iter().flat_map(|&e| m.flex_edge[edge + e as usize]);
        let bodies = ends.map(|k| m.flex_vertbodyid[first + k as usize] as usize);
        let mut cols: Vec<i32> = bodies.flat_map(|b| chain::ancestors(m, b)).map(|dof| dof as i32).collect();
        cols.sort_unstable();
        cols.dedup();
        let n = cols.len();
        m.flexvert_J_rownnz[v] = [n as i32; 2];
        m.flexvert_J_rowadr[v] = [*next as i32, (*next + n) as i32];
        let all = m.flexvert_J_colind.as_flattened_mut();
        all[*next..*next + n].copy_from_slice(&cols);
        all[*next + n..*next + 2 * n].copy_from_slice(&cols);
        *next += 2 * n;
    }
    // MuJoCo also writes the row address of the next vertex, even if that has no rows
    let end = flex::verts(m, f).end;
    if let Some(after) = m.flexvert_J_rowadr.get_mut(end) {
        after[0] = *next as i32;
    }
}

/// Rotates the rest shape so that the normal of its first element becomes the z axis.
fn align(m: &mut Model, f: usize) {
    let first = m.flex_vertadr[f] as usize;
    let elem = m.flex_elemdataadr[f] as usize;
    let [a, b, c]: [_; 3] = std::array::from_fn(|k| m.flex_vert0[first + m.flex_elem[elem + k] as usize]);
    let normal = vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0;
    let turn = quat::to_mat(quat::z_to(normal));
    for v in flex::verts(m, f) {
        m.flex_vert0[v] = mat3::mul_vec_t(&turn, m.flex_vert0[v]);
    }
}

/// `flexedge_length0`, also for rigid flexes.
pub fn rest_lengths(m: &mut Model, d: &mut Data) {
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0) {
        kinematics::flex::lengths(m, &mut d.pose, f);
    }
    m.flexedge_length0.copy_from_slice(&d.pose.flexedge_length);
}

/// `flexedge_invweight0`: inverse inertia along each edge.
pub fn edge_invweight(m: &mut Model, d: &Data) {
    if m.nv == 0 {
        return;
    }
    let mut row = vec![0.0; m.nv];
    let mut solved = vec![0.0; m.nv];
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0).collect::<Vec<_>>() {
        let first = m.flex_vertadr[f] as usize;
        for e in flex::edges(m, f) {
            let bodies = m.flex_edge[e].map(|v| m.flex_vertbodyid[first + v as usize] as usize);
            m.flexedge_invweight0[e] = if m.flexedge_rigid[e] != 0 {
                0.0
            } else if bodies.iter().all(|&b| m.slides(b)) {
                bodies.iter().map(|&b| 1.0 / m.body_mass[b]).sum::<f64>() / 2.0
            } else {
                row.fill(0.0);
                let start = m.flexedge_J_rowadr[e] as usize;
                for k in start..start + m.flexedge_J_rownnz[e] as usize {
                    row[m.flexedge_J_colind[k] as usize] = d.pose.flexedge_J[k];
                }
                solved.copy_from_slice(&row);
                solve_m(m, &d.inertia, &mut solved);
                row.iter().zip(&solved).map(|(a, b)| a * b).sum()
            };
        }
    }
}
