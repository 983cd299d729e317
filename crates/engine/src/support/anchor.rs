//! Points and frames that connect and weld constraints hold together.

use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{EqType, ObjType};
use sinew_math::{Quat, Vec3, mat3, quat, vec3};

/// World points that connect or weld constraint `i` holds together, given by an anchor in each body, or by sites.
pub fn points(m: &Model, pose: &Pose, i: usize) -> [Vec3; 2] {
    let ids = [m.eq_obj1id[i] as usize, m.eq_obj2id[i] as usize];
    if m.eq_objtype(i) == ObjType::Site {
        return ids.map(|s| pose.site_xpos[s]);
    }
    let data = &m.eq_data[i];
    let local = [[data[0], data[1], data[2]], [data[3], data[4], data[5]]];
    // welds store the two anchors in the opposite order
    let at = |k: usize| local[if m.eq_type(i) == EqType::Weld { 1 - k } else { k }];
    [0, 1].map(|k| vec3::add(mat3::mul_vec(&pose.xmat[ids[k]], at(k)), pose.xpos[ids[k]]))
}

/// Orientations that weld `i` keeps equal.
pub fn frames(m: &Model, pose: &Pose, i: usize) -> [Quat; 2] {
    let xquat = m.eq_bodies(i).map(|b| pose.xquat[b]);
    if m.eq_objtype(i) == ObjType::Site {
        let site = [m.eq_obj1id[i] as usize, m.eq_obj2id[i] as usize].map(|s| m.site_quat[s]);
        return [quat::mul(xquat[0], site[0]), quat::mul(xquat[1], site[1])];
    }
    let data = &m.eq_data[i];
    [quat::mul(xquat[0], [data[6], data[7], data[8], data[9]]), xquat[1]]
}
