//! From body frames to the frames of what is attached to bodies.

use crate::data::Pose;
use crate::model::enums::SameFrame;
use sinew_math::{Mat3, Quat, Vec3, mat3, quat, vec3};

const NONE: u8 = SameFrame::None as u8;
const BODY: u8 = SameFrame::Body as u8;
const INERTIA: u8 = SameFrame::Inertia as u8;
const BODYROT: u8 = SameFrame::Bodyrot as u8;
const INERTIAROT: u8 = SameFrame::Inertiarot as u8;

/// World position of a point given in the frame of a body; `sameframe` tells when it coincides with the
/// body frame or the inertial frame, which are then copied.
#[doc(alias = "mj_local2Global")]
#[inline(always)]
pub fn local_to_global_pos(pose: &Pose, body: usize, pos: &Vec3, sameframe: u8) -> Vec3 {
    match sameframe {
        BODY => pose.xpos[body],
        INERTIA => pose.xipos[body],
        _ => vec3::add(mat3::mul_vec(&pose.xmat[body], *pos), pose.xpos[body]),
    }
}

/// World orientation of a frame attached to a body; see [`local_to_global_pos`].
#[doc(alias = "mj_local2Global")]
#[inline(always)]
pub fn local_to_global_mat(pose: &Pose, body: usize, quat: &Quat, sameframe: u8) -> Mat3 {
    match sameframe {
        BODY | BODYROT => pose.xmat[body],
        INERTIA | INERTIAROT => pose.ximat[body],
        _ => quat::to_mat(quat::mul(pose.xquat[body], *quat)),
    }
}

/// Code of a frame that coincides with nothing.
pub const OWN_FRAME: u8 = NONE;
