//! Embeds the page, if `cargo xtask page` has built it.

use std::path::Path;
use std::{env, fs};

const PARTS: [&str; 4] = ["page.html", "page.js", "page.css", "engine.wasm"];

fn main() {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("dist");
    // creating or removing the folder counts as a change
    println!("cargo::rerun-if-changed={}", dist.display());
    let paths: Vec<_> = PARTS.iter().map(|name| dist.join(format!("{name}.gz"))).collect();
    let text = if paths.iter().all(|p| p.is_file()) {
        let parts: Vec<String> =
            paths.iter().map(|p| format!("include_bytes!({:?})", p.display().to_string())).collect();
        format!("Some([{}])", parts.join(", "))
    } else {
        "None".into()
    };
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("parts.rs");
    fs::write(out, text).expect("the folder is cargo's");
}
