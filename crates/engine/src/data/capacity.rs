//! Upper bounds on constraint rows, from which their memory is reserved.

use super::contact;
use crate::model::Model;
use crate::model::enums::{ConeType, EqType, GeomType, JointType, SolverType};
use crate::support::spring::is_implicit;
use crate::support::{chain, flex, is_sparse};

/// Maximum number of Jacobian entries of contacts to reserve: long chains seldom touch everywhere.
const MAX_CONTACT_ENTRIES: usize = 1 << 18;
/// Expected average number of rows coupled to one row of the dual matrix.
const MET_ROWS: usize = 128;
/// Entries of the dual matrix that are always reserved, if the model can have as many.
const SMALL_DUAL: usize = 1 << 19;
/// Entries of the factor that are always reserved, if the model can have as many.
const SMALL_FACTOR: usize = 1 << 15;

/// Capacity for constraint rows: upper bounds except for contacts, whose share suffices unless there are very many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Constraint rows.
    pub rows: usize,
    /// Jacobian entries.
    pub entries: usize,
    /// Elliptic contacts.
    pub cones: usize,
    /// Entries of the dual matrix; 0 if no solver needs it.
    pub dual: usize,
    /// Entries of the Hessian's factor; 0 if no solver needs it.
    pub factor: usize,
}

impl Capacity {
    /// Capacity for a model.
    pub fn new(m: &Model) -> Self {
        let mut c = Capacity::default();
        for i in 0..m.neq {
            let flex_id = m.eq_obj1id[i] as usize;
            match m.eq_type(i) {
                kind @ (EqType::Connect | EqType::Weld) => {
                    let [b1, b2] = m.eq_bodies(i);
                    c.add(if kind == EqType::Connect { 3 } else { 6 }, chain::merged(m, b1, b2).count());
                }
                EqType::Joint => c.add(1, 2),
                EqType::Tendon => c.add(1, m.nv),
                EqType::Flex => c.add_rows(flex::edges(m, flex_id).map(|e| m.flexedge_J_rownnz[e])),
                EqType::Flexvert => c.add_rows(flex::verts(m, flex_id).flat_map(|v| m.flexvert_J_rownnz[v])),
                EqType::Distance => {}
            }
        }
        c.add(m.dof_frictionloss.iter().filter(|f| **f != 0.0).count(), 1);
        for j in (0..m.njnt).filter(|&j| m.jnt_limited[j] != 0) {
            if m.jnt_type(j) == JointType::Ball { c.add(1, 3) } else { c.add(2, 1) }
        }
        for t in 0..m.ntendon {
            c.add(usize::from(m.tendon_frictionloss[t] > 0.0) + 2 * usize::from(m.tendon_limited[t] != 0), m.nv);
        }
        c.add_contacts(m);
        if !is_sparse(m) {
            c.entries = c.rows * m.nv;
        }
        if c.rows > 0 && (m.opt.solver == SolverType::Pgs || m.opt.noslip_iterations > 0) {
            c.dual = (c.rows * c.rows).min((c.rows * MET_ROWS).max(SMALL_DUAL));
        }
        if c.rows > 0 && (m.opt.solver == SolverType::Newton || is_implicit(m)) {
            // fill-in depends on which couplings are active together
            c.factor = (32 * m.nC).max(SMALL_FACTOR).min(m.nv * (m.nv + 1) / 2);
        }
        c
    }

    fn add_contacts(&mut self, m: &Model) {
        let collides = |&g: &usize| m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0;
        let geoms = || (0..m.ngeom).filter(collides);
        if m.nv == 0 || geoms().count() + m.nflex < 2 && m.npair == 0 {
            return;
        }
        let of_geoms: usize = geoms().map(|g| usual_contacts(m.geom_type[g])).sum();
        let count = (32 + of_geoms + contact::of_flexes(m) + 2 * m.npair).min(contact::capacity(m));
        let dim = m.geom_condim.iter().chain(m.pair_dim.iter()).chain(m.flex_condim.iter()).max().map_or(1, |&d| d);
        let elliptic = m.opt.cone == ConeType::Elliptic;
        let rows = if dim <= 1 || elliptic { dim.max(1) as usize } else { 2 * (dim as usize - 1) };
        // an element moves with up to four bodies, a vertex of an interpolated flex with all its nodes
        let carriers = m.flex_nodenum.iter().map(|&n| (n as usize).max(4)).max().unwrap_or(1);
        let entries_per_row = ((1 + carriers) * longest_chain(m)).min(m.nv);
        let count = count.min(MAX_CONTACT_ENTRIES / (rows * entries_per_row).max(1));
        self.add(count * rows, entries_per_row);
        self.cones = if elliptic && dim > 1 { count } else { 0 };
    }

    /// Adds one row for each of the given numbers of entries.
    fn add_rows(&mut self, entries: impl Iterator<Item = i32>) {
        for count in entries {
            self.add(1, count as usize);
        }
    }

    fn add(&mut self, rows: usize, entries_per_row: usize) {
        self.rows += rows;
        self.entries += rows * entries_per_row;
    }
}

/// Number of contacts that a geom of this type is expected to add in a pile.
fn usual_contacts(kind: i32) -> usize {
    match GeomType::try_from(kind) {
        Ok(GeomType::Plane | GeomType::Sphere | GeomType::Capsule | GeomType::Ellipsoid) => 2,
        Ok(GeomType::Hfield) => 50,
        _ => 8,
    }
}

/// Largest number of dofs that move one body.
fn longest_chain(m: &Model) -> usize {
    let mut dofs = vec![0; m.nbody];
    for b in 1..m.nbody {
        dofs[b] = dofs[m.body_parentid[b] as usize] + m.body_dofnum[b] as usize;
    }
    dofs.into_iter().max().unwrap_or(0)
}
