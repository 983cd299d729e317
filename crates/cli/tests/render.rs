//! `sinew render` from the user's point of view.

mod common;

use common::{failure, sinew, text};
use std::fs;

#[test]
fn pictures_and_films() {
    let folder = std::env::temp_dir().join(format!("sinew-render-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).to_str().expect("a name").to_owned();
    for (name, head) in [("a.png", &b"\x89PNG"[..]), ("b.gif", b"GIF89a"), ("c.mp4", b"\0\0\0")] {
        let path = file(name);
        text(&sinew(&["render", "--size", "64x48", "--seconds", ".1", "--fps", "20", "-o", &path]));
        assert!(fs::read(&path).expect("a file").starts_with(head), "{name}");
    }
    assert!(failure(&["render", "-o", &file("d.mp4"), "--size", "63x48"]).contains("even"));
    assert!(failure(&["render", "-o", &file("d.jpg")]).contains(".png, .gif or .mp4"));
    assert!(failure(&["render", "-o", &file("d.gif"), "--fps", "1000"]).contains("1 to 100"));
    assert!(failure(&["render", "-o", &file("d.png"), "--camera", "nowhere"]).contains("nowhere"));
    replays(&folder);
    fs::remove_dir_all(&folder).expect("an empty place");
}

/// Frames of a recorded motion equal those of the simulation that recorded it.
fn replays(folder: &std::path::Path) {
    let file = |name: &str| folder.join(name).to_str().expect("a name").to_owned();
    let (motion, small) = (file("run.npz"), ["--size", "64x48"]);
    text(&sinew(&["run", "--time", ".1", "--output", &motion]));
    let picture = |args: &[&str], name: &str| {
        let path = file(name);
        text(&sinew(&[&["render", "-o", &path][..], &small, args].concat()));
        fs::read(&path).expect("a picture")
    };
    let simulated = picture(&["--seconds", ".04"], "s.png");
    assert!(simulated == picture(&["--replay", &motion, "--seconds", ".04"], "r.png"));
    assert!(simulated != picture(&["--replay", &motion], "r0.png"));
    assert!(picture(&["--replay", &motion, "--fps", "20"], "r.gif").starts_with(b"GIF89a"));
    let other = file("other.xml");
    fs::write(&other, "<mujoco/>").expect("a model");
    assert!(failure(&["render", &other, "--replay", &motion, "-o", &file("x.png")]).contains("coordinates"));
}
