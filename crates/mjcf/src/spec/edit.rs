//! Editing a model. Elements are addressed by ids that stay valid while other elements are added or deleted.
//!
//! ```
//! use sinew_mjcf::spec::{Geom, Joint, Spec};
//! use sinew_engine::model::enums::ObjType;
//!
//! let mut spec = Spec::default();
//! let arm = spec.add_body(None, "arm")?;
//! spec.body_at(arm)?.joints.push(Joint::named("hinge").with_axis([0.0, 1.0, 0.0]));
//! spec.body_at(arm)?.geoms.push(Geom::named("link").with_size([0.1, 0.0, 0.0]).with_mass(2.0));
//! let link = spec.find(ObjType::Geom, "link")?;
//! spec.delete(link)?;
//! let error = spec.find(ObjType::Joint, "hinges").unwrap_err();
//! assert!(error.to_string().contains("did you mean 'hinge'?"));
//! # Ok::<(), sinew_mjcf::Error>(())
//! ```

use super::field::{Element, Field, Record, Slot, Value};
use super::{Body, Id, Loc, Meta, Spec};
use crate::error::{Error, ErrorKind, Result, nearest};
use sinew_engine::model::enums::ObjType;
use std::collections::HashMap;

/// Where an element is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) kind: ObjType,
    /// Child indices from the world to the body: the element itself, or the body that owns it.
    pub(super) path: Vec<usize>,
    /// Index in the list of its kind; unused for bodies.
    pub(super) index: usize,
}

/// Position of every element at the time of the last lookup.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    places: HashMap<u32, Place>,
    last: u32,
}

/// An element of any kind.
pub trait AnyElement {
    /// Name, class and source position.
    fn meta(&self) -> &Meta;
    /// Name, class and source position.
    fn meta_mut(&mut self) -> &mut Meta;
    /// Reflection of the fields.
    fn fields(&self) -> &'static [Field];
    /// The value of a field.
    fn value(&self, index: usize) -> Value;
    /// Storage of a field.
    fn slot(&mut self, index: usize) -> Option<&mut dyn Slot>;
}

impl<E: Element> AnyElement for E {
    fn meta(&self) -> &Meta {
        Element::meta(self)
    }
    fn meta_mut(&mut self) -> &mut Meta {
        Element::meta_mut(self)
    }
    fn fields(&self) -> &'static [Field] {
        E::FIELDS
    }
    fn value(&self, index: usize) -> Value {
        Record::value(self, index)
    }
    fn slot(&mut self, index: usize) -> Option<&mut dyn Slot> {
        Record::slot(self, index)
    }
}

impl Meta {
    /// Assigns the id. An element made by a program keeps it in its source position too, so that errors identify it.
    fn assign(&mut self, id: Id) {
        self.id = id;
        if self.loc.is_made() {
            self.loc.element = id.0;
        }
    }
}

/// Calls a macro with the element lists of a body and of a model: kind, list, default class.
macro_rules! lists {
    ($do:ident) => {
        $do! {
            tree: Joint joints joint, Geom geoms geom, Site sites site, Camera cameras camera, Light lights light;
            frames: Frame frames;
            classed: Mesh meshes mesh, Material materials material, Pair pairs pair, Equality equalities equality,
                Tendon tendons tendon, Actuator actuators actuator;
            plain: Hfield hfields HField, Skin skins Skin, Flex flexes Flex, Texture textures Texture,
                Exclude excludes Exclude, Sensor sensors Sensor, Numeric numerics Numeric, Text texts Text,
                Tuple tuples Tuple, Plugin plugins PluginInstance, Key keys Key;
        }
    };
}

macro_rules! dispatch {
    (
        tree: $($tk:ident $tf:ident $tc:ident),*; frames: $fk:ident $ff:ident;
        classed: $($ck:ident $cf:ident $cc:ident),*; plain: $($pk:ident $pf:ident $pt:ident),*;
    ) => {
        impl Spec {
            fn at(&mut self, place: &Place) -> Option<&mut dyn AnyElement> {
                let i = place.index;
                match place.kind {
                    $(ObjType::$ck => self.$cf.get_mut(i).map(|e| e as &mut dyn AnyElement),)*
                    $(ObjType::$pk => self.$pf.get_mut(i).map(|e| e as &mut dyn AnyElement),)*
                    kind => {
                        let body = descend(&mut self.world, &place.path)?;
                        match kind {
                            ObjType::Body => Some(body),
                            ObjType::$fk => body.$ff.get_mut(i).map(|e| e as &mut dyn AnyElement),
                            $(ObjType::$tk => body.$tf.get_mut(i).map(|e| e as &mut dyn AnyElement),)*
                            _ => None,
                        }
                    }
                }
            }

            /// Calls `f` with every element of a kind, in the order of the compiled model.
            pub(super) fn visit(&mut self, wanted: ObjType, f: &mut dyn FnMut(&mut Meta, Vec<usize>, usize)) {
                match wanted {
                    $(ObjType::$ck => self.$cf.iter_mut().enumerate().for_each(|(i, e)| f(&mut e.meta, Vec::new(), i)),)*
                    $(ObjType::$pk => self.$pf.iter_mut().enumerate().for_each(|(i, e)| f(&mut e.meta, Vec::new(), i)),)*
                    kind => walk(&mut self.world, &mut Vec::new(), &mut |body, path| match kind {
                        ObjType::Body => f(&mut body.meta, path.to_vec(), 0),
                        ObjType::$fk => body.$ff.iter_mut().enumerate().for_each(|(i, e)| f(&mut e.meta, path.to_vec(), i)),
                        $(ObjType::$tk => {
                            body.$tf.iter_mut().enumerate().for_each(|(i, e)| f(&mut e.meta, path.to_vec(), i));
                        })*
                        _ => {}
                    }),
                }
            }

            /// Adds an element outside the body tree, with the values of a class if its kind has classes.
            ///
            /// # Errors
            /// When elements of this kind belong to bodies, or there is no such class.
            #[track_caller]
            pub fn add(&mut self, kind: ObjType, class: &str) -> Result<Id> {
                let class_id = self.class_id(class)?;
                let meta = Meta { class: self.classes.name(class_id).into(), loc: Loc::caller(), ..Meta::default() };
                match kind {
                    $(ObjType::$ck => {
                        let base = self.classes[class_id].defaults().$cc.clone();
                        self.$cf.push(super::$ck { meta, ..base });
                    })*
                    $(ObjType::$pk => {
                        let meta = Meta { class: String::new(), ..meta };
                        self.$pf.push(super::$pt { meta, ..super::$pt::default() });
                    })*
                    _ => return Err(Error::invalid(format!("{kind:?} elements belong to a body"))),
                }
                Ok(self.newest(kind, &[]))
            }

            /// Adds an element to a body, optionally in one of its frames. Without a class it takes the class of the
            /// body.
            ///
            /// # Errors
            /// When there is no such body, frame or class, or elements of this kind do not belong to bodies.
            #[track_caller]
            pub fn add_to(&mut self, body: Id, frame: Option<Id>, kind: ObjType, class: Option<&str>) -> Result<Id> {
                let path = self.place(body).filter(|p| p.kind == ObjType::Body).ok_or_else(gone)?.path;
                let frame = match frame {
                    Some(id) => Some(self.place(id).filter(|p| p.path == path).ok_or_else(gone)?.index),
                    None => None,
                };
                let own = descend(&mut self.world, &path).ok_or_else(gone)?;
                let inherited = if own.childclass.is_empty() { own.meta.class.clone() } else { own.childclass.clone() };
                let class_id = self.class_id(class.unwrap_or(&inherited))?;
                let meta = Meta { class: self.classes.name(class_id).into(), loc: Loc::caller(), ..Meta::default() };
                let own = descend(&mut self.world, &path).ok_or_else(gone)?;
                match kind {
                    $(ObjType::$tk => {
                        let base = self.classes[class_id].defaults().$tc.clone();
                        own.$tf.push(super::$tk { meta, frame, ..base });
                    })*
                    ObjType::$fk => own.$ff.push(super::$fk { meta, parent: frame, ..super::$fk::default() }),
                    ObjType::Body => own.bodies.push(Body { meta, frame, ..Body::default() }),
                    _ => return Err(Error::invalid(format!("{kind:?} elements do not belong to a body"))),
                }
                Ok(self.newest(kind, &path))
            }

            fn last_meta(&mut self, kind: ObjType, path: &[usize]) -> Option<(&mut Meta, Place)> {
                let listed = |index: usize| Place { kind, path: Vec::new(), index };
                match kind {
                    $(ObjType::$ck => {
                        let index = self.$cf.len().checked_sub(1)?;
                        return Some((&mut self.$cf[index].meta, listed(index)));
                    })*
                    $(ObjType::$pk => {
                        let index = self.$pf.len().checked_sub(1)?;
                        return Some((&mut self.$pf[index].meta, listed(index)));
                    })*
                    _ => {}
                }
                let body = descend(&mut self.world, path)?;
                let owned = |index: usize| Place { kind, path: path.to_vec(), index };
                match kind {
                    ObjType::Body => {
                        let index = body.bodies.len().checked_sub(1)?;
                        let path = [path, &[index]].concat();
                        Some((&mut body.bodies[index].meta, Place { kind, path, index: 0 }))
                    }
                    ObjType::$fk => {
                        let index = body.$ff.len().checked_sub(1)?;
                        Some((&mut body.$ff[index].meta, owned(index)))
                    }
                    $(ObjType::$tk => {
                        let index = body.$tf.len().checked_sub(1)?;
                        Some((&mut body.$tf[index].meta, owned(index)))
                    })*
                    _ => None,
                }
            }

            fn remove(&mut self, place: &Place) -> Option<()> {
                let i = place.index;
                match place.kind {
                    $(ObjType::$ck => drop(self.$cf.remove(i)),)*
                    $(ObjType::$pk => drop(self.$pf.remove(i)),)*
                    ObjType::Body => {
                        let (&last, above) = place.path.split_last()?;
                        let before = super::names::Names::of(self);
                        super::attach::remove_body(self, above, last, &before);
                    }
                    ObjType::$fk => remove_frame(descend(&mut self.world, &place.path)?, i),
                    $(ObjType::$tk => drop(descend(&mut self.world, &place.path)?.$tf.remove(i)),)*
                    _ => return None,
                }
                Some(())
            }

            /// The enclosing frame of an element, as index into the frame list of the owning body.
            fn frame_slot(&mut self, place: &Place) -> Option<&mut Option<usize>> {
                let i = place.index;
                let body = descend(&mut self.world, &place.path)?;
                match place.kind {
                    ObjType::Body => Some(&mut body.frame),
                    ObjType::$fk => body.$ff.get_mut(i).map(|e| &mut e.parent),
                    $(ObjType::$tk => body.$tf.get_mut(i).map(|e| &mut e.frame),)*
                    _ => None,
                }
            }
        }

        /// Removes a frame: elements and frames inside it move to the enclosing frame.
        fn remove_frame(body: &mut Body, frame: usize) {
            let around = body.frames[frame].parent;
            let moved = |at: Option<usize>| match at {
                Some(f) if f == frame => around.map(|a| if a > frame { a - 1 } else { a }),
                Some(f) if f > frame => Some(f - 1),
                other => other,
            };
            body.frames.remove(frame);
            body.frames.iter_mut().for_each(|e| e.parent = moved(e.parent));
            $(body.$tf.iter_mut().for_each(|e| e.frame = moved(e.frame));)*
            body.bodies.iter_mut().for_each(|e| e.frame = moved(e.frame));
        }
    };
}

lists!(dispatch);

/// Kinds of elements; those that belong to bodies come first.
pub const KINDS: [ObjType; 24] = [
    ObjType::Body,
    ObjType::Frame,
    ObjType::Joint,
    ObjType::Geom,
    ObjType::Site,
    ObjType::Camera,
    ObjType::Light,
    ObjType::Mesh,
    ObjType::Material,
    ObjType::Pair,
    ObjType::Equality,
    ObjType::Tendon,
    ObjType::Actuator,
    ObjType::Hfield,
    ObjType::Skin,
    ObjType::Flex,
    ObjType::Texture,
    ObjType::Exclude,
    ObjType::Sensor,
    ObjType::Numeric,
    ObjType::Text,
    ObjType::Tuple,
    ObjType::Plugin,
    ObjType::Key,
];

fn descend<'a>(world: &'a mut Body, path: &[usize]) -> Option<&'a mut Body> {
    path.iter().try_fold(world, |body, &i| body.bodies.get_mut(i))
}

fn walk(body: &mut Body, path: &mut Vec<usize>, f: &mut dyn FnMut(&mut Body, &[usize])) {
    f(body, path);
    for (i, child) in body.bodies.iter_mut().enumerate() {
        path.push(i);
        walk(child, path, f);
        path.pop();
    }
}

pub(super) fn gone() -> Error {
    Error::invalid("there is no such element").hint("it was deleted, or belongs to another model")
}

impl Spec {
    fn class_id(&self, name: &str) -> Result<usize> {
        self.classes.find(name).ok_or_else(|| {
            let kind = ErrorKind::UnknownName { objtype: "default class".into(), name: name.into() };
            let near = nearest(name, self.classes.iter().map(|c| c.name.as_str()));
            near.map_or_else(
                || Error::new(kind.clone()).hint("add it with `classes.add`"),
                |near| Error::new(kind.clone()).hint(format!("did you mean '{near}'?")),
            )
        })
    }

    /// Assigns ids to all elements without one and records the positions of all elements.
    pub(crate) fn number(&mut self) {
        let mut index = std::mem::take(&mut self.index);
        index.places.clear();
        for kind in KINDS {
            self.visit(kind, &mut |meta, path, at| {
                if meta.id.0 == 0 {
                    index.last += 1;
                    meta.assign(Id(index.last));
                }
                index.places.insert(meta.id.0, Place { kind, path, index: at });
            });
        }
        self.index = index;
    }

    /// Current position of an element.
    pub(super) fn place(&mut self, id: Id) -> Option<Place> {
        for fresh in [false, true] {
            if fresh {
                self.number();
            }
            if let Some(place) = self.index.places.get(&id.0).cloned()
                && self.at(&place).is_some_and(|e| e.meta().id == id)
            {
                return Some(place);
            }
        }
        None
    }

    fn newest(&mut self, kind: ObjType, path: &[usize]) -> Id {
        let next = Id(self.index.last + 1);
        if let Some((meta, place)) = self.last_meta(kind, path) {
            meta.assign(next);
            self.index.last = next.0;
            self.index.places.insert(next.0, place);
        }
        next
    }

    /// An element.
    ///
    /// # Errors
    /// When it was deleted, or belongs to another model.
    pub fn element(&mut self, id: Id) -> Result<&mut dyn AnyElement> {
        let place = self.place(id).ok_or_else(gone)?;
        self.at(&place).ok_or_else(gone)
    }

    /// The element that an error is about, if a program made it.
    pub fn blamed(&mut self, error: &Error) -> Option<Id> {
        let id = Id(error.loc.element);
        (id != Id::default() && self.place(id).is_some()).then_some(id)
    }

    /// The kind of an element.
    pub fn kind_of(&mut self, id: Id) -> Option<ObjType> {
        self.place(id).map(|place| place.kind)
    }

    /// A body, to edit it or to add elements to it.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body_at(&mut self, id: Id) -> Result<&mut Body> {
        let place = self.place(id).filter(|p| p.kind == ObjType::Body).ok_or_else(gone)?;
        descend(&mut self.world, &place.path).ok_or_else(gone)
    }

    /// Adds a body to another one, or to the world.
    ///
    /// # Errors
    /// When there is no such body.
    #[track_caller]
    pub fn add_body(&mut self, parent: Option<Id>, name: impl Into<String>) -> Result<Id> {
        let parent = parent.unwrap_or_else(|| self.world_id());
        let id = self.add_to(parent, None, ObjType::Body, None)?;
        self.element(id)?.meta_mut().name = name.into();
        Ok(id)
    }

    /// The id of the world body.
    pub fn world_id(&mut self) -> Id {
        if self.world.meta.id.0 == 0 {
            self.number();
        }
        self.world.meta.id
    }

    /// All elements of a kind, in the order of the compiled model.
    pub fn all(&mut self, kind: ObjType) -> Vec<Id> {
        self.number();
        let mut out = Vec::new();
        self.visit(kind, &mut |meta, _, _| out.push(meta.id));
        out
    }

    /// The elements of a kind that a body owns.
    pub fn children(&mut self, body: Id, kind: ObjType) -> Vec<Id> {
        self.number();
        let Some(own) = self.place(body) else { return Vec::new() };
        let mut out = Vec::new();
        self.visit(kind, &mut |meta, path, _| {
            let owner = if kind == ObjType::Body { path.split_last().map(|(_, above)| above) } else { Some(&path[..]) };
            if owner == Some(&own.path[..]) {
                out.push(meta.id);
            }
        });
        out
    }

    /// The element of a kind with a name; of meshes, textures, height fields and skins also by the name of their file.
    ///
    /// # Errors
    /// When there is none; the hint suggests the closest name.
    pub fn find(&mut self, kind: ObjType, name: &str) -> Result<Id> {
        self.number();
        let (mut found, mut names) = (None, Vec::new());
        let files: Vec<String> = match kind {
            ObjType::Mesh => self.meshes.iter().map(|e| e.file.clone()).collect(),
            ObjType::Texture => self.textures.iter().map(|e| e.file.clone()).collect(),
            ObjType::Hfield => self.hfields.iter().map(|e| e.file.clone()).collect(),
            ObjType::Skin => self.skins.iter().map(|e| e.file.clone()).collect(),
            _ => Vec::new(),
        };
        self.visit(kind, &mut |meta, _, i| {
            let own = match files.get(i) {
                Some(file) if meta.name.is_empty() => super::file_stem(file),
                _ => &meta.name,
            };
            if own == name && !name.is_empty() && found.is_none() {
                found = Some(meta.id);
            }
            names.push(own.to_string());
        });
        found.ok_or_else(|| {
            let objtype = format!("{kind:?}").to_ascii_lowercase();
            let error = Error::new(ErrorKind::UnknownName { objtype, name: name.into() });
            match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error,
            }
        })
    }

    /// The body that an element belongs to; for a body, its parent.
    pub fn parent(&mut self, id: Id) -> Option<Id> {
        let place = self.place(id)?;
        let path = match place.kind {
            ObjType::Body => place.path.split_last()?.1,
            _ => &place.path[..],
        };
        descend(&mut self.world, path).map(|body| body.meta.id)
    }

    /// The frame that encloses an element.
    pub fn frame_of(&mut self, id: Id) -> Option<Id> {
        let place = self.place(id)?;
        let frame = (*self.frame_slot(&place)?)?;
        let owner = self.frame_owner(&place)?;
        owner.frames.get(frame).map(|f| f.meta.id)
    }

    fn frame_owner(&mut self, place: &Place) -> Option<&mut Body> {
        let path = match place.kind {
            ObjType::Body => place.path.split_last()?.1,
            _ => &place.path[..],
        };
        descend(&mut self.world, path)
    }

    /// Whether a frame is, or is inside, an element.
    fn stands_in(&mut self, frame: Id, id: Id) -> bool {
        std::iter::successors(Some(frame), |&frame| self.frame_of(frame)).any(|frame| frame == id)
    }

    /// Moves an element into a frame of the same body, or out of all frames.
    ///
    /// # Errors
    /// When the frame belongs to another body, or when a frame would end up inside itself.
    pub fn set_frame(&mut self, id: Id, frame: Option<Id>) -> Result<()> {
        let place = self.place(id).ok_or_else(gone)?;
        let owner = self.frame_owner(&place).ok_or_else(gone)?.meta.id;
        let index = match frame {
            Some(frame) if self.parent(frame) != Some(owner) => {
                return Err(Error::invalid("the frame belongs to another body"));
            }
            Some(frame) if self.stands_in(frame, id) => {
                return Err(Error::invalid("a frame cannot be inside itself"));
            }
            Some(frame) => Some(self.place(frame).ok_or_else(gone)?.index),
            None => None,
        };
        *self.frame_slot(&place).ok_or_else(gone)? = index;
        Ok(())
    }

    /// Deletes an element with everything it owns. For a body, elements that refer to it or to something in it are
    /// deleted too, with their keyframe values; references to anything else stay, as do the keyframe values of a joint
    /// or an actuator that is deleted by itself, and compilation reports them.
    ///
    /// # Errors
    /// When there is no such element, or it is the world.
    pub fn delete(&mut self, id: Id) -> Result<()> {
        let place = self.place(id).ok_or_else(gone)?;
        self.number();
        let before = (place.kind == ObjType::Body).then(|| super::keys::Owners::of(self));
        self.remove(&place).ok_or_else(|| Error::invalid("the world body cannot be deleted"))?;
        before.iter().for_each(|before| super::keys::follow(self, before));
        self.number();
        Ok(())
    }

    /// Replaces a body by a frame with the same contents; returns the frame.
    ///
    /// # Errors
    /// When there is no such body, or it is the world.
    pub fn to_frame(&mut self, id: Id) -> Result<Id> {
        let place = self.place(id).filter(|p| p.kind == ObjType::Body).ok_or_else(gone)?;
        let (&last, above) =
            place.path.split_last().ok_or_else(|| Error::invalid("the world body cannot become a frame"))?;
        let parent = descend(&mut self.world, above).ok_or_else(gone)?;
        let body = parent.bodies.remove(last);
        let (parent_frame, childclass) = (body.frame, body.childclass.clone());
        let meta = Meta { id: Id::default(), ..body.meta.clone() };
        let (pos, quat, alt) = (body.pos, body.quat, body.alt);
        parent.frames.push(super::Frame { meta, parent: parent_frame, childclass, pos, quat, alt });
        let frame = parent.frames.len() - 1;
        super::attach::pour(parent, body, Some(frame));
        self.number();
        let parent = descend(&mut self.world, above).ok_or_else(gone)?;
        Ok(parent.frames[frame].meta.id)
    }

    /// Attaches a body of another model, or the contents of its world, to a frame of this one. Assets, and elements
    /// that refer to what is attached, are copied too; all names get a prefix and a suffix. Returns the new id of every
    /// copied element of the other model.
    ///
    /// # Errors
    /// When there is no such frame or body, or the result is too large.
    pub fn attach(
        &mut self,
        frame: Id,
        child: &mut Spec,
        body: Option<Id>,
        prefix: &str,
        suffix: &str,
    ) -> Result<Vec<(Id, Id)>> {
        let place = self.place(frame).filter(|p| p.kind == ObjType::Frame).ok_or_else(gone)?;
        self.number();
        child.number();
        let part = match body {
            None => super::attach::Part::World,
            Some(id) => super::attach::Part::Body(child.place(id).ok_or_else(gone)?.path),
        };
        // copies remember their original until they get ids
        for kind in KINDS {
            child.visit(kind, &mut |meta, _, _| meta.source = meta.id);
        }
        super::attach::attach(self, &place.path, place.index, child, &part, [prefix, suffix])?;
        self.number();
        let mut pairs = Vec::new();
        for kind in KINDS {
            self.visit(kind, &mut |meta, _, _| {
                let source = std::mem::take(&mut meta.source);
                if source != Id::default() {
                    pairs.push((source, meta.id));
                }
            });
            child.visit(kind, &mut |meta, _, _| meta.source = Id::default());
        }
        Ok(pairs)
    }
}
