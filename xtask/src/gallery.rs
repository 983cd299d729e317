//! Pictures of the repository's models and of the corpus' robots, by the command that users have.

use crate::{Outcome, root, sh};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// File, what is seen, and the arguments of `sinew render`.
const PICTURES: [(&str, &str, &str); 5] = [
    ("humanoid.png", "The humanoid that comes with the command", "models/humanoid.xml --keyframe squat --size 480x360"),
    ("shapes.png", "Every shape: textures, a mirror, glass, shadows", "models/shapes.xml --size 480x360"),
    ("shapes_depth.png", "The same, by depth", "models/shapes.xml --size 480x360 --depth"),
    ("cloth.png", "A cloth after a second", "models/cloth.xml --seconds 1 --size 480x360"),
    ("fall.gif", "The humanoid falls", "models/humanoid.xml --seconds 2 --fps 10 --size 200x150"),
];

/// Where robots are, if they are here, and where their pictures go.
const ROBOTS: &str = "../shared/corpus/menagerie";
const ROBOT_PICTURES: &str = "docs/img/robots";
const ROBOT_SIZE: [&str; 2] = ["--size", "200x150"];
const COLUMNS: usize = 4;

/// Draws all pictures into `docs/img` and writes the page about them.
pub(crate) fn run() -> Outcome {
    let mut page = String::from(
        "# Gallery\n\nDrawn on plain processor cores by `cargo xtask gallery`, which writes this page; `sinew render --help` says what else \
         there is.\nNo display, no driver and no graphics library is involved.\n",
    );
    sh("cargo", &["build", "--release", "--quiet", "-p", "sinew-cli"])?;
    for (file, caption, args) in PICTURES {
        let path = format!("docs/img/{file}");
        let output = sinew().arg("render").args(args.split(' ')).args(["-o", &path]).status();
        if !output.map_err(|e| format!("sinew: {e}"))?.success() {
            return Err(format!("sinew render {args} failed"));
        }
        let _ =
            write!(page, "\n## {caption}\n\n```sh\nsinew render {args} -o {file}\n```\n\n![{caption}](img/{file})\n");
    }
    draw_robots()?;
    page += &robots()?;
    fs::write(root().join("docs/gallery.md"), page).map_err(|e| format!("docs/gallery.md: {e}"))
}

/// The command, as just built.
fn sinew() -> Command {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    let mut command = Command::new(target.join("release/sinew"));
    command.current_dir(root());
    command
}

/// Names in a folder, in order.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Draws the scene of every robot of the corpus, where that is beside the project.
fn draw_robots() -> Outcome {
    let folder = root().join(ROBOTS);
    if !folder.is_dir() {
        println!("no robots beside the project: their pictures stay");
        return Ok(());
    }
    fs::create_dir_all(root().join(ROBOT_PICTURES)).map_err(|e| format!("{ROBOT_PICTURES}: {e}"))?;
    for robot in names(&folder)? {
        let scenes = ["scene.xml", "scene_right.xml"].map(|scene| folder.join(&robot).join(scene));
        let Some(scene) = scenes.into_iter().find(|scene| scene.is_file()) else { continue };
        let draw = |more: &[&str]| {
            let picture = format!("{ROBOT_PICTURES}/{robot}.png");
            let mut command = sinew();
            command.arg("render").arg(&scene).args(ROBOT_SIZE).args(more).args(["-o", &picture]);
            command.output().map_err(|e| format!("sinew: {e}"))
        };
        // as its keyframe has it, if there is one
        if !draw(&["--keyframe", "0"])?.status.success() {
            let output = draw(&[])?;
            if !output.status.success() {
                return Err(format!("{robot}: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    Ok(())
}

/// A table of the robots' pictures.
fn robots() -> Result<String, String> {
    let files = names(&root().join(ROBOT_PICTURES))?;
    let robots: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix(".png")).collect();
    let mut page = format!(
        "\n## Robots\n\nModels of MuJoCo Menagerie, by `sinew render ROBOT/scene.xml --keyframe 0 {} -o ROBOT.png`.\n\n",
        ROBOT_SIZE.join(" ")
    );
    for (i, row) in robots.chunks(COLUMNS).enumerate() {
        let cell = |name: &&str| format!("![{name}](img/robots/{name}.png)<br>{} |", name.replace('_', " "));
        let _ = writeln!(page, "| {}", row.iter().map(cell).collect::<Vec<_>>().join(" "));
        if i == 0 {
            let _ = writeln!(page, "|{}", "---|".repeat(row.len()));
        }
    }
    Ok(page)
}
