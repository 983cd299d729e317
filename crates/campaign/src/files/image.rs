//! Generated or damaged assets: images of all kinds, and binary files with false counts.

use super::text::bytes;
use crate::common::{Input, Random};

/// Replaces one of the assets of an input.
pub(super) fn replace(input: &mut Input, random: &mut Random) {
    let (name, content) = match random.below(5) {
        0 => ("a.png", picture(random)),
        1 => ("a.stl", solid(random)),
        2 => ("a.msh", mesh(random)),
        3 => ("a.bin", field(random)),
        _ => ("a.obj", text_mesh(random)),
    };
    if let Some(file) = input.files.iter_mut().find(|f| f.0 == name) {
        file.1 = content;
    }
}

/// Changes one of the assets of an input at a few positions.
pub(super) fn damage(input: &mut Input, random: &mut Random) {
    let file = random.below(input.files.len());
    for _ in 0..=random.below(4) {
        bytes(&mut input.files[file].1, random);
    }
}

fn number(random: &mut Random) -> f32 {
    *random.pick(&[0.0, 1.0, -1.0, 0.5, 0.25, 1e-6, 1e-30, 1e30, f32::NAN, f32::INFINITY, 2.0, 1e-3, 3.0, -0.5])
}

fn count(random: &mut Random, right: usize) -> u32 {
    if random.below(3) > 0 { right as u32 } else { *random.pick(&[0, 1, 2, 3, 1000, 1 << 20, 1 << 31, u32::MAX]) }
}

/// An image of any colour type and depth, valid except for its content; sometimes truncated.
fn picture(random: &mut Random) -> Vec<u8> {
    use png::{BitDepth, ColorType};
    let colour = *random.pick(&[
        ColorType::Grayscale,
        ColorType::Rgb,
        ColorType::Indexed,
        ColorType::GrayscaleAlpha,
        ColorType::Rgba,
    ]);
    let depths = [BitDepth::One, BitDepth::Two, BitDepth::Four, BitDepth::Eight, BitDepth::Sixteen];
    let depth = *random.pick(match colour {
        ColorType::Grayscale => &depths[..],
        ColorType::Indexed => &depths[..4],
        _ => &depths[3..],
    });
    let sides = [1, 2, 3, 4, 6, 7, 12, 64, 333];
    let (width, height) = (*random.pick(&sides), *random.pick(&sides));
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ColorType::Indexed {
        encoder.set_palette(vec![7; 3 * (1 + random.below(256))]);
    }
    let row = (colour.samples() * depth as usize * width as usize).div_ceil(8);
    let data: Vec<u8> = (0..row * height as usize).map(|_| random.next() as u8).collect();
    let written = encoder.write_header().and_then(|mut w| w.write_image_data(&data));
    let cut = if written.is_ok() && random.below(4) > 0 { out.len() } else { random.below(out.len() + 1) };
    out.truncate(cut);
    out
}

fn solid(random: &mut Random) -> Vec<u8> {
    let faces = random.below(20);
    let mut out = vec![b's'; 80];
    out.extend(count(random, faces).to_le_bytes());
    for _ in 0..12 * faces {
        out.extend(number(random).to_le_bytes());
    }
    out.extend(vec![0; 2 * faces]);
    out
}

fn mesh(random: &mut Random) -> Vec<u8> {
    let (vertices, faces) = (random.below(12), random.below(12));
    let mut out: Vec<u8> = Vec::new();
    for right in [vertices, 0, 0, faces] {
        out.extend(count(random, right).to_le_bytes());
    }
    (0..3 * vertices).for_each(|_| out.extend(number(random).to_le_bytes()));
    (0..3 * faces).for_each(|_| out.extend((random.below(vertices + 2) as i32 - 1).to_le_bytes()));
    out
}

fn field(random: &mut Random) -> Vec<u8> {
    let (rows, columns) = (random.below(6), random.below(6));
    let mut out: Vec<u8> = Vec::new();
    out.extend(count(random, rows).to_le_bytes());
    out.extend(count(random, columns).to_le_bytes());
    (0..rows * columns).for_each(|_| out.extend(number(random).to_le_bytes()));
    out
}

fn text_mesh(random: &mut Random) -> Vec<u8> {
    let mut out = String::new();
    for _ in 0..random.below(30) {
        let words: Vec<String> = (0..random.below(6)).map(|_| word(random)).collect();
        let head = random.pick(&["v", "v", "v", "f", "f", "vt", "vn", "o", "s", "usemtl", "#", "l", "p"]);
        out.push_str(&format!("{head} {}\n", words.join(" ")));
    }
    out.into_bytes()
}

fn word(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("{}", number(random)),
        1 => format!("{}//{}", random.below(9), random.below(9)),
        2 => format!("{}", random.below(9) as i32 - 4),
        _ => format!("{}/{}/{}", random.below(9), random.below(9), random.below(9)),
    }
}
