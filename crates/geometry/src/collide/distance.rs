//! Distance between two shapes.

use super::{Kind, Method, Settings, Shape, Work, collide, convex, method};
use sinew_math::{Vec3, vec3};

/// Signed distance of two shapes and the segment between their nearest points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distance {
    /// Distance; negative where they overlap, never more than requested.
    pub dist: f64,
    /// End points of the segment on the first and on the second shape; zero if none was found.
    pub fromto: [Vec3; 2],
}

/// Distance of two shapes, in any order, up to `distmax`. Closed-form pairs, and without `nativeccd` all pairs, search
/// for contacts with that margin.
pub fn distance(a: &Shape, b: &Shape, distmax: f64, s: &Settings, work: &mut Work) -> Distance {
    let flip = a.kind.index() > b.kind.index();
    let (first, second) = if flip { (b, a) } else { (a, b) };
    let both_boxes = matches!((&a.kind, &b.kind), (Kind::Box, Kind::Box));
    match method(&first.kind, &second.kind) {
        Method::None => return Distance { dist: distmax, ..Distance::default() },
        Method::Convex if s.nativeccd => return convex_distance(a, b, distmax, s, work),
        Method::Analytic(_) if both_boxes && s.nativeccd => return convex_distance(a, b, distmax, s, work),
        _ => collide(first, second, distmax, s, work),
    }
    let mut found = Distance { dist: distmax, ..Distance::default() };
    for c in &work.contacts {
        if c.dist < found.dist {
            let half = if flip { -0.5 * c.dist } else { 0.5 * c.dist };
            let ends = [-half, half].map(|h| vec3::add_scaled(c.pos, c.normal, h));
            found = Distance { dist: c.dist, fromto: ends };
        }
    }
    found
}

fn convex_distance(a: &Shape, b: &Shape, distmax: f64, s: &Settings, work: &mut Work) -> Distance {
    match convex::separation(a, b, distmax, s, &mut work.convex) {
        Some(found) => {
            let dist = if found.dist < distmax { found.dist } else { distmax };
            Distance { dist, fromto: found.points.unwrap_or_default() }
        }
        None => Distance { dist: distmax, ..Distance::default() },
    }
}
