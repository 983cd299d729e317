//! Varied models under random controls and pushes, from extreme states: every step must return, and its result must be
//! finite unless its input was not.

use crate::common::{Random, seeds};
use crate::watch::Watch;
use sinew_engine::model::enums::{JointType, Warning};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};
use std::fmt::Write;

/// Steps per run; a run is one input.
const STEPS: u64 = 200;
/// Extreme values.
const EDGE: [f64; 14] =
    [0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e-16, 1.0, -1.0, std::f64::consts::PI, 1e8, -1e9, 1e12, 1e150, f64::MAX];

/// A model and its source text.
struct Scene {
    xml: String,
    model: Model,
}

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let mut random = Random(seed);
    let mut scenes: Vec<Scene> = Vec::new();
    let known: Vec<_> = seeds();
    let mut age = 0;
    while watch.goes_on() {
        // a few scenes at a time, each used for several runs
        if age % 200 == 0 {
            scenes = fresh(&known, &mut random);
        }
        age += 1;
        let which = random.below(scenes.len());
        let start = random.next();
        let scene = &scenes[which];
        let input =
            [("model.xml".to_string(), scene.xml.clone().into_bytes()), ("seed.txt".into(), start.to_string().into())];
        watch.run(&input, || soak(&scene.model, Random(start)));
        watch.steps(STEPS);
    }
}

/// Scenes from the seeds, and random new ones.
fn fresh(known: &[crate::common::Input], random: &mut Random) -> Vec<Scene> {
    let loaded = |xml: String, source: &Source| load_str(&xml, source).ok().map(|model| Scene { xml, model });
    let seed = random.pick(known).clone();
    let first = loaded(String::from_utf8_lossy(&seed.xml).into_owned(), &Source::with_files(seed.files));
    let drawn = (0..12).filter_map(|_| loaded(draw(random), &Source::default()));
    first.into_iter().chain(drawn.collect::<Vec<_>>()).collect()
}

/// A small model: a tree of bodies over a floor, with motors.
fn draw(random: &mut Random) -> String {
    let solver = random.pick(&["Newton", "CG", "PGS"]);
    let integrator = random.pick(&["Euler", "RK4", "implicit", "implicitfast"]);
    let cone = random.pick(&["pyramidal", "elliptic"]);
    let mut out = format!(
        "<mujoco><option solver='{solver}' integrator='{integrator}' cone='{cone}'/><worldbody><geom type='plane' size='5 5 .1'/>"
    );
    let (mut open, mut motors) = (0, String::new());
    for i in 0..=random.below(6) {
        if open > 0 && random.below(3) == 0 {
            out.push_str("</body>");
            open -= 1;
        }
        let joint = if open == 0 {
            random.pick(&["free", "hinge", "slide", "ball"])
        } else {
            random.pick(&["hinge", "ball", "slide"])
        };
        let shape = random.pick(&["sphere", "capsule", "box", "ellipsoid", "cylinder"]);
        let (x, z) = (random.below(5) as f64 * 0.1 - 0.2, random.below(5) as f64 * 0.1);
        let _ = write!(
            out,
            "<body pos='{x} 0 {z}'><joint name='j{i}' type='{joint}' axis='0 {} 1'/><geom type='{shape}' size='.1 .07 .05' condim='{}'/>",
            random.below(2),
            random.pick(&[1, 3, 4, 6])
        );
        open += 1;
        if joint != &"free" {
            let _ = write!(motors, "<motor joint='j{i}' gear='{}'/>", random.below(20));
        }
    }
    (0..open).for_each(|_| out.push_str("</body>"));
    let _ = write!(out, "</worldbody><actuator>{motors}</actuator></mujoco>");
    out
}

fn soak(m: &Model, mut random: Random) -> Result<String, String> {
    let mut d = Data::try_new(m).map_err(|e| e.to_string())?;
    let edge = random.below(2) == 0;
    if edge {
        start_at_edge(m, &mut d, &mut random);
    }
    let big = edge && random.below(3) == 0;
    for i in 0..STEPS {
        if i % 10 == 0 {
            push(&mut d, big, &mut random);
        }
        step::step(m, &mut d);
    }
    let state = d.state.qpos.iter().chain(d.state.qvel.iter());
    let finite = state.clone().all(|x| x.is_finite());
    let warned =
        [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc].iter().any(|&w| d.warning[w as usize].number > 0);
    match (finite, edge, warned) {
        (true, _, false) => Ok("finite".into()),
        (true, _, true) => Ok("reset with a warning".into()),
        // the checks of the next step catch non-finite results of this one
        (false, true, _) => Ok("not finite after an edge".into()),
        (false, false, _) => Err("not finite from an ordinary state".into()),
    }
}

/// Sets an extreme state: invalid quaternions, huge values, bodies exactly in line.
fn start_at_edge(m: &Model, d: &mut Data, random: &mut Random) {
    for j in 0..m.njnt {
        let at = m.jnt_qposadr[j] as usize;
        let (skip, len) = match JointType::try_from(m.jnt_type[j]) {
            Ok(JointType::Free) => (3, 4),
            Ok(JointType::Ball) => (0, 4),
            _ => (0, 1),
        };
        for i in at + skip..at + skip + len {
            d.state.qpos[i] = if len == 4 && random.below(3) == 0 { 0.0 } else { *random.pick(&EDGE) };
        }
        if skip > 0 && random.below(2) == 0 {
            (at..at + 3).for_each(|i| d.state.qpos[i] = *random.pick(&EDGE[..9]));
        }
    }
    for v in d.state.qvel.iter_mut() {
        *v = if random.below(2) == 0 { 0.0 } else { *random.pick(&EDGE) };
    }
}

fn push(d: &mut Data, big: bool, random: &mut Random) {
    let mut some =
        |scale: f64| if big { *random.pick(&EDGE) } else { scale * (random.below(2001) as f64 / 1000.0 - 1.0) };
    d.state.ctrl.iter_mut().for_each(|c| *c = some(1.0));
    d.state.qfrc_applied.iter_mut().for_each(|f| *f = some(1.0));
    for force in d.state.xfrc_applied.iter_mut().skip(1) {
        force[..3].iter_mut().for_each(|f| *f = some(5.0));
    }
}
