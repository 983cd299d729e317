//! Models that must be refused, with a message that says what is wrong and where; and odd ones that must be accepted.

use sinew_mjcf::{Source, load_str};

/// Parses a `.cases` file: the base, then (what is wrong, words expected in the message, fragment).
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

/// A model, its files, and the expected error: kind, line and part of the message.
struct Case<'a> {
    kind: &'a str,
    line: u32,
    part: &'a str,
    xml: &'a str,
    source: Source,
}

/// Parses `models.txt`, whose first lines describe the format.
fn models(text: &str) -> impl Iterator<Item = Case<'_>> {
    text.split("\n=== ").skip(1).map(|text| {
        let (heading, body) = text.split_once('\n').expect("a heading is followed by a model");
        let mut cells = heading.splitn(3, " | ");
        let mut cell = || cells.next().expect("a heading has three cells");
        let (kind, line, part) = (cell(), cell().parse().expect("a line number"), cell());
        let (xml, source) = with_files(body);
        Case { kind, line, part, xml, source }
    })
}

/// Separates a model from the in-memory files that belong to it.
fn with_files(body: &str) -> (&str, Source) {
    let mut parts = body.split("--- ");
    let xml = parts.next().unwrap_or_default();
    let files = parts.map(|file| file.split_once('\n').expect("a file has a name"));
    (xml, Source::with_files(files.map(|(name, content)| (name.to_string(), content.into()))))
}

fn are_refused_for_the_right_reason(text: &str, at_least: usize) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in models(text) {
        count += 1;
        let got = match load_str(case.xml, &case.source) {
            Ok(_) => "accepted".to_string(),
            Err(e) => {
                let kind = format!("{:?}", e.kind);
                if kind.split(['(', ' ']).next() == Some(case.kind)
                    && e.loc.line == case.line
                    && e.to_string().contains(case.part)
                {
                    continue;
                }
                format!("{kind} at line {}: {e}", e.loc.line)
            }
        };
        wrong.push(format!("{}expected {} | {} | {}\n     got {got}\n", case.xml, case.kind, case.line, case.part));
    }
    assert!(wrong.is_empty(), "{} of {count} models:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= at_least, "only {count} models");
}

#[test]
fn bad_models_are_refused_for_the_right_reason() {
    are_refused_for_the_right_reason(include_str!("malformed/models.txt"), 200);
}

#[test]
fn bad_flexes_are_refused_for_the_right_reason() {
    are_refused_for_the_right_reason(include_str!("malformed/flex.txt"), 99);
}

#[test]
fn odd_models_are_accepted() {
    for text in include_str!("malformed/odd.txt").split("\n=== ").skip(1) {
        let (what, body) = text.split_once('\n').expect("a heading is followed by a model");
        let (xml, source) = with_files(body);
        load_str(xml, &source).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}
