//! Measures the speed of a batch by the protocol of MuJoCo Warp's benchmark.

use crate::{BatchSim, Chosen, GpuError, Status};
use sinew_engine::Model;
use std::time::Instant;

/// Noise on the controls: amplitude relative to half their range, and correlation time in seconds.
const NOISE: (f32, f32) = (0.01, 0.1);

/// Measurements; counts are means over the worlds after the last step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speed {
    /// Nanoseconds per world and step.
    pub nanoseconds: f64,
    /// Contacts.
    pub contacts: f64,
    /// Rows.
    pub rows: f64,
    /// Iterations of the solver.
    pub iterations: f64,
    /// Worlds that stand still because the capacity was exceeded, whose solver did not converge, that stand still
    /// because of bad numbers.
    pub flagged: [usize; 3],
}

/// Steps a batch from its first keyframe, or its initial state, with noise on the controls and a synchronization
/// after each step. Only launches and synchronizations are timed.
///
/// # Errors
/// The driver fails.
pub fn speed(m: &Model, sim: &mut BatchSim, steps: usize) -> Result<Speed, GpuError> {
    let worlds = sim.nworld();
    sim.reset(Chosen::All, (m.nkey > 0).then_some(0), None, 0)?;
    let mut ctrl = sim.read("ctrl")?;
    let middle = ctrl.clone();
    let half: Vec<f32> = (0..m.nu).map(|u| half_range(m, u)).collect();
    let mut seconds = 0.0;
    for _ in 0..steps {
        if m.nu > 0 {
            wander(&mut ctrl, &middle, &half, m.opt.timestep as f32);
            sim.write("ctrl", &ctrl)?;
        }
        sim.synchronize(0)?;
        let start = Instant::now();
        sim.step(1, 0)?;
        sim.synchronize(0)?;
        seconds += start.elapsed().as_secs_f64();
    }
    let status = sim.status()?;
    let mean = |of: fn(&Status) -> i32| status.iter().map(|s| f64::from(of(s))).sum::<f64>() / worlds as f64;
    let flagged = |bit: i32| status.iter().filter(|s| s.flags & bit != 0).count();
    Ok(Speed {
        nanoseconds: seconds * 1e9 / (worlds * steps) as f64,
        contacts: mean(|s| s.contacts),
        rows: mean(|s| s.rows),
        iterations: mean(|s| s.iterations),
        flagged: [Status::NO_ROOM, Status::NOT_CONVERGED, Status::BAD_NUMBER].map(flagged),
    })
}

/// Half of the control range; 1 if there is none.
fn half_range(m: &Model, u: usize) -> f32 {
    let [low, high] = m.actuator_ctrlrange[u];
    if m.actuator_ctrllimited[u] != 0 { (0.5 * (high - low)) as f32 } else { 1.0 }
}

fn wander(ctrl: &mut [f32], middle: &[f32], half: &[f32], timestep: f32) {
    let rate = (-timestep / NOISE.1).exp();
    let scale = NOISE.0 * (1.0 - rate * rate).sqrt();
    let mut random = ctrl.first().map_or(1, |c| u64::from(c.to_bits()) | 1);
    for ((c, middle), half) in ctrl.iter_mut().zip(middle).zip(half.iter().cycle()) {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *c = middle + rate * (*c - middle) + scale * half * ((random >> 40) as f32 / (1u32 << 23) as f32 - 1.0);
    }
}
