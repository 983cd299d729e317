//! Workspace of the collision stage.

use super::flex::{QueryWork, Task};
use crate::model::Model;
use sinew_geometry::collide;
use sinew_math::Vec3;

/// Buffers of the collision stage, kept from step to step to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct CollisionWork {
    /// Buffers of the broad phase.
    pub broad: BroadWork,
    /// Body pairs found by the broad phase, first body in the upper half.
    pub pairs: Vec<u64>,
    /// Pairs of tree nodes still to be tested.
    pub stack: Vec<[usize; 2]>,
    /// Geom pairs found by the mid phase, first geom in the upper half.
    pub leaves: Vec<u64>,
    /// Pairs that may touch.
    pub candidates: Vec<Candidate>,
    /// Buffers of the search for flex elements.
    pub query: QueryWork,
    /// Buffers of the colliders.
    pub colliders: collide::Work,
}

/// A pair that may touch. Geoms are ordered by type.
#[derive(Clone, Copy, Debug)]
pub enum Candidate {
    /// Two geoms, unless their contact types or a callback forbid it.
    Geoms([usize; 2]),
    /// Two geoms and the explicit pair that lists them.
    Pair([usize; 2], usize),
    /// A pair that involves a flex.
    Flex(Task),
}

/// Buffers of the broad phase.
#[derive(Clone, Debug, Default)]
pub struct BroadWork {
    /// Per body, what the pair filter tests regardless of position.
    pub traits: Vec<BodyTraits>,
    /// Boxes and their sorted order.
    pub sweep: SweepWork,
}

/// Properties of a body that the pair filter tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyTraits {
    /// Contact types of all its geoms.
    pub contype: i32,
    /// Contact affinities of all its geoms.
    pub conaffinity: i32,
    /// The body it is welded to.
    pub weld: i32,
    /// The body that the parent of `weld` is welded to.
    pub parent: i32,
    /// Whether it sleeps.
    pub asleep: bool,
}

/// Boxes to be compared with each other.
#[derive(Clone, Debug, Default)]
pub struct SweepWork {
    /// The boxes.
    pub spans: Vec<Span>,
    /// Their lower ends on the first axis, in increasing order.
    pub starts: Vec<u64>,
    /// The boxes in the order of their lower ends.
    pub sorted: Vec<Span>,
    /// The same, grouped by cell; a box that overlaps several cells is in each.
    pub dealt: Vec<Span>,
    /// End offset of each cell in `dealt`.
    pub ends: Vec<usize>,
    /// Boxes too large for cells.
    pub wide: Vec<Span>,
}

impl SweepWork {
    /// Buffers with capacity for `n` boxes.
    pub fn with_capacity(n: usize) -> Self {
        SweepWork {
            spans: Vec::with_capacity(n),
            starts: Vec::with_capacity(n),
            sorted: Vec::with_capacity(n),
            dealt: Vec::with_capacity(4 * n),
            ends: Vec::with_capacity(4 * n + 2),
            wide: Vec::with_capacity(n),
        }
    }

    /// Adds the box of a body, given by its lower and upper corner in the sweep frame.
    pub fn push(&mut self, body: usize, low: Vec3, high: Vec3) {
        let id = 2 * self.spans.len() as u64;
        self.spans.push(Span {
            start: ordered(low[0]) << 32 | id,
            end: ordered(high[0]) << 32 | (id + 1),
            y: [low[1], high[1]],
            z: [low[2], high[2]],
            body: body as u32,
            cell: [0; 2],
        });
    }
}

/// Maps a value, rounded to single precision, to an integer with the same order.
fn ordered(x: f64) -> u64 {
    let bits = (x as f32 + 0.0).to_bits(); // maps −0 to +0
    u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}

/// Box of a body in the sweep frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Lower end on the first axis as an ordered integer, then twice the index of the span.
    pub start: u64,
    /// Upper end on the first axis, likewise, then twice the index plus one.
    pub end: u64,
    /// Lower and upper end on the second axis.
    pub y: [f64; 2],
    /// Lower and upper end on the third axis.
    pub z: [f64; 2],
    /// The body.
    pub body: u32,
    /// The first cell it overlaps, on the second and third axis.
    pub cell: [u16; 2],
}

impl CollisionWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let n = m.nbody + m.nflex;
        CollisionWork {
            broad: BroadWork { traits: Vec::with_capacity(n), sweep: SweepWork::with_capacity(n) },
            // counts duplicates: the sweep also finds pairs with static bodies that have planes
            pairs: Vec::with_capacity((n * n.saturating_sub(1) / 2 + n).min(64 + 16 * n)),
            stack: Vec::with_capacity(2 * m.body_bvhnum.iter().max().map_or(0, |&n| n as usize)),
            leaves: Vec::with_capacity((m.ngeom * m.ngeom).min(64 + 16 * m.ngeom)),
            candidates: Vec::with_capacity((m.ngeom * m.ngeom).min(64 + 32 * m.ngeom) + m.npair + m.nflex * n),
            query: QueryWork::new(m),
            colliders: collide::Work::new(m.opt.ccd_iterations.max(0) as usize),
        }
    }
}
