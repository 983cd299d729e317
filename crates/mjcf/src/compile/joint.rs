//! Joints: units, limits, frames; joint and degree-of-freedom arrays.

use super::flat::{Flat, FlatJoint};
use super::frames::{EPS, Pose, unit};
use super::shared::{check_autolimits, check_range, check_user, fill_user, is_limited};
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{Compiler, Joint};
use sinew_engine::Model;
use sinew_engine::model::enums::{JointType, Limited};
use sinew_math::{MINVAL, quat};
use std::f64::consts::PI;

/// Number of position coordinates of a joint.
pub(crate) fn nq(kind: JointType) -> usize {
    match kind {
        JointType::Free => 7,
        JointType::Ball => 4,
        JointType::Slide | JointType::Hinge => 1,
    }
}

/// Number of degrees of freedom of a joint.
pub(crate) fn nv(kind: JointType) -> usize {
    match kind {
        JointType::Free => 6,
        JointType::Ball => 3,
        JointType::Slide | JointType::Hinge => 1,
    }
}

/// Final attributes of a joint: limits resolved, angles in radians, pose in the body.
pub(crate) fn resolve(joint: &Joint, frames: &[Pose], compiler: &Compiler, nuser: usize) -> Result<Joint> {
    convert(joint, frames, compiler, nuser).map_err(|e| e.at(joint.meta.loc).element("joint"))
}

fn convert(joint: &Joint, frames: &[Pose], compiler: &Compiler, nuser: usize) -> Result<Joint> {
    check_user(joint.userdata.len(), nuser, "nuser_jnt")?;
    let mut j = joint.clone();
    if j.springdamper != [0.0; 2] && (j.springdamper[0] <= 0.0 || j.springdamper[1] <= 0.0) {
        return Err(Error::invalid("time constant and damping ratio must be positive").attribute(attr::SPRINGDAMPER));
    }
    limit(&mut j, compiler)?;
    if matches!(j.kind, JointType::Free | JointType::Ball) {
        j.axis = [0.0, 0.0, 1.0];
    } else if let Some(frame) = j.frame {
        j.axis = quat::rotate(frames[frame].quat, j.axis);
    }
    if unit(&mut j.axis) < EPS {
        return Err(Error::invalid("the axis is too short to give a direction").attribute(attr::AXIS));
    }
    if j.kind == JointType::Free {
        j.pos = [0.0; 3];
    } else if let Some(frame) = j.frame {
        j.pos = frames[frame].point(j.pos);
    }
    if j.kind == JointType::Hinge && compiler.degree {
        j.ref_ *= PI / 180.0;
        j.springref *= PI / 180.0;
    }
    Ok(j)
}

/// Resolves and converts position limits and the limits of actuator force.
fn limit(j: &mut Joint, compiler: &Compiler) -> Result<()> {
    let decided = |limited, range| if is_limited(limited, range) { Limited::True } else { Limited::False };
    if j.kind == JointType::Free {
        j.limited = Limited::False;
    } else {
        check_autolimits(compiler.autolimits, "", j.limited, j.range)?;
        j.limited = decided(j.limited, j.range);
    }
    if j.limited == Limited::True {
        if j.kind != JointType::Ball {
            check_range("range", j.limited, j.range)?;
        } else if j.range[0] != 0.0 {
            return Err(Error::invalid("the lower limit of a ball joint must be 0").attribute(attr::RANGE));
        }
        if compiler.degree && matches!(j.kind, JointType::Hinge | JointType::Ball) {
            j.range = j.range.map(|x| x * (PI / 180.0));
        }
    }
    if matches!(j.kind, JointType::Free | JointType::Ball) {
        j.actfrclimited = Limited::False;
    } else {
        check_autolimits(compiler.autolimits, "actuatorfrc", j.actfrclimited, j.actfrcrange)?;
        j.actfrclimited = decided(j.actfrclimited, j.actfrcrange);
    }
    check_range("actuatorfrcrange", j.actfrclimited, j.actfrcrange)
}

/// Writes the joint and degree-of-freedom arrays, `qpos0` and `qpos_spring`.
pub(crate) fn fill(flat: &Flat, m: &mut Model) {
    for (i, FlatJoint { spec: j, body, qposadr, dofadr }) in flat.joints.iter().enumerate() {
        m.jnt_type[i] = j.kind.into();
        m.jnt_group[i] = j.group;
        m.jnt_limited[i] = (j.limited == Limited::True).into();
        m.jnt_actfrclimited[i] = (j.actfrclimited == Limited::True).into();
        m.jnt_actgravcomp[i] = j.actgravcomp.into();
        m.jnt_qposadr[i] = *qposadr as i32;
        m.jnt_dofadr[i] = *dofadr as i32;
        m.jnt_bodyid[i] = *body as i32;
        m.jnt_pos[i] = j.pos;
        m.jnt_axis[i] = j.axis;
        m.jnt_stiffness[i] = j.stiffness;
        m.jnt_range[i] = j.range;
        m.jnt_actfrcrange[i] = j.actfrcrange;
        m.jnt_solref[i] = j.solref_limit;
        m.jnt_solimp[i] = j.solimp_limit;
        m.jnt_margin[i] = j.margin;
        reference(&flat.bodies[*body].spec, j, &mut m.qpos0[*qposadr..], &mut m.qpos_spring[*qposadr..]);
        for dof in *dofadr..dofadr + nv(j.kind) {
            m.dof_bodyid[dof] = *body as i32;
            m.dof_jntid[dof] = i as i32;
            m.dof_solref[dof] = j.solref_friction;
            m.dof_solimp[dof] = j.solimp_friction;
            m.dof_frictionloss[dof] = j.frictionloss;
            m.dof_armature[dof] = j.armature;
            m.dof_damping[dof] = j.damping;
        }
    }
    let width = m.nuser_jnt;
    fill_user(&mut m.jnt_user, width, flat.joints.iter().map(|j| &j.spec.userdata[..]));
}

/// Initial and spring reference coordinates of one joint.
fn reference(body: &crate::spec::Body, j: &Joint, qpos0: &mut [f64], spring: &mut [f64]) {
    match j.kind {
        JointType::Free => {
            for q in [qpos0, spring] {
                q[..3].copy_from_slice(&body.pos);
                q[3..7].copy_from_slice(&body.quat);
            }
        }
        JointType::Ball => {
            qpos0[..4].copy_from_slice(&quat::IDENTITY);
            spring[..4].copy_from_slice(&quat::IDENTITY);
        }
        JointType::Slide | JointType::Hinge => {
            qpos0[0] = j.ref_;
            spring[0] = j.springref;
        }
    }
}

/// Computes stiffness and damping of joints that are given a time constant and a damping ratio instead; needs
/// `dof_invweight0`.
pub(crate) fn spring_damper(flat: &Flat, m: &mut Model) {
    for (i, FlatJoint { spec: j, dofadr, .. }) in flat.joints.iter().enumerate() {
        let [timeconst, dampratio] = j.springdamper;
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }
        let dofs = *dofadr..dofadr + nv(j.kind);
        let count = dofs.len() as f64;
        let weight = m.dof_invweight0[dofs.clone()].iter().fold(0.0, |sum, w| sum + w);
        let inertia = count / weight.max(MINVAL);
        m.jnt_stiffness[i] = inertia / (timeconst * timeconst * dampratio * dampratio).max(MINVAL);
        m.dof_damping[dofs].fill(2.0 * inertia / timeconst.max(MINVAL));
    }
}
