//! Pictures of the repository's models, by the command that users have.

use crate::{Outcome, root, sh};
use std::fmt::Write;

/// File, what is seen, and the arguments of `sinew render`.
const PICTURES: [(&str, &str, &str); 5] = [
    ("humanoid.png", "The humanoid that comes with the command", "models/humanoid.xml --keyframe squat --size 480x360"),
    ("shapes.png", "Every shape: textures, a mirror, glass, shadows", "models/shapes.xml --size 480x360"),
    ("shapes_depth.png", "The same, by depth", "models/shapes.xml --size 480x360 --depth"),
    ("cloth.png", "A cloth after a second", "models/cloth.xml --seconds 1 --size 480x360"),
    ("fall.gif", "The humanoid falls", "models/humanoid.xml --seconds 2 --fps 10 --size 200x150"),
];

/// Draws all pictures into `docs/img` and writes the page about them.
pub(crate) fn run() -> Outcome {
    let mut page = String::from(
        "# Gallery\n\nDrawn on plain processor cores by `cargo xtask gallery`, which writes this page; `sinew render --help` says what else \
         there is.\nNo display, no driver and no graphics library is involved.\n",
    );
    for (file, caption, args) in PICTURES {
        let path = format!("docs/img/{file}");
        let words =
            [&["run", "--release", "--quiet", "--", "render"], &*args.split(' ').collect::<Vec<_>>(), &["-o", &path]]
                .concat();
        sh("cargo", &words)?;
        let _ =
            write!(page, "\n## {caption}\n\n```sh\nsinew render {args} -o {file}\n```\n\n![{caption}](img/{file})\n");
    }
    std::fs::write(root().join("docs/gallery.md"), page).map_err(|e| format!("docs/gallery.md: {e}"))
}
