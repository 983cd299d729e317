//! PNG images, and MuJoCo's raw formats for textures and height fields.

use super::{Bytes, bad};
use crate::error::Result;
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;

/// Maximum size of a decoded image. (byte)
const MAX_IMAGE: usize = 1 << 30;
/// Maximum size of an image from a small file: a few bytes can encode a uniform image of any size. (byte)
const SMALL_IMAGE: usize = 1 << 28;
/// Above that, the maximum ratio of image size to file size.
const RATIO: usize = 64;

/// A decoded image of eight bits per channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whether the file declares sRGB colours.
    pub srgb: bool,
    /// Pixels, row-major from the top.
    pub data: Vec<u8>,
}

/// Decodes a PNG file to `channels` per pixel: 1 grey, 3 RGB, 4 RGBA.
pub fn png(file: &[u8], channels: usize) -> Result<Image> {
    if file.is_empty() {
        return Err(bad("PNG file is empty"));
    }
    let failed = |e: png::DecodingError| bad(format!("cannot decode PNG file: {e}"));
    let most = file.len().saturating_mul(RATIO).clamp(SMALL_IMAGE, MAX_IMAGE);
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: most });
    // palettes and 1-, 2- and 4-bit grey become bytes, transparency an alpha channel, 16 bits are reduced to the upper
    // 8
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.output_buffer_size().filter(|&n| n <= most);
    let size = size.ok_or_else(|| bad(format!("PNG image is too large: more than {most} bytes")))?;
    let mut raw = vec![0; size];
    let info = reader.next_frame(&mut raw).map_err(failed)?;
    let srgb = reader.info().srgb.is_some();
    if info.bit_depth != BitDepth::Eight {
        return Err(bad("cannot decode PNG file: unexpected bit depth"));
    }
    let (width, height) = (info.width as usize, info.height as usize);
    let from = match info.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => return Err(bad("cannot decode PNG file: palette was not expanded")),
    };
    raw.truncate(info.buffer_size());
    Ok(Image { width, height, srgb, data: convert(raw, from, channels) })
}

/// Converts between 1 (grey), 2 (grey, alpha), 3 (RGB) and 4 (RGBA) channels; grey is taken from the red channel.
fn convert(raw: Vec<u8>, from: usize, to: usize) -> Vec<u8> {
    if from == to {
        return raw;
    }
    let spread = |p: &[u8]| match from {
        1 => [p[0], p[0], p[0], 255],
        2 => [p[0], p[0], p[0], p[1]],
        3 => [p[0], p[1], p[2], 255],
        _ => [p[0], p[1], p[2], p[3]],
    };
    raw.chunks_exact(from).flat_map(|p| spread(p).into_iter().take(to)).collect()
}

/// Decodes a raw texture: width, height, then RGB bytes.
pub fn raw_texture(file: &[u8]) -> Result<Image> {
    if file.is_empty() {
        return Err(bad("texture file is empty"));
    }
    let mut bytes = Bytes(file);
    let (width, height) = (bytes.int()?, bytes.int()?);
    let advice = "files other than PNG are read as raw textures: width, height, RGB bytes";
    if width < 1 || height < 1 {
        return Err(bad("texture file has non-positive dimensions").hint(advice));
    }
    let (width, height) = (width as usize, height as usize);
    if width.checked_mul(height).and_then(|n| n.checked_mul(3)) != Some(bytes.0.len()) {
        return Err(bad(format!("size of texture file does not match {width} x {height} pixels")).hint(advice));
    }
    Ok(Image { width, height, srgb: false, data: bytes.0.to_vec() })
}

/// Decodes a raw height field: rows, columns, then single-precision elevations.
pub fn raw_hfield(file: &[u8]) -> Result<(usize, usize, Vec<f32>)> {
    if file.len() < 8 {
        return Err(bad("height field file has no complete header"));
    }
    let mut bytes = Bytes(file);
    let (nrow, ncol) = (bytes.int()?, bytes.int()?);
    if nrow < 1 || ncol < 1 {
        return Err(bad("height field file has non-positive dimensions"));
    }
    let (nrow, ncol) = (nrow as usize, ncol as usize);
    if nrow.checked_mul(ncol).and_then(|n| n.checked_mul(4)) != Some(bytes.0.len()) {
        return Err(bad(format!("size of height field file does not match {nrow} x {ncol} elevations")));
    }
    Ok((nrow, ncol, bytes.floats(nrow * ncol)?))
}
