//! Name spaces: how the names and references of copied elements change.

use super::names::Names;
use super::{
    Actuator, Body, Camera, Equality, Exclude, Flex, Frame, Geom, HField, Id, Joint, Light, Loc, Material, Mesh, Meta,
    Numeric, Pair, PluginUse, Sensor, Site, Skin, Tendon, Text, Texture, Tuple, Wrap,
};
use sinew_engine::model::enums::{EqType, ObjType, TrnType};

/// Prefix and suffix for the names of copied elements, and the model they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space<'a> {
    /// Prefix.
    pub prefix: &'a str,
    /// Suffix.
    pub suffix: &'a str,
    /// Set when the copy goes from one model to another.
    pub foreign: Option<Foreign>,
}

/// Maps indices of the other model to this one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreign {
    /// New index of each compiler setting.
    pub compilers: Vec<usize>,
    /// New index of each file.
    pub files: Vec<u32>,
}

impl Space<'_> {
    fn wrap(&self, name: &str) -> String {
        [self.prefix, name, self.suffix].concat()
    }

    /// Renames a name; an empty one stays empty.
    pub(super) fn name(&self, name: &mut String) {
        if !name.is_empty() {
            *name = self.wrap(name);
        }
    }

    /// Renames a reference to something that is copied only between models: assets and classes.
    fn shared(&self, name: &mut String) {
        if self.foreign.is_some() {
            self.name(name);
        }
    }

    pub(super) fn meta(&self, meta: &mut Meta) {
        // the copy is a new element
        meta.id = Id::default();
        self.name(&mut meta.name);
        if let Some(foreign) = &self.foreign {
            // the root class of another model becomes an ordinary class of this one
            let class = if meta.class.is_empty() { "main" } else { &meta.class };
            meta.class = self.wrap(class);
            meta.compiler = foreign.compilers.get(meta.compiler).copied().unwrap_or(0);
        }
        self.loc(&mut meta.loc);
    }

    /// Redirects a source position to the file table of the target model.
    pub(super) fn loc(&self, loc: &mut Loc) {
        if let Some(foreign) = &self.foreign
            && !loc.is_made()
        {
            loc.file = foreign.files.get(loc.file as usize).copied().unwrap_or(0);
        }
    }

    fn moved(&self, meta: &Meta) -> Meta {
        let mut meta = meta.clone();
        self.meta(&mut meta);
        meta
    }

    /// Names an unnamed asset after its file.
    fn asset(&self, meta: &Meta, file: &str) -> Meta {
        let mut meta = meta.clone();
        if meta.name.is_empty() {
            meta.name = file_stem(file).to_string();
        }
        self.meta(&mut meta);
        meta
    }

    /// A name in the name space, if such an element exists.
    fn find(&self, names: &Names, kind: ObjType, name: &str) -> Option<String> {
        let wrapped = if name.is_empty() { String::new() } else { self.wrap(name) };
        names.has(kind, &wrapped).then_some(wrapped)
    }

    /// Two references of one kind; one of them may stay outside the name space.
    fn find_both(&self, names: &Names, kind: ObjType, a: &str, b: &str) -> Option<(String, String)> {
        let outside = |name: &str| names.has(kind, name).then(|| name.to_string());
        match (self.find(names, kind, a), self.find(names, kind, b)) {
            (None, None) => None,
            (inner_a, inner_b) => Some((inner_a.or_else(|| outside(a))?, inner_b.or_else(|| outside(b))?)),
        }
    }
}

/// File name without directories and without its last extension.
pub(crate) fn file_stem(file: &str) -> &str {
    let name = &file[file.rfind(['/', '\\']).map_or(0, |i| i + 1)..];
    &name[..name.rfind('.').unwrap_or(name.len())]
}

/// Elements that are always copied.
pub(crate) trait Rename {
    /// Rewrites names and references to the name space.
    fn rename(&mut self, space: &Space);
}

impl Rename for Frame {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
        if self.childclass != "main" {
            space.shared(&mut self.childclass);
        }
    }
}

impl Rename for Joint {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
    }
}

impl Rename for Geom {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
        space.shared(&mut self.material);
        space.shared(&mut self.hfieldname);
        space.shared(&mut self.meshname);
        self.plugin.iter_mut().for_each(|plugin| plugin.rename(space));
    }
}

impl Rename for Site {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
        space.shared(&mut self.material);
    }
}

impl Rename for Camera {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
        space.name(&mut self.targetbody);
    }
}

impl Rename for Light {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
        space.name(&mut self.targetbody);
        space.name(&mut self.texture);
    }
}

impl Rename for Body {
    fn rename(&mut self, space: &Space) {
        space.meta(&mut self.meta);
        if self.childclass != "main" {
            space.shared(&mut self.childclass);
        }
        self.plugin.iter_mut().for_each(|plugin| plugin.rename(space));
        self.frames.iter_mut().for_each(|e| e.rename(space));
        self.joints.iter_mut().for_each(|e| e.rename(space));
        self.geoms.iter_mut().for_each(|e| e.rename(space));
        self.sites.iter_mut().for_each(|e| e.rename(space));
        self.cameras.iter_mut().for_each(|e| e.rename(space));
        self.lights.iter_mut().for_each(|e| e.rename(space));
        self.bodies.iter_mut().for_each(|e| e.rename(space));
    }
}

/// Elements outside the tree; they are copied if what they refer to exists.
pub(crate) trait Follow: Sized {
    /// Kind, for the register of names.
    const KIND: ObjType;
    /// The element's name.
    fn label(&self) -> &str;
    /// A copy with names and references in the name space; `None` when a reference cannot be resolved. References are
    /// looked up before anything is copied, because most elements follow only a few copies of a template.
    fn follow(&self, space: &Space, names: &Names) -> Option<Self>;
}

macro_rules! follow {
    ($type:ident $kind:ident, |$this:ident, $space:ident, $names:ident| $body:expr) => {
        impl Follow for $type {
            const KIND: ObjType = ObjType::$kind;
            fn label(&self) -> &str {
                &self.meta.name
            }
            fn follow(&self, $space: &Space, $names: &Names) -> Option<Self> {
                let $this = self;
                $body
            }
        }
    };
}

follow!(Mesh Mesh, |e, space, _names| {
    let plugin = PluginUse::moved(&e.plugin, space);
    Some(Mesh { meta: space.asset(&e.meta, &e.file), plugin, ..e.clone() })
});

follow!(HField Hfield, |e, space, _names| Some(HField { meta: space.asset(&e.meta, &e.file), ..e.clone() }));

follow!(Texture Texture, |e, space, _names| Some(Texture { meta: space.asset(&e.meta, &e.file), ..e.clone() }));

follow!(Skin Skin, |e, space, names| {
    let mut skin = Skin { meta: space.asset(&e.meta, &e.file), ..e.clone() };
    // MuJoCo renames the bones of a skin, but not the skin itself
    skin.meta.name = if e.meta.name.is_empty() { file_stem(&e.file).into() } else { e.meta.name.clone() };
    for bone in &mut skin.bones {
        bone.body = space.find(names, ObjType::Body, &bone.body)?;
    }
    Some(skin)
});

follow!(Material Material, |e, space, _names| {
    let mut material = Material { meta: space.moved(&e.meta), ..e.clone() };
    material.textures.iter_mut().for_each(|texture| space.name(texture));
    Some(material)
});

follow!(Numeric Numeric, |e, space, _names| Some(Numeric { meta: space.moved(&e.meta), ..e.clone() }));

// a `sinew:` text keeps its kind and follows the element it is about; settings of a whole model stay with that model
follow!(Text Text, |e, space, _names| {
    let mut meta = space.moved(&e.meta);
    if let Some(rest) = e.meta.name.strip_prefix("sinew:") {
        let (kind, target) = rest.split_once(':')?;
        let (element, index) = match (kind, target.rsplit_once(':')) {
            // a flex keeps its name
            ("bending" | "elasticity", _) => return Some(Text { meta: Meta { name: e.meta.name.clone(), ..meta }, ..e.clone() }),
            ("pulley", Some((element, index))) => (element, format!(":{index}")),
            _ => (target, String::new()),
        };
        meta.name = format!("sinew:{kind}:{}{index}", space.wrap(element));
    }
    Some(Text { meta, ..e.clone() })
});

follow!(Pair Pair, |e, space, names| {
    let (geomname1, geomname2) = space.find_both(names, ObjType::Geom, &e.geomname1, &e.geomname2)?;
    Some(Pair { meta: space.moved(&e.meta), geomname1, geomname2, ..e.clone() })
});

follow!(Flex Flex, |e, space, names| {
    let find = |bodies: &[String]| bodies.iter().map(|b| space.find(names, ObjType::Body, b)).collect();
    let (vertbody, nodebody): (Option<_>, Option<_>) = (find(&e.vertbody), find(&e.nodebody));
    // MuJoCo renames the bodies of a flex, but not the flex itself, so equalities do not find it under the new name
    let meta = Meta { name: e.meta.name.clone(), ..space.moved(&e.meta) };
    let mut flex = Flex { meta, vertbody: vertbody?, nodebody: nodebody?, ..e.clone() };
    space.shared(&mut flex.material);
    Some(flex)
});

follow!(Exclude Exclude, |e, space, names| {
    let (bodyname1, bodyname2) = space.find_both(names, ObjType::Body, &e.bodyname1, &e.bodyname2)?;
    Some(Exclude { meta: space.moved(&e.meta), bodyname1, bodyname2 })
});

follow!(Tendon Tendon, |e, space, names| {
    let mut path = e.path.clone();
    let mut moved = false;
    for (wrap, loc) in &mut path {
        space.loc(loc);
        if let Wrap::Pulley { divisor } = wrap {
            if *divisor < 0.0 {
                return None;
            }
            continue;
        }
        let mut inside = wrap.clone();
        inside.rename(space);
        if inside.found(names) {
            *wrap = inside;
            moved = true;
        } else if !wrap.found(names) {
            return None;
        }
    }
    moved.then(|| Tendon { meta: space.moved(&e.meta), path, ..e.clone() })
});

follow!(Equality Equality, |e, space, names| {
    let kind = match e.kind {
        EqType::Connect | EqType::Weld => e.objtype,
        EqType::Joint => ObjType::Joint,
        EqType::Tendon => ObjType::Tendon,
        _ => ObjType::Flex,
    };
    let name1 = space.find(names, kind, &e.name1)?;
    let name2 = if e.name2.is_empty() { String::new() } else { space.find(names, kind, &e.name2)? };
    let other = if name2.is_empty() && kind == ObjType::Body { "world" } else { &name2 };
    (name1 != other).then(|| Equality { meta: space.moved(&e.meta), name1, name2, ..e.clone() })
});

follow!(Actuator Actuator, |e, space, names| {
    let (mut refsite, mut slidersite) = (e.refsite.clone(), e.slidersite.clone());
    space.name(&mut refsite);
    space.name(&mut slidersite);
    let (kind, complete) = match e.trntype {
        TrnType::Joint | TrnType::Jointinparent => (ObjType::Joint, true),
        TrnType::Tendon => (ObjType::Tendon, true),
        TrnType::Body => (ObjType::Body, true),
        TrnType::Site => (ObjType::Site, refsite.is_empty() || names.has(ObjType::Site, &refsite)),
        TrnType::Slidercrank => (ObjType::Site, e.cranklength > 0.0 && names.has(ObjType::Site, &slidersite)),
        _ => return None,
    };
    let target = space.find(names, kind, &e.target).filter(|_| complete)?;
    let plugin = PluginUse::moved(&e.plugin, space);
    Some(Actuator { meta: space.moved(&e.meta), plugin, target, refsite, slidersite, ..e.clone() })
});

follow!(Sensor Sensor, |e, space, names| {
    let wanted = |kind: ObjType| kind != ObjType::Unknown;
    let inside = |kind: ObjType, name: &str| space.find(names, kind, name).filter(|_| wanted(kind));
    let outside = |kind: ObjType, name: &str| names.has(kind, name).then(|| name.to_string());
    let (objname, refname) = match (inside(e.objtype, &e.objname), inside(e.reftype, &e.refname)) {
        (Some(object), Some(reference)) => (object, reference),
        (Some(object), None) if !wanted(e.reftype) => (object, e.refname.clone()),
        (None, Some(reference)) if !wanted(e.objtype) => (e.objname.clone(), reference),
        // one of the two may stay outside the name space
        (Some(object), None) => (object, outside(e.reftype, &e.refname)?),
        (None, Some(reference)) => (outside(e.objtype, &e.objname)?, reference),
        (None, None) if !wanted(e.objtype) && !wanted(e.reftype) => (e.objname.clone(), e.refname.clone()),
        (None, None) => return None,
    };
    let plugin = PluginUse::moved(&e.plugin, space);
    Some(Sensor { meta: space.moved(&e.meta), plugin, objname, refname, ..e.clone() })
});

follow!(Tuple Tuple, |e, space, names| {
    let objname: Option<Vec<String>> = e.objects().map(|(kind, name, _)| space.find(names, kind, name)).collect();
    let objname = objname.filter(|list| !list.is_empty())?;
    Some(Tuple { meta: space.moved(&e.meta), objname, ..e.clone() })
});

impl Wrap {
    /// Rewrites the references of a path element to the name space.
    fn rename(&mut self, space: &Space) {
        match self {
            Wrap::Joint { joint, .. } => *joint = space.wrap(joint),
            Wrap::Site { site } => *site = space.wrap(site),
            // a missing side site is renamed too: as in MuJoCo, such a geom stays outside the name space
            Wrap::Geom { geom, sidesite } => {
                *geom = space.wrap(geom);
                *sidesite = space.wrap(sidesite);
            }
            Wrap::Pulley { .. } => {}
        }
    }

    /// Whether the references can be resolved.
    fn found(&self, names: &Names) -> bool {
        match self {
            Wrap::Joint { joint, .. } => names.has(ObjType::Joint, joint),
            Wrap::Site { site } => names.has(ObjType::Site, site),
            Wrap::Geom { geom, sidesite } => {
                names.has(ObjType::Geom, geom) && (sidesite.is_empty() || names.has(ObjType::Site, sidesite))
            }
            Wrap::Pulley { .. } => true,
        }
    }
}
