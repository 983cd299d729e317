//! Elastic flexes as implicit springs: what their edges, elements and hinges add to the mass matrix.
//!
//! Elements contribute the eigenvectors of their stiffness with positive eigenvalues. Hinges contribute the gradient of
//! their angle; with MuJoCo's law, the curvature along each axis, while that law's terms for curved rest shapes stay
//! explicit.

use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::DisableFlags;
use crate::support::awake as subset;
use crate::support::bending::{Bending, BendingModel, Hinge, HingeRest, hinges, mujoco_hinges};
use crate::support::chain;
use crate::support::elastic::element::{tetrahedra, triangles};
use crate::support::elastic::lame::{of_tetrahedron, of_triangle};
use crate::support::elastic::{ElasticModel, Elasticity, Element, Mujoco, Response};
use crate::support::flex;
use crate::support::flex_law::{is_elastic, is_sheet};
use crate::support::spring::SpringRows;
use sinew_math::{Vec3, vec3};

/// Laws of all flexes.
#[derive(Debug)]
pub struct FlexLaws<'a, B: ?Sized, E: ?Sized> {
    /// Bending laws.
    pub bending: &'a B,
    /// Elasticity laws.
    pub elasticity: &'a E,
    /// Rest state of all hinges; empty if no law needs it.
    pub hinges: &'a [HingeRest],
}

/// Upper bounds on the rows and entries that the flexes of a model add.
pub fn room(m: &Model) -> [usize; 2] {
    let (mut rows, mut entries) = (0, 0);
    for f in 0..m.nflex {
        let (edges, elements) = (m.flex_edgenum[f] as usize, m.flex_elemnum[f] as usize);
        let (hinges, modes) = match m.flex_dim[f] {
            2 => (3 * edges, 6 * elements),
            3 => (0, 9 * elements),
            _ => (0, 0),
        };
        rows += edges + hinges + modes;
        entries += 6 * edges + 4 * hinges + 12 * modes;
    }
    [rows, entries]
}

/// Adds the rows of all flexes at the current positions.
pub fn add<B: Bending + ?Sized, E: Elasticity + ?Sized>(
    m: &Model,
    awake: &Awake,
    pose: &Pose,
    laws: &FlexLaws<'_, B, E>,
    rows: &mut SpringRows,
) {
    let on = |flag| f64::from(u8::from(!m.opt.disabled(flag)));
    let flags = [on(DisableFlags::SPRING), on(DisableFlags::DAMPER)];
    for f in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0 && m.flex_interp[f] == 0) {
        let mut out =
            Writer { m, pose, skips: subset::skips_trees(m, awake).then_some(awake), flags, rows: &mut *rows };
        out.edges(f);
        if is_sheet(m, f) {
            match laws.bending.law(m, f) {
                Some(law) => out.hinges(law, laws.hinges, f),
                None => out.cotangents(f),
            }
        }
        if is_elastic(m, f) {
            out.elements(laws.elasticity.law(m, f), f);
        }
    }
}

struct Writer<'a> {
    m: &'a Model,
    pose: &'a Pose,
    /// Which trees are awake; `None` if all are.
    skips: Option<&'a Awake>,
    /// For springs and dampers: 1, or 0 if disabled.
    flags: [f64; 2],
    rows: &'a mut SpringRows,
}

impl Writer<'_> {
    /// Adds a spring whose elongation is the sum of `pulls · motion` over some vertices.
    fn push(&mut self, verts: &[usize], pulls: &[Vec3], stiffness: f64, damping: f64) {
        let Writer { m, pose, skips, flags: [springs, dampers], .. } = *self;
        let h = m.opt.timestep;
        let (k, b) = (springs * stiffness.max(0.0), dampers * damping.max(0.0));
        let moves = |dof: usize| skips.is_none_or(|awake| awake.tree_awake[m.dof_treeid[dof] as usize] != 0);
        let entries = verts.iter().zip(pulls).flat_map(|(&v, &pull)| {
            let body = m.flex_vertbodyid[v] as usize;
            let arm = chain::offset(m, pose, body, pose.flexvert_xpos[v]);
            chain::ancestors(m, body)
                .filter(move |&dof| moves(dof))
                .map(move |dof| (dof as i32, vec3::dot(chain::column(&pose.cdof[dof], arm), pull)))
        });
        self.rows.push_merged(entries, h * (h * k + b), h * k);
    }

    fn edges(&mut self, f: usize) {
        let m = self.m;
        let (k, b) = (m.flex_edgestiffness[f], m.flex_edgedamping[f]);
        if k <= 0.0 && b <= 0.0 {
            return;
        }
        let first = m.flex_vertadr[f] as usize;
        for e in flex::edges(m, f).filter(|&e| m.flexedge_rigid[e] == 0) {
            let ends = m.flex_edge[e].map(|v| first + v as usize);
            let [from, to] = ends.map(|v| self.pose.flexvert_xpos[v]);
            let unit = vec3::normalize(vec3::sub(to, from)).0;
            self.push(&ends, &[vec3::scale(unit, -1.0), unit], k, b);
        }
    }

    fn hinges<L: BendingModel + ?Sized>(&mut self, law: &L, rest: &[HingeRest], f: usize) {
        for (hinge, rest) in hinges(self.m, f, rest) {
            let x = hinge.verts.map(|v| self.pose.flexvert_xpos[v]);
            if let Some((angle, slope)) = Hinge::angle(x) {
                self.push(&hinge.verts, &slope, law.stiffness(rest, angle), law.damping(rest));
            }
        }
    }

    /// Adds hinges of MuJoCo's law, whose stiffness matrix has rank one along each axis.
    fn cotangents(&mut self, f: usize) {
        let damping = self.m.flex_damping[f];
        for hinge in mujoco_hinges(self.m, f) {
            let b = &self.m.flex_bending[hinge.edge];
            let most = (0..4).max_by(|&i, &j| b[5 * i].total_cmp(&b[5 * j])).unwrap_or(0);
            if b[5 * most] <= 0.0 {
                continue;
            }
            let weights: [f64; 4] = std::array::from_fn(|j| b[4 * most + j] / b[5 * most]);
            for k in 0..3 {
                let along = weights.map(|w| std::array::from_fn(|i| if i == k { w } else { 0.0 }));
                self.push(&hinge.verts, &along, b[5 * most], damping * b[5 * most]);
            }
        }
    }

    fn elements<L: ElasticModel + ?Sized>(&mut self, law: Option<&L>, f: usize) {
        let m = self.m;
        if law.is_none() && m.flex_stiffness[m.flex_elemadr[f] as usize][0] == 0.0 {
            return;
        }
        if m.flex_dim[f] == 2 {
            for (id, element) in triangles(m, f) {
                self.element(f, &element, |s| match law {
                    Some(law) => Some(law.sheet(s)),
                    None => of_triangle(&element, &m.flex_stiffness[id]).map(|lame| Mujoco::from(lame).sheet(s)),
                });
            }
        } else {
            for (id, element) in tetrahedra(m, f) {
                self.element(f, &element, |s| match law {
                    Some(law) => Some(law.response(s)),
                    None => of_tetrahedron(&element, &m.flex_stiffness[id]).map(|lame| Mujoco::from(lame).response(s)),
                });
            }
        }
    }

    fn element<const D: usize, const V: usize>(
        &mut self,
        f: usize,
        element: &Element<D, V>,
        respond: impl Fn([f64; D]) -> Option<Response<D>>,
    ) {
        let strain = element.strain(self.pose);
        let damping = self.m.flex_damping[f];
        if let Some(response) = respond(strain.axes.s) {
            strain.modes(&response, |d, k| self.push(&element.verts, &d, k, damping * k));
        }
    }
}
