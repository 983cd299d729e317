//! Flexes: accessors for vertices, edges, elements and control nodes.

use super::chain;
use super::row::JacRow;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::EqType;
use sinew_math::{Mat3, Vec3, mat3, vec3};
use std::ops::Range;

/// Maximum number of control nodes of a flex: three per direction.
pub const MAX_NODES: usize = 27;

/// Corners of each edge of a triangle.
pub const TRIANGLE_EDGES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Corners of each edge of a tetrahedron.
pub const TETRAHEDRON_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

fn range(first: i32, count: i32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// Vertices of a flex.
#[inline]
pub fn verts(m: &Model, f: usize) -> Range<usize> {
    range(m.flex_vertadr[f], m.flex_vertnum[f])
}

/// Edges of a flex.
#[inline]
pub fn edges(m: &Model, f: usize) -> Range<usize> {
    range(m.flex_edgeadr[f], m.flex_edgenum[f])
}

/// Control nodes of a flex.
#[inline]
pub fn nodes(m: &Model, f: usize) -> Range<usize> {
    range(m.flex_nodeadr[f], m.flex_nodenum[f])
}

/// Vertices of the elements of a flex, `N` per element.
#[inline]
pub fn corners<const N: usize>(m: &Model, f: usize) -> &[[i32; N]] {
    let count = m.flex_elemnum[f] as usize;
    m.flex_elem[m.flex_elemdataadr[f] as usize..][..count * N].as_chunks().0
}

/// Vertices opposite each edge of a sheet, in the triangles that share it; −1 for none. `flex_edgeflap` has these only
/// for sheets with MuJoCo's bending law.
pub fn across(m: &Model, f: usize) -> Vec<[i32; 2]> {
    let first = m.flex_edgeadr[f] as usize;
    let mut out = vec![[-1; 2]; m.flex_edgenum[f] as usize];
    let edges = m.flex_elemedge[m.flex_elemedgeadr[f] as usize..].as_chunks::<3>().0;
    for (corners, edges) in corners::<3>(m, f).iter().zip(edges) {
        for &e in edges {
            let ends = m.flex_edge[first + e as usize];
            let flap = &mut out[e as usize];
            if let (Some(&vert), Some(free)) =
                (corners.iter().find(|v| !ends.contains(v)), flap.iter_mut().find(|v| **v < 0))
            {
                *free = vert;
            }
        }
    }
    out
}

/// Elements of a flex with their vertices, which are counted from the first vertex of the flex.
#[inline]
pub fn elems(m: &Model, f: usize) -> impl Iterator<Item = (usize, &[i32])> {
    let corners = m.flex_dim[f] as usize + 1;
    let count = m.flex_elemnum[f] as usize;
    let data = &m.flex_elem[m.flex_elemdataadr[f] as usize..][..count * corners];
    (m.flex_elemadr[f] as usize..).zip(data.chunks_exact(corners))
}

/// Whether a force or constraint acts along edges, so that their Jacobian is needed.
#[inline]
pub fn has_edge_jacobian(m: &Model, f: usize) -> bool {
    m.flex_edgeequality[f] == EDGES_HELD
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0
}

/// Value of `flex_edgeequality` for a flex whose edge lengths are constrained.
pub const EDGES_HELD: i32 = 1;
/// Value of `flex_edgeequality` for a flex whose strains around vertices are constrained.
pub const VERTICES_HELD: i32 = 2;

/// Value of `flex_edgeequality` for a flex with this equality constraint; 0 for other constraints.
pub fn held_by(kind: EqType) -> i32 {
    match kind {
        EqType::Flex => EDGES_HELD,
        EqType::Flexvert => VERTICES_HELD,
        _ => 0,
    }
}

/// Whether strains around vertices are constrained.
#[inline]
pub fn holds_vertices(m: &Model, f: usize) -> bool {
    m.flex_dim[f] == 2 && m.flex_edgeequality[f] == VERTICES_HELD
}

/// Values of the interpolation polynomials in one direction at `s` in [0, 1].
#[inline]
pub fn basis(order: usize, s: f64) -> [f64; 3] {
    if order == 1 { [1.0 - s, s, 0.0] } else { [2.0 * s * s - 3.0 * s + 1.0, 4.0 * (s - s * s), 2.0 * s * s - s] }
}

/// Derivatives of [`basis`].
#[inline]
pub fn basis_slope(order: usize, s: f64) -> [f64; 3] {
    if order == 1 { [-1.0, 1.0, 0.0] } else { [4.0 * s - 3.0, 4.0 - 8.0 * s, 4.0 * s - 1.0] }
}

/// Dofs that change an edge's length, and the derivatives with respect to them.
#[inline]
pub fn edge_entries<'a>(m: &'a Model, pose: &'a Pose, e: usize) -> (&'a [i32], &'a [f64]) {
    let start = m.flexedge_J_rowadr[e] as usize;
    let row = start..start + m.flexedge_J_rownnz[e] as usize;
    (&m.flexedge_J_colind[row.clone()], &pose.flexedge_J[row])
}

/// Jacobian of an edge's length.
#[inline]
pub fn edge_row<'a>(m: &'a Model, pose: &'a Pose, e: usize) -> JacRow<'a> {
    let (dofs, values) = edge_entries(m, pose, e);
    JacRow::Sparse(dofs, values)
}

/// Addresses of both Jacobian rows of a vertex, and the number of entries in each.
#[inline]
pub fn vertex_rows(m: &Model, v: usize) -> ([usize; 2], usize) {
    (m.flexvert_J_rowadr[v].map(|adr| adr as usize), m.flexvert_J_rownnz[v][0] as usize)
}

/// First of three consecutive dofs from a body's first dof on; `None` if there are fewer. As in MuJoCo, they may belong
/// to other bodies.
#[inline]
pub fn three_dofs(m: &Model, body: usize) -> Option<usize> {
    usize::try_from(m.body_dofadr[body]).ok().filter(|first| first + 3 <= m.nv)
}

/// First dof of a body that moves on three slides and nothing else, as most vertices do.
#[inline(always)]
pub fn slide_dofs(m: &Model, body: usize) -> Option<usize> {
    (m.slides(body) && m.body_dofnum[body] == 3).then(|| m.body_dofadr[body] as usize)
}

/// Velocity of a vertex.
#[inline]
pub fn vertex_velocity(m: &Model, pose: &Pose, qvel: &[f64], v: usize) -> Vec3 {
    let body = m.flex_vertbodyid[v] as usize;
    let arm = chain::offset(m, pose, body, pose.flexvert_xpos[v]);
    let columns = chain::ancestors(m, body).map(|dof| (qvel[dof], chain::column(&pose.cdof[dof], arm)));
    columns.fold([0.0; 3], |sum, (rate, column)| vec3::add_scaled(sum, column, rate))
}

/// World positions of the control nodes of an interpolated flex.
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    order: usize,
    at: [Vec3; MAX_NODES],
}

impl Nodes {
    /// Nodes at the current poses of their bodies.
    pub fn at(m: &Model, xpos: &[Vec3], xmat: &[Mat3], f: usize) -> Self {
        let mut nodes = Nodes { order: m.flex_interp[f] as usize, at: [[0.0; 3]; MAX_NODES] };
        for (slot, i) in nodes.at.iter_mut().zip(self::nodes(m, f)) {
            let body = m.flex_nodebodyid[i] as usize;
            *slot = if m.flex_centered[f] != 0 {
                xpos[body]
            } else {
                vec3::add(mat3::mul_vec(&xmat[body], m.flex_node[i]), xpos[body])
            };
        }
        nodes
    }

    /// Position of node `k` of the flex.
    pub fn position(&self, k: usize) -> Vec3 {
        self.at[k]
    }

    /// Derivative of [`Nodes::interpolate`] with respect to `p`, at the centre of the box.
    pub fn gradient(&self) -> Mat3 {
        let value = basis(self.order, 0.5);
        let slope = basis_slope(self.order, 0.5);
        let mut out = [0.0; 9];
        let mut next = 0;
        for i in 0..=self.order {
            for j in 0..=self.order {
                for k in 0..=self.order {
                    let d = [
                        slope[i] * value[j] * value[k],
                        value[i] * slope[j] * value[k],
                        value[i] * value[j] * slope[k],
                    ];
                    for row in 0..3 {
                        for col in 0..3 {
                            out[3 * row + col] += self.at[next][row] * d[col];
                        }
                    }
                    next += 1;
                }
            }
        }
        out
    }

    /// Position of the point with coordinates `p` in the unit box.
    pub fn interpolate(&self, p: Vec3) -> Vec3 {
        let [x, y, z] = p.map(|s| basis(self.order, s));
        let mut sum = [0.0; 3];
        let mut next = 0;
        for i in 0..=self.order {
            for j in 0..=self.order {
                for k in 0..=self.order {
                    sum = vec3::add_scaled(sum, self.at[next], x[i] * y[j] * z[k]);
                    next += 1;
                }
            }
        }
        sum
    }
}
