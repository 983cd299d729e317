//! `sinew render`: a picture of a model, or a film of its motion.

use crate::input;
use crate::run::{duration, keyframe};
use sinew::{Data, Model};
use sinew_engine::model::enums::{CameraType, CatBits, ObjType, RndFlag};
use sinew_engine::step;
use sinew_render::{Assets, Film, Frame, Quality, render, render_ids, write_png};
use sinew_scene::{Camera, Scene, ViewOptions, free_camera, update};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::process::ExitCode;

/// Draw a model, on plain processor cores: no display or driver is needed
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sinew render robot.xml -o robot.png\n  \
    sinew render robot.xml --camera wrist --size 320x240 --seconds 2 -o later.png\n  \
    sinew render robot.xml --seconds 3 --fps 25 -o fall.mp4\n  \
    sinew render robot.xml --depth -o depth.png")]
pub struct Args {
    /// Model file; the embedded humanoid when absent, standard input when -
    model: Option<String>,
    /// File to write: .png for a picture, .gif or .mp4 for a film
    #[arg(short, long)]
    output: String,
    /// Name or number of a camera of the model; the free one when absent
    #[arg(long)]
    camera: Option<String>,
    /// Width and height in pixels
    #[arg(long, default_value = "640x480", value_parser = size)]
    size: (usize, usize),
    /// Start from this keyframe, by name or number
    #[arg(short, long, visible_alias = "key")]
    keyframe: Option<String>,
    /// Simulated time before a picture (0 when absent), or of a film (5)
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Pictures per second of a film
    #[arg(long, default_value_t = 30.0, value_parser = rate)]
    fps: f64,
    /// Draw depth: white is near, black far
    #[arg(long, conflicts_with = "ids")]
    depth: bool,
    /// Draw each geom, site and tendon in a colour of its own
    #[arg(long)]
    ids: bool,
    /// Refuse what is only a warning
    #[arg(long)]
    strict: bool,
}

/// A size such as `640x480`.
pub(crate) fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let sides = sides.filter(|(w, h)| (1..=16384).contains(w) && (1..=16384).contains(h));
    sides.ok_or_else(|| "expected WIDTHxHEIGHT, each from 1 to 16384, such as 640x480".into())
}

/// Pictures per second.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|r| (1.0..=100.0).contains(r));
    rate.ok_or_else(|| "expected a number from 1 to 100".into())
}

/// Draws the picture.
pub fn main(args: &Args) -> ExitCode {
    let Some(model) = input::open(args.model.as_deref(), args.strict).report() else { return ExitCode::FAILURE };
    match draw(args, &model) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// An element by name, or by number.
fn element(m: &Model, kind: ObjType, word: &str, count: usize) -> Result<usize, String> {
    let number = || word.parse().ok().filter(|i| *i < count);
    let what = format!("{kind:?}").to_lowercase();
    m.name2id(kind, word).or_else(number).ok_or_else(|| format!("no {what} is named '{word}'; the model has {count}"))
}

fn draw(args: &Args, m: &Model) -> Result<(), Box<dyn Error>> {
    let mut d = Data::new(m);
    if let Some(key) = &args.keyframe {
        d.reset_keyframe(m, keyframe(m, key)?)?;
    }
    let mut easel = Easel::new(args, m)?;
    let said = |e: &dyn std::fmt::Display| format!("{}: {e}", args.output);
    let create = || File::create(&args.output).map(BufWriter::new).map_err(|e| said(&e));
    let size = [easel.frame.width, easel.frame.height];
    let ending = args.output.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let film = match ending.as_deref() {
        Some("png") => {
            advance(m, &mut d, args.seconds.unwrap_or(0.0));
            easel.draw(m, &mut d)?;
            return Ok(write_png(&easel.frame, create()?).map_err(|e| said(&e))?);
        }
        Some("gif") => Film::gif(create()?, size, args.fps),
        Some("mp4") => Film::mp4(create()?, size, args.fps),
        _ => return Err(said(&"expected a file ending in .png, .gif or .mp4").into()),
    };
    let mut film = film.map_err(|e| said(&e))?;
    let count = (args.seconds.unwrap_or(5.0) * args.fps).round().max(1.0) as u64;
    let start = d.state.time;
    for i in 0..count {
        let lead = start + i as f64 / args.fps - d.state.time;
        advance(m, &mut d, lead);
        easel.draw(m, &mut d)?;
        film.add(&easel.frame).map_err(|e| said(&e))?;
    }
    Ok(film.finish().map_err(|e| said(&e))?)
}

/// Steps for so long, to the nearest step.
fn advance(m: &Model, d: &mut Data, seconds: f64) {
    for _ in 0..(seconds / m.opt.timestep).round().clamp(0.0, 1e9) as u64 {
        step::step(m, d);
    }
}

/// What pictures are drawn with.
struct Easel<'a> {
    args: &'a Args,
    camera: Camera,
    scene: Scene,
    assets: Assets,
    frame: Frame,
}

impl<'a> Easel<'a> {
    fn new(args: &'a Args, m: &Model) -> Result<Self, Box<dyn Error>> {
        let camera = match &args.camera {
            None => free_camera(m),
            Some(word) => Camera {
                r#type: CameraType::Fixed as i32,
                fixedcamid: element(m, ObjType::Camera, word, m.ncam)? as i32,
                ..Camera::default()
            },
        };
        let (width, height) = args.size;
        let (scene, assets, frame) = (Scene::new(Some(m), 10_000), Assets::new(m), Frame::new(width, height));
        Ok(Easel { args, camera, scene, assets, frame })
    }

    /// The present state as a picture.
    fn draw(&mut self, m: &Model, d: &mut Data) -> Result<(), Box<dyn Error>> {
        step::forward(m, d);
        let Easel { args, camera, scene, assets, frame } = self;
        update(m, d, &ViewOptions::default(), None, camera, CatBits::ALL, scene)?;
        if args.depth {
            render_ids(assets, scene, frame)?;
            grey_depths(frame);
        } else {
            scene.flags[RndFlag::Segment as usize] = u8::from(args.ids);
            render(assets, scene, Quality::Normal, frame)?;
        }
        Ok(())
    }
}

/// Colours from depths: the inverse of the depth, from that of the nearest thing to that of the farthest.
fn grey_depths(frame: &mut Frame) {
    let seen = || frame.ids.iter().zip(&frame.depth).filter(|(id, _)| **id >= 0).map(|(_, d)| 1.0 / d);
    let (low, high) = seen().fold((f32::MAX, 0f32), |(low, high), x| (low.min(x), high.max(x)));
    let grey = |id: i32, depth: f32| match id {
        ..0 => 0,
        _ => 255.0f32.min(40.0 + 215.0 * (1.0 / depth - low) / (high - low).max(1e-9)) as u8,
    };
    let greys: Vec<u8> = frame.ids.iter().zip(&frame.depth).map(|(id, d)| grey(*id, *d)).collect();
    for (pixel, grey) in frame.rgb.chunks_exact_mut(3).zip(greys) {
        pixel.fill(grey);
    }
}
