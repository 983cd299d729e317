//! Contact sensors on bodies at rest, whose contact forces are their weights.

mod common;

use common::tolerance::SETTLED;
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

/// A box of 2 kg on the floor with a ball of 1 kg on it.
const STACK: &str = r#"<mujoco><option gravity="0 0 -10"/><worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 .1"><joint type="slide" axis="0 0 1"/><geom name="box" type="box" size=".2 .2 .1" mass="2"/>
      <site name="box" type="box" size=".21 .21 .11"/><site name="corner" pos=".2 .2 -.1" size=".05"/></body>
    <body name="ball" pos="0 0 .3"><joint type="slide" axis="0 0 1"/><geom name="ball" size=".1" mass="1"/>
      <site name="ball" size=".11"/></body>
  </worldbody>
  <sensor><touch site="box"/><touch site="corner"/><touch site="ball"/>
    <contact geom1="box" geom2="floor" reduce="netforce" data="found force pos"/>
    <contact geom1="ball" reduce="maxforce" num="2" data="found force normal"/>
    <contact body1="box" body2="ball" data="found dist normal"/>
    <contact geom1="floor" geom2="ball" data="found force"/>
  </sensor></mujoco>"#;

fn settled() -> (Model, Data) {
    let m = load_str(STACK, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    (0..2000).for_each(|_| step::step(&m, &mut d));
    step::forward(&m, &mut d);
    (m, d)
}

fn assert_near(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < SETTLED), "{got:?} should be {want:?}");
}

#[test]
fn weights_are_felt() {
    let (m, d) = settled();
    let value = |i: usize| &d.sensor.sensordata[m.sensor_range(i)];
    // from below the weight of both, from above that of the ball; one of four corners; the ball's contact
    assert_near(value(0), &[40.0]);
    assert_near(value(1), &[7.5]);
    assert_near(value(2), &[10.0]);
    // four contacts, whose net force acts at the centre; from the box to the floor it points down
    let net = value(3);
    assert_near(&net[..1], &[4.0]);
    assert_near(&net[1..4], &[0.0, 0.0, -30.0]);
    assert_near(&net[4..6], &[0.0, 0.0]);
    // the one contact of the ball: seen from the ball the normal points down, away from it; the second slot stays empty
    let ball = value(4);
    assert_near(&ball[..4], &[1.0, 10.0, 0.0, 0.0]);
    assert_near(&ball[4..7], &[0.0, 0.0, -1.0]);
    assert_near(&ball[7..], &[0.0; 7]);
    let pair = value(5);
    assert!(pair[0] == 1.0 && pair[1] < 0.0 && pair[1] > -1e-2, "{pair:?}");
    assert_near(&pair[2..], &[0.0, 0.0, 1.0]);
    assert_near(value(6), &[0.0; 4]);
}
