//! Runs a few steps of a model with arbitrary options.

use sinew_engine::{Data, Model, step};

/// Limit on solver iterations: a file may request thousands, which take long and reveal nothing.
const ITERATIONS: i32 = 100;

/// Steps a model and returns the number of steps taken: zero if its data cannot be allocated.
pub(crate) fn step_some(model: &mut Model, steps: u64) -> u64 {
    let opt = &mut model.opt;
    for asked in [&mut opt.iterations, &mut opt.ls_iterations, &mut opt.noslip_iterations, &mut opt.sdf_iterations] {
        *asked = (*asked).min(ITERATIONS);
    }
    let Ok(mut d) = Data::try_new(model) else { return 0 };
    (0..steps).for_each(|_| step::step(model, &mut d));
    steps
}
