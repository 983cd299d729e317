//! Builds a flex and its bodies from points.

use super::{Dof, Flexcomp, Hold};
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{Body, Equality, Flex, Geom, Joint, Meta, Spec};
use sinew_engine::model::enums::{EqType, GeomType, JointType};
use sinew_math::{quat, vec3};

/// Geom group of the spheres at vertices.
const VERTEX_GROUP: i32 = 4;

/// Names of generated bodies are truncated to this length, as in MuJoCo.
const MAX_NAME: usize = 99;

/// Fraction of the mass at a control node of a quadratic flex, per direction.
const QUADRATIC_MASS: [f64; 3] = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];

impl Flexcomp {
    /// Adds the flex, its bodies and its equality to the body at `path`. As in MuJoCo, the frame that contains the
    /// element is ignored here. `turn` is the orientation of the points.
    pub fn make(mut self, spec: &mut Spec, path: &[usize], turn: [f64; 4]) -> Result<()> {
        let parent = spec.body(path).meta.name.clone();
        if parent.is_empty() {
            return Err(Error::invalid("the body around it must have a name").hint("give the parent body a name"));
        }
        self.check()?;
        self.shape()?;
        self.check_pins()?;
        self.check_elements()?;
        let mut points = std::mem::take(&mut self.flex.vert);
        if self.kind.listed() && self.scale != [1.0; 3] {
            points.iter_mut().for_each(|p| *p = std::array::from_fn(|k| p[k] * self.scale[k]));
        }
        points.iter_mut().for_each(|p| *p = vec3::add(quat::rotate(turn, *p), self.pos));
        let mut pinned = self.pinned(points.len())?;
        let all = pinned[..points.len()].iter().all(|&p| p);
        let none = !pinned[..points.len()].iter().any(|&p| p);
        let bounds = bounds(&points);
        if self.kind.listed() {
            self.drop_unused(&mut points, &mut pinned);
        }
        if all {
            self.flex.vertbody = vec![parent];
            self.flex.vert = points;
            spec.flexes.push(self.flex);
            return Ok(());
        }
        if self.plugin.is_some() && (!none || self.dof.order().is_some()) {
            spec.body_mut(path).plugin = self.plugin.clone();
        }
        let mut bodies = self.point_bodies(&mut points, &pinned, &parent);
        if let Some(order) = self.dof.order() {
            bodies.extend(self.node_bodies(order, bounds, &pinned, none, &parent));
        }
        if !none || self.dof.order().is_some() {
            self.flex.vert = points;
        }
        spec.body_mut(path).bodies.extend(bodies);
        spec.equalities.extend(self.equality());
        spec.flexes.push(self.flex);
        Ok(())
    }

    fn check_elements(&self) -> Result<()> {
        let Flex { vert, elem, dim, .. } = &self.flex;
        if vert.is_empty() || elem.is_empty() {
            return Err(Error::invalid("points and elements are needed"));
        }
        if !elem.len().is_multiple_of(*dim as usize + 1) {
            return Err(Error::invalid(format!("elements have {} points each", dim + 1)).attribute(attr::ELEMENT));
        }
        match elem.iter().find(|&&i| usize::try_from(i).map_or(true, |i| i >= vert.len())) {
            Some(i) => Err(Error::invalid(format!("an element refers to point {i}, there are only {}", vert.len()))
                .attribute(attr::ELEMENT)),
            None => Ok(()),
        }
    }

    /// Removes points that no element refers to.
    fn drop_unused(&mut self, points: &mut Vec<[f64; 3]>, pinned: &mut Vec<bool>) {
        let mut used = vec![false; points.len()];
        self.flex.elem.iter().for_each(|&i| used[i as usize] = true);
        if used.iter().all(|&u| u) {
            return;
        }
        let mut new = vec![0; points.len()];
        let mut count = 0;
        for i in 0..points.len() {
            new[i] = count;
            count += i32::from(used[i]);
        }
        self.flex.elem.iter_mut().for_each(|i| *i = new[*i as usize]);
        keep(points, &used);
        keep(pinned, &used);
        keep(&mut self.flex.texcoord, &used);
        pinned.resize(points.len().max(self.nodes()), false);
    }

    fn meta(&self, name: String) -> Meta {
        let mut name = name;
        while name.len() > MAX_NAME {
            name.pop();
        }
        Meta { name, ..self.flex.meta.clone() }
    }

    /// A small body at a position, with slide joints along the axes.
    fn body(&self, name: String, at: [f64; 3], mass: f64, axes: &[[f64; 3]]) -> Body {
        let inertia = mass * (2.0 * self.inertiabox * self.inertiabox) / 3.0;
        let unnamed = || self.meta(String::new());
        let slide = |&axis: &[f64; 3]| Joint {
            meta: unnamed(),
            kind: JointType::Slide,
            pos: [0.0; 3],
            axis,
            ..self.joint.clone()
        };
        let sphere = |group| Geom {
            meta: unnamed(),
            kind: GeomType::Sphere,
            size: [self.flex.radius, self.geom.size[1], self.geom.size[2]],
            group,
            ..self.geom.clone()
        };
        let group = if self.dof.order().is_some() { self.geom.group } else { VERTEX_GROUP };
        Body {
            meta: self.meta(name),
            pos: at,
            ipos: Some([0.0; 3]),
            mass,
            inertia: [inertia; 3],
            explicitinertial: true,
            joints: axes.iter().map(slide).collect(),
            geoms: self.flex.vertcollide.then(|| sphere(group)).into_iter().collect(),
            ..Body::default()
        }
    }

    /// Makes one body, at the point, for each point that moves by itself; sets which body carries each point.
    fn point_bodies(&mut self, points: &mut [[f64; 3]], pinned: &[bool], parent: &str) -> Vec<Body> {
        let mass = self.mass / points.len() as f64;
        let mut bodies = Vec::new();
        for (i, point) in points.iter_mut().enumerate() {
            if pinned[i] || self.dof.order().is_some() {
                self.flex.vertbody.push(parent.into());
                continue;
            }
            let radial = [vec3::normalize(*point).0];
            let axes = if self.dof == Dof::Radial { &radial[..] } else { &AXES };
            let mut body = self.body(format!("{}_{i}", self.flex.meta.name), *point, mass, axes);
            body.plugin.clone_from(&self.plugin);
            self.flex.vertbody.push(body.meta.name.clone());
            bodies.push(body);
            *point = [0.0; 3];
        }
        bodies
    }

    /// Makes control nodes on a regular grid over the bounding box of the points.
    fn node_bodies(
        &mut self,
        order: usize,
        [low, high]: [[f64; 3]; 2],
        pinned: &[bool],
        centered: bool,
        parent: &str,
    ) -> Vec<Body> {
        let mut bodies = Vec::new();
        let mut nodes = Vec::new();
        let side = order + 1;
        for index in 0..side.pow(3) {
            let ijk = [index / (side * side), index / side % side, index % side];
            let at: [f64; 3] =
                std::array::from_fn(|k| low[k] + ijk[k] as f64 * (1.0 / order as f64) * (high[k] - low[k]));
            if pinned[index] {
                self.flex.nodebody.push(parent.into());
                nodes.push(at);
                continue;
            }
            let mass = match order {
                1 => self.mass / 8.0,
                _ => ijk.iter().fold(self.mass, |mass, &k| mass * QUADRATIC_MASS[k]),
            };
            let [i, j, k] = ijk;
            let body = self.body(format!("{}_{i}_{j}_{k}", self.flex.meta.name), at, mass, &AXES);
            self.flex.nodebody.push(body.meta.name.clone());
            bodies.push(body);
            nodes.push([0.0; 3]);
        }
        if !centered {
            self.flex.node = nodes;
        }
        bodies
    }

    fn equality(&self) -> Option<Equality> {
        let kind = match self.hold {
            Hold::None => return None,
            Hold::Edges => EqType::Flex,
            Hold::Vertices => EqType::Flexvert,
        };
        let (name1, meta) = (self.flex.meta.name.clone(), self.meta(String::new()));
        Some(Equality { meta, kind, name1, solref: self.edge.solref, solimp: self.edge.solimp, ..Equality::default() })
    }
}

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn bounds(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    points.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], p| {
        [std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k]))]
    })
}

/// Keeps the marked entries; entries beyond the marks are removed.
fn keep<T>(list: &mut Vec<T>, marks: &[bool]) {
    let mut marks = marks.iter();
    list.retain(|_| marks.next() == Some(&true));
}
