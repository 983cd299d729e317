//! `sinew render` as a user sees it.

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
    fs::remove_dir_all(&folder).expect("an empty place");
}
