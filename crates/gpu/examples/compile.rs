//! Measures what a batch costs before its first step, without a GPU: seconds for planning, and for compiling both
//! builds in parallel for an H200; and the resource usage of the first build.
//!
//! `cargo run --release -p sinew-gpu --example compile -- MODEL…`; LD_LIBRARY_PATH has to contain NVRTC's folder

use sinew_gpu::{GpuError, Plan, Settings, Usage, usage};
use std::error::Error;
use std::time::Instant;

/// Compute capability of an H200.
const CAPABILITY: (i32, i32) = (9, 0);

fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::default();
    for path in std::env::args().skip(1) {
        let model = sinew_mjcf::load_path(&path)?;
        let start = Instant::now();
        let plan = Plan::new(&model, &settings)?;
        let large = plan.larger(&model, &settings)?;
        let planned = start.elapsed().as_secs_f64();
        let compiled = |plan| -> Result<(f64, Usage), GpuError> {
            let start = Instant::now();
            let usage = usage(plan, CAPABILITY)?;
            Ok((start.elapsed().as_secs_f64(), usage))
        };
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| large.as_ref().map(compiled).transpose());
            (compiled(&plan), second.join())
        });
        let (seconds, usage) = first?;
        let second = second.map_err(|_| "the compiler stopped")??.map_or(0.0, |s| s.0);
        println!(
            "{path}: planned {planned:.2} s, compiled {seconds:.2} s and {second:.2} s beside it, in all {:.2} s; {usage:?}",
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
