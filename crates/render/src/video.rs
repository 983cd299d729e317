//! Pictures that follow each other as files: GIF and MP4, without a line of C.

use crate::frame::Frame;
use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use rusty_h264_common::YuvFrame;
use rusty_h264_encoder::{Encoder, EncoderConfig, Preset};
use std::io::Write;

/// Pictures from one that stands alone to the next: players can start there.
const GROUP: usize = 60;
/// Quantiser of the encoder: smaller is finer.
const FINENESS: u8 = 24;

/// Why a film cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A side that the format does not have.
    #[error("{format} cannot hold pictures of {width} by {height} pixels; {advice}")]
    Size {
        /// The format.
        format: &'static str,
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
        /// What would do.
        advice: &'static str,
    },
    /// Pictures per second that the format does not have.
    #[error("{0} pictures per second cannot be shown; take 1 to 100")]
    Rate(f64),
    /// A picture of another size than the first.
    #[error("all pictures of a film have one size")]
    Another,
    /// What the encoder or the file says.
    #[error("the film cannot be written: {0}")]
    Write(String),
}

fn failed(e: impl std::fmt::Display) -> FilmError {
    FilmError::Write(e.to_string())
}

/// A film that is being written.
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
    /// An endless GIF.
    ///
    /// # Errors
    /// A size or rate that the format does not have, or what writing fails with.
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

    /// An MP4 of H.264, which browsers play.
    ///
    /// # Errors
    /// A size or rate that the format does not have, or what writing fails with.
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

    /// Adds a picture.
    ///
    /// # Errors
    /// A picture of another size, or what writing fails with.
    pub fn add(&mut self, frame: &Frame) -> Result<(), FilmError> {
        if [frame.width, frame.height] != self.size {
            return Err(FilmError::Another);
        }
        self.add_rgb(&frame.rgb)
    }

    /// Adds a picture of three bytes per pixel, rows from the top.
    ///
    /// # Errors
    /// Bytes for another size, or what writing fails with.
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
                // hundredths of a second, without drifting away from the rate
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

    /// Ends the file.
    ///
    /// # Errors
    /// What writing fails with; a film without pictures.
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

/// Brightness per pixel, and two differences of colour per square of four (BT.601, from 16 to 235).
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
