//! Textures with mipmaps.

use crate::vector::{F, P3, all, among, fract};
use sinew_engine::Model;
use sinew_engine::model::enums::{ColorSpace, TextureType};

/// Red, green and blue from the lowest byte up.
type Pixel = u32;

/// An image at one level of detail.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    pixels: Vec<Pixel>,
}

/// An image, or six for the faces of a cube map, each with its mipmap levels.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    pub kind: TextureType,
    sides: Vec<Vec<Level>>,
}

/// Table from sRGB bytes to linear light, as bytes.
fn lights() -> [u8; 256] {
    let linear = |x: f32| if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
    std::array::from_fn(|b| (255.0 * linear(b as f32 / 255.0)).round() as u8)
}

/// Base-2 logarithm of positive numbers, linear between powers of two, as in OpenGL's software renderer.
#[inline(always)]
pub(crate) fn octaves(x: F) -> F {
    let x = x.to_array();
    let bits = |k: usize| x[k].to_bits() as i32 as f32;
    F::from(std::array::from_fn::<f32, 8, _>(bits)) * (1.0 / (1 << 23) as f32) - 127.0
}

impl Texture {
    pub fn new(m: &Model, id: usize) -> Texture {
        let (width, height) = (m.tex_width[id] as usize, m.tex_height[id] as usize);
        let channels = (m.tex_nchannel[id] as usize).max(1);
        let first = m.tex_adr[id].max(0) as usize;
        let bytes = m.tex_data.get(first..first + width * height * channels).unwrap_or(&[]);
        let kind = m.tex_type(id);
        let light = (m.tex_colorspace(id) == ColorSpace::Srgb && kind == TextureType::T2d).then(lights);
        let pixel = |[r, g, b]: [u8; 3]| match &light {
            None => u32::from_le_bytes([r, g, b, 0]),
            Some(light) => u32::from_le_bytes([light[r as usize], light[g as usize], light[b as usize], 0]),
        };
        let image = |bytes: &[u8], height: usize| {
            let pixels = match channels {
                3 => bytes.as_chunks::<3>().0.iter().map(|p| pixel(*p)).collect(),
                1 | 2 => bytes.chunks_exact(channels).map(|p| pixel([p[0]; 3])).collect(),
                _ => bytes.chunks_exact(channels).map(|p| pixel([p[0], p[1], p[2]])).collect(),
            };
            levels(Level { width, height, pixels })
        };
        let side = (width * width * channels).max(1);
        let sides = match kind {
            _ if bytes.is_empty() => vec![],
            TextureType::T2d => vec![image(bytes, height)],
            // one image for all faces, or six stacked vertically
            _ if width == height => vec![image(bytes, width)],
            _ => bytes.chunks_exact(side).map(|side| image(side, width)).collect(),
        };
        Texture { kind, sides }
    }

    /// Width and height in texels.
    pub fn size(&self) -> [f32; 2] {
        self.sides.first().map_or([1.0; 2], |side| [side[0].width as f32, side[0].height as f32])
    }

    /// Colours of a repeated image; `lod` is the base-2 logarithm of the number of texels per image pixel.
    pub fn image(&self, uv: [F; 2], lod: F, bits: u32) -> P3 {
        let Some(side) = self.sides.first() else { return [all(1.0); 3] };
        let [u, v] = [fract(uv[0]).to_array(), fract(uv[1]).to_array()];
        let lod = lod.to_array();
        rays(bits, |k| blended(side, lod[k], |level| level.repeated([u[k], v[k]])))
    }

    /// Colours of a cube map in the given directions; `spread` is the size of an image pixel relative to their length.
    pub fn cube(&self, dir: P3, spread: F, bits: u32) -> P3 {
        let Some(last) = self.sides.len().checked_sub(1) else { return [all(1.0); 3] };
        let lod = octaves(spread * (0.5 * self.size()[0])).to_array();
        let [x, y, z] = [dir[0].to_array(), dir[1].to_array(), dir[2].to_array()];
        rays(bits, |k| {
            let (side, uv) = on_cube([x[k], y[k], z[k]]);
            blended(&self.sides[side.min(last)], lod[k], |level| level.clamped(uv))
        })
    }
}

/// The cube face that a direction hits, and the position on it.
fn on_cube([x, y, z]: [f32; 3]) -> (usize, [f32; 2]) {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let (side, s, t, major) = if ax >= ay && ax >= az {
        if x > 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
    } else if ay >= az {
        if y > 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z > 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    let per = 0.5 / major;
    (side, [s * per + 0.5, t * per + 0.5])
}

/// Three 16-bit values that are added and scaled together: red, blue and green in units of 1/(255 · 256).
type Mix = u64;

/// One in each of the three values.
const ONES: Mix = 0x0001_0001_0001;

/// The bytes of a texel, unpacked.
#[inline(always)]
fn spread_out(pixel: Pixel) -> Mix {
    Mix::from(pixel & 0x00ff_00ff) | Mix::from(pixel & 0xff00) << 24
}

/// Colours ray by ray, from 0 to 1.
#[inline(always)]
fn rays(bits: u32, colour: impl Fn(usize) -> Mix) -> P3 {
    let mut out = [[0.0; 8]; 3];
    for k in among(bits) {
        let mix = colour(k);
        (out[0][k], out[1][k], out[2][k]) = (part(mix, 0), part(mix, 32), part(mix, 16));
    }
    let per = 1.0 / (255.0 * 256.0);
    [F::from(out[0]) * per, F::from(out[1]) * per, F::from(out[2]) * per]
}

#[inline(always)]
fn part(mix: Mix, shift: u32) -> f32 {
    (mix >> shift & 0xffff) as i32 as f32
}

/// Mipmap levels: halved repeatedly, down to one texel.
fn levels(whole: Level) -> Vec<Level> {
    let mut all = vec![whole];
    while let Some(last) = all.last().filter(|l| l.width > 1 || l.height > 1) {
        let (width, height) = ((last.width / 2).max(1), (last.height / 2).max(1));
        let row = |y: usize| &last.pixels[y.min(last.height - 1) * last.width..][..last.width];
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let (upper, lower) = (row(2 * y), row(2 * y + 1));
            pixels.extend((0..width).map(|x| {
                let (left, right) = (2 * x, (2 * x + 1).min(last.width - 1));
                let four = [upper[left], upper[right], lower[left], lower[right]];
                let mean = (four.iter().map(|p| spread_out(*p)).sum::<Mix>() + 2 * ONES) >> 2 & (0xff * ONES);
                mean as u32 | (mean >> 24) as u32
            }));
        }
        all.push(Level { width, height, pixels });
    }
    all
}

/// A colour interpolated between two levels. Near each level only that level is used, as in OpenGL's software renderer;
/// this halves the work for most colours.
#[inline(always)]
fn blended(levels: &[Level], lod: f32, at: impl Fn(&Level) -> Mix) -> Mix {
    if lod <= 0.0 || levels.len() == 1 {
        return at(&levels[0]);
    }
    let lod = (lod + 0.25).min((levels.len() - 1) as f32);
    let fine = lod as i32 as usize;
    let (a, share) = (at(&levels[fine]), 2.0 * (lod - fine as f32) - 1.0);
    match levels.get(fine + 1) {
        Some(coarse) if share > 0.0 => {
            let (b, share) = (at(coarse), (share * 256.0) as i32 as Mix);
            let bytes = |mix: Mix| (mix + 0x80 * ONES) >> 8 & (0xff * ONES);
            bytes(a) * (256 - share) + bytes(b) * share
        }
        _ => a,
    }
}

impl Level {
    /// The colour at a position (0 to 1) of a repeated image.
    #[inline(always)]
    fn repeated(&self, uv: [f32; 2]) -> Mix {
        let wrapped = |u: f32, n: usize| {
            let x = u * n as f32 + 0.5;
            let second = (x as i32).clamp(0, n as i32) as usize;
            let first = if second == 0 { n - 1 } else { second - 1 };
            (first, if second == n { 0 } else { second }, x - second as f32)
        };
        self.between(wrapped(uv[0], self.width), wrapped(uv[1], self.height))
    }

    /// The colour at a position (0 to 1) of an image clamped at its edges.
    #[inline(always)]
    fn clamped(&self, uv: [f32; 2]) -> Mix {
        let held = |u: f32, n: usize| {
            let x = (u * n as f32 - 0.5).max(0.0);
            let first = (x as i32).min(n as i32 - 1) as usize;
            (first, (first + 1).min(n - 1), x - first as f32)
        };
        self.between(held(uv[0], self.width), held(uv[1], self.height))
    }

    /// Bilinear interpolation between two columns and two rows, with the given fractions.
    #[inline(always)]
    fn between(&self, (x0, x1, fx): (usize, usize, f32), (y0, y1, fy): (usize, usize, f32)) -> Mix {
        let [right, lower] = [fx, fy].map(|f| ((f * 256.0) as i32).clamp(0, 256) as Mix);
        let both = (right * lower + 128) >> 8;
        let upper = &self.pixels[y0 * self.width..][..self.width];
        let under = &self.pixels[y1 * self.width..][..self.width];
        spread_out(upper[x0]) * (256 + both - right - lower)
            + spread_out(upper[x1]) * (right - both)
            + spread_out(under[x0]) * (lower - both)
            + spread_out(under[x1]) * both
    }
}
