//! Steps of a batch do not allocate.

use allocation_counter::measure;
use sinew_batch::BatchSim;
use sinew_engine::{Data, Model};
use sinew_mjcf::{Source, load_str};
use std::sync::Arc;

const MODEL: &str = r#"<mujoco><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .05"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
  <body pos="0 0 .5"><joint name="j" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".05 .2" pos="0 0 -.24"/></body>
</worldbody><actuator><motor joint="j"/></actuator></mujoco>"#;

#[test]
fn a_step_of_all_worlds_allocates_nothing() {
    let model = Arc::new(load_str(MODEL, &Source::default()).expect("the model compiles"));
    let swing = |_: &Model, d: &Data| d.state.qpos[7];
    let mut sim = BatchSim::builder(model, 8).threads(1).task(swing).build().expect("no thread is started");
    let (ctrl, mask) = ([0.5; 8], [false, true, false, false, true, false, false, false]);
    let made = measure(|| {
        for _ in 0..100 {
            sim.step_all(&ctrl).expect("the controls fit");
            sim.reset_where(&mask).expect("the mask fits");
        }
    });
    assert_eq!(made.count_total, 0);
    assert!(sim.outputs().rewards.iter().all(|r| *r != 0.0));
    assert!(sim.world(0).is_some_and(|d| d.contact.len() >= 4), "the box rests on the floor");
}
