//! Derivatives of joint forces by positions and velocities of dofs.

use crate::model::Model;

/// Two `nv × nv` matrices with a row per dof moved: what it does to the force of every dof.
#[derive(Clone, Debug)]
pub(super) struct Partials {
    nv: usize,
    pub by_q: Vec<f64>,
    pub by_v: Vec<f64>,
}

impl Partials {
    pub(super) fn new(m: &Model) -> Self {
        Partials { nv: m.nv, by_q: vec![0.0; m.nv * m.nv], by_v: vec![0.0; m.nv * m.nv] }
    }

    pub(super) fn clear(&mut self) {
        self.by_q.fill(0.0);
        self.by_v.fill(0.0);
    }

    /// Change of force `i` by position `j`.
    #[inline(always)]
    pub(super) fn q(&mut self, j: usize, i: usize) -> &mut f64 {
        &mut self.by_q[j * self.nv + i]
    }

    /// Change of force `i` by velocity `j`.
    #[inline(always)]
    pub(super) fn v(&mut self, j: usize, i: usize) -> &mut f64 {
        &mut self.by_v[j * self.nv + i]
    }
}
