//! `worldbody`: bodies, frames and their contents.

use super::{Reader, element};
use crate::compile::frames;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Item, attr};
use crate::spec::attach::{self, Part};
use crate::spec::{
    Body, Camera, Equality, Frame, Geom, Inertial, Joint, Light, Loc, Meta, Orientation, Replicate, Site,
};
use sinew_engine::model::enums::{EqType, JointType, ObjType};

/// Where an element of the tree belongs, besides the body at [`Reader::path`].
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Innermost frame, as index into the body's list.
    pub(super) frame: Option<usize>,
    /// Default class of elements that set none.
    pub(super) class: usize,
    /// Whether the body is the world.
    world: bool,
}

impl Reader<'_, '_> {
    pub(super) fn worldbody(&mut self, section: &Item) -> Result<()> {
        self.spec.world.meta.loc = section.loc;
        self.content(section, Place { frame: None, class: 0, world: true })
    }

    /// Reads the children of a body or of a frame in it.
    fn content(&mut self, section: &Item, place: Place) -> Result<()> {
        self.each(section, |r, item| {
            let class = r.class_of(item, attr::CLASS, place.class)?;
            match item.name {
                "inertial" => r.inertial(item, place),
                "joint" => r.joint(item, place, class),
                "freejoint" => r.freejoint(item, place, class),
                "geom" => r.geom(item, place, class),
                "site" => r.site(item, place, class),
                "camera" => r.camera(item, place, class),
                "light" => r.light(item, place, class),
                "body" => r.body(item, place, class),
                "frame" => r.frame(item, place, class),
                "replicate" => r.replicate(item, place, class),
                "attach" => r.attach(item, place),
                "composite" => r.composite(item, place),
                "flexcomp" => r.flexcomp(item, place),
                _ => r.body_plugin(item),
            }
        })
    }

    /// The current body.
    fn here(&mut self) -> &mut Body {
        self.spec.body_mut(&self.path)
    }

    pub(super) fn tree_meta(&self, item: &Item, class: usize) -> Meta {
        let (name, class) = (item.text(attr::NAME).into(), self.spec.classes.name(class).into());
        Meta { name, class, loc: item.loc, ..Meta::default() }
    }

    fn inertial(&mut self, item: &Item, place: Place) -> Result<()> {
        if place.world {
            return Err(item.invalid("the world body cannot have an inertia").hint("put it in a 'body'"));
        }
        let body = self.here();
        body.explicitinertial = true;
        let mut given = Inertial::default();
        item.read(&mut given);
        let Inertial { mass, ipos, iquat, inertia, fullinertia } = given;
        (body.mass, body.ipos, body.iquat, body.inertia, body.fullinertia) = (mass, ipos, iquat, inertia, fullinertia);
        let oriented = element::orientation(item, &body.iquat, &mut body.ialt)?;
        if body.fullinertia.is_some() && oriented {
            let error = item.invalid("fullinertia and an orientation cannot both be given");
            return Err(error.hint("the frame follows from fullinertia; remove the orientation"));
        }
        Ok(())
    }

    fn joint(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        no_world(item, place)?;
        let meta = self.tree_meta(item, class);
        let mut joint = Joint { meta, frame: place.frame, ..self.spec.classes[class].defaults().joint.clone() };
        item.read(&mut joint);
        self.here().joints.push(joint);
        Ok(())
    }

    /// A free joint takes no values from its class.
    fn freejoint(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        no_world(item, place)?;
        let meta = self.tree_meta(item, class);
        let mut joint = Joint { meta, frame: place.frame, kind: JointType::Free, ..Joint::default() };
        item.read(&mut joint);
        item.set(attr::ALIGN, &mut joint.align);
        self.here().joints.push(joint);
        Ok(())
    }

    fn geom(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut geom = Geom { meta, frame: place.frame, ..self.spec.classes[class].defaults().geom.clone() };
        element::geom(item, &mut geom)?;
        geom.plugin = self.plugin_of(item)?;
        self.here().geoms.push(geom);
        Ok(())
    }

    /// The last `plugin` element wins.
    fn body_plugin(&mut self, item: &Item) -> Result<()> {
        let plugin = self.plugin(item)?;
        self.here().plugin = Some(plugin);
        Ok(())
    }

    fn site(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut site = Site { meta, frame: place.frame, ..self.spec.classes[class].defaults().site.clone() };
        element::site(item, &mut site)?;
        self.here().sites.push(site);
        Ok(())
    }

    fn camera(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut camera = Camera { meta, frame: place.frame, ..self.spec.classes[class].defaults().camera.clone() };
        element::camera(item, &mut camera)?;
        self.here().cameras.push(camera);
        Ok(())
    }

    fn light(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut light = Light { meta, frame: place.frame, ..self.spec.classes[class].defaults().light.clone() };
        element::light(item, &mut light)?;
        self.here().lights.push(light);
        Ok(())
    }

    fn body(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let class = self.class_of(item, attr::CHILDCLASS, class)?;
        let mut body = Body { meta: self.tree_meta(item, class), frame: place.frame, ..Body::default() };
        item.read(&mut body);
        element::orientation(item, &body.quat, &mut body.alt)?;
        self.inside(body, item, Place { frame: None, class, world: false }).map(drop)
    }

    /// Adds a body to the current one and reads its content; returns its index.
    fn inside(&mut self, body: Body, item: &Item, place: Place) -> Result<usize> {
        let bodies = &mut self.here().bodies;
        bodies.push(body);
        let index = bodies.len() - 1;
        self.path.push(index);
        let read = self.content(item, place);
        self.path.pop();
        read.map(|()| index)
    }

    fn frame(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let class = self.class_of(item, attr::CHILDCLASS, class)?;
        let mut frame = Frame { meta: self.tree_meta(item, class), parent: place.frame, ..Frame::default() };
        item.read(&mut frame);
        element::orientation(item, &frame.quat, &mut frame.alt)?;
        let frames = &mut self.here().frames;
        frames.push(frame);
        let frame = Some(frames.len() - 1);
        self.content(item, Place { frame, class, ..place })
    }

    /// Reads the content into a template body, which is then copied and deleted.
    fn replicate(&mut self, item: &Item, place: Place, class: usize) -> Result<()> {
        let class = self.class_of(item, attr::CHILDCLASS, class)?;
        let mut attributes = Replicate::default();
        item.read(&mut attributes);
        template_names(item, &mut attributes.named);
        let meta = self.tree_meta(item, class);
        let root = Frame { meta: meta.clone(), ..Frame::default() };
        let template = Body { meta, frames: vec![root], ..Body::default() };
        let template = self.inside(template, item, Place { frame: Some(0), class, world: false })?;
        if let Some(joint) = self.here().bodies[template].joints.first()
            && place.world
            && attributes.count > 0
        {
            let error = Error::invalid("the world body cannot have joints").at(joint.meta.loc);
            return Err(error.element("joint").hint("put it in a 'body'"));
        }
        let compiler = self.spec.compilers[0].clone();
        let resolve = |angles| frames::orientation([1.0, 0.0, 0.0, 0.0], &Orientation::Euler(angles), &compiler);
        attach::replicate(&mut self.spec, &self.path, template, place.frame, &attributes, resolve)
            .map_err(|e| e.at(item.loc).element("replicate"))
    }

    fn attach(&mut self, item: &Item, place: Place) -> Result<()> {
        let frame = place.frame.unwrap_or_else(|| {
            let frames = &mut self.here().frames;
            frames.push(Frame { meta: Meta { loc: item.loc, ..Meta::default() }, ..Frame::default() });
            frames.len() - 1
        });
        let (model, body, prefix) = (item.text(attr::MODEL), item.text(attr::BODY), item.text(attr::PREFIX));
        // A body that already exists under the new name is only moved into the frame.
        if let Some(mut path) = self.spec.find_body(&format!("{prefix}{body}")) {
            if path.pop().is_none() || path != self.path {
                return Err(item.invalid_at(attr::BODY, "a body of this name already exists elsewhere in the model"));
            }
            let name = format!("{prefix}{body}");
            self.here().bodies.iter_mut().filter(|b| b.meta.name == name).for_each(|b| b.frame = Some(frame));
            return Ok(());
        }
        let unknown = |objtype: &str, name: &str| {
            item.error(ErrorKind::UnknownName { objtype: objtype.into(), name: name.into() }).attribute(objtype)
        };
        let named = self.models.iter_mut().find(|m| m.modelname == model);
        let child = named.ok_or_else(|| unknown("model", model))?;
        let part = match body {
            "" => Part::World,
            _ => Part::Body(child.find_body(body).ok_or_else(|| unknown("body", body))?),
        };
        attach::attach(&mut self.spec, &self.path, frame, child, &part, [prefix, ""])
            .map_err(|e| e.at(item.loc).element("attach"))?;
        let came = |name: &str| self.spec.flexes.iter().any(|flex| flex.meta.name == name);
        let holds_flex = |e: &Equality| matches!(e.kind, EqType::Flex | EqType::Flexvert) && came(&e.name1);
        let dropped = child.equalities.iter().find(|e| holds_flex(e) && !prefix.is_empty());
        if let Some(name) = dropped.map(|e| e.name1.clone()) {
            let message = format!("flex '{name}' keeps its name, so that its equality finds no '{prefix}{name}'");
            let ignored = item.error(ErrorKind::Ignored(message)).attribute(attr::PREFIX).at(item.loc);
            self.warn(ignored.hint("write the equality in this model, or attach with an empty prefix"));
        }
        Ok(())
    }
}

/// Collects the names of the elements of a template. Templates nested in it are already expanded.
fn template_names(item: &Item, names: &mut Vec<(ObjType, String, Loc)>) {
    for child in &item.children {
        let kind = match child.name {
            "joint" | "freejoint" => ObjType::Joint,
            "geom" => ObjType::Geom,
            "site" => ObjType::Site,
            "camera" => ObjType::Camera,
            "light" => ObjType::Light,
            "body" => ObjType::Body,
            "frame" => ObjType::Frame,
            _ => continue,
        };
        names.push((kind, child.text(attr::NAME).into(), child.loc));
        template_names(child, names);
    }
}

fn no_world(item: &Item, place: Place) -> Result<()> {
    if place.world { Err(item.invalid("the world body cannot have joints").hint("put it in a 'body'")) } else { Ok(()) }
}
