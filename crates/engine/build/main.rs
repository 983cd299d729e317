//! Generates Rust from the tables under `tables/`: structs, allocation, reset, copy, reflection, typed handles.
//!
//! A row of a `.fields` table is `name | type | shape | unit | meaning`; a `[section]` line groups rows. [`table`]
//! documents what each cell may contain. A row of `enums.table` is `C name | Rust name | value | meaning`.

mod data;
mod enums;
mod handles;
mod model;
mod record;
mod reflect;
mod settings;
mod table;
mod view;

use proc_macro2::TokenStream;
use std::{env, fs, path::PathBuf};

fn main() {
    let model = table::read("model.fields");
    let data = table::read("data.fields");
    write("enums.rs", enums::generate(&table::text("enums.table")));
    write("settings.rs", settings::generate(&table::read("settings.fields")));
    write("records.rs", record::generate(&table::read("records.fields")));
    write("view.rs", view::generate(table::read("view.fields")));
    write("handles.rs", handles::generate(&model, &data));
    write("model.rs", model::generate(&model));
    write("data.rs", data::generate(&data));
}

fn write(name: &str, tokens: TokenStream) {
    let file = syn::parse2(tokens).unwrap_or_else(|e| panic!("{name}: {e}"));
    let path = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join(name);
    fs::write(&path, prettyplease::unparse(&file)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}
