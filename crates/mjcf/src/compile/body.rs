//! Bodies with everything they own, from the specification to final values; body arrays.

use super::flat::{Flat, FlatBody, FlatGeom, FlatJoint, FlatSite};
use super::frames::{Pose, orientation, resolve_frames, same_frame, unit};
use super::geom::{Owner, Scope};
use super::order::Node;
use super::shared::{check_user, fill_user, id_or_none};
use super::sizes::UserSizes;
use super::{camera, geom, inertia, joint, light, site};
use crate::error::{Error, Errors, Result, gather};
use crate::schema::attr;
use crate::spec::{Body, Compiler, Joint, Orientation, Spec};
use sinew_engine::Model;
use sinew_engine::model::enums::{AlignFree, InertiaFromGeom, JointType};
use sinew_math::quat;

/// Compiles all bodies in model order. Ids and addresses are assigned later, by `order::number`.
pub(crate) fn compile(nodes: &[Node], scope: &Scope, users: &UserSizes) -> Result<Flat> {
    let (mut flat, mut errors) = (Flat::default(), Errors::default());
    let mut frames: Vec<Vec<Pose>> = Vec::with_capacity(nodes.len());
    for (id, node) in nodes.iter().enumerate() {
        frames.push(resolve_frames(&node.body.frames, &scope.spec.compilers)?);
        let outer = node.body.frame.map(|f| frames[node.parent][f]);
        let place = |e: Error| e.at(node.body.meta.loc).element("body");
        let work = Work { node, id, own: &frames[id], outer, scope, users };
        let added = work.add(&mut flat).map_err(place);
        errors.keep(added)?;
    }
    errors.finish().map(|()| flat)
}

/// A copy of a body without what it owns.
fn shallow(b: &Body) -> Body {
    Body {
        plugin: b.plugin.clone(),
        meta: b.meta.clone(),
        frame: b.frame,
        pos: b.pos,
        quat: b.quat,
        alt: b.alt,
        mass: b.mass,
        ipos: b.ipos,
        iquat: b.iquat,
        inertia: b.inertia,
        ialt: b.ialt,
        fullinertia: b.fullinertia,
        explicitinertial: b.explicitinertial,
        mocap: b.mocap,
        gravcomp: b.gravcomp,
        sleep: b.sleep,
        userdata: b.userdata.clone(),
        ..Body::default()
    }
}

/// One body being compiled.
struct Work<'a> {
    node: &'a Node<'a>,
    id: usize,
    /// Poses of the frames of this body.
    own: &'a [Pose],
    /// Pose of the frame that contains this body.
    outer: Option<Pose>,
    scope: &'a Scope<'a>,
    users: &'a UserSizes,
}

impl Work<'_> {
    fn spec(&self) -> &Spec {
        self.scope.spec
    }

    fn compiler(&self) -> &Compiler {
        &self.spec().compilers[self.node.body.meta.compiler]
    }

    fn add(&self, flat: &mut Flat) -> Result<()> {
        let source = self.node.body;
        let compiler = self.compiler();
        check_user(source.userdata.len(), self.users.body, "nuser_body")?;
        let mut body = shallow(source);
        orient(&mut body, compiler)?;
        let parent_weld = flat.bodies.get(self.node.parent).map_or(0, |b| b.weld);
        let weld = if source.joints.is_empty() { parent_weld } else { self.id };
        let mut geoms = self.geoms(weld == 0)?;
        self.set_inertia(&mut body, &geoms)?;
        if let Some(outer) = &self.outer {
            let pose = outer.then(&Pose::new(body.pos, body.quat));
            (body.pos, body.quat) = (pose.pos, pose.quat);
        }
        let align = self.align(&mut body);
        for g in geoms.iter_mut().filter(|_| align.is_some()) {
            shift(&align, &mut g.spec.pos, &mut g.spec.quat);
        }
        self.add_joints(&body, flat)?;
        self.add_placed(&align, flat)?;
        flat.bodies.push(FlatBody {
            spec: body,
            parent: self.node.parent,
            root: 0,
            weld,
            joints: 0..0,
            dofs: 0..0,
            geoms: 0..0,
            mocapid: None,
            has_children: false,
            contype: 0,
            conaffinity: 0,
            margin: 0.0,
        });
        flat.geoms.append(&mut geoms);
        Ok(())
    }

    fn geoms(&self, fixed: bool) -> Result<Vec<FlatGeom>> {
        let (source, compiler) = (self.node.body, self.compiler());
        let from_geoms = !source.explicitinertial || compiler.inertiafromgeom == InertiaFromGeom::True;
        let [low, high] = compiler.inertiagrouprange;
        let groups = (self.id > 0 && from_geoms).then_some(low..=high);
        let owner = Owner { id: self.id, fixed, frames: self.own, groups };
        gather(source.geoms.iter().map(|g| geom::resolve(g, &owner, self.scope)))
    }

    /// Computes inertial frame, mass and inertia.
    fn set_inertia(&self, body: &mut Body, geoms: &[FlatGeom]) -> Result<()> {
        let compiler = self.compiler();
        let undefined = body.ipos.is_none();
        let from_geoms = match compiler.inertiafromgeom {
            InertiaFromGeom::True => true,
            InertiaFromGeom::Auto => undefined,
            InertiaFromGeom::False => false,
        };
        if self.id > 0 && from_geoms {
            inertia::from_geoms(body, geoms, compiler)?;
        }
        // geoms at infinite positions give a NaN centre of mass
        if body.ipos.is_none_or(|p| p[0].is_nan()) {
            (body.ipos, body.iquat) = (Some(body.pos), body.quat);
        }
        if self.id > 0 {
            inertia::bound(body, compiler)?;
        }
        Ok(())
    }

    /// Moves the frame of a free body to its inertial frame if requested. Returns the pose of the old frame in the new
    /// one.
    fn align(&self, body: &mut Body) -> Option<Pose> {
        let source = self.node.body;
        let [Joint { kind: JointType::Free, align, .. }] = source.joints[..] else { return None };
        let wanted = align == AlignFree::True || (align == AlignFree::Auto && self.compiler().alignfree);
        if !wanted || !source.bodies.is_empty() {
            return None;
        }
        let inertial = Pose::new(body.com(), body.iquat);
        let pose = Pose::new(body.pos, body.quat).then(&inertial);
        (body.pos, body.quat) = (pose.pos, pose.quat);
        (body.ipos, body.iquat) = (Some([0.0; 3]), quat::IDENTITY);
        Some(inertial.inverse())
    }

    fn add_joints(&self, body: &Body, flat: &mut Flat) -> Result<()> {
        let source = self.node.body;
        let (mut dofs, mut ball) = (0, false);
        for j in &source.joints {
            let compiler = &self.spec().compilers[j.meta.compiler];
            let spec = joint::resolve(j, self.own, compiler, self.users.jnt)?;
            let here = |message: &str| Error::invalid(message).at(j.meta.loc).element("joint");
            dofs += joint::nv(spec.kind);
            if dofs > 6 {
                return Err(here("the joints of a body have more than 6 degrees of freedom together"));
            }
            if ball && matches!(spec.kind, JointType::Ball | JointType::Hinge) {
                return Err(here("no rotation may follow a ball joint in the same body"));
            }
            ball |= spec.kind == JointType::Ball;
            flat.joints.push(FlatJoint { spec, body: self.id, qposadr: 0, dofadr: 0 });
        }
        if body.mocap && (dofs > 0 || self.node.parent != 0) {
            let error = Error::invalid("a mocap body must be a child of the world and have no joints");
            return Err(error.attribute(attr::MOCAP));
        }
        Ok(())
    }

    /// Adds sites, cameras and lights.
    fn add_placed(&self, align: &Option<Pose>, flat: &mut Flat) -> Result<()> {
        let source = self.node.body;
        for s in &source.sites {
            let compiler = &self.spec().compilers[s.meta.compiler];
            let mut spec = site::resolve(s, self.own, compiler, self.users.site)?;
            shift(align, &mut spec.pos, &mut spec.quat);
            flat.sites.push(FlatSite { spec, body: self.id, matid: None });
        }
        // MuJoCo compiles cameras and lights again after fusing, which undoes the shift
        let align = align.filter(|_| !self.spec().compilers[0].fusestatic);
        for c in &source.cameras {
            let mut c = camera::resolve(c, self.id, self.own, self.spec(), self.users.cam)?;
            shift(&align, &mut c.spec.pos, &mut c.spec.quat);
            flat.cameras.push(c);
        }
        for l in &source.lights {
            let mut l = light::resolve(l, self.id, self.own)?;
            if let Some(back) = &align {
                l.spec.pos = back.point(l.spec.pos);
                l.spec.dir = quat::rotate(back.quat, l.spec.dir);
            }
            flat.lights.push(l);
        }
        Ok(())
    }
}

/// Re-expresses a pose after the frame of its body has moved.
fn shift(back: &Option<Pose>, pos: &mut [f64; 3], quat: &mut [f64; 4]) {
    if let Some(back) = back {
        let pose = back.then(&Pose::new(*pos, *quat));
        (*pos, *quat) = (pose.pos, pose.quat);
    }
}

/// Resolves the orientations of the body and of its inertial frame.
fn orient(body: &mut Body, compiler: &Compiler) -> Result<()> {
    unit(&mut body.quat);
    unit(&mut body.iquat);
    body.quat = orientation(body.quat, &body.alt, compiler)?;
    let place = |e: Error| e.at(body.meta.loc).element("inertial");
    if let Some(full) = body.fullinertia {
        if body.ialt != Orientation::Quat {
            return Err(place(Error::invalid("a full inertia has its own orientation; give one or the other")));
        }
        if body.inertia != [0.0; 3] {
            return Err(place(Error::invalid("give either a full or a diagonal inertia").attribute(attr::FULLINERTIA)));
        }
        let axes = inertia::diagonalize(full).map_err(|e| place(e.attribute(attr::FULLINERTIA)))?;
        if let Some(p) = axes {
            (body.iquat, body.inertia) = (p.quat, p.values);
        }
    }
    body.iquat = orientation(body.iquat, &body.ialt, compiler).map_err(place)?;
    Ok(())
}

/// Collects the contact masks and the largest margin of each body's geoms.
pub(crate) fn collect_masks(flat: &mut Flat) {
    for body in &mut flat.bodies {
        let geoms = &flat.geoms[body.geoms.clone()];
        body.contype = geoms.iter().fold(0, |bits, g| bits | g.spec.contype);
        body.conaffinity = geoms.iter().fold(0, |bits, g| bits | g.spec.conaffinity);
        body.margin = geoms.iter().fold(0.0, |margin, g| g.spec.margin.max(margin));
    }
}

/// Checks that need the final tree.
pub(crate) fn check(flat: &Flat) -> Result<()> {
    gather((1..flat.bodies.len()).map(|id| check_one(flat, id))).map(drop)
}

fn check_one(flat: &Flat, id: usize) -> Result<()> {
    let body = &flat.bodies[id];
    let here = |message: &str| Error::invalid(message).at(body.spec.meta.loc).element("body");
    let joints = &flat.joints[body.joints.clone()];
    if joints.iter().any(|j| j.spec.kind == JointType::Free) {
        if joints.len() > 1 {
            return Err(here("a free joint must be the only joint of its body"));
        }
        if body.parent != 0 {
            return Err(here("a free joint is only allowed in children of the world"));
        }
    }
    if !joints.is_empty() && !has_inertia(flat, id) {
        let error = here("the mass and inertia of a moving body must be positive");
        return Err(error.hint("add a geom with mass, or an 'inertial' element"));
    }
    Ok(())
}

/// Whether a body, or something welded to it, has mass and inertia.
fn has_inertia(flat: &Flat, moving: usize) -> bool {
    use sinew_math::MINVAL;
    // descendants follow their ancestor, so the welded group ends at the first body outside its subtree
    flat.bodies[moving..]
        .iter()
        .enumerate()
        .take_while(|(k, b)| *k == 0 || b.parent >= moving)
        .filter(|(_, b)| b.weld == moving)
        .any(|(_, b)| b.spec.mass >= MINVAL && b.spec.inertia.iter().all(|&x| x >= MINVAL))
}

/// Writes the body arrays.
pub(crate) fn fill(flat: &Flat, m: &mut Model) {
    let start = |r: &std::ops::Range<usize>| if r.is_empty() { -1 } else { r.start as i32 };
    for (i, body) in flat.bodies.iter().enumerate() {
        let b = &body.spec;
        m.body_parentid[i] = body.parent as i32;
        m.body_rootid[i] = body.root as i32;
        m.body_weldid[i] = body.weld as i32;
        m.body_mocapid[i] = id_or_none(body.mocapid);
        m.body_jntnum[i] = body.joints.len() as i32;
        m.body_jntadr[i] = start(&body.joints);
        m.body_dofnum[i] = body.dofs.len() as i32;
        m.body_dofadr[i] = start(&body.dofs);
        m.body_geomnum[i] = body.geoms.len() as i32;
        m.body_geomadr[i] = start(&body.geoms);
        m.body_sameframe[i] = same_frame(&Pose::new(b.com(), b.iquat), None);
        m.body_pos[i] = b.pos;
        m.body_quat[i] = b.quat;
        m.body_ipos[i] = b.com();
        m.body_iquat[i] = b.iquat;
        m.body_mass[i] = b.mass;
        m.body_inertia[i] = b.inertia;
        m.body_gravcomp[i] = b.gravcomp;
        m.body_margin[i] = body.margin;
        m.body_contype[i] = body.contype;
        m.body_conaffinity[i] = body.conaffinity;
    }
    let width = m.nuser_body;
    fill_user(&mut m.body_user, width, flat.bodies.iter().map(|b| &b.spec.userdata[..]));
}
