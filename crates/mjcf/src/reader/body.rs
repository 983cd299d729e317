//! `worldbody`: bodies, frames and what they hold.

use super::{Reader, element, unsupported};
use crate::error::{Error, Result};
use crate::schema::Item;
use crate::spec::{Body, Camera, Frame, Geom, Joint, Light, Meta, Site};
use sinew_engine::model::enums::JointType;

/// Where an element of the tree stands.
#[derive(Clone, Copy)]
struct Place {
    /// Innermost frame, as index into the body's list.
    frame: Option<usize>,
    /// Default class for elements that name none.
    class: usize,
    /// The body is the world.
    world: bool,
}

impl Reader<'_> {
    pub(super) fn worldbody(&mut self, section: &Item) -> Result<()> {
        let mut world = std::mem::take(&mut self.spec.world);
        world.meta.loc = section.loc;
        let result = self.content(section, &mut world, Place { frame: None, class: 0, world: true });
        self.spec.world = world;
        result
    }

    /// Reads the children of a body or of a frame in it.
    fn content(&mut self, section: &Item, body: &mut Body, place: Place) -> Result<()> {
        for item in &section.children {
            let class = self.classes.of(item, "class", place.class)?;
            match item.name {
                "inertial" => inertial(item, body, place)?,
                "joint" => self.joint(item, body, place, class)?,
                "freejoint" => self.freejoint(item, body, place, class)?,
                "geom" => self.geom(item, body, place, class)?,
                "site" => self.site(item, body, place, class)?,
                "camera" => self.camera(item, body, place, class)?,
                "light" => self.light(item, body, place, class)?,
                "body" => self.body(item, body, place, class)?,
                "frame" => self.frame(item, body, place, class)?,
                "replicate" => return Err(unsupported(item, "replication")),
                "attach" => return Err(unsupported(item, "attachment")),
                "composite" => return Err(unsupported(item, "composite objects")),
                "flexcomp" => return Err(unsupported(item, "deformable bodies")),
                _ => return Err(unsupported(item, "plugins")),
            }
        }
        Ok(())
    }

    fn tree_meta(&self, item: &Item, class: usize) -> Meta {
        Meta {
            name: item.text("name").into(),
            class: self.classes.name(class).into(),
            loc: item.loc,
            ..Meta::default()
        }
    }

    fn joint(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        no_world(item, place)?;
        let meta = self.tree_meta(item, class);
        let mut joint = Joint { meta, frame: place.frame, ..self.classes[class].joint.clone() };
        element::joint(item, &mut joint);
        body.joints.push(joint);
        Ok(())
    }

    /// A free joint takes nothing from its class.
    fn freejoint(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        no_world(item, place)?;
        let meta = self.tree_meta(item, class);
        let mut joint = Joint { meta, frame: place.frame, kind: JointType::Free, ..Joint::default() };
        item.set("group", &mut joint.group);
        item.set("align", &mut joint.align);
        body.joints.push(joint);
        Ok(())
    }

    fn geom(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut geom = Geom { meta, frame: place.frame, ..self.classes[class].geom.clone() };
        element::geom(item, &mut geom)?;
        body.geoms.push(geom);
        Ok(())
    }

    fn site(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut site = Site { meta, frame: place.frame, ..self.classes[class].site.clone() };
        element::site(item, &mut site)?;
        body.sites.push(site);
        Ok(())
    }

    fn camera(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut camera = Camera { meta, frame: place.frame, ..self.classes[class].camera.clone() };
        element::camera(item, &mut camera)?;
        body.cameras.push(camera);
        Ok(())
    }

    fn light(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        let meta = self.tree_meta(item, class);
        let mut light = Light { meta, frame: place.frame, ..self.classes[class].light.clone() };
        element::light(item, &mut light)?;
        body.lights.push(light);
        Ok(())
    }

    fn body(&mut self, item: &Item, parent: &mut Body, place: Place, class: usize) -> Result<()> {
        let class = self.classes.of(item, "childclass", class)?;
        let mut body = Body { meta: self.tree_meta(item, class), frame: place.frame, ..Body::default() };
        item.set("childclass", &mut body.childclass);
        element::pose(item, &mut body.pos, &mut body.quat, &mut body.alt)?;
        item.set("mocap", &mut body.mocap);
        item.set("gravcomp", &mut body.gravcomp);
        item.set("sleep", &mut body.sleep);
        item.set("user", &mut body.userdata);
        self.content(item, &mut body, Place { frame: None, class, world: false })?;
        parent.bodies.push(body);
        Ok(())
    }

    fn frame(&mut self, item: &Item, body: &mut Body, place: Place, class: usize) -> Result<()> {
        let class = self.classes.of(item, "childclass", class)?;
        let mut frame = Frame { meta: self.tree_meta(item, class), parent: place.frame, ..Frame::default() };
        item.set("childclass", &mut frame.childclass);
        element::pose(item, &mut frame.pos, &mut frame.quat, &mut frame.alt)?;
        body.frames.push(frame);
        let frame = Some(body.frames.len() - 1);
        self.content(item, body, Place { frame, class, ..place })
    }
}

fn no_world(item: &Item, place: Place) -> Result<()> {
    if place.world { Err(item.invalid("the world body cannot have joints").hint("put it in a 'body'")) } else { Ok(()) }
}

fn inertial(item: &Item, body: &mut Body, place: Place) -> Result<()> {
    if place.world {
        return Err(item.invalid("the world body cannot have an inertia").hint("put it in a 'body'"));
    }
    body.explicitinertial = true;
    item.set("mass", &mut body.mass);
    item.set("diaginertia", &mut body.inertia);
    let oriented = element::pose(item, &mut body.ipos, &mut body.iquat, &mut body.ialt)?;
    if item.set("fullinertia", &mut body.fullinertia) && oriented {
        let error: Error = item.invalid("fullinertia and an orientation cannot both be given");
        return Err(error.hint("the frame follows from fullinertia; remove the orientation"));
    }
    Ok(())
}
