//! `sinew render`: a picture of a model.

use crate::input;
use crate::run::{duration, keyframe};
use sinew::{Data, Model};
use sinew_engine::model::enums::{CameraType, CatBits, ObjType, RndFlag};
use sinew_engine::step;
use sinew_render::{Assets, Frame, Quality, render, render_ids, write_png};
use sinew_scene::{Camera, Scene, ViewOptions, free_camera, update};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::process::ExitCode;

/// Draw a model, on plain processor cores: no display or driver is needed
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sinew render robot.xml -o robot.png\n  \
    sinew render robot.xml --camera wrist --size 320x240 --seconds 2 -o later.png\n  \
    sinew render robot.xml --depth -o depth.png")]
pub struct Args {
    /// Model file; the embedded humanoid when absent, standard input when -
    model: Option<String>,
    /// File to write, a PNG
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
    /// Simulated time before the picture
    #[arg(long, default_value_t = 0.0, value_parser = duration, allow_negative_numbers = true)]
    seconds: f64,
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
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let sides = sides.filter(|(w, h)| (1..=16384).contains(w) && (1..=16384).contains(h));
    sides.ok_or_else(|| "expected WIDTHxHEIGHT, each from 1 to 16384, such as 640x480".into())
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
    let steps = (args.seconds / m.opt.timestep).round();
    for _ in 0..steps.clamp(0.0, 1e9) as u64 {
        step::step(m, &mut d);
    }
    step::forward(m, &mut d);
    let mut camera = match &args.camera {
        None => free_camera(m),
        Some(word) => Camera {
            r#type: CameraType::Fixed as i32,
            fixedcamid: element(m, ObjType::Camera, word, m.ncam)? as i32,
            ..Camera::default()
        },
    };
    let mut scene = Scene::new(Some(m), 10_000);
    update(m, &d, &ViewOptions::default(), None, &mut camera, CatBits::ALL, &mut scene)?;
    let (width, height) = args.size;
    let (assets, mut frame) = (Assets::new(m), Frame::new(width, height));
    if args.depth {
        render_ids(&assets, &scene, &mut frame)?;
        grey_depths(&mut frame);
    } else {
        scene.flags[RndFlag::Segment as usize] = u8::from(args.ids);
        render(&assets, &scene, Quality::Normal, &mut frame)?;
    }
    let file = File::create(&args.output).map_err(|e| format!("{}: {e}", args.output))?;
    write_png(&frame, BufWriter::new(file)).map_err(|e| format!("{}: {e}", args.output))?;
    Ok(())
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
