//! Snippets shown in the documentation.

use sinew::open::{SimBuilder, Xpbd};
use sinew::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn get_started() -> Outcome {
    let model = load_path("models/humanoid.xml")?;
    let mut data = Data::new(&model);
    while data.state.time < 1.0 {
        step(&model, &mut data);
    }
    println!("{:.2?}", model.body("pelvis")?.xpos(&data));
    assert!(data.state.time < 1.0 + 2.0 * model.opt.timestep && !data.contact.is_empty());
    Ok(())
}

fn loading() -> Outcome {
    let model = sinew::load_path("models/humanoid.xml")?;
    let loaded = sinew::Loader::new().path("models/humanoid.xml")?;
    for warning in &loaded.warnings {
        eprintln!("warning: {warning}");
    }
    let strict = sinew::Loader::new().strict(true).path("models/humanoid.xml")?;
    assert!(model.nbody == loaded.model.nbody && strict.warnings.is_empty());

    let limits = sinew::Limits { memory: 8 << 30, ..Default::default() };
    let large = sinew::Loader::new().limits(limits).path("models/humanoid.xml")?;
    let own = sinew::Loader::new().confined(true).path("models/humanoid.xml")?;
    assert!(large.model.nbody == model.nbody && own.model.nbody == model.nbody);
    Ok(())
}

fn open_physics() -> Outcome {
    let mut model = load_path("models/humanoid.xml")?;
    model.opt.integrator = sinew::engine::model::enums::Integrator::Euler;
    let mut sim = SimBuilder::new().build(model)?;
    sim.data_mut().state.ctrl[0] = 0.1;
    sim.step()?;
    let mut sim = sim.with_solver(Xpbd::new(4))?;
    sim.step()?;
    assert!(sim.data().state.time > 0.0);
    Ok(())
}

fn main() -> Outcome {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    get_started()?;
    loading()?;
    open_physics()
}
