//! Files changed at random: each loads or is refused, in time and in little memory.
//!
//! Stable Rust counts no branches for us, so that what an input reaches is told by its outcome: the error with its element and
//! attribute, or the sizes of the model by powers of two. Inputs with a new outcome are changed further.

#[allow(dead_code)] // the loader uses the rest
#[path = "../../../mjcf/src/schema/syntax.rs"]
mod syntax;
mod image;
mod table;
mod text;
mod tree;

pub(crate) use text::bytes;

use crate::common::{Input, Random, seeds};
use crate::watch::Watch;
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Error, Source, load_str, xml};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use table::Table;

/// Inputs that are kept to be changed further.
const POOL: usize = 4000;
/// Refused inputs are kept more rarely: few of their changes load.
const REFUSED: usize = 8;
/// Models with more degrees of freedom are not stepped.
const SMALL: usize = 300;
const STEPS: u64 = 5;

/// What is known of the inputs so far.
struct Pool {
    seeds: Vec<Input>,
    kept: Vec<Input>,
    seen: HashSet<u64>,
}

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let (table, mut random) = (Table::new(), Random(seed));
    let mut pool = Pool { seeds: seeds(), kept: Vec::new(), seen: HashSet::new() };
    while watch.goes_on() {
        let count = watch.count() as usize;
        let is_seed = count < pool.seeds.len();
        let input = if is_seed { pool.seeds[count].clone() } else { mutant(&pool, &table, &mut random) };
        let mut new = None;
        let mut steps = 0;
        watch.run(&packed(&input), || {
            let (outcome, print) = try_one(&input, &mut steps);
            new = Some((print, outcome == "loaded"));
            if is_seed && outcome != "loaded" { Err("a seed does not load".into()) } else { Ok(outcome) }
        });
        watch.steps(steps);
        if let Some((print, loaded)) = new {
            keep(&mut pool, input, print, loaded, &mut random);
        }
    }
}

/// The input as files to be looked at.
fn packed(input: &Input) -> Vec<(String, Vec<u8>)> {
    [("model.xml".to_string(), input.xml.clone())].into_iter().chain(input.files.iter().cloned()).collect()
}

fn keep(pool: &mut Pool, input: Input, print: u64, loaded: bool, random: &mut Random) {
    if !pool.seen.insert(print) || !(loaded || random.below(REFUSED) == 0) {
        return;
    }
    if pool.kept.len() < POOL {
        pool.kept.push(input);
    } else {
        let at = random.below(POOL);
        pool.kept[at] = input;
    }
}

/// A changed input: by what the format allows, by its text, by its assets.
fn mutant(pool: &Pool, table: &Table, random: &mut Random) -> Input {
    let from = |random: &mut Random| {
        let list = if pool.kept.is_empty() || random.below(3) == 0 { &pool.seeds } else { &pool.kept };
        random.pick(list).clone()
    };
    let mut input = from(random);
    match random.below(8) {
        0 => text::mutate(&mut input, &pool.seeds, random),
        1 => image::replace(&mut input, random),
        _ => {
            let other = from(random);
            let trees = (parse(&input), parse(&other));
            if let (Some(mut root), Some(other)) = trees {
                tree::mutate(&mut root, &other, table, random);
                let mut out = String::new();
                tree::print(&root, &mut out);
                input.xml = out.into_bytes();
            } else {
                text::mutate(&mut input, &pool.seeds, random);
            }
        }
    }
    input
}

/// The tree of an MJCF document; URDF is changed as text.
fn parse(input: &Input) -> Option<xml::Element> {
    xml::parse(std::str::from_utf8(&input.xml).ok()?, 0).ok().filter(|root| root.name == "mujoco")
}

/// Loads an input and steps what comes out; the word for it, and the print of what was reached.
fn try_one(input: &Input, steps: &mut u64) -> (String, u64) {
    let xml = String::from_utf8_lossy(&input.xml);
    let source = Source::with_files(input.files.clone());
    let mut print = DefaultHasher::new();
    match load_str(&xml, &source) {
        Ok(model) => {
            sizes(&model, &mut print);
            *steps = step_some(&model);
            ("loaded".into(), print.finish())
        }
        Err(error) => {
            place(&error, &mut print);
            ("refused".into(), print.finish())
        }
    }
}

/// Sizes by powers of two.
fn sizes(m: &Model, print: &mut DefaultHasher) {
    m.list().iter().for_each(|(_, n)| (usize::BITS - n.leading_zeros()).hash(print));
    (m.opt.integrator as i32, m.opt.solver as i32, m.opt.cone as i32).hash(print);
}

/// What was wrong and where, without the numbers and names of the case.
fn place(error: &Error, print: &mut DefaultHasher) {
    std::mem::discriminant(&error.kind).hash(print);
    error.element.hash(print);
    error.attribute.hash(print);
    let words = error.kind.to_string();
    let quoted = words.split('\'').step_by(2);
    quoted.flat_map(str::chars).filter(|c| c.is_alphabetic()).for_each(|c| c.hash(print));
}

fn step_some(m: &Model) -> u64 {
    if m.nv > SMALL || m.ngeom > SMALL {
        return 0;
    }
    let Ok(mut d) = Data::try_new(m) else { return 0 };
    (0..STEPS).for_each(|_| step::step(m, &mut d));
    STEPS
}
