//! Hill climbing on hulls to their farthest vertices.
//!
//! MuJoCo walks from the last vertex found, initially from the hull's first one. A walk that starts near its end is
//! much shorter, and ends at the same vertex if that is the unique farthest one. Otherwise the walk is repeated from
//! where MuJoCo starts, because its path decides among ties.
//!
//! Some hulls have neighbouring vertices at the same place, each with some of the faces there. A walk that reaches the
//! copy without the higher neighbours ends there, so on such hulls every walk starts where MuJoCo's does.

use super::few;
use crate::collide::{Hull, Mesh};
use sinew_math::{Vec3, vec3};

/// Cells per axis of a grid around the unit sphere, indexed with four bits; the centres of the outer ones lie on it.
const CELLS: usize = 12;
/// Cells per unit of length along an axis.
const PER_UNIT: f64 = 0.5 * (CELLS - 1) as f64;
/// Hulls with fewer vertices get no start table.
const FEWEST: usize = 10;
/// A vertex that is farther than its neighbours by less than this fraction counts as tied with them: vertices are
/// single precision, so faces are not exactly flat.
pub(super) const EQUAL: f64 = 1e-6;

/// The hull of a mesh, if walks on it end at its farthest vertex wherever they start, up to ties: no two neighbouring
/// vertices are at the same place.
pub(super) fn sound<'a>(mesh: &Mesh<'a>) -> Option<Hull<'a>> {
    let hull = mesh.hull()?;
    let at = |node: usize| mesh.vert[hull.vertex(node)];
    let alone = |node: usize| hull.neighbours(node).all(|other| at(other) != at(node));
    (0..hull.count()).all(alone).then_some(hull)
}

/// Table of the hull's farthest vertices, one for each grid cell that holds the tips of unit vectors; empty for meshes
/// without a hull, or with a small one, or where walks end at different vertices.
pub(super) fn starts(mesh: &Mesh) -> Vec<u16> {
    let Some(hull) = sound(mesh).filter(|hull| (FEWEST..=usize::from(u16::MAX)).contains(&hull.count())) else {
        return Vec::new();
    };
    let center = |i: usize| i as f64 / PER_UNIT - 1.0;
    let mut at = 0;
    let farthest = |cell: usize| {
        let dir = [center(cell / (CELLS * CELLS)), center(cell / CELLS % CELLS), center(cell % CELLS)];
        at = Walk::staying(hull, at, along(mesh, hull, dir)).end();
        at as u16
    };
    (0..CELLS.pow(3)).map(farthest).collect()
}

/// The cell that contains the tip of a unit vector, and some cell for any other vector.
#[inline(always)]
fn cell(dir: Vec3) -> usize {
    // adding 2⁵² rounds to an integer in the low mantissa bits: cheaper than a float cast, which saturates
    const WHOLE: f64 = (1u64 << 52) as f64;
    let [x, y, z] = dir.map(|x| ((x + 1.0) * PER_UNIT + WHOLE).to_bits() as usize & 15).map(|i| i.min(CELLS - 1));
    (x * CELLS + y) * CELLS + z
}

/// A walk on a hull to ever farther vertices.
pub(in crate::collide) struct Walk<'a, F> {
    hull: Hull<'a>,
    /// Distance of a vertex (hull index) along the direction.
    along: F,
    /// Distance of the vertex reached.
    best: f64,
    /// The vertex reached, as hull index.
    at: usize,
    /// Distance of its farthest neighbour, once the walk is over.
    next: f64,
}

impl<'a, F: Fn(usize) -> f64> Walk<'a, F> {
    /// A walk that leaves its first vertex even for lower neighbours.
    #[inline(always)]
    pub fn leaving(hull: Hull<'a>, at: usize, along: F) -> Self {
        Walk { hull, along, best: -f64::from(f32::MAX), at, next: f64::INFINITY }
    }

    /// A walk that stays at its first vertex unless a neighbour is farther.
    #[inline(always)]
    pub fn staying(hull: Hull<'a>, at: usize, along: F) -> Self {
        Walk { hull, best: along(at), at, along, next: f64::INFINITY }
    }

    /// Moves to the farthest neighbour (the first wins ties) if it is farther; `false` at the end.
    #[inline(always)]
    fn step(&mut self) -> bool {
        let (mut most, mut to) = (f64::NEG_INFINITY, self.at);
        for node in self.hull.neighbours(self.at) {
            let along = (self.along)(node);
            // which neighbour is farther is unpredictable, so the choice is branch-free
            let farther = along > most;
            most = if farther { along } else { most };
            to = if farther { node } else { to };
        }
        if most > self.best {
            (self.best, self.at) = (most, to);
            return true;
        }
        self.next = most;
        false
    }

    /// Walks to the end, and returns the vertex reached.
    #[inline(always)]
    pub fn end(mut self) -> usize {
        while self.step() {}
        self.at
    }

    /// The vertex reached, if it is the unique farthest one; call after the walk is over.
    #[inline(always)]
    fn summit(&self) -> Option<usize> {
        (self.best - self.next > EQUAL * self.best.abs()).then_some(self.at)
    }
}

/// Distances of hull vertices along a direction in the mesh's local axes.
#[inline(always)]
pub(in crate::collide) fn along<'a>(mesh: &Mesh<'a>, hull: Hull<'a>, dir: Vec3) -> impl Fn(usize) -> f64 + use<'a> {
    let vert = mesh.vert;
    move |node| vec3::dot(dir, vert[hull.vertex(node)].map(f64::from))
}

/// A walk from the table's farthest vertex for about this direction, if there is a table; the direction is a unit
/// vector.
#[inline(always)]
fn near<'a>(mesh: &Mesh<'a>, hull: Hull<'a>, dir: Vec3) -> Option<Walk<'a, impl Fn(usize) -> f64 + use<'a>>> {
    mesh.starts.get(cell(dir)).map(|&at| Walk::staying(hull, usize::from(at), along(mesh, hull, dir)))
}

/// The farthest vertex along a unit vector, if it is unique and the mesh has the data to start from.
#[inline(always)]
pub(in crate::collide) fn summit<'a>(mesh: &Mesh<'a>, hull: Hull<'a>, dir: Vec3) -> Option<usize> {
    if few::has(mesh) {
        return few::summit(mesh.fours, hull, dir);
    }
    let mut walk = near(mesh, hull, dir)?;
    while walk.step() {}
    walk.summit()
}

/// A mesh, its hull, and a unit vector in its local axes.
pub(super) type Side<'m, 'a> = (&'m Mesh<'a>, Hull<'a>, Vec3);

/// The farthest vertex; among ties, the one where a walk that leaves `from` ends.
#[inline(always)]
pub(super) fn climb(&(mesh, hull, dir): &Side, from: usize) -> usize {
    if few::has(mesh) {
        return few::climb(mesh.fours, hull, dir, from);
    }
    summit(mesh, hull, dir).unwrap_or_else(|| Walk::leaving(hull, from, along(mesh, hull, dir)).end())
}

/// The same for two meshes. The walks are interleaved, since they are independent of each other.
#[inline(always)]
pub(super) fn climb_both(sides: &[Side; 2], from: [usize; 2]) -> [usize; 2] {
    let [a, b] = sides;
    if few::has(a.0) || few::has(b.0) {
        return climb_each(sides, from);
    }
    let (Some(mut one), Some(mut other)) = (near(a.0, a.1, a.2), near(b.0, b.1, b.2)) else {
        return climb_each(sides, from);
    };
    let (mut more, mut more_other) = (true, true);
    while more && more_other {
        (more, more_other) = (one.step(), other.step());
    }
    while more {
        more = one.step();
    }
    while more_other {
        more_other = other.step();
    }
    let leave = |&(mesh, hull, dir): &Side, from: usize| Walk::leaving(hull, from, along(mesh, hull, dir)).end();
    [one.summit().unwrap_or_else(|| leave(a, from[0])), other.summit().unwrap_or_else(|| leave(b, from[1]))]
}

/// The same, one after the other. Out of line, so that the walks keep their values in registers.
#[inline(never)]
fn climb_each([a, b]: &[Side; 2], from: [usize; 2]) -> [usize; 2] {
    [climb(a, from[0]), climb(b, from[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::hull::Hull as Built;

    #[test]
    fn walks_begin_near_their_end() {
        // points all over the unit ball, along a spiral
        let point = |i: usize| {
            let (z, turn) = (1.0 - (2 * i + 1) as f64 / 300.0, 2.4 * i as f64);
            let r = (1.0 - z * z).sqrt();
            [r * turn.cos(), r * turn.sin(), z]
        };
        let points: Vec<Vec3> = (0..300).map(point).collect();
        let vert: Vec<[f32; 3]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
        let graph = Built::build(&points, None).unwrap().graph();
        let mesh = Mesh { vert: &vert, graph: &graph, ..Mesh::EMPTY };
        let (starts, hull) = (starts(&mesh), mesh.hull().unwrap());
        for &dir in &points {
            let start = mesh.vertex(hull.vertex(starts[cell(dir)].into()));
            assert!(vec3::dot(start, dir) > 0.95, "{start:?} for {dir:?}");
        }
    }
}
