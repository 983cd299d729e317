//! Frames, velocities and accelerations of objects attached to bodies.

use crate::data::{Accel, Motion, Pose};
use crate::model::Model;
use crate::model::enums::ObjType;
use sinew_math::spatial::{self, Vec6};
use sinew_math::{Mat3, Quat, Vec3, quat, vec3};

/// An object fixed to a body, with its world frame.
#[derive(Clone, Copy, Debug)]
pub struct ObjectFrame<'a> {
    /// The body that the object moves with.
    pub body: usize,
    /// Position.
    pub pos: Vec3,
    /// Axes as columns.
    pub mat: &'a Mat3,
}

/// Frame of a body (inertial or regular), geom, site or camera; `None` for objects without one.
pub fn object_frame<'a>(m: &Model, pose: &'a Pose, obj: ObjType, id: usize) -> Option<ObjectFrame<'a>> {
    let (body, pos, mat) = match obj {
        ObjType::Body => (id, pose.xipos.get(id)?, pose.ximat.get(id)?),
        ObjType::Xbody => (id, pose.xpos.get(id)?, pose.xmat.get(id)?),
        ObjType::Geom => (*m.geom_bodyid.get(id)? as usize, &pose.geom_xpos[id], &pose.geom_xmat[id]),
        ObjType::Site => (*m.site_bodyid.get(id)? as usize, &pose.site_xpos[id], &pose.site_xmat[id]),
        ObjType::Camera => (*m.cam_bodyid.get(id)? as usize, &pose.cam_xpos[id], &pose.cam_xmat[id]),
        _ => return None,
    };
    Some(ObjectFrame { body, pos: *pos, mat })
}

/// Orientation of an object from the quaternions of its body and of the model; unlike one extracted from a matrix, its
/// sign does not jump.
pub fn orientation(m: &Model, pose: &Pose, obj: ObjType, id: usize) -> Option<Quat> {
    let on = |body: usize, own: Quat| quat::mul(pose.xquat[body], own);
    Some(match obj {
        ObjType::Xbody => *pose.xquat.get(id)?,
        ObjType::Body => on(id, *m.body_iquat.get(id)?),
        ObjType::Geom => on(*m.geom_bodyid.get(id)? as usize, m.geom_quat[id]),
        ObjType::Site => on(*m.site_bodyid.get(id)? as usize, m.site_quat[id]),
        ObjType::Camera => on(*m.cam_bodyid.get(id)? as usize, m.cam_quat[id]),
        _ => return None,
    })
}

impl ObjectFrame<'_> {
    /// Transforms a motion of the body from its tree's centre of mass to the object.
    fn see(&self, m: &Model, pose: &Pose, motion: &Vec6, local: bool) -> Vec6 {
        let com = pose.subtree_com[m.body_rootid[self.body] as usize];
        spatial::transform_motion(motion, self.pos, com, local.then_some(self.mat))
    }

    /// Angular and linear velocity of the object, in its local frame if `local`.
    #[doc(alias = "mj_objectVelocity")]
    pub fn velocity(&self, m: &Model, pose: &Pose, motion: &Motion, local: bool) -> Vec6 {
        if m.body_weldid[self.body] == 0 {
            return [0.0; 6];
        }
        self.see(m, pose, &motion.cvel[self.body], local)
    }

    /// Angular and linear acceleration of the object, in its local frame if `local`.
    #[doc(alias = "mj_objectAcceleration")]
    pub fn acceleration(&self, m: &Model, pose: &Pose, motion: &Motion, accel: &Accel, local: bool) -> Vec6 {
        if m.body_weldid[self.body] == 0 {
            return [0.0; 6];
        }
        let acc = self.see(m, pose, &accel.cacc[self.body], local);
        let vel = self.see(m, pose, &motion.cvel[self.body], local);
        // the reference point moves with the body
        let turning = vec3::cross(spatial::rot(&vel), spatial::lin(&vel));
        spatial::join(spatial::rot(&acc), vec3::add(spatial::lin(&acc), turning))
    }
}
