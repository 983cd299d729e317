//! The way of a spatial tendon over sites, around geoms and across pulleys.

use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::WrapType;

/// A step along the way.
#[derive(Clone, Copy, Debug)]
pub enum Leg {
    /// A pulley, where a new branch begins.
    Pulley,
    /// From one site to the next.
    Span(Span),
}

/// From one site to the next.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Elements of the path that are its sites.
    pub ends: [usize; 2],
    /// Element that is a geom on the way, whether the tendon touches it or not.
    pub around: Option<usize>,
    /// What the length of its branch is divided by.
    pub divisor: f64,
    /// Whether it is the last of its branch.
    pub last: bool,
}

/// The legs of tendon `k`; none of a fixed tendon.
#[inline]
pub fn legs(m: &Model, k: usize) -> impl Iterator<Item = Leg> + '_ {
    let first = m.tendon_adr[k] as usize;
    let spatial = m.wrap_type(first) != WrapType::Joint;
    let last = if spatial { first + m.tendon_num[k] as usize - 1 } else { first };
    let (mut w, mut divisor) = (first, 1.0);
    std::iter::from_fn(move || {
        while w < last {
            if m.wrap_type(w) == WrapType::Pulley {
                divisor = m.wrap_prm[w];
                w += 1;
                return Some(Leg::Pulley);
            }
            if m.wrap_type(w + 1) == WrapType::Pulley {
                w += 1;
                continue;
            }
            let wraps = matches!(m.wrap_type(w + 1), WrapType::Sphere | WrapType::Cylinder);
            let (start, end) = (w, w + 1 + usize::from(wraps));
            w = end;
            return Some(Leg::Span(Span {
                ends: [start, end],
                around: wraps.then_some(start + 1),
                divisor,
                last: end == last || m.wrap_type(end + 1) == WrapType::Pulley,
            }));
        }
        None
    })
}

/// The spans of tendon `k`.
#[inline]
pub fn spans(m: &Model, k: usize) -> impl Iterator<Item = Span> + '_ {
    legs(m, k).filter_map(|leg| match leg {
        Leg::Span(span) => Some(span),
        Leg::Pulley => None,
    })
}

/// Element and divisor of every point of the path as it has been computed, `None` for pulleys.
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
            // where it touches the geom, it arrives and leaves
            let touched = span.around.filter(|_| objects.get(next + 1).is_some_and(|&obj| obj >= 0));
            next += 1 + 2 * usize::from(touched.is_some()) + usize::from(span.last);
            let on = touched.map(|w| Some((w, span.divisor)));
            [Some(start), on, on, span.last.then_some(end)]
        })
        .flatten()
}
