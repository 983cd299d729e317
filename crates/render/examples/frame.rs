//! Render time of an image: `frame MODEL [WIDTHxHEIGHT] [FRAMES]`, on one thread.

use sinew_engine::Data;
use sinew_engine::model::enums::CatBits;
use sinew_render::{Assets, Frame, Quality, render, render_ids};
use sinew_scene::{Scene, ViewOptions, free_camera, update};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let path = args.get(1).ok_or("which model?")?;
    let (width, height) = args.get(2).and_then(|s| s.split_once('x')).unwrap_or(("640", "480"));
    let count: usize = args.get(3).map_or(Ok(10), |n| n.parse())?;
    let m = sinew_mjcf::load_path(path)?;
    let mut d = Data::new(&m);
    sinew_engine::step::forward(&m, &mut d);
    let mut scene = Scene::new(Some(&m), 10000);
    update(&m, &d, &ViewOptions::default(), None, &mut free_camera(&m), CatBits::ALL, &mut scene)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let start = Instant::now();
    let assets = pool.install(|| Assets::new(&m));
    println!("assets {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut frame = Frame::new(width.parse()?, height.parse()?);
    let mut time = |name: &str, draw: &mut (dyn FnMut(&mut Frame) -> sinew_scene::Result<()> + Send)| {
        let start = Instant::now();
        for _ in 0..count {
            pool.install(|| draw(&mut frame)).expect("a scene with a camera");
        }
        println!("{name} {:.2} ms", start.elapsed().as_secs_f64() * 1e3 / count as f64);
    };
    time("ids", &mut |f| render_ids(&assets, &scene, f));
    time("fast", &mut |f| render(&assets, &scene, Quality::Fast, f));
    time("normal", &mut |f| render(&assets, &scene, Quality::Normal, f));
    Ok(())
}
