//! Textures: PNG and binary files, procedural patterns.

use crate::asset::image::{self, Image};
use crate::asset::{self, bad};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::schema::attr;
use crate::spec;
use sinew_engine::Model;
use sinew_engine::model::enums::{ColorSpace, TextureBuiltin, TextureMark, TextureType};
use std::sync::Arc;

/// Maximum size of a texture. (byte)
const MAX_TEXTURE: usize = 1 << 30;

/// Faces of a cube in storage order, by their letter in `gridlayout`.
const FACES: &[u8; 6] = b"RLUDFB";

/// A texture ready for the model.
#[derive(Clone, Debug)]
pub struct CompiledTexture {
    /// Name; may be empty for sky boxes.
    pub name: String,
    /// File, as stored in the model's paths.
    pub file: String,
    /// 2-D, cube or sky box.
    pub kind: TextureType,
    /// Colour space.
    pub colorspace: ColorSpace,
    /// Rows; six squares on top of each other for cubes.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// Channels per pixel.
    pub nchannel: usize,
    /// Pixels, row-major; shared with the cache, because they are the largest part of many models.
    pub data: Arc<Vec<u8>>,
}

/// Name of a texture.
pub(super) fn name(t: &spec::Texture) -> String {
    if t.meta.name.is_empty() { asset::stem(&t.file).to_string() } else { t.meta.name.clone() }
}

impl CompiledTexture {
    /// Compiles a texture; `read` returns the content of a file.
    pub(crate) fn new<D: AsRef<[u8]>>(t: &spec::Texture, read: impl Fn(&str) -> Result<D>) -> Result<CompiledTexture> {
        let nchannel = usize::try_from(t.nchannel).ok().filter(|n| matches!(n, 1 | 3 | 4));
        let nchannel = nchannel
            .ok_or_else(|| bad(format!("{} channels are not 1, 3 or 4", t.nchannel)).attribute(attr::NCHANNEL))?;
        let mut texture = CompiledTexture {
            name: name(t),
            file: String::new(),
            kind: t.kind,
            colorspace: t.colorspace,
            height: 0,
            width: 0,
            nchannel,
            data: Arc::default(),
        };
        let cube = t.kind != TextureType::T2d;
        let load = |file: &str| load(t, nchannel, file, read(file)?.as_ref());
        if !t.data.is_empty() {
            texture.given(t)?;
        } else if t.builtin != TextureBuiltin::None {
            texture.draw(t)?;
        } else if !t.file.is_empty() && !cube {
            texture.plain(load(&t.file)?);
        } else if !t.file.is_empty() {
            texture.grid(t, load(&t.file)?)?;
        } else if !cube {
            return Err(bad("2-D texture has no file").hint("give file or builtin"));
        } else {
            texture.faces(t, load)?;
        }
        let size = texture.size()?;
        Arc::make_mut(&mut texture.data).resize(size, 0);
        Ok(texture)
    }

    /// Uses pixels set by a program.
    fn given(&mut self, t: &spec::Texture) -> Result<()> {
        let side = |n: i32| usize::try_from(n).unwrap_or(0);
        (self.width, self.height) = (side(t.width), side(t.height));
        let size = self.size()?;
        if t.data.len() != size {
            let hint = "give width * height * nchannel bytes";
            return Err(bad(format!("{} bytes of pixels instead of {size}", t.data.len())).hint(hint));
        }
        self.data = Arc::new(t.data.clone());
        Ok(())
    }

    fn size(&self) -> Result<usize> {
        let pixels = self.width.checked_mul(self.height);
        let size =
            pixels.and_then(|n| n.checked_mul(self.nchannel)).filter(|&n| n <= MAX_TEXTURE).ok_or_else(|| {
                let message = format!("texture of {} x {} is larger than {MAX_TEXTURE} bytes", self.width, self.height);
                Error::new(ErrorKind::Limit(message))
            })?;
        Limits::default().check_memory("the texture", size as u128).map(|()| size)
    }

    /// Determines the colour space from the first image.
    fn colors(&mut self, image: &Image) {
        if self.colorspace == ColorSpace::Auto {
            self.colorspace = if image.srgb { ColorSpace::Srgb } else { ColorSpace::Linear };
        }
    }

    fn plain(&mut self, image: Image) {
        self.colors(&image);
        (self.width, self.height, self.data) = (image.width, image.height, Arc::new(image.data));
    }

    /// Makes a cube from one image: a square repeated on all sides, or a grid of squares.
    fn grid(&mut self, t: &spec::Texture, image: Image) -> Result<()> {
        self.colors(&image);
        let [rows, cols] = t.gridsize.map(|n| usize::try_from(n).unwrap_or(0));
        if rows < 1 || cols < 1 || rows.saturating_mul(cols) > 12 {
            return Err(bad("gridsize must be positive and have no more than 12 squares").attribute(attr::GRIDSIZE));
        }
        let square = image.width / cols;
        if square != image.height / rows || !image.width.is_multiple_of(cols) || !image.height.is_multiple_of(rows) {
            return Err(bad(format!(
                "image of {} x {} does not split into {rows} x {cols} squares",
                image.width, image.height
            ))
            .attribute(attr::GRIDSIZE));
        }
        self.width = square;
        if rows * cols == 1 {
            self.height = square;
            self.data = Arc::new(image.data);
            return Ok(());
        }
        self.height = 6 * square;
        self.size()?;
        let (row, side) = (3 * square, 3 * square * square);
        let mut data = plain_color(t.rgb1, 6 * square * square);
        for (k, symbol) in t.gridlayout.iter().take(rows * cols).enumerate() {
            if *symbol == b'.' {
                continue;
            }
            let face = FACES
                .iter()
                .position(|f| f == symbol)
                .ok_or_else(|| bad("gridlayout may only have the letters .RLUDFB").attribute(attr::GRIDLAYOUT))?;
            let (top, left) = (square * (k / cols), row * (k % cols));
            for j in 0..square {
                let from = (j + top) * 3 * image.width + left;
                data[face * side + j * row..][..row].copy_from_slice(&image.data[from..from + row]);
            }
        }
        self.data = Arc::new(data);
        Ok(())
    }

    /// Makes a cube from up to six images; missing ones are filled with the first colour.
    fn faces(&mut self, t: &spec::Texture, load: impl Fn(&str) -> Result<Image>) -> Result<()> {
        for (i, file) in t.cubefiles.iter().enumerate().filter(|(_, file)| !file.is_empty()) {
            let image = load(file)?;
            self.colors(&image);
            let w = image.width;
            if w != image.height {
                return Err(bad(format!("'{file}' is {w} x {}, faces of a cube must be square", image.height)));
            }
            if self.data.is_empty() {
                (self.width, self.height) = (w, 6 * w);
                self.size()?;
                self.data = Arc::new(plain_color(t.rgb1, 6 * w * w));
            } else if self.width != w {
                return Err(bad(format!("'{file}' has width {w}, other faces have {}", self.width)));
            }
            let side = 3 * w * w;
            Arc::make_mut(&mut self.data)[i * side..][..side].copy_from_slice(&image.data[..side]);
        }
        if self.data.is_empty() {
            return Err(bad("texture has no file").hint("give file, builtin, or files of the faces"));
        }
        Ok(())
    }

    /// Draws procedural patterns.
    fn draw(&mut self, t: &spec::Texture) -> Result<()> {
        let positive = |n: i32, what: &str| {
            usize::try_from(n)
                .ok()
                .filter(|&n| n > 0)
                .ok_or_else(|| bad(format!("{what} of a builtin texture must be positive, got {n}")).attribute(what))
        };
        self.width = positive(t.width, "width")?;
        let cube = t.kind != TextureType::T2d;
        self.height = if cube { self.width.saturating_mul(6) } else { positive(t.height, "height")? };
        self.size()?;
        if self.nchannel < 3 {
            return Err(bad("builtin textures have colours").attribute(attr::NCHANNEL));
        }
        let (w, h) = (self.width, if cube { self.width } else { self.height });
        let mut pixels = vec![[0u8; 3]; self.width * self.height];
        for face in 0..pixels.len() / (w * h) {
            let start = face * w * h;
            if let Some(twin) = cube.then(|| twin(t.builtin, face)).flatten() {
                pixels.copy_within(twin * w * h..(twin + 1) * w * h, start);
                continue;
            }
            let side = &mut pixels[start..start + w * h];
            paint(t, side, w, cube.then_some(face));
            mark(t, side, w);
        }
        if t.mark == TextureMark::Random && t.random > 0.0 {
            let mut random = Twister::new(42);
            for pixel in &mut pixels {
                if random.unit() < t.random {
                    *pixel = color(t.markrgb);
                }
            }
        }
        self.data = Arc::new(pixels.into_flattened());
        Ok(())
    }
}

/// Reads an image and flips it.
fn load(t: &spec::Texture, nchannel: usize, file: &str, data: &[u8]) -> Result<Image> {
    let kind = asset::media_type(file, &t.content_type);
    let mut image = match kind.as_str() {
        "image/png" => image::png(data, nchannel)?,
        "" | "image/vnd.mujoco.texture" => image::raw_texture(data)?,
        "image/ktx" if t.hflip || t.vflip => return Err(bad("KTX textures cannot be flipped")),
        "image/ktx" => return Ok(Image { width: data.len(), height: 1, srgb: false, data: data.to_vec() }),
        other => return Err(bad(format!("unsupported texture type '{other}'")).hint("use PNG")),
    };
    if image.data.len() < image.width * image.height * nchannel.min(3) || image.data.is_empty() {
        return Err(bad(format!("image has fewer than {nchannel} channels")).attribute(attr::NCHANNEL));
    }
    let row = image.data.len() / image.height;
    if t.hflip {
        for line in image.data.chunks_exact_mut(row) {
            let flipped: Vec<u8> = line.chunks_exact(row / image.width).rev().flatten().copied().collect();
            line.copy_from_slice(&flipped);
        }
    }
    if t.vflip {
        image.data = image.data.chunks_exact(row).rev().flatten().copied().collect();
    }
    Ok(image)
}

/// Colour as bytes, truncated.
fn color(rgb: [f64; 3]) -> [u8; 3] {
    rgb.map(|c| (255.0 * c) as i32 as u8)
}

fn plain_color(rgb: [f64; 3], pixels: usize) -> Vec<u8> {
    color(rgb).repeat(pixels)
}

/// Blends two colours by a sigmoid of `x`; `x` = 1 gives `a`.
fn mix(a: [f64; 3], b: [f64; 3], x: f64) -> [u8; 3] {
    let correction = 1.0 / 2f64.sqrt();
    let alpha = (0.5 * (1.0 + x / (1.0 + x * x).sqrt() / correction)).clamp(0.0, 1.0);
    color([0, 1, 2].map(|k| alpha * a[k] + (1.0 - alpha) * b[k]))
}

/// An earlier face of the cube with the same image.
fn twin(builtin: TextureBuiltin, face: usize) -> Option<usize> {
    match (builtin, face) {
        (TextureBuiltin::Gradient, 1 | 4 | 5) | (TextureBuiltin::Checker, 1..=3) => Some(0),
        (TextureBuiltin::Flat, 1 | 2 | 4 | 5) => Some(0),
        (TextureBuiltin::Checker, 5) => Some(4),
        _ => None,
    }
}

/// Draws the pattern of one face: of a 2-D texture, or face `face` of a cube.
fn paint(t: &spec::Texture, pixels: &mut [[u8; 3]], w: usize, face: Option<usize>) {
    let h = pixels.len() / w;
    let (one, two) = (color(t.rgb1), color(t.rgb2));
    match t.builtin {
        TextureBuiltin::None => {}
        // the ground side of a flat cube
        TextureBuiltin::Flat => pixels.fill(if face == Some(3) { two } else { one }),
        TextureBuiltin::Checker => {
            // front and back have the colours swapped
            let (one, two) = if matches!(face, Some(4 | 5)) { (two, one) } else { (one, two) };
            for (r, row) in pixels.chunks_exact_mut(w).enumerate() {
                let (left, right) = if r < h / 2 { (one, two) } else { (two, one) };
                row[..w / 2].fill(left);
                row[w / 2..].fill(right);
            }
        }
        TextureBuiltin::Gradient => {
            let place = |i: usize, n: usize| (2 * i) as f64 / (n as f64 - 1.0);
            let columns: Vec<f64> = (0..w).map(|c| place(c, w) - 1.0).collect();
            for (r, row) in pixels.chunks_exact_mut(w).enumerate() {
                let y = 1.0 - place(r, h);
                row.iter_mut().zip(&columns).for_each(|(pixel, &x)| *pixel = gradient(t, x, y, face));
            }
        }
    }
}

/// Gradient from the centre of a 2-D texture, or by elevation on a cube.
fn gradient(t: &spec::Texture, x: f64, y: f64, face: Option<usize>) -> [u8; 3] {
    use std::f64::consts::PI;
    let Some(face) = face else { return mix(t.rgb2, t.rgb1, 2.0 * (x * x + y * y).sqrt() - 1.0) };
    let length = (1.0 + x * x + y * y).sqrt();
    let up = 1.0 - (1.0 / length).acos() / (0.5 * PI);
    match face {
        2 => mix(t.rgb1, t.rgb2, up),
        3 => mix(t.rgb1, t.rgb2, -up),
        _ => mix(t.rgb1, t.rgb2, (y / length).asin() / (0.5 * PI)),
    }
}

/// Draws edges or a cross on one face.
fn mark(t: &spec::Texture, pixels: &mut [[u8; 3]], w: usize) {
    if !matches!(t.mark, TextureMark::Edge | TextureMark::Cross) {
        return;
    }
    let h = pixels.len() / w;
    let on = |r: usize, c: usize| match t.mark {
        TextureMark::Edge => r == 0 || c == 0 || r == h - 1 || c == w - 1,
        TextureMark::Cross => r == h / 2 || c == w / 2,
        TextureMark::None | TextureMark::Random => false,
    };
    let rgb = color(t.markrgb);
    for (i, pixel) in pixels.iter_mut().enumerate() {
        if on(i / w, i % w) {
            *pixel = rgb;
        }
    }
}

/// The 64-bit Mersenne Twister (Matsumoto and Nishimura), used to draw random dots.
struct Twister {
    state: [u64; 312],
    next: usize,
}

impl Twister {
    fn new(seed: u64) -> Self {
        let mut state = [seed; 312];
        for i in 1..312 {
            let last = state[i - 1];
            state[i] = 6364136223846793005u64.wrapping_mul(last ^ (last >> 62)).wrapping_add(i as u64);
        }
        Twister { state, next: 312 }
    }

    fn int(&mut self) -> u64 {
        if self.next == 312 {
            for i in 0..312 {
                let x = (self.state[i] & !0x7FFF_FFFF) | (self.state[(i + 1) % 312] & 0x7FFF_FFFF);
                let twist = if x & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
                self.state[i] = self.state[(i + 156) % 312] ^ (x >> 1) ^ twist;
            }
            self.next = 0;
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71D6_7FFF_EDA6_0000;
        x ^= (x << 37) & 0xFFF7_EEE0_0000_0000;
        x ^ (x >> 43)
    }

    /// A uniform number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.int() as f64 / 18446744073709551616.0).min(1.0 - f64::EPSILON / 2.0)
    }
}

/// Writes all textures to the model.
pub(crate) fn fill(textures: &[CompiledTexture], m: &mut Model) {
    let mut next = 0;
    for (i, texture) in textures.iter().enumerate() {
        m.tex_type[i] = texture.kind as i32;
        m.tex_colorspace[i] = texture.colorspace as i32;
        m.tex_height[i] = texture.height as i32;
        m.tex_width[i] = texture.width as i32;
        m.tex_nchannel[i] = texture.nchannel as i32;
        m.tex_adr[i] = next as i64;
        next += texture.data.len();
    }
    m.tex_data.join(textures.iter().map(|texture| &texture.data[..]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twister_gives_the_published_sequence() {
        let mut random = Twister::new(5489);
        let last = (0..10000).map(|_| random.int()).last();
        assert_eq!(last, Some(9981545732273789042));
    }

    #[test]
    fn checker_cube_has_six_faces() {
        let spec = spec::Texture { builtin: TextureBuiltin::Checker, width: 4, ..spec::Texture::default() };
        let texture = CompiledTexture::new(&spec, |_| Err::<Vec<u8>, _>(bad("no file"))).unwrap();
        assert_eq!((texture.width, texture.height, texture.data.len()), (4, 24, 288));
        assert_eq!(texture.data[..3], color([0.8; 3]));
    }
}
