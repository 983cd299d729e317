//! Sensors: sensed objects, stage, data type, dimension and addresses.

use super::Section;
use super::actuator::{CompiledActuators, check_history, history_len};
use super::assets::CompiledAssets;
use super::flat::{Flat, Names};
use super::plugin;
use super::shared::{check_user, fill_user, id_or_none, is_limited, user_size};
use crate::error::{Error, ErrorKind, Result, gather};
use crate::schema::attr;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::{DataType, GeomType, JointType, ObjType, SensorType, Stage};
use sinew_engine::model::sensors::{CONTACT_FIELDS, RAY_FIELDS, selected};
use sinew_engine::{Model, Sizes};

/// Sensors with resolved objects and output addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledSensors {
    list: Vec<Sensor>,
    nuser: usize,
    nsensordata: usize,
    nhistory: usize,
    history_start: usize,
}

#[derive(Clone, Debug)]
struct Sensor {
    spec: spec::Sensor,
    objid: Option<usize>,
    refid: Option<usize>,
    datatype: DataType,
    needstage: Stage,
    dim: usize,
}

/// What sensors look up besides the specification.
#[derive(Clone, Copy)]
struct Context<'a> {
    spec: &'a Spec,
    flat: &'a Flat,
    names: &'a Names,
    assets: &'a CompiledAssets,
}

/// Looks up the objects of every sensor, checks that they can be sensed, and counts outputs.
pub(crate) fn resolve(
    spec: &Spec,
    flat: &Flat,
    names: &Names,
    assets: &CompiledAssets,
    actuators: &CompiledActuators,
) -> Result<CompiledSensors> {
    let context = Context { spec, flat, names, assets };
    let nuser = user_size(spec.size.nuser_sensor, spec.sensors.iter().map(|s| s.userdata.len()));
    let one = |sensor: &spec::Sensor| {
        check_user(sensor.userdata.len(), nuser, "nuser_sensor")
            .and_then(|()| resolve_one(sensor, context))
            .map_err(|e| e.at(sensor.meta.loc).element(element(sensor.kind)))
    };
    let list = gather(spec.sensors.iter().map(one))?;
    let nsensordata = spec.limits.check_len("sensordata", list.iter().map(|s| s.dim as u64).sum())?;
    let nhistory = spec.limits.check_len("history", list.iter().map(|s| history_len(s.spec.nsample, s.dim)).sum())?;
    Ok(CompiledSensors { list, nuser, nsensordata, nhistory, history_start: actuators.nhistory() })
}

fn resolve_one(sensor: &spec::Sensor, context: Context<'_>) -> Result<Sensor> {
    check_numbers(sensor, context.spec.option.timestep)?;
    let (objid, refid) = find_objects(sensor, context.names)?;
    check_objects(sensor, objid, refid, context)?;
    check_parameters(sensor)?;
    let user = sensor.kind == SensorType::User;
    let datatype = if user { sensor.datatype } else { data_type(sensor.kind) };
    let mut needstage = if user { sensor.needstage } else { need_stage(sensor.kind) };
    let mut dim = dimension(sensor, objid, context);
    if let Some(plugin) = sensor.plugin_used() {
        (needstage, dim) = plugin::sensor_outputs(context.spec, plugin)?;
    } else if sensor.kind == SensorType::Plugin {
        return Err(Error::new(ErrorKind::Missing("attribute 'plugin' or 'instance'".into())));
    }
    let dim = context.spec.limits.check_len("sensordata", dim)?;
    let unit = match datatype {
        DataType::Quaternion => true,
        DataType::Axis => sensor.kind != SensorType::Geomnormal,
        DataType::Real | DataType::Positive => false,
    };
    if sensor.cutoff > 0.0 && unit {
        return Err(Error::invalid("axes and quaternions cannot be cut off").attribute(attr::CUTOFF));
    }
    Ok(Sensor { spec: sensor.clone(), objid, refid, datatype, needstage, dim })
}

fn check_numbers(sensor: &spec::Sensor, timestep: f64) -> Result<()> {
    let [period, phase] = sensor.interval;
    let (attribute, problem) = if sensor.noise < 0.0 {
        ("noise", "noise must not be negative")
    } else if sensor.cutoff < 0.0 {
        ("cutoff", "cutoff must not be negative")
    } else if period < 0.0 {
        ("interval", "the period must not be negative")
    } else if phase > 0.0 {
        ("interval", "the phase must not be positive")
    } else if period > 0.0 && phase <= -period {
        ("interval", "the phase must be greater than minus the period")
    } else {
        return check_history(sensor.delay, sensor.nsample, timestep);
    };
    Err(Error::invalid(problem).attribute(attribute))
}

/// Ids of the sensed and the reference object.
fn find_objects(sensor: &spec::Sensor, names: &Names) -> Result<(Option<usize>, Option<usize>)> {
    use SensorType::{Clock, Contact, EKinetic, EPotential, Plugin, User};
    let find = |obj, name: &str, attribute: &str| match (obj, name) {
        (ObjType::Unknown, _) => Ok(None),
        (_, "") => Err(Error::new(ErrorKind::Missing(attribute.into()))),
        _ => names.require(obj, name, sensor.meta.loc).map(Some).map_err(|e| e.attribute(attribute)),
    };
    let without = matches!(sensor.kind, Clock | Contact | EKinetic | EPotential | Plugin | User);
    if sensor.objtype == ObjType::Unknown && !without {
        return Err(Error::invalid("the sensed object has no valid type").attribute(attr::OBJTYPE));
    }
    let attributes = attributes(sensor);
    let objid = find(sensor.objtype, &sensor.objname, attributes.0)?;
    let refid = find(sensor.reftype, &sensor.refname, attributes.1)?;
    if sensor.reftype != ObjType::Unknown && !has_frame(sensor.reftype) {
        return Err(
            Error::invalid("the reference object must be an (x)body, geom, site or camera").attribute(attr::REFTYPE)
        );
    }
    Ok((objid, refid))
}

fn has_frame(obj: ObjType) -> bool {
    matches!(obj, ObjType::Body | ObjType::Xbody | ObjType::Geom | ObjType::Site | ObjType::Camera)
}

/// Checks that the sensor can read the object it is attached to.
fn check_objects(
    sensor: &spec::Sensor,
    objid: Option<usize>,
    refid: Option<usize>,
    context: Context<'_>,
) -> Result<()> {
    use SensorType::*;
    let Context { spec, flat, .. } = context;
    let attached = |allowed: &[ObjType]| allowed.contains(&sensor.objtype);
    let joint = |fits: fn(JointType) -> bool| {
        attached(&[ObjType::Joint]) && objid.is_some_and(|id| fits(flat.joints[id].spec.kind))
    };
    let (fits, needs) = match sensor.kind {
        Touch | Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer => {
            (attached(&[ObjType::Site]), "a site")
        }
        Camprojection => {
            let camera = refid.filter(|_| sensor.reftype == ObjType::Camera);
            let sees = camera.is_some_and(|id| flat.cameras[id].spec.resolution.iter().all(|&n| n != 0));
            (attached(&[ObjType::Site]) && sees, "a camera with a resolution")
        }
        Rangefinder => (attached(&[ObjType::Site, ObjType::Camera]), "a site or camera"),
        Jointpos | Jointvel | Jointactfrc => {
            (joint(|k| matches!(k, JointType::Hinge | JointType::Slide)), "a hinge or slide joint")
        }
        Ballquat | Ballangvel => (joint(|k| k == JointType::Ball), "a ball joint"),
        Jointlimitpos | Jointlimitvel | Jointlimitfrc => {
            let limited = |id: usize| is_limited(flat.joints[id].spec.limited, flat.joints[id].spec.range);
            (attached(&[ObjType::Joint]) && objid.is_some_and(limited), "a limited joint")
        }
        Tendonpos | Tendonvel | Tendonactfrc => (attached(&[ObjType::Tendon]), "a tendon"),
        Tendonlimitpos | Tendonlimitvel | Tendonlimitfrc => {
            let limited = |id: usize| is_limited(spec.tendons[id].limited, spec.tendons[id].range);
            (attached(&[ObjType::Tendon]) && objid.is_some_and(limited), "a limited tendon")
        }
        Actuatorpos | Actuatorvel | Actuatorfrc => (attached(&[ObjType::Actuator]), "an actuator"),
        Framepos | Framequat | Framexaxis | Frameyaxis | Framezaxis | Framelinvel | Frameangvel | Framelinacc
        | Frameangacc => (has_frame(sensor.objtype), "an (x)body, geom, site or camera"),
        Insidesite => (
            has_frame(sensor.objtype) && sensor.reftype == ObjType::Site,
            "an (x)body, geom, site or camera, and a site",
        ),
        Subtreecom | Subtreelinvel | Subtreeangmom => (attached(&[ObjType::Body]), "a body"),
        Geomdist | Geomnormal | Geomfromto => return check_distance(sensor, objid, refid, flat),
        Contact => return check_sides(sensor),
        Tactile => (attached(&[ObjType::Mesh]) && sensor.reftype == ObjType::Geom, "a mesh and a geom"),
        EPotential | EKinetic | Clock | User | Plugin => return Ok(()),
    };
    if fits { Ok(()) } else { Err(Error::invalid(format!("the sensor must be attached to {needs}"))) }
}

/// Checks what a contact sensor matches on either side.
fn check_sides(sensor: &spec::Sensor) -> Result<()> {
    let shape = |objtype| matches!(objtype, ObjType::Unknown | ObjType::Body | ObjType::Xbody | ObjType::Geom);
    if !shape(sensor.objtype) && sensor.objtype != ObjType::Site {
        return Err(Error::invalid("first matching criterion: if set, must be (x)body, geom or site"));
    }
    if !shape(sensor.reftype) {
        return Err(Error::invalid("second matching criterion: if set, must be (x)body or geom"));
    }
    Ok(())
}

fn check_distance(sensor: &spec::Sensor, objid: Option<usize>, refid: Option<usize>, flat: &Flat) -> Result<()> {
    let shape = |obj| matches!(obj, ObjType::Body | ObjType::Geom);
    if !shape(sensor.objtype) || !shape(sensor.reftype) {
        return Err(Error::invalid("distances are measured between bodies or geoms"));
    }
    if sensor.objtype == sensor.reftype && objid == refid {
        return Err(Error::invalid("the two bodies or geoms must differ").attribute(attributes(sensor).1));
    }
    let is_hfield = |obj, id: Option<usize>| {
        obj == ObjType::Geom && id.is_some_and(|id| flat.geoms[id].spec.kind == GeomType::Hfield)
    };
    if is_hfield(sensor.objtype, objid) || is_hfield(sensor.reftype, refid) {
        return Err(Error::invalid("distances to height fields cannot be measured"));
    }
    Ok(())
}

/// Checks integer parameters and the declared shape of user sensors.
fn check_parameters(sensor: &spec::Sensor) -> Result<()> {
    let fields = match sensor.kind {
        SensorType::Contact => CONTACT_FIELDS.len(),
        SensorType::Rangefinder => RAY_FIELDS.len(),
        SensorType::User => return check_user_sensor(sensor),
        _ => return Ok(()),
    };
    let [dataspec, reduce, num] = sensor.intprm;
    let contact = sensor.kind == SensorType::Contact;
    let total = if contact { "mjNCONDATA" } else { "mjNRAYDATA" };
    let known = (1 << fields) - 1;
    let data = |message: String| Err(Error::invalid(message).attribute(attr::DATA));
    if dataspec <= 0 {
        return data(format!("data spec (intprm[0]) must be positive, got {dataspec}"));
    }
    if dataspec & known == 0 {
        return data(format!(
            "data spec intprm[0]={dataspec} must have at least one bit set of the first {total} bits"
        ));
    }
    if dataspec > known {
        return data(format!("data spec intprm[0]={dataspec} has bits set beyond the first {total} bits"));
    }
    if contact && !(0..=3).contains(&reduce) {
        return Err(Error::invalid(format!("unknown reduction criterion. got {reduce}")).attribute(attr::REDUCE));
    }
    if contact && num <= 0 {
        return Err(Error::invalid("num (intprm[2]) must be positive in sensor").attribute(attr::NUM));
    }
    Ok(())
}

fn check_user_sensor(sensor: &spec::Sensor) -> Result<()> {
    let problem = match (sensor.datatype, sensor.dim) {
        (_, ..0) => "dim must not be negative",
        (DataType::Axis, dim) if dim != 3 => "an axis needs dim=\"3\"",
        (DataType::Quaternion, dim) if dim != 4 => "a quaternion needs dim=\"4\"",
        _ => return Ok(()),
    };
    Err(Error::invalid(problem).attribute(attr::DIM))
}

/// Data type of every sensor except `user`.
fn data_type(kind: SensorType) -> DataType {
    use SensorType::*;
    match kind {
        Touch | Insidesite => DataType::Positive,
        Framexaxis | Frameyaxis | Framezaxis | Geomnormal => DataType::Axis,
        Ballquat | Framequat => DataType::Quaternion,
        _ => DataType::Real,
    }
}

/// Stage after which every sensor except `user` can be evaluated.
fn need_stage(kind: SensorType) -> Stage {
    use SensorType::*;
    match kind {
        Touch | Accelerometer | Force | Torque | Actuatorfrc | Jointactfrc | Tendonactfrc | Jointlimitfrc
        | Tendonlimitfrc | Framelinacc | Frameangacc | Contact | Tactile => Stage::Acc,
        Velocimeter | Gyro | Jointvel | Tendonvel | Actuatorvel | Ballangvel | Jointlimitvel | Tendonlimitvel
        | Framelinvel | Frameangvel | Subtreelinvel | Subtreeangmom => Stage::Vel,
        _ => Stage::Pos,
    }
}

/// Number of outputs.
fn dimension(sensor: &spec::Sensor, objid: Option<usize>, context: Context<'_>) -> u64 {
    use SensorType::*;
    let chosen = |sizes: &[usize]| selected(sizes, sensor.intprm[0]) as u64;
    match sensor.kind {
        Contact => sensor.intprm[2] as u64 * chosen(&CONTACT_FIELDS),
        Tactile => 3 * objid.map_or(0, |id| context.assets.meshes[id].vert.len() as u64),
        Rangefinder => {
            let rays = match (sensor.objtype, objid) {
                (ObjType::Camera, Some(id)) => {
                    context.flat.cameras[id].spec.resolution.iter().map(|&n| n.max(0) as u64).product()
                }
                _ => 1,
            };
            rays * chosen(&RAY_FIELDS)
        }
        kind => kind.outputs().map_or(sensor.dim as u64, |n| n as u64),
    }
}

/// MJCF element of a sensor.
fn element(kind: SensorType) -> String {
    match kind {
        SensorType::Jointactfrc => "jointactuatorfrc".into(),
        SensorType::Tendonactfrc => "tendonactuatorfrc".into(),
        SensorType::Geomdist => "distance".into(),
        SensorType::Geomnormal => "normal".into(),
        SensorType::Geomfromto => "fromto".into(),
        SensorType::EPotential => "e_potential".into(),
        SensorType::EKinetic => "e_kinetic".into(),
        _ => format!("{kind:?}").to_ascii_lowercase(),
    }
}

/// MJCF attributes that name the sensed and the reference object.
fn attributes(sensor: &spec::Sensor) -> (&'static str, &'static str) {
    use SensorType::*;
    match sensor.kind {
        Geomdist | Geomnormal | Geomfromto | Contact => (
            match sensor.objtype {
                ObjType::Site => "site",
                ObjType::Geom => "geom1",
                ObjType::Xbody => "subtree1",
                _ => "body1",
            },
            match sensor.reftype {
                ObjType::Geom => "geom2",
                ObjType::Xbody => "subtree2",
                _ => "body2",
            },
        ),
        Insidesite => ("objname", "site"),
        Camprojection => ("site", "camera"),
        Tactile => ("mesh", "geom"),
        User | Plugin | Framepos | Framequat | Framexaxis | Frameyaxis | Framezaxis | Framelinvel | Frameangvel
        | Framelinacc | Frameangacc => ("objname", "refname"),
        _ => match sensor.objtype {
            ObjType::Site => ("site", "refname"),
            ObjType::Camera => ("camera", "refname"),
            ObjType::Joint => ("joint", "refname"),
            ObjType::Tendon => ("tendon", "refname"),
            ObjType::Actuator => ("actuator", "refname"),
            ObjType::Body => ("body", "refname"),
            _ => ("objname", "refname"),
        },
    }
}

impl Section for CompiledSensors {
    fn count(&self, sizes: &mut Sizes) {
        sizes.nsensor = self.list.len();
        sizes.nsensordata = self.nsensordata;
        sizes.nuser_sensor = self.nuser;
        sizes.nhistory += self.nhistory;
    }

    fn fill(&self, m: &mut Model) {
        let (mut adr, mut historyadr) = (0, self.history_start as u64);
        for (i, sensor) in self.list.iter().enumerate() {
            let s = &sensor.spec;
            m.sensor_type[i] = s.kind.into();
            m.sensor_datatype[i] = sensor.datatype.into();
            m.sensor_needstage[i] = sensor.needstage.into();
            m.sensor_objtype[i] = s.objtype.into();
            m.sensor_objid[i] = id_or_none(sensor.objid);
            m.sensor_reftype[i] = s.reftype.into();
            m.sensor_refid[i] = id_or_none(sensor.refid);
            m.sensor_intprm[i] = s.intprm;
            m.sensor_dim[i] = sensor.dim as i32;
            m.sensor_adr[i] = adr as i32;
            adr += sensor.dim;
            m.sensor_cutoff[i] = s.cutoff;
            m.sensor_noise[i] = s.noise;
            m.sensor_history[i] = [s.nsample, s.interp];
            m.sensor_historyadr[i] = if s.nsample > 0 { historyadr as i32 } else { -1 };
            historyadr += history_len(s.nsample, sensor.dim);
            m.sensor_delay[i] = s.delay;
            m.sensor_interval[i] = s.interval;
        }
        fill_user(&mut m.sensor_user, self.nuser, self.list.iter().map(|s| s.spec.userdata.as_slice()));
    }
}
