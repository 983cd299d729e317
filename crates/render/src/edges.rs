//! Four rays per pixel where shapes end.

use crate::blend::Painter;
use crate::frame::{BAND, Frame, byte};
use crate::solid::Kind;
use crate::trace::Packet;
use crate::vector::{F, all};
use rayon::prelude::*;

/// Where in a pixel its samples are.
const SAMPLES: [[f32; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];
/// Change of depth from one pixel to the next, as a share of the depth, that is an edge within one shape.
const JUMP: f32 = 0.05;

/// Draws pixels along edges anew, as the mean of four samples.
pub(crate) fn smooth_edges(painter: &Painter, frame: &mut Frame) {
    let (width, height) = (frame.width, frame.height);
    let (depth, solids) = (&frame.depth, &frame.solids);
    frame.rgb.par_chunks_mut(3 * BAND * width).enumerate().for_each(|(band, rgb)| {
        let rows = band * BAND..(band * BAND + rgb.len() / (3 * width)).min(height);
        let edges: Vec<usize> = rows
            .clone()
            .flat_map(|y| (0..width).map(move |x| y * width + x))
            .filter(|i| is_edge(painter, depth, solids, *i, [width, height]))
            .collect();
        for pair in edges.chunks(2) {
            let places: [[f32; 2]; 8] = std::array::from_fn(|k| {
                let i = pair[(k / 4).min(pair.len() - 1)];
                let [x, y] = SAMPLES[k % 4];
                [(i % width) as f32 + x, (i / width) as f32 + y]
            });
            let (xs, ys) = (F::from(places.map(|p| p[0])), F::from(places.map(|p| p[1])));
            let (origin, dir) = painter.lens.rays(xs, ys);
            let everywhere = all(0.0).simd_eq(all(0.0));
            let mut packet = Packet::new(origin, dir, painter.lens.near, all(painter.lens.far), everywhere);
            let colours = painter.paint(&mut packet).map(|c| c.min(all(1.0)).to_array());
            for (k, i) in pair.iter().enumerate() {
                let at = 3 * (i - rows.start * width);
                for c in 0..3 {
                    let sum: f32 = colours[c][4 * k..4 * k + 4].iter().sum();
                    rgb[at + c] = byte(0.25 * sum);
                }
            }
        }
    });
}

/// Whether a neighbour shows something else.
fn is_edge(painter: &Painter, depth: &[f32], solids: &[i32], i: usize, [width, height]: [usize; 2]) -> bool {
    let (x, y) = (i % width, i / width);
    let own = solids[i];
    let folds = own >= 0 && matches!(painter.world.solids[own as usize].kind, Kind::Surface(_));
    let differs = |j: usize| {
        let other = solids[j];
        other != own || (folds && (depth[j] - depth[i]).abs() > JUMP * depth[i])
    };
    (x > 0 && differs(i - 1))
        || (x + 1 < width && differs(i + 1))
        || (y > 0 && differs(i - width))
        || (y + 1 < height && differs(i + width))
}
