//! Workspace of the constraint solvers.

use super::link::Link;
use super::part::ConstraintSolver;
use super::xpbd::XpbdWork;
use crate::data::Island;
use crate::data::capacity::Capacity;
use crate::model::Model;
use crate::support::is_sparse;
use crate::support::spring::{SpringRows, Springs};
use sinew_math::sparse_chol::SparseChol;

/// An elliptic friction cone in solver form.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// First row.
    pub row: usize,
    /// Number of rows.
    pub dim: usize,
    /// Index of the contact.
    pub contact: usize,
    /// Scale factors that make the cone circular: `mu` of the regularised cone, then the friction coefficients.
    pub scale: [f64; 6],
    /// Whether the Hessian of the curved range has been computed.
    pub curved: bool,
}

/// A cone along a line: normal `N = u + α v`, squared tangent `T² = uu + 2 α uv + α² vv`, after scaling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConeLine {
    /// Normal at the start.
    pub u: f64,
    /// Normal rate.
    pub v: f64,
    /// Squared tangent at the start.
    pub uu: f64,
    /// Dot product of the tangent and its rate.
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
    /// Start of its columns.
    pub cols: usize,
    /// Number of columns.
    pub len: usize,
    /// Start of its values, which are stored row by row.
    pub values: usize,
    /// Whether its columns are known to form runs of three.
    pub threes: bool,
}

/// A Jacobian as blocks of rows.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The blocks in order of rows.
    pub list: Vec<RowBlock>,
    /// Columns of all blocks, in increasing order within each; unused if the problem's sparse arrays have them.
    pub cols: Vec<i32>,
    /// Values of all blocks; unused if they are those of the problem's arrays.
    pub values: Vec<f64>,
    /// Whether values are stored here.
    pub own: bool,
    /// Whether the model has flexes.
    pub flexes: bool,
    /// Gathered entries of a vector at the columns of a block.
    pub local: Vec<f64>,
    /// Marks of columns in use.
    pub mark: Vec<bool>,
    /// Single-row blocks that are links, in order.
    pub links: Vec<Link>,
    /// Alternating runs of blocks that are links and blocks that are not.
    pub runs: Vec<Run>,
}

/// Consecutive blocks.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Block after the last.
    pub end: usize,
    /// Whether all of them are links; otherwise none are.
    pub linked: bool,
}

/// Rough cost estimates in multiplications.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewtonCost {
    /// Cost of assembling and factoring the Hessian.
    pub refactor: usize,
    /// Cost of updating its factor by one row.
    pub update: usize,
}

/// Workspace of the dual matrix.
#[derive(Clone, Debug, Default)]
pub struct DualWork {
    /// First entry of each row of `B`, then the total.
    pub adr: Vec<usize>,
    /// Columns of `B`.
    pub cols: Vec<i32>,
    /// Values of `B`.
    pub values: Vec<f64>,
    /// A dense row.
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
        // rows are extended to the roots
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

/// Workspace of the solver stage, with at least one per-thread workspace.
#[derive(Clone, Debug)]
pub struct SolverRoom {
    /// Implicit springs of the whole model.
    pub springs: SpringRows,
    /// The springs by island.
    pub by_island: IslandSprings,
    /// One workspace per thread.
    pub works: Vec<SolverWork>,
    /// Workspace of the position-based solver.
    pub xpbd: XpbdWork,
    /// Scratch space for other solvers.
    pub own: Vec<f64>,
}

impl SolverRoom {
    /// Workspace for one thread.
    pub fn new(m: &Model) -> Self {
        let by_island = IslandSprings {
            rows: SpringRows::new(m),
            ends: Vec::with_capacity(m.ntree),
            order: Vec::with_capacity(SpringRows::room(m)[0]),
        };
        let (works, xpbd) = (vec![SolverWork::new(m)], XpbdWork::default());
        let mut room = SolverRoom { springs: SpringRows::new(m), by_island, works, xpbd, own: Vec::new() };
        if let Some(xpbd) = m.extension().solver {
            xpbd.prepare(m, &mut room);
        }
        room
    }

    /// Adds workspaces for up to `count` threads.
    pub fn fit_threads(&mut self, m: &Model, count: usize) {
        if self.works.len() < count {
            self.works.resize_with(count, || SolverWork::new(m));
        }
    }
}

/// Implicit springs in island order, with columns relative to the first dof of their island.
#[derive(Clone, Debug, Default)]
pub struct IslandSprings {
    rows: SpringRows,
    /// End of each island's rows.
    ends: Vec<usize>,
    /// Island and original index of each row.
    order: Vec<[u32; 2]>,
}

impl IslandSprings {
    /// Sorts springs by island. Springs outside all islands are dropped.
    pub fn gather(&mut self, springs: Springs, island: &Island) {
        self.rows.clear();
        self.ends.clear();
        self.order.clear();
        for k in 0..springs.len() {
            let first = springs.row(k).0[0];
            if let Ok(of) = u32::try_from(island.dof_island[first as usize]) {
                self.order.push([of, k as u32]);
            }
        }
        self.order.sort_unstable();
        let mut order = self.order.iter().peekable();
        for of in 0..island.nisland as u32 {
            let start = island.island_idofadr[of as usize];
            while let Some([_, k]) = order.next_if(|row| row[0] == of) {
                let (cols, values, [weight, pull]) = springs.row(*k as usize);
                let local = cols.iter().map(|&c| island.map_dof2idof[c as usize] - start);
                self.rows.push(local.zip(values.iter().copied()), weight, pull);
            }
            self.ends.push(self.rows.all().len());
        }
    }

    /// Springs of one island.
    pub fn of(&self, island: usize) -> Springs<'_> {
        let start = island.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.rows.range(start, self.ends[island])
    }
}

/// Buffers of the constraint solvers; per-row vectors grow within their capacity.
#[derive(Clone, Debug, Default)]
pub struct SolverWork {
    /// Elliptic cones in row order.
    pub cones: Vec<Cone>,
    /// Hessian of each cone in its curved range; in dual solvers, its block of the dual matrix.
    pub curves: Vec<[f64; 36]>,
    /// Cost of each cone along the search direction.
    pub lines: Vec<ConeLine>,
    /// Contacts in the curved range of their cone, with its Hessian; drained into the contacts after solving.
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
    /// Previous gradient and preconditioned gradient.
    pub old: [Vec<f64>; 2],
    /// The Jacobian in blocks.
    pub blocks: Blocks,
    /// Factor of the Hessian.
    pub sparse: SparseChol,
    /// Whether that factor excludes curved cones, so that it can be updated row by row.
    pub base: bool,
    /// Whether a second factor, which includes curved cones, is in use.
    pub curved: bool,
    /// Cost estimates of factor updates.
    pub cost: NewtonCost,
    /// A dense row of the Jacobian; zero between uses.
    pub row: Vec<f64>,
    /// Active rows of a block.
    pub pack: Vec<f64>,
    /// Weights of the active rows in the Hessian.
    pub weights: Vec<f64>,
    /// Workspace of the dual matrix.
    pub dual: DualWork,
}

impl SolverWork {
    /// Allocates buffers for a model.
    pub fn new(m: &Model) -> Self {
        let (nv, capacity) = (m.nv, Capacity::new(m));
        let Capacity { rows, entries, cones, factor, .. } = capacity;
        let of_nv = || vec![0.0; nv];
        let [springs, _] = SpringRows::room(m);
        let links = if m.nflex > 0 || is_sparse(m) && m.geom_condim.contains(&1) { rows } else { 0 };
        let own_entries = if is_sparse(m) && m.nflex == 0 { 0 } else { entries };
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
                cols: Vec::with_capacity(own_entries),
                values: Vec::with_capacity(own_entries),
                own: false,
                flexes: m.nflex > 0,
                local: of_nv(),
                mark: vec![false; nv],
                links: Vec::with_capacity(links),
                runs: Vec::with_capacity(2 * links + 1),
            },
            sparse: if factor > 0 {
                SparseChol::with_capacity(nv, [rows + springs, entries + springs * nv], factor, cones > 0)
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

    /// Resizes the buffers for a problem of `nv` dofs and `rows` rows.
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
