//! `sinew render`: an image of a model, or a video of its motion.

use crate::input;
use crate::motion::{self, Motion};
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

/// Draw a model on the CPU: no display or graphics driver is needed
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sinew render robot.xml -o robot.png\n  \
    sinew render robot.xml --camera wrist --size 320x240 --seconds 2 -o later.png\n  \
    sinew render robot.xml --seconds 3 --fps 25 -o fall.mp4\n  \
    sinew render robot.xml --depth -o depth.png\n  \
    sinew run robot.xml --output run.npz && sinew render robot.xml --replay run.npz -o run.mp4")]
pub struct Args {
    /// Model file; the embedded humanoid when absent, standard input when -
    model: Option<String>,
    /// File to write: .png for an image, .gif or .mp4 for a video
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
    /// Draw a motion recorded by `sinew run --output`, as .npz, instead of simulating
    #[arg(long, conflicts_with = "keyframe")]
    replay: Option<String>,
    /// Simulated time before an image (0 when absent), or of a video (5, or that of the motion)
    #[arg(long, value_parser = duration, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Frames per second of a video
    #[arg(long, default_value_t = 30.0, value_parser = rate)]
    fps: f64,
    /// Draw depth: white is near, black far
    #[arg(long, conflicts_with = "ids")]
    depth: bool,
    /// Draw each geom, site and tendon in a different colour
    #[arg(long)]
    ids: bool,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

/// Parses a size such as `640x480`.
pub(crate) fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let sides = sides.filter(|(w, h)| (1..=16384).contains(w) && (1..=16384).contains(h));
    sides.ok_or_else(|| "expected WIDTHxHEIGHT, each from 1 to 16384, such as 640x480".into())
}

/// Parses frames per second.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|r| (1.0..=100.0).contains(r));
    rate.ok_or_else(|| "expected a number from 1 to 100".into())
}

/// Draws the image or video.
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

/// Index of an element given by name or by number.
fn element(m: &Model, kind: ObjType, word: &str, count: usize) -> Result<usize, String> {
    let number = || word.parse().ok().filter(|i| *i < count);
    let what = format!("{kind:?}").to_lowercase();
    m.name2id(kind, word).or_else(number).ok_or_else(|| format!("no {what} is named '{word}'; the model has {count}"))
}

/// Source of states: a recorded motion, or steps from the initial state.
struct Play<'a> {
    m: &'a Model,
    d: Data,
    motion: Option<Motion>,
    start: f64,
}

impl<'a> Play<'a> {
    fn new(args: &Args, m: &'a Model) -> Result<Self, Box<dyn Error>> {
        let mut d = Data::new(m);
        if let Some(key) = &args.keyframe {
            d.reset_keyframe(m, keyframe(m, key)?)?;
        }
        let motion = args.replay.as_deref().map(|path| motion::of(path, m)).transpose()?;
        let start = motion.as_ref().map_or(d.state.time, |motion| motion.time[0]);
        Ok(Play { m, d, motion, start })
    }

    /// Duration. (s)
    fn length(&self) -> f64 {
        self.motion.as_ref().map_or(5.0, |motion| motion.time[motion.time.len() - 1] - self.start)
    }

    /// Advances to a time after the start: to the nearest step, or to the last recorded state before it.
    fn go_to(&mut self, seconds: f64) {
        let (m, d, time) = (self.m, &mut self.d, self.start + seconds);
        let Some(motion) = &self.motion else {
            let steps = ((time - d.state.time) / m.opt.timestep).round().clamp(0.0, 1e9) as u64;
            return (0..steps).for_each(|_| step::step(m, d));
        };
        // times are sums of time steps, so the recorded time can be slightly later than the nominal one
        let row = motion.time.partition_point(|t| *t <= time + 1e-9).saturating_sub(1);
        d.state.qpos.iter_mut().zip(motion.qpos.row(row)).for_each(|(own, q)| *own = *q);
        d.state.time = motion.time[row];
    }
}

fn draw(args: &Args, m: &Model) -> Result<(), Box<dyn Error>> {
    let mut play = Play::new(args, m)?;
    let mut easel = Easel::new(args, m)?;
    let said = |e: &dyn std::fmt::Display| format!("{}: {e}", args.output);
    let create = || File::create(&args.output).map(BufWriter::new).map_err(|e| said(&e));
    let size = [easel.frame.width, easel.frame.height];
    let ending = args.output.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let film = match ending.as_deref() {
        Some("png") => {
            play.go_to(args.seconds.unwrap_or(0.0));
            easel.draw(m, &mut play.d)?;
            return Ok(write_png(&easel.frame, create()?).map_err(|e| said(&e))?);
        }
        Some("gif") => Film::gif(create()?, size, args.fps),
        Some("mp4") => Film::mp4(create()?, size, args.fps),
        _ => return Err(said(&"expected a file ending in .png, .gif or .mp4").into()),
    };
    let mut film = film.map_err(|e| said(&e))?;
    let count = (args.seconds.unwrap_or_else(|| play.length()) * args.fps).round().max(1.0) as u64;
    for i in 0..count {
        play.go_to(i as f64 / args.fps);
        easel.draw(m, &mut play.d)?;
        film.add(&easel.frame).map_err(|e| said(&e))?;
    }
    Ok(film.finish().map_err(|e| said(&e))?)
}

/// Everything needed to draw frames.
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

    /// Draws the current state.
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

/// Replaces colours by grey values linear in inverse depth, from the nearest to the farthest pixel.
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
