//! A batch through its public functions, on emulated lanes: masks, resets, capacity, bad numbers, independence of the
//! position in the batch.

use sinew_engine::Model;
use sinew_gpu::emulate::compiler;
use sinew_gpu::{BatchSim, Capacity, Chosen, Device, Given, GpuError, Plan, Settings, Status};

/// A box that lands on its corners, and a pendulum with a motor.
const MODEL: &str = r#"<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" friction="1 .01 .001"/></body>
<body pos="2 0 1"><joint name="h" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" contype="0" conaffinity="0"/></body>
<body name="m" mocap="true" pos="0 3 1"/></worldbody>
<actuator><motor joint="h"/></actuator>
<keyframe><key time="2" qpos="0 0 .099 1 0 0 0 .5" qvel="0 0 0 0 0 0 .1" ctrl=".3" mpos="0 4 1" mquat="0 1 0 0"/></keyframe></mujoco>"#;

/// Emulated lanes, or the GPU that `cargo xtask gpu` selects.
fn device() -> Device {
    std::env::var("SINEW_GPU_DEVICE").ok().and_then(|d| d.parse().ok()).map_or(Device::Emulated, Device::Gpu)
}

fn model() -> Option<Model> {
    if device() == Device::Emulated && compiler().is_none() {
        eprintln!("skipped: no C++ compiler to emulate a GPU with");
        return None;
    }
    Some(sinew_mjcf::load_str(MODEL, &sinew_mjcf::Source::default()).expect("the model"))
}

fn batch(m: &Model, nworld: usize, capacity: Option<(usize, usize)>) -> BatchSim {
    let capacity = capacity.map(|(contacts, rows)| Capacity { contacts, rows });
    let settings = Settings { capacity, outputs: vec!["xpos".into(), "qacc".into()], ..Settings::default() };
    BatchSim::new(m, nworld, device(), &settings).expect("a batch")
}

/// Bit patterns of all arrays, per world.
fn bits(sim: &BatchSim) -> Vec<Vec<u32>> {
    let mut all: Vec<_> = sim.arrays().iter().map(|a| sim.read(a.name).expect(a.name)).collect();
    all.push(sim.status().expect("status").iter().map(|s| s.contacts as f32).collect());
    let part = |a: &Vec<f32>, w: usize| a[w * a.len() / sim.nworld()..(w + 1) * a.len() / sim.nworld()].to_vec();
    let of = |w: usize| all.iter().flat_map(move |a| part(a, w)).map(f32::to_bits);
    (0..sim.nworld()).map(|w| of(w).collect()).collect()
}

#[test]
fn resets_touch_chosen_worlds_only() {
    let Some(m) = model() else { return };
    let mut sim = batch(&m, 3, None);
    sim.step(60, 0).expect("steps");
    let before = bits(&sim);
    sim.reset(Chosen::Mask(&[false, true, false]), Some(0), None, 0).expect("a keyframe");
    let after = bits(&sim);
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
    let world = |name: &str, n: usize| sim.read(name).expect(name)[n..2 * n].to_vec();
    let single = |v: &[f64]| v.iter().map(|x| *x as f32).collect::<Vec<_>>();
    assert_eq!(world("qpos", m.nq), single(&m.key_qpos));
    assert_eq!(world("qvel", m.nv), single(&m.key_qvel));
    assert_eq!((world("ctrl", 1), world("time", 1)), (vec![0.3], vec![2.0]));
    assert_eq!(world("mocap", 7), [0.0, 4.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(sim.status().expect("status")[1], Status::default());
    let given = vec![0.25f32; 3 * (m.nq + m.nv)];
    sim.reset(Chosen::Mask(&[true, false, false]), None, Some(Given::Host(&given)), 0).expect("given states");
    assert_eq!(sim.read("qpos").expect("qpos")[..m.nq], given[..m.nq]);
    assert_eq!(bits(&sim)[1..], after[1..]);
    assert!(matches!(sim.reset(Chosen::All, Some(1), None, 0), Err(GpuError::Key { key: 1, count: 1 })));
    assert!(matches!(sim.reset(Chosen::Mask(&[true]), None, None, 0), Err(GpuError::Size { .. })));
}

#[test]
fn forward_leaves_states() {
    let Some(m) = model() else { return };
    let mut sim = batch(&m, 2, None);
    sim.reset(Chosen::All, Some(0), None, 0).expect("a keyframe");
    let before = sim.read("qpos").expect("qpos");
    sim.forward(Chosen::Mask(&[false, true]), 0).expect("forward");
    assert_eq!(sim.read("qpos").expect("qpos"), before);
    assert_eq!(sim.read("time").expect("time"), [2.0, 2.0]);
    let xpos = sim.read("xpos").expect("xpos");
    let (idle, done) = xpos.split_at(xpos.len() / 2);
    assert!(idle.iter().all(|x| *x == 0.0) && (done[5] - 0.099).abs() < 1e-7);
    assert_eq!(sim.status().expect("status").iter().map(|s| s.contacts).collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn worlds_without_room_go_on_in_the_larger_build() {
    let Some(m) = model() else { return };
    let mut wide = batch(&m, 3, None);
    // a box on its corners has four contacts: the first build has capacity for one, the larger build for four
    let mut tight = batch(&m, 3, Some((1, 4)));
    for sim in [&mut wide, &mut tight] {
        sim.reset(Chosen::Mask(&[false, true, false]), Some(0), None, 0).expect("a keyframe");
        sim.step(7, 0).expect("steps");
    }
    assert_eq!(bits(&tight), bits(&wide));
    let status = tight.status().expect("status");
    assert_eq!((status[1].most_contacts, status[1].flags, status[1].left), (4, 0, 0));
    tight.check().expect("no world is lost");
}

#[test]
fn worlds_without_any_room_stand_still() {
    let Some(m) = model() else { return };
    // zero capacity: even the larger build has too little
    let mut sim = batch(&m, 2, Some((0, 0)));
    sim.reset(Chosen::Mask(&[false, true]), Some(0), None, 0).expect("a keyframe");
    sim.step(3, 0).expect("steps");
    let (qpos, time) = (sim.read("qpos").expect("qpos"), sim.read("time").expect("time"));
    assert_eq!(qpos[m.nq..], m.key_qpos.iter().map(|x| *x as f32).collect::<Vec<_>>());
    assert!((time[0] - 0.015).abs() < 1e-6 && time[1] == 2.0, "{time:?}");
    let status = sim.status().expect("status");
    assert_eq!((status[0].flags, status[1].flags, status[1].left), (0, Status::NO_ROOM, 3));
    let said = sim.check().expect_err("a world stands still").to_string();
    assert!(said.contains("1 worlds") && said.contains("world 1 has 4 contacts"), "{said}");
}

#[test]
fn bad_numbers_stay_where_they_are() {
    let Some(m) = model() else { return };
    let (mut sim, mut alone) = (batch(&m, 3, None), batch(&m, 3, None));
    let mut qvel = sim.read("qvel").expect("qvel");
    qvel[m.nv + 2] = f32::NAN;
    sim.write("qvel", &qvel).expect("qvel");
    for sim in [&mut sim, &mut alone] {
        sim.step(80, 0).expect("steps");
    }
    let (got, want) = (bits(&sim), bits(&alone));
    assert_eq!((&got[0], &got[2]), (&want[0], &want[2]));
    assert_eq!(sim.status().expect("status").iter().map(|s| s.flags).collect::<Vec<_>>(), [0, Status::BAD_NUMBER, 0]);
    assert_eq!(sim.read("time").expect("time")[1], 0.0);
    assert!(sim.check().is_err());
    sim.reset(Chosen::Mask(&[false, true, false]), None, None, 0).expect("reset");
    sim.check().expect("the world is well again");
}

#[test]
fn a_world_depends_on_nothing_but_itself() {
    let Some(m) = model() else { return };
    let start = |sim: &mut BatchSim, worlds: &[usize]| {
        let ctrl: Vec<f32> = worlds.iter().map(|k| 0.1 * *k as f32).collect();
        sim.write("ctrl", &ctrl).expect("ctrl");
    };
    let (mut five, mut two) = (batch(&m, 5, None), batch(&m, 2, None));
    start(&mut five, &[0, 1, 2, 3, 4]);
    start(&mut two, &[3, 1]);
    five.step(70, 0).expect("steps");
    (0..70).for_each(|_| two.step(1, 0).expect("a step"));
    let (a, b) = (bits(&five), bits(&two));
    // time is accumulated here and a product there
    let differs = |x: &[u32], y: &[u32]| x.iter().zip(y).filter(|(x, y)| x != y).count();
    assert!(differs(&a[3], &b[0]) <= 1 && differs(&a[1], &b[1]) <= 1);
    assert_ne!(a[0], a[4]);
}

/// A keyframe says where worlds begin. The initial state, with interpenetrating arms, is left to the larger build.
#[test]
fn room_is_that_of_the_keyframe_and_the_larger_build_takes_the_initial_state() {
    let balls: String = (0..12)
        .map(|k| {
            format!(r#"<body pos="0 0 .{k}"><joint type="slide" axis="1 0 0"/><geom size="1" condim="6"/></body>"#)
        })
        .collect();
    let apart: Vec<String> = (0..12).map(|k| format!("{}", 3 * k)).collect();
    let xml = format!(
        r#"<mujoco><worldbody>{balls}</worldbody><keyframe><key qpos="{}"/></keyframe></mujoco>"#,
        apart.join(" ")
    );
    let m = sinew_mjcf::load_str(&xml, &sinew_mjcf::Source::default()).expect("balls");
    let plan = Plan::new(&m, &Settings::default()).expect("a plan");
    let larger = plan.larger(&m, &Settings::default()).expect("a plan").expect("more room");
    assert!(plan.capacity.contacts < 12 && larger.capacity.contacts >= 66, "{:?} {:?}", plan.capacity, larger.capacity);
}
