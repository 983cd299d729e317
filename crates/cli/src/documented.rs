//! Checks that the commands in the documentation are accepted by the program.

use crate::Cli;
use clap::Parser;
use std::path::{Path, PathBuf};

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).expect("a folder of documents").flatten().map(|e| e.path()) {
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found
}

/// Commands of this program in the shell blocks of a page.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.split(" #").next());
    let parts = lines.flat_map(|line| line.split("&&")).map(|part| part.trim_end_matches(" &"));
    parts
        .map(|part| part.split_whitespace().collect())
        .filter(|words: &Vec<_>| words.first() == Some(&"sinew"))
        .collect()
}

#[test]
fn documents_show_commands_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for page in [vec![root.join("README.md")], pages(&root.join("docs"))].concat() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for words in commands(&text) {
            let told = Cli::try_parse_from(&words).err().map(|e| e.to_string());
            assert_eq!(told, None, "{}: {}", page.display(), words.join(" "));
            count += 1;
        }
    }
    assert!(count >= 15, "{count} commands");
}
