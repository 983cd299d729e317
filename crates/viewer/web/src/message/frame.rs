//! A frame: the changes since the last one.

use super::Words;
use crate::look::Look;
use crate::session::Session;
use sinew_engine::{Data, Model};
use sinew_scene::{GlCamera, Light, Scene, Shape};

/// First word of the message.
const MAGIC: u32 = u32::from_le_bytes(*b"SNWF");

/// Flags for the values of a shape that follow its index.
const POSE: u32 = 1;
const LOOKS: u32 = 2;

/// The clock of a simulation, displayed by the page.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    running: bool,
    speed: f64,
    /// Begin and end of a recorded motion. (s)
    span: [f64; 2],
}

/// Packs frames for one page, and remembers the shapes sent to it.
#[derive(Clone, Debug, Default)]
pub struct FrameWriter {
    sent: Vec<Shape>,
    out: Words,
}

impl FrameWriter {
    /// The frame of a session.
    pub fn session(&mut self, session: &Session) -> &Words {
        let span = session.motion().map_or([0.0; 2], |motion| [motion.time[0], motion.time[motion.time.len() - 1]]);
        let clock = Clock { running: session.running, speed: session.speed, span };
        self.pack(&session.model, &session.data, &session.look, clock)
    }

    /// The frame of a simulation stepped elsewhere: whether it runs, and how fast.
    pub fn passive(&mut self, m: &Model, d: &Data, look: &Look, (running, speed): (bool, f64)) -> &Words {
        self.pack(m, d, look, Clock { running, speed, ..Clock::default() })
    }

    /// Forgets what was sent: the next frame is complete.
    pub fn restart(&mut self) {
        self.sent.clear();
    }

    fn pack(&mut self, m: &Model, d: &Data, look: &Look, clock: Clock) -> &Words {
        let out = &mut self.out;
        out.clear();
        out.put(MAGIC);
        status(out, d, look, clock);
        options(out, look);
        values(out, d);
        camera(out, &look.scene.camera[0]);
        let lights = look.scene.lit();
        out.count(lights.len());
        lights.iter().for_each(|l| light(out, l));
        shapes(out, look.scene.shapes(), &mut self.sent);
        flexes(out, &look.scene);
        skins(out, m, &look.scene);
        out
    }
}

fn status(out: &mut Words, d: &Data, look: &Look, clock: Clock) {
    out.int(i32::from(clock.running));
    out.double(d.state.time);
    out.floats(&[clock.speed as f32, clock.span[0] as f32, clock.span[1] as f32]);
    out.count(d.contact.len());
    out.int(d.warning.iter().map(|w| w.number).sum());
    out.floats(&d.sensor.energy.map(|e| e as f32));
    let (pert, cam) = (&look.pert, &look.cam);
    [pert.select, pert.flexselect, pert.skinselect, pert.active].into_iter().for_each(|x| out.int(x));
    [cam.r#type, cam.fixedcamid, cam.trackbodyid].into_iter().for_each(|x| out.int(x));
}

fn options(out: &mut Words, look: &Look) {
    let opt = &look.opt;
    [opt.label, opt.frame, opt.bvh_depth, opt.flex_layer].into_iter().for_each(|x| out.int(x));
    let groups = [
        opt.geomgroup,
        opt.sitegroup,
        opt.jointgroup,
        opt.tendongroup,
        opt.actuatorgroup,
        opt.flexgroup,
        opt.skingroup,
    ];
    out.bytes(&[&opt.flags[..], &look.scene.flags, groups.as_flattened()].concat());
}

fn values(out: &mut Words, d: &Data) {
    for values in [&d.state.qpos, &d.state.ctrl, &d.sensor.sensordata] {
        out.count(values.len());
        values.iter().for_each(|v| out.floats(&[*v as f32]));
    }
}

fn camera(out: &mut Words, c: &GlCamera) {
    [c.pos, c.forward, c.up].iter().for_each(|v| out.floats(v));
    out.floats(&[c.frustum_center, c.frustum_width, c.frustum_bottom, c.frustum_top, c.frustum_near, c.frustum_far]);
    out.int(c.orthographic);
}

fn light(out: &mut Words, l: &Light) {
    [l.r#type, i32::from(l.headlight), i32::from(l.castshadow)].into_iter().for_each(|x| out.int(x));
    [l.pos, l.dir, l.attenuation, l.ambient, l.diffuse, l.specular].iter().for_each(|v| out.floats(v));
    out.floats(&[l.cutoff, l.exponent]);
}

fn shapes(out: &mut Words, shapes: &[Shape], sent: &mut Vec<Shape>) {
    let changes = |shape: &Shape, old: Option<&Shape>| -> u32 {
        let Some(old) = old else { return POSE | LOOKS };
        let moved = shape.pos != old.pos || shape.mat != old.mat;
        let other = Shape { pos: old.pos, mat: old.mat, camdist: old.camdist, ..*shape } != *old;
        (u32::from(moved) * POSE) | (u32::from(other) * LOOKS)
    };
    out.count(shapes.len());
    let at = out.0.len();
    out.count(0);
    let mut changed = 0;
    for (i, shape) in shapes.iter().enumerate() {
        let what = changes(shape, sent.get(i));
        if what == 0 {
            continue;
        }
        changed += 1;
        out.count(i);
        out.put(what);
        if what & POSE != 0 {
            out.floats(&shape.pos);
            out.floats(&shape.mat);
        }
        if what & LOOKS != 0 {
            looks(out, shape);
        }
    }
    out.0[at] = changed;
    sent.clear();
    sent.extend_from_slice(shapes);
}

fn looks(out: &mut Words, s: &Shape) {
    [s.r#type, s.dataid, s.objtype, s.objid, s.category, s.matid, s.texcoord].into_iter().for_each(|x| out.int(x));
    out.floats(&s.size);
    out.floats(&s.rgba);
    out.floats(&[s.emission, s.specular, s.shininess, s.reflectance]);
    out.count(s.label().len());
    out.bytes(s.label().as_bytes());
}

fn flexes(out: &mut Words, scene: &Scene) {
    let options = [scene.flexvertopt, scene.flexedgeopt, scene.flexfaceopt, scene.flexskinopt];
    out.bytes(&options);
    out.int(scene.nflex);
    for f in 0..scene.nflex as usize {
        let (first, used) = (scene.flexfaceadr[f] as usize, scene.flexfaceused[f] as usize);
        out.count(used);
        out.floats(&scene.flexface[9 * first..9 * (first + used)]);
        out.floats(&scene.flexnormal[9 * first..9 * (first + used)]);
        out.floats(&scene.flextexcoord[6 * first..6 * (first + used)]);
        let verts = if options[0] + options[1] > 0 { scene.flexvertnum[f] as usize } else { 0 };
        let first = 3 * scene.flexvertadr[f] as usize;
        out.count(verts);
        out.floats(&scene.flexvert[first..first + 3 * verts]);
    }
}

fn skins(out: &mut Words, m: &Model, scene: &Scene) {
    out.count(m.nskin);
    for s in 0..m.nskin {
        let (first, count) = (3 * scene.skinvertadr[s] as usize, scene.skinvertnum[s] as usize);
        out.count(count);
        out.floats(&scene.skinvert[first..first + 3 * count]);
        out.floats(&scene.skinnormal[first..first + 3 * count]);
    }
}
