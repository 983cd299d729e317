//! Springs and dampers of joints and tendons: their elongation, and what they add to the mass matrix if the integrator
//! treats them implicitly.

use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator};
use crate::support::awake as subset;
use crate::support::flex_spring;
use crate::support::row::{JacRow, tendon_row};
use sinew_math::sparse::Pattern;
use sinew_math::sparse_chol::SparseChol;

/// Distance of a length from a dead band: positive above, negative below, zero within.
#[inline]
pub fn stretch(length: f64, [lower, upper]: [f64; 2]) -> f64 {
    if length > upper {
        length - upper
    } else if length < lower {
        length - lower
    } else {
        0.0
    }
}

/// Whether the integrator adds springs and dampers to the mass matrix.
pub fn is_implicit(m: &Model) -> bool {
    m.opt.integrator == Integrator::Implicitspringdamper
}

/// Whether a tendon may couple the trees it spans within a step, whatever its length.
pub fn is_tie(m: &Model, tendon: usize) -> bool {
    let on = |flag, value: f64| !m.opt.disabled(flag) && value > 0.0;
    on(DisableFlags::SPRING, m.tendon_stiffness[tendon]) || on(DisableFlags::DAMPER, m.tendon_damping[tendon])
}

/// Implicit springs and dampers as rows `s` with weights `w = h² k + h b`, which add `Σ w sᵀs` to the mass matrix.
/// Empty unless the integrator treats them implicitly.
#[derive(Clone, Debug, Default)]
pub struct SpringRows {
    ends: Vec<usize>,
    cols: Vec<i32>,
    values: Vec<f64>,
    weights: Vec<f64>,
    /// `h k` of each row.
    pulls: Vec<f64>,
}

/// A range of [`SpringRows`].
#[derive(Clone, Copy, Debug)]
pub struct Springs<'a> {
    rows: &'a SpringRows,
    start: usize,
    end: usize,
}

impl SpringRows {
    /// No rows, with capacity reserved for a model.
    pub fn new(m: &Model) -> Self {
        let [rows, entries] = Self::room(m);
        SpringRows {
            ends: Vec::with_capacity(rows),
            cols: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
            weights: Vec::with_capacity(rows),
            pulls: Vec::with_capacity(rows),
        }
    }

    /// Upper bounds on rows and entries for a model.
    pub fn room(m: &Model) -> [usize; 2] {
        if !is_implicit(m) {
            return [0; 2];
        }
        let [rows, entries] = flex_spring::room(m);
        [rows + m.nv + m.ntendon, entries + m.nv + m.ntendon * m.nv]
    }

    /// Fills in the springs and dampers of joints and tendons at the current positions. A tendon's spring counts unless
    /// it is within its dead band. Negative weights would make the matrix smaller, so those springs stay explicit.
    /// Sleeping dofs are held fixed.
    pub fn fill(&mut self, m: &Model, awake: &Awake, pose: &Pose) {
        self.clear();
        if !is_implicit(m) {
            return;
        }
        let h = m.opt.timestep;
        let of = |flag, value: f64| if m.opt.disabled(flag) { 0.0 } else { value };
        for i in subset::dofs(m, awake).iter() {
            let k = of(DisableFlags::SPRING, m.jnt_stiffness[m.dof_jntid[i] as usize]);
            let weight = h * (h * k + of(DisableFlags::DAMPER, m.dof_damping[i]));
            self.push([(i as i32, 1.0)], weight, h * k);
        }
        let skips = subset::skips_trees(m, awake);
        for t in 0..m.ntendon {
            let [lower, upper] = m.tendon_lengthspring[t];
            let slack = lower < upper && stretch(pose.ten_length[t], [lower, upper]) == 0.0;
            let k = if slack { 0.0 } else { of(DisableFlags::SPRING, m.tendon_stiffness[t]) };
            let weight = h * (h * k + of(DisableFlags::DAMPER, m.tendon_damping[t]));
            if skips && subset::tendon_asleep(m, awake, t) {
                continue;
            }
            let moves = |dof: usize| !skips || awake.tree_awake[m.dof_treeid[dof] as usize] != 0;
            let entries = tendon_row(m, pose, t).entries().filter(|e| e.1 != 0.0 && moves(e.0));
            self.push(entries.map(|(dof, v)| (dof as i32, v)), weight, h * k);
        }
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.cols.clear();
        self.values.clear();
        self.weights.clear();
        self.pulls.clear();
    }

    /// Adds a row, unless it has no entries or its weight is not positive.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (i32, f64)>, weight: f64, pull: f64) {
        if weight <= 0.0 {
            return;
        }
        let start = self.cols.len();
        for (col, value) in entries {
            self.cols.push(col);
            self.values.push(value);
        }
        self.close(start, weight, pull);
    }

    /// [`SpringRows::push`] of entries in any order; entries in the same column are summed.
    pub fn push_merged(&mut self, entries: impl IntoIterator<Item = (i32, f64)>, weight: f64, pull: f64) {
        if weight <= 0.0 {
            return;
        }
        let start = self.cols.len();
        for (col, value) in entries {
            let at = start + self.cols[start..].partition_point(|&c| c < col);
            if self.cols.get(at) == Some(&col) {
                self.values[at] += value;
            } else {
                self.cols.insert(at, col);
                self.values.insert(at, value);
            }
        }
        self.close(start, weight, pull);
    }

    /// Ends the row that starts at entry `start`, unless it is empty.
    fn close(&mut self, start: usize, weight: f64, pull: f64) {
        if self.cols.len() > start {
            self.ends.push(self.cols.len());
            self.weights.push(weight);
            self.pulls.push(pull);
        }
    }

    /// All rows.
    pub fn all(&self) -> Springs<'_> {
        self.range(0, self.ends.len())
    }

    /// Rows from `start` to `end`.
    pub fn range(&self, start: usize, end: usize) -> Springs<'_> {
        Springs { rows: self, start, end }
    }
}

static NONE: SpringRows =
    SpringRows { ends: Vec::new(), cols: Vec::new(), values: Vec::new(), weights: Vec::new(), pulls: Vec::new() };

impl<'a> Springs<'a> {
    /// No springs.
    pub const NONE: Springs<'static> = Springs { rows: &NONE, start: 0, end: 0 };

    /// Number of rows.
    #[inline]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Columns and values of row `k`, its weight and its pull.
    pub fn row(self, k: usize) -> (&'a [i32], &'a [f64], [f64; 2]) {
        let (rows, k) = (self.rows, self.start + k);
        let range = k.checked_sub(1).map_or(0, |last| rows.ends[last])..rows.ends[k];
        (&rows.cols[range.clone()], &rows.values[range], [rows.weights[k], rows.pulls[k]])
    }

    /// `res += Σ w s (s · x)`.
    #[inline]
    pub fn add_product(self, res: &mut [f64], x: &[f64]) {
        for k in 0..self.len() {
            let (cols, values, [weight, _]) = self.row(k);
            let row = JacRow::Sparse(cols, values);
            row.add_to(res, weight * row.dot(x));
        }
    }

    /// `res += sign · h K v`: the spring force over a step due to the velocity at its start.
    pub fn add_pull(self, res: &mut [f64], v: &[f64], sign: f64) {
        for k in 0..self.len() {
            let (cols, values, [_, pull]) = self.row(k);
            let row = JacRow::Sparse(cols, values);
            row.add_to(res, sign * pull * row.dot(v));
        }
    }

    /// Factors the mass matrix with these springs added.
    pub fn factor(self, tree: Pattern, mass: &[f64], chol: &mut SparseChol) {
        chol.analyse(tree, self.len(), |k| self.row(k).0, false);
        chol.clear();
        chol.add_tree(tree, mass);
        self.add_to(chol);
        chol.factor();
    }

    /// Adds the springs to a matrix that is being assembled.
    pub fn add_to(self, chol: &mut SparseChol) {
        for k in 0..self.len() {
            let (cols, values, [weight, _]) = self.row(k);
            chol.add_block(cols, values, &[weight]);
        }
    }
}
