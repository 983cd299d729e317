//! Mutations of compiled models in the binary format, with and without a correct checksum: each must be refused, or be
//! safe to step.

use crate::common::{Input, Random, seeds};
use crate::files::bytes;
use crate::pool::Pool;
use crate::stepping::step_some;
use crate::watch::{Seen, Watch};
use sinew_engine::Model;
use sinew_engine::bytes::sealed;
use sinew_engine::fields::{Fields, SliceMut};
use sinew_mjcf::{Loader, Source, load_str};

/// Length of the checksum. (byte)
const SUM: usize = 8;
const STEPS: u64 = 3;
/// Number of models kept for further mutation.
const POOL: usize = 300;

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let (mut random, mut pool) = (Random(seed), Pool::new(POOL));
    for Input { xml, files } in seeds() {
        let Ok(model) = load_str(&String::from_utf8_lossy(&xml), &Source::with_files(files)) else { continue };
        let (seen, _) = attempt(watch, &model.to_bytes());
        pool.seed(model, seen.took);
    }
    watch.seeded();
    while watch.goes_on() {
        let input = changed(pool.pick(&mut random).clone(), &mut random);
        let (seen, model) = attempt(watch, &input);
        // mutants of a refused model would be refused for the same reason
        if let (Some(true), Some(model)) = (seen.new, model) {
            pool.keep(model, seen.took, &mut random);
        }
    }
}

/// Reads bytes and steps the resulting model; returns what was observed, and the model.
fn attempt(watch: &mut Watch, input: &[u8]) -> (Seen, Option<Model>) {
    let (mut stepped, mut steps) = (None, 0);
    let seen = watch.run(&[("model.sinew".to_string(), input.to_vec())], || {
        let Ok(mut model) = Loader::new().saved(input) else { return Ok("refused".into()) };
        steps = step_some(&mut model, STEPS);
        stepped = (steps > 0).then_some(model);
        Ok(if steps > 0 { "stepped" } else { "no memory" }.into())
    });
    watch.steps(steps);
    (seen, stepped)
}

/// The bytes of a model with altered values, or altered bytes of a model.
fn changed(mut model: Model, random: &mut Random) -> Vec<u8> {
    let times = 1 + random.below(3);
    let by_value = random.below(4) > 0;
    if by_value {
        (0..times).for_each(|_| forge(&mut model, random));
    }
    let mut out = model.to_bytes();
    out.truncate(out.len() - SUM);
    if !by_value {
        (0..times).for_each(|_| alter(&mut out, random));
    }
    if random.below(20) == 0 { out } else { sealed(out) }
}

/// Writes a value into any field: random bytes would mostly hit image data.
fn forge(model: &mut Model, random: &mut Random) {
    loop {
        let row = random.below(Model::FIELDS.len());
        let done = match model.field_mut(row) {
            SliceMut::I32(values) => one(values, random).map(|x| *x = integer(*x, random)),
            SliceMut::U8(values) => one(values, random).map(|x| *x = integer((*x).into(), random) as u8),
            SliceMut::F64(values) => one(values, random).map(|x| *x = real(*x, random)),
            SliceMut::F32(values) => one(values, random).map(|x| *x = real((*x).into(), random) as f32),
            _ => None,
        };
        if done.is_some() {
            return;
        }
    }
}

fn one<'a, T>(values: &'a mut [T], random: &mut Random) -> Option<&'a mut T> {
    let at = random.below(values.len());
    values.get_mut(at)
}

/// An integer that is sometimes near the old one.
fn integer(old: i32, random: &mut Random) -> i32 {
    match random.below(4) {
        0 => old.wrapping_add(random.below(9) as i32 - 4),
        1 => random.below(40) as i32 - 2,
        2 => *random.pick(&[-1, 0, 1, 2, 3]),
        _ => *random.pick(&[i32::MAX, i32::MIN, 1 << 20]),
    }
}

fn real(old: f64, random: &mut Random) -> f64 {
    match random.below(3) {
        0 => old * random.pick(&[-1.0, 0.5, 2.0, 1e-3, 1e3]),
        1 => *random.pick(&[0.0, 1.0, -1.0, 0.1, -0.1, 3.0]),
        _ => *random.pick(&[f64::NAN, f64::INFINITY, 1e30, -1e30, 1e-30, f64::MAX, 5e-324]),
    }
}

/// Alters bytes, mostly whole words, since lengths that do not match the sizes are refused at once.
fn alter(data: &mut Vec<u8>, random: &mut Random) {
    if random.below(10) == 0 {
        return bytes(data, random);
    }
    let at = Model::HEADER_BYTES + (random.below(data.len() - Model::HEADER_BYTES) & !3);
    let word = match random.below(3) {
        0 => (random.below(300) as i32 - 20).to_le_bytes(),
        1 => random.pick(&[0f32, 1.0, -1.0, 1e30, f32::NAN, f32::INFINITY]).to_le_bytes(),
        _ => random.pick(&[-1i32, i32::MAX, i32::MIN, 1 << 20, 0x7ff0_0000, 0x7ff8_0000]).to_le_bytes(),
    };
    data.iter_mut().skip(at).zip(word).for_each(|(slot, b)| *slot = b);
}
