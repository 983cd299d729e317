//! Derivatives of joint forces with respect to positions and velocities of dofs.

use crate::model::Model;

/// Two `nv × nv` matrices; row `j` holds the changes of all joint forces due to dof `j`.
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

    /// Derivative of force `i` with respect to position `j`.
    #[inline(always)]
    pub(super) fn q(&mut self, j: usize, i: usize) -> &mut f64 {
        &mut self.by_q[j * self.nv + i]
    }

    /// Derivative of force `i` with respect to velocity `j`.
    #[inline(always)]
    pub(super) fn v(&mut self, j: usize, i: usize) -> &mut f64 {
        &mut self.by_v[j * self.nv + i]
    }
}
