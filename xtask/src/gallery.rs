//! Images of the repository's models and of the corpus' robots, made by the command that users have.

use crate::{Outcome, python, root, sh, target};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// File, description, and arguments of `sinew render`.
const PICTURES: [(&str, &str, &str); 5] = [
    ("humanoid.png", "The built-in humanoid", "models/humanoid.xml --keyframe squat --size 480x360"),
    ("shapes.png", "Every shape: textures, a mirror, glass, shadows", "models/shapes.xml --size 480x360"),
    ("shapes_depth.png", "The same scene as a depth image", "models/shapes.xml --size 480x360 --depth"),
    ("cloth.png", "A cloth after one second", "models/cloth.xml --seconds 1 --size 480x360"),
    ("fall.gif", "The humanoid falls", "models/humanoid.xml --seconds 2 --fps 10 --size 200x150"),
];

/// Folder of the robots, if present, and folder of their images.
const CORPUS: &str = "../shared/corpus/menagerie";
const ROBOT_PICTURES: &str = "docs/img/robots";
const ROBOT_ARGS: [&str; 4] = ["--keyframe", "0", "--size", "220x165"];
const COLUMNS: usize = 3;

/// Robots whose meshes are complete: in the corpus, boxes replace those of some others.
const ROBOTS: [&str; 12] = [
    "google_barkour_v0",
    "google_barkour_vb",
    "google_robot",
    "iit_softfoot",
    "kinova_gen3",
    "robotiq_2f85_v4",
    "shadow_dexee",
    "stanford_tidybot",
    "ufactory_lite6",
    "ufactory_xarm7",
    "unitree_g1",
    "wonik_allegro",
];

/// Renders all images into `docs/img` and writes their page.
pub(crate) fn run() -> Outcome {
    let mut page = String::from(
        "# Gallery\n\n`cargo xtask gallery` renders these images on the CPU and writes this page; no display, driver or graphics library is \
         involved.\n`sinew render --help` lists all options.\n",
    );
    sh("cargo", &["build", "--release", "--quiet", "-p", "sinew-cli"])?;
    for (file, caption, args) in PICTURES {
        let path = format!("docs/img/{file}");
        let words: Vec<&str> = args.split(' ').collect();
        draw(Path::new(words[0]), &words[1..], &path)?;
        let _ =
            write!(page, "\n## {caption}\n\n```sh\nsinew render {args} -o {file}\n```\n\n![{caption}](img/{file})\n");
    }
    draw_robots()?;
    page += &robots();
    fs::write(root().join("docs/gallery.md"), page).map_err(|e| format!("docs/gallery.md: {e}"))?;
    sh(python(), &["site/guide_pictures.py"])
}

/// The command from the current build.
fn sinew() -> Command {
    let mut command = Command::new(target().join("release/sinew"));
    command.current_dir(root());
    command
}

/// Renders the robots of the corpus, if it is next to the project.
fn draw_robots() -> Outcome {
    let folder = root().join(CORPUS);
    if !folder.is_dir() {
        println!("no robots beside the project: their pictures stay");
        return Ok(());
    }
    fs::create_dir_all(root().join(ROBOT_PICTURES)).map_err(|e| format!("{ROBOT_PICTURES}: {e}"))?;
    for robot in ROBOTS {
        let picture = format!("{ROBOT_PICTURES}/{robot}.png");
        let scenes = ["scene.xml", "scene_right.xml"].map(|scene| folder.join(robot).join(scene));
        let scene = scenes.into_iter().find(|scene| scene.is_file()).ok_or(format!("{robot}: no scene"))?;
        // in the pose of its keyframe, if there is one
        draw(&scene, &ROBOT_ARGS, &picture).or_else(|_| draw(&scene, &ROBOT_ARGS[2..], &picture))?;
    }
    Ok(())
}

/// Renders an image of a model.
fn draw(model: &Path, args: &[&str], picture: &str) -> Outcome {
    let output = sinew().arg("render").arg(model).args(args).args(["-o", picture]).output();
    let output = output.map_err(|e| format!("sinew: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}: {}", model.display(), String::from_utf8_lossy(&output.stderr))),
    }
}

/// A table of the robots' images.
fn robots() -> String {
    let mut page = format!(
        "\n## Robots\n\nModels from MuJoCo Menagerie, rendered with `sinew render ROBOT/scene.xml {} -o ROBOT.png`.\n\n",
        ROBOT_ARGS.join(" ")
    );
    for (i, row) in ROBOTS.chunks(COLUMNS).enumerate() {
        let cell = |name: &&str| format!("![{name}](img/robots/{name}.png)<br>{} |", name.replace('_', " "));
        let _ = writeln!(page, "| {}", row.iter().map(cell).collect::<Vec<_>>().join(" "));
        if i == 0 {
            let _ = writeln!(page, "|{}", "---|".repeat(row.len()));
        }
    }
    page
}
