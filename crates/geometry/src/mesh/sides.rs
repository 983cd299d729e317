//! Sides (half-edges) of triangles and their neighbours.
//!
//! Side `3 f + k` runs from corner `k` of face `f` to the next corner. Two sides that join the same vertices in
//! opposite directions are partners: their faces are neighbours.

/// Marks a side without partner.
const ALONE: u32 = u32::MAX;

/// Sides of all faces.
pub(super) struct Sides<'a> {
    face: &'a [[i32; 3]],
    partner: Vec<u32>,
}

impl<'a> Sides<'a> {
    /// Every side gets at most one partner. Where more than two faces share an edge, sides are paired in the order of
    /// their indices.
    pub fn new(face: &'a [[i32; 3]]) -> Self {
        let mut sides = Sides { face, partner: vec![ALONE; 3 * face.len()] };
        let ends = |side: usize| (sides.start(side), sides.start(next(side)));
        // both vertices and the index in one integer: sorting groups the sides of an edge, in index order
        let key = |(a, b): (i32, i32), side| (a.min(b) as u128) << 64 | (a.max(b) as u128) << 32 | side as u128;
        let mut by_edge: Vec<u128> = (0..sides.len()).map(|side| key(ends(side), side)).collect();
        by_edge.sort_unstable();
        for edge in by_edge.chunk_by(|a, b| a >> 32 == b >> 32) {
            let numbers = || edge.iter().map(|&key| key as u32);
            let (low, high) = ((edge[0] >> 64) as i32, (edge[0] >> 32) as i32);
            if low == high {
                // a side of zero length is its own partner, so no outline runs along it
                numbers().for_each(|side| sides.partner[side as usize] = side);
                continue;
            }
            let along = |from: i32| numbers().filter(move |&s| start(face, s) == from);
            for (up, down) in along(low).zip(along(high)) {
                sides.partner[up as usize] = down;
                sides.partner[down as usize] = up;
            }
        }
        sides
    }

    /// Number of sides.
    pub fn len(&self) -> usize {
        self.partner.len()
    }

    /// The vertex a side starts from.
    pub fn start(&self, side: usize) -> i32 {
        start(self.face, side as u32)
    }

    /// The matching side of the neighbouring face.
    pub fn partner(&self, side: usize) -> Option<usize> {
        Some(self.partner[side] as usize).filter(|&p| p != ALONE as usize)
    }
}

fn start(face: &[[i32; 3]], side: u32) -> i32 {
    face[side as usize / 3][side as usize % 3]
}

/// The following side of the same face.
pub(super) fn next(side: usize) -> usize {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_are_opposite_and_mutual() {
        // five faces around one edge, so that one side stays unpaired, and a face with a repeated corner
        let face = [[0, 1, 2], [1, 0, 3], [0, 1, 4], [1, 0, 5], [0, 1, 6], [7, 7, 8]];
        let sides = Sides::new(&face);
        let paired = (0..sides.len()).filter_map(|s| Some((s, sides.partner(s)?)));
        let mut count = 0;
        for (side, other) in paired {
            assert_eq!(sides.partner(other), Some(side));
            assert_eq!(sides.start(side), sides.start(next(other)));
            count += 1;
        }
        // two pairs around the edge; in the last face, the zero-length side (its own partner) and the two others
        assert_eq!(count, 4 + 3);
        assert_eq!(sides.partner(12), None);
        assert_eq!(sides.partner(15), Some(15));
    }
}
