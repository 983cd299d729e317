//! Vertices, element bounding boxes and edges of flexes.

use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::chain;
use crate::support::flex::{self, Nodes};
use sinew_math::spatial::{self, Vec6};
use sinew_math::{Vec3, mat3, vec3};
use std::ops::Range;

/// Flex quantities that depend on positions only.
///
/// *Equation*: a vertex is a point of its body, or `x(p) = Σ φ_i(p₁) φ_j(p₂) φ_k(p₃) X_ijk` over control nodes `X`;
/// edges `L = |x₂ − x₁|`, `∂L/∂q = uᵀ (J₂ − J₁)`, `u` from the first vertex to the second.
/// *Reads* `xpos`, `xmat`, `cdof`, `subtree_com`. *Writes* `flexvert_xpos`, `flexelem_aabb`, `bvh_aabb_dyn`,
/// `flexedge_length`, `flexedge_J`, `flexvert_length`, `flexvert_J`.
#[doc(alias = "mj_flex")]
pub fn flex(m: &Model, pose: &mut Pose) {
    if m.nflex == 0 {
        return;
    }
    vertices(m, pose);
    boxes(m, pose);
    if !m.opt.disabled(DisableFlags::MIDPHASE) {
        trees(m, pose);
    }
    for f in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_interp[f] == 0) {
        if flex::has_edge_jacobian(m, f) {
            jacobians(m, pose, f);
        } else {
            lengths(m, pose, f);
        }
        if flex::holds_vertices(m, f) {
            super::flex_strain::strains(m, pose, f);
        }
    }
}

/// Positions of vertices.
fn vertices(m: &Model, pose: &mut Pose) {
    for f in 0..m.nflex {
        let verts = flex::verts(m, f);
        if m.flex_interp[f] != 0 {
            let nodes = Nodes::at(m, &pose.xpos, &pose.xmat, f);
            verts.for_each(|v| pose.flexvert_xpos[v] = nodes.interpolate(m.flex_vert0[v]));
        } else if m.flex_centered[f] != 0 {
            verts.for_each(|v| pose.flexvert_xpos[v] = pose.xpos[m.flex_vertbodyid[v] as usize]);
        } else {
            for v in verts {
                let body = m.flex_vertbodyid[v] as usize;
                let turned = mat3::mul_vec(&pose.xmat[body], m.flex_vert[v]);
                pose.flexvert_xpos[v] = vec3::add(turned, pose.xpos[body]);
            }
        }
    }
}

/// Bounding boxes of elements, inflated by the flex radius.
fn boxes(m: &Model, pose: &mut Pose) {
    for f in 0..m.nflex {
        match m.flex_dim[f] {
            1 => element_boxes::<2>(m, pose, f),
            2 => element_boxes::<3>(m, pose, f),
            _ => element_boxes::<4>(m, pose, f),
        }
    }
}

/// Bounding boxes of elements with `N` corners.
fn element_boxes<const N: usize>(m: &Model, pose: &mut Pose, f: usize) {
    let verts = &pose.flexvert_xpos[flex::verts(m, f)];
    let radius = m.flex_radius[f];
    let boxes = &mut pose.flexelem_aabb[m.flex_elemadr[f] as usize..];
    for (aabb, corners) in boxes.iter_mut().zip(flex::corners::<N>(m, f)) {
        let points = corners.map(|v| verts[v as usize]);
        let (mut low, mut high) = (points[0], points[0]);
        for p in &points[1..] {
            low = std::array::from_fn(|k| least(low[k], p[k]));
            high = std::array::from_fn(|k| most(high[k], p[k]));
        }
        for k in 0..3 {
            aabb[k] = 0.5 * (high[k] + low[k]);
            aabb[k + 3] = 0.5 * (high[k] - low[k]) + radius;
        }
    }
}

/// The smaller of two values. NaN needs no care: the step then ends with a warning anyway.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two values.
#[inline(always)]
fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Bounding volume hierarchies over the element boxes. Children follow their parents, so one backward pass suffices.
fn trees(m: &Model, pose: &mut Pose) {
    for f in 0..m.nflex {
        let Ok(start) = usize::try_from(m.flex_bvhadr[f]) else { continue };
        let elem = m.flex_elemadr[f] as usize;
        for node in (start..start + m.flex_bvhnum[f] as usize).rev() {
            let aabb = match usize::try_from(m.bvh_nodeid[node]) {
                Ok(e) => pose.flexelem_aabb[elem + e],
                Err(_) => {
                    let [a, b] = m.bvh_child[node].map(|c| pose.bvh_aabb_dyn[start + c as usize - m.nbvhstatic]);
                    around(&a, &b)
                }
            };
            pose.bvh_aabb_dyn[node - m.nbvhstatic] = aabb;
        }
    }
}

/// Bounding box of two boxes.
fn around(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for k in 0..3 {
        let low = least(a[k] - a[k + 3], b[k] - b[k + 3]);
        let high = most(a[k] + a[k + 3], b[k] + b[k + 3]);
        out[k] = 0.5 * (high + low);
        out[k + 3] = 0.5 * (high - low);
    }
    out
}

/// Edge lengths of a flex.
pub fn lengths(m: &Model, pose: &mut Pose, f: usize) {
    let first = m.flex_vertadr[f] as usize;
    for e in flex::edges(m, f) {
        let [a, b] = m.flex_edge[e].map(|v| pose.flexvert_xpos[first + v as usize]);
        pose.flexedge_length[e] = vec3::norm(vec3::sub(b, a));
    }
}

/// Edge lengths of a flex and their Jacobians, in the sparsity pattern stored in the model.
fn jacobians(m: &Model, pose: &mut Pose, f: usize) {
    let first = m.flex_vertadr[f] as usize;
    for e in flex::edges(m, f) {
        let verts = m.flex_edge[e].map(|v| first + v as usize);
        let bodies = verts.map(|v| m.flex_vertbodyid[v] as usize);
        let points = verts.map(|v| pose.flexvert_xpos[v]);
        let (dir, length) = vec3::normalize(vec3::sub(points[1], points[0]));
        pose.flexedge_length[e] = length;
        let start = m.flexedge_J_rowadr[e] as usize;
        let row = start..start + m.flexedge_J_rownnz[e] as usize;
        let Pose { flexedge_J, cdof, .. } = pose;
        match bodies.map(|b| flex::slide_dofs(m, b)) {
            [Some(a), Some(b)] if a != b && row.len() == 6 => sliding_row(&mut flexedge_J[row], cdof, [a, b], dir),
            _ => chain_row(m, pose, bodies, points, dir, row),
        }
    }
}

/// Jacobian row of an edge between two bodies that each have three slide dofs, starting at `first`.
#[inline(always)]
fn sliding_row(row: &mut [f64], cdof: &[Vec6], first: [usize; 2], dir: Vec3) {
    let later = usize::from(first[0] < first[1]);
    let (lower, upper) = row.split_at_mut(3);
    for (side, out) in [(1 - later, lower), (later, upper)] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let axes = &cdof[first[side]..first[side] + 3];
        out.iter_mut().zip(axes).for_each(|(v, axis)| *v = sign * vec3::dot(spatial::lin(axis), dir));
    }
}

/// Jacobian row of an edge between arbitrary bodies, written to the entries `at`, which is empty if the flex got its
/// stiffness after `set_const`. Dofs that move both ends do not change their distance.
fn chain_row(m: &Model, pose: &mut Pose, bodies: [usize; 2], points: [Vec3; 2], dir: Vec3, at: Range<usize>) {
    let arms: [Vec3; 2] = std::array::from_fn(|k| chain::offset(m, pose, bodies[k], points[k]));
    for (slot, shared) in at.rev().zip(chain::merged(m, bodies[0], bodies[1])) {
        let along = |k: usize| vec3::dot(chain::column(&pose.cdof[shared.dof], arms[k]), dir);
        pose.flexedge_J[slot] = match shared.moves {
            [true, true] => 0.0,
            [true, false] => -along(0),
            _ => along(1),
        };
    }
}
