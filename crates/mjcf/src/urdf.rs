//! URDF → [`Spec`].
//!
//! Links become bodies, joints become the joints of their child link, collision and visual shapes become
//! geoms. As in MuJoCo, elements and attributes without a counterpart are ignored; the `mujoco` extension
//! element is read by the MJCF reader before [`read`] is called.

use crate::compile::frames::{self, z_to};
use crate::error::{Error, ErrorKind, Result};
use crate::numbers;
use crate::source::file_name;
use crate::spec::{Body, Compiler, Geom, Joint, MAX_DEPTH, Mesh, Meta, Orientation, Spec};
use crate::xml::Element;
use sinew_engine::model::enums::{GeomType, JointType, Limited};
use sinew_math::{mat3, quat};
use std::collections::{HashMap, HashSet};

/// Name of the link that becomes the world body.
const WORLD: &str = "world";

/// Applies the default settings of URDF files; the extension element may change them.
pub(crate) fn set_defaults(compiler: &mut Compiler) {
    compiler.strippath = true;
    compiler.fusestatic = true;
    compiler.discardvisual = true;
}

/// Adds everything below a `robot` element to `spec`, whose compiler settings are final.
pub(crate) fn read(root: &Element, spec: &mut Spec) -> Result<()> {
    if let Some(name) = root.attribute("name") {
        spec.modelname = name.into();
    }
    let mut robot = Robot::new(root)?;
    robot.colors(root)?;
    for element in root.children_named("link") {
        robot.link(element, spec)?;
    }
    for element in root.children_named("joint") {
        robot.joint(element)?;
    }
    robot.grow(spec)
}

/// State of reading one file. Bodies are kept in a list and arranged into a tree at the end.
struct Robot<'a> {
    /// Index of each link in `bodies`.
    links: HashMap<&'a str, usize>,
    bodies: Vec<Body>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// Colours of named materials.
    colors: HashMap<&'a str, [f32; 4]>,
    /// Geom names already in use.
    geoms: HashSet<&'a str>,
    /// Scales at which each mesh file is used, by its file name without directories.
    scales: HashMap<String, Vec<[f64; 3]>>,
}

impl<'a> Robot<'a> {
    /// Collects the links and marks which of them are children of a joint.
    fn new(root: &'a Element) -> Result<Self> {
        let mut robot = Robot {
            links: HashMap::new(),
            bodies: Vec::new(),
            parents: Vec::new(),
            children: Vec::new(),
            colors: HashMap::new(),
            geoms: HashSet::new(),
            scales: HashMap::new(),
        };
        for element in root.children_named("link") {
            let name = text(element, "name")?;
            if robot.links.insert(name, robot.bodies.len()).is_some() {
                return Err(element.error(ErrorKind::RepeatedName(name.into())).hint("names of links must differ"));
            }
            robot.bodies.push(Body { meta: meta(element, name), ..Body::default() });
            robot.parents.push(None);
            robot.children.push(Vec::new());
        }
        for element in root.children_named("joint") {
            let parent = robot.find(needed(element, "parent")?)?;
            let child = robot.find(needed(element, "child")?)?;
            if robot.parents[child].is_some() {
                let message = format!("link '{}' is the child of more than one joint", robot.bodies[child].meta.name);
                return Err(element.error(ErrorKind::Invalid(message)));
            }
            if robot.bodies[child].meta.name == WORLD {
                return Err(element.error(ErrorKind::Invalid("the world cannot be the child of a joint".into())));
            }
            robot.parents[child] = Some(parent);
            robot.children[parent].push(child);
        }
        Ok(robot)
    }

    /// The link that a `parent` or `child` element names.
    fn find(&self, element: &Element) -> Result<usize> {
        let name = text(element, "link")?;
        self.links.get(name).copied().ok_or_else(|| {
            let near = crate::error::nearest(name, self.links.keys().copied());
            let error = element.error(ErrorKind::UnknownName { objtype: "link".into(), name: name.into() });
            near.map_or(error.clone(), |near| error.hint(format!("did you mean '{near}'?")))
        })
    }

    /// Collects the colours of named materials anywhere in the file; the first one of each name wins.
    fn colors(&mut self, element: &'a Element) -> Result<()> {
        if element.name == "material"
            && let Some(name) = element.attribute("name")
            && !self.colors.contains_key(name)
            && let Some(color) = only(element, "color")?
        {
            self.colors.insert(name, rgba(color)?);
        }
        element.children.iter().try_for_each(|child| self.colors(child))
    }

    /// Reads the inertia and shapes of a link.
    fn link(&mut self, element: &'a Element, spec: &mut Spec) -> Result<()> {
        let link = self.links[text(element, "name")?];
        if let Some(inertial) = only(element, "inertial")? {
            inertia(inertial, &mut self.bodies[link])?;
        }
        // collision shapes take the colour of the last visual shape
        let mut color = None;
        for shape in &element.children {
            let collision = shape.name == "collision";
            if shape.name == "visual" {
                color = self.color(shape)?.or(color);
            }
            if !collision && (shape.name != "visual" || spec.compilers[0].discardvisual) {
                continue;
            }
            let mut geom = self.geom(shape, collision, spec)?;
            geom.rgba = color.filter(|c| c[0] >= 0.0).unwrap_or(geom.rgba);
            if let Some(name) = shape.attribute("name")
                && self.geoms.insert(name)
            {
                geom.meta.name = name.into();
            }
            self.bodies[link].geoms.push(geom);
        }
        Ok(())
    }

    /// Colour of a visual shape: its own, or that of the named material.
    fn color(&self, visual: &Element) -> Result<Option<[f32; 4]>> {
        let Some(material) = only(visual, "material")? else { return Ok(None) };
        if let Some(color) = only(material, "color")? {
            return rgba(color).map(Some);
        }
        Ok(self.colors.get(text(material, "name")?).copied())
    }

    /// Reads the shape and pose of a collision or visual element.
    fn geom(&mut self, shape: &Element, collision: bool, spec: &mut Spec) -> Result<Geom> {
        let mut geom = Geom { meta: meta(shape, ""), kind: GeomType::Box, ..Geom::default() };
        if !collision {
            (geom.contype, geom.conaffinity, geom.group, geom.density) = (0, 0, 1, 0.0);
        }
        let geometry = needed(shape, "geometry")?;
        if let Some(e) = only(geometry, "box")? {
            geom.size = required::<3>(e, "size")?.map(|x| x / 2.0);
        } else if let Some(e) = only(geometry, "cylinder")? {
            geom.kind = GeomType::Cylinder;
            geom.size = [number(e, "radius")?, number(e, "length")? / 2.0, 0.0];
        } else if let Some(e) = only(geometry, "sphere")? {
            geom.kind = GeomType::Sphere;
            geom.size[0] = number(e, "radius")?;
        } else if let Some(e) = only(geometry, "capsule")? {
            geom.kind = GeomType::Capsule;
            geom.size = [number(e, "radius")?, number(e, "length")? / 2.0, 0.0];
        } else if let Some(e) = only(geometry, "mesh")? {
            geom.kind = GeomType::Mesh;
            geom.meshname = self.mesh(e, spec)?;
        } else {
            let kind = ErrorKind::Missing("shape".into());
            return Err(geometry.error(kind).hint("add a box, cylinder, sphere, capsule or mesh"));
        }
        (geom.pos, geom.quat) = origin(shape)?;
        Ok(geom)
    }

    /// Name of the mesh for a file; each file is added once per scale.
    ///
    /// As in MuJoCo, a file used again at a scale that it already has gets the mesh name of its first scale.
    fn mesh(&mut self, element: &Element, spec: &mut Spec) -> Result<String> {
        let path = text(element, "filename")?;
        let file = if spec.compilers[0].strippath { file_name(path) } else { path };
        let scale = numbers::<3>(element, "scale")?.unwrap_or([1.0; 3]);
        let name = crate::spec::file_stem(file).to_string();
        let scales = self.scales.entry(name.clone()).or_default();
        if scales.contains(&scale) {
            return Ok(name);
        }
        let name = if scales.is_empty() { name } else { format!("{name}{}", scales.len()) };
        scales.push(scale);
        spec.meshes.push(Mesh { meta: meta(element, &name), file: file.into(), scale, ..Mesh::default() });
        Ok(name)
    }

    /// Adds the joints of a `joint` element to its child link and sets the pose of the link.
    fn joint(&mut self, element: &Element) -> Result<()> {
        let kind = text(element, "type")?;
        let name = text(element, "name")?;
        let link = self.find(needed(element, "child")?)?;
        let body = &mut self.bodies[link];
        (body.pos, body.quat) = origin(element)?;
        let axis = match only(element, "axis")? {
            Some(e) => required::<3>(e, "xyz")?,
            None => [1.0, 0.0, 0.0],
        };
        let one = |suffix: &str, kind, axis| Joint {
            meta: meta(element, &format!("{name}{suffix}")),
            kind,
            axis,
            ..Joint::default()
        };
        let mut joints = match kind {
            "revolute" | "continuous" => vec![one("", JointType::Hinge, axis)],
            "prismatic" => vec![one("", JointType::Slide, axis)],
            "fixed" => return Ok(()),
            "floating" => vec![one("", JointType::Free, Joint::default().axis)],
            "planar" => {
                // two translations normal to the axis and a rotation about it
                let mat = quat::to_mat(z_to(axis));
                vec![
                    one("_TX", JointType::Slide, mat3::col(&mat, 0)),
                    one("_TY", JointType::Slide, mat3::col(&mat, 1)),
                    one("_RZ", JointType::Hinge, axis),
                ]
            }
            "spherical" => vec![one("", JointType::Ball, axis)],
            _ => {
                let expected = "revolute, continuous, prismatic, fixed, floating, planar, spherical";
                let kind = ErrorKind::BadKeyword { got: kind.into(), expected: expected.into() };
                return Err(element.error(kind).attribute("type"));
            }
        };
        if let Some(dynamics) = only(element, "dynamics")? {
            let damping = optional(dynamics, "damping")?;
            let friction = optional(dynamics, "friction")?;
            for joint in &mut joints {
                joint.damping = damping.unwrap_or(joint.damping);
                joint.frictionloss = friction.unwrap_or(joint.frictionloss);
            }
        }
        if let Some(limit) = only(element, "limit")? {
            limits(limit, &mut joints[0])?;
        }
        self.bodies[link].joints = joints;
        Ok(())
    }

    /// Arranges the links into a tree: roots in file order, children in the order of their joints.
    fn grow(mut self, spec: &mut Spec) -> Result<()> {
        let mut order = Vec::with_capacity(self.bodies.len());
        let roots = (0..self.bodies.len()).filter(|&i| self.parents[i].is_none());
        let mut stack: Vec<(usize, usize)> = roots.rev().map(|i| (i, 1)).collect();
        while let Some((link, depth)) = stack.pop() {
            if depth > MAX_DEPTH {
                let kind = ErrorKind::Limit(format!("links are chained more than {MAX_DEPTH} deep"));
                return Err(Error::new(kind).at(self.bodies[link].meta.loc));
            }
            order.push(link);
            stack.extend(self.children[link].iter().rev().map(|&child| (child, depth + 1)));
        }
        if order.len() < self.bodies.len() {
            let message = "some joints form a loop that no root link leads to";
            return Err(Error::invalid(message).element("robot"));
        }
        // in reverse order, so that each body is complete when it is moved; child lists come out reversed
        let world = self.links.get(WORLD).copied();
        for &link in order.iter().rev() {
            let mut body = std::mem::take(&mut self.bodies[link]);
            if world == Some(link) {
                spec.world.geoms.append(&mut body.geoms);
                spec.world.bodies.append(&mut body.bodies);
                continue;
            }
            body.bodies.reverse();
            match self.parents[link] {
                Some(parent) => self.bodies[parent].bodies.push(body),
                None => spec.world.bodies.push(body),
            }
        }
        spec.world.bodies.reverse();
        Ok(())
    }
}

/// Reads the inertial frame, mass and inertia of a link.
fn inertia(inertial: &Element, body: &mut Body) -> Result<()> {
    body.explicitinertial = true;
    let (pos, quat) = origin(inertial)?;
    (body.ipos, body.iquat) = (Some(pos), quat);
    body.mass = number(needed(inertial, "mass")?, "value")?;
    let element = needed(inertial, "inertia")?;
    let mut full = [0.0; 6];
    for (slot, name) in full.iter_mut().zip(["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]) {
        *slot = number(element, name)?;
    }
    // exporters write zeros when there is no inertia
    body.fullinertia = Some(full).filter(|full| *full != [0.0; 6]);
    Ok(())
}

/// Reads the range and force limit of a joint. A range with one end, or with its ends swapped, is ignored.
fn limits(limit: &Element, joint: &mut Joint) -> Result<()> {
    let (lower, upper) = (optional(limit, "lower")?, optional(limit, "upper")?);
    joint.range = [lower.unwrap_or(joint.range[0]), upper.unwrap_or(joint.range[1])];
    if lower.is_some() != upper.is_some() || joint.range[0] > joint.range[1] {
        joint.limited = Limited::False;
    }
    let effort = optional(limit, "effort")?.unwrap_or(0.0).abs();
    if effort > 0.0 {
        joint.actfrcrange = [-effort, effort];
    }
    Ok(())
}

/// Reads position and orientation from the `origin` child, if there is one: roll, pitch and yaw about fixed axes.
fn origin(element: &Element) -> Result<([f64; 3], [f64; 4])> {
    let Some(origin) = only(element, "origin")? else { return Ok(([0.0; 3], quat::IDENTITY)) };
    let pos = numbers::<3>(origin, "xyz")?.unwrap_or_default();
    let quat = match numbers::<3>(origin, "rpy")? {
        None => quat::IDENTITY,
        Some(angles) => {
            let fixed = Compiler { degree: false, eulerseq: *b"XYZ", ..Compiler::default() };
            frames::orientation(quat::IDENTITY, &Orientation::Euler(angles), &fixed)?
        }
    };
    Ok((pos, quat))
}

fn meta(element: &Element, name: &str) -> Meta {
    Meta { name: name.into(), loc: element.loc, ..Meta::default() }
}

fn rgba(color: &Element) -> Result<[f32; 4]> {
    let words = values(color, "rgba", numbers::float, 4)?.ok_or_else(|| missing(color, "rgba"))?;
    Ok([words[0], words[1], words[2], words[3]].map(|x| x as f32))
}

/// The child with a name; it is an error if there is more than one.
pub(crate) fn only<'a>(element: &'a Element, name: &str) -> Result<Option<&'a Element>> {
    let mut found = element.children.iter().filter(|child| child.name == name);
    let first = found.next();
    match found.next() {
        Some(second) => Err(second.error(ErrorKind::RepeatedElement)),
        None => Ok(first),
    }
}

/// The child with a name; it is an error unless there is exactly one.
fn needed<'a>(element: &'a Element, name: &str) -> Result<&'a Element> {
    only(element, name)?.ok_or_else(|| element.error(ErrorKind::Missing(format!("element '{name}'"))))
}

fn missing(element: &Element, attribute: &str) -> Error {
    element.error(ErrorKind::Missing(format!("attribute '{attribute}'"))).attribute(attribute)
}

/// A required attribute.
fn text<'a>(element: &'a Element, attribute: &str) -> Result<&'a str> {
    element.attribute(attribute).ok_or_else(|| missing(element, attribute))
}

/// The numbers of an attribute, exactly `n` of them; `None` when the attribute is absent or blank.
fn values(
    element: &Element,
    attribute: &str,
    parse: fn(&str) -> std::result::Result<f64, ErrorKind>,
    n: usize,
) -> Result<Option<Vec<f64>>> {
    let Some(text) = element.attribute(attribute) else { return Ok(None) };
    let fail = |kind| element.error(kind).attribute(attribute);
    let numbers = numbers::words(text).map(parse).collect::<std::result::Result<Vec<_>, _>>().map_err(fail)?;
    if !numbers.is_empty() && numbers.len() != n {
        return Err(fail(ErrorKind::WrongCount { expected: n.to_string(), got: numbers.len() }));
    }
    Ok(Some(numbers).filter(|numbers| !numbers.is_empty()))
}

fn numbers<const N: usize>(element: &Element, attribute: &str) -> Result<Option<[f64; N]>> {
    Ok(values(element, attribute, numbers::real, N)?.and_then(|v| v.try_into().ok()))
}

fn required<const N: usize>(element: &Element, attribute: &str) -> Result<[f64; N]> {
    numbers(element, attribute)?.ok_or_else(|| missing(element, attribute))
}

fn optional(element: &Element, attribute: &str) -> Result<Option<f64>> {
    Ok(numbers::<1>(element, attribute)?.map(|[x]| x))
}

fn number(element: &Element, attribute: &str) -> Result<f64> {
    optional(element, attribute)?.ok_or_else(|| missing(element, attribute))
}
