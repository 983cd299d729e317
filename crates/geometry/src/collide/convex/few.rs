//! Support points of small meshes by brute force: all vertices are tested, four at a time. For few vertices this is
//! faster than a walk on the hull, which tests one after the other.

use super::walk::{EQUAL, Walk, sound, starts};
use crate::collide::{Hull, Mesh};
use sinew_math::Vec3;
use sinew_math::fours::{Four, along, larger};

/// Maximum number of groups of four vertices.
const MOST: usize = 8;

/// Precomputed data of a mesh that makes searches on its hull short.
#[derive(Clone, Debug, Default)]
pub struct HullIndex {
    starts: Vec<u16>,
    fours: Vec<Four>,
    /// The vertices that `fours` was built from, to detect changes.
    vert: Vec<[f32; 3]>,
}

impl HullIndex {
    /// Builds the index of a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        let fours = fours(mesh);
        let vert = if fours.is_empty() { Vec::new() } else { mesh.vert.to_vec() };
        HullIndex { starts: starts(mesh), fours, vert }
    }

    /// [`Mesh::starts`] and [`Mesh::fours`] for these vertices. Users may have changed the vertices since the index was
    /// built: the starts are then still good guesses, but `fours` is invalid and left empty.
    #[inline]
    pub fn of(&self, vert: &[[f32; 3]]) -> (&[u16], &[Four]) {
        (&self.starts, if self.is_of(vert) { &self.fours } else { &[] })
    }

    /// Whether the vertices are unchanged. Compares all of them, which takes fewer instructions than stopping at the
    /// first difference.
    #[inline]
    fn is_of(&self, vert: &[[f32; 3]]) -> bool {
        let numbers = self.vert.as_flattened().iter().zip(vert.as_flattened());
        self.vert.len() == vert.len() && numbers.fold(true, |same, (a, b)| same & (a.to_bits() == b.to_bits()))
    }
}

/// Off in the browser, where code size matters; results are the same.
const USED: bool = cfg!(not(target_arch = "wasm32"));

/// Whether a mesh is searched by brute force.
#[inline(always)]
pub(super) fn has(mesh: &Mesh) -> bool {
    USED && !mesh.fours.is_empty()
}

/// The vertices of a hull in groups of four, the last vertex repeated to fill the group; empty if the mesh has many, or
/// where walks end at different vertices.
fn fours(mesh: &Mesh) -> Vec<Four> {
    let few = USED && mesh.vert.len() <= 4 * MOST;
    let Some(hull) = few.then(|| sound(mesh)).flatten() else { return Vec::new() };
    let at = |i: usize| mesh.vertex(hull.vertex(i.min(hull.count() - 1)));
    let four = |i: usize| -> Four { std::array::from_fn(|axis| std::array::from_fn(|k| at(4 * i + k)[axis])) };
    (0..hull.count().div_ceil(4)).map(four).collect()
}

/// Distance of each vertex along the direction.
type Far = [[f64; 4]; MOST];

/// Distances of the vertices along a unit vector, and a bit mask of those within tolerance of the largest.
#[inline(always)]
fn farthest(fours: &[Four], hull: Hull, dir: Vec3) -> (Far, u64) {
    let mut all = [[0.0; 4]; MOST];
    let far = &mut all[..fours.len().min(MOST)];
    let best = along(fours, dir, far);
    let vertices = (1 << hull.count()) - 1;
    let among = larger(far, best - EQUAL * best.abs()) & vertices;
    (all, among)
}

/// The farthest vertex along a unit vector, if it is unique.
#[inline(always)]
pub(super) fn summit(fours: &[Four], hull: Hull, dir: Vec3) -> Option<usize> {
    let (_, among) = farthest(fours, hull, dir);
    among.is_power_of_two().then_some(among.trailing_zeros() as usize)
}

/// The farthest vertex along a unit vector; among ties, the one where a walk that leaves `from` ends.
#[inline(always)]
pub(super) fn climb(fours: &[Four], hull: Hull, dir: Vec3, from: usize) -> usize {
    let (far, among) = farthest(fours, hull, dir);
    if among.is_power_of_two() { among.trailing_zeros() as usize } else { walk(&far, hull, from) }
}

/// Where a walk over vertices at these distances ends.
#[inline(never)]
fn walk(far: &Far, hull: Hull, from: usize) -> usize {
    Walk::leaving(hull, from, |node| far.as_flattened()[node]).end()
}
