//! Rows in the solver's form: contacts as normal and friction rows, for either cone type.

use super::{Compliance, XpbdWork};
use crate::data::multiplier::Multiplier;
use crate::data::{Contact, Efc};
use crate::model::Model;
use crate::model::enums::ConstraintType;
use crate::support::inertia::pattern;
use crate::support::row::Jacobian;
use sinew_math::sparse::Subset;
use sinew_math::{MINVAL, factor};
use std::ops::Range;

/// Range of a multiplier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Unbounded.
    Equality,
    /// Between plus and minus a bound.
    Dry(f64),
    /// Non-negative; followed by this number of friction rows.
    Push(usize),
    /// Within the friction ellipsoid given by the normal force, with this coefficient.
    Slide(f64),
}

/// A row of the solver.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub kind: Kind,
    /// The model's row it comes from; the first if there are several.
    pub efc: usize,
    /// Position at the start of the step, and of the substep.
    pub position: f64,
    pub at_start: f64,
    /// Constraint position at zero motion of the substep.
    pub offset: f64,
    /// Compliance divided by the square of the substep.
    pub compliance: f64,
    /// Time constant of a damper parallel to the spring, divided by the substep.
    pub rate: f64,
    /// `J M⁻¹Jᵀ`.
    pub weight: f64,
    /// Multiplier of the substep, its sum over substeps, and multiplier of the position correction.
    pub lambda: f64,
    pub total: f64,
    pub correction: f64,
    /// Rate of the position at the start of the substep.
    pub approach: f64,
    /// First dof, and range in `values`, of the Jacobian and of `M⁻¹Jᵀ`.
    pub jac: (usize, Range<usize>),
    pub inv: (usize, Range<usize>),
}

impl Row {
    /// Whether a position correction is due.
    pub fn is_violated(&self) -> bool {
        match self.kind {
            Kind::Equality => self.at_start != 0.0,
            Kind::Push(_) => self.at_start < 0.0,
            Kind::Dry(_) | Kind::Slide(_) => false,
        }
    }

    /// Value of the row after a motion.
    #[inline]
    pub fn along(&self, values: &[f64], motion: &[f64]) -> f64 {
        let row = &values[self.jac.1.clone()];
        factor::dot(row, &motion[self.jac.0..self.jac.0 + row.len()])
    }

    /// Adds a change of the multiplier to the motion.
    #[inline]
    pub fn push(&self, values: &[f64], motion: &mut [f64], change: f64) {
        let row = &values[self.inv.1.clone()];
        sinew_math::sparse::add_scaled(&mut motion[self.inv.0..self.inv.0 + row.len()], row, change);
    }
}

/// Builds the rows of a step with substeps of length `h`.
pub(super) fn build(
    m: &Model,
    efc: &Efc,
    contact: &[Contact],
    dofs: Subset<'_>,
    compliance: Compliance,
    h: f64,
    work: &mut XpbdWork,
) {
    work.rows.clear();
    work.values.clear();
    let mut out = Builder { m, efc, dofs, compliance, h, work };
    let mut row = 0;
    while row < efc.nefc as usize {
        row += match efc.efc_type(row) {
            ConstraintType::Equality => out.single(Kind::Equality, row),
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => {
                out.single(Kind::Dry(h * h * efc.efc_frictionloss[row]), row)
            }
            ConstraintType::ContactElliptic => out.elliptic(&contact[efc.efc_id[row] as usize], row),
            ConstraintType::ContactPyramidal => out.pyramid(&contact[efc.efc_id[row] as usize], row),
            _ => out.single(Kind::Push(0), row),
        };
    }
}

/// Builder of rows. Its methods return the number of the model's rows they consumed.
struct Builder<'a> {
    m: &'a Model,
    efc: &'a Efc,
    dofs: Subset<'a>,
    compliance: Compliance,
    h: f64,
    work: &'a mut XpbdWork,
}

impl Builder<'_> {
    fn single(&mut self, kind: Kind, row: usize) -> usize {
        self.add(kind, row, 1, &[(row, 1.0)]);
        1
    }

    fn elliptic(&mut self, con: &Contact, row: usize) -> usize {
        let dim = con.dim as usize;
        self.add(Kind::Push(dim - 1), row, 1, &[(row, 1.0)]);
        (1..dim).for_each(|k| self.add(Kind::Slide(con.friction[k - 1]), row, 1, &[(row + k, 1.0)]));
        dim
    }

    /// Pyramid edges are `normal ± μ tangent`, in pairs.
    fn pyramid(&mut self, con: &Contact, row: usize) -> usize {
        let slides = con.dim as usize - 1;
        self.add(Kind::Push(slides), row, 2 * slides, &[(row, 0.5), (row + 1, 0.5)]);
        for (k, &mu) in con.friction[..slides].iter().enumerate() {
            let half = 0.5 / MINVAL.max(mu);
            self.add(Kind::Slide(mu), row, 1, &[(row + 2 * k, half), (row + 2 * k + 1, -half)]);
        }
        2 * slides
    }

    /// Adds a row that is a linear combination of the model's rows; its force is shared by `edges` of them.
    fn add(&mut self, kind: Kind, row: usize, edges: usize, parts: &[(usize, f64)]) {
        let Builder { m, efc, work, .. } = self;
        let jacobian = Jacobian::efc(m, efc);
        let holds = matches!(kind, Kind::Equality | Kind::Push(_));
        let position = if holds { efc.efc_pos[row] - efc.efc_margin[row] } else { 0.0 };
        let (compliance, rate) = if holds && self.compliance == Compliance::Soft {
            // `R f = K I depth + B rate`
            let [k, b, impedance, _] = efc.efc_KBIP[row];
            let stiffness = MINVAL.max(k * impedance);
            (efc.efc_R[row] / (stiffness * edges as f64 * self.h * self.h), b / (stiffness * self.h))
        } else {
            (0.0, 0.0)
        };
        work.dense.fill(0.0);
        parts.iter().for_each(|&(row, scale)| jacobian.row(row).add_to(&mut work.dense, scale));
        let jac = span(&work.dense, &mut work.values);
        factor::solve_ldl(&mut work.dense, &work.factor, &work.diaginv, pattern(m), self.dofs);
        let inv = span(&work.dense, &mut work.values);
        let held = &work.values[jac.1.clone()];
        let weight = factor::dot(held, &work.dense[jac.0..jac.0 + held.len()]);
        work.rows.push(Row {
            kind,
            efc: row,
            position,
            at_start: position,
            offset: position,
            compliance,
            rate,
            weight,
            lambda: 0.0,
            total: 0.0,
            correction: 0.0,
            approach: 0.0,
            jac,
            inv,
        });
    }
}

/// Stores a vector from its first to its last nonzero.
fn span(dense: &[f64], values: &mut Vec<f64>) -> (usize, Range<usize>) {
    let is_there = |x: &f64| *x != 0.0;
    let first = dense.iter().position(is_there).unwrap_or(0);
    let end = dense.iter().rposition(is_there).map_or(first, |last| last + 1);
    let start = values.len();
    values.extend_from_slice(&dense[first..end]);
    (first, start..values.len())
}

/// Converts multipliers to forces of the model's rows. Pyramid edges get forces that add up to normal and friction
/// force; these may be negative, since friction in this solver is limited by a round cone.
pub(super) fn store(contact: &[Contact], efc: &Efc, rows: &[Row], share: f64, force: &mut [f64]) {
    for (i, row) in rows.iter().enumerate() {
        let f = row.total * share;
        let Kind::Push(slides @ 1..) = row.kind else {
            if !matches!(row.kind, Kind::Slide(_)) {
                force[row.efc] = f;
            }
            continue;
        };
        let friction = rows[i + 1..=i + slides].iter().map(|slide| slide.total * share);
        if efc.efc_type(row.efc) == ConstraintType::ContactElliptic {
            force[row.efc] = f;
            friction.enumerate().for_each(|(k, t)| force[row.efc + 1 + k] = t);
        } else {
            let mu = &contact[efc.efc_id[row.efc] as usize].friction;
            for (k, t) in friction.enumerate() {
                let (even, odd) = (f / slides as f64, t / MINVAL.max(mu[k]));
                force[row.efc + 2 * k] = 0.5 * (even + odd);
                force[row.efc + 2 * k + 1] = 0.5 * (even - odd);
            }
        }
    }
}

/// Identifies what a row acts between, as a key for its multiplier: constraint type and both sides.
fn between(efc: &Efc, contact: &[Contact], row: &Row) -> [i32; 3] {
    let (kind, id) = (efc.efc_type[row.efc], efc.efc_id[row.efc]);
    match efc.efc_type(row.efc) {
        ConstraintType::ContactFrictionless | ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic => {
            let con = &contact[id as usize];
            // geoms as non-negative ids, flexes as negative ones
            let side = |k: usize| if con.geom[k] >= 0 { con.geom[k] } else { -1 - con.flex[k] };
            [kind, side(0), side(1)]
        }
        _ => [kind, id, 0],
    }
}

/// The key of each row: what it acts between, and a running index, since contacts of one pair are consecutive.
fn keys<'a>(efc: &'a Efc, contact: &'a [Contact]) -> impl FnMut(&Row) -> [i32; 4] + 'a {
    let (mut last, mut count) = (None, 0);
    move |row| {
        let at = between(efc, contact, row);
        count = if last == Some(at) { count + 1 } else { 0 };
        last = Some(at);
        [at[0], at[1], at[2], count]
    }
}

/// Initialises multipliers from the forces of the last step, for rows that existed then.
pub(super) fn recall(efc: &Efc, contact: &[Contact], rows: &mut [Row], memory: &[Multiplier], h: f64) {
    let mut key = keys(efc, contact);
    for row in rows {
        let key = key(row);
        if let Ok(at) = memory.binary_search_by_key(&key, |one| one.key) {
            row.lambda = memory[at].force * h * h;
        }
    }
}

/// Stores the forces at the end of a step, sorted by key.
pub(super) fn remember(efc: &Efc, contact: &[Contact], rows: &[Row], h: f64, memory: &mut Vec<Multiplier>) {
    let mut key = keys(efc, contact);
    memory.clear();
    memory.extend(rows.iter().map(|row| Multiplier { key: key(row), force: row.lambda / (h * h) }));
    memory.sort_unstable_by_key(|one| one.key);
}
