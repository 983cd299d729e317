//! `sensor`.

use super::Reader;
use crate::error::{ErrorKind, Result};
use crate::schema::Item;
use crate::spec::Sensor;
use sinew_engine::model::enums::{ENUMS, ObjType, RayDataField, SensorType};

impl Reader<'_, '_> {
    pub(super) fn sensor(&mut self, item: &Item) -> Result<()> {
        let mut sensor = Sensor { meta: self.meta(item), ..Sensor::default() };
        item.read(&mut sensor);
        object(item, &mut sensor)?;
        if sensor.kind == SensorType::Plugin {
            sensor.plugin = Some(self.plugin(item)?);
        }
        if item.has("reftype") && sensor.reftype == ObjType::Unknown {
            let message = format!("'{}' is no type of object, and the reference is dropped", item.text("reftype"));
            let hint = "use body, xbody, geom, site or camera";
            let ignored = item.error(ErrorKind::Ignored(message)).attribute("reftype");
            self.warn(ignored.at(item.loc).hint(hint));
        }
        self.spec.sensors.push(sensor);
        Ok(())
    }
}

/// The type of a sensor and what it looks at.
fn object(item: &Item, s: &mut Sensor) -> Result<()> {
    use SensorType as T;
    match item.name {
        "touch" => at(item, s, T::Touch, ObjType::Site),
        "accelerometer" => at(item, s, T::Accelerometer, ObjType::Site),
        "velocimeter" => at(item, s, T::Velocimeter, ObjType::Site),
        "gyro" => at(item, s, T::Gyro, ObjType::Site),
        "force" => at(item, s, T::Force, ObjType::Site),
        "torque" => at(item, s, T::Torque, ObjType::Site),
        "magnetometer" => at(item, s, T::Magnetometer, ObjType::Site),
        "camprojection" => {
            at(item, s, T::Camprojection, ObjType::Site);
            reference(item, s, "camera", ObjType::Camera);
        }
        "rangefinder" => rangefinder(item, s)?,
        "jointpos" => at(item, s, T::Jointpos, ObjType::Joint),
        "jointvel" => at(item, s, T::Jointvel, ObjType::Joint),
        "tendonpos" => at(item, s, T::Tendonpos, ObjType::Tendon),
        "tendonvel" => at(item, s, T::Tendonvel, ObjType::Tendon),
        "actuatorpos" => at(item, s, T::Actuatorpos, ObjType::Actuator),
        "actuatorvel" => at(item, s, T::Actuatorvel, ObjType::Actuator),
        "actuatorfrc" => at(item, s, T::Actuatorfrc, ObjType::Actuator),
        "jointactuatorfrc" => at(item, s, T::Jointactfrc, ObjType::Joint),
        "tendonactuatorfrc" => at(item, s, T::Tendonactfrc, ObjType::Tendon),
        "ballquat" => at(item, s, T::Ballquat, ObjType::Joint),
        "ballangvel" => at(item, s, T::Ballangvel, ObjType::Joint),
        "jointlimitpos" => at(item, s, T::Jointlimitpos, ObjType::Joint),
        "jointlimitvel" => at(item, s, T::Jointlimitvel, ObjType::Joint),
        "jointlimitfrc" => at(item, s, T::Jointlimitfrc, ObjType::Joint),
        "tendonlimitpos" => at(item, s, T::Tendonlimitpos, ObjType::Tendon),
        "tendonlimitvel" => at(item, s, T::Tendonlimitvel, ObjType::Tendon),
        "tendonlimitfrc" => at(item, s, T::Tendonlimitfrc, ObjType::Tendon),
        "framepos" => frame(item, s, T::Framepos)?,
        "framequat" => frame(item, s, T::Framequat)?,
        "framexaxis" => frame(item, s, T::Framexaxis)?,
        "frameyaxis" => frame(item, s, T::Frameyaxis)?,
        "framezaxis" => frame(item, s, T::Framezaxis)?,
        "framelinvel" => frame(item, s, T::Framelinvel)?,
        "frameangvel" => frame(item, s, T::Frameangvel)?,
        "framelinacc" => frame(item, s, T::Framelinacc)?,
        "frameangacc" => frame(item, s, T::Frameangacc)?,
        "subtreecom" => at(item, s, T::Subtreecom, ObjType::Body),
        "subtreelinvel" => at(item, s, T::Subtreelinvel, ObjType::Body),
        "subtreeangmom" => at(item, s, T::Subtreeangmom, ObjType::Body),
        "insidesite" => {
            frame(item, s, T::Insidesite)?;
            reference(item, s, "site", ObjType::Site);
        }
        "distance" => between(item, s, T::Geomdist)?,
        "normal" => between(item, s, T::Geomnormal)?,
        "fromto" => between(item, s, T::Geomfromto)?,
        "contact" => contact(item, s)?,
        "e_potential" => s.kind = T::EPotential,
        "e_kinetic" => s.kind = T::EKinetic,
        "clock" => s.kind = T::Clock,
        "tactile" => {
            at(item, s, T::Tactile, ObjType::Mesh);
            reference(item, s, "geom", ObjType::Geom);
        }
        "plugin" => plugin(item, s)?,
        _ => user(item, s)?,
    }
    Ok(())
}

/// A sensor of one object, named by the attribute of its type.
fn at(item: &Item, s: &mut Sensor, kind: SensorType, objtype: ObjType) {
    s.kind = kind;
    s.objtype = objtype;
    let attribute = match objtype {
        ObjType::Joint => "joint",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Body => "body",
        ObjType::Mesh => "mesh",
        _ => "site",
    };
    item.set(attribute, &mut s.objname);
}

fn reference(item: &Item, s: &mut Sensor, attribute: &str, reftype: ObjType) {
    s.reftype = reftype;
    item.set(attribute, &mut s.refname);
}

/// A sensor of an object's frame, possibly relative to another's.
fn frame(item: &Item, s: &mut Sensor, kind: SensorType) -> Result<()> {
    s.kind = kind;
    item.set("objtype", &mut s.objtype);
    item.set("objname", &mut s.objname);
    s.reftype = object_type(item.text("reftype"));
    item.set("refname", &mut s.refname);
    match (item.has("reftype"), item.has("refname")) {
        (true, false) => Err(item.invalid_at("reftype", "reftype is given but refname is not")),
        (false, true) => Err(item.invalid_at("refname", "refname is given but reftype is not")),
        _ => Ok(()),
    }
}

/// One of several attributes, each with its object type; an error if more than one is given.
fn choice(item: &Item, choices: &[(&str, ObjType)], name: &mut String) -> Result<Option<ObjType>> {
    let mut found = None;
    for &(attribute, objtype) in choices {
        if item.set(attribute, name) && found.replace(objtype).is_some() {
            let names: Vec<&str> = choices.iter().map(|c| c.0).collect();
            return Err(item.invalid(format!("only one of {} can be given", names.join(", "))));
        }
    }
    Ok(found)
}

fn rangefinder(item: &Item, s: &mut Sensor) -> Result<()> {
    s.kind = SensorType::Rangefinder;
    let choices = [("site", ObjType::Site), ("camera", ObjType::Camera)];
    s.objtype = choice(item, &choices, &mut s.objname)?
        .ok_or_else(|| item.invalid("a rangefinder needs a site or a camera"))?;
    s.intprm[0] = data_bits(item, RayDataField::Dist as i32)?;
    Ok(())
}

/// Distance, normal and segment between two geoms or bodies.
fn between(item: &Item, s: &mut Sensor, kind: SensorType) -> Result<()> {
    s.kind = kind;
    let missing = |n| item.invalid(format!("geom{n} or body{n} must be given"));
    let first = [("geom1", ObjType::Geom), ("body1", ObjType::Body)];
    s.objtype = choice(item, &first, &mut s.objname)?.ok_or_else(|| missing(1))?;
    let second = [("geom2", ObjType::Geom), ("body2", ObjType::Body)];
    s.reftype = choice(item, &second, &mut s.refname)?.ok_or_else(|| missing(2))?;
    Ok(())
}

fn contact(item: &Item, s: &mut Sensor) -> Result<()> {
    s.kind = SensorType::Contact;
    let first =
        [("site", ObjType::Site), ("body1", ObjType::Body), ("subtree1", ObjType::Xbody), ("geom1", ObjType::Geom)];
    s.objtype = choice(item, &first, &mut s.objname)?.unwrap_or(ObjType::Unknown);
    let second = [("body2", ObjType::Body), ("subtree2", ObjType::Xbody), ("geom2", ObjType::Geom)];
    s.reftype = choice(item, &second, &mut s.refname)?.unwrap_or(ObjType::Unknown);
    s.intprm = [data_bits(item, 0)?, 0, 1];
    item.set("reduce", &mut s.intprm[1]);
    item.set("num", &mut s.intprm[2]);
    if s.intprm[2] <= 0 {
        return Err(item.invalid_at("num", "num must be positive"));
    }
    Ok(())
}

/// The `data` keywords as bits; they must be in the order of the format. `default` is the only one when none is given.
fn data_bits(item: &Item, default: i32) -> Result<i32> {
    let codes = item.codes("data");
    if codes.windows(2).any(|w| w[1] <= w[0]) {
        let hint = "the order is that of the values in the sensor's output";
        return Err(item.invalid_at("data", "data keywords are out of order").hint(hint));
    }
    Ok(if codes.is_empty() { 1 << default } else { codes.iter().fold(0, |bits, code| bits | 1 << code) })
}

/// The type of object that a word names; unknown for any other word.
fn object_type(word: &str) -> ObjType {
    let member = format!("mjOBJ_{}", word.to_uppercase());
    let code = ENUMS.iter().flat_map(|e| e.members).find(|(name, _)| *name == member).map_or(0, |m| m.1);
    ObjType::try_from(code).unwrap_or(ObjType::Unknown)
}

fn plugin(item: &Item, s: &mut Sensor) -> Result<()> {
    s.kind = SensorType::Plugin;
    s.objtype = typed(item, "objtype", "objname", &mut s.objname)?;
    s.reftype = typed(item, "reftype", "refname", &mut s.refname)?;
    Ok(())
}

/// An object given by type and name; both or none must be there.
fn typed(item: &Item, kind: &str, name: &str, slot: &mut String) -> Result<ObjType> {
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
    s.kind = SensorType::User;
    item.set("objname", &mut s.objname);
    match (item.has("objtype"), item.has("objname")) {
        (true, false) => return Err(item.invalid_at("objtype", "objtype is given but objname is not")),
        (false, true) => return Err(item.invalid_at("objname", "objname is given but objtype is not")),
        _ => {}
    }
    // Unlike elsewhere, an unknown type is not an error: the user's callback may know it.
    s.objtype = object_type(item.text("objtype"));
    Ok(())
}
