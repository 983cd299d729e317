//! Videos as files: GIF and MP4, without C code.

use crate::frame::Frame;
use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use rusty_h264_common::YuvFrame;
use rusty_h264_encoder::{Encoder, EncoderConfig, Preset};
use std::io::Write;

/// Number of frames from one keyframe to the next; players can start at a keyframe.
const GROUP: usize = 60;
/// Quantiser of the encoder: smaller is finer.
const FINENESS: u8 = 24;

/// Why a video cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A size that the format does not support.
    #[error("{format} does not support frames of {width} by {height} pixels; {advice}")]
    Size {
        /// The format.
        format: &'static str,
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
        /// Which sizes are supported.
        advice: &'static str,
    },
    /// A frame rate that the format does not support.
    #[error("a frame rate of {0} is not supported; use 1 to 100 frames per second")]
    Rate(f64),
    /// A frame with a different size from the first.
    #[error("all frames of a video must have one size")]
    Another,
    /// An error of the encoder or the output.
    #[error("cannot write the video: {0}")]
    Write(String),
}

fn failed(e: impl std::fmt::Display) -> FilmError {
    FilmError::Write(e.to_string())
}

/// A video being written.
pub struct Film<W: Write> {
    size: [usize; 2],
    rate: f64,
    count: usize,
    reel: Reel<W>,
}

enum Reel<W: Write> {
    Gif(gif::Encoder<W>),
    Mp4(Box<Encoder>, Muxer<W>),
}

impl<W: Write> Film<W> {
    /// A GIF that loops forever.
    ///
    /// # Errors
    /// A size or rate that the format does not support, or an error of the output.
    pub fn gif(out: W, size: [usize; 2], rate: f64) -> Result<Self, FilmError> {
        let side = |n: usize| u16::try_from(n).ok().filter(|n| *n > 0);
        let (Some(width), Some(height)) = (side(size[0]), side(size[1])) else {
            let advice = "each side has from 1 to 65535";
            return Err(FilmError::Size { format: "a GIF", width: size[0], height: size[1], advice });
        };
        let mut encoder = gif::Encoder::new(out, width, height, &[]).map_err(failed)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
        Film::new(size, rate, Reel::Gif(encoder))
    }

    /// An MP4 with H.264, which browsers can play.
    ///
    /// # Errors
    /// A size or rate that the format does not support, or an error of the output.
    pub fn mp4(out: W, size: [usize; 2], rate: f64) -> Result<Self, FilmError> {
        let [width, height] = size;
        if [width, height].iter().any(|n| *n == 0 || *n % 2 == 1 || *n > 8192) {
            let advice = "each side is an even number up to 8192";
            return Err(FilmError::Size { format: "an MP4", width, height, advice });
        }
        let mut config = EncoderConfig::new(width, height);
        config.preset = Preset::Fast;
        (config.mbtree, config.lookahead, config.bframes) = (false, 0, 0);
        (config.gop_size, config.qp, config.framerate) = (GROUP as _, FINENESS as _, rate as _);
        let encoder = Encoder::new(config).map_err(|e| FilmError::Write(format!("{e:?}")))?;
        let muxer = MuxerBuilder::new(out).video(VideoCodec::H264, width as u32, height as u32, rate);
        Film::new(size, rate, Reel::Mp4(Box::new(encoder), muxer.build().map_err(failed)?))
    }

    fn new(size: [usize; 2], rate: f64, reel: Reel<W>) -> Result<Self, FilmError> {
        match (1.0..=100.0).contains(&rate) {
            true => Ok(Film { size, rate, count: 0, reel }),
            false => Err(FilmError::Rate(rate)),
        }
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// A frame of a different size, or an error of the output.
    pub fn add(&mut self, frame: &Frame) -> Result<(), FilmError> {
        if [frame.width, frame.height] != self.size {
            return Err(FilmError::Another);
        }
        self.add_rgb(&frame.rgb)
    }

    /// Adds a frame of three bytes per pixel, rows from the top.
    ///
    /// # Errors
    /// The wrong number of bytes, or an error of the output.
    pub fn add_rgb(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        let [width, height] = self.size;
        if rgb.len() != 3 * width * height {
            return Err(FilmError::Another);
        }
        let number = self.count;
        self.count += 1;
        match &mut self.reel {
            Reel::Gif(encoder) => {
                let mut picture = gif::Frame::from_rgb_speed(width as u16, height as u16, rgb, 20);
                // delays in hundredths of a second, rounded so that they do not drift from the rate
                let time = |n: usize| (100.0 * n as f64 / self.rate).round() as u16 as i32;
                picture.delay = (time(number + 1) - time(number)).rem_euclid(1 << 16) as u16;
                encoder.write_frame(&picture).map_err(failed)
            }
            Reel::Mp4(encoder, muxer) => {
                let unit =
                    encoder.try_encode(&yuv(rgb, width, height)).map_err(|e| FilmError::Write(format!("{e:?}")))?;
                let time = number as f64 / self.rate;
                muxer.write_video(time, &unit, number.is_multiple_of(GROUP)).map_err(failed)
            }
        }
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// An error of the output, or a video without frames.
    pub fn finish(self) -> Result<(), FilmError> {
        if self.count == 0 {
            return Err(FilmError::Write("it has no pictures".into()));
        }
        match self.reel {
            Reel::Gif(encoder) => encoder.into_inner().map_err(failed)?.flush().map_err(failed),
            Reel::Mp4(_, mut muxer) => muxer.finish_in_place().map_err(failed),
        }
    }
}

/// Luma per pixel, and two chroma values per 2 × 2 block (BT.601, from 16 to 235).
fn yuv(rgb: &[u8], width: usize, height: usize) -> YuvFrame {
    let mut out = YuvFrame::black(width, height);
    let at = |x: usize, y: usize| {
        let i = 3 * (y * width + x);
        [0, 1, 2].map(|c| f32::from(rgb[i + c]))
    };
    let weigh = |base: f32, [a, b, c]: [f32; 3], [r, g, b2]: [f32; 3]| (base + a * r + b * g + c * b2) as u8;
    for (i, pixel) in rgb.chunks_exact(3).enumerate() {
        out.y[i] = weigh(16.5, [0.257, 0.504, 0.098], [0, 1, 2].map(|c| f32::from(pixel[c])));
    }
    for i in 0..width / 2 * (height / 2) {
        let (x, y) = (2 * (i % (width / 2)), 2 * (i / (width / 2)));
        let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
        let mean = [0, 1, 2].map(|c| 0.25 * four.iter().map(|p| p[c]).sum::<f32>());
        out.u[i] = weigh(128.5, [-0.148, -0.291, 0.439], mean);
        out.v[i] = weigh(128.5, [0.439, -0.368, -0.071], mean);
    }
    out
}
