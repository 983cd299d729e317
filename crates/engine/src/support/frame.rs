//! World frames of objects attached to bodies.

use crate::data::Pose;
use crate::model::enums::SameFrame;
use sinew_math::{Mat3, Quat, Vec3, mat3, quat, vec3};

/// World position of a point given in the frame of a body. If `sameframe` says that it coincides with the body frame or
/// the inertial frame, that position is copied.
#[doc(alias = "mj_local2Global")]
#[inline(always)]
pub fn local_to_global_pos(pose: &Pose, body: usize, pos: &Vec3, sameframe: SameFrame) -> Vec3 {
    match sameframe {
        SameFrame::Body => pose.xpos[body],
        SameFrame::Inertia => pose.xipos[body],
        _ => vec3::add(mat3::mul_vec(&pose.xmat[body], *pos), pose.xpos[body]),
    }
}

/// World orientation of a frame attached to a body; see [`local_to_global_pos`].
#[doc(alias = "mj_local2Global")]
#[inline(always)]
pub fn local_to_global_mat(pose: &Pose, body: usize, quat: &Quat, sameframe: SameFrame) -> Mat3 {
    match sameframe {
        SameFrame::Body | SameFrame::Bodyrot => pose.xmat[body],
        SameFrame::Inertia | SameFrame::Inertiarot => pose.ximat[body],
        _ => quat::to_mat(quat::mul(pose.xquat[body], *quat)),
    }
}

/// Code of a frame that coincides with neither body frame.
pub const OWN_FRAME: SameFrame = SameFrame::None;
