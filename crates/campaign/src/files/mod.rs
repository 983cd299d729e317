//! Random changes of model files: each file must load or be refused, in limited time and memory.
//!
//! Inputs that take new branches are mutated further. If the program has no counters, novelty is judged by the outcome:
//! the error with its element and attribute, or the sizes of the model as powers of two.

#[allow(dead_code)] // the loader uses the rest
#[path = "../../../mjcf/src/schema/syntax.rs"]
mod syntax;
mod image;
mod table;
mod text;
mod tree;

pub(crate) use text::bytes;

use crate::common::{Input, Random, seeds};
use crate::pool::Pool;
use crate::stepping::step_some;
use crate::watch::{Seen, Watch};
use sinew_engine::Model;
use sinew_mjcf::{Error, Source, load_str, xml};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use table::Table;

/// Number of inputs kept for further mutation.
const POOL: usize = 4000;
/// Refused inputs are kept with a probability of one in this many: few of their mutants load.
const REFUSED: usize = 8;
/// Models with more degrees of freedom are not stepped.
const SMALL: usize = 300;
const STEPS: u64 = 5;

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let (table, mut random) = (Table::new(), Random(seed));
    let mut pool = Pool::new(POOL);
    for input in seeds() {
        let (seen, _) = attempt(watch, &input, true);
        pool.seed(input, seen.took);
    }
    watch.seeded();
    let mut prints = HashSet::new();
    while watch.goes_on() {
        let input = mutant(&pool, &table, &mut random);
        let (seen, Some((print, loaded))) = attempt(watch, &input, false) else { continue };
        let new = seen.new.unwrap_or_else(|| prints.insert(print));
        if new && (loaded || random.below(REFUSED) == 0) {
            pool.keep(input, seen.took, &mut random);
        }
    }
}

/// Tries an input; returns what was observed, the hash of its outcome, and whether it loaded.
fn attempt(watch: &mut Watch, input: &Input, is_seed: bool) -> (Seen, Option<(u64, bool)>) {
    let (mut end, mut steps) = (None, 0);
    let seen = watch.run(&packed(input), || {
        let (print, loaded) = try_one(input, &mut steps)?;
        end = Some((print, loaded));
        if is_seed && !loaded {
            return Err("a seed does not load".into());
        }
        Ok(if loaded { "loaded" } else { "refused" }.into())
    });
    watch.steps(steps);
    (seen, end)
}

/// The input as files that can be saved for inspection.
fn packed(input: &Input) -> Vec<(String, Vec<u8>)> {
    [("model.xml".to_string(), input.xml.clone())].into_iter().chain(input.files.iter().cloned()).collect()
}

/// A mutated input: changed according to the schema, as text, or in its assets.
fn mutant(pool: &Pool<Input>, table: &Table, random: &mut Random) -> Input {
    let mut input = pool.pick(random).clone();
    match random.below(8) {
        0 => text::mutate(&mut input, pool.pick(random), random),
        1 => image::replace(&mut input, random),
        2 => image::damage(&mut input, random),
        _ => {
            let trees = (parse(&input), parse(pool.pick(random)));
            if let (Some(mut root), Some(other)) = trees {
                tree::mutate(&mut root, &other, table, random);
                let mut out = String::new();
                tree::print(&root, &mut out);
                input.xml = out.into_bytes();
            } else {
                text::mutate(&mut input, pool.pick(random), random);
            }
        }
    }
    input
}

/// The tree of an MJCF document; URDF is mutated as text.
fn parse(input: &Input) -> Option<xml::Element> {
    xml::parse(std::str::from_utf8(&input.xml).ok()?, 0).ok().filter(|root| root.name == "mujoco")
}

/// Loads an input and steps the resulting model; returns the hash of the outcome, and whether it loaded. Compiled
/// models must pass the model checks.
fn try_one(input: &Input, steps: &mut u64) -> Result<(u64, bool), String> {
    let xml = String::from_utf8_lossy(&input.xml);
    let source = Source::with_files(input.files.clone());
    let mut print = DefaultHasher::new();
    let mut model = load_str(&xml, &source);
    match &mut model {
        Ok(model) => {
            sizes(model, &mut print);
            model.validate().map_err(|e| format!("a compiled model is not valid: {e}"))?;
            let is_small = model.nv <= SMALL && model.ngeom <= SMALL;
            *steps = if is_small { step_some(model, STEPS) } else { 0 };
        }
        Err(error) => place(error, &mut print),
    }
    Ok((print.finish(), model.is_ok()))
}

/// Hashes sizes as powers of two.
fn sizes(m: &Model, print: &mut DefaultHasher) {
    m.list().iter().for_each(|(_, n)| (usize::BITS - n.leading_zeros()).hash(print));
    (m.opt.integrator as i32, m.opt.solver as i32, m.opt.cone as i32).hash(print);
}

/// Hashes the kind and location of an error, without the values and names of the case.
fn place(error: &Error, print: &mut DefaultHasher) {
    std::mem::discriminant(&error.kind).hash(print);
    error.element.hash(print);
    error.attribute.hash(print);
    let words = error.kind.to_string();
    let quoted = words.split('\'').step_by(2);
    quoted.flat_map(str::chars).filter(|c| c.is_alphabetic()).for_each(|c| c.hash(print));
}
