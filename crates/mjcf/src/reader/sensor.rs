//! `sensor`.

use super::Reader;
use crate::error::{ErrorKind, Result};
use crate::schema::{Attr, Item, attr};
use crate::spec::Sensor;
use sinew_engine::model::enums::{ENUMS, ObjType, RayDataField, SensorType, SensorType as T};

impl Reader<'_, '_> {
    pub(super) fn sensor(&mut self, item: &Item) -> Result<()> {
        let mut sensor = Sensor { meta: self.meta(item), ..Sensor::default() };
        item.read(&mut sensor);
        object(item, &mut sensor)?;
        if sensor.kind == SensorType::Plugin {
            sensor.plugin = Some(self.plugin(item)?);
        }
        if item.has(attr::REFTYPE) && sensor.reftype == ObjType::Unknown {
            let message = format!("'{}' is no type of object, and the reference is dropped", item.text(attr::REFTYPE));
            let hint = "use body, xbody, geom, site or camera";
            let ignored = item.error(ErrorKind::Ignored(message)).attribute(attr::REFTYPE);
            self.warn(ignored.at(item.loc).hint(hint));
        }
        self.spec.sensors.push(sensor);
        Ok(())
    }
}

/// How the element of a sensor specifies what it senses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// One object, named by the attribute of its type.
    At(ObjType),
    /// One object and a reference object.
    AtWith(ObjType, ObjType),
    /// The frame of an object, possibly relative to another object's.
    Frame,
    /// The frame of an object, expressed in a site.
    FrameIn,
    /// Two geoms or bodies.
    Between,
    /// A site or a camera, and which ray data to output.
    Rangefinder,
    /// Two sides of contacts, and which contact data to output.
    Contact,
    /// Nothing.
    Alone,
    /// Determined by the user's callback.
    User,
    /// Determined by the plugin.
    Plugin,
}

/// The elements of sensors with their types and forms.
pub(crate) const FORMS: &[(&str, SensorType, Form)] = &[
    ("touch", T::Touch, Form::At(ObjType::Site)),
    ("accelerometer", T::Accelerometer, Form::At(ObjType::Site)),
    ("velocimeter", T::Velocimeter, Form::At(ObjType::Site)),
    ("gyro", T::Gyro, Form::At(ObjType::Site)),
    ("force", T::Force, Form::At(ObjType::Site)),
    ("torque", T::Torque, Form::At(ObjType::Site)),
    ("magnetometer", T::Magnetometer, Form::At(ObjType::Site)),
    ("camprojection", T::Camprojection, Form::AtWith(ObjType::Site, ObjType::Camera)),
    ("rangefinder", T::Rangefinder, Form::Rangefinder),
    ("jointpos", T::Jointpos, Form::At(ObjType::Joint)),
    ("jointvel", T::Jointvel, Form::At(ObjType::Joint)),
    ("tendonpos", T::Tendonpos, Form::At(ObjType::Tendon)),
    ("tendonvel", T::Tendonvel, Form::At(ObjType::Tendon)),
    ("actuatorpos", T::Actuatorpos, Form::At(ObjType::Actuator)),
    ("actuatorvel", T::Actuatorvel, Form::At(ObjType::Actuator)),
    ("actuatorfrc", T::Actuatorfrc, Form::At(ObjType::Actuator)),
    ("jointactuatorfrc", T::Jointactfrc, Form::At(ObjType::Joint)),
    ("tendonactuatorfrc", T::Tendonactfrc, Form::At(ObjType::Tendon)),
    ("ballquat", T::Ballquat, Form::At(ObjType::Joint)),
    ("ballangvel", T::Ballangvel, Form::At(ObjType::Joint)),
    ("jointlimitpos", T::Jointlimitpos, Form::At(ObjType::Joint)),
    ("jointlimitvel", T::Jointlimitvel, Form::At(ObjType::Joint)),
    ("jointlimitfrc", T::Jointlimitfrc, Form::At(ObjType::Joint)),
    ("tendonlimitpos", T::Tendonlimitpos, Form::At(ObjType::Tendon)),
    ("tendonlimitvel", T::Tendonlimitvel, Form::At(ObjType::Tendon)),
    ("tendonlimitfrc", T::Tendonlimitfrc, Form::At(ObjType::Tendon)),
    ("subtreecom", T::Subtreecom, Form::At(ObjType::Body)),
    ("subtreelinvel", T::Subtreelinvel, Form::At(ObjType::Body)),
    ("subtreeangmom", T::Subtreeangmom, Form::At(ObjType::Body)),
    ("framepos", T::Framepos, Form::Frame),
    ("framequat", T::Framequat, Form::Frame),
    ("framexaxis", T::Framexaxis, Form::Frame),
    ("frameyaxis", T::Frameyaxis, Form::Frame),
    ("framezaxis", T::Framezaxis, Form::Frame),
    ("framelinvel", T::Framelinvel, Form::Frame),
    ("frameangvel", T::Frameangvel, Form::Frame),
    ("framelinacc", T::Framelinacc, Form::Frame),
    ("frameangacc", T::Frameangacc, Form::Frame),
    ("insidesite", T::Insidesite, Form::FrameIn),
    ("distance", T::Geomdist, Form::Between),
    ("normal", T::Geomnormal, Form::Between),
    ("fromto", T::Geomfromto, Form::Between),
    ("contact", T::Contact, Form::Contact),
    ("e_potential", T::EPotential, Form::Alone),
    ("e_kinetic", T::EKinetic, Form::Alone),
    ("clock", T::Clock, Form::Alone),
    ("tactile", T::Tactile, Form::AtWith(ObjType::Mesh, ObjType::Geom)),
    ("user", T::User, Form::User),
    ("plugin", T::Plugin, Form::Plugin),
];

/// Reads the type of a sensor and its objects.
fn object(item: &Item, s: &mut Sensor) -> Result<()> {
    let Some(&(_, kind, form)) = FORMS.iter().find(|(name, _, _)| *name == item.name) else { return user(item, s) };
    s.kind = kind;
    match form {
        Form::At(objtype) => at(item, s, objtype),
        Form::AtWith(objtype, reftype) => {
            at(item, s, objtype);
            reference(item, s, reftype);
        }
        Form::Frame => frame(item, s)?,
        Form::FrameIn => {
            frame(item, s)?;
            reference(item, s, ObjType::Site);
        }
        Form::Between => between(item, s)?,
        Form::Rangefinder => rangefinder(item, s)?,
        Form::Contact => contact(item, s)?,
        Form::Alone => {}
        Form::User => user(item, s)?,
        Form::Plugin => plugin(item, s)?,
    }
    Ok(())
}

/// The attribute that names an object of a type.
pub(crate) fn attribute(objtype: ObjType) -> Attr {
    match objtype {
        ObjType::Joint => attr::JOINT,
        ObjType::Tendon => attr::TENDON,
        ObjType::Actuator => attr::ACTUATOR,
        ObjType::Body => attr::BODY,
        ObjType::Mesh => attr::MESH,
        ObjType::Camera => attr::CAMERA,
        ObjType::Geom => attr::GEOM,
        _ => attr::SITE,
    }
}

fn at(item: &Item, s: &mut Sensor, objtype: ObjType) {
    s.objtype = objtype;
    item.set(attribute(objtype), &mut s.objname);
}

fn reference(item: &Item, s: &mut Sensor, reftype: ObjType) {
    s.reftype = reftype;
    item.set(attribute(reftype), &mut s.refname);
}

/// Reads a sensor of an object's frame, possibly relative to another object's.
fn frame(item: &Item, s: &mut Sensor) -> Result<()> {
    item.set(attr::OBJTYPE, &mut s.objtype);
    item.set(attr::OBJNAME, &mut s.objname);
    s.reftype = object_type(item.text(attr::REFTYPE));
    item.set(attr::REFNAME, &mut s.refname);
    match (item.has(attr::REFTYPE), item.has(attr::REFNAME)) {
        (true, false) => Err(item.invalid_at(attr::REFTYPE, "reftype is given but refname is not")),
        (false, true) => Err(item.invalid_at(attr::REFNAME, "refname is given but reftype is not")),
        _ => Ok(()),
    }
}

/// Reads one of several attributes, each with its object type; an error if more than one is given.
fn choice(item: &Item, choices: &[(Attr, ObjType)], name: &mut String) -> Result<Option<ObjType>> {
    let mut found = None;
    for &(attribute, objtype) in choices {
        if item.set(attribute, name) && found.replace(objtype).is_some() {
            let names: Vec<&str> = choices.iter().map(|c| c.0.name()).collect();
            return Err(item.invalid(format!("only one of {} can be given", names.join(", "))));
        }
    }
    Ok(found)
}

fn rangefinder(item: &Item, s: &mut Sensor) -> Result<()> {
    let choices = [(attr::SITE, ObjType::Site), (attr::CAMERA, ObjType::Camera)];
    s.objtype = choice(item, &choices, &mut s.objname)?
        .ok_or_else(|| item.invalid("a rangefinder needs a site or a camera"))?;
    s.intprm[0] = data_bits(item, RayDataField::Dist as i32)?;
    Ok(())
}

/// Reads a sensor of the distance, normal or segment between two geoms or bodies.
fn between(item: &Item, s: &mut Sensor) -> Result<()> {
    let missing = |n| item.invalid(format!("geom{n} or body{n} must be given"));
    let first = [(attr::GEOM1, ObjType::Geom), (attr::BODY1, ObjType::Body)];
    s.objtype = choice(item, &first, &mut s.objname)?.ok_or_else(|| missing(1))?;
    let second = [(attr::GEOM2, ObjType::Geom), (attr::BODY2, ObjType::Body)];
    s.reftype = choice(item, &second, &mut s.refname)?.ok_or_else(|| missing(2))?;
    Ok(())
}

fn contact(item: &Item, s: &mut Sensor) -> Result<()> {
    let first = [
        (attr::SITE, ObjType::Site),
        (attr::BODY1, ObjType::Body),
        (attr::SUBTREE1, ObjType::Xbody),
        (attr::GEOM1, ObjType::Geom),
    ];
    s.objtype = choice(item, &first, &mut s.objname)?.unwrap_or(ObjType::Unknown);
    let second = [(attr::BODY2, ObjType::Body), (attr::SUBTREE2, ObjType::Xbody), (attr::GEOM2, ObjType::Geom)];
    s.reftype = choice(item, &second, &mut s.refname)?.unwrap_or(ObjType::Unknown);
    s.intprm = [data_bits(item, 0)?, 0, 1];
    item.set(attr::REDUCE, &mut s.intprm[1]);
    item.set(attr::NUM, &mut s.intprm[2]);
    if s.intprm[2] <= 0 {
        return Err(item.invalid_at(attr::NUM, "num must be positive"));
    }
    Ok(())
}

/// The `data` keywords as bits; they must be in the order of the format. `default` is the only bit when none is given.
fn data_bits(item: &Item, default: i32) -> Result<i32> {
    let codes = item.codes(attr::DATA);
    if codes.windows(2).any(|w| w[1] <= w[0]) {
        let hint = "the order is that of the values in the sensor's output";
        return Err(item.invalid_at(attr::DATA, "data keywords are out of order").hint(hint));
    }
    Ok(if codes.is_empty() { 1 << default } else { codes.iter().fold(0, |bits, code| bits | 1 << code) })
}

/// The type of object that a word names; unknown for any other word.
fn object_type(word: &str) -> ObjType {
    let member = format!("mjOBJ_{}", word.to_ascii_uppercase());
    let code = ENUMS.iter().flat_map(|e| e.members).find(|(name, _)| *name == member).map_or(0, |m| m.1);
    ObjType::try_from(code).unwrap_or(ObjType::Unknown)
}

fn plugin(item: &Item, s: &mut Sensor) -> Result<()> {
    s.kind = SensorType::Plugin;
    s.objtype = typed(item, attr::OBJTYPE, attr::OBJNAME, &mut s.objname)?;
    s.reftype = typed(item, attr::REFTYPE, attr::REFNAME, &mut s.refname)?;
    Ok(())
}

/// Reads an object given by type and name; either both or neither must be given.
fn typed(item: &Item, kind: Attr, name: Attr, slot: &mut String) -> Result<ObjType> {
    item.set(name, slot);
    let found = object_type(item.text(kind));
    if found != ObjType::Unknown && slot.is_empty() {
        return Err(item.invalid_at(kind, format!("{kind} is given but {name} is not")));
    }
    if found == ObjType::Unknown && !slot.is_empty() {
        let error = item.invalid_at(name, format!("{name} is given, but no {kind} of an object"));
        return Err(error.hint(format!("add {kind}=\"site\", or whatever it is")));
    }
    Ok(found)
}

fn user(item: &Item, s: &mut Sensor) -> Result<()> {
    item.set(attr::OBJNAME, &mut s.objname);
    match (item.has(attr::OBJTYPE), item.has(attr::OBJNAME)) {
        (true, false) => return Err(item.invalid_at(attr::OBJTYPE, "objtype is given but objname is not")),
        (false, true) => return Err(item.invalid_at(attr::OBJNAME, "objname is given but objtype is not")),
        _ => {}
    }
    // Unlike elsewhere, an unknown type is not an error: the user's callback may know it.
    s.objtype = object_type(item.text(attr::OBJTYPE));
    Ok(())
}
