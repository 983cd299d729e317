//! Skinning: vertices and normals of skins at the poses of their bones.

use crate::draw::in_group;
use crate::scene::Scene;
use crate::shape::single;
use sinew_engine::view::ViewOptions;
use sinew_engine::{Data, Model};
use sinew_math::{MINVAL, mat3, quat, vec3};
use std::ops::Range;

fn range(first: i32, count: i32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// Deforms all skins of the groups shown and clears the others.
#[doc(alias = "mjv_updateActiveSkin")]
pub fn update_skins(m: &Model, d: &Data, opt: &ViewOptions, scene: &mut Scene) {
    for i in 0..m.nskin {
        let verts = range(m.skin_vertadr[i], m.skin_vertnum[i]);
        let at = 3 * verts.start..3 * verts.end;
        let fields = scene.fields_mut();
        let (points, _) = fields.skinvert[at.clone()].as_chunks_mut::<3>();
        let (normals, _) = fields.skinnormal[at].as_chunks_mut::<3>();
        points.fill([0.0; 3]);
        normals.fill([0.0; 3]);
        if in_group(&opt.skingroup, m.skin_group[i]) {
            place(m, d, i, points);
            smooth(&m.skin_face[range(m.skin_faceadr[i], m.skin_facenum[i])], points, normals);
            let inflate = m.skin_inflate[i];
            for (point, normal) in points.iter_mut().zip(normals).filter(|_| inflate != 0.0) {
                *point = std::array::from_fn(|k| point[k] + inflate * normal[k]);
            }
        }
    }
}

/// Computes each vertex as the weighted mean of its positions under its bones' transforms.
fn place(m: &Model, d: &Data, skin: usize, points: &mut [[f32; 3]]) {
    let first = m.skin_vertadr[skin] as usize;
    for bone in range(m.skin_boneadr[skin], m.skin_bonenum[skin]) {
        let body = m.skin_bonebodyid[bone] as usize;
        let bind = quat::conj(m.skin_bonebindquat[bone].map(f64::from));
        let turn = quat::to_mat(quat::mul(d.pose.xquat[body], bind));
        let bound = mat3::mul_vec(&turn, m.skin_bonebindpos[bone].map(f64::from));
        let shift = vec3::sub(d.pose.xpos[body], bound);
        for k in range(m.skin_bonevertadr[bone], m.skin_bonevertnum[bone]) {
            let (vert, weight) = (m.skin_bonevertid[k] as usize, m.skin_bonevertweight[k]);
            let moved = mat3::mul_vec(&turn, m.skin_vert[first + vert].map(f64::from));
            let moved = single(&vec3::add(moved, shift));
            points[vert] = std::array::from_fn(|k| points[vert][k] + weight * moved[k]);
        }
    }
}

/// Computes vertex normals as area-weighted means of the face normals.
fn smooth(faces: &[[i32; 3]], points: &[[f32; 3]], normals: &mut [[f32; 3]]) {
    for face in faces {
        let [a, b, c] = face.map(|v| points[v as usize].map(f64::from));
        let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
        for v in face.map(|v| v as usize) {
            normals[v] = std::array::from_fn(|k| (f64::from(normals[v][k]) + normal[k]) as f32);
        }
    }
    for normal in normals {
        let length = normal.iter().map(|x| x * x).sum::<f32>().sqrt();
        let scale = 1.0 / length.max(MINVAL as f32);
        *normal = normal.map(|x| x * scale);
    }
}
