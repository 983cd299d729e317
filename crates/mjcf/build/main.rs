//! Turns the `struct` and `element` parts of `mjcf.schema` into plain Rust: structs, defaults, setters, reflection.

mod structs;
#[path = "../src/schema/syntax.rs"]
#[allow(dead_code)] // the checks of files need the rest
mod syntax;

use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=src/mjcf.schema");
    println!("cargo::rerun-if-changed=src/schema/syntax.rs");
    println!("cargo::rerun-if-changed=build");
    let text = fs::read_to_string("src/mjcf.schema").unwrap_or_else(|e| panic!("src/mjcf.schema: {e}"));
    let tokens = structs::generate(&syntax::Syntax::parse(&text));
    let file = syn::parse2(tokens).unwrap_or_else(|e| panic!("spec.rs: {e}"));
    let path = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join("spec.rs");
    fs::write(&path, prettyplease::unparse(&file)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}
