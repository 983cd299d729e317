//! The path of a spatial tendon over sites, around geoms and across pulleys.

use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::WrapType;

/// One piece of the path.
#[derive(Clone, Copy, Debug)]
pub enum Leg {
    /// A pulley, which starts a new branch.
    Pulley,
    /// From one site to the next.
    Span(Span),
}

/// From one site to the next.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Path elements of its two sites.
    pub ends: [usize; 2],
    /// Path element of the geom between the sites, whether the tendon touches it or not.
    pub around: Option<usize>,
    /// Divisor of the branch's length.
    pub divisor: f64,
    /// Whether the span is the last of its branch.
    pub last: bool,
}

/// The legs of a tendon, in order.
#[derive(Clone, Copy, Debug)]
pub struct Legs<'a> {
    m: &'a Model,
    next: usize,
    last: usize,
    divisor: f64,
}

/// The legs of tendon `k`; empty for a fixed tendon.
#[inline(always)]
pub fn legs(m: &Model, k: usize) -> Legs<'_> {
    let next = m.tendon_adr[k] as usize;
    let fixed = m.wrap_type[next] == WrapType::Joint as i32;
    let last = if fixed { next } else { next + m.tendon_num[k] as usize - 1 };
    Legs { m, next, last, divisor: 1.0 }
}

impl Iterator for Legs<'_> {
    type Item = Leg;

    #[inline(always)]
    fn next(&mut self) -> Option<Leg> {
        const PULLEY: i32 = WrapType::Pulley as i32;
        const SITE: i32 = WrapType::Site as i32;
        let kinds = &self.m.wrap_type;
        while self.next < self.last {
            let start = self.next;
            if kinds[start] == PULLEY {
                self.divisor = self.m.wrap_prm[start];
                self.next += 1;
                return Some(Leg::Pulley);
            }
            let after = kinds[start + 1];
            if after == PULLEY {
                self.next += 1;
                continue;
            }
            let around = (after != SITE).then_some(start + 1);
            let end = start + 1 + usize::from(after != SITE);
            self.next = end;
            let last = end == self.last || kinds[end + 1] == PULLEY;
            return Some(Leg::Span(Span { ends: [start, end], around, divisor: self.divisor, last }));
        }
        None
    }
}

/// The spans of tendon `k`.
#[inline]
pub fn spans(m: &Model, k: usize) -> impl Iterator<Item = Span> + '_ {
    legs(m, k).filter_map(|leg| match leg {
        Leg::Span(span) => Some(span),
        Leg::Pulley => None,
    })
}

/// Path element and divisor of each point of the computed path, `None` for pulleys.
pub fn points<'a>(m: &'a Model, pose: &'a Pose, k: usize) -> impl Iterator<Item = Option<(usize, f64)>> + 'a {
    let objects = pose.wrap_obj.as_flattened();
    let mut next = pose.ten_wrapadr[k] as usize;
    legs(m, k)
        .flat_map(move |leg| {
            let span = match leg {
                Leg::Pulley => {
                    next += 1;
                    return [Some(None), None, None, None];
                }
                Leg::Span(span) => span,
            };
            let [start, end] = span.ends.map(|w| Some((w, span.divisor)));
            // on a geom that it touches, the path has two points: where it arrives and where it leaves
            let touched = span.around.filter(|_| objects.get(next + 1).is_some_and(|&obj| obj >= 0));
            next += 1 + 2 * usize::from(touched.is_some()) + usize::from(span.last);
            let on = touched.map(|w| Some((w, span.divisor)));
            [Some(start), on, on, span.last.then_some(end)]
        })
        .flatten()
}
