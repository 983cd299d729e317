//! Sparsity of the matrices determined by the kinematic tree: legacy M, reduced M, D and B.

use super::flat::{Flat, Names};
use super::frames::{EPS, Pose, is_origin, same_frame};
use crate::spec::{Spec, Wrap};
use sinew_engine::model::enums::{JointType, ObjType, SameFrame};
use sinew_engine::{Model, Sizes};

/// No ancestor.
const NONE: i32 = -1;

/// Which degrees of freedom couple; computed once and used for counting and filling.
pub(crate) struct Structure {
    /// Parent of each degree of freedom, towards the root.
    dof_parent: Vec<i32>,
    /// Number of consecutive simple degrees of freedom starting at each one.
    simplenum: Vec<i32>,
    /// `body_simple`.
    body_simple: Vec<u8>,
    /// Degrees of freedom in the subtree of each body.
    subtree_dofs: Vec<usize>,
    /// Degrees of freedom of the ancestors of each body.
    ancestor_dofs: Vec<usize>,
}

impl Structure {
    pub fn new(flat: &Flat, spec: &Spec, names: &Names) -> Self {
        let nbody = flat.bodies.len();
        let mut last_dof = vec![NONE; nbody];
        let mut dof_parent = Vec::with_capacity(flat.nv);
        let mut ancestor_dofs = vec![0; nbody];
        for (i, body) in flat.bodies.iter().enumerate() {
            let mut last = last_dof[body.parent];
            for dof in body.dofs.clone() {
                dof_parent.push(last);
                last = dof as i32;
            }
            last_dof[i] = last;
            if i > 0 {
                ancestor_dofs[i] = ancestor_dofs[body.parent] + flat.bodies[body.parent].dofs.len();
            }
        }
        let mut subtree_dofs: Vec<usize> = flat.bodies.iter().map(|b| b.dofs.len()).collect();
        for i in (1..nbody).rev() {
            subtree_dofs[flat.bodies[i].parent] += subtree_dofs[i];
        }
        let body_simple = simple_bodies(flat, spec, names);
        let mut simplenum = vec![0; flat.nv];
        let mut run = 0;
        for body in (0..nbody).rev() {
            for dof in flat.bodies[body].dofs.clone().rev() {
                run = if body_simple[body] > 0 { run + 1 } else { 0 };
                simplenum[dof] = run;
            }
        }
        Structure { dof_parent, simplenum, body_simple, subtree_dofs, ancestor_dofs }
    }

    /// Ancestors of a degree of freedom, nearest first.
    fn ancestors(&self, dof: usize) -> impl Iterator<Item = usize> {
        let up = |d: usize| usize::try_from(self.dof_parent[d]).ok();
        std::iter::successors(up(dof), move |&d| up(d))
    }

    pub fn count(&self, s: &mut Sizes) {
        let nv = self.dof_parent.len();
        // a parent comes before its children, so one sweep finds every depth
        let mut depth = vec![0usize; nv];
        for dof in 0..nv {
            depth[dof] = usize::try_from(self.dof_parent[dof]).map_or(0, |p| depth[p] + 1);
        }
        s.nM = nv + depth.iter().sum::<usize>();
        s.nD = 2 * s.nM - nv;
        s.nC = nv + (0..nv).filter(|&d| self.simplenum[d] == 0).map(|d| depth[d]).sum::<usize>();
        s.nB = if nv == 0 { 0 } else { self.subtree_dofs.iter().chain(&self.ancestor_dofs).sum() };
    }

    pub fn fill(&self, m: &mut Model) {
        m.body_simple.copy_from_slice(&self.body_simple);
        m.dof_simplenum.copy_from_slice(&self.simplenum);
        m.dof_parentid.copy_from_slice(&self.dof_parent);
        let mut adr = 0;
        for dof in 0..m.nv {
            m.dof_Madr[dof] = adr;
            adr += 1 + self.ancestors(dof).count() as i32;
        }
        self.fill_m(m);
        self.fill_d(m);
        fill_b(m);
    }

    /// Rows of M contain the ancestors in ascending order, then the diagonal; simple rows contain only the diagonal.
    /// The legacy layout stores the same row from the diagonal upwards.
    fn fill_m(&self, m: &mut Model) {
        let mut adr = 0;
        for row in 0..m.nv {
            let above = if self.simplenum[row] > 0 { 0 } else { self.ancestors(row).count() };
            m.M_rowadr[row] = adr as i32;
            m.M_rownnz[row] = above as i32 + 1;
            let end = adr + above;
            for (k, col) in std::iter::once(row).chain(self.ancestors(row).take(above)).enumerate() {
                m.M_colind[end - k] = col as i32;
                m.mapM2M[end - k] = m.dof_Madr[row] + k as i32;
            }
            adr = end + 1;
        }
    }

    /// Rows of D contain ancestors, the diagonal and descendants, in ascending order.
    fn fill_d(&self, m: &mut Model) {
        let nv = m.nv;
        let mut below = vec![0; nv];
        for dof in 0..nv {
            self.ancestors(dof).for_each(|above| below[above] += 1);
        }
        let mut adr = 0;
        for row in 0..nv {
            let above = self.ancestors(row).count();
            m.D_rowadr[row] = adr as i32;
            m.D_diag[row] = above as i32;
            m.D_rownnz[row] = above as i32 + 1 + below[row];
            adr += above + 1 + below[row] as usize;
        }
        m.mapM2D.fill(NONE);
        // descendants are visited in ascending order; each takes the next slot right of the diagonal
        let mut next: Vec<usize> = (0..nv).map(|row| (m.D_rowadr[row] + m.D_diag[row]) as usize + 1).collect();
        for row in 0..nv {
            let diagonal = (m.D_rowadr[row] + m.D_diag[row]) as usize;
            let last = (m.M_rowadr[row] + m.M_rownnz[row]) as usize - 1;
            let stored = m.M_rownnz[row] as usize;
            for (k, col) in std::iter::once(row).chain(self.ancestors(row)).enumerate() {
                let source = if k < stored { (last - k) as i32 } else { NONE };
                m.D_colind[diagonal - k] = col as i32;
                m.mapM2D[diagonal - k] = source;
                if k < stored {
                    m.mapD2M[last - k] = (diagonal - k) as i32;
                }
                if k > 0 {
                    m.D_colind[next[col]] = row as i32;
                    m.mapM2D[next[col]] = source;
                    next[col] += 1;
                }
            }
        }
    }
}

/// Rows of B contain, for each body, the degrees of freedom of its ancestors and of its subtree.
fn fill_b(m: &mut Model) {
    if m.nv == 0 {
        return;
    }
    let mut columns = Vec::new();
    let mut adr = 0;
    let nbody = m.nbody;
    let mut last_in_subtree: Vec<usize> = (0..nbody).collect();
    for i in (1..nbody).rev() {
        let parent = m.body_parentid[i] as usize;
        last_in_subtree[parent] = last_in_subtree[parent].max(last_in_subtree[i]);
    }
    let dofs = |m: &Model, i: usize| {
        let start = m.body_dofadr[i].max(0);
        start..start + m.body_dofnum[i]
    };
    for i in 0..nbody {
        columns.clear();
        let mut above = m.body_parentid[i] as usize;
        while above > 0 {
            columns.extend(dofs(m, above).rev());
            above = m.body_parentid[above] as usize;
        }
        columns.reverse();
        (i..=last_in_subtree[i]).for_each(|below| columns.extend(dofs(m, below)));
        m.B_rowadr[i] = adr as i32;
        m.B_rownnz[i] = columns.len() as i32;
        m.B_colind[adr..adr + columns.len()].copy_from_slice(&columns);
        adr += columns.len();
    }
}

/// Marks bodies whose inertia in generalised coordinates is diagonal: 1, or 2 if they have only slide joints.
fn simple_bodies(flat: &Flat, spec: &Spec, names: &Names) -> Vec<u8> {
    let mut simple: Vec<u8> = flat
        .bodies
        .iter()
        .enumerate()
        .map(|(i, body)| {
            let b = &body.spec;
            let centred = same_frame(&Pose::new(b.com(), b.iquat), None) == SameFrame::Body as u8;
            let parent = &flat.bodies[body.parent];
            let grounded = body.root == i || (parent.parent == 0 && parent.dofs.is_empty());
            if !centred || !grounded || (i > 0 && body.has_children) {
                return 0;
            }
            let joints = &flat.joints[body.joints.clone()];
            let turns = |kind| matches!(kind, JointType::Ball | JointType::Hinge);
            let aligned = |axis: [f64; 3]| axis.iter().filter(|x| x.abs() > EPS).count() == 1;
            let decoupled = joints.iter().enumerate().all(|(k, j)| {
                let j = &j.spec;
                let first_turn = !joints[..k].iter().any(|before| turns(before.spec.kind));
                let straight = matches!(j.kind, JointType::Free | JointType::Ball) || aligned(j.axis);
                first_turn && straight && is_origin(j.pos)
            });
            let slides = !joints.is_empty() && joints.iter().all(|j| j.spec.kind == JointType::Slide);
            match (decoupled, slides) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => 2,
            }
        })
        .collect();
    // a tendon with inertia couples the bodies on its path
    for tendon in spec.tendons.iter().filter(|t| t.armature > 0.0) {
        for (wrap, _) in &tendon.path {
            let body = match wrap {
                Wrap::Site { site } => names.get(ObjType::Site, site).map(|i| flat.sites[i].body),
                Wrap::Geom { geom, .. } => names.get(ObjType::Geom, geom).map(|i| flat.geoms[i].body),
                _ => None,
            };
            if let Some(body) = body {
                simple[body] = 0;
            }
        }
    }
    simple
}
