//! Antialiasing with four rays per pixel at silhouettes. As with OpenGL multisampling, coverage is evaluated four
//! times, but each solid is shaded once per pixel.

use crate::blend::Painter;
use crate::frame::{BAND, Frame, byte, each};
use crate::solid::Kind;
use crate::trace::Packet;
use crate::vector::{F, V3, add, all, mul};

/// Sample positions in a pixel.
const SAMPLES: [[f32; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];
/// Relative change of depth between pixels that counts as an edge within one shape.
const JUMP: f32 = 0.05;

/// Redraws pixels along edges as the mean of four samples.
pub(crate) fn smooth_edges(painter: &Painter, frame: &mut Frame) {
    let (width, alone) = (frame.width, frame.is_small());
    let picture = Picture { painter, width, depth: &frame.depth, solids: &frame.solids };
    each(frame.rgb.chunks_mut(3 * BAND * width).enumerate().collect(), alone, |(band, rgb)| {
        let (mut edges, mut samples) = (Vec::new(), Vec::new());
        (band * BAND..band * BAND + rgb.len() / (3 * width)).for_each(|y| picture.edges(y, &mut edges));
        for (i, pair) in edges.chunks(2).enumerate() {
            let packet = painter.seen(sample_rays(painter, [pair[0], pair[pair.len() - 1]]));
            (0..pair.len()).for_each(|k| add_samples(&packet, 4 * k, 2 * i + k, &mut samples));
        }
        for (pixel, colour) in mixed(painter, &samples) {
            let [x, y] = edges[pixel].map(|c| c as usize);
            let at = 3 * ((y - band * BAND) * width + x);
            rgb[at..at + 3].copy_from_slice(&colour.map(byte));
        }
    });
}

/// Rays through the samples of two pixels.
fn sample_rays(painter: &Painter, pixels: [[u32; 2]; 2]) -> Packet {
    let place = |k: usize, c: usize| pixels[k / 4][c] as f32 + SAMPLES[k % 4][c];
    let [xs, ys] = [0, 1].map(|c| F::from(std::array::from_fn::<f32, 8, _>(|k| place(k, c))));
    let (origin, dir) = painter.lens.rays(xs, ys);
    Packet::new(origin, dir, painter.lens.near, all(painter.lens.far), all(0.0).simd_eq(all(0.0)))
}

/// A ray that represents all samples of a pixel that hit the same solid.
struct Sample {
    pixel: usize,
    share: f32,
    origin: V3,
    dir: V3,
    /// Distance, and barycentric coordinates of the hit in its triangle.
    at: V3,
    solid: i32,
    prim: u32,
}

/// Adds the hits of the four rays starting at `first`, unless they all hit the same solid.
fn add_samples(packet: &Packet, first: usize, pixel: usize, out: &mut Vec<Sample>) {
    let solids = &packet.solid[first..first + 4];
    if solids.iter().all(|s| *s == solids[0]) {
        return;
    }
    for (i, solid) in solids.iter().enumerate() {
        let alike = solids.iter().filter(|s| *s == solid).count();
        if solids[..i].contains(solid) {
            continue;
        }
        let k = first + i;
        let of = |v: [F; 3]| v.map(|x| x.to_array()[k]);
        out.push(Sample {
            pixel,
            share: 0.25 * alike as f32,
            origin: of(packet.origin),
            dir: of(packet.dir),
            at: of([packet.t, packet.u, packet.v]),
            solid: *solid,
            prim: packet.prim[k],
        });
    }
}

/// Colours of pixels from their consecutive samples.
fn mixed(painter: &Painter, samples: &[Sample]) -> Vec<(usize, V3)> {
    let mut out: Vec<(usize, V3)> = Vec::new();
    for (sample, colour) in samples.iter().zip(coloured(painter, samples)) {
        let part = mul(colour, sample.share);
        match out.last_mut() {
            Some((pixel, sum)) if *pixel == sample.pixel => *sum = add(*sum, part),
            _ => out.push((sample.pixel, part)),
        }
    }
    out
}

/// Colours of samples. Samples of one solid are shaded together, which takes a fraction of the time.
fn coloured(painter: &Painter, samples: &[Sample]) -> Vec<V3> {
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by_key(|i| samples[*i].solid);
    let mut out = vec![[0.0; 3]; samples.len()];
    for eight in order.chunks(8) {
        let of = |k: usize| &samples[eight[k.min(eight.len() - 1)]];
        let packed =
            |part: fn(&Sample) -> V3| [0, 1, 2].map(|c| F::from(std::array::from_fn::<f32, 8, _>(|k| part(of(k))[c])));
        let [t, u, v] = packed(|s| s.at);
        let everywhere = all(0.0).simd_eq(all(0.0));
        let rays = Packet::new(packed(|s| s.origin), packed(|s| s.dir), painter.lens.near, t, everywhere);
        let (solid, prim) = (std::array::from_fn(|k| of(k).solid), std::array::from_fn(|k| of(k).prim));
        let colours = painter.colours(&Packet { u, v, solid, prim, ..rays }).map(|c| c.fast_min(all(1.0)).to_array());
        for (k, i) in eight.iter().enumerate() {
            out[*i] = [0, 1, 2].map(|c| colours[c][k]);
        }
    }
    out
}

/// Depth and solid of each pixel.
struct Picture<'a> {
    painter: &'a Painter<'a>,
    width: usize,
    depth: &'a [f32],
    solids: &'a [i32],
}

impl Picture<'_> {
    /// Adds the pixels of a row that have a neighbour with a different solid.
    fn edges(&self, y: usize, out: &mut Vec<[u32; 2]>) {
        let (width, first) = (self.width, y * self.width);
        let row = &self.solids[first..first + width];
        let above = &self.solids[first.saturating_sub(width)..][..width];
        let below = self.solids.get(first + width..first + 2 * width).unwrap_or(row);
        for x in 0..width {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
            let own = row[x];
            let alike = row[left] == own && row[right] == own && above[x] == own && below[x] == own;
            if !alike || (own >= 0 && self.folded(own, first + x, [x > 0, x + 1 < width])) {
                out.push([x as u32, y as u32]);
            }
        }
    }

    /// Whether a triangle surface has a depth jump to a neighbouring pixel.
    fn folded(&self, own: i32, i: usize, [left, right]: [bool; 2]) -> bool {
        if !matches!(self.painter.world.solids[own as usize].kind, Kind::Surface(_)) {
            return false;
        }
        let here = self.depth[i];
        let jumps = |j: Option<usize>| {
            let there = j.and_then(|j| self.depth.get(j));
            there.is_some_and(|there| (there - here).abs() > JUMP * here)
        };
        (left && jumps(Some(i - 1)))
            || (right && jumps(Some(i + 1)))
            || jumps(i.checked_sub(self.width))
            || jumps(Some(i + self.width))
    }
}
