//! Room for the collision stage.

use super::flex::{QueryWork, Task};
use crate::model::Model;
use sinew_geometry::collide;
use sinew_math::Vec3;

/// Buffers of the collision stage. They keep their room from step to step.
#[derive(Clone, Debug, Default)]
pub struct CollisionWork {
    /// Boxes of bodies.
    pub broad: BroadWork,
    /// Pairs of bodies to look into, first body in the upper half.
    pub pairs: Vec<u64>,
    /// Pairs of tree nodes to look into.
    pub stack: Vec<[usize; 2]>,
    /// Pairs of geoms found in two trees, first geom in the upper half.
    pub leaves: Vec<u64>,
    /// What may touch.
    pub candidates: Vec<Candidate>,
    /// What the search for elements needs.
    pub query: QueryWork,
    /// What the colliders need.
    pub colliders: collide::Work,
}

/// What may touch. Geoms are in the order of their types.
#[derive(Clone, Copy, Debug)]
pub enum Candidate {
    /// Two geoms, unless their contact types or a callback forbid it.
    Geoms([usize; 2]),
    /// Two geoms, and the explicit pair that asks for them.
    Pair([usize; 2], usize),
    /// Something with a flex.
    Flex(Task),
}

/// What the search for pairs of bodies works with.
#[derive(Clone, Debug, Default)]
pub struct BroadWork {
    /// What decides about pairs of bodies wherever they are.
    pub traits: Vec<BodyTraits>,
    /// Boxes and their order.
    pub sweep: SweepWork,
}

/// What decides with whom a body may collide.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyTraits {
    /// Contact types of all its geoms.
    pub contype: i32,
    /// Contact affinities of all its geoms.
    pub conaffinity: i32,
    /// The body it is welded to.
    pub weld: i32,
    /// What the parent of that is welded to.
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
    /// The same, cell by cell; one that reaches into several cells is in each.
    pub dealt: Vec<Span>,
    /// End of each cell in `dealt`.
    pub ends: Vec<usize>,
    /// Boxes too large for cells.
    pub wide: Vec<Span>,
}

impl SweepWork {
    /// Room for `n` boxes.
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

    /// Adds the box of a body, given by its ends on the axes of the search.
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

/// A number in single precision as an integer that compares like it.
fn ordered(x: f64) -> u64 {
    let bits = (x as f32 + 0.0).to_bits(); // both zeros are one
    u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}

/// A body's box along the axes of the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Lower end on the first axis as an ordered integer, then twice the index of the span.
    pub start: u64,
    /// Upper end on the first axis, in the same way, with one added to the index.
    pub end: u64,
    /// Lower and upper end on the second axis.
    pub y: [f64; 2],
    /// Lower and upper end on the third axis.
    pub z: [f64; 2],
    /// The body.
    pub body: u32,
    /// The first cell it reaches into, on the second and third axis.
    pub cell: [u16; 2],
}

impl CollisionWork {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let n = m.nbody + m.nflex;
        CollisionWork {
            broad: BroadWork { traits: Vec::with_capacity(n), sweep: SweepWork::with_capacity(n) },
            // duplicates included: a static body with a plane is found by the sweep as well
            pairs: Vec::with_capacity((n * n.saturating_sub(1) / 2 + n).min(64 + 16 * n)),
            stack: Vec::with_capacity(2 * m.body_bvhnum.iter().max().map_or(0, |&n| n as usize)),
            leaves: Vec::with_capacity((m.ngeom * m.ngeom).min(64 + 16 * m.ngeom)),
            candidates: Vec::with_capacity((m.ngeom * m.ngeom).min(64 + 32 * m.ngeom) + m.npair + m.nflex * n),
            query: QueryWork::new(m),
            colliders: collide::Work::new(m.opt.ccd_iterations.max(0) as usize),
        }
    }
}
