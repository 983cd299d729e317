//! Picking: the object under the mouse.

use crate::Result;
use crate::camera::{average, in_model};
use crate::scene::Scene;
use sinew_engine::model::enums::VisFlag;
use sinew_engine::support::flex::{Nodes, basis, verts};
use sinew_engine::support::ray::{Filter, Ray, ray};
use sinew_engine::support::ray_flex::{Parts, ray_flex, ray_skin};
use sinew_engine::view::ViewOptions;
use sinew_engine::{Data, Model};
use sinew_math::{Vec3, vec3};

/// A point in an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Aspect ratio of the image: width over height.
    pub aspect: f64,
    /// From 0 at the left edge to 1 at the right.
    pub x: f64,
    /// From 0 at the lower edge to 1 at the upper.
    pub y: f64,
}

/// The object found by picking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picked {
    /// Body of the object.
    pub body: usize,
    /// The point hit, or the vertex nearest to it.
    pub point: Vec3,
    /// The geom, if the object is one.
    pub geom: Option<usize>,
    /// The flex, if the object is one.
    pub flex: Option<usize>,
    /// The skin, if the object is one.
    pub skin: Option<usize>,
}

/// Finds the nearest geom, flex or skin of a scene at a point of its image.
///
/// # Errors
/// A scene without a camera.
#[doc(alias = "mjv_select")]
pub fn select(m: &Model, d: &Data, opt: &ViewOptions, view: View, scene: &Scene) -> Result<Option<Picked>> {
    let along = sight(view, scene)?;
    let filter = Filter { geomgroup: Some(&opt.geomgroup), flg_static: opt.shows(VisFlag::Static), bodyexclude: -1 };
    let none = Picked { body: 0, point: [0.0; 3], geom: None, flex: None, skin: None };
    let geom = ray(m, &d.pose, along, filter).map(|hit| {
        let body = m.geom_bodyid[hit.geomid] as usize;
        (hit.dist, Picked { body, point: along.at(hit.dist), geom: Some(hit.geomid), ..none })
    });
    let flexes = (0..m.nflex).filter_map(|f| {
        let hit = ray_flex(m, &d.pose, f, parts(opt), along)?;
        let (body, point) = carrier(m, d, f, hit.vertid);
        Some((hit.dist, Picked { body, point, flex: Some(f), ..none }))
    });
    let skins = (0..if opt.shows(VisFlag::Skin) { m.nskin } else { 0 }).filter_map(|s| {
        let first = 3 * m.skin_vertadr[s] as usize;
        let (points, _) = scene.skinvert[first..][..3 * m.skin_vertnum[s] as usize].as_chunks::<3>();
        let faces = &m.skin_face[m.skin_faceadr[s] as usize..][..m.skin_facenum[s] as usize];
        let hit = ray_skin(faces, points, along)?;
        let point = points[hit.vertid].map(f64::from);
        Some((hit.dist, Picked { body: heaviest_bone(m, s, hit.vertid)?, point, skin: Some(s), ..none }))
    });
    let nearest = geom.into_iter().chain(flexes).chain(skins).min_by(|a, b| a.0.total_cmp(&b.0));
    Ok(nearest.map(|(_, picked)| picked))
}

/// The ray through a point of the image.
fn sight(view: View, scene: &Scene) -> Result<Ray> {
    let lens = average(&scene.camera[0], &scene.camera[1])?;
    let eye = in_model(scene)?;
    let left = vec3::normalize(vec3::cross(eye.up, eye.forward)).0;
    let (bottom, height) = (f64::from(lens.frustum_bottom), f64::from(lens.frustum_top - lens.frustum_bottom));
    let up = bottom + view.y * height;
    let sideways = -(f64::from(lens.frustum_center) + (2.0 * view.x - 1.0) * 0.5 * view.aspect * height);
    let across = |from: Vec3| vec3::add_scaled(vec3::add_scaled(from, eye.up, up), left, sideways);
    if lens.orthographic != 0 {
        return Ok(Ray { origin: across(eye.pos), dir: eye.forward });
    }
    let ahead = vec3::scale(eye.forward, lens.frustum_near.into());
    Ok(Ray { origin: eye.pos, dir: vec3::normalize(across(ahead)).0 })
}

/// The parts of flexes that the options show.
fn parts(opt: &ViewOptions) -> Parts {
    Parts {
        vert: opt.shows(VisFlag::Flexvert),
        edge: opt.shows(VisFlag::Flexedge),
        face: opt.shows(VisFlag::Flexface),
        skin: opt.shows(VisFlag::Flexskin),
        layer: opt.flex_layer,
    }
}

/// Body and position of a vertex of a flex; for an interpolated flex, those of the node of largest weight.
fn carrier(m: &Model, d: &Data, f: usize, vert: usize) -> (usize, Vec3) {
    let vert = verts(m, f).start + vert;
    if m.flex_interp[f] == 0 {
        return (m.flex_vertbodyid[vert] as usize, d.pose.flexvert_xpos[vert]);
    }
    let order = m.flex_interp[f] as usize;
    let [x, y, z] = m.flex_vert0[vert].map(|s| basis(order, s));
    let side = order + 1;
    let weight = |k: usize| x[k / side / side] * y[k / side % side] * z[k % side];
    let count = m.flex_nodenum[f] as usize;
    let node = (0..count).rev().max_by(|a, b| weight(*a).total_cmp(&weight(*b))).unwrap_or(0);
    let at = Nodes::at(m, &d.pose.xpos, &d.pose.xmat, f).position(node);
    (m.flex_nodebodyid[m.flex_nodeadr[f] as usize + node] as usize, at)
}

/// The body of the bone with the largest weight at a vertex of a skin.
fn heaviest_bone(m: &Model, skin: usize, vert: usize) -> Option<usize> {
    let mut best = None;
    for bone in m.skin_boneadr[skin]..m.skin_boneadr[skin] + m.skin_bonenum[skin] {
        let bone = bone as usize;
        for k in m.skin_bonevertadr[bone]..m.skin_bonevertadr[bone] + m.skin_bonevertnum[bone] {
            let (of, weight) = (m.skin_bonevertid[k as usize], m.skin_bonevertweight[k as usize]);
            if of as usize == vert && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, m.skin_bonebodyid[bone] as usize));
            }
        }
    }
    best.map(|(_, body)| body)
}
