//! Mutated models never panic, hang or exhaust memory: each loads or is refused.
//!
//! The sequence of inputs is the same in every run. `SINEW_FUZZ_SECONDS` sets how long it goes on (default 5).

mod common;

use common::{Input, Random, seeds};
use sinew_mjcf::{Source, load_str};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// No input may take longer; a model of these sizes takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);
/// No input may raise the peak memory of the process further. (byte)
const MEMORY: u64 = 3 << 30;

/// Attribute values that have upset parsers before, the empty one first.
const VALUES: &str = "| |0|-1|1|2|3|nan|inf|-inf|1e308|-1e-308|2147483647|-2147483648|4294967296|65536|1000000|0 0 0|0 0 0 0|1 1 1|1 0 0 0|nan nan nan|1e20 1e20 1e20|1e-20 1e-20 1e-20|true|false|auto|world|a|free|ball|slide|hinge|sphere|capsule|box|mesh|plane|hfield|ellipsoid|cylinder|sdf|&#0;|&amp;|a.stl|a.obj|a.msh|a.png|a.xml|a.bin|..|/|user|muscle|xyz|ZYX|kp|ki|size|fov|radius1|twist|bend|mujoco.pid|mujoco.elasticity.cable|mujoco.sensor.touch_grid|mujoco.sdf.gear|mujoco.sdf.torus|pid|ring|grid|disc|direct|gmsh|tet.msh|trilinear|quadratic|radial|vert|both|narrow|bvh|0 1 2|0 1 2 3|3 3 3|2 2 1|30 30 1|0 0 0 1 1 1";

/// Changes an input in one or a few places.
fn mutate(input: &mut Input, seeds: &[Input], random: &mut Random) {
    for _ in 0..=random.below(4) {
        match random.below(8) {
            0 => bytes(&mut input.xml, random),
            1 | 2 => attribute(&mut input.xml, random),
            3 => remove_tag(&mut input.xml, random),
            4 => splice(&mut input.xml, &random.pick(seeds).xml.clone(), random),
            5 => rename(&mut input.xml, random),
            6 => repeat(&mut input.xml, random),
            _ => {
                let file = random.below(input.files.len());
                bytes(&mut input.files[file].1, random);
            }
        }
    }
}

/// Overwrites, inserts or removes some bytes anywhere.
fn bytes(data: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(data.len() + 1);
    match random.below(5) {
        0 => data.truncate(at),
        1 => data.insert(at, random.next() as u8),
        2 => {
            let end = (at + 1 + random.below(40)).min(data.len());
            data.drain(at..end);
        }
        3 => {
            let word =
                random.pick(&[0u32, 1, 255, 65535, 0x7fff_ffff, 0xffff_ffff, 0x7f80_0000, 0x7fc0_0000]).to_le_bytes();
            data.iter_mut().skip(at & !3).zip(word).for_each(|(slot, b)| *slot = b);
        }
        _ => data.iter_mut().skip(at).take(1).for_each(|b| *b ^= 1 << random.below(8)),
    }
}

/// Positions of a byte.
fn places(data: &[u8], wanted: u8) -> Vec<usize> {
    data.iter().enumerate().filter(|(_, b)| **b == wanted).map(|(i, _)| i).collect()
}

/// Replaces the value of an attribute.
fn attribute(xml: &mut Vec<u8>, random: &mut Random) {
    let quotes = places(xml, b'"');
    if quotes.len() >= 2 {
        let first = random.below(quotes.len() / 2) * 2;
        let values: Vec<&str> = VALUES.split('|').collect();
        let value = random.pick(&values);
        xml.splice(quotes[first] + 1..quotes[first + 1], value.bytes());
    }
}

fn tags(xml: &[u8]) -> Vec<(usize, usize)> {
    let ends = places(xml, b'>');
    places(xml, b'<').into_iter().filter_map(|a| ends.iter().find(|&&b| b > a).map(|&b| (a, b + 1))).collect()
}

fn remove_tag(xml: &mut Vec<u8>, random: &mut Random) {
    let tags = tags(xml);
    if !tags.is_empty() {
        let &(from, to) = random.pick(&tags);
        xml.drain(from..to);
    }
}

/// Copies a run of tags from another model.
fn splice(xml: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (here, there) = (tags(xml), tags(other));
    if here.is_empty() || there.is_empty() {
        return;
    }
    let first = random.below(there.len());
    let last = (first + random.below(6)).min(there.len() - 1);
    let at = random.pick(&here).0;
    xml.splice(at..at, other[there[first].0..there[last].1].iter().copied());
}

/// Gives a tag the name of another tag.
fn rename(xml: &mut Vec<u8>, random: &mut Random) {
    let tags = tags(xml);
    let name = |&(from, to): &(usize, usize)| {
        let word = xml[from + 1..to].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        (from + 1, from + 1 + word)
    };
    if !tags.is_empty() {
        let (source, target) = (name(random.pick(&tags)), name(random.pick(&tags)));
        let word = xml[source.0..source.1].to_vec();
        xml.splice(target.0..target.1, word);
    }
}

/// Repeats a tag, sometimes many times.
fn repeat(xml: &mut Vec<u8>, random: &mut Random) {
    let tags = tags(xml);
    if !tags.is_empty() && xml.len() < 100_000 {
        let &(from, to) = random.pick(&tags);
        let copies = *random.pick(&[1, 2, 10, 600]);
        let run = xml[from..to].repeat(copies);
        xml.splice(from..from, run);
    }
}

/// Peak memory of this process, where the system tells. (byte)
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Writes an input where it can be looked at, and fails.
fn fail(input: &Input, number: usize, what: &str) -> ! {
    let dir = std::env::temp_dir().join(format!("sinew-fuzz-{number}"));
    std::fs::create_dir_all(&dir).expect("a directory for the input");
    std::fs::write(dir.join("model.xml"), &input.xml).expect("the input is written");
    for (name, content) in &input.files {
        std::fs::write(dir.join(name), content).expect("the input is written");
    }
    panic!("input {number} {what}; it is in {}", dir.display());
}

#[test]
fn mutants_load_or_are_refused() {
    let seconds = std::env::var("SINEW_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(5.0);
    let seeds = seeds();
    let (send_input, inputs) = mpsc::channel::<Input>();
    let (send_result, results) = mpsc::channel::<Option<bool>>();
    std::thread::spawn(move || {
        for input in inputs {
            let xml = String::from_utf8_lossy(&input.xml);
            let source = Source::with_files(input.files);
            let result = catch_unwind(AssertUnwindSafe(|| load_str(&xml, &source).is_ok())).ok();
            if send_result.send(result).is_err() {
                return;
            }
        }
    });
    let mut random = Random(1);
    let (start, mut slowest, mut loaded, mut count) = (Instant::now(), Duration::ZERO, 0, 0);
    let mut peak = peak_memory();
    while count < seeds.len() || start.elapsed().as_secs_f64() < seconds {
        let mut input = seeds[count % seeds.len()].clone();
        if count >= seeds.len() {
            mutate(&mut input, &seeds, &mut random);
        }
        let begun = Instant::now();
        send_input.send(input.clone()).expect("the worker is alive");
        match results.recv_timeout(PATIENCE) {
            Ok(Some(ok)) if count >= seeds.len() || ok => loaded += usize::from(ok),
            Ok(Some(_)) => fail(&input, count, "is a seed and does not load"),
            Ok(None) => fail(&input, count, "panics"),
            Err(_) => fail(&input, count, "takes too long"),
        }
        slowest = slowest.max(begun.elapsed());
        let now = peak_memory();
        if now > peak + MEMORY {
            fail(&input, count, &format!("takes {} MiB", (now - peak) >> 20));
        }
        peak = peak.max(now);
        count += 1;
    }
    println!("{count} inputs, {loaded} loaded, slowest {slowest:?}, peak memory {} MiB", peak >> 20);
}
