//! Writes kinematic trees as URDF: links with inertias and shapes, joints with limits and damping.

use super::text::{Node, join, real, single};
use crate::compile::compile;
use crate::error::{Error, ErrorKind, Result};
use crate::loader::on_deep_stack;
use crate::source::Source;
use crate::spec::Spec;
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomType, JointType, ObjType};
use sinew_math::{mat3, quat, vec3};

impl Spec {
    /// The model as URDF; files it needs are read from `source`. Bodies become links; hinges, slides and free joints
    /// become joints; boxes, spheres, cylinders, capsules and meshes with files become shapes. Actuators, sensors,
    /// cameras, lights, sites and keyframes do not exist in the format and are left out.
    ///
    /// # Errors
    /// When the model does not compile, or has a joint that URDF cannot express; the error names it.
    pub fn to_urdf(&self, source: &Source) -> Result<String> {
        on_deep_stack(|| {
            let mut spec = self.clone();
            // every body must stay a link
            (spec.compilers[0].fusestatic, spec.compilers[0].discardvisual) = (false, false);
            let model = compile(&spec, source)?;
            let mut out = String::from("<?xml version=\"1.0\"?>\n");
            Export { m: &model, spec: &spec }.document()?.write(1, &mut out);
            Ok(out)
        })
    }
}

struct Export<'a> {
    m: &'a Model,
    spec: &'a Spec,
}

fn refused(what: &str, name: &str) -> Error {
    Error::new(ErrorKind::Unsupported(format!("{what} '{name}' in URDF")))
        .hint("URDF has trees of hinges, slides and free joints with boxes, spheres, cylinders, capsules and meshes")
}

/// `origin`: position, then roll, pitch and yaw about fixed axes.
fn origin(pos: [f64; 3], q: [f64; 4]) -> Node {
    let m = quat::to_mat(q);
    // the rotation matrix of three successive rotations about x, y and z
    let pitch = (-m[6]).clamp(-1.0, 1.0).asin();
    let (roll, yaw) = match m[6].abs() < 1.0 - 1e-12 {
        true => (m[7].atan2(m[8]), m[3].atan2(m[0])),
        false => (0.0, (-m[1]).atan2(m[4])),
    };
    let mut node = Node::new("origin");
    node.put_other("xyz", join(pos.into_iter().map(real)));
    if q != quat::IDENTITY {
        node.put_other("rpy", join([roll, pitch, yaw].into_iter().map(real)));
    }
    node
}

fn with(name: &'static str, attributes: &[(&'static str, String)]) -> Node {
    let mut node = Node::new(name);
    attributes.iter().for_each(|(key, value)| node.put_other(key, value));
    node
}

impl Export<'_> {
    fn document(&self) -> Result<Node> {
        let m = self.m;
        for (kind, what, n) in [
            (ObjType::Tendon, "tendon", m.ntendon),
            (ObjType::Equality, "equality", m.neq),
            (ObjType::Flex, "flex", m.nflex),
        ] {
            if n > 0 {
                return Err(refused(what, m.id2name(kind, 0).unwrap_or("")));
            }
        }
        let mut children = Vec::new();
        for i in 0..m.nbody {
            children.push(self.link(i)?);
            if i > 0 {
                children.push(self.joint(i)?);
            }
        }
        let mut root = Node::of("robot", children);
        root.put_other("name", &self.spec.modelname);
        Ok(root)
    }

    /// Name of an element, or a generated name if it has none.
    fn name(&self, kind: ObjType, word: &str, i: usize) -> String {
        match self.m.id2name(kind, i) {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("{word}{i}"),
        }
    }

    fn joints(&self, body: usize) -> std::ops::Range<usize> {
        let first = usize::try_from(self.m.body_jntadr[body]).unwrap_or(0);
        first..first + self.m.body_jntnum[body] as usize
    }

    /// Origin of the link frame in the body frame: the anchor of its joint.
    fn anchor(&self, body: usize) -> [f64; 3] {
        let hinge = |j: &usize| self.m.jnt_type[*j] == JointType::Hinge as i32;
        self.joints(body).find(hinge).map_or([0.0; 3], |j| self.m.jnt_pos[j])
    }

    fn link(&self, i: usize) -> Result<Node> {
        let (m, anchor) = (self.m, self.anchor(i));
        let mut children = Vec::new();
        if i > 0 && m.body_mass[i] > 0.0 {
            // along the axes of the link: readers disagree on the meaning of a rotated tensor
            let turn = quat::to_mat(m.body_iquat[i]);
            let entry = |r: usize, c: usize| -> f64 {
                (0..3).map(|k| turn[3 * r + k] * m.body_inertia[i][k] * turn[3 * c + k]).sum()
            };
            let entries = [("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2)];
            let inertia = entries.map(|(name, r, c)| (name, real(entry(r, c))));
            let mass = with("mass", &[("value", real(m.body_mass[i]))]);
            let place = origin(vec3::sub(m.body_ipos[i], anchor), quat::IDENTITY);
            children.push(Node::of("inertial", [place, mass, with("inertia", &inertia)]));
        }
        let first = usize::try_from(m.body_geomadr[i]).unwrap_or(0);
        for g in first..first + m.body_geomnum[i] as usize {
            let (shape, place) = self.shape(g, anchor)?;
            let color = with("color", &[("rgba", join(m.geom_rgba[g].into_iter().map(single)))]);
            let mut material = Node::of("material", [color]);
            material.put_other("name", format!("{}_colour", self.name(ObjType::Geom, "geom", g)));
            children.push(Node::of("visual", [place(), Node::of("geometry", [shape()]), material]));
            if m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0 {
                children.push(Node::of("collision", [place(), Node::of("geometry", [shape()])]));
            }
        }
        let mut node = Node::of("link", children);
        node.put_other("name", self.name(ObjType::Body, "body", i));
        Ok(node)
    }

    /// The shape of a geom and its pose in the link.
    fn shape(&self, g: usize, anchor: [f64; 3]) -> Result<(impl Fn() -> Node, impl Fn() -> Node)> {
        let m = self.m;
        let [x, y, z] = m.geom_size[g];
        let (mut pos, mut turn) = (m.geom_pos[g], m.geom_quat[g]);
        let long = || vec![("radius", real(x)), ("length", real(2.0 * y))];
        let (kind, attributes) = match GeomType::try_from(m.geom_type[g]) {
            Ok(GeomType::Sphere) => ("sphere", vec![("radius", real(x))]),
            Ok(GeomType::Box) => ("box", vec![("size", join([x, y, z].into_iter().map(|s| real(2.0 * s))))]),
            Ok(GeomType::Cylinder) => ("cylinder", long()),
            Ok(GeomType::Capsule) => ("capsule", long()),
            Ok(GeomType::Mesh) => {
                let mesh = m.geom_dataid[g] as usize;
                let file = &self.spec.meshes[mesh].file;
                if file.is_empty() {
                    return Err(refused("mesh without a file", &self.name(ObjType::Mesh, "mesh", mesh)));
                }
                // meshes in the model are stored in their inertial frames
                let back = quat::conj(m.mesh_quat[mesh]);
                turn = quat::mul(turn, back);
                pos = vec3::sub(pos, mat3::mul_vec(&quat::to_mat(turn), m.mesh_pos[mesh]));
                let scale = join(m.mesh_scale[mesh].into_iter().map(real));
                ("mesh", vec![("filename", file.clone()), ("scale", scale)])
            }
            _ => return Err(refused("the shape of geom", &self.name(ObjType::Geom, "geom", g))),
        };
        let pos = vec3::sub(pos, anchor);
        Ok((move || with(kind, &attributes), move || origin(pos, turn)))
    }

    /// The joint that connects a body to its parent.
    fn joint(&self, i: usize) -> Result<Node> {
        let m = self.m;
        let parent = m.body_parentid[i] as usize;
        let body = self.name(ObjType::Body, "body", i);
        let joints = self.joints(i);
        if joints.len() > 1 {
            return Err(refused("several joints of body", &body));
        }
        let turned = mat3::mul_vec(&quat::to_mat(m.body_quat[i]), self.anchor(i));
        let place = vec3::sub(vec3::add(m.body_pos[i], turned), self.anchor(parent));
        let ends = [("parent", parent), ("child", i)];
        let ends = ends.map(|(end, id)| with(end, &[("link", self.name(ObjType::Body, "body", id))]));
        let mut children = vec![origin(place, m.body_quat[i])];
        children.extend(ends);
        let (kind, name) = match joints.clone().next() {
            None => ("fixed", format!("{body}_fixed")),
            Some(j) => (self.kind(j)?, self.name(ObjType::Joint, "joint", j)),
        };
        if let Some(j) = joints.clone().next().filter(|_| kind != "floating") {
            children.push(with("axis", &[("xyz", join(m.jnt_axis[j].into_iter().map(real)))]));
            self.limits(j, &mut children);
        }
        let mut node = Node::of("joint", children);
        node.put_other("name", name);
        node.put_other("type", kind);
        Ok(node)
    }

    fn kind(&self, j: usize) -> Result<&'static str> {
        let limited = self.m.jnt_limited[j] != 0;
        match JointType::try_from(self.m.jnt_type[j]) {
            Ok(JointType::Free) => Ok("floating"),
            Ok(JointType::Slide) => Ok("prismatic"),
            Ok(JointType::Hinge) => Ok(if limited { "revolute" } else { "continuous" }),
            _ => Err(refused("ball joint", &self.name(ObjType::Joint, "joint", j))),
        }
    }

    fn limits(&self, j: usize, children: &mut Vec<Node>) {
        let (m, dof) = (self.m, self.m.jnt_dofadr[j] as usize);
        let dynamics = [("damping", m.dof_damping[dof]), ("friction", m.dof_frictionloss[dof])];
        if dynamics.iter().any(|(_, x)| *x != 0.0) {
            children.push(with("dynamics", &dynamics.map(|(name, x)| (name, real(x)))));
        }
        let forced = m.jnt_actfrclimited[j] != 0;
        let effort = if forced { m.jnt_actfrcrange[j][1].abs().max(m.jnt_actfrcrange[j][0].abs()) } else { 0.0 };
        if m.jnt_limited[j] != 0 || forced {
            // joint positions in URDF are relative to the pose of the link
            let zero = m.qpos0[m.jnt_qposadr[j] as usize];
            let mut limit = Node::new("limit");
            if m.jnt_limited[j] != 0 {
                limit.put_other("lower", real(m.jnt_range[j][0] - zero));
                limit.put_other("upper", real(m.jnt_range[j][1] - zero));
            }
            limit.put_other("effort", real(effort));
            limit.put_other("velocity", "0");
            children.push(limit);
        }
    }
}
