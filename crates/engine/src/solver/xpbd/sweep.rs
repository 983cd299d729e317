//! Sweeps over the rows.

use super::rows::{Kind, Row};
use sinew_math::MINVAL;

/// Sweeps end when no row moves by more than this, in the units of the row.
const STILL: f64 = 1e-13;
/// Maximum number of restitution sweeps.
const BOUNCES: usize = 10;
/// Fraction of an overlap removed per substep: gone after a few substeps, but not so fast that stacks start rocking.
const SHARE: f64 = 0.6;

/// Computes the positions of rows at the start of a substep, and applies the multipliers of the previous one. Rigid
/// rows allow any motion that does not increase the violation.
pub(super) fn begin(rows: &mut [Row], values: &[f64], moved: &[f64], motion: &mut [f64], rigid: bool) {
    for row in rows {
        row.correction = 0.0;
        row.push(values, motion, row.lambda);
        let at = row.position + row.along(values, moved);
        (row.at_start, row.offset) = match row.kind {
            Kind::Dry(_) | Kind::Slide(_) => (0.0, 0.0),
            _ if !rigid => (at, at),
            Kind::Equality => (at, 0.0),
            Kind::Push(_) => (at, at.max(0.0)),
        };
    }
}

/// Sweeps over all rows until they hold, at most `iterations` times, in alternating order so that forces propagate
/// through a stack in both directions. Returns the number of sweeps.
pub(super) fn solve(rows: &mut [Row], values: &[f64], motion: &mut [f64], iterations: usize) -> usize {
    for done in 1..=iterations {
        let mut most: f64 = 0.0;
        for k in 0..rows.len() {
            let i = if done % 2 == 1 { k } else { rows.len() - 1 - k };
            most = most.max(hold(rows, i, values, motion));
        }
        if most < STILL {
            return done;
        }
    }
    iterations
}

/// Solves one row, with its friction if it is a contact. Returns how far that moves it.
fn hold(rows: &mut [Row], i: usize, values: &[f64], motion: &mut [f64]) -> f64 {
    let row = &rows[i];
    if matches!(row.kind, Kind::Slide(_)) {
        return 0.0; // solved with its contact
    }
    let now = row.offset + (1.0 + row.rate) * row.along(values, motion) + row.compliance * row.lambda;
    let free = row.lambda - now / ((1.0 + row.rate) * row.weight + row.compliance);
    let lambda = match row.kind {
        Kind::Dry(bound) => free.clamp(-bound, bound),
        Kind::Push(_) => free.max(0.0),
        Kind::Equality | Kind::Slide(_) => free,
    };
    let moved = set(&mut rows[i], lambda, values, motion);
    if let Kind::Push(slides @ 1..) = rows[i].kind {
        return moved.max(slide(&mut rows[i..=i + slides], values, motion));
    }
    moved
}

/// Changes a row's multiplier. Returns how far that moves the row.
fn set(row: &mut Row, lambda: f64, values: &[f64], motion: &mut [f64]) -> f64 {
    let change = lambda - row.lambda;
    // a row that nothing can move has weight 0 and no finite multiplier
    if change == 0.0 || !change.is_finite() {
        return 0.0;
    }
    row.lambda = lambda;
    row.push(values, motion, change);
    (change * row.weight).abs()
}

/// Friction of a contact: opposes all motion of the substep, up to the limit given by the normal force. Returns the
/// largest movement of a row.
fn slide(contact: &mut [Row], values: &[f64], motion: &mut [f64]) -> f64 {
    let Some((normal, slides)) = contact.split_first_mut() else { return 0.0 };
    let (mut free, mut size) = ([0.0; 5], 0.0);
    for (row, free) in slides.iter().zip(&mut free) {
        let Kind::Slide(mu) = row.kind else { continue };
        if row.weight > 0.0 {
            *free = row.lambda - row.along(values, motion) / row.weight;
            size += (*free / MINVAL.max(mu)).powi(2);
        }
    }
    let size = size.sqrt();
    let scale = if size > normal.lambda { normal.lambda / size } else { 1.0 };
    let rows = slides.iter_mut().zip(free);
    rows.map(|(row, free)| set(row, if scale == 0.0 { 0.0 } else { free * scale }, values, motion)).fold(0.0, f64::max)
}

/// Stores the approach speed of unilateral rows.
pub(super) fn approach(rows: &mut [Row], values: &[f64], velocity: &[f64]) {
    for row in rows.iter_mut().filter(|row| matches!(row.kind, Kind::Push(_))) {
        row.approach = row.along(values, velocity);
    }
}

/// Applies restitution to bodies that met within the substep of length `h` faster than `least`: they separate with the
/// fraction `part` of their approach speed. The impulses are added to the multipliers. Returns the number of sweeps.
pub(super) fn bounce(rows: &mut [Row], values: &[f64], velocity: &mut [f64], part: f64, least: f64, h: f64) -> usize {
    for done in 1..=BOUNCES {
        let mut most: f64 = 0.0;
        for row in rows.iter_mut() {
            if !matches!(row.kind, Kind::Push(_)) || row.lambda <= 0.0 || row.approach > -least {
                continue;
            }
            let push = (-part * row.approach - row.along(values, velocity)) / row.weight;
            if push > 0.0 && push.is_finite() {
                row.push(values, velocity, push);
                row.total += push * h;
                most = most.max(push * row.weight);
            }
        }
        if most < STILL {
            return done;
        }
    }
    BOUNCES
}

/// Adds the multipliers of the substep to the totals.
pub(super) fn end(rows: &mut [Row]) {
    rows.iter_mut().for_each(|row| row.total += row.lambda);
}

/// Removes a fraction of the violation that existed at the start of the substep, in positions only; for unilateral
/// rows, a fraction of what exceeds `slack`. Returns the number of sweeps.
pub(super) fn correct(rows: &mut [Row], values: &[f64], motion: &mut [f64], slack: f64, iterations: usize) -> usize {
    for done in 1..=iterations {
        let mut most: f64 = 0.0;
        for row in rows.iter_mut() {
            let now = row.at_start + row.along(values, motion);
            let wanted = match row.kind {
                Kind::Equality => row.correction - now / row.weight,
                Kind::Push(_) => {
                    let left = slack + (1.0 - SHARE) * (-row.at_start - slack).max(0.0);
                    (row.correction - (now + left) / row.weight).max(0.0)
                }
                Kind::Dry(_) | Kind::Slide(_) => continue,
            };
            let change = wanted - row.correction;
            if change != 0.0 && change.is_finite() {
                row.correction = wanted;
                row.push(values, motion, change);
                most = most.max((change * row.weight).abs());
            }
        }
        if most < STILL {
            return done;
        }
    }
    iterations
}
