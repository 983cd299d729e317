//! Tessellated round shapes as in MuJoCo's renderer. Ids and depths refer to the tessellation.

use crate::surface::Surface;
use crate::vector::V3;
use std::f32::consts::{FRAC_PI_2, TAU};

/// Unit-size pieces from which round shapes are assembled.
#[derive(Clone, Debug)]
pub(crate) struct Facets {
    /// Upper half of a ball, and its mirror image.
    pub dome: Surface,
    pub bowl: Surface,
    /// Side of a cylinder from −1 to 1.
    pub tube: Surface,
    /// Discs at height 0, facing up and down.
    pub lid: Surface,
    pub floor: Surface,
}

impl Facets {
    /// Pieces with the given numbers of slices around the axis and stacks from pole to pole.
    pub fn new(slices: i32, stacks: i32) -> Self {
        // MuJoCo's limits would suffice; these bound the memory for garbage values
        let (slices, stacks) = (slices.clamp(3, 1000) as usize, (stacks / 2).clamp(1, 500) as usize);
        let around = |j: usize, r: f32, z: f32| {
            let angle = TAU * (j % slices) as f32 / slices as f32;
            [angle.cos() * r, angle.sin() * r, z]
        };
        let ring = |i: usize, j: usize| {
            let up = FRAC_PI_2 * i as f32 / stacks as f32;
            if i == stacks { [0.0, 0.0, 1.0] } else { around(j, up.cos(), up.sin()) }
        };
        let mut dome = Vec::new();
        for (i, j) in (0..stacks).flat_map(|i| (0..slices).map(move |j| (i, j))) {
            dome.push([ring(i, j), ring(i, j + 1), ring(i + 1, j + 1)]);
            if i + 1 < stacks {
                dome.push([ring(i, j), ring(i + 1, j + 1), ring(i + 1, j)]);
            }
        }
        let mut tube = Vec::new();
        for j in 0..slices {
            let [a, b] = [j, j + 1].map(|j| around(j, 1.0, -1.0));
            let [c, d] = [j, j + 1].map(|j| around(j, 1.0, 1.0));
            tube.extend([[a, b, d], [a, d, c]]);
        }
        let disc: Vec<[V3; 3]> =
            (0..slices).map(|j| [[0.0; 3], around(j, 1.0, 0.0), around(j + 1, 1.0, 0.0)]).collect();
        Facets {
            bowl: Surface::flat(&mirrored(&dome)),
            dome: Surface::flat(&dome),
            tube: Surface::flat(&tube),
            floor: Surface::flat(&mirrored(&disc)),
            lid: Surface::flat(&disc),
        }
    }
}

/// Triangles mirrored at z = 0, reordered to keep facing outwards.
fn mirrored(triangles: &[[V3; 3]]) -> Vec<[V3; 3]> {
    let flip = |[x, y, z]: V3| [x, y, -z];
    triangles.iter().map(|[a, b, c]| [flip(*a), flip(*c), flip(*b)]).collect()
}
