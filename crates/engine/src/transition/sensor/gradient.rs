//! Derivatives of one sensor's outputs with respect to positions, velocities and accelerations of dofs, activations and
//! controls.

use crate::model::Model;
use crate::transition::tie::By;

/// Derivatives with one row per output.
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    nv: usize,
    /// With respect to position, velocity and acceleration.
    pub by: [Vec<f64>; 3],
    /// With respect to activations and controls, at fixed accelerations.
    pub act: Vec<f64>,
    pub ctrl: Vec<f64>,
}

impl Gradient {
    /// Resets to zero, for a sensor with `dim` outputs.
    pub(super) fn clear(&mut self, m: &Model, dim: usize) {
        self.nv = m.nv;
        let [q, v, a] = &mut self.by;
        for (values, n) in [(q, m.nv), (v, m.nv), (a, m.nv), (&mut self.act, m.na), (&mut self.ctrl, m.nu)] {
            values.clear();
            values.resize(dim * n, 0.0);
        }
    }

    /// Adds to the derivative of all outputs with respect to dof `j`.
    pub(super) fn add(&mut self, by: By, j: usize, change: &[f64]) {
        let rows = self.by[by as usize].chunks_exact_mut(self.nv);
        rows.zip(change).for_each(|(row, x)| row[j] += x);
    }

    /// The derivatives of output `r` with respect to dofs.
    pub(super) fn row(&self, by: By, r: usize) -> &[f64] {
        &self.by[by as usize][r * self.nv..][..self.nv]
    }
}
