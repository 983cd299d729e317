//! Equality data that depends on the reference position.

use super::SetConstError;
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{EqType, ObjType};
use crate::support::frame::{OWN_FRAME, local_to_global_pos};
use sinew_math::{Vec3, mat3, quat, vec3};

/// Converts a point from the frame of one body to that of another.
fn in_frame_of(d: &Data, point: Vec3, from: usize, to: usize) -> Vec3 {
    let world = local_to_global_pos(&d.pose, from, &point, OWN_FRAME);
    mat3::mul_vec_t(&d.pose.xmat[to], vec3::sub(world, d.pose.xpos[to]))
}

/// Computes second anchors of connects, and relative poses of welds whose quaternion is still zero.
pub fn fill(m: &mut Model, d: &Data) -> Result<(), SetConstError> {
    for i in 0..m.neq {
        let (b1, b2) = (m.eq_obj1id[i] as usize, m.eq_obj2id[i] as usize);
        let (kind, object) = (m.eq_type(i), m.eq_objtype(i));
        let data = &mut m.eq_data[i];
        let anchor = [data[0], data[1], data[2]];
        match kind {
            EqType::Connect => match object {
                ObjType::Body => data[3..6].copy_from_slice(&in_frame_of(d, anchor, b1, b2)),
                ObjType::Site => data.fill(0.0),
                _ => return Err(SetConstError::EqualityObject { kind: "connect", equality: i }),
            },
            EqType::Weld => match object {
                ObjType::Body => {
                    let given = [data[6], data[7], data[8], data[9]];
                    let relpose = if given == [0.0; 4] {
                        data[3..6].copy_from_slice(&in_frame_of(d, anchor, b2, b1));
                        quat::mul(quat::conj(d.pose.xquat[b1]), d.pose.xquat[b2])
                    } else {
                        quat::normalize(given).0
                    };
                    data[6..10].copy_from_slice(&relpose);
                }
                ObjType::Site => {}
                _ => return Err(SetConstError::EqualityObject { kind: "weld", equality: i }),
            },
            _ => {}
        }
    }
    Ok(())
}
