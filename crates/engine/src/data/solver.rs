//! What the constraint solvers work with and report.

use super::capacity::Capacity;
use crate::model::Model;
use sinew_math::sparse_chol::SparseChol;

/// Islands for which solver statistics are kept; MuJoCo's `mjNISLAND`.
pub const ISLANDS: usize = 20;
/// Iterations of an island for which statistics are kept; MuJoCo's `mjNSOLVER`.
pub const ITERATIONS: usize = 200;

/// One iteration of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "mjSolverStat")]
pub struct SolverStat {
    /// Cost reduction, scaled.
    pub improvement: f64,
    /// Norm of the gradient, scaled; zero for dual solvers.
    pub gradient: f64,
    /// Slope where the line search ended, scaled.
    pub lineslope: f64,
    /// Active constraint rows.
    pub nactive: i32,
    /// Rows that changed their state.
    pub nchange: i32,
    /// Cost evaluations of the line search.
    pub neval: i32,
    /// Updates of the Hessian's factor.
    pub nupdate: i32,
}

/// An elliptic friction cone, as the solvers see it.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// First row.
    pub row: usize,
    /// Number of rows.
    pub dim: usize,
    /// The contact.
    pub contact: usize,
    /// What makes the cone circular: `mu` of the regularised cone, then the friction coefficients.
    pub scale: [f64; 6],
    /// Whether the Hessian of the curved range has been computed.
    pub curved: bool,
}

/// A cone along a line: `N = u + α v` normal, `T² = uu + 2 α uv + α² vv` tangential, after scaling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConeLine {
    /// Normal at the start.
    pub u: f64,
    /// Normal rate.
    pub v: f64,
    /// Squared tangent at the start.
    pub uu: f64,
    /// Product of tangent and its rate.
    pub uv: f64,
    /// Squared rate of the tangent.
    pub vv: f64,
    /// Stiffness of the curved range.
    pub stiffness: f64,
    /// Polynomial of the quadratic range.
    pub quad: [f64; 3],
    /// Friction of the regularised cone.
    pub mu: f64,
}

/// Rows of a Jacobian that have the same columns.
#[derive(Clone, Copy, Debug)]
pub struct RowBlock {
    /// First row.
    pub start: usize,
    /// Row after the last.
    pub end: usize,
    /// Where its columns begin.
    pub cols: usize,
    /// Number of columns.
    pub len: usize,
    /// Where its values begin, row by row.
    pub values: usize,
}

/// A Jacobian as blocks of rows.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The blocks in order of rows.
    pub list: Vec<RowBlock>,
    /// Columns of all blocks, in increasing order within each.
    pub cols: Vec<i32>,
    /// Values of all blocks.
    pub values: Vec<f64>,
    /// What a block sees of a vector.
    pub local: Vec<f64>,
    /// Columns in use.
    pub mark: Vec<bool>,
}

/// Which dofs the rows of each constraint move, constraint by constraint. Known when rows are made, so that nobody has
/// to look for zeros in dense rows.
#[derive(Clone, Debug, Default)]
pub struct RowGroups {
    /// After the last row, and after the last column, of each constraint.
    ends: Vec<[usize; 2]>,
    cols: Vec<i32>,
}

impl RowGroups {
    /// Room for the rows of a model.
    pub(super) fn with_capacity(m: &Model) -> Self {
        let Capacity { rows, entries, .. } = Capacity::new(m);
        RowGroups { ends: Vec::with_capacity(rows), cols: Vec::with_capacity(entries) }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.cols.clear();
    }

    /// Adds the columns of the rows since the last call, up to `end`.
    #[inline]
    pub fn push(&mut self, end: usize, cols: &[i32]) {
        self.cols.extend_from_slice(cols);
        self.ends.push([end, self.cols.len()]);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ends.last().map_or(0, |end| end[0])
    }

    /// Rows and columns of each constraint.
    pub fn iter(&self) -> impl Iterator<Item = (std::ops::Range<usize>, &[i32])> {
        let mut from = [0; 2];
        self.ends.iter().map(move |&to| {
            let [start, first] = std::mem::replace(&mut from, to);
            (start..to[0], &self.cols[first..to[1]])
        })
    }
}

/// Rough numbers of multiplications.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewtonCost {
    /// To assemble and factor the Hessian.
    pub refactor: usize,
    /// To change its factor by one row.
    pub update: usize,
}

/// What the dual matrix is made from.
#[derive(Clone, Debug, Default)]
pub struct DualWork {
    /// First entry of each row of `B`, and the end.
    pub adr: Vec<usize>,
    /// Columns of `B`.
    pub cols: Vec<i32>,
    /// Values of `B`.
    pub values: Vec<f64>,
    /// A row.
    pub row: Vec<f64>,
    /// Scale of each dof.
    pub scale: Vec<f64>,
    /// Marks of dofs or rows.
    pub mark: Vec<i32>,
    /// Rows that touch each tree.
    pub trees: Vec<Vec<i32>>,
}

impl DualWork {
    fn new(m: &Model, Capacity { rows, entries, dual, .. }: Capacity) -> Self {
        // rows go on to the roots
        let entries = entries.max(rows * m.nv.min(32));
        DualWork {
            adr: Vec::with_capacity(rows + 1),
            cols: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
            row: Vec::with_capacity(m.nv),
            scale: Vec::with_capacity(m.nv),
            mark: Vec::with_capacity(m.nv.max(rows)),
            trees: (0..m.ntree).map(|_| Vec::with_capacity(dual / rows.max(1))).collect(),
        }
    }
}

/// Vectors of the constraint solvers; those per row grow within their capacity.
#[derive(Clone, Debug, Default)]
pub struct SolverWork {
    /// Elliptic cones in order of rows.
    pub cones: Vec<Cone>,
    /// Hessian of each, where its cost is neither zero nor quadratic; its block of the matrix for a dual solver.
    pub curves: Vec<[f64; 36]>,
    /// The cost of each along the search direction.
    pub lines: Vec<ConeLine>,
    /// Contacts on the curved range of their cone, with its Hessian, since they were last collected.
    pub hessians: Vec<(usize, [f64; 36])>,
    /// `J qacc − aref`, per row.
    pub jaref: Vec<f64>,
    /// `J search`, per row.
    pub jv: Vec<f64>,
    /// States before an update, per row.
    pub oldstate: Vec<i32>,
    /// `M qacc`.
    pub ma: Vec<f64>,
    /// `M search`.
    pub mv: Vec<f64>,
    /// Gradient of the cost.
    pub grad: Vec<f64>,
    /// Preconditioned gradient.
    pub mgrad: Vec<f64>,
    /// Search direction.
    pub search: Vec<f64>,
    /// Former gradient and preconditioned gradient.
    pub old: [Vec<f64>; 2],
    /// The Jacobian.
    pub blocks: Blocks,
    /// Factor of the Hessian.
    pub sparse: SparseChol,
    /// Whether that factor is without curved cones, so that it can be changed row by row.
    pub base: bool,
    /// Whether a second factor, with curved cones, is in use.
    pub curved: bool,
    /// What changes of the factor cost.
    pub cost: NewtonCost,
    /// A row of the Jacobian; zero between uses.
    pub row: Vec<f64>,
    /// Active rows of a block.
    pub pack: Vec<f64>,
    /// Their weights in the Hessian.
    pub weights: Vec<f64>,
    /// The dual matrix in the making.
    pub dual: DualWork,
}

impl SolverWork {
    pub(super) fn new(m: &Model) -> Self {
        let (nv, capacity) = (m.nv, Capacity::new(m));
        let Capacity { rows, entries, cones, factor, .. } = capacity;
        let of_nv = || vec![0.0; nv];
        SolverWork {
            cones: Vec::with_capacity(cones),
            curves: Vec::with_capacity(cones),
            lines: Vec::with_capacity(cones),
            hessians: Vec::with_capacity(if factor > 0 { cones } else { 0 }),
            jaref: Vec::with_capacity(rows),
            jv: Vec::with_capacity(rows),
            oldstate: Vec::with_capacity(rows),
            ma: of_nv(),
            mv: of_nv(),
            grad: of_nv(),
            mgrad: of_nv(),
            search: of_nv(),
            old: [of_nv(), of_nv()],
            blocks: Blocks {
                list: Vec::with_capacity(rows),
                cols: Vec::with_capacity(entries),
                values: Vec::with_capacity(entries),
                local: of_nv(),
                mark: vec![false; nv],
            },
            sparse: if factor > 0 {
                SparseChol::with_capacity(nv, [rows, entries], factor, cones > 0)
            } else {
                SparseChol::default()
            },
            base: false,
            curved: false,
            cost: NewtonCost::default(),
            row: of_nv(),
            pack: Vec::with_capacity(entries),
            weights: Vec::with_capacity(rows),
            dual: if capacity.dual > 0 { DualWork::new(m, capacity) } else { DualWork::default() },
        }
    }

    /// Sizes everything for a problem of `nv` dofs and `rows` rows.
    pub fn fit(&mut self, nv: usize, rows: usize) {
        let [old_grad, old_mgrad] = &mut self.old;
        for v in [
            &mut self.ma,
            &mut self.mv,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
            &mut self.row,
            old_grad,
            old_mgrad,
        ] {
            v.resize(nv, 0.0);
        }
        self.jaref.resize(rows, 0.0);
        self.jv.resize(rows, 0.0);
        self.oldstate.resize(rows, 0);
    }
}
