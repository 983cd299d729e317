//! Edits that no file can express. MuJoCo loses the same when saving, or saves a file that it cannot read.

use sinew_engine::model::enums::{AlignFree, JointType, ObjType, SensorType, TrnType};
use sinew_mjcf::Spec;
use sinew_mjcf::spec::class::Classes;
use sinew_mjcf::spec::{Body, Camera, Joint, Sensor};

/// The reason, and a function that removes it from the model.
type Row = (&'static str, fn(&mut Spec));

const ROWS: [Row; 11] = [
    ("a mesh has no attribute for a signed distance field; geoms of type `sdf` ask for it", |spec| {
        spec.meshes.iter_mut().for_each(|mesh| mesh.needsdf = false);
    }),
    ("`plugin` of an actuator has no gain, no bias and no `refsite`", |spec| {
        for a in spec.actuators.iter_mut().filter(|a| a.plugin.is_some()) {
            let base = &spec.classes.of(&a.meta.class).actuator;
            (a.gaintype, a.biastype, a.gainprm, a.biasprm) = (base.gaintype, base.biastype, base.gainprm, base.biasprm);
            a.refsite.clear();
        }
    }),
    ("`cranklength` is refused where there is no crank", |spec| {
        for a in spec.actuators.iter_mut().filter(|a| a.trntype != TrnType::Slidercrank) {
            a.cranklength = spec.classes.of(&a.meta.class).actuator.cranklength;
        }
    }),
    ("`user` and `plugin` of sensors have no delay and no interval", |spec| {
        for s in spec.sensors.iter_mut().filter(|s| matches!(s.kind, SensorType::User | SensorType::Plugin)) {
            let Sensor { nsample, interp, delay, interval, .. } = Sensor::default();
            (s.nsample, s.interp, s.delay, s.interval) = (nsample, interp, delay, interval);
        }
    }),
    ("sensors of time and energy have no object", |spec| {
        use SensorType::{Clock, EKinetic, EPotential};
        for s in spec.sensors.iter_mut().filter(|s| matches!(s.kind, Clock | EKinetic | EPotential)) {
            (s.objtype, s.objname) = (ObjType::Unknown, String::new());
        }
    }),
    ("only sensors that are relative to something have a reference", |spec| {
        for s in spec.sensors.iter_mut().filter(|s| !is_relative(s.kind)) {
            (s.reftype, s.refname) = (ObjType::Unknown, String::new());
        }
    }),
    ("only contacts and rays have integer parameters", |spec| {
        for s in &mut spec.sensors {
            match s.kind {
                SensorType::Contact => {}
                SensorType::Rangefinder => s.intprm[1..].fill(0),
                _ => s.intprm.fill(0),
            }
        }
    }),
    ("`plugin` of a sensor has no noise", |spec| {
        spec.sensors.iter_mut().filter(|s| s.kind == SensorType::Plugin).for_each(|s| s.noise = 0.0);
    }),
    ("`tactile` has neither cutoff nor noise", |spec| {
        for s in spec.sensors.iter_mut().filter(|s| s.kind == SensorType::Tactile) {
            (s.cutoff, s.noise) = (0.0, 0.0);
        }
    }),
    ("a camera has `fovy` or `sensorsize`, and a sensor that is not positive leaves `fovy` to count", |spec| {
        let classes = spec.classes.clone();
        each(&mut spec.world, &mut |body| body.cameras.iter_mut().for_each(|c| flat_sensor(c, &classes)));
    }),
    ("only `freejoint` has `align`; other free joints are aligned all or none, by `alignfree`", |spec| {
        let alignfree = spec.compilers.iter().map(|c| c.alignfree).collect::<Vec<_>>();
        let mut wanted = Vec::new();
        each(&mut spec.world, &mut |body| wanted.extend(alignment(body, &alignfree).map(|(_, aligned)| aligned)));
        if wanted.windows(2).any(|pair| pair[0] != pair[1]) {
            let align = if alignfree[0] { AlignFree::True } else { AlignFree::False };
            let mut settle =
                |body: &mut Body| alignment(body, &alignfree).into_iter().for_each(|(j, _)| j.align = align);
            each(&mut spec.world, &mut settle);
        }
    }),
];

/// The model without everything that files cannot express.
pub fn left_out(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    ROWS.iter().for_each(|(_, leave_out)| leave_out(&mut spec));
    spec
}

fn each(body: &mut Body, f: &mut impl FnMut(&mut Body)) {
    f(body);
    body.bodies.iter_mut().for_each(|child| each(child, f));
}

fn is_relative(kind: SensorType) -> bool {
    use SensorType::*;
    let frame = matches!(kind, Framepos | Framequat | Framexaxis | Frameyaxis | Framezaxis | Framelinvel | Frameangvel);
    let pair = matches!(kind, Geomdist | Geomnormal | Geomfromto | Contact | Camprojection | Insidesite | Tactile);
    frame || pair || kind == Plugin
}

fn flat_sensor(camera: &mut Camera, classes: &Classes) {
    let base = &classes.of(&camera.meta.class).camera;
    if camera.fovy != base.fovy && !camera.sensor_size.iter().all(|&x| x > 0.0) {
        camera.sensor_size = base.sensor_size;
    }
}

/// A free joint that a `freejoint` cannot express, where alignment matters, and whether it is aligned.
fn alignment<'b>(body: &'b mut Body, alignfree: &[bool]) -> Option<(&'b mut Joint, bool)> {
    let [joint] = &mut body.joints[..] else { return None };
    let (meta, frame, group, align) = (joint.meta.clone(), joint.frame, joint.group, joint.align);
    let plain = *joint == Joint { meta, frame, group, align, kind: JointType::Free, ..Joint::default() };
    let aligned = match align {
        AlignFree::Auto => alignfree[body.meta.compiler],
        align => align == AlignFree::True,
    };
    (joint.kind == JointType::Free && !plain && body.bodies.is_empty()).then_some((joint, aligned))
}
