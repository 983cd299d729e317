//! Generates Rust from the `struct` and `element` sections of `mjcf.schema`: structs, defaults, setters, reflection,
//! and constants for the names of attributes.

mod structs;
#[path = "../src/schema/syntax.rs"]
#[allow(dead_code)] // the checks of files use the rest
mod syntax;

use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=src/mjcf.schema");
    println!("cargo::rerun-if-changed=src/schema/syntax.rs");
    println!("cargo::rerun-if-changed=build");
    let text = fs::read_to_string("src/mjcf.schema").unwrap_or_else(|e| panic!("src/mjcf.schema: {e}"));
    let syntax = syntax::Syntax::parse(&text);
    for (name, tokens) in [("spec.rs", structs::generate(&syntax)), ("attr.rs", structs::names(&syntax))] {
        let file = syn::parse2(tokens).unwrap_or_else(|e| panic!("{name}: {e}"));
        write(name, &prettyplease::unparse(&file));
    }
    write("rules.schema", &rules(&text));
}

fn write(name: &str, text: &str) {
    let path = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join(name);
    fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// The part of the schema that files are checked against: without structs, meanings and comments.
fn rules(text: &str) -> String {
    let mut in_struct = false;
    let mut out = String::new();
    for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        if !line.starts_with(' ') {
            in_struct = line.starts_with("struct ") || line.starts_with("element ");
        }
        if !in_struct {
            out.push_str(line.split(" | ").next().unwrap_or(line));
            out.push('\n');
        }
    }
    out
}
