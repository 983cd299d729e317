//! The two sides of a contact: which bodies move the contact point on each side.
//!
//! A geom moves with its body, a vertex of a flex with the body that carries it, an element with the bodies of its
//! vertices, weighted by inverse distance. Vertices of interpolated flexes move with the control nodes.

use super::flex::{MAX_NODES, basis, nodes};
use crate::data::{Contact, Pose};
use crate::model::Model;
use sinew_math::{MINVAL, vec3};

/// Control nodes with smaller weights are ignored.
const LEAST_WEIGHT: f64 = 1e-5;

/// Bodies and their weights, which sum to about one.
#[derive(Clone, Copy, Debug)]
pub struct Carriers {
    list: [(usize, f64); MAX_NODES],
    len: usize,
}

impl Carriers {
    fn one(body: usize) -> Self {
        let mut list = [(0, 0.0); MAX_NODES];
        list[0] = (body, 1.0);
        Carriers { list, len: 1 }
    }

    /// Bodies and weights.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> {
        self.list[..self.len].iter().copied()
    }

    fn push(&mut self, body: usize, weight: f64) {
        self.list[self.len] = (body, weight);
        self.len += 1;
    }
}

/// The body of a side that is a geom, or a vertex carried by a body.
#[inline]
pub fn body(m: &Model, con: &Contact, side: usize) -> Option<usize> {
    if let Ok(g) = usize::try_from(con.geom[side]) {
        return Some(m.geom_bodyid[g] as usize);
    }
    let (f, v) = (usize::try_from(con.flex[side]).ok()?, usize::try_from(con.vert[side]).ok()?);
    usize::try_from(m.flex_vertbodyid[m.flex_vertadr[f] as usize + v]).ok()
}

/// Bodies that carry a side, with weights. `sign` is the sign with which the side enters a Jacobian; the weights
/// include it, except for interpolated flexes: MuJoCo applies the sign to the contact's position instead, which is
/// reproduced here.
pub fn carriers(m: &Model, pose: &Pose, con: &Contact, side: usize, sign: f64) -> Carriers {
    if let Some(body) = body(m, con, side) {
        let mut one = Carriers::one(body);
        one.list[0].1 = sign;
        return one;
    }
    let Ok(f) = usize::try_from(con.flex[side]) else { return Carriers { len: 0, ..Carriers::one(0) } };
    let (verts, weights, count) = vertices(m, pose, con, side, f);
    let mut out = Carriers { len: 0, ..Carriers::one(0) };
    if m.flex_interp[f] == 0 {
        for k in 0..count {
            out.push(m.flex_vertbodyid[verts[k]] as usize, sign * weights[k]);
        }
        return out;
    }
    let place = (0..count).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, m.flex_vert0[verts[k]], sign * weights[k]));
    let order = m.flex_interp[f] as usize;
    let [x, y, z] = place.map(|s| basis(order, s));
    let n = order + 1;
    for (k, node) in nodes(m, f).enumerate() {
        let weight = x[k / (n * n)] * y[k / n % n] * z[k % n];
        if weight >= LEAST_WEIGHT {
            out.push(m.flex_nodebodyid[node] as usize, weight);
        }
    }
    out
}

/// Vertices of a side with weights that sum to one; for an element, the inverse distances of its vertices, without the
/// vertex on the other side of the contact.
fn vertices(m: &Model, pose: &Pose, con: &Contact, side: usize, f: usize) -> ([usize; 4], [f64; 4], usize) {
    let first = m.flex_vertadr[f] as usize;
    let (mut verts, mut weights, mut count) = ([0; 4], [0.0; 4], 0);
    if let Ok(v) = usize::try_from(con.vert[side]) {
        verts[0] = first + v;
        weights[0] = 1.0;
        return (verts, weights, 1);
    }
    let corners = m.flex_dim[f] as usize + 1;
    let start = m.flex_elemdataadr[f] as usize + con.elem[side].max(0) as usize * corners;
    for &v in m.flex_elem[start..start + corners].iter().filter(|&&v| v != con.vert[1 - side]) {
        verts[count] = first + v as usize;
        weights[count] = 1.0 / vec3::dist(con.pos, pose.flexvert_xpos[verts[count]]).max(MINVAL);
        count += 1;
    }
    let total: f64 = weights[..count].iter().sum();
    weights[..count].iter_mut().for_each(|w| *w /= total);
    (verts, weights, count)
}
