//! Forces of flexes with a custom law in place of MuJoCo's.

use super::flex::push;
use crate::data::{Force, Pose, State};
use crate::model::Model;
use crate::support::bending::{BendingModel, Hinge, HingeRest, hinges};
use crate::support::elastic::element::{tetrahedra, triangles};
use crate::support::elastic::{ElasticModel, Element, Response};
use crate::support::flex::vertex_velocity;
use crate::support::spring::is_implicit;
use sinew_math::vec3;

/// Forces of the elements of a flex.
///
/// *Equation*: `−∂W` at the vertices, and `−d K v` with the positive part of the stiffness `K` and the damping `d` of
/// the model.
/// *Reads* `flexvert_xpos`, `qvel`. *Writes* `qfrc_spring`, `qfrc_damper`.
pub fn elements<L: ElasticModel + ?Sized>(
    m: &Model,
    (state, pose): (&State, &Pose),
    law: &L,
    f: usize,
    [springs, dampers]: [bool; 2],
    force: &mut Force,
) {
    let mut out = Writer { m, state, pose, springs, damping: if dampers { m.flex_damping[f] } else { 0.0 }, force };
    if m.flex_dim[f] == 2 {
        triangles(m, f).for_each(|(_, element)| out.element(&element, |s| law.sheet(s)));
    } else {
        tetrahedra(m, f).for_each(|(_, element)| out.element(&element, |s| law.response(s)));
    }
}

struct Writer<'a> {
    m: &'a Model,
    state: &'a State,
    pose: &'a Pose,
    springs: bool,
    damping: f64,
    force: &'a mut Force,
}

impl Writer<'_> {
    fn element<const D: usize, const V: usize>(
        &mut self,
        element: &Element<D, V>,
        respond: impl Fn([f64; D]) -> Response<D>,
    ) {
        let Writer { m, state, pose, .. } = *self;
        let strain = element.strain(pose);
        let response = respond(strain.axes.s);
        if self.springs {
            for (v, slope) in element.verts.into_iter().zip(strain.gradient(&response)) {
                push(m, pose, v, vec3::scale(slope, -1.0), &mut self.force.qfrc_spring);
            }
        }
        if self.damping > 0.0 {
            let speed = element.verts.map(|v| vertex_velocity(m, pose, &state.qvel, v));
            let mut sum = [[0.0; 3]; V];
            strain.modes(&response, |d, k| {
                let rate: f64 = d.iter().zip(&speed).map(|(d, v)| vec3::dot(*d, *v)).sum();
                for (sum, d) in sum.iter_mut().zip(d) {
                    *sum = vec3::add_scaled(*sum, d, -self.damping * k * rate);
                }
            });
            for (v, f) in element.verts.into_iter().zip(sum) {
                push(m, pose, v, f, &mut self.force.qfrc_damper);
            }
        }
    }
}

/// Safety factor of the limit: a dozen hinges act on a vertex, and each may apply a third of what would be stable for
/// it alone, less some margin.
const CROWD: f64 = 4.0;

/// Forces of the hinges of a sheet.
///
/// *Equation*: `−(M(θ) + c θ̇) ∂θ` at four vertices. Unless the integrator is `implicitspringdamper`, a limited law is
/// scaled by `1 / max(1, 4 (h² k + h c) Σ w |∂θ|²)` with the inverse masses `w`, which conserves momentum.
/// *Reads* `flexvert_xpos`, `qvel`. *Writes* `qfrc_spring`, `qfrc_damper`.
pub fn hinged<L: BendingModel + ?Sized>(
    m: &Model,
    (state, pose): (&State, &Pose),
    (law, rest): (&L, &[HingeRest]),
    f: usize,
    [springs, dampers]: [bool; 2],
    force: &mut Force,
) {
    let h = m.opt.timestep;
    let limited = law.is_limited() && !is_implicit(m);
    for (hinge, rest) in hinges(m, f, rest) {
        let x = hinge.verts.map(|v| pose.flexvert_xpos[v]);
        let Some((angle, slope)) = Hinge::angle(x) else { continue };
        let damping = law.damping(rest);
        let scale = if limited {
            let weight = |v: usize| m.body_invweight0[m.flex_vertbodyid[v] as usize][0];
            let yields: f64 = hinge.verts.iter().zip(slope).map(|(&v, g)| weight(v) * vec3::dot(g, g)).sum();
            1.0 / f64::max(1.0, CROWD * h * (h * law.stiffness(rest, angle) + damping) * yields)
        } else {
            1.0
        };
        let give = |moment: f64, qfrc: &mut [f64]| {
            for (v, g) in hinge.verts.into_iter().zip(slope) {
                push(m, pose, v, vec3::scale(g, -scale * moment), qfrc);
            }
        };
        if springs {
            give(law.moment(rest, angle), &mut force.qfrc_spring);
        }
        if dampers && damping != 0.0 {
            let speed = hinge.verts.map(|v| vertex_velocity(m, pose, &state.qvel, v));
            let rate: f64 = slope.iter().zip(speed).map(|(g, v)| vec3::dot(*g, v)).sum();
            give(damping * rate, &mut force.qfrc_damper);
        }
    }
}
