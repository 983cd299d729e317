//! Typed handles of model elements: ids that know their kind, and accessors for every field of an element.
//!
//! A [`Ref`] is a model and an [`Id`]; it reads the model, and any [`Data`] of that model that is passed to it.

use crate::data::{Contact, Data};
use crate::model::enums::{self, JointType, ObjType};
use crate::model::names::{UnknownName, nearest};
use crate::model::{Model, Sizes};
use crate::support::contact::contact_force;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Range;

include!(concat!(env!("OUT_DIR"), "/handles.rs"));

/// A kind of element: [`Body`], [`Joint`] and so on.
pub trait Kind {
    /// MuJoCo's object type.
    const OBJ: ObjType;
    /// The user-visible name of the kind.
    const WORD: &'static str;
    /// Number of elements of the kind in a model.
    fn count(sizes: &Sizes) -> usize;
}

/// Index of an element of kind `K`. It does not borrow the model and is valid for every model of the same layout.
pub struct Id<K>(usize, PhantomData<fn() -> K>);

impl<K> Id<K> {
    /// The id with a given index.
    pub fn new(index: usize) -> Self {
        Id(index, PhantomData)
    }

    /// The index into arrays of the model.
    pub fn index(self) -> usize {
        self.0
    }
}

impl<K> From<Id<K>> for usize {
    fn from(id: Id<K>) -> usize {
        id.0
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<K: Kind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", K::WORD, self.0)
    }
}

/// An element of a model. Its methods read the fields of the element, under MuJoCo's names without the prefix:
/// `m.geom("foot")?.friction()` is a row of `geom_friction`. Methods that read a [`Data`] take it as an argument, and
/// panic if it belongs to a model with fewer elements.
pub struct Ref<'m, K> {
    m: &'m Model,
    id: Id<K>,
}

impl<K> Clone for Ref<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Ref<'_, K> {}

impl<K: Kind> fmt::Debug for Ref<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} '{}'", self.id, self.name().unwrap_or(""))
    }
}

impl<'m, K> Ref<'m, K> {
    /// The id, which does not borrow the model.
    pub fn id(&self) -> Id<K> {
        self.id
    }

    /// The index into arrays of the model.
    pub fn index(&self) -> usize {
        self.id.0
    }
}

impl<'m, K: Kind> Ref<'m, K> {
    /// The name, if the element has one.
    pub fn name(&self) -> Option<&'m str> {
        self.m.id2name(K::OBJ, self.index())
    }
}

impl Model {
    /// The element of kind `K` with a given name; [`Model::body`] and its siblings are shorthands.
    ///
    /// # Errors
    /// [`UnknownName`], with the nearest existing name.
    pub fn find<K: Kind>(&self, name: &str) -> Result<Ref<'_, K>, UnknownName> {
        match self.name2id(K::OBJ, name) {
            Some(index) => Ok(Ref { m: self, id: Id::new(index) }),
            None => {
                let names = self.all::<K>().filter_map(|e| e.name());
                let nearest = nearest(name, names).map(String::from);
                Err(UnknownName { kind: K::WORD, name: name.into(), nearest, count: K::count(self) })
            }
        }
    }

    /// The element with an id; `None` if the id is out of range.
    pub fn get<K: Kind>(&self, id: Id<K>) -> Option<Ref<'_, K>> {
        (id.0 < K::count(self)).then_some(Ref { m: self, id })
    }

    /// Every element of kind `K`, in order.
    pub fn all<K: Kind>(&self) -> impl ExactSizeIterator<Item = Ref<'_, K>> {
        (0..K::count(self)).map(|index| Ref { m: self, id: Id::new(index) })
    }
}

impl<'m> JointRef<'m> {
    /// The joint's degrees of freedom, as a range of `qvel`.
    pub fn dofs(&self) -> Range<usize> {
        self.m.joint_dofs(self.index())
    }

    /// The joint's coordinates, as a range of `qpos`.
    pub fn coordinates(&self) -> Range<usize> {
        let start = self.m.jnt_qposadr[self.index()] as usize;
        start..start + self.m.jnt_type(self.index()).coordinates()
    }

    /// The body that the joint moves.
    pub fn body(&self) -> BodyRef<'m> {
        Ref { m: self.m, id: Id::new(self.m.jnt_bodyid[self.index()] as usize) }
    }
}

impl JointType {
    /// Number of coordinates in `qpos`.
    pub fn coordinates(self) -> usize {
        match self {
            JointType::Free => 7,
            JointType::Ball => 4,
            JointType::Slide | JointType::Hinge => 1,
        }
    }

    /// Number of degrees of freedom in `qvel`.
    pub fn dofs(self) -> usize {
        match self {
            JointType::Free => 6,
            JointType::Ball => 3,
            JointType::Slide | JointType::Hinge => 1,
        }
    }
}

impl<'m> BodyRef<'m> {
    /// The parent body; the world is its own parent.
    pub fn parent(&self) -> BodyRef<'m> {
        Ref { m: self.m, id: Id::new(self.m.body_parentid[self.index()] as usize) }
    }

    /// The body's joints.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointRef<'m>> + use<'m> {
        let m = self.m;
        m.body_joints(self.index()).map(move |index| Ref { m, id: Id::new(index) })
    }

    /// The body's geoms.
    pub fn geoms(&self) -> impl ExactSizeIterator<Item = GeomRef<'m>> + use<'m> {
        let m = self.m;
        m.body_geoms(self.index()).map(move |index| Ref { m, id: Id::new(index) })
    }

    /// The body's row in `mocap_pos` and `mocap_quat`, if it is a mocap body.
    pub fn mocap(&self) -> Option<usize> {
        usize::try_from(self.m.body_mocapid[self.index()]).ok()
    }
}

impl<'m> GeomRef<'m> {
    /// The body that the geom belongs to.
    pub fn body(&self) -> BodyRef<'m> {
        Ref { m: self.m, id: Id::new(self.m.geom_bodyid[self.index()] as usize) }
    }
}

impl ActuatorRef<'_> {
    /// Sets the actuator's control.
    pub fn set_ctrl(&self, d: &mut Data, value: f64) {
        d.state.ctrl[self.index()] = value;
    }

    /// The actuator's activations; empty if it has none.
    pub fn act<'d>(&self, d: &'d Data) -> &'d [f64] {
        &d.state.act[self.m.actuator_acts(self.index())]
    }
}

impl SensorRef<'_> {
    /// The sensor's outputs.
    pub fn read<'d>(&self, d: &'d Data) -> &'d [f64] {
        &d.sensor.sensordata[self.m.sensor_range(self.index())]
    }
}

impl KeyRef<'_> {
    /// Resets a simulation to the keyframe.
    pub fn reset(&self, d: &mut Data) {
        d.reset_keyframe(self.m, self.id).expect("the model has this keyframe");
    }
}

impl Data {
    /// Force and torque that a contact exerts on its second geom, in the contact frame (normal, then the two tangents),
    /// force first. Zero if the contact is not in the solver.
    #[doc(alias = "mj_contactForce")]
    pub fn contact_force(&self, m: &Model, contact: &Contact) -> [f64; 6] {
        contact_force(m, contact, &self.solution)
    }
}

impl Contact {
    /// The two geoms in contact; `None` for a flex.
    pub fn geoms<'m>(&self, m: &'m Model) -> [Option<GeomRef<'m>>; 2] {
        self.geom.map(|g| m.get(Id::new(usize::try_from(g).ok()?)))
    }
}
