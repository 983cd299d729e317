//! The program in the README is the example that the tests run.

#[test]
fn the_readme_shows_the_tour() {
    let (readme, tour) = (include_str!("../../../README.md"), include_str!("../examples/tour.rs"));
    let (docs, program) = tour.split_once("\n\n").expect("a line of documentation comes first");
    assert!(docs.starts_with("//! "));
    assert!(readme.contains(program.trim_end()), "copy crates/sinew/examples/tour.rs into the README's Rust section");
}
