//! `mujoco.elasticity.cable`: a chain of bodies that resists bending and twisting.
//!
//! Let `ω` be the rotation vector between two neighbouring bodies, in the frame of the first. The moment
//!
//! ```text
//! τ = −diag(J G, I_y E, I_z E) (ω − ω₀) / ℓ
//! ```
//!
//! acts on the second body, and its opposite on the first. `G` and `E` are the moduli `twist` and `bend`, `J` and `I`
//! the torsion constant and area moments of the second body's geom, `ℓ` the distance between the two bodies in the
//! initial position and `ω₀` their rotation there, or zero if the cable is `flat` at rest.

use super::{Config, Instance, Plugin, PluginCapabilities, PluginError};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{GeomType, JointType};
use crate::support::force::apply_ft;
use sinew_math::{Quat, Vec3, quat, vec3};
use std::f64::consts::PI;

/// The cable plugin.
#[derive(Clone, Copy, Debug)]
pub struct Kind;

/// An instance: the elastic links between neighbouring bodies.
#[derive(Clone, Debug)]
pub struct Cable {
    links: Vec<Link>,
}

/// Elastic link between a body and the previous one.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The body.
    body: usize,
    /// Address of its quaternion in `qpos`.
    qposadr: usize,
    /// First of its three rotational dofs, if these are the only dofs between the two bodies.
    dofadr: Option<usize>,
    /// Moment per angle about each axis.
    stiffness: Vec3,
    /// Rotation vector at rest.
    rest: Vec3,
    /// Whether the moment acts on the previous body, and on the body itself.
    acts: [bool; 2],
}

impl Plugin for Kind {
    fn name(&self) -> &str {
        "mujoco.elasticity.cable"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["twist", "bend", "flat", "vmax"]
    }

    fn capabilities(&self) -> PluginCapabilities {
        PluginCapabilities::PASSIVE
    }

    fn bind(&self, m: &Model, instance: usize, config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        let modulus = |key| config.number(key).map(|modulus| modulus.unwrap_or(0.0));
        let (twist, bend) = (modulus("twist")?, modulus("bend")?);
        config.number("vmax")?; // only drawing uses it
        let flat = config.get("flat") == Some("true");
        let bodies: Vec<usize> = (1..m.nbody).filter(|&b| m.body_plugin[b] == instance as i32).collect();
        if bodies.windows(2).any(|b| b[1] != b[0] + 1) {
            return Err(PluginError::new("the bodies of a cable must follow each other").hint(
                "put bodies that branch off a cable below its last body, or give them an instance of their own",
            ));
        }
        let places = initial_positions(m);
        let moduli: Vec<Vec3> = bodies.iter().map(|&b| rigidity(m, b, twist, bend)).collect();
        let is_stiff = |k: usize| moduli[k] != [0.0; 3];
        let mut links = Vec::new();
        for k in (1..bodies.len()).filter(|&k| is_stiff(k) || is_stiff(k - 1)) {
            let body = bodies[k];
            let joint = rotating_joint(m, body)?;
            let length = vec3::dist(places[body], places[body - 1]);
            let rest = if flat { [0.0; 3] } else { quat::sub(m.body_quat[body], at(&m.qpos0, joint.qposadr)) };
            links.push(Link {
                body,
                qposadr: joint.qposadr,
                dofadr: joint.dofadr.filter(|_| m.body_parentid[body] as usize + 1 == body),
                stiffness: moduli[k].map(|modulus| modulus / length),
                rest,
                acts: [is_stiff(k - 1), is_stiff(k)],
            });
        }
        Ok(Box::new(Cable { links }))
    }
}

/// The joint whose quaternion rotates a body.
struct Rotating {
    qposadr: usize,
    /// Its first rotational dof, if it has no other dofs.
    dofadr: Option<usize>,
}

fn rotating_joint(m: &Model, body: usize) -> Result<Rotating, PluginError> {
    let joint = usize::try_from(m.body_jntadr[body]).ok().filter(|_| m.body_jntnum[body] == 1);
    let found = joint.and_then(|joint| {
        let (qpos, dof) = (m.jnt_qposadr[joint] as usize, m.jnt_dofadr[joint] as usize);
        match m.jnt_type(joint) {
            JointType::Ball => Some(Rotating { qposadr: qpos, dofadr: Some(dof) }),
            JointType::Free => Some(Rotating { qposadr: qpos + 3, dofadr: None }),
            _ => None,
        }
    });
    found.ok_or_else(|| {
        PluginError::new(format!("body {body} of a cable does not turn freely"))
            .hint("give each body of a cable, but for the first, one ball joint")
    })
}

/// Body positions with all joints at zero displacement.
fn initial_positions(m: &Model) -> Vec<Vec3> {
    let mut pose: Vec<(Vec3, Quat)> = vec![([0.0; 3], quat::IDENTITY); m.nbody];
    for body in 1..m.nbody {
        let (pos, turn) = pose[m.body_parentid[body] as usize];
        pose[body] = (
            vec3::add(pos, quat::rotate(turn, m.body_pos[body])),
            quat::normalize(quat::mul(turn, m.body_quat[body])).0,
        );
    }
    pose.into_iter().map(|(pos, _)| pos).collect()
}

/// Torsional rigidity along x and flexural rigidities about y and z of a body's first geom.
fn rigidity(m: &Model, body: usize, twist: f64, bend: f64) -> Vec3 {
    let Some(geom) = m.body_geoms(body).next() else { return [0.0; 3] };
    let size = m.geom_size[geom];
    let (torsion, y, z) = match m.geom_type(geom) {
        GeomType::Cylinder | GeomType::Capsule => {
            let fourth = PI * size[0].powi(4);
            (fourth / 2.0, fourth / 4.0, fourth / 4.0)
        }
        GeomType::Box => {
            let (h, w) = (size[1], size[2]);
            let (a, b) = (h.max(w), h.min(w));
            // Roark's approximation for a rectangle with half-sides a > b
            let torsion = a * b.powi(3) * (16.0 / 3.0 - 3.36 * b / a * (1.0 - b.powi(4) / a.powi(4) / 12.0));
            let area_moment = |across: f64, along: f64| (2.0 * across).powi(3) * 2.0 * along / 12.0;
            (torsion, area_moment(w, h), area_moment(h, w))
        }
        _ => (0.0, 0.0, 0.0),
    };
    [torsion * twist, y * bend, z * bend]
}

/// The quaternion at an address of `qpos`.
fn at(qpos: &[f64], adr: usize) -> Quat {
    [qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]]
}

impl Instance for Cable {
    fn passive(&self, m: &Model, d: &mut Data) {
        for link in &self.links {
            let turn = quat::mul(m.body_quat[link.body], at(&d.state.qpos, link.qposadr));
            let bent = vec3::sub(quat::to_velocity(turn, 1.0), link.rest);
            let moment: Vec3 = std::array::from_fn(|k| -link.stiffness[k] * bent[k]);
            let own = quat::rotate(quat::conj(turn), moment);
            let qfrc = &mut d.force.qfrc_passive[..];
            // a moment between parent and child does work only at the joint between them, so no Jacobian is needed
            if let (Some(dof), [true, true]) = (link.dofadr, link.acts) {
                qfrc[dof..dof + 3].iter_mut().zip(own).for_each(|(f, moment)| *f += moment);
                continue;
            }
            for (body, moment, acts) in
                [(link.body - 1, vec3::scale(moment, -1.0), link.acts[0]), (link.body, own, link.acts[1])]
            {
                if acts {
                    let torque = quat::rotate(d.pose.xquat[body], moment);
                    apply_ft(m, &d.pose, [0.0; 3], torque, d.pose.xpos[body], body, qfrc);
                }
            }
        }
    }
}
