//! The `composite` element: a cable of bodies, made from a curve or a list of points.
//!
//! MuJoCo has removed the other kinds of composite; they are refused with the element to use instead.

use super::{Body, Composite, Exclude, Geom, Joint, MAX_DEPTH, Meta, Site, Spec, Text, cable_skin};
use crate::compile::frames::{from_axes, mul, unit};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::schema::attr;
use sinew_engine::model::enums::{GeomType, JointType};
use sinew_math::{MINVAL, quat, vec3};
use std::f64::consts::PI;

/// The cable plugin.
const CABLE: &str = "mujoco.elasticity.cable";

/// One coordinate of a cable as a function of the parameter along it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Curve {
    /// Proportional to the parameter.
    Line,
    /// Cosine.
    Cos,
    /// Sine.
    Sin,
    /// Nothing.
    #[default]
    Zero,
}

/// Names of generated cable elements are truncated to this length, as in MuJoCo.
const MAX_NAME: usize = 99;

pub(super) fn cut(mut name: String) -> String {
    while name.len() > MAX_NAME {
        name.pop();
    }
    name
}

/// Refuses kinds that MuJoCo has removed.
fn check_kind(kind: &str) -> Result<()> {
    let instead = match kind {
        "cable" => return Ok(()),
        "particle" => "replicate",
        "rope" => "cable",
        "loop" => "flexcomp",
        "cloth" | "grid" => "flexcomp",
        _ => {
            let kind = ErrorKind::BadKeyword { got: kind.into(), expected: "cable".into() };
            return Err(Error::new(kind).attribute(attr::TYPE));
        }
    };
    let message = format!("composite type '{kind}' no longer exists");
    Err(Error::invalid(message).attribute(attr::TYPE).hint(format!("use '{instead}'")))
}

/// Applies to `v`, normal to the unit vector `from`, the shortest rotation that takes `from` to the unit vector `to`.
fn carried(v: [f64; 3], from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    let half = 1.0 + vec3::dot(from, to);
    if half < MINVAL { v } else { vec3::add_scaled(v, vec3::add(from, to), -vec3::dot(to, v) / half) }
}

impl Composite {
    /// Adds the cable to the body at `path`, inside `frame`.
    pub fn make(mut self, spec: &mut Spec, path: &[usize], frame: Option<usize>) -> Result<()> {
        let loc = self.meta.loc;
        self.check(path.len(), &spec.limits).map_err(|e| e.at(loc).element("composite"))?;
        if self.vertex.is_empty() {
            self.vertex = self.curve_points();
        }
        let text =
            Text { meta: self.named(format!("composite_{}", self.prefix)), data: format!("rope_{}", self.prefix) };
        spec.texts.push(text);
        let mut first = self.chain();
        first.frame = frame;
        spec.body_mut(path).bodies.push(first);
        spec.excludes.extend(self.excludes());
        if self.geom.kind == GeomType::Box {
            spec.skins.push(cable_skin::make(&self));
        }
        Ok(())
    }

    /// Checks the attributes and determines the number of points.
    fn check(&mut self, depth: usize, limits: &Limits) -> Result<()> {
        let invalid = |message: &str, attribute: &str| Err(Error::invalid(message).attribute(attribute));
        if self.count.iter().any(|&n| n < 1) {
            return invalid("counts must be positive", "count");
        }
        if vec3::dot(self.size, self.size) < MINVAL && self.vertex.is_empty() {
            return invalid("the length must be positive", "size");
        }
        if !self.vertex.is_empty() {
            if self.count[0] > 1 {
                return invalid("points and a count cannot both be given", "count");
            }
            self.count[0] = i32::try_from(self.vertex.len() / 3).unwrap_or(i32::MAX);
            self.count[1] = 1;
        }
        if self.count.windows(2).any(|n| n[0] == 1 && n[1] != 1) {
            return invalid("counts of 1 must come last", "count");
        }
        check_kind(&self.kind)?;
        if self.plugin.as_ref().is_some_and(|plugin| plugin.plugin != CABLE) {
            return Err(Error::invalid(format!("the only plugin of composites is {CABLE}")).attribute(attr::PLUGIN));
        }
        if self.count[0] < 2 || self.count[1] > 1 {
            return invalid("a cable has one dimension with at least two points", "count");
        }
        // MuJoCo excludes contacts with a body that a cable of two bodies does not have
        if self.count[0] == 3 {
            return invalid("a cable has two points, or more than three", "count");
        }
        if self.count[0] as usize + depth > MAX_DEPTH {
            let kind = ErrorKind::Limit(format!("bodies are nested more than {MAX_DEPTH} deep"));
            return Err(Error::new(kind).attribute(attr::COUNT).hint("use fewer points"));
        }
        if !matches!(self.geom.kind, GeomType::Cylinder | GeomType::Capsule | GeomType::Box) {
            return invalid("the geom of a cable must be a cylinder, capsule or box", "type");
        }
        self.skin.check(self.points(), limits)
    }

    /// Number of points.
    pub(super) fn points(&self) -> usize {
        self.count[0] as usize
    }

    /// Points of the curve; single precision, as in MuJoCo.
    fn curve_points(&self) -> Vec<f32> {
        let steps = f64::from(self.count[0] - 1);
        (0..self.count[0])
            .map(f64::from)
            .flat_map(|i| {
                let angle = PI * i * self.size[2] / steps;
                let point = self.curve.map(|curve| match curve {
                    Curve::Line => i * self.size[0] / steps,
                    Curve::Cos => self.size[1] * angle.cos(),
                    Curve::Sin => self.size[1] * angle.sin(),
                    Curve::Zero => 0.0,
                });
                quat::rotate(self.quat, point).map(|x| x as f32)
            })
            .collect()
    }

    fn point(&self, i: usize) -> [f32; 3] {
        [self.vertex[3 * i], self.vertex[3 * i + 1], self.vertex[3 * i + 2]]
    }

    /// Vector from point `i` to the next.
    fn edge(&self, i: usize) -> [f64; 3] {
        let (a, b) = (self.point(i), self.point(i + 1));
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]].map(f64::from)
    }

    /// Name of body `i` of `n`, and the suffix that its joint and site share with it.
    fn ending(i: usize, n: usize) -> String {
        match i {
            0 => "first".into(),
            _ if i + 1 == n => "last".into(),
            _ => i.to_string(),
        }
    }

    /// Name of the body that starts at point `i`.
    fn body_name(&self, i: usize) -> String {
        cut(format!("{}B_{}", self.prefix, Self::ending(i, self.points() - 1)))
    }

    /// Name of the body that moves the skin at point `i`; the last two points share the last body.
    pub(super) fn bone_name(&self, i: usize) -> String {
        let last = i > 0 && i + 2 >= self.points();
        if last { cut(format!("{}B_last", self.prefix)) } else { self.body_name(i) }
    }

    fn named(&self, name: String) -> Meta {
        Meta { name, ..self.meta.clone() }
    }

    /// One body per edge, each the child of the one before.
    fn chain(&self) -> Body {
        let orientations = self.orientations();
        let mut bodies: Vec<Body> = Vec::with_capacity(orientations.len());
        for (i, &here) in orientations.iter().enumerate() {
            let mut body = self.segment(i, vec3::norm(self.edge(i)));
            (body.pos, body.quat) = match i.checked_sub(1) {
                None => (vec3::add(self.offset, self.point(0).map(f64::from)), here),
                Some(before) => ([unit(&mut self.edge(before)), 0.0, 0.0], mul(quat::conj(orientations[before]), here)),
            };
            bodies.push(body);
        }
        // the check above guarantees at least one edge
        let last = bodies.pop().unwrap_or_default();
        bodies.into_iter().rev().fold(last, |child, mut body| {
            body.bodies.push(child);
            body
        })
    }

    /// Orientation of every edge: X along it; Y of the first in the plane of the first two edges, then carried along
    /// without twist. For a cable that starts straight Y and Z have no direction and are zero.
    fn orientations(&self) -> Vec<[f64; 4]> {
        let unit_of = |mut v: [f64; 3]| {
            unit(&mut v);
            v
        };
        let tangents: Vec<[f64; 3]> = (0..self.points() - 1).map(|i| unit_of(self.edge(i))).collect();
        let second = tangents.get(1).copied().unwrap_or_default();
        let mut before = tangents[0];
        let mut y = unit_of(vec3::cross(unit_of(vec3::cross(before, second)), before));
        tangents
            .into_iter()
            .map(|x| {
                y = unit_of(carried(y, before, x));
                before = x;
                from_axes(x, y, unit_of(vec3::cross(x, y)))
            })
            .collect()
    }

    /// A body with its geom, its joint and, at both ends of the cable, a site.
    fn segment(&self, i: usize, length: f64) -> Body {
        let n = self.points() - 1;
        let ending = Self::ending(i, n);
        let mut geom = Geom { meta: self.named(cut(format!("{}G{i}", self.prefix))), ..self.geom.clone() };
        if geom.kind == GeomType::Box {
            geom.pos = [length / 2.0, 0.0, 0.0];
            geom.size[0] = length / 2.0;
        } else {
            geom.fromto = Some([0.0, 0.0, 0.0, length, 0.0, 0.0]);
        }
        let plugin = self.plugin.clone();
        let mut body = Body { meta: self.named(self.body_name(i)), plugin, geoms: vec![geom], ..Body::default() };
        if i > 0 || self.initial != "none" {
            let mut joint = Joint { meta: self.named(cut(format!("{}J_{ending}", self.prefix))), ..self.joint.clone() };
            joint.kind = JointType::Ball;
            if i == 0 && self.initial == "free" {
                joint.kind = JointType::Free;
                (joint.damping, joint.armature, joint.frictionloss) = (0.0, 0.0, 0.0);
            }
            body.joints.push(joint);
        }
        if i == 0 || i + 1 == n {
            let pos = [if i + 1 == n { length } else { 0.0 }, 0.0, 0.0];
            let meta = self.named(cut(format!("{}S_{ending}", self.prefix)));
            body.sites.push(Site { meta, pos, ..self.site.clone() });
        }
        body
    }

    /// Contact exclusions between neighbouring bodies.
    fn excludes(&self) -> impl Iterator<Item = Exclude> {
        (1..self.points() - 1).map(|i| Exclude {
            meta: Meta { name: String::new(), ..self.meta.clone() },
            bodyname1: self.body_name(i - 1),
            bodyname2: self.body_name(i),
        })
    }
}

#[cfg(test)]
#[path = "composite_test.rs"]
mod test;
