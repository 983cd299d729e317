//! Mutations of text and bytes without regard to their meaning.

use crate::common::{Input, Random};

/// Attribute values that often cause parser bugs, the empty one first.
const VALUES: &str = "| |0|-1|1|2|3|nan|inf|-inf|1e308|-1e-308|2147483647|-2147483648|4294967296|65536|1000000|0 0 0|0 0 0 0|1 1 1|1 0 0 0|nan nan nan|1e20 1e20 1e20|1e-20 1e-20 1e-20|true|false|auto|world|a|free|ball|slide|hinge|sphere|capsule|box|mesh|plane|hfield|ellipsoid|cylinder|sdf|&#0;|&amp;|a.stl|a.obj|a.msh|a.png|a.xml|a.bin|..|/|user|muscle|xyz|ZYX|kp|ki|size|fov|radius1|twist|bend|mujoco.pid|mujoco.elasticity.cable|mujoco.sensor.touch_grid|mujoco.sdf.gear|mujoco.sdf.torus|pid|ring|grid|disc|direct|gmsh|tet.msh|trilinear|quadratic|radial|vert|both|narrow|bvh|0 1 2|0 1 2 3|3 3 3|2 2 1|30 30 1|0 0 0 1 1 1";

/// Changes an input at one or a few positions; `other` is a source of fragments.
pub(super) fn mutate(input: &mut Input, other: &Input, random: &mut Random) {
    for _ in 0..=random.below(4) {
        match random.below(8) {
            0 => bytes(&mut input.xml, random),
            1 | 2 => attribute(&mut input.xml, random),
            3 => remove_tag(&mut input.xml, random),
            4 => splice(&mut input.xml, &other.xml, random),
            5 => rename(&mut input.xml, random),
            6 => repeat(&mut input.xml, random),
            _ => {
                let file = random.below(input.files.len());
                bytes(&mut input.files[file].1, random);
            }
        }
    }
}

/// Overwrites, inserts or removes some bytes at random positions.
pub(crate) fn bytes(data: &mut Vec<u8>, random: &mut Random) {
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

/// Positions of a byte value.
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
