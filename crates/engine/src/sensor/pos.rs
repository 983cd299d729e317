//! Sensors that depend on positions.

use super::Inputs;
use super::rangefinder::rangefinder;
use crate::model::enums::{ConstraintType, GeomType, ObjType, SensorType as S};
use crate::support::camera::focal;
use crate::support::distance::{Distance, Work, geom_distance};
use crate::support::object::orientation;
use sinew_math::{MINVAL, Mat3, Quat, Vec3, mat3, quat, vec3};

/// Writes the value of position sensor `i`.
pub fn pos(x: &Inputs, i: usize, out: &mut [f64], work: &mut Work) {
    let (m, id) = (x.m, x.object(i));
    match x.kind(i) {
        Some(S::Magnetometer) => out.copy_from_slice(&mat3::mul_vec_t(&x.pose.site_xmat[id], m.opt.magnetic)),
        Some(S::Camprojection) => out.copy_from_slice(&project(x, m.sensor_refid[i] as usize, x.pose.site_xpos[id])),
        Some(S::Rangefinder) => rangefinder(x, i, out),
        Some(S::Jointpos) => out[0] = x.state.qpos[m.jnt_qposadr[id] as usize],
        Some(S::Tendonpos) => out[0] = x.pose.ten_length[id],
        Some(S::Actuatorpos) => out[0] = x.trn.actuator_length[id],
        Some(S::Ballquat) => {
            let q = &x.state.qpos[m.jnt_qposadr[id] as usize..];
            out.copy_from_slice(&quat::normalize([q[0], q[1], q[2], q[3]]).0);
        }
        Some(S::Jointlimitpos) => out[0] = limit_pos(x, ConstraintType::LimitJoint, id),
        Some(S::Tendonlimitpos) => out[0] = limit_pos(x, ConstraintType::LimitTendon, id),
        Some(S::Framepos) => frame_pos(x, i, out),
        Some(S::Framexaxis) => frame_axis(x, i, 0, out),
        Some(S::Frameyaxis) => frame_axis(x, i, 1, out),
        Some(S::Framezaxis) => frame_axis(x, i, 2, out),
        Some(S::Framequat) => frame_quat(x, i, out),
        Some(S::Subtreecom) => out.copy_from_slice(&x.pose.subtree_com[id]),
        Some(S::Insidesite) => {
            let (site, at) = (m.sensor_refid[i] as usize, x.frame(i));
            out[0] = f64::from(at.is_some_and(|at| inside_site(x, site, at.pos)));
        }
        Some(S::Geomdist | S::Geomnormal | S::Geomfromto) => geoms(x, i, out, work),
        Some(S::EPotential) => out[0] = x.energy[0],
        Some(S::EKinetic) => out[0] = x.energy[1],
        Some(S::Clock) => out[0] = x.state.time,
        _ => {}
    }
}

/// Shortest segment between two geoms, or between any geoms of two bodies, if not longer than the cutoff.
fn geoms(x: &Inputs, i: usize, out: &mut [f64], work: &mut Work) {
    let m = x.m;
    let of = |kind: i32, id: i32| {
        let id = id as usize;
        if kind == ObjType::Body as i32 {
            let start = m.body_geomadr[id].max(0) as usize;
            start..start + m.body_geomnum[id] as usize
        } else {
            id..id + 1
        }
    };
    let cutoff = m.sensor_cutoff[i];
    let mut best = Distance { dist: cutoff, ..Distance::default() };
    for a in of(m.sensor_objtype[i], m.sensor_objid[i]) {
        for b in of(m.sensor_reftype[i], m.sensor_refid[i]) {
            if sphere_gap(x, a, b) < best.dist {
                // the same cutoff for all pairs: it decides where a search for the depth starts
                let new = geom_distance(m, x.pose, [a, b], cutoff, work);
                if new.dist < best.dist {
                    best = new;
                }
            }
        }
    }
    let [from, to] = best.fromto;
    match x.kind(i) {
        Some(S::Geomdist) => out[0] = best.dist,
        Some(S::Geomnormal) => {
            let way = vec3::sub(to, from);
            out.copy_from_slice(&if way == [0.0; 3] { way } else { vec3::normalize(way).0 });
        }
        _ => {
            out[..3].copy_from_slice(&from);
            out[3..].copy_from_slice(&to);
        }
    }
}

/// Distance of the bounding spheres of two geoms; shapes without bounds are everywhere.
fn sphere_gap(x: &Inputs, a: usize, b: usize) -> f64 {
    let [ra, rb] = [a, b].map(|geom| x.m.geom_rbound[geom]);
    if ra > 0.0 && rb > 0.0 {
        vec3::dist(x.pose.geom_xpos[a], x.pose.geom_xpos[b]) - ra - rb
    } else {
        f64::NEG_INFINITY
    }
}

/// Distance to an active limit minus its margin; 0 if no limit is active.
fn limit_pos(x: &Inputs, kind: ConstraintType, id: usize) -> f64 {
    x.limit_row(kind, id).map_or(0.0, |r| x.efc.efc_pos[r] - x.efc.efc_margin[r])
}

fn frame_pos(x: &Inputs, i: usize, out: &mut [f64]) {
    let Some(at) = x.frame(i) else { return };
    let seen = x.reference(i).map_or(at.pos, |r| mat3::mul_vec_t(r.mat, vec3::sub(at.pos, r.pos)));
    out.copy_from_slice(&seen);
}

fn frame_axis(x: &Inputs, i: usize, axis: usize, out: &mut [f64]) {
    let Some(at) = x.frame(i) else { return };
    let axis = mat3::col(at.mat, axis);
    out.copy_from_slice(&x.reference(i).map_or(axis, |r| mat3::mul_vec_t(r.mat, axis)));
}

fn frame_quat(x: &Inputs, i: usize, out: &mut [f64]) {
    let of = |obj: i32, id: i32| -> Option<Quat> {
        orientation(x.m, x.pose, ObjType::try_from(obj).ok()?, usize::try_from(id).ok()?)
    };
    let Some(q) = of(x.m.sensor_objtype[i], x.m.sensor_objid[i]) else { return };
    let reference = of(x.m.sensor_reftype[i], x.m.sensor_refid[i]);
    out.copy_from_slice(&reference.map_or(q, |r| quat::mul(quat::conj(r), q)));
}

/// Whether a point is inside the volume of a site.
pub(super) fn inside_site(x: &Inputs, site: usize, point: Vec3) -> bool {
    let (pos, mat) = (x.pose.site_xpos[site], &x.pose.site_xmat[site]);
    inside_geom(pos, mat, x.m.site_size[site], x.m.site_type[site], point)
}

/// Whether a point is inside a primitive shape.
#[doc(alias = "mju_insideGeom")]
pub fn inside_geom(pos: Vec3, mat: &Mat3, size: Vec3, geom_type: i32, point: Vec3) -> bool {
    let away = vec3::sub(point, pos);
    let [x, y, z] = mat3::mul_vec_t(mat, away);
    let square = |v: f64| v * v;
    match GeomType::try_from(geom_type) {
        Ok(GeomType::Sphere) => vec3::dot(away, away) < square(size[0]),
        Ok(GeomType::Capsule) => {
            let beyond = z - sinew_math::clip(z, -size[1], size[1]);
            square(x) + square(y) + square(beyond) < square(size[0])
        }
        Ok(GeomType::Ellipsoid) => {
            square(x) / square(size[0]) + square(y) / square(size[1]) + square(z) / square(size[2]) < 1.0
        }
        Ok(GeomType::Cylinder) => z.abs() < size[1] && square(x) + square(y) < square(size[0]),
        Ok(GeomType::Box) => x.abs() < size[0] && y.abs() < size[1] && z.abs() < size[2],
        Ok(GeomType::Plane) => z < 0.0,
        _ => false,
    }
}

/// Pixel coordinates of a point in the image of a camera; the origin is the upper left corner.
fn project(x: &Inputs, cam: usize, point: Vec3) -> [f64; 2] {
    let local = mat3::mul_vec_t(&x.pose.cam_xmat[cam], vec3::sub(point, x.pose.cam_xpos[cam]));
    let [fx, fy] = focal(x.m, cam);
    let centre = x.m.cam_resolution[cam].map(|pixels| f64::from(pixels) / 2.0);
    let depth = if local[2].abs() >= MINVAL {
        local[2]
    } else if local[2] < 0.0 {
        -MINVAL
    } else {
        MINVAL
    };
    [(-fx * local[0] + centre[0] * local[2]) / depth, (fy * local[1] + centre[1] * local[2]) / depth]
}
