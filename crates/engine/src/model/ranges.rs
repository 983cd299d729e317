//! Index ranges of the elements that belong to a body, joint or sensor.

use super::Model;
use super::enums::ObjType;
use std::ops::Range;

#[inline(always)]
fn range(start: i32, len: i32) -> Range<usize> {
    // an owner without elements has the address −1
    let start = start.max(0) as usize;
    start..start + len as usize
}

impl Model {
    /// Degrees of freedom of body `b`.
    #[inline(always)]
    pub fn body_dofs(&self, b: usize) -> Range<usize> {
        range(self.body_dofadr[b], self.body_dofnum[b])
    }

    /// Joints of body `b`.
    #[inline(always)]
    pub fn body_joints(&self, b: usize) -> Range<usize> {
        range(self.body_jntadr[b], self.body_jntnum[b])
    }

    /// Geoms of body `b`.
    #[inline(always)]
    pub fn body_geoms(&self, b: usize) -> Range<usize> {
        range(self.body_geomadr[b], self.body_geomnum[b])
    }

    /// Degrees of freedom of joint `j`.
    #[inline]
    pub fn joint_dofs(&self, j: usize) -> Range<usize> {
        range(self.jnt_dofadr[j], self.jnt_type(j).dofs() as i32)
    }

    /// Outputs of sensor `i` within `sensordata`.
    #[inline]
    pub fn sensor_range(&self, i: usize) -> Range<usize> {
        range(self.sensor_adr[i], self.sensor_dim[i])
    }

    /// Activations of actuator `i` within `act`; empty if it has none.
    #[inline]
    pub fn actuator_acts(&self, i: usize) -> Range<usize> {
        range(self.actuator_actadr[i], if self.actuator_actadr[i] < 0 { 0 } else { self.actuator_actnum[i] })
    }

    /// Address of the activation that drives actuator `i`: the last of its activations.
    #[inline]
    pub fn actuator_act(&self, i: usize) -> Option<usize> {
        self.actuator_acts(i).last()
    }

    /// Bodies coupled by a connect or weld constraint, whether given as bodies or by sites.
    #[inline]
    pub fn eq_bodies(&self, i: usize) -> [usize; 2] {
        let ids = [self.eq_obj1id[i] as usize, self.eq_obj2id[i] as usize];
        if self.eq_objtype(i) == ObjType::Site { ids.map(|s| self.site_bodyid[s] as usize) } else { ids }
    }
}
