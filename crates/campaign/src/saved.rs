//! Compiled models in the binary format, changed, with and without a right checksum: refused, or safe to step.

use crate::common::{Random, seeds};
use crate::files::bytes;
use crate::watch::Watch;
use sinew_engine::bytes::sealed;
use sinew_engine::fields::{Fields, SliceMut};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Loader, Source, load_str};

/// Bytes of a checksum.
const SUM: usize = 8;
const STEPS: u64 = 3;

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let mut random = Random(seed);
    let good: Vec<Model> = seeds()
        .into_iter()
        .filter_map(|s| load_str(&String::from_utf8_lossy(&s.xml), &Source::with_files(s.files)).ok())
        .collect();
    while watch.goes_on() {
        let mut model = random.pick(&good).clone();
        let integers = random.below(2) == 0;
        for _ in 0..if integers { 1 + random.below(3) } else { 0 } {
            forge(&mut model, &mut random);
        }
        let mut bad = model.to_bytes();
        bad.truncate(bad.len() - SUM);
        for _ in 0..if integers { 0 } else { 1 + random.below(3) } {
            alter(&mut bad, &mut random);
        }
        let bad = if random.below(20) == 0 { bad } else { sealed(bad) };
        let mut steps = 0;
        watch.run(&[("model.sinew".to_string(), bad.clone())], || {
            let Ok(model) = Loader::new().saved(&bad) else { return Ok("refused".into()) };
            let Ok(mut d) = Data::try_new(&model) else { return Ok("no memory".into()) };
            (0..STEPS).for_each(|_| step::step(&model, &mut d));
            steps = STEPS;
            Ok("stepped".into())
        });
        watch.steps(steps);
    }
}

/// Writes an integer that may be near the one that was there. There are few of them among the bytes, and most of what can go
/// wrong.
fn forge(model: &mut Model, random: &mut Random) {
    loop {
        let row = random.below(Model::FIELDS.len());
        let pick = |random: &mut Random, old: i32| match random.below(4) {
            0 => old.wrapping_add(random.below(9) as i32 - 4),
            1 => random.below(40) as i32 - 2,
            2 => *random.pick(&[-1, 0, 1, 2, 3]),
            _ => *random.pick(&[i32::MAX, i32::MIN, 1 << 20]),
        };
        match model.field_mut(row) {
            SliceMut::I32(values) if !values.is_empty() => {
                let at = random.below(values.len());
                values[at] = pick(random, values[at]);
                return;
            }
            SliceMut::U8(values) if !values.is_empty() => {
                let at = random.below(values.len());
                values[at] = pick(random, values[at].into()) as u8;
                return;
            }
            _ => {}
        }
    }
}

/// Mostly words, since lengths that do not fit the sizes are refused at once.
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
