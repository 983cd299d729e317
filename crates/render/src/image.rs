//! Image files.

use crate::frame::Frame;
use std::io::Write;

/// Writes the colours of a frame as PNG.
///
/// # Errors
/// An error of the encoder or the output.
pub fn write_png(frame: &Frame, out: impl Write) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(out, frame.width as u32, frame.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&frame.rgb)?;
    writer.finish()
}
