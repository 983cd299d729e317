//! A world of a batch is stepped exactly as if it were alone, whatever happens in the others.

use sinew_batch::{BatchError, BatchSim, Task};
use sinew_engine::fields::Fields;
use sinew_engine::hooks::Hooks;
use sinew_engine::sim::SimBuilder;
use sinew_engine::solver::xpbd::Xpbd;
use sinew_engine::step::{StepError, step};
use sinew_engine::support::elastic::NeoHookean;
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_str};
use std::sync::Arc;

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .5"><freejoint/><geom type="capsule" size=".05 .1"/>
      <body pos=".1 0 0"><joint name="a" axis="0 1 0" range="-60 60"/><geom size=".05" pos=".1 0 0"/>
        <body pos=".2 0 0"><joint name="b" axis="0 0 1" damping=".01"/><geom size=".04" pos=".1 0 0"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="a" gear=".3"/><motor joint="b" gear=".1"/></actuator>
</mujoco>"#;

const WORLDS: usize = 13;
const STEPS: usize = 40;

fn model() -> Arc<Model> {
    Arc::new(load_str(MODEL, &Source::default()).expect("the model compiles"))
}

/// Controls that differ between worlds and calls.
fn controls(m: &Model, call: usize) -> Vec<f64> {
    (0..WORLDS * m.nu).map(|i| ((7 * i + 3 * call) as f64).sin()).collect()
}

fn batch(threads: usize) -> BatchSim {
    BatchSim::builder(model(), WORLDS).threads(threads).steps(3).build().expect("threads start")
}

/// Positions and velocities of one world after some calls, stepped without a batch.
fn alone(m: &Model, world: usize, calls: usize) -> Vec<f64> {
    let mut d = Data::new(m);
    for call in 0..calls {
        d.state.ctrl.copy_from_slice(&controls(m, call)[world * m.nu..][..m.nu]);
        (0..3).for_each(|_| step(m, &mut d));
    }
    d.state.qpos.iter().chain(d.state.qvel.iter()).copied().collect()
}

#[test]
fn worlds_are_as_if_alone_on_any_number_of_threads() {
    for threads in [1, 2, 4] {
        let mut sim = batch(threads);
        assert_eq!(sim.threads(), threads);
        let m = sim.model().clone();
        for call in 0..STEPS {
            sim.step_all(&controls(&m, call)).expect("the controls fit");
        }
        let width = m.nq + m.nv;
        for world in 0..WORLDS {
            let row = &sim.outputs().states[world * width..][..width];
            assert_eq!(row, alone(&m, world, STEPS), "world {world}, {threads} threads");
        }
    }
}

/// Threads without a world help with those of others.
#[test]
fn fewer_worlds_than_threads() {
    let mut sim = BatchSim::builder(model(), 2).threads(5).steps(3).build().expect("threads start");
    let m = sim.model().clone();
    for call in 0..STEPS {
        sim.step_all(&controls(&m, call)[..2 * m.nu]).expect("the controls fit");
    }
    let width = m.nq + m.nv;
    (0..2).for_each(|i| assert_eq!(sim.outputs().states[i * width..][..width], alone(&m, i, STEPS), "world {i}"));
}

#[test]
fn a_failed_world_is_reset_and_the_others_do_not_notice() {
    let (mut sim, mut fine) = (batch(2), batch(2));
    let m = sim.model().clone();
    let (width, bad) = (m.nq + m.nv, 5);
    for call in 0..6 {
        let mut ctrl = controls(&m, call);
        fine.step_all(&ctrl).expect("the controls fit");
        if call == 2 {
            ctrl[bad * m.nu + 1] = f64::NAN;
        }
        let out = sim.step_all(&ctrl).expect("the controls fit");
        for world in 0..WORLDS {
            let failed = call == 2 && world == bad;
            assert_eq!(out.errors[world], failed.then_some(StepError::BadCtrl(1)));
            assert_eq!(out.terminated[world], failed);
            let rows = [&out.states, &fine.outputs().states].map(|s| &s[world * width..][..width]);
            assert_eq!(rows[0] == rows[1], call < 2 || world != bad, "world {world}, call {call}");
        }
    }
    let time = sim.world(bad).map(|d| d.state.time);
    assert_eq!(time, Some((0..9).fold(0.0, |t, _| t + m.opt.timestep)), "started anew after the failure");
}

#[test]
fn unstable_positions_fail_too() {
    let mut sim = batch(2);
    let m = sim.model().clone();
    sim.world_mut(3).expect("world 3 exists").state.qpos[0] = f64::INFINITY;
    let out = sim.step_all(&controls(&m, 0)).expect("the controls fit");
    assert_eq!(out.errors[3], Some(StepError::BadQpos(0)));
    assert_eq!(out.errors.iter().flatten().count(), 1);
}

/// With several threads, the last worlds are stepped piecewise.
#[test]
fn a_world_fails_in_the_same_step_on_any_number_of_threads() {
    let (bad, speed) = (WORLDS - 1, 1e9);
    let run = |threads| {
        let mut sim = BatchSim::builder(model(), WORLDS).threads(threads).steps(5).build().expect("threads start");
        let m = sim.model().clone();
        let state = sim.state_mut(bad).expect("it exists");
        // exceeds the position limit after three steps
        (state.qpos[0], state.qvel[0]) = (1e10 - 2.5 * m.opt.timestep * speed, speed);
        let calls = (0..3).map(|call| sim.step_all(&controls(&m, call)).expect("the controls fit").clone());
        let calls: Vec<_> = calls.collect();
        let times: Vec<_> = (0..WORLDS).map(|i| sim.state(i).map(|s| s.time)).collect();
        (calls, times)
    };
    let one = run(1);
    assert_eq!(one.0[0].errors[bad], Some(StepError::BadQpos(0)));
    assert!(one.0[1].errors.iter().all(Option::is_none), "it starts anew");
    assert!(one.0[0].states[bad * 17] > 1e10, "three steps were taken");
    (2..5).for_each(|threads| assert_eq!(run(threads), one, "{threads} threads"));
}

#[test]
fn resets_touch_only_what_they_name() {
    let mut sim = batch(2);
    let m = sim.model().clone();
    sim.step_all(&controls(&m, 0)).expect("the controls fit");
    let before = sim.outputs().states.clone();
    let mask: Vec<bool> = (0..WORLDS).map(|i| i % 3 == 0).collect();
    sim.reset_where(&mask).expect("the mask fits");
    let width = m.nq + m.nv;
    for world in 0..WORLDS {
        let row = &sim.outputs().states[world * width..][..width];
        if mask[world] {
            assert_eq!(row[..m.nq], m.qpos0[..]);
            assert_eq!(sim.world(world).map(|d| d.state.time), Some(0.0));
        } else {
            assert_eq!(row, &before[world * width..][..width]);
        }
    }
    assert!(matches!(sim.reset_where(&[true]), Err(BatchError::Mask { got: 1, worlds: WORLDS })));
    assert!(matches!(sim.reset(WORLDS), Err(BatchError::World { index: WORLDS, .. })));
    assert!(matches!(sim.step_all(&[0.0]), Err(BatchError::Controls { got: 1, .. })));
}

/// Falls for a while, from a height that depends on the world.
struct Fall;

impl Task for Fall {
    fn reward(&self, m: &Model, d: &Data) -> f64 {
        -d.state.qvel[2] * m.opt.timestep
    }
    fn terminated(&self, _m: &Model, d: &Data) -> bool {
        d.state.qpos[2] < 2.0
    }
    fn truncated(&self, m: &Model, d: &Data) -> bool {
        d.state.time > 9.5 * m.opt.timestep
    }
    fn reset(&self, _m: &Model, d: &mut Data, world: usize) {
        d.state.qpos[2] = 2.0 + 3e-4 * world as f64;
    }
}

#[test]
fn tasks_reward_and_end() {
    let mut sim = BatchSim::builder(model(), WORLDS).threads(2).task(Fall).build().expect("threads start");
    let m = sim.model().clone();
    let ctrl = vec![0.0; WORLDS * m.nu];
    for _ in 0..10 {
        sim.step_all(&ctrl).expect("the controls fit");
    }
    for i in 0..WORLDS {
        let (out, d) = (sim.outputs(), &sim.world(i).expect("the world exists").state);
        assert_eq!(out.rewards[i], -d.qvel[2] * m.opt.timestep);
        assert_eq!(out.terminated[i], d.qpos[2] < 2.0);
        assert!(out.truncated[i]);
    }
    let ended = sim.outputs().terminated.clone();
    assert!(ended[0] && !ended[WORLDS - 1], "lower worlds end first");
}

#[test]
fn a_closure_is_a_task() {
    let height = |_: &Model, d: &Data| d.state.qpos[2];
    let mut sim = BatchSim::builder(model(), WORLDS).task(height).build().expect("threads start");
    let m = sim.model().clone();
    let out = sim.step_all(&controls(&m, 0)).expect("the controls fit").clone();
    (0..WORLDS).for_each(|i| assert_eq!(out.rewards[i], out.states[i * (m.nq + m.nv) + 2]));
    assert!(out.terminated.iter().chain(&out.truncated).all(|end| !end));
}

#[test]
fn empty_batches_and_empty_models_step() {
    let mut none = BatchSim::new(model(), 0).expect("threads start");
    assert!(none.is_empty() && none.step_all(&[]).is_ok());
    let rigid = Arc::new(load_str("<mujoco/>", &Source::default()).expect("the model compiles"));
    let mut sim = BatchSim::builder(rigid, 9).threads(2).build().expect("threads start");
    sim.step_all(&[]).expect("the controls fit");
    assert!((0..9).all(|i| sim.world(i).is_some_and(|d| d.state.time > 0.0)));
}

/// Two limits, and each world has reached a different one: the same number of rows, but for different dofs.
#[test]
fn a_stage_of_one_world_knows_nothing_of_the_others() {
    let xml = r#"<mujoco><option jacobian="dense" gravity="0 0 0"><flag contact="disable"/></option><default><joint axis="0 1 0" limited="true" range="-10 10"/></default><worldbody>
      <body><joint/><geom size=".1" pos=".2 0 0"/>
        <body pos=".4 0 0"><joint/><geom size=".1" pos=".2 0 0"/></body></body>
    </worldbody></mujoco>"#;
    let m = Arc::new(load_str(xml, &Source::default()).expect("the model compiles"));
    let mut sim = BatchSim::builder(m.clone(), 2).threads(1).build().expect("no thread is started");
    let mut lone = [Data::new(&m), Data::new(&m)];
    for (i, d) in lone.iter_mut().enumerate() {
        d.state.qpos[i] = 0.2;
        sim.world_mut(i).expect("it exists").state.qpos[i] = 0.2;
        (0..2).for_each(|_| step(&m, d));
    }
    for _ in 0..2 {
        sim.step_all(&[]).expect("there are no controls");
    }
    for (i, want) in lone.iter_mut().enumerate() {
        let got = sim.world_mut(i).expect("it exists");
        for d in [&mut *got, &mut *want] {
            assert_eq!(d.efc.nefc, 1);
            sinew_engine::step::fwd_constraint(&m, d);
        }
        assert!(want.accel.qfrc_constraint[i] != 0.0);
        assert_eq!(got.accel.qfrc_constraint[..], want.accel.qfrc_constraint[..], "world {i}");
    }
}

/// Workspaces are passed from world to world, so their contents must not matter: any stage of a step, called on a world
/// between steps of the batch, does the same as in a separate simulation, for every integrator.
#[test]
fn parts_of_a_step_on_a_world_are_those_of_the_world() {
    let xml = r#"<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="5 5 .1"/>
      <body><joint name="a" type="slide" axis="1 0 0" limited="true" range="-1 0" stiffness="3"/><geom size=".1" mass="1" contype="0"/></body>
      <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0" damping=".1"/><geom size=".1" mass="2" contype="0"/></body>
      <body pos="2 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
      <tendon><fixed stiffness="1e4" damping="1"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
      <actuator><motor joint="a"/></actuator></mujoco>"#;
    let parts: [fn(&Model, &mut Data); 6] = [
        sinew_engine::step::fwd_constraint,
        sinew_engine::step::fwd_acceleration,
        |m, d| sinew_engine::step::fwd_actuation(m, d, &mut ()),
        |m, d| sinew_engine::step::fwd_velocity(m, d, &mut ()),
        |m, d| sinew_engine::step::fwd_position(m, d, &mut ()),
        |m, d| sinew_engine::step::step2(m, d, &mut ()),
    ];
    for integrator in ["Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"] {
        let xml = xml.replace("timestep", &format!(r#"integrator="{integrator}" timestep"#));
        let m = Arc::new(load_str(&xml, &Source::default()).expect("the model compiles"));
        for first in 0..parts.len() {
            let mut sim = BatchSim::builder(m.clone(), 3).threads(1).build().expect("no thread is started");
            let mut lone = [Data::new(&m), Data::new(&m), Data::new(&m)];
            for (i, d) in lone.iter_mut().enumerate() {
                for d in [&mut *d, sim.world_mut(i).expect("it exists")] {
                    d.state.qpos[0] = 0.001 * (i + 1) as f64;
                    d.state.qvel[1] = -0.3 * i as f64;
                }
                d.state.ctrl[0] = i as f64;
                (0..3).for_each(|_| step(&m, d));
            }
            (0..3).for_each(|_| {
                sim.step_all(&[0.0, 1.0, 2.0]).expect("a control for each");
            });
            for (i, want) in lone.iter_mut().enumerate() {
                let got = sim.world_mut(i).expect("it exists");
                for d in [&mut *got, &mut *want] {
                    parts[..=first].iter().rev().for_each(|part| part(&m, d));
                }
                for (k, info) in Data::FIELDS.iter().enumerate() {
                    assert_eq!(got.field(k), want.field(k), "{integrator}, part {first}, world {i}: {}", info.name);
                }
            }
        }
    }
}

/// Worlds with custom parts behave as simulations with these parts, on any number of threads.
#[test]
fn parts_of_ones_own_are_those_of_a_simulation() {
    /// Actuates the first joint with the number of steps since the call began.
    #[derive(Clone, Debug, Default)]
    struct Pull(f64);
    impl Hooks for Pull {
        fn control(&mut self, _m: &Model, d: &mut Data) {
            self.0 += 1.0;
            d.state.qfrc_applied[0] = 0.1 * self.0;
        }
    }
    let xml = r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/>
      </body><body pos="1 0 1" name="b"><flexcomp name="f" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3">
      <elasticity young="1e4"/></flexcomp></body></worldbody></mujoco>"#;
    let m = Arc::new(load_str(xml, &Source::default()).expect("the model compiles"));
    let builder = SimBuilder::new().elasticity(NeoHookean::from_model()).solver(Xpbd::new(2)).hooks(Pull::default());
    let mut sim = builder.clone().build(m.clone()).expect("it fits");
    (0..40).for_each(|_| sim.step().expect("the motion is tame"));
    for threads in [1, 3] {
        let parts = builder.clone().parts(&m).expect("it fits");
        let all = BatchSim::builder(m.clone(), 5).threads(threads).steps(40).parts(parts);
        let mut worlds = all.build().expect("there is room");
        let out = worlds.step_all(&[]).expect("there are no controls");
        for world in out.states.chunks_exact(m.nq + m.nv) {
            assert_eq!(world[..m.nq], sim.data().state.qpos[..]);
            assert_eq!(world[m.nq..], sim.data().state.qvel[..]);
        }
    }
}
