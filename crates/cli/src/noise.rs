//! Pseudo-random controls.

use sinew::Model;

/// Smooth pseudo-random controls from a fixed seed, so that runs are reproducible.
pub struct Noise {
    amplitude: f64,
    seed: u64,
}

impl Noise {
    /// Noise with an amplitude relative to the control range.
    pub fn new(amplitude: f64) -> Self {
        Noise { amplitude, seed: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Uniform in [−1, 1] by a xorshift generator.
    fn next(&mut self) -> f64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Advances the controls of one simulation.
    pub fn apply(&mut self, m: &Model, ctrl: &mut [f64]) {
        if self.amplitude == 0.0 {
            return;
        }
        for i in 0..m.nu {
            let [low, high] = if m.actuator_ctrllimited[i] != 0 { m.actuator_ctrlrange[i] } else { [-1.0, 1.0] };
            let target = 0.5 * (low + high) + 0.5 * (high - low) * self.amplitude * self.next();
            ctrl[i] += 0.1 * (target - ctrl[i]);
        }
    }
}
