//! Hinges of sheets: the dihedral angle between two triangles and its derivatives.

use crate::model::Model;
use crate::support::flex::{self, VERTICES_HELD};
use crate::support::flex_law::is_sheet;
use sinew_math::{Vec3, vec3};

/// Rest state of a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeRest {
    /// Rest angle; 0 is flat.
    pub angle: f64,
    /// Moment per angle from the material in the model file; 0 if that has no bending stiffness.
    pub stiffness: f64,
    /// Vertices opposite the edge, counted from the first vertex of the flex; negative at a border.
    across: [i32; 2],
}

impl Default for HingeRest {
    fn default() -> Self {
        HingeRest { angle: 0.0, stiffness: 0.0, across: [-1; 2] }
    }
}

/// A hinge between two triangles.
#[derive(Clone, Copy, Debug)]
pub struct Hinge {
    /// The edge index in the model.
    pub edge: usize,
    /// Both ends of the edge, then the two opposite vertices.
    pub verts: [usize; 4],
}

fn hinge(m: &Model, f: usize, edge: usize, [c, d]: [i32; 2]) -> Option<Hinge> {
    let [a, b] = m.flex_edge[edge];
    let first = m.flex_vertadr[f] as usize;
    (d >= 0).then(|| Hinge { edge, verts: [a, b, c, d].map(|v| first + v as usize) })
}

/// All hinges of a sheet with MuJoCo's bending law. Border edges have none.
pub fn mujoco_hinges(m: &Model, f: usize) -> impl Iterator<Item = Hinge> + '_ {
    flex::edges(m, f).filter_map(move |e| hinge(m, f, e, m.flex_edgeflap[e]))
}

/// All hinges of a sheet with their rest states. Border edges have none.
pub fn hinges<'a>(m: &'a Model, f: usize, rest: &'a [HingeRest]) -> impl Iterator<Item = (Hinge, &'a HingeRest)> + 'a {
    let each = flex::edges(m, f).filter_map(move |e| rest.get(e).map(|rest| (e, rest)));
    each.filter_map(move |(e, rest)| hinge(m, f, e, rest.across).map(|hinge| (hinge, rest)))
}

/// Squared double area below which a triangle is degenerate.
const NO_AREA: f64 = 1e-24;

impl Hinge {
    /// The angle between the normals, from −π to π, and its derivatives with respect to the four points; `None` if a
    /// triangle is degenerate.
    pub fn angle([x0, x1, x2, x3]: [Vec3; 4]) -> Option<(f64, [Vec3; 4])> {
        let [e, a, b] = [x1, x2, x3].map(|x| vec3::sub(x, x0));
        let (n1, n2) = (vec3::cross(e, a), vec3::cross(b, e));
        let (q1, q2) = (vec3::dot(n1, n1), vec3::dot(n2, n2));
        let (unit, length) = vec3::normalize(e);
        if q1 < NO_AREA || q2 < NO_AREA {
            return None;
        }
        let angle = f64::atan2(vec3::dot(vec3::cross(n1, n2), unit), vec3::dot(n1, n2));
        let (g2, g3) = (vec3::scale(n1, -length / q1), vec3::scale(n2, -length / q2));
        let [s2, s3] = [a, b].map(|x| vec3::dot(x, e) / (length * length));
        let g0 = vec3::scale(vec3::add(vec3::scale(g2, 1.0 - s2), vec3::scale(g3, 1.0 - s3)), -1.0);
        let g1 = vec3::scale(vec3::add(vec3::scale(g2, s2), vec3::scale(g3, s3)), -1.0);
        Some((angle, [g0, g1, g2, g3]))
    }
}

/// Rest state of every hinge of a model, by edge.
pub fn rest(m: &Model) -> Vec<HingeRest> {
    let mut out = vec![HingeRest::default(); m.nflexedge];
    for f in (0..m.nflex).filter(|&f| is_sheet(m, f)) {
        let (rigidity, across) = (rigidity(m, f), flex::across(m, f));
        for hinge in flex::edges(m, f).zip(across).filter_map(|(e, across)| hinge(m, f, e, across)) {
            let x = hinge.verts.map(|v| place(m, f, v));
            let Some((angle, _)) = Hinge::angle(x) else { continue };
            let (square, area, _) = shape(x);
            // vertex strain constraints apply to sheets that are flat at rest, and those use another frame
            let angle = if m.flex_edgeequality[f] == VERTICES_HELD { 0.0 } else { angle };
            let across = [hinge.verts[2], hinge.verts[3]].map(|v| v as i32 - m.flex_vertadr[f]);
            out[hinge.edge] = HingeRest { angle, stiffness: rigidity * square / (8.0 * area), across };
        }
    }
    out
}

/// Rest position of a vertex.
fn place(m: &Model, f: usize, v: usize) -> Vec3 {
    std::array::from_fn(|k| 2.0 * m.flex_size[f][k] * (m.flex_vert0[v][k] - 0.5))
}

/// Squared edge length, total area of both triangles, and `Σ c²` of the weights of the cotangent law: `c = |e| ∂θ` in a
/// flat sheet.
fn shape(x: [Vec3; 4]) -> (f64, f64, f64) {
    let [e, a, b] = [1, 2, 3].map(|i| vec3::sub(x[i], x[0]));
    let square = vec3::dot(e, e);
    let [p, q] = [a, b].map(|x| vec3::norm(vec3::cross(e, x)));
    let [s, t] = [a, b].map(|x| vec3::dot(x, e) / square);
    let (c2, c3) = (-square / p, -square / q);
    let (c0, c1) = (-(1.0 - s) * c2 - (1.0 - t) * c3, -s * c2 - t * c3);
    (square, 0.5 * (p + q), c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3)
}

/// `μ t³` of a sheet, from its hinge coefficients, whose diagonals sum to `μ t³ cos θ Σ c²/(8 (A₁ + A₂))`.
fn rigidity(m: &Model, f: usize) -> f64 {
    let (mut stored, mut unit) = (0.0, 0.0);
    for hinge in mujoco_hinges(m, f) {
        let x = hinge.verts.map(|v| place(m, f, v));
        let Some((angle, _)) = Hinge::angle(x) else { continue };
        let (_, area, weights) = shape(x);
        let b = &m.flex_bending[hinge.edge];
        stored += (b[0] + b[5] + b[10] + b[15]).abs();
        unit += (angle.cos() * weights / (8.0 * area)).abs();
    }
    if unit > 0.0 { stored / unit } else { 0.0 }
}
