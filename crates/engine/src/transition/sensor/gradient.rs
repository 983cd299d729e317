//! How the outputs of one sensor change with positions, velocities and accelerations of dofs, activations and controls.

use crate::model::Model;
use crate::transition::tie::By;

/// A row per output.
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    nv: usize,
    /// By position, velocity and acceleration.
    pub by: [Vec<f64>; 3],
    /// By activations and controls, besides what they do to accelerations.
    pub act: Vec<f64>,
    pub ctrl: Vec<f64>,
}

impl Gradient {
    /// All zero, for a sensor with `dim` outputs.
    pub(super) fn clear(&mut self, m: &Model, dim: usize) {
        self.nv = m.nv;
        let [q, v, a] = &mut self.by;
        for (values, n) in [(q, m.nv), (v, m.nv), (a, m.nv), (&mut self.act, m.na), (&mut self.ctrl, m.nu)] {
            values.clear();
            values.resize(dim * n, 0.0);
        }
    }

    /// Adds to the change of all outputs by dof `j`.
    pub(super) fn add(&mut self, by: By, j: usize, change: &[f64]) {
        let rows = self.by[by as usize].chunks_exact_mut(self.nv);
        rows.zip(change).for_each(|(row, x)| row[j] += x);
    }

    /// The changes of output `r` by dofs.
    pub(super) fn row(&self, by: By, r: usize) -> &[f64] {
        &self.by[by as usize][r * self.nv..][..self.nv]
    }
}
