//! `sinew view`: runs a model in the browser, or writes it to a self-contained page.

use crate::{input, motion};
use sinew_viewer::{Bundle, Error, View, built, one_file, pack_motion};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

const AFTER: &str = "\
The page runs the model by itself and loads it again when its files change. It is served on this machine only, to whoever
has the address that is printed.

Examples:
  sinew view robot.xml
  sinew view robot.xml --replay motion.npz
  sinew view robot.xml --export robot.html      a page in one file, to be opened anywhere
  sinew view --playground play.html             a page with a model to change, or to drop others on";

/// Show a model in a browser
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Model file; the embedded humanoid when absent, standard input when -
    model: Option<String>,
    /// Show a motion recorded by `sinew run --output`, as .npz
    #[arg(long)]
    replay: Option<String>,
    /// Write a self-contained page instead of serving one
    #[arg(long, value_name = "HTML")]
    export: Option<String>,
    /// Write a page without a model
    #[arg(long, value_name = "HTML", conflicts_with_all = ["model", "replay", "export"])]
    playground: Option<String>,
    /// Port to listen on; a free one when absent
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address and do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Shows the model.
pub fn main(args: &Args) -> ExitCode {
    let done = built().map_err(|e| e.to_string()).and_then(|()| match (&args.playground, &args.export) {
        (Some(path), _) => write(path, None, None),
        (_, Some(path)) => export(args, path),
        _ => serve(args),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn write(path: &str, files: Option<&[u8]>, motion: Option<&[u8]>) -> Result<(), String> {
    let page = one_file(files, motion).map_err(|e| e.to_string())?;
    std::fs::write(path, &page).map_err(|e| format!("cannot write {path}: {e}"))?;
    println!("{path}: {:.1} MB", page.len() as f64 / 1e6);
    Ok(())
}

fn export(args: &Args, path: &str) -> Result<(), String> {
    let opened = input::open_recording(args.model.as_deref());
    let bundle = opened.bundle()?;
    let motion = motion(args, opened.model.as_ref())?;
    write(path, Some(bundle.files()), motion.as_deref())
}

/// The motion to show, checked against the model.
fn motion(args: &Args, model: Option<&sinew::Model>) -> Result<Option<Vec<u8>>, String> {
    let Some(path) = &args.replay else { return Ok(None) };
    let model = model.ok_or("the model must be right for its motion to be shown")?;
    let motion = motion::of(path, model)?;
    let qpos: Vec<f64> = motion.qpos.iter().copied().collect();
    Ok(Some(pack_motion(&motion.time, &qpos)))
}

/// What the page is to show now, and the files it depends on.
fn look(args: &Args) -> Result<(Bundle, BTreeMap<String, Option<SystemTime>>), String> {
    let opened = input::open_recording(args.model.as_deref());
    eprint!("{}", opened.text);
    let motion =
        motion(args, opened.model.as_ref()).or_else(|e| if opened.model.is_none() { Ok(None) } else { Err(e) })?;
    let bundle = opened.bundle().unwrap_or_default().with_motion(motion.unwrap_or_default());
    Ok((bundle.with_words(opened.errors()), times(opened.files.iter())))
}

/// Modification times of files.
fn times<'a>(files: impl Iterator<Item = &'a String>) -> BTreeMap<String, Option<SystemTime>> {
    let time = |path: &String| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    files.map(|path| (path.clone(), time(path))).collect()
}

fn serve(args: &Args) -> Result<(), String> {
    let (bundle, mut seen) = look(args)?;
    let view = View::start(args.port, bundle).map_err(|e: Error| e.to_string())?;
    let address = view.address();
    println!("{address}");
    println!("Ctrl-C ends.");
    if !args.no_open && open::that_detached(&address).is_err() {
        eprintln!("No browser could be opened; open the address above.");
    }
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let now = times(seen.keys());
        if now == seen {
            continue;
        }
        // editors write a file in several steps: look again after a moment without changes
        std::thread::sleep(Duration::from_millis(50));
        match look(args) {
            Ok((bundle, times)) => {
                seen.extend(times);
                view.change(bundle);
            }
            Err(message) => {
                eprintln!("error: {message}");
                seen = now;
            }
        }
    }
}
