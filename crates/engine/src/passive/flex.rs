//! Elastic forces of flexes.

use super::flex_law::{self, hinged};
use crate::data::{Force, Motion, Pose, State};
use crate::model::Model;
use crate::model::enums::{DisableFlags, ObjType};
use crate::support::bending::Bending;
use crate::support::elastic::Elasticity;
use crate::support::flex::{self, Nodes};
use crate::support::flex_law::{is_elastic, is_sheet};
use crate::support::flex_spring::FlexLaws;
use crate::support::force::apply_ft;
use crate::support::object;
use sinew_math::{Vec3, mat3, quat, spatial, vec3};

/// Forces of bending, elements and edges. Custom laws may replace the first two.
///
/// *Equation*: bending `−B x` over the four vertices of a hinge, plus the gradient of a cubic term; elements
/// `−Σ K_ee' s_e ∂(l_e'²/2)`, with the elongation `s = l² − L²` plus its change over the last step times damping per
/// timestep; edges `Jᵀ (k (L − l) − b l̇)`. Control nodes: `R K (Rᵀ x − X)` with the rotation `R` at the centre of the
/// box.
/// *Reads* `flexvert_xpos`, `flexedge_length`, `flexedge_velocity`, `flexedge_J`, `qvel`, `xpos`, `xmat`, `cvel`.
/// *Writes* `qfrc_spring`, `qfrc_damper`.
pub fn flexes<B: Bending + ?Sized, E: Elasticity + ?Sized>(
    m: &Model,
    laws: &FlexLaws<'_, B, E>,
    state: &State,
    pose: &Pose,
    motion: &Motion,
    force: &mut Force,
) {
    let springs = !m.opt.disabled(DisableFlags::SPRING);
    let dampers = !m.opt.disabled(DisableFlags::DAMPER);
    for f in (0..m.nflex).filter(|&f| m.flex_dim[f] > 1 && m.flex_rigid[f] == 0) {
        if m.flex_dim[f] == 2 && m.flex_interp[f] == 0 {
            match laws.bending.law(m, f).filter(|_| is_sheet(m, f)) {
                Some(law) => hinged(m, (state, pose), (law, laws.hinges), f, [springs, dampers], force),
                None => bend(m, state, pose, force, f, [springs, dampers]),
            }
        }
        if let Some(law) = laws.elasticity.law(m, f).filter(|_| is_elastic(m, f)) {
            flex_law::elements(m, (state, pose), law, f, [springs, dampers], force);
            continue;
        }
        if m.flex_stiffness[m.flex_elemadr[f] as usize][0] == 0.0 {
            continue;
        }
        if m.flex_interp[f] != 0 {
            let [spring, damper] = node_forces(m, state, pose, motion, f);
            if springs {
                apply_nodes(m, pose, f, &spring, &mut force.qfrc_spring);
            }
            if dampers {
                apply_nodes(m, pose, f, &damper, &mut force.qfrc_damper);
            }
        } else if m.flex_dim[f] == 2 {
            elements::<3, 3>(m, pose, motion, force, f, flex::TRIANGLE_EDGES);
        } else {
            elements::<4, 6>(m, pose, motion, force, f, flex::TETRAHEDRON_EDGES);
        }
    }
    edges(m, pose, motion, force, [springs, dampers]);
}

/// Adds a force at a vertex. Bodies with slide joints only slide along the world axes, so no Jacobian is needed.
#[inline]
pub(super) fn push(m: &Model, pose: &Pose, v: usize, f: Vec3, qfrc: &mut [f64]) {
    let body = m.flex_vertbodyid[v] as usize;
    if let Some(first) = flex::slide_dofs(m, body) {
        qfrc[first..first + 3].iter_mut().zip(f).for_each(|(q, x)| *q += x);
    } else if m.slides(body) {
        let first = m.body_dofadr[body] as usize;
        qfrc[first..].iter_mut().zip(f).take(m.body_dofnum[body] as usize).for_each(|(q, x)| *q += x);
    } else {
        apply_ft(m, pose, f, [0.0; 3], pose.flexvert_xpos[v], body, qfrc);
    }
}

/// Bending forces of shells, and their damping.
fn bend(m: &Model, state: &State, pose: &Pose, force: &mut Force, f: usize, [springs, dampers]: [bool; 2]) {
    let first = m.flex_vertadr[f] as usize;
    for e in flex::edges(m, f) {
        let (ends, across) = (m.flex_edge[e], m.flex_edgeflap[e]);
        if across[1] < 0 {
            continue;
        }
        let verts = [ends[0], ends[1], across[0], across[1]].map(|v| first + v as usize);
        let dofs = verts.map(|v| m.body_dofadr[m.flex_vertbodyid[v] as usize] as usize);
        let b = &m.flex_bending[e];
        let rows =
            |x: &[Vec3; 4], i: usize| -> Vec3 { std::array::from_fn(|k| (0..4).map(|j| b[4 * i + j] * x[j][k]).sum()) };
        let subtract = |qfrc: &mut [f64], i: usize, f: Vec3| (0..3).for_each(|k| qfrc[dofs[i] + k] -= f[k]);
        if springs {
            let x = verts.map(|v| pose.flexvert_xpos[v]);
            let cubic = volume_gradient(&x);
            for i in 0..4 {
                subtract(&mut force.qfrc_spring, i, vec3::add_scaled(rows(&x, i), cubic[i], b[16]));
            }
        }
        if dampers {
            let x = dofs.map(|d| [state.qvel[d], state.qvel[d + 1], state.qvel[d + 2]]);
            for i in 0..4 {
                subtract(&mut force.qfrc_damper, i, vec3::scale(rows(&x, i), m.flex_damping[f]));
            }
        }
    }
}

/// Gradient of six times the volume of a tetrahedron with respect to its four corners.
fn volume_gradient(x: &[Vec3; 4]) -> [Vec3; 4] {
    let [a, b, c] = [1, 2, 3].map(|i| vec3::sub(x[i], x[0]));
    let (ga, gb, gc) = (vec3::cross(b, c), vec3::cross(c, a), vec3::cross(a, b));
    let sum = vec3::add(ga, vec3::add(gb, gc));
    [vec3::scale(sum, -1.0), ga, gb, gc]
}

/// Forces of all elements of a flex, with `V` corners and `N` edges each.
fn elements<const V: usize, const N: usize>(
    m: &Model,
    pose: &Pose,
    motion: &Motion,
    force: &mut Force,
    f: usize,
    corners: [[usize; 2]; N],
) {
    let h = m.opt.timestep;
    let damping = if h > 0.0 { m.flex_damping[f] / h } else { 0.0 };
    let (first, edge) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    let edges = m.flex_elemedge[m.flex_elemedgeadr[f] as usize..].as_chunks::<N>().0;
    let stiffness = &m.flex_stiffness[m.flex_elemadr[f] as usize..];
    for ((verts, edges), stiffness) in flex::corners::<V>(m, f).iter().zip(edges).zip(stiffness) {
        let verts = verts.map(|v| first + v as usize);
        let points = verts.map(|v| pose.flexvert_xpos[v]);
        let stretch: [f64; N] = std::array::from_fn(|k| {
            let e = edge + edges[k] as usize;
            let (now, rest) = (pose.flexedge_length[e], m.flexedge_length0[e]);
            let before = now - motion.flexedge_velocity[e] * h;
            now * now - rest * rest + (now * now - before * before) * damping
        });
        let tension = symmetric_product(stiffness, &stretch);
        let mut sum = [[0.0; 3]; V];
        for (&[a, b], t) in corners.iter().zip(tension) {
            let pull = vec3::scale(vec3::sub(points[a], points[b]), t);
            sum[a] = vec3::sub(sum[a], pull);
            sum[b] = vec3::add(sum[b], pull);
        }
        for (v, f) in verts.into_iter().zip(sum) {
            push(m, pose, v, f, &mut force.qfrc_spring);
        }
    }
}

/// Product of a symmetric matrix, stored as its upper triangle in row-major order, with a vector.
#[inline]
fn symmetric_product<const N: usize>(upper: &[f64; 21], x: &[f64; N]) -> [f64; N] {
    let mut out = [0.0; N];
    let mut next = 0;
    for i in 0..N {
        out[i] += upper[next] * x[i];
        next += 1;
        for j in i + 1..N {
            out[i] += upper[next] * x[j];
            out[j] += upper[next] * x[i];
            next += 1;
        }
    }
    out
}

/// Spring and damper forces on the control nodes of an interpolated flex, in world coordinates.
fn node_forces(m: &Model, state: &State, pose: &Pose, motion: &Motion, f: usize) -> [[Vec3; flex::MAX_NODES]; 2] {
    let nodes = Nodes::at(m, &pose.xpos, &pose.xmat, f);
    let turn = quat::to_mat(quat::nearest(quat::IDENTITY, &nodes.gradient()).0);
    let n = m.flex_nodenum[f] as usize;
    let (mut moved, mut speed) = ([[0.0; 3]; flex::MAX_NODES], [[0.0; 3]; flex::MAX_NODES]);
    for (k, i) in flex::nodes(m, f).enumerate() {
        moved[k] = vec3::sub(mat3::mul_vec_t(&turn, nodes.position(k)), m.flex_node0[i]);
        let body = m.flex_nodebodyid[i] as usize;
        speed[k] = mat3::mul_vec_t(&turn, node_velocity(m, state, pose, motion, f, body));
    }
    let stiffness = m.flex_stiffness[m.flex_elemadr[f] as usize..].as_flattened();
    let mut forces = [[[0.0; 3]; flex::MAX_NODES]; 2];
    for (out, (x, factor)) in forces.iter_mut().zip([(&moved, 1.0), (&speed, m.flex_damping[f])]) {
        let x = &x.as_flattened()[..3 * n];
        for i in 0..n {
            // the matrix is stored over the elements' entries, which may end within the last row
            let row = |k: usize| -> f64 {
                let entries = stiffness.get((3 * i + k) * 3 * n..).unwrap_or_default();
                entries.iter().zip(x).map(|(a, b)| a * b).sum()
            };
            out[i] = vec3::scale(mat3::mul_vec(&turn, [row(0), row(1), row(2)]), factor);
        }
    }
    forces
}

/// Velocity of the body of a node. As in MuJoCo, the offset of the node from its body is ignored.
fn node_velocity(m: &Model, state: &State, pose: &Pose, motion: &Motion, f: usize, body: usize) -> Vec3 {
    if m.flex_centered[f] != 0 {
        flex::three_dofs(m, body).map_or([0.0; 3], |d| [state.qvel[d], state.qvel[d + 1], state.qvel[d + 2]])
    } else {
        let frame = object::object_frame(m, pose, ObjType::Body, body);
        frame.map_or([0.0; 3], |frame| spatial::lin(&frame.velocity(m, pose, motion, false)))
    }
}

/// Applies forces at control nodes.
fn apply_nodes(m: &Model, pose: &Pose, f: usize, forces: &[Vec3], qfrc: &mut [f64]) {
    let nodes = Nodes::at(m, &pose.xpos, &pose.xmat, f);
    for (k, (i, force)) in flex::nodes(m, f).zip(forces).enumerate() {
        let body = m.flex_nodebodyid[i] as usize;
        if m.flex_centered[f] != 0 {
            let Some(d) = flex::three_dofs(m, body) else { continue };
            qfrc[d..].iter_mut().zip(force).for_each(|(q, x)| *q += x);
        } else {
            apply_ft(m, pose, *force, [0.0; 3], nodes.position(k), body, qfrc);
        }
    }
}

/// Forces of springs and dampers along edges.
fn edges(m: &Model, pose: &Pose, motion: &Motion, force: &mut Force, [springs, dampers]: [bool; 2]) {
    for f in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_interp[f] == 0) {
        let stiffness = if springs { m.flex_edgestiffness[f] } else { 0.0 };
        let damping = if dampers { m.flex_edgedamping[f] } else { 0.0 };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        for e in flex::edges(m, f).filter(|&e| m.flexedge_rigid[e] == 0) {
            let spring = stiffness * (m.flexedge_length0[e] - pose.flexedge_length[e]);
            let damper = -damping * motion.flexedge_velocity[e];
            let row = flex::edge_row(m, pose, e);
            row.add_to(&mut force.qfrc_spring, spring);
            row.add_to(&mut force.qfrc_damper, damper);
        }
    }
}
