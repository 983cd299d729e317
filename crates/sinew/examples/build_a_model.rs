//! Builds a model in a program: parts from a file, a table made here, joined, saved, and changed while it moves.

use sinew::enums::{ObjType, TrnType};
use sinew::mjcf::read_str;
use sinew::mjcf::spec::{Actuator, Geom, Joint, Live, Site, Spec};
use sinew::prelude::*;

const ARM: &str = r#"<mujoco model="arm">
  <default><geom type="capsule" size=".02 .15"/><default class="hand"><geom type="box" size=".03 .03 .03"/></default></default>
  <worldbody><body name="upper"><joint name="shoulder" axis="0 1 0" damping=".5"/><geom pos="0 0 .15"/>
    <body name="lower" pos="0 0 .3"><joint name="elbow" axis="0 1 0" damping=".5"/><geom class="hand"/></body></body></worldbody>
  <keyframe><key name="bent" qpos=".4 .8"/></keyframe></mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut spec = Spec::default();
    spec.modelname = "bench".into();
    spec.option.timestep = 0.002;
    let table = spec.add_body(None, "table")?;
    let top = spec.body_at(table)?;
    top.pos = [0.0, 0.0, 0.5];
    top.geoms.push(Geom::named("top").with_kind(GeomType::Box).with_size([0.5, 0.3, 0.02]));
    top.sites.push(Site::named("corner").with_pos([0.4, 0.2, 0.02]));

    // two arms from one file, side by side
    let mut arm = read_str(ARM, &Source::default())?;
    for (side, y) in [("left_", -0.2), ("right_", 0.2)] {
        let mount = spec.add_to(table, None, ObjType::Frame, None)?;
        spec.attach(mount, &mut arm, None, side, "")?;
        let body = spec.find(ObjType::Body, &format!("{side}upper"))?;
        spec.body_at(body)?.pos[1] = y;
        let target = format!("{side}elbow");
        let motor = Actuator::named(format!("{side}motor")).with_trntype(TrnType::Joint).with_target(target);
        spec.actuators.push(motor.with_gear([5.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    }
    println!("{}", spec.to_xml());

    // errors suggest similar names, and point at the line that made a wrong element
    let wrong = spec.find(ObjType::Joint, "left_elbo").unwrap_err();
    assert!(wrong.to_string().contains("did you mean 'left_elbow'?"));
    let mut broken = spec.clone();
    let shapeless = broken.find(ObjType::Body, "left_lower")?;
    broken.body_at(shapeless)?.geoms.push(Geom::named("flat")); // a sphere without a radius
    let error = Live::new(broken).unwrap_err();
    assert_eq!(error.loc.line, line!() - 2);
    println!("{error}");

    // a model that changes while it moves
    let mut live = Live::new(spec)?;
    live.model.key("left_bent")?.reset(&mut live.data);
    for _ in 0..100 {
        step(&live.model, &mut live.data);
    }
    let angle = live.model.joint("left_elbow")?.qpos(&live.data)[0];
    let hand = live.spec.find(ObjType::Body, "left_lower")?;
    live.spec.body_at(hand)?.geoms.push(Geom::named("tool").with_size([0.05, 0.0, 0.0]).with_pos([0.0, 0.0, 0.2]));
    let ball = live.spec.add_body(None, "ball")?;
    live.spec.body_at(ball)?.joints.push(Joint::named("free").with_kind(JointType::Free));
    live.spec.body_at(ball)?.geoms.push(Geom::named("ball").with_size([0.1, 0.0, 0.0]));
    live.recompile()?;
    assert_eq!(live.model.joint("left_elbow")?.qpos(&live.data)[0], angle);
    assert_eq!(live.model.njnt, 5);
    step(&live.model, &mut live.data);
    Ok(())
}
