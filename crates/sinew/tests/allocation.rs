//! A step allocates nothing once the simulation exists.

use allocation_counter::measure;
use sinew_engine::model::enums::{ConeType, DisableFlags, Integrator, JacobianType, SolverType};
use sinew_engine::transition::{
    DerivativeConfig, InverseConfig, InverseDerivatives, InverseWanted, Method, RolloutWork, Transition,
    TransitionWork, inverse, jvp, rollout_vjp, transition, vjp,
};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_path, load_str};

const MODEL: &str = r#"<mujoco>
  <option density="10" viscosity=".1"><flag energy="enable" contact="disable"/></option>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="s"/>
      <body pos=".3 0 0" gravcomp="1"><joint name="b" type="ball" stiffness="2" damping=".1"/>
        <geom type="ellipsoid" size=".05 .1 .2" pos=".1 0 0" fluidshape="ellipsoid"/><site name="t" pos=".2 0 0"/>
        <body pos=".3 0 0"><joint name="j" axis="0 1 0" range="-60 60"/><geom size=".1" pos=".2 0 0"/></body>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="ten" stiffness="3" damping="1" armature=".1"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><muscle tendon="ten" lengthrange=".1 1"/><position joint="j" kp="5" nsample="4" delay=".004"/></actuator>
  <sensor><accelerometer site="t"/><subtreeangmom body="world"/><jointpos joint="j" nsample="5" delay=".006"/>
    <framelinvel objtype="site" objname="t" reftype="site" refname="s"/></sensor>
</mujoco>"#;

#[test]
fn a_step_allocates_nothing() {
    let mut m = load_str(MODEL, &Source::default()).expect("the model compiles");
    use Integrator as I;
    for integrator in [I::Euler, I::Rk4, I::Implicit, I::Implicitfast, I::Implicitspringdamper] {
        m.opt.integrator = integrator;
        let mut d = Data::new(&m);
        d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (i as f64).sin());
        let made = measure(|| (0..20).for_each(|_| step::step(&m, &mut d)));
        assert_eq!(made.count_total, 0, "{integrator:?}");
        assert!(d.state.time > 0.0);
    }
}

/// Counts allocations from the first step on; fails if a step allocates. Returns the maximum number of contacts.
fn count_steps(m: &Model, steps: usize, what: &str) -> i32 {
    let mut d = Data::new(m);
    let mut most = 0;
    for i in 0..steps {
        let count = measure(|| step::step(m, &mut d)).count_total;
        most = most.max(d.collision.ncon);
        assert_eq!(count, 0, "{what}: step {i} with {} contacts and {} rows", d.collision.ncon, d.efc.nefc);
    }
    assert!(d.warning.iter().all(|w| w.number == 0), "{what}: {:?}", d.warning);
    most
}

/// All solvers, cones and storage formats, with islands and without.
fn each_way(mut m: Model, steps: usize, contacts: i32) {
    for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
        for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
            for jacobian in [JacobianType::Dense, JacobianType::Sparse] {
                for islands in [true, false] {
                    m.opt.solver = solver;
                    m.opt.cone = cone;
                    m.opt.jacobian = jacobian;
                    m.opt.disableflags = if islands { DisableFlags::empty() } else { DisableFlags::ISLAND };
                    let what = format!("{solver:?} {cone:?} {jacobian:?}, islands {islands}");
                    let most = count_steps(&m, steps, &what);
                    assert!(most >= contacts, "{what}: {most} contacts");
                }
            }
        }
    }
}

#[test]
fn contacts_allocate_nothing() {
    let xml = r#"<mujoco><worldbody><geom type="plane" size="3 3 1"/>
      <body pos="0 0 .11"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="0 0 .32"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
      <body pos="1 0 .11"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
    each_way(load_str(xml, &Source::default()).expect("the model compiles"), 200, 9);
}

#[test]
fn a_falling_humanoid_allocates_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    each_way(load_path(path).expect("the model compiles"), 400, 8);
}

#[test]
fn a_pile_of_boxes_allocates_nothing() {
    let mut xml = r#"<mujoco><worldbody><geom type="plane" size="3 3 1"/>"#.to_owned();
    for i in 0..20 {
        let [x, y, z] = [i % 2, i / 2 % 2, i / 4].map(f64::from);
        let (x, y, z) = (0.19 * x + 0.01 * z, 0.18 * y - 0.01 * z, 0.11 + 0.22 * z);
        xml += &format!(r#"<body pos="{x} {y} {z}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#);
    }
    xml += "</worldbody></mujoco>";
    each_way(load_str(&xml, &Source::default()).expect("the model compiles"), 200, 40);
}

#[test]
fn meshes_and_heights_allocate_nothing() {
    let xml = r#"<mujoco><asset>
        <mesh name="m" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 0 .1 .15"/>
        <hfield name="h" nrow="9" ncol="9" size="1 1 .1 .1" elevation="
          0 1 0 1 0 1 0 1 0  1 0 1 0 1 0 1 0 1  0 1 0 1 0 1 0 1 0  1 0 1 0 1 0 1 0 1  0 1 0 1 0 1 0 1 0
          1 0 1 0 1 0 1 0 1  0 1 0 1 0 1 0 1 0  1 0 1 0 1 0 1 0 1  0 1 0 1 0 1 0 1 0"/></asset>
      <worldbody><geom type="hfield" hfield="h"/>
        <body pos="0 0 .4"><freejoint/><geom type="mesh" mesh="m"/></body>
        <body pos=".02 .03 .7"><freejoint/><geom type="mesh" mesh="m"/></body>
        <body pos=".5 .5 .4"><freejoint/><geom type="ellipsoid" size=".1 .15 .2"/></body>
        <body pos="-.5 .5 .4"><freejoint/><geom type="capsule" size=".1 .15"/></body>
        <body pos="-.5 -.5 .4"><freejoint/><geom type="box" size=".2 .2 .1"/></body></worldbody></mujoco>"#;
    each_way(load_str(xml, &Source::default()).expect("the model compiles"), 300, 10);
}

#[test]
fn flexes_allocate_nothing() {
    let flex = |kind: &str, inner: &str| {
        let xml = format!(
            r#"<mujoco><option solver="CG" integrator="implicitfast" timestep=".001"/><worldbody><geom type="plane" size="3 3 1"/><geom size=".2" pos="0 0 .1"/>
              <body name="b" pos="0 0 .402"><flexcomp name="f" spacing=".06 .06 .06" radius=".01" {kind}>{inner}</flexcomp>
              </body></worldbody></mujoco>"#
        );
        load_str(&xml, &Source::default()).expect("the model compiles")
    };
    let solid = r#"<elasticity young="1e4" poisson=".2" damping=".001"/><contact selfcollide="none"/>"#;
    for m in [
        flex(r#"type="grid" count="9 9 1" dim="2""#, r#"<edge equality="true"/>"#),
        flex(r#"type="grid" count="4 4 4" dim="3""#, solid),
        flex(r#"type="grid" count="4 4 4" dim="3" dof="trilinear""#, solid),
    ] {
        assert!(count_steps(&m, 250, "flex") > 0);
    }
}

#[test]
fn plugins_allocate_nothing() {
    let xml = include_str!("../../mjcf/tests/fuzz_seeds/plugin.xml");
    let child = b"<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>".to_vec();
    let source = Source::with_files([("a.xml".to_string(), child)]);
    let mut m = load_str(xml, &source).expect("the model compiles");
    m.opt.timestep = 5e-4; // the cable is stiff
    assert!(count_steps(&m, 500, "plugins") > 0);
}

/// Derivatives do not allocate from the second call on, with a reused workspace: matrices, sensors and products.
fn count_derivatives(m: &Model, d: &Data, config: &DerivativeConfig, what: &str) {
    let (ndx, nu) = (2 * m.nv + m.na, m.nu);
    let (mut work, mut out) = (TransitionWork::new(m), Transition::default());
    let mut forces = InverseDerivatives::default();
    let wanted = InverseWanted { force: [true; 3], sensor: [true; 3], mass: true };
    let given = InverseConfig { method: config.method, wanted, actuation: true, ..InverseConfig::default() };
    let (ones, mut by_x, mut by_u) = (vec![1.0; ndx.max(nu)], vec![0.0; ndx], vec![0.0; nu]);
    for round in 0..3 {
        let made = measure(|| {
            transition(m, d, config, &mut work, &mut out).expect("a derivative");
            jvp(m, d, config, &mut work, (&ones[..ndx], &ones[..nu]), &mut by_x).expect("a product");
            vjp(m, d, config, &mut work, &ones[..ndx], (&mut by_x, &mut by_u)).expect("a product");
            inverse(m, d, &given, &mut work, &mut forces).expect("a derivative of inverse dynamics");
        });
        assert!(round == 0 || made.count_total == 0, "{what}: {} in round {round}", made.count_total);
    }
    assert!(out.A.iter().chain(&out.C).any(|x| *x != 0.0), "{what}");
}

#[test]
fn derivatives_allocate_nothing() {
    let sensed = MODEL
        .replace("contact=\"disable\"", "")
        .replace("<sensor>", r#"<sensor><rangefinder site="s"/><touch site="t"/>"#);
    let humanoid = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    let models = [load_str(&sensed, &Source::default()), load_path(humanoid)].map(|m| m.expect("the model compiles"));
    use Integrator as I;
    for mut m in models {
        for integrator in [I::Euler, I::Rk4, I::Implicit, I::Implicitfast, I::Implicitspringdamper] {
            m.opt.integrator = integrator;
            let mut d = Data::new(&m);
            d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * (i as f64).sin());
            (0..100).for_each(|_| step::step(&m, &mut d));
            for method in [Method::Hybrid, Method::Fd] {
                let config = DerivativeConfig { method, wanted: [true; 4], ..DerivativeConfig::default() };
                count_derivatives(&m, &d, &config, &format!("{integrator:?} {method:?}"));
            }
        }
    }
}

#[test]
fn gradients_of_roll_outs_allocate_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    let m = load_path(path).expect("the model compiles");
    let (d, config, steps) = (Data::new(&m), DerivativeConfig::default(), 20);
    let (ctrl, loss) = (vec![0.1; steps * m.nu], vec![1.0; steps * (2 * m.nv + m.na)]);
    let (mut by_x, mut by_u) = (vec![0.0; 2 * m.nv + m.na], vec![0.0; steps * m.nu]);
    let mut work = RolloutWork::new(&m);
    for round in 0..2 {
        let made = measure(|| {
            rollout_vjp(&m, &d, &config, (&ctrl, &loss, 5), &mut work, &mut by_x, &mut by_u).expect("a gradient");
        });
        assert!(round == 0 || made.count_total == 0, "{}", made.count_total);
    }
    assert!(by_u.iter().any(|x| *x != 0.0));
}

/// Capacity reserved for contacts must not make a batch of many worlds expensive.
#[test]
fn a_world_is_small() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    let m = load_path(path).expect("the model compiles");
    let mut fields = 0;
    let bytes = measure(|| fields = Data::new(&m).nbytes()).bytes_max;
    println!("{bytes} bytes, of which {fields} in fields");
    assert!(bytes > fields as u64, "the counter counts");
    assert!(bytes < 2 << 20, "{bytes}");
}
