//! Effects of commands on a simulation, and the frames that follow.

use sinew_engine::model::enums::{CameraType, PertBits, VisFlag};
use sinew_web::message::{FrameWriter, model_message};
use sinew_web::{Command, Motion, Session};

const XML: &str = r#"<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <camera name="top" pos="0 0 4"/>
    <body name="cart" pos="0 0 .5"><joint type="slide" axis="1 0 0"/><geom type="box" size=".2 .2 .2"/></body>
    <body name="ball" pos="1 0 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="" name="push"/></actuator>
  <keyframe><key qpos="-.5 1 0 2 1 0 0 0"/></keyframe>
</mujoco>"#;

fn session() -> Session {
    let xml = XML.replace(r#"<joint type"#, r#"<joint name="slide" type"#).replace(r#"joint="""#, r#"joint="slide""#);
    let loaded = sinew_mjcf::Loader::new().text(&xml).expect("the model is right");
    let mut session = Session::new(loaded.model);
    session.running = false;
    session
}

#[test]
fn time_passes_in_steps_and_goes_back() {
    let mut s = session();
    assert_eq!(s.data.state.qpos[0], -0.5, "the first keyframe");
    s.apply(Command::Reset([]));
    s.apply(Command::Step([1.0]));
    let (time, qpos) = (s.data.state.time, s.data.state.qpos.to_vec());
    s.apply(Command::Step([2.0]));
    assert!(s.data.state.time > time && s.data.state.qpos[3] < qpos[3], "the ball falls");
    s.apply(Command::Step([-2.0]));
    assert_eq!((s.data.state.time, s.data.state.qpos.to_vec()), (time, qpos));
    s.apply(Command::Run([1.0]));
    assert_eq!(s.advance(0.02, || false), (0.02 / s.model.opt.timestep) as usize);
    let mut asked = 0;
    let steps = s.advance(0.02, || {
        asked += 1;
        asked > 3
    });
    assert_eq!(steps, 3, "it ends when there is no time left");
    s.apply(Command::Step([5.0]));
    assert!(s.data.state.time < 1.0);
}

#[test]
fn commands_of_what_is_not_there_do_nothing() {
    let mut s = session();
    let before = (s.data.state.qpos.to_vec(), s.look.cam.clone());
    for command in [
        Command::Ctrl([7.0, 1.0]),
        Command::Qpos([-1.0, 1.0]),
        Command::Keyframe([3.0]),
        Command::CameraKind([2.0, 9.0]),
        Command::CameraKind([1.0, 1e9]),
        Command::MoveCamera([99.0, 1.0, 1.0]),
        Command::Flag([400.0, 1.0]),
        Command::Group([9.0, 9.0, 1.0]),
        Command::StartPush([1.0]),
        Command::MovePush([3.0, 1.0, 1.0]),
    ] {
        s.apply(command);
        s.see();
    }
    assert_eq!((s.data.state.qpos.to_vec(), s.look.cam.clone()), before);
    assert!(!s.apply(Command::Key([32.0])), "keys are for others");
}

#[test]
fn looks_follow_commands() {
    let mut s = session();
    s.apply(Command::CameraKind([2.0, 0.0]));
    s.apply(Command::Flag([VisFlag::Joint as i32 as f64, 1.0]));
    s.apply(Command::Group([0.0, 5.0, 1.0]));
    s.see();
    assert_eq!((s.look.cam.r#type, s.look.cam.fixedcamid), (CameraType::Fixed as i32, 0));
    assert!(s.look.opt.shows(VisFlag::Joint) && s.look.opt.geomgroup[5] == 1);
    // the camera looks straight down at the floor between the bodies, and from the side at the cart
    s.apply(Command::Select([0.5, 0.5, 1.0]));
    assert_eq!(s.look.pert.select, 0);
    s.apply(Command::CameraKind([1.0, 1.0]));
    s.see();
    s.apply(Command::Select([0.5, 0.5, 1.0]));
    assert_eq!(s.look.pert.select, 1);
}

#[test]
fn a_hand_pulls() {
    let mut s = session();
    s.apply(Command::SelectBody([2.0]));
    s.apply(Command::StartPush([f64::from(PertBits::TRANSLATE.bits())]));
    s.apply(Command::MovePush([3.0, 0.0, -0.3]));
    s.apply(Command::Run([1.0]));
    s.advance(0.05, || false);
    assert!(s.data.state.qvel[3] > 0.0, "upwards, against gravity");
    s.apply(Command::EndPush([]));
    s.advance(0.01, || false);
    assert_eq!(s.data.state.xfrc_applied[2], [0.0; 6]);
}

#[test]
fn motions_are_shown_where_they_fit() {
    let mut s = session();
    let nq = s.model.nq;
    assert!(!s.replay(Motion { time: vec![0.0, 1.0], qpos: vec![0.0; nq] }));
    let qpos = [0.0, 1.0, 2.0].iter().flat_map(|x| [*x, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]).collect();
    assert!(s.replay(Motion { time: vec![1.0, 2.0, 3.0], qpos }));
    for (time, x) in [(0.0, 0.0), (2.5, 1.0), (3.0, 2.0), (9.0, 0.0)] {
        s.apply(Command::Cursor([time]));
        assert_eq!(s.data.state.qpos[0], x, "at {time}");
    }
    s.apply(Command::Step([1.0]));
    assert_eq!((s.data.state.time, s.data.state.qpos[0]), (2.0, 1.0));
    s.apply(Command::Qpos([0.0, 7.0]));
    assert_eq!(s.data.state.qpos[0], 1.0, "what was recorded stays");
}

#[test]
fn frames_tell_what_changed() {
    let mut s = session();
    let mut frames = FrameWriter::default();
    s.see();
    let whole = frames.session(&s).words().len();
    let same = frames.session(&s).words().len();
    let shapes = s.look.scene.shapes().len();
    assert!(whole - same > 20 * shapes, "{whole} words, then {same}");
    s.apply(Command::Qpos([0.0, 0.3]));
    s.see();
    let moved = frames.session(&s).words().len();
    assert!(moved > same && moved < same + 20, "one shape has another pose: {moved} words");
    frames.restart();
    assert_eq!(frames.session(&s).words().len(), whole);
    assert!(
        model_message(&s.model).to_bytes().windows(11).any(|w| w == b"mjtVisFlag\n" || w.starts_with(b"mjtVisFlag"))
    );
}
