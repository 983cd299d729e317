//! Sweeps over the rows.

use super::rows::{Kind, Row};
use sinew_math::MINVAL;

/// A sweep that moves nothing by more than this, in the units of a row, is the last.
const STILL: f64 = 1e-13;
/// Most sweeps of a bounce.
const BOUNCES: usize = 10;
/// Part of an overlap that goes in a substep: fast enough to be gone after a few, slow enough not to set stacks rocking.
const SHARE: f64 = 0.6;

/// Notes where rows stand after the motion so far, and begins with the multipliers of the substep before. Rigid rows let
/// motion go on as long as nothing gets worse.
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

/// Goes over all rows until they hold, at most `iterations` times, up and down in turn: that carries forces through a
/// stack in either direction. Returns how often.
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

/// Makes one row hold, with its friction if it is a contact. Returns how far that moves it.
fn hold(rows: &mut [Row], i: usize, values: &[f64], motion: &mut [f64]) -> f64 {
    let row = &rows[i];
    if matches!(row.kind, Kind::Slide(_)) {
        return 0.0; // comes with its contact
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

/// Gives a row another multiplier. Returns how far that moves it.
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

/// Friction of a contact: against all motion of the substep, as far as the normal force allows. Returns how far it moves
/// a row.
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

/// Notes how fast rows that only push come nearer.
pub(super) fn approach(rows: &mut [Row], values: &[f64], velocity: &[f64]) {
    for row in rows.iter_mut().filter(|row| matches!(row.kind, Kind::Push(_))) {
        row.approach = row.along(values, velocity);
    }
}

/// Sends bodies apart that have met within the substep of length `h` faster than `least`, with a part of the speed they had. Pushes
/// count as multipliers. Returns the number of sweeps.
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

/// Counts the multipliers of the substep.
pub(super) fn end(rows: &mut [Row]) {
    rows.iter_mut().for_each(|row| row.total += row.lambda);
}

/// Takes away a share of what was violated when the substep began, by positions alone; of rows that push, what exceeds
/// `slack`. Returns the number of sweeps.
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
