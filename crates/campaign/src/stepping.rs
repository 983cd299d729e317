//! A few steps of a model that may ask for anything.

use sinew_engine::{Data, Model, step};

/// Iterations of a solver: a file may ask for thousands, which take long and show nothing.
const ITERATIONS: i32 = 100;

/// Steps a model so often; how often it was stepped, which is never where its data has no room.
pub(crate) fn step_some(model: &mut Model, steps: u64) -> u64 {
    let opt = &mut model.opt;
    for asked in [&mut opt.iterations, &mut opt.ls_iterations, &mut opt.noslip_iterations, &mut opt.sdf_iterations] {
        *asked = (*asked).min(ITERATIONS);
    }
    let Ok(mut d) = Data::try_new(model) else { return 0 };
    (0..steps).for_each(|_| step::step(model, &mut d));
    steps
}
