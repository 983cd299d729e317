//! Name spaces: how the names and references of a copied element change.

use super::names::Names;
use super::{
    Actuator, Body, Camera, Equality, Exclude, Frame, Geom, HField, Joint, Light, Loc, Material, Mesh, Meta, Numeric,
    Pair, Sensor, Site, Skin, Tendon, Text, Texture, Tuple, Wrap,
};
use sinew_engine::model::enums::{EqType, ObjType, TrnType};

/// What a copied element's names get in front and behind, and where it comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space<'a> {
    /// In front.
    pub prefix: &'a str,
    /// Behind.
    pub suffix: &'a str,
    /// Set when the copy crosses from one model to another.
    pub foreign: Option<Foreign>,
}

/// Indices of the other model in terms of this one.
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

    /// Renames what is named at all.
    fn name(&self, name: &mut String) {
        if !name.is_empty() {
            *name = self.wrap(name);
        }
    }

    /// Renames a reference to something that is only copied between models: assets and classes.
    fn shared(&self, name: &mut String) {
        if self.foreign.is_some() {
            self.name(name);
        }
    }

    fn meta(&self, meta: &mut Meta) {
        self.name(&mut meta.name);
        if meta.class != "main" {
            self.shared(&mut meta.class);
        }
        if let Some(foreign) = &self.foreign {
            meta.compiler = foreign.compilers.get(meta.compiler).copied().unwrap_or(0);
        }
        self.loc(&mut meta.loc);
    }

    /// Makes a place point into the file table of the model that the element comes to.
    pub(super) fn loc(&self, loc: &mut Loc) {
        if let Some(foreign) = &self.foreign {
            loc.file = foreign.files.get(loc.file as usize).copied().unwrap_or(0);
        }
    }

    /// An asset without a name is called after its file.
    fn asset(&self, meta: &mut Meta, file: &str) {
        if meta.name.is_empty() {
            meta.name = file_stem(file).to_string();
        }
        self.meta(meta);
    }

    /// Renames two references of one kind; one of them may stay outside the name space.
    fn either(&self, names: &Names, kind: ObjType, a: &mut String, b: &mut String) -> bool {
        let (wrapped_a, wrapped_b) = (self.wrap(a), self.wrap(b));
        let found = (names.has(kind, &wrapped_a), names.has(kind, &wrapped_b));
        if found.0 {
            *a = wrapped_a;
        }
        if found.1 {
            *b = wrapped_b;
        }
        match found {
            (true, true) => true,
            (false, true) => names.has(kind, a),
            (true, false) => names.has(kind, b),
            (false, false) => false,
        }
    }
}

/// File name without directories and without its last extension.
pub(crate) fn file_stem(file: &str) -> &str {
    let name = &file[file.rfind(['/', '\\']).map_or(0, |i| i + 1)..];
    &name[..name.rfind('.').unwrap_or(name.len())]
}

/// Elements whose copies always come along.
pub(crate) trait Rename {
    /// Moves names and references into the name space.
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
        space.shared(&mut self.hfield);
        space.shared(&mut self.mesh);
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
        self.frames.iter_mut().for_each(|e| e.rename(space));
        self.joints.iter_mut().for_each(|e| e.rename(space));
        self.geoms.iter_mut().for_each(|e| e.rename(space));
        self.sites.iter_mut().for_each(|e| e.rename(space));
        self.cameras.iter_mut().for_each(|e| e.rename(space));
        self.lights.iter_mut().for_each(|e| e.rename(space));
        self.bodies.iter_mut().for_each(|e| e.rename(space));
    }
}

/// Elements outside the tree: a copy comes along when what it refers to is there.
pub(crate) trait Follow: Clone {
    /// Kind, for the register of names.
    const KIND: ObjType;
    /// The element's name.
    fn label(&self) -> &str;
    /// Moves names and references into the name space; false when a reference leads nowhere.
    fn follow(&mut self, space: &Space, names: &Names) -> bool;
}

macro_rules! follow {
    ($type:ident $kind:ident, |$this:ident, $space:ident, $names:ident| $body:expr) => {
        impl Follow for $type {
            const KIND: ObjType = ObjType::$kind;
            fn label(&self) -> &str {
                &self.meta.name
            }
            fn follow(&mut self, $space: &Space, $names: &Names) -> bool {
                let $this = self;
                $body
            }
        }
    };
}

follow!(Mesh Mesh, |e, space, _names| {
    let file = e.file.clone();
    space.asset(&mut e.meta, &file);
    true
});

follow!(HField Hfield, |e, space, _names| {
    let file = e.file.clone();
    space.asset(&mut e.meta, &file);
    true
});

follow!(Texture Texture, |e, space, _names| {
    let file = e.file.clone();
    space.asset(&mut e.meta, &file);
    true
});

follow!(Skin Skin, |e, space, names| {
    // MuJoCo renames the bones of a skin, not the skin itself
    let name = if e.meta.name.is_empty() { file_stem(&e.file).to_string() } else { e.meta.name.clone() };
    space.meta(&mut e.meta);
    e.meta.name = name;
    e.bones.iter_mut().all(|bone| {
        bone.body = space.wrap(&bone.body);
        names.has(ObjType::Body, &bone.body)
    })
});

follow!(Material Material, |e, space, _names| {
    space.meta(&mut e.meta);
    e.textures.iter_mut().for_each(|texture| space.name(texture));
    true
});

follow!(Numeric Numeric, |e, space, _names| {
    space.meta(&mut e.meta);
    true
});

follow!(Text Text, |e, space, _names| {
    space.meta(&mut e.meta);
    true
});

follow!(Pair Pair, |e, space, names| {
    space.meta(&mut e.meta);
    space.either(names, ObjType::Geom, &mut e.geom1, &mut e.geom2)
});

follow!(Exclude Exclude, |e, space, names| {
    space.meta(&mut e.meta);
    space.either(names, ObjType::Body, &mut e.body1, &mut e.body2)
});

follow!(Tendon Tendon, |e, space, names| {
    space.meta(&mut e.meta);
    let mut moved = false;
    for (wrap, loc) in &mut e.path {
        space.loc(loc);
        if let Wrap::Pulley { divisor } = wrap {
            if *divisor < 0.0 {
                return false;
            }
            continue;
        }
        let mut inside = wrap.clone();
        inside.rename(space);
        if inside.found(names) {
            *wrap = inside;
            moved = true;
        } else if !wrap.found(names) {
            return false;
        }
    }
    moved
});

follow!(Equality Equality, |e, space, names| {
    space.meta(&mut e.meta);
    space.name(&mut e.name1);
    space.name(&mut e.name2);
    let kind = match e.kind {
        EqType::Connect | EqType::Weld => e.objtype,
        EqType::Joint => ObjType::Joint,
        EqType::Tendon => ObjType::Tendon,
        _ => ObjType::Flex,
    };
    let other = if e.name2.is_empty() && kind == ObjType::Body { "world" } else { &e.name2 };
    names.has(kind, &e.name1) && (e.name2.is_empty() || names.has(kind, &e.name2)) && e.name1 != other
});

follow!(Actuator Actuator, |e, space, names| {
    space.meta(&mut e.meta);
    space.name(&mut e.target);
    space.name(&mut e.refsite);
    space.name(&mut e.slidersite);
    match e.trntype {
        TrnType::Joint | TrnType::Jointinparent => names.has(ObjType::Joint, &e.target),
        TrnType::Tendon => names.has(ObjType::Tendon, &e.target),
        TrnType::Body => names.has(ObjType::Body, &e.target),
        TrnType::Site => {
            (e.refsite.is_empty() || names.has(ObjType::Site, &e.refsite)) && names.has(ObjType::Site, &e.target)
        }
        TrnType::Slidercrank => {
            e.cranklength > 0.0 && names.has(ObjType::Site, &e.slidersite) && names.has(ObjType::Site, &e.target)
        }
        _ => false,
    }
});

follow!(Sensor Sensor, |e, space, names| {
    space.meta(&mut e.meta);
    let has = |kind: ObjType, name: &str| names.has(kind, name);
    let (object, reference) = (space.wrap(&e.objname), space.wrap(&e.refname));
    let wanted = (e.objtype != ObjType::Unknown, e.reftype != ObjType::Unknown);
    let found = (wanted.0 && has(e.objtype, &object), wanted.1 && has(e.reftype, &reference));
    if found.0 {
        e.objname = object;
    }
    if found.1 {
        e.refname = reference;
    }
    match (wanted, found) {
        ((true, true), (false, true)) => has(e.objtype, &e.objname),
        ((true, true), (true, false)) => has(e.reftype, &e.refname),
        _ => wanted == found,
    }
});

follow!(Tuple Tuple, |e, space, names| {
    space.meta(&mut e.meta);
    e.entries.iter_mut().for_each(|entry| entry.objname = space.wrap(&entry.objname));
    !e.entries.is_empty() && e.entries.iter().all(|entry| names.has(entry.objtype, &entry.objname))
});

impl Wrap {
    /// Moves the references of a path element into the name space.
    fn rename(&mut self, space: &Space) {
        match self {
            Wrap::Joint { joint, .. } => *joint = space.wrap(joint),
            Wrap::Site { site } => *site = space.wrap(site),
            // an absent side site is renamed too: as in MuJoCo, such a geom stays outside the name space
            Wrap::Geom { geom, sidesite } => {
                *geom = space.wrap(geom);
                *sidesite = space.wrap(sidesite);
            }
            Wrap::Pulley { .. } => {}
        }
    }

    /// Do the references lead somewhere?
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
