//! Long runs of flexes: no NaN, no growing memory, no growing energy.
//!
//! `SINEW_ENDURANCE_STEPS=1000000 cargo test --release -p sinew --test flex_endurance -- --nocapture` runs a million
//! steps of each scene and prints the figures.

use allocation_counter::measure;
use sinew_engine::model::enums::{EnableFlags, Warning};
use sinew_engine::{Data, step};
use sinew_mjcf::{Source, load_str};

/// A sheet held at one side in a gusty wind of changing direction.
const FLAG: &str = r#"<mujoco>
  <option density="1.2" viscosity="1e-5" solver="CG" tolerance="1e-6"/>
  <worldbody><body name="pole" pos="0 0 1"><flexcomp name="flag" type="grid" count="6 4 1" spacing=".08 .08 .08" dim="2"
    radius=".001" mass=".1" euler="90 0 0"><pin gridrange="0 0 0 3"/><edge equality="true" damping=".005"/>
    <contact selfcollide="none"/></flexcomp></body></worldbody></mujoco>"#;

/// A soft ball that falls on a floor and comes to rest.
const BALL: &str = r#"<mujoco>
  <option timestep=".001"/>
  <worldbody><geom type="plane" size="3 3 .1"/><body name="b" pos="0 0 .4"><flexcomp name="ball" type="ellipsoid"
    count="4 4 4" spacing=".06 .06 .06" dim="3" radius=".005" mass=".5"><elasticity young="4e3" poisson=".3" damping=".005"/>
    <contact selfcollide="none" internal="false"/></flexcomp></body></worldbody></mujoco>"#;

/// Steps a scene. After a tenth of the run memory must not grow any more; the kinetic energy of each later tenth stays
/// within twice that of the first.
fn endures(name: &str, xml: &str, wind: impl Fn(f64) -> [f64; 3]) {
    let steps = std::env::var("SINEW_ENDURANCE_STEPS").ok().and_then(|s| s.parse().ok()).unwrap_or(20_000_u64);
    let mut m = load_str(xml, &Source::default()).expect(name);
    m.opt.enableflags |= EnableFlags::ENERGY;
    let mut d = Data::new(&m);
    let mut run = |steps: u64| {
        let mut peak = 0.0f64;
        let growth = measure(|| {
            for _ in 0..steps {
                m.opt.wind = wind(d.state.time);
                step::step(&m, &mut d);
                peak = peak.max(d.sensor.energy[1]);
            }
        })
        .bytes_current;
        (peak, growth)
    };
    let parts: Vec<(f64, i64)> = (0..10).map(|_| run(steps / 10)).collect();
    println!("{name}: {steps} steps, peaks of kinetic energy and growth of memory per tenth: {parts:?}");
    for warning in [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc] {
        assert_eq!(d.warning[warning as usize].number, 0, "{name}: {warning:?}");
    }
    assert!((d.state.time / m.opt.timestep - (steps / 10 * 10) as f64).abs() < 1.0, "{name}: never reset");
    assert!(d.state.qpos.iter().chain(d.state.qvel.iter()).all(|x| x.is_finite()), "{name}");
    assert!(parts[0].0 > 0.0);
    for (peak, growth) in &parts[1..] {
        assert!(*peak <= 2.0 * parts[0].0, "{name}: {peak} after {}", parts[0].0);
        assert!(*growth <= 1 << 16, "{name}: {growth} bytes more than after a tenth of the run");
    }
}

#[test]
fn a_flag_in_the_wind() {
    endures("flag", FLAG, |t| [6.0 + 3.0 * (0.9 * t).sin(), 4.0 * (0.7 * t).sin(), (1.3 * t).sin()]);
}

#[test]
fn a_soft_ball_on_the_floor() {
    endures("ball", BALL, |_| [0.0; 3]);
}
