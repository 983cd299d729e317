//! Images, rendered in bands on all cores.

use crate::assets::Assets;
use crate::blend::Painter;
use crate::edges::smooth_edges;
use crate::label::draw_labels;
use crate::lens::Lens;
use crate::line::draw_lines;
use crate::trace::Packet;
use crate::vector::{F, P3, all};
use crate::world::{Bent, World};
use rayon::prelude::*;
use sinew_engine::model::enums::RndFlag;
use sinew_math::halton;
use sinew_scene::{Result, Scene};

/// Number of rows per task.
pub(crate) const BAND: usize = 16;
/// Pixels of a packet, across and down.
const TILE: [usize; 2] = [4, 2];

/// Images of up to this many pixels are drawn on the calling thread: waking others takes longer.
const SMALL: usize = 1 << 13;

/// Antialiasing quality of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// One ray per pixel.
    Fast,
    /// Four rays per pixel at silhouettes.
    #[default]
    Normal,
}

/// An image; rows from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
    /// Depth of each pixel; the far plane's where nothing is hit.
    pub depth: Vec<f32>,
    /// `segid` of the shape in each pixel; −1 for none.
    pub ids: Vec<i32>,
    /// Index of the solid in each pixel.
    pub(crate) solids: Vec<i32>,
    /// Whether images of any size are drawn by one thread.
    pub(crate) alone: bool,
}

impl Frame {
    /// A black image.
    pub fn new(width: usize, height: usize) -> Self {
        let mut frame = Frame::default();
        frame.resize(width, height);
        frame
    }

    /// Whether this image is drawn by one thread.
    pub fn is_small(&self) -> bool {
        self.alone || self.width * self.height <= SMALL
    }

    /// Changes the size; contents are undefined afterwards.
    pub fn resize(&mut self, width: usize, height: usize) {
        let pixels = width * height;
        (self.width, self.height) = (width, height);
        self.rgb.resize(3 * pixels, 0);
        self.depth.resize(pixels, 0.0);
        self.ids.resize(pixels, -1);
        self.solids.resize(pixels, -1);
    }
}

/// Draws a scene into a frame at the frame's size. The scene's flags select effects, and whether shapes are drawn in
/// the colours of their ids.
///
/// # Errors
/// A scene without a camera.
pub fn render(assets: &Assets, scene: &Scene, quality: Quality, frame: &mut Frame) -> Result<()> {
    if frame.width == 0 || frame.height == 0 {
        return Ok(());
    }
    if scene.draws(RndFlag::Segment) {
        render_ids(assets, scene, frame)?;
        id_colours(frame, scene.draws(RndFlag::Idcolor));
        return Ok(());
    }
    let lens = Lens::new(scene, [frame.width, frame.height])?;
    let bent = Bent::new(assets, scene);
    let world = World::new(assets, scene, &bent, lens.pos, false);
    let painter = Painter::new(assets, scene, &world, &lens);
    trace_bands(&lens, &world, frame, |packet| {
        let packet = painter.seen(packet);
        let colours = painter.colours(&packet);
        (packet, Some(colours))
    });
    if quality != Quality::Fast {
        smooth_edges(&painter, frame);
    }
    draw_lines(assets, scene, &lens, false, frame);
    draw_labels(scene, &lens, frame);
    Ok(())
}

/// Computes the ids and depths of a frame's pixels; its colours are unchanged.
///
/// # Errors
/// A scene without a camera.
pub fn render_ids(assets: &Assets, scene: &Scene, frame: &mut Frame) -> Result<()> {
    let lens = Lens::new(scene, [frame.width, frame.height])?;
    let bent = Bent::new(assets, scene);
    let world = World::new(assets, scene, &bent, lens.pos, true);
    trace_bands(&lens, &world, frame, |mut packet| {
        world.look(&mut packet, None);
        (packet, None)
    });
    draw_lines(assets, scene, &lens, true, frame);
    Ok(())
}

/// A band of a frame.
struct Band<'a> {
    first: usize,
    rgb: &'a mut [u8],
    depth: &'a mut [f32],
    ids: &'a mut [i32],
    solids: &'a mut [i32],
}

/// Traces a ray through every pixel and stores what `look` returns.
fn trace_bands(lens: &Lens, world: &World, frame: &mut Frame, look: impl Fn(Packet) -> (Packet, Option<P3>) + Sync) {
    let (width, alone) = (frame.width, frame.is_small());
    let rows = BAND * width;
    let parts = frame.rgb.chunks_mut(3 * rows).zip(frame.depth.chunks_mut(rows));
    let parts = parts.zip(frame.ids.chunks_mut(rows)).zip(frame.solids.chunks_mut(rows)).enumerate();
    let bands = parts.map(|(i, (((rgb, depth), ids), solids))| Band { first: i * BAND, rgb, depth, ids, solids });
    each(bands.collect(), alone, |mut band| {
        let height = band.depth.len() / width;
        for y in (0..height).step_by(TILE[1]) {
            for x in (0..width).step_by(TILE[0]) {
                let (packet, colours) = look(tile(lens, x, band.first + y));
                band.store(world, &packet, colours, [x, y], [width, height]);
            }
        }
    });
}

/// Processes every item, on this thread alone or on all.
pub(crate) fn each<T: Send>(items: Vec<T>, alone: bool, work: impl Fn(T) + Send + Sync) {
    match alone {
        true => items.into_iter().for_each(work),
        false => items.into_par_iter().for_each(work),
    }
}

/// Rays through the centres of a tile's pixels.
fn tile(lens: &Lens, x: usize, y: usize) -> Packet {
    let place = |k: usize| [x + k % TILE[0], y + k / TILE[0]].map(|p| p as f32 + 0.5);
    let xs = F::from(std::array::from_fn::<f32, 8, _>(|k| place(k)[0]));
    let ys = F::from(std::array::from_fn::<f32, 8, _>(|k| place(k)[1]));
    let (origin, dir) = lens.rays(xs, ys);
    Packet::new(origin, dir, lens.near, all(lens.far), all(0.0).simd_eq(all(0.0)))
}

/// A value from 0 to 1 as a byte.
pub(crate) fn byte(x: f32) -> u8 {
    (x * 255.0 + 0.5) as u8
}

/// Colours clamped to 1, as bytes, ray by ray.
pub(crate) fn bytes(rgb: P3) -> [[u8; 3]; 8] {
    let [r, g, b] = [0, 1, 2].map(|c| (rgb[c].fast_min(all(1.0)) * 255.0 + 0.5).fast_trunc_int().to_array());
    std::array::from_fn(|k| [r[k] as u8, g[k] as u8, b[k] as u8])
}

impl Band<'_> {
    fn store(&mut self, world: &World, packet: &Packet, rgb: Option<P3>, at: [usize; 2], size: [usize; 2]) {
        let depth = packet.t.to_array();
        let rgb = rgb.map(bytes);
        let wide = TILE[0].min(size[0] - at[0]);
        for row in 0..TILE[1].min(size[1] - at[1]) {
            let (i, k) = ((at[1] + row) * size[0] + at[0], row * TILE[0]);
            self.depth[i..i + wide].copy_from_slice(&depth[k..k + wide]);
            self.solids[i..i + wide].copy_from_slice(&packet.solid[k..k + wide]);
            for (id, solid) in self.ids[i..i + wide].iter_mut().zip(&packet.solid[k..]) {
                *id = if *solid >= 0 { world.shape(*solid).segid } else { -1 };
            }
            if let Some(rgb) = &rgb {
                self.rgb[3 * i..3 * (i + wide)].copy_from_slice(rgb[k..k + wide].as_flattened());
            }
        }
    }
}

/// Replaces colours by id colours: the id plus one, or a random colour.
fn id_colours(frame: &mut Frame, numbers: bool) {
    let colour = |id: i32| match (id, numbers) {
        (..0, _) => [0; 3],
        (_, true) => [0, 8, 16].map(|shift| ((id + 1) >> shift & 0xff) as u8),
        (_, false) => [2, 3, 5].map(|base| byte(0.1 + 0.8 * halton(id as usize + 10, base) as f32)),
    };
    for (pixel, id) in frame.rgb.chunks_exact_mut(3).zip(&frame.ids) {
        pixel.copy_from_slice(&colour(*id));
    }
}
