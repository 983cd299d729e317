//! Meshes of few vertices, all of which are looked at, four at a time: that takes less than a walk on the hull, which looks at one after
//! the other.

use super::walk::{EQUAL, Walk, starts};
use crate::collide::{Hull, Mesh};
use sinew_math::Vec3;
use sinew_math::fours::{Four, along, larger};

/// Most fours of vertices.
const MOST: usize = 8;

/// What is made out about a mesh in advance, so that searches on its hull are short.
#[derive(Clone, Debug, Default)]
pub struct HullIndex {
    starts: Vec<u16>,
    fours: Vec<Four>,
    /// The vertices that `fours` was made from.
    vert: Vec<[f32; 3]>,
}

impl HullIndex {
    /// That of a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        let fours = fours(mesh);
        let vert = if fours.is_empty() { Vec::new() } else { mesh.vert.to_vec() };
        HullIndex { starts: starts(mesh), fours, vert }
    }

    /// [`Mesh::starts`] and [`Mesh::fours`] of the mesh with these vertices. Users may have changed them since: where to begin a search
    /// is good advice still, the vertices by fours are not.
    #[inline]
    pub fn of(&self, vert: &[[f32; 3]]) -> (&[u16], &[Four]) {
        (&self.starts, if self.is_of(vert) { &self.fours } else { &[] })
    }

    /// Whether these are the vertices; all are looked at, as that takes fewer instructions than to stop at the first that differs.
    #[inline]
    fn is_of(&self, vert: &[[f32; 3]]) -> bool {
        let numbers = self.vert.as_flattened().iter().zip(vert.as_flattened());
        self.vert.len() == vert.len() && numbers.fold(true, |same, (a, b)| same & (a.to_bits() == b.to_bits()))
    }
}

/// In a browser code has to be small; results are the same.
const USED: bool = cfg!(not(target_arch = "wasm32"));

/// Whether all vertices of a mesh are looked at.
#[inline(always)]
pub(super) fn has(mesh: &Mesh) -> bool {
    USED && !mesh.fours.is_empty()
}

/// The vertices of a hull by fours, the last of them repeated to fill its four; nothing if the mesh has many.
fn fours(mesh: &Mesh) -> Vec<Four> {
    let Some(hull) = mesh.hull().filter(|_| USED && mesh.vert.len() <= 4 * MOST) else { return Vec::new() };
    let at = |i: usize| mesh.vertex(hull.vertex(i.min(hull.count() - 1)));
    let four = |i: usize| -> Four { std::array::from_fn(|axis| std::array::from_fn(|k| at(4 * i + k)[axis])) };
    (0..hull.count().div_ceil(4)).map(four).collect()
}

/// How far all vertices are.
type Far = [[f64; 4]; MOST];

/// How far vertices are along a unit vector, and which of them are as far as the farthest, as bits.
#[inline(always)]
fn farthest(fours: &[Four], hull: Hull, dir: Vec3) -> (Far, u64) {
    let mut all = [[0.0; 4]; MOST];
    let far = &mut all[..fours.len().min(MOST)];
    let best = along(fours, dir, far);
    let vertices = (1 << hull.count()) - 1;
    let among = larger(far, best - EQUAL * best.abs()) & vertices;
    (all, among)
}

/// The farthest vertex along a unit vector, if no other is as far.
#[inline(always)]
pub(super) fn summit(fours: &[Four], hull: Hull, dir: Vec3) -> Option<usize> {
    let (_, among) = farthest(fours, hull, dir);
    among.is_power_of_two().then_some(among.trailing_zeros() as usize)
}

/// The farthest vertex along a unit vector; among equals, that of a walk that leaves a given one.
#[inline(always)]
pub(super) fn climb(fours: &[Four], hull: Hull, dir: Vec3, from: usize) -> usize {
    let (far, among) = farthest(fours, hull, dir);
    if among.is_power_of_two() { among.trailing_zeros() as usize } else { walk(&far, hull, from) }
}

/// Where a walk over vertices that are so far ends.
#[inline(never)]
fn walk(far: &Far, hull: Hull, from: usize) -> usize {
    Walk::leaving(hull, from, |node| far.as_flattened()[node]).end()
}
