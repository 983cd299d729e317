//! Worlds store little, but everything can be read: the results of the last step are recomputed bit for bit, in any
//! order of access and on any number of threads.

use sinew_batch::{BatchError, BatchSim, Outputs, Pool, Values, Worlds};
use sinew_engine::fields::{Fields, Slice};
use sinew_engine::step::{StepError, rne_post_constraint, step};
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_str};
use std::sync::Arc;

/// Arms above a floor that only some worlds reach, using all stages: sensors, tendons, limits, energy.
const MODEL: &str = r#"<mujoco><option timestep=".005"><flag energy="enable"/></option><worldbody>
  <geom type="plane" size="5 5 .1"/><light pos="0 0 2"/><camera pos="0 -1 1" mode="trackcom"/>
  <body name="one" pos="0 0 .3"><freejoint/><geom type="capsule" size=".05 .1"/><site name="s" pos=".1 0 0"/>
    <body pos=".1 0 0"><joint name="a" axis="0 1 0" range="-60 60" frictionloss=".01"/><geom size=".05" pos=".1 0 0"/></body></body>
  <body pos="1 0 .06"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
</worldbody>
<tendon><fixed name="t" stiffness="1"><joint joint="a" coef="2"/></fixed></tendon>
<actuator><motor joint="a" gear=".3"/></actuator>
<sensor><subtreelinvel body="one"/><accelerometer site="s"/><tendonpos tendon="t"/></sensor></mujoco>"#;
const SLEEPY: &str = r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .05"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
  <body pos="1 0 .05" sleep="init"><freejoint/><geom type="box" size=".05 .05 .05"/></body></worldbody></mujoco>"#;
const WORLDS: usize = 11;
const STEPS: usize = 3;

fn load(xml: &str) -> Arc<Model> {
    Arc::new(load_str(xml, &Source::default()).expect("the model compiles"))
}

fn height(world: usize) -> f64 {
    0.1 + 0.1 * world as f64
}

fn controls(m: &Model, call: usize) -> Vec<f64> {
    (0..WORLDS * m.nu).map(|i| ((7 * i + 3 * call) as f64).sin()).collect()
}

fn worlds(m: &Model, threads: usize) -> (Worlds, Outputs) {
    let pool = Pool::new(threads).expect("threads start");
    let mut all = Worlds::new(m, WORLDS, pool).expect("there is room");
    (0..WORLDS).for_each(|i| all.state_mut(i).expect("it exists").qpos[2] = height(i));
    (all, Outputs::new(m, WORLDS).expect("there is room"))
}

fn alone(m: &Model) -> Vec<Data> {
    let one = |i| {
        let mut d = Data::new(m);
        d.state.qpos[2] = height(i);
        d
    };
    (0..WORLDS).map(one).collect()
}

fn step_alone(m: &Model, all: &mut [Data], call: usize) {
    for (d, u) in all.iter_mut().zip(controls(m, call).chunks(m.nu.max(1))) {
        d.state.ctrl.copy_from_slice(u);
        (0..STEPS).for_each(|_| step(m, d));
    }
}

fn same(got: Values<'_>, want: Slice<'_>) -> bool {
    match (got, want) {
        (Values::Field(got), want) => got == want,
        (Values::Kept(got), Slice::F64(want)) => got == want,
        (Values::Kept(got), Slice::I32(want)) => got.iter().zip(want).all(|(a, b)| *a == f64::from(*b)),
        (Values::Kept(got), Slice::U8(want)) => got.iter().zip(want).all(|(a, b)| *a == f64::from(*b)),
        _ => false,
    }
}

/// Rows of the table whose fields have a fixed length.
fn fixed() -> impl Iterator<Item = usize> {
    (0..Data::FIELDS.len()).filter(|&row| !Data::FIELDS[row].grows())
}

#[test]
fn fields_that_are_read_are_those_of_simulations_alone() {
    let m = load(MODEL);
    for threads in [1, 2, 4] {
        let ((mut all, mut out), mut lone) = (worlds(&m, threads), alone(&m));
        for call in 0..12 {
            all.step(&m, &(), STEPS, &controls(&m, call), &mut out).expect("the controls fit");
            step_alone(&m, &mut lone, call);
            // a third of the fields from the first call, the others only later
            for row in fixed().filter(|row| call >= 4 * (row % 3)) {
                all.watch(&m, row).expect("the model is as it was");
                for (i, d) in lone.iter().enumerate() {
                    let got = all.values(i, row).expect("it is watched");
                    let name = Data::FIELDS[row].name;
                    assert!(
                        same(got, d.field(row)),
                        "{name} of world {i}, call {call}, {threads} threads: {got:?} {:?}",
                        d.field(row)
                    );
                }
            }
        }
        let contacts: Vec<usize> = lone.iter().map(|d| d.contact.len()).collect();
        assert!(contacts.iter().any(|n| *n > 4) && contacts.contains(&4), "worlds differ: {contacts:?}");
    }
}

#[test]
fn a_world_is_seen_with_its_rows_and_contacts() {
    let m = load(MODEL);
    let mut sims = [false, true].map(|whole| {
        let builder = BatchSim::builder(m.clone(), WORLDS).threads(2).steps(STEPS);
        let builder = if whole { builder.whole() } else { builder };
        let mut sim = builder.build().expect("there is room");
        (0..WORLDS).for_each(|i| sim.state_mut(i).expect("it exists").qpos[2] = height(i));
        sim
    });
    for call in 0..10 {
        sims.iter_mut().for_each(|sim| drop(sim.step_all(&controls(&m, call)).expect("the controls fit").clone()));
        for i in (call % 2..WORLDS).step_by(2) {
            let [got, want] = [0, 1].map(|k| sims[k].world(i).expect("it exists"));
            (0..Data::FIELDS.len()).for_each(|k| assert_eq!(got.field(k), want.field(k), "{}", Data::FIELDS[k].name));
            assert_eq!(got.contact, want.contact);
        }
    }
    assert!(sims[0].nbytes() / WORLDS < sims[1].nbytes() / WORLDS);
}

#[test]
fn forces_between_bodies_are_those_of_simulations_alone() {
    let m = load(MODEL);
    let ((mut all, mut out), mut lone) = (worlds(&m, 2), alone(&m));
    let row = Data::index_of("cfrc_ext").expect("it is in the table");
    for call in 0..8 {
        all.step(&m, &(), STEPS, &controls(&m, call), &mut out).expect("the controls fit");
        step_alone(&m, &mut lone, call);
        if call == 5 {
            all.state_mut(3).expect("it exists").xfrc_applied[1][0] = 7.0;
            lone[3].state.xfrc_applied[1][0] = 7.0;
        }
        all.rne_post_constraint(&m, |_| true).expect("the model is as it was");
        lone.iter_mut().for_each(|d| rne_post_constraint(&m, d));
        all.watch(&m, row).expect("the model is as it was");
        for (i, d) in lone.iter().enumerate() {
            assert!(same(all.values(i, row).expect("it is watched"), d.field(row)), "world {i}, call {call}");
        }
    }
    all.reset(&m, &(), 2).expect("it exists");
    all.forward(&m, |i| i == 2).expect("threads are there");
    let Some(Values::Kept(fresh)) = all.values(2, row) else { panic!("it is watched") };
    assert!(fresh.iter().all(|x| *x == 0.0), "those of other worlds are not its own");
}

#[test]
fn a_model_that_has_changed_is_an_error_and_not_another_number() {
    let mut m = Model::clone(&load(MODEL));
    let (mut all, mut out) = worlds(&m, 2);
    let [early, late] = ["xpos", "qacc"].map(|name| Data::index_of(name).expect("it is in the table"));
    all.watch(&m, early).expect("the model is as it was");
    all.step(&m, &(), STEPS, &controls(&m, 0), &mut out).expect("the controls fit");
    let before = format!("{:?}", all.values(0, early));
    m.body_mass[1] *= 2.0;
    all.watch(&m, early).expect("it has been kept");
    assert_eq!(format!("{:?}", all.values(0, early)), before);
    assert!(matches!(all.watch(&m, late), Err(BatchError::Changed { index: 0 })));
    all.step(&m, &(), STEPS, &controls(&m, 1), &mut out).expect("the controls fit");
    all.watch(&m, late).expect("the step was one of this model");
}

#[test]
fn failed_worlds_show_the_same_on_any_number_of_threads() {
    let m = load(MODEL);
    let rows: Vec<usize> = fixed().collect();
    let run = |threads| {
        let (mut all, mut out) = worlds(&m, threads);
        for call in 0..3 {
            let mut ctrl = controls(&m, call);
            ctrl[4] = if call == 2 { f64::NAN } else { ctrl[4] };
            all.step(&m, &(), STEPS, &ctrl, &mut out).expect("the controls fit");
        }
        assert_eq!(out.errors[4], Some(StepError::BadCtrl(0)));
        rows.iter().for_each(|&row| all.watch(&m, row).expect("the model is as it was"));
        format!("{:?}", rows.iter().map(|&row| all.values(4, row)).collect::<Vec<_>>())
    };
    let one = run(1);
    assert!([2, 3, 4].into_iter().all(|threads| run(threads) == one));
}

#[test]
fn trees_that_sleep_keep_their_poses() {
    let m = load(SLEEPY);
    let ((mut all, mut out), mut lone) = (worlds(&m, 2), alone(&m));
    for call in 0..200 {
        all.step(&m, &(), STEPS, &[], &mut out).expect("there are no controls");
        lone.iter_mut().for_each(|d| (0..STEPS).for_each(|_| step(&m, d)));
        for (i, want) in lone.iter().enumerate().filter(|_| call % 20 == 19) {
            let got = all.get(&m, i).expect("it exists");
            fixed().for_each(|k| assert_eq!(got.field(k), want.field(k), "{}", Data::FIELDS[k].name));
        }
    }
    assert!(lone[0].state.tree_asleep.iter().all(|&t| t >= 0), "both sleep");
}
