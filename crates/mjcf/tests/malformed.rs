//! Models that must be refused, in words that tell what is wrong and where.

use sinew_mjcf::{Source, load_str};

/// Parses a `.cases` file: the base, then (what is wrong, words expected, fragment).
fn parse(text: &str) -> (&str, Vec<(&str, &str, &str)>) {
    let mut blocks = text.split("\n# ").skip(1).map(|block| block.split_once('\n').unwrap());
    let (_, base) = blocks.next().unwrap();
    let cases = blocks.map(|(head, xml)| {
        let (name, words) = head.split_once(": ").unwrap();
        (name, words.trim(), xml)
    });
    (base, cases.collect())
}

#[test]
fn compile_errors_say_what_and_where() {
    let (base, cases) = parse(include_str!("malformed/compile.cases"));
    let load = |fragment: &str| load_str(&format!("<mujoco>\n{base}{fragment}</mujoco>"), &Source::disk());
    load("").expect("the base must compile");
    let base_lines = 1 + base.lines().count() as u32;
    let mut wrong = Vec::new();
    for (name, words, fragment) in cases {
        match load(fragment) {
            Ok(_) => wrong.push(format!("{name}: was accepted")),
            Err(e) if !e.to_string().contains(words) => wrong.push(format!("{name}: '{words}' is not in '{e}'")),
            Err(e) if e.loc.line <= base_lines => wrong.push(format!("{name}: wrong place in '{e}'")),
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}
