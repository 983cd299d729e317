//! Deformable bodies: the bodies that carry their vertices, connectivity and elasticity.
//!
//! Edge lengths and inverse weights depend on the whole model and are filled in by the engine's `set_const`.

mod bending;
mod elasticity;
mod fill;
mod nodes;
mod topology;

use super::flat::{Flat, Names};
use super::frames::Pose;
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::{FlexSelf, ObjType};
use sinew_geometry::mesh::bvh::{Leaf, Tree};
use sinew_math::{MINVAL, Vec3, vec3};
use topology::Topology;

/// All flexes of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledFlexes {
    list: Vec<CompiledFlex>,
    /// Degrees of freedom that move each body, counted along the path to the world.
    chains: Chains,
}

/// A flex ready for the model.
#[derive(Clone, Debug, Default)]
struct CompiledFlex {
    /// Attributes; elements of solids are oriented outward.
    spec: spec::Flex,
    /// Degree of interpolation; 0 if bodies carry the vertices directly.
    order: usize,
    /// Material id.
    matid: Option<usize>,
    /// Body of each vertex; empty for an interpolated flex.
    bodies: Vec<usize>,
    /// Body of each node.
    nodes: Vec<usize>,
    /// Whether one body carries every vertex.
    rigid: bool,
    /// Whether all vertices, or nodes, are at the origins of their bodies.
    centered: bool,
    /// Vertices in world coordinates at the initial position. (m)
    world: Vec<Vec3>,
    /// Nodes in world coordinates at the initial position. (m)
    world_nodes: Vec<Vec3>,
    topology: Topology,
    /// Coefficients per element, in the layout of `flex_stiffness`; empty without elasticity.
    stiffness: Vec<[f64; 21]>,
    /// Coefficients per edge, in the layout of `flex_bending`; empty without bending.
    bending: Vec<[f64; 17]>,
    /// Bounding volumes of the elements that collide.
    tree: Tree,
}

/// Parents and dofs of bodies.
#[derive(Clone, Debug, Default)]
struct Chains {
    parent: Vec<usize>,
    dofs: Vec<usize>,
    weld: Vec<usize>,
}

impl Chains {
    fn new(flat: &Flat) -> Self {
        Chains {
            parent: flat.bodies.iter().map(|b| b.parent).collect(),
            dofs: flat.bodies.iter().map(|b| b.dofs.len()).collect(),
            weld: flat.bodies.iter().map(|b| b.weld).collect(),
        }
    }

    /// Number of degrees of freedom that move any of the bodies. `seen` marks bodies and is cleared again.
    fn count(&self, bodies: impl Iterator<Item = usize>, seen: &mut [bool]) -> usize {
        let mut met = Vec::new();
        for mut body in bodies {
            while body > 0 && !std::mem::replace(&mut seen[body], true) {
                met.push(body);
                body = self.parent[body];
            }
        }
        met.iter().for_each(|&body| seen[body] = false);
        met.iter().map(|&body| self.dofs[body]).sum()
    }
}

/// Compiles all flexes.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, names: &Names) -> Result<CompiledFlexes> {
    if spec.flexes.is_empty() {
        return Ok(CompiledFlexes::default());
    }
    let poses = world_poses(flat);
    let one = |flex: &spec::Flex| {
        compile(flex, flat, &poses, names).map_err(|e| {
            let named = format!("flex name=\"{}\"", flex.meta.name);
            e.at(flex.meta.loc).element(if flex.meta.name.is_empty() { "flex".into() } else { named })
        })
    };
    Ok(CompiledFlexes { list: spec.flexes.iter().map(one).collect::<Result<_>>()?, chains: Chains::new(flat) })
}

/// Frames of the bodies at the initial position.
fn world_poses(flat: &Flat) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(flat.bodies.len());
    for body in &flat.bodies {
        let local = Pose::new(body.spec.pos, body.spec.quat);
        let pose = if poses.is_empty() { local } else { poses[body.parent].then(&local) };
        poses.push(pose);
    }
    poses
}

fn compile(flex: &spec::Flex, flat: &Flat, poses: &[Pose], names: &Names) -> Result<CompiledFlex> {
    check(flex)?;
    let mut out = CompiledFlex { spec: flex.clone(), ..CompiledFlex::default() };
    out.bind(flat, names)?;
    out.place(poses);
    if flex.dim == 3 {
        topology::turn_outward(&mut out.spec.elem, &out.world);
    }
    out.topology = Topology::new(&out.spec.elem, flex.dim as usize);
    if flex.young > 0.0 {
        out.elasticity()?;
    }
    out.tree = Tree::build(&out.leaves());
    Ok(out)
}

/// Checks what does not depend on the rest of the model.
fn check(flex: &spec::Flex) -> Result<()> {
    let invalid = |message: &str, attribute: &str| Err(Error::invalid(message).attribute(attribute));
    if !(1..=3).contains(&flex.dim) {
        return invalid("dim must be 1, 2 or 3", "dim");
    }
    if !(1..=6).contains(&flex.condim) {
        return invalid(&format!("contacts have 1 to 6 dimensions, not {}", flex.condim), "condim");
    }
    let corners = flex.dim as usize + 1;
    if flex.elem.is_empty() || !flex.elem.len().is_multiple_of(corners) {
        return invalid(&format!("elements have {corners} vertices each, and there must be some"), "element");
    }
    if flex.vertbody.is_empty() {
        return invalid("a flex needs the bodies that carry its vertices", "body");
    }
    if flex.edgestiffness > 0.0 && flex.dim > 1 {
        return Err(Error::invalid("edges are springs only in flexes of one dimension")
            .attribute(attr::STIFFNESS)
            .hint("give an 'elasticity' element instead"));
    }
    let interpolated = !flex.nodebody.is_empty();
    if interpolated && flex.selfcollide != FlexSelf::None {
        let error = Error::invalid("an interpolated flex cannot collide with itself").attribute(attr::SELFCOLLIDE);
        return Err(error.hint("add <contact selfcollide=\"none\"/>"));
    }
    if interpolated && flex.internal {
        return invalid("an interpolated flex cannot have internal contacts", "internal");
    }
    let nvert = if flex.vert.is_empty() { flex.vertbody.len() } else { flex.vert.len() };
    let one_for_all = flex.vertbody.len() == 1 && !interpolated;
    if !flex.vert.is_empty() && !one_for_all && flex.vertbody.len() != nvert {
        return invalid("there must be one body, or one body per vertex", "body");
    }
    if nvert < corners {
        return invalid(&format!("at least {corners} vertices are needed"), "vertex");
    }
    if let Some(i) = flex.elem.iter().find(|&&i| usize::try_from(i).map_or(true, |i| i >= nvert)) {
        return invalid(&format!("an element refers to vertex {i}, there are only {nvert}"), "element");
    }
    let repeats = |e: &[i32]| (1..e.len()).any(|i| e[..i].contains(&e[i]));
    if let Some(i) = flex.elem.chunks_exact(corners).position(repeats) {
        return invalid(&format!("element {i} has a vertex twice"), "element");
    }
    if !flex.texcoord.is_empty() && flex.elemtexcoord.is_empty() && flex.texcoord.len() != nvert {
        return invalid("there must be one texture coordinate per vertex", "texcoord");
    }
    Ok(())
}

impl CompiledFlex {
    fn interpolated(&self) -> bool {
        !self.nodes.is_empty()
    }

    fn dim(&self) -> usize {
        self.spec.dim as usize
    }

    fn nvert(&self) -> usize {
        self.world.len()
    }

    /// Looks up bodies and material.
    fn bind(&mut self, flat: &Flat, names: &Names) -> Result<()> {
        let flex = &self.spec;
        let body = |name: &String, attribute: &str| {
            names.require(ObjType::Body, name, flex.meta.loc).map_err(|e| e.attribute(attribute))
        };
        if !flex.material.is_empty() {
            self.matid = Some(names.require(ObjType::Material, &flex.material, flex.meta.loc)?);
        }
        self.bodies = flex.vertbody.iter().map(|name| body(name, "body")).collect::<Result<_>>()?;
        self.nodes = flex.nodebody.iter().map(|name| body(name, "node")).collect::<Result<_>>()?;
        let pinned = self.bodies.iter().find(|&&b| flat.bodies[b].joints.len() != 3);
        if let (Some(&pinned), true, 2) = (pinned, flex.bends(), flex.dim) {
            let name = &flat.bodies[pinned].spec.meta.name;
            return Err(Error::invalid(format!(
                "a shell that bends cannot be pinned, and body '{name}' has not three joints"
            ))
            .hint("remove the pins, or the bending"));
        }
        if self.interpolated() {
            self.order = nodes::order(self.nodes.len())?;
        }
        Ok(())
    }

    /// Determines whether the flex is rigid or centred, and its world coordinates.
    fn place(&mut self, poses: &[Pose]) {
        let interpolated = self.interpolated();
        let nvert = if self.spec.vert.is_empty() { self.bodies.len() } else { self.spec.vert.len() };
        self.rigid = !interpolated && self.bodies.iter().all(|&b| b == self.bodies[0]);
        if self.rigid {
            self.bodies = vec![self.bodies[0]; nvert];
        }
        let offsets = if interpolated { &self.spec.node } else { &self.spec.vert };
        self.centered = offsets.iter().all(|v| *v == [0.0; 3]);
        let point = |body: usize, local: Option<&Vec3>| {
            let pose = &poses[body];
            local.map_or(pose.pos, |&v| pose.point(v))
        };
        self.world = (0..nvert).map(|i| point(self.bodies[i], self.spec.vert.get(i))).collect();
        self.world_nodes = self.nodes.iter().enumerate().map(|(i, &b)| point(b, self.spec.node.get(i))).collect();
        if interpolated {
            self.bodies.clear();
        }
    }

    /// Computes elastic coefficients of elements and edges.
    fn elasticity(&mut self) -> Result<()> {
        let flex = &self.spec;
        if !(0.0..0.5).contains(&flex.poisson) {
            return Err(Error::invalid("Poisson's ratio must be at least 0 and less than 0.5").attribute(attr::POISSON));
        }
        let material = elasticity::Material::new(flex.young, flex.poisson);
        let corners = self.dim() + 1;
        let elements = flex.elem.chunks_exact(corners);
        let at = |i: i32| self.world[i as usize];
        self.stiffness = vec![[0.0; 21]; elements.len()];
        if self.interpolated() {
            nodes::stiffness(&self.world_nodes, self.order, &material, &mut self.stiffness)?;
        } else if flex.dim == 3 {
            for (out, e) in self.stiffness.iter_mut().zip(elements) {
                *out = elasticity::tetrahedron([0, 1, 2, 3].map(|k| at(e[k])), &material);
            }
        } else if flex.dim == 2 && flex.stretches() && flex.thickness > 0.0 {
            for (out, e) in self.stiffness.iter_mut().zip(elements) {
                *out = elasticity::triangle([0, 1, 2].map(|k| at(e[k])), &material, flex.thickness);
            }
        }
        if flex.dim == 2 && flex.bends() {
            if flex.thickness < 0.0 {
                return Err(Error::invalid("a shell that bends needs a thickness").attribute(attr::THICKNESS));
            }
            let hinge = |flap: &topology::Flap| bending::coefficients(flap, &self.world, material.mu, flex.thickness);
            self.bending = self.topology.flaps.iter().map(hinge).collect();
        }
        Ok(())
    }

    /// Bounding boxes of the elements that can collide.
    fn leaves(&self) -> Vec<Leaf> {
        let radius = self.spec.radius;
        let elements = self.spec.elem.chunks_exact(self.dim() + 1).enumerate();
        let active = |e: usize| self.dim() < 3 || self.topology.layer[e] < self.spec.activelayers;
        let leaf = |(e, corners): (usize, &[i32])| {
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for p in corners.iter().map(|&i| self.world[i as usize]) {
                low = std::array::from_fn(|k| low[k].min(p[k]));
                high = std::array::from_fn(|k| high[k].max(p[k]));
            }
            let center: Vec3 = std::array::from_fn(|k| 0.5 * (high[k] + low[k]));
            let half: Vec3 = std::array::from_fn(|k| 0.5 * (high[k] - low[k]) + radius);
            Leaf { id: e as i32, center, min: vec3::sub(center, half), max: vec3::add(center, half) }
        };
        elements.filter(|(e, _)| active(*e)).map(leaf).collect()
    }

    /// Half-size of the bounding box of the flex, and its centre.
    fn extent(&self) -> (Vec3, Vec3) {
        let root = self.tree.aabb.first().copied().unwrap_or_default();
        (std::array::from_fn(|k| root[k + 3] - self.spec.radius), [root[0], root[1], root[2]])
    }

    /// Vertices relative to the bounding box of the flex.
    fn relative(&self) -> impl Iterator<Item = Vec3> {
        let (half, center) = self.extent();
        self.world.iter().map(move |v| {
            std::array::from_fn(|k| if half[k] > MINVAL { (v[k] - center[k]) / (2.0 * half[k]) + 0.5 } else { 0.5 })
        })
    }
}
