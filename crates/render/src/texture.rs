//! Textures with levels of detail.

use crate::vector::V3;
use sinew_engine::Model;
use sinew_engine::model::enums::{ColorSpace, TextureType};

/// Colours in shares of one.
type Pixel = [f32; 3];

/// An image at one level of detail.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    pixels: Vec<Pixel>,
}

/// An image, or six for the sides of a cube, each with ever smaller versions of itself.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    pub kind: TextureType,
    sides: Vec<Vec<Level>>,
}

/// Light that an 8-bit sRGB value stands for.
fn linear(x: f32) -> f32 {
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

impl Texture {
    pub fn new(m: &Model, id: usize) -> Texture {
        let (width, height) = (m.tex_width[id] as usize, m.tex_height[id] as usize);
        let channels = (m.tex_nchannel[id] as usize).max(1);
        let first = m.tex_adr[id].max(0) as usize;
        let bytes = m.tex_data.get(first..first + width * height * channels).unwrap_or(&[]);
        let kind = m.tex_type(id);
        let decode = m.tex_colorspace(id) == ColorSpace::Srgb && kind == TextureType::T2d;
        let value = |b: u8| {
            let x = f32::from(b) / 255.0;
            if decode { linear(x) } else { x }
        };
        let pixel = |p: &[u8]| match p {
            [r, g, b, ..] => [value(*r), value(*g), value(*b)],
            _ => [value(p[0]); 3],
        };
        let pixels: Vec<Pixel> = bytes.chunks_exact(channels).map(pixel).collect();
        let sides = match kind {
            TextureType::T2d => vec![levels(width, height, pixels)],
            // one image for all sides, or six below each other
            _ if width == height => vec![levels(width, width, pixels)],
            _ => pixels.chunks_exact((width * width).max(1)).map(|side| levels(width, width, side.to_vec())).collect(),
        };
        Texture { kind, sides }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [f32; 2] {
        self.sides.first().map_or([1.0; 2], |side| [side[0].width as f32, side[0].height as f32])
    }

    /// Colour of a repeated image; `lod` is the binary logarithm of the pixels that one pixel of the picture covers.
    pub fn image(&self, uv: [f32; 2], lod: f32) -> Pixel {
        self.sides.first().map_or([1.0; 3], |side| blended(side, lod, |level| level.repeated(uv)))
    }

    /// Colour of a cube in a direction; `spread` is the size of a pixel of the picture beside it, as a share of its
    /// length.
    pub fn cube(&self, dir: V3, spread: f32) -> Pixel {
        let [x, y, z] = dir;
        let [ax, ay, az] = dir.map(f32::abs);
        let (side, s, t, major) = if ax >= ay && ax >= az {
            if x > 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
        } else if ay >= az {
            if y > 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
        } else if z > 0.0 {
            (4, x, -y, az)
        } else {
            (5, -x, -y, az)
        };
        let Some(side) = self.sides.get(side.min(self.sides.len().wrapping_sub(1))) else { return [1.0; 3] };
        let uv = [0.5 * (s / major + 1.0), 0.5 * (t / major + 1.0)];
        let lod = (0.5 * spread * side[0].width as f32).max(1e-6).log2();
        blended(side, lod, |level| level.clamped(uv))
    }
}

/// Halves of halves, down to one pixel.
fn levels(width: usize, height: usize, pixels: Vec<Pixel>) -> Vec<Level> {
    let mut all = vec![Level { width, height, pixels }];
    while let Some(last) = all.last().filter(|l| l.width > 1 || l.height > 1) {
        let (width, height) = ((last.width / 2).max(1), (last.height / 2).max(1));
        let at = |x: usize, y: usize| last.pixels[y.min(last.height - 1) * last.width + x.min(last.width - 1)];
        let mean = |k: usize| {
            let (x, y) = (2 * (k % width), 2 * (k / width));
            let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            [0, 1, 2].map(|c| 0.25 * four.iter().map(|p| p[c]).sum::<f32>())
        };
        let pixels = (0..width * height).map(mean).collect();
        all.push(Level { width, height, pixels });
    }
    all
}

/// A colour between two levels. Near each level it is that level alone, as where OpenGL runs without a graphics card:
/// most colours then take half the work.
fn blended(levels: &[Level], lod: f32, at: impl Fn(&Level) -> Pixel) -> Pixel {
    if lod <= 0.0 || levels.len() == 1 {
        return at(&levels[0]);
    }
    let lod = (lod + 0.25).min((levels.len() - 1) as f32);
    let (fine, share) = (lod as usize, (2.0 * lod.fract() - 1.0).max(0.0));
    let a = at(&levels[fine]);
    match levels.get(fine + 1) {
        Some(coarse) if share > 0.0 => {
            let b = at(coarse);
            [0, 1, 2].map(|k| a[k] + share * (b[k] - a[k]))
        }
        _ => a,
    }
}

impl Level {
    /// The mean of the four pixels around a place, given their columns and rows.
    fn mean(&self, [x0, x1]: [usize; 2], [y0, y1]: [usize; 2], [fx, fy]: [f32; 2]) -> Pixel {
        let row = |y: usize| (self.pixels[y * self.width + x0], self.pixels[y * self.width + x1]);
        let ((a, b), (c, d)) = (row(y0), row(y1));
        [0, 1, 2].map(|k| {
            let (top, bottom) = (a[k] + fx * (b[k] - a[k]), c[k] + fx * (d[k] - c[k]));
            top + fy * (bottom - top)
        })
    }

    fn repeated(&self, uv: [f32; 2]) -> Pixel {
        let wrapped = |u: f32, n: usize| {
            let x = (u - u.floor()) * n as f32 - 0.5;
            let low = x.floor();
            let first = if low < 0.0 { n - 1 } else { (low as usize).min(n - 1) };
            ([first, if first + 1 == n { 0 } else { first + 1 }], x - low)
        };
        let ((xs, fx), (ys, fy)) = (wrapped(uv[0], self.width), wrapped(uv[1], self.height));
        self.mean(xs, ys, [fx, fy])
    }

    fn clamped(&self, uv: [f32; 2]) -> Pixel {
        let held = |u: f32, n: usize| {
            let x = (u * n as f32 - 0.5).clamp(0.0, (n - 1) as f32);
            let first = x as usize;
            ([first, (first + 1).min(n - 1)], x.fract())
        };
        let ((xs, fx), (ys, fy)) = (held(uv[0], self.width), held(uv[1], self.height));
        self.mean(xs, ys, [fx, fy])
    }
}
