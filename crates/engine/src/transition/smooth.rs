//! Derivatives of the force balance at a given acceleration, except those of constraint forces with respect to
//! velocity.

use super::anchor::{self, Torque};
use super::contact::{self, Geometry};
use super::forces::{Ground, Kind};
use super::partials::Partials;
use super::remainder::{self, Rest};
use super::report::{Term, Terms};
use super::spring::{self, Part};
use super::tie::{By, Change, Field, Tie};
use super::tree::Rates;
use super::work::Work;
use super::{actuator, adhesion, armature, fluid, rows, wrench};
use crate::data::Data;
use crate::model::Model;
use crate::model::enums::{DisableFlags, Integrator};
use crate::passive::gravcomp::acts as gravity_is_compensated;
use crate::support::chain::{Shared, merged};
use crate::support::fluid::present as in_fluid;

/// Minimum velocity scale of the polarisation of Coriolis forces.
const POLAR: f64 = 1.0;

/// Whether passive forces act at all.
fn passive(m: &Model) -> bool {
    !(m.opt.disabled(DisableFlags::SPRING) && m.opt.disabled(DisableFlags::DAMPER))
}

/// Acceleration of the world: minus gravity.
pub(super) fn base(m: &Model) -> [f64; 6] {
    let g = if m.opt.disabled(DisableFlags::GRAVITY) { [0.0; 3] } else { m.opt.gravity };
    [0.0, 0.0, 0.0, -g[0], -g[1], -g[2]]
}

/// Visits contact, connect and weld forces, with their derivatives.
fn bonds(
    m: &Model,
    d: &Data,
    geometry: &[Geometry],
    fields: [&Field; 2],
    visit: &mut impl FnMut(&Tie, &dyn Fn(Shared, By) -> Change),
) {
    contact::each(m, d, geometry, fields, &mut |_, tie, change| visit(tie, change));
    anchor::each(m, d, Torque::Real, fields, visit);
}

/// Options of the derivatives of a force balance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance<'a> {
    /// The acceleration.
    pub qacc: &'a [f64],
    /// Which forces are included.
    pub kind: Kind,
    /// Which of them have closed-form derivatives.
    pub at: Ground,
    /// Step for differences of the others.
    pub eps: f64,
}

/// Derivatives of the force balance `f(q, q̇) − M(q) a − c(q, q̇)` at the acceleration `a`, with constraints `+ Jᵀ F`.
/// Excludes the derivatives of constraint forces with respect to velocity. Returns the terms that were differenced.
pub(super) fn balance(m: &Model, balance: Balance, work: &mut Work, out: &mut Partials) -> Terms {
    let Balance { qacc: a, kind, at: Ground { tied, rest, .. }, eps } = balance;
    let rest = if kind.actuators { rest } else { rest.without(Term::Transmission) };
    let Work { data: d, trial, tree, lever, movers, rest: rest_work, geometry, fields, nudged, zero, .. } = work;
    let mut terms = rest;
    let drags = in_fluid(m) && passive(m);
    let wind = if drags { m.opt.wind } else { [0.0; 3] };
    tree.outward(m, &d.pose, &Rates { qvel: &d.state.qvel, qacc: a, base: base(m), wind });
    if drags {
        fluid::subtract(m, d, tree);
    }
    if tied {
        fields[0].fill(m, &d.pose, a);
        fields[1].fill(m, &d.pose, &d.state.qvel);
        bonds(m, d, geometry, fields.each_ref(), &mut |tie, _| tie.subtract(tree));
    }
    tree.inward(m, &d.pose, &d.inertia);
    tree.add_by_position(m, &d.pose, -1.0, &mut out.by_q);
    tree.add_by_velocity(m, &d.pose, -1.0, &mut out.by_v);
    if kind.applied {
        wrench::applied(m, &d.state, &d.pose, out);
    }
    let mut wrapped = false;
    if passive(m) {
        spring::joints(m, &d.state, out);
        let part = if kind.springs { Part::Springs(a) } else { Part::Force };
        wrapped |= spring::tendons(m, d, part, (&mut *lever, &mut *movers), out);
        if gravity_is_compensated(m) {
            // for some joints, gravity compensation counts as actuator force
            let acts = |i: usize| m.jnt_actgravcomp[m.dof_jntid[i] as usize] != 0;
            let held = |i: usize| acts(i) && (!kind.actuators || actuator::is_held(m, d, i));
            wrench::gravcomp(m, &d.pose, held, out);
        }
    }
    if kind.springs {
        spring::pulls(m, out);
    }
    let touching = (kind.actuators && !rest.has(Term::Transmission)).then_some(&geometry[..]);
    if kind.actuators {
        wrapped |= actuator::forces(m, d, (Part::Force, touching), (&mut *lever, &mut *movers), out);
    }
    if tied {
        bonds(m, d, geometry, fields.each_ref(), &mut |tie, change| {
            for shared in merged(m, tie.bodies[0], tie.bodies[1]) {
                tie.add(m, &d.pose, shared, &change(shared, By::Position), out);
            }
        });
        wrapped |= rows::lengths(m, d, a, (&mut *lever, &mut *movers), nudged, out);
    }
    armature::inertia(m, d, (a, -1.0), (&mut *lever, &mut *movers), out);
    armature::bias(m, d, tree, zero, (lever, movers), out);
    if !rest.is_empty() {
        trial.copy_from(d);
        remainder::add(m, trial, d, Rest { terms: rest, balance: Some(a), shift: None, eps }, rest_work, out);
    }
    if !geometry.is_empty() && (tied || touching.is_some() && adhesion::present(m)) {
        terms.insert(Term::Contact);
    }
    if wrapped {
        terms.insert(Term::Wrapping);
    }
    terms
}

/// Derivatives of what an integrator adds to the balance: `M(q) (a − y) + h D(q, q̇) y`, where it uses `y` instead of
/// `a`, and `lag = a − y`.
///
/// Coriolis forces are quadratic in velocity, so `∂c/∂q̇ · y` is exactly half the difference of `c` at `q̇ ± y`.
pub(super) fn shift(m: &Model, y: &[f64], lag: &[f64], rest: Terms, eps: f64, work: &mut Work, out: &mut Partials) {
    let h = m.opt.timestep;
    let still = [0.0; 6];
    if lag.iter().any(|&x| x != 0.0) {
        let Work { data: d, tree, zero, lever, movers, .. } = work;
        tree.outward(m, &d.pose, &Rates { qvel: zero, qacc: lag, base: still, wind: [0.0; 3] });
        tree.inward(m, &d.pose, &d.inertia);
        tree.add_by_position(m, &d.pose, 1.0, &mut out.by_q);
        armature::inertia(m, d, (lag, 1.0), (lever, movers), out);
    }
    if m.opt.integrator == Integrator::Implicit {
        let Work { data: d, tree, zero, nudged, .. } = work;
        let size = |x: &[f64]| x.iter().fold(0.0_f64, |max, v| max.max(v.abs()));
        let s = POLAR.max(size(&d.state.qvel)) / size(y).max(f64::MIN_POSITIVE);
        for sign in [1.0, -1.0] {
            (0..m.nv).for_each(|i| nudged[i] = d.state.qvel[i] + sign * s * y[i]);
            tree.outward(m, &d.pose, &Rates { qvel: nudged, qacc: zero, base: still, wind: [0.0; 3] });
            tree.inward(m, &d.pose, &d.inertia);
            tree.add_by_position(m, &d.pose, -sign * h / (2.0 * s), &mut out.by_q);
        }
        tree.outward(m, &d.pose, &Rates { qvel: y, qacc: zero, base: still, wind: [0.0; 3] });
        tree.inward(m, &d.pose, &d.inertia);
        tree.add_by_velocity(m, &d.pose, -h, &mut out.by_v);
    }
    let Work { data: d, trial, lever, movers, rest: rest_work, geometry, .. } = work;
    if matches!(m.opt.integrator, Integrator::Implicit | Integrator::Implicitfast) {
        let part = Part::Damping(y);
        if passive(m) {
            spring::tendons(m, d, part, (&mut *lever, &mut *movers), out);
        }
        let touching = (!rest.has(Term::Transmission)).then_some(&geometry[..]);
        actuator::forces(m, d, (part, touching), (lever, movers), out);
    }
    if !rest.is_empty() {
        trial.copy_from(d);
        remainder::add(m, trial, d, Rest { terms: rest, balance: None, shift: Some(y), eps }, rest_work, out);
    }
}

/// Whether the integrator uses another acceleration than the one from the forces.
pub(super) fn shifts(m: &Model) -> bool {
    match m.opt.integrator {
        Integrator::Implicit | Integrator::Implicitfast => true,
        Integrator::Euler => {
            let damps = !m.opt.disabled(DisableFlags::EULERDAMP) && !m.opt.disabled(DisableFlags::DAMPER);
            damps && m.dof_damping.iter().any(|&b| b > 0.0)
        }
        _ => false,
    }
}
