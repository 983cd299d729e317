//! Tactile sensor: pressure and slip at the vertices of a mesh attached to a geom.

use super::Inputs;
use crate::support::shape::with_field;
use sinew_geometry::collide::Shape;
use sinew_geometry::field;
use sinew_math::spatial::{lin, transform_motion};
use sinew_math::{MINVAL, Vec3, mat3, quat, vec3};

/// Depth at which pressure would become infinite. (m)
const MAX_DEPTH: f64 = 0.05;

/// Writes the pressure at all vertices, then the sliding speeds along their first tangents, then along their second.
/// Geoms in contact with anything welded to the sensor's geom act on it; if several reach a vertex, the last one wins.
pub fn tactile(x: &Inputs, i: usize, out: &mut [f64]) {
    let m = x.m;
    let (mesh, geom) = (x.object(i), m.sensor_refid[i] as usize);
    let count = m.mesh_vertnum[mesh] as usize;
    let weld = m.body_weldid[m.geom_bodyid[geom] as usize] as usize;
    out.fill(0.0);
    for (k, contact) in x.contact.iter().enumerate() {
        for other in presses(x, contact.geom, weld).into_iter().flatten() {
            let before = &x.contact[..k];
            // a geom is processed once, however many contacts it has
            let seen = before.iter().any(|c| presses(x, c.geom, weld).contains(&Some(other)));
            if !seen {
                press(x, mesh, geom, other, weld, &mut out[..3 * count]);
            }
        }
    }
}

/// Geoms of a contact that touch the sensor's weld group: the second if the first is in it, and vice versa.
fn presses(x: &Inputs, geoms: [i32; 2], weld: usize) -> [Option<usize>; 2] {
    let [Ok(a), Ok(b)] = geoms.map(usize::try_from) else { return [None; 2] };
    let within = |g: usize| x.m.body_weldid[x.m.geom_bodyid[g] as usize] as usize == weld;
    [within(a).then_some(b), within(b).then_some(a)]
}

/// Applies one geom to all vertices.
fn press(x: &Inputs, mesh: usize, geom: usize, other: usize, weld: usize, out: &mut [f64]) {
    with_field(x.m, x.pose, other, |shape| press_by(x, [mesh, geom, other], shape, weld, out));
}

fn press_by(x: &Inputs, [mesh, geom, other]: [usize; 3], shape: &Shape, weld: usize, out: &mut [f64]) {
    let m = x.m;
    let count = out.len() / 3;
    let (verts, normals) = (m.mesh_vertadr[mesh] as usize, &m.mesh_normal[m.mesh_normaladr[mesh] as usize..]);
    let body = m.geom_bodyid[other] as usize;
    let speed = |body: usize, at: Vec3| {
        let com = x.pose.subtree_com[m.body_rootid[body] as usize];
        lin(&transform_motion(&x.motion.cvel[body], at, com, None))
    };
    let theirs = speed(body, shape.pos);
    for j in 0..count {
        let local = m.mesh_vert[verts + j].map(f64::from);
        let at = vec3::add(mat3::mul_vec(&x.pose.geom_xmat[geom], local), x.pose.geom_xpos[geom]);
        let seen = mat3::mul_vec_t(shape.mat, vec3::sub(at, shape.pos));
        let depth = field::distance(shape, seen).map_or(0.0, |d| d.min(0.0));
        if depth == 0.0 {
            continue;
        }
        let slip = vec3::sub(speed(weld, at), theirs);
        // three normals per vertex: outwards, then two tangents. Only builtin wedges and plates store these; for
        // other meshes the entries belong to other vertices, and vertices whose entries are past the end feel nothing.
        let Some([normal, first, second]) = normals.get(3 * j..).and_then(|n| n.first_chunk::<3>()) else { continue };
        let axis = |n: &[f32; 3]| quat::rotate(m.mesh_quat[mesh], n.map(f64::from));
        let normal = axis(normal);
        let pressure = vec3::scale(normal, depth / (MAX_DEPTH - depth).max(MINVAL));
        out[j] = vec3::dot(pressure, normal);
        out[count + j] = vec3::dot(slip, axis(first)).abs();
        out[2 * count + j] = vec3::dot(slip, axis(second)).abs();
    }
}
