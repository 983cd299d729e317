//! Rust code in the documentation is taken from examples, which the tests run.

use std::path::{Path, PathBuf};

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()) {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found
}

/// Code of a line, without its comment and surrounding whitespace.
fn code(line: &str) -> &str {
    line.split(" // ").next().unwrap_or(line).trim()
}

/// Whether the lines of a block occur in a program, in the same order.
fn shows(program: &str, block: &str) -> bool {
    let mut rest = program.lines().map(code);
    block.lines().map(code).filter(|line| !line.is_empty()).all(|line| rest.any(|other| other == line))
}

#[test]
fn documents_show_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let examples = files(&root.join("crates/sinew/examples"), "rs");
    let programs: Vec<String> =
        examples.iter().map(|path| std::fs::read_to_string(path).expect("an example")).collect();
    let mut count = 0;
    for page in [vec![root.join("README.md")], files(&root.join("docs"), "md")].concat() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for block in text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let found = programs.iter().any(|program| shows(program, block));
            assert!(
                found,
                "{}: no file of crates/sinew/examples has these lines in this order:\n{block}",
                page.display()
            );
            count += 1;
        }
    }
    assert!(count >= 5, "{count} blocks");
}
