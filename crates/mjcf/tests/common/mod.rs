//! Shared by the tests of hostile and of edited models: inputs, random numbers, and comparison of models.
#![allow(dead_code)] // each test uses a part

pub mod edited;
pub mod unsaid;

use sinew_engine::fields::{Fields, Slice};
use sinew_engine::model::Model;
use sinew_mjcf::compile::compile;
use sinew_mjcf::{Source, Spec, read_str};

pub type Files = Vec<(String, Vec<u8>)>;

/// A model with the files it refers to.
#[derive(Clone)]
pub struct Input {
    pub xml: Vec<u8>,
    pub files: Files,
}

/// A pseudo-random sequence: splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Sample models with the files they refer to.
pub fn seeds() -> Vec<Input> {
    let child = "<mujoco><worldbody><body name='q'><joint/><geom size='.1'/></body></worldbody></mujoco>";
    let part = "<mujoco><body name='i'><joint/><geom size='.1'/></body></mujoco>";
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf 1/1/1 2/1/1 4/1/1\nf 1/1/1 4/1/1 3/1/1\nf 2/1/1 3/1/1 4/1/1\n";
    let tet = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
    let files: [(&str, Vec<u8>); 9] = [
        ("tet.msh", tet.into()),
        ("text.msh", text.into()),
        ("a.stl", stl()),
        ("a.obj", obj.into()),
        ("a.msh", msh()),
        ("a.png", png()),
        ("a.bin", bin()),
        ("a.xml", child.into()),
        ("part.xml", part.into()),
    ];
    let files: Files = files.into_iter().map(|(name, content)| (name.to_string(), content)).collect();
    let whole = [
        include_str!("../fuzz_seeds/tree.xml"),
        include_str!("../fuzz_seeds/motion.xml"),
        include_str!("../fuzz_seeds/assets.xml"),
        include_str!("../fuzz_seeds/parts.xml"),
        include_str!("../fuzz_seeds/plugin.xml"),
        include_str!("../fuzz_seeds/flex.xml"),
        include_str!("../fuzz_seeds/robot.urdf"),
        include_str!("../../../../models/humanoid.xml"),
    ];
    whole.into_iter().map(|xml| Input { xml: xml.into(), files: files.clone() }).collect()
}

/// A tetrahedron as binary STL.
fn stl() -> Vec<u8> {
    let corners: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut out = vec![0; 80];
    out.extend(4u32.to_le_bytes());
    for face in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        out.extend([0; 12]);
        face.into_iter().flat_map(|i: usize| corners[i]).for_each(|x| out.extend(x.to_le_bytes()));
        out.extend([0; 2]);
    }
    out
}

/// The same in MuJoCo's binary format: counts of vertices, normals, texture coordinates and faces, then the data.
fn msh() -> Vec<u8> {
    let mut out: Vec<u8> = [4i32, 0, 0, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    out.extend(corners.iter().flat_map(|x| x.to_le_bytes()));
    out.extend([0i32, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].iter().flat_map(|i| i.to_le_bytes()));
    out
}

/// A height field: rows, columns, elevations.
fn bin() -> Vec<u8> {
    let mut out: Vec<u8> = [2i32, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    out.extend([0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0].iter().flat_map(|x| x.to_le_bytes()));
    out
}

fn png() -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 4, 4);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[100; 48]).expect("an image");
    drop(writer);
    out
}

/// The first field in which two models differ, if any. NaNs compare equal.
pub fn difference(a: &Model, b: &Model) -> Option<String> {
    let bits = |slice: Slice<'_>| -> Vec<u64> {
        let number = |x: f64| if x.is_nan() { u64::MAX } else { (x + 0.0).to_bits() };
        match slice {
            Slice::F64(x) => x.iter().map(|&x| number(x)).collect(),
            Slice::F32(x) => x.iter().map(|&x| number(f64::from(x))).collect(),
            Slice::I32(x) => x.iter().map(|&x| x as u64).collect(),
            Slice::I64(x) => x.iter().map(|&x| x as u64).collect(),
            Slice::U8(x) => x.iter().map(|&x| u64::from(x)).collect(),
            Slice::Code(code) => vec![code as u64],
        }
    };
    let same = |i: usize| bits(a.field(i)) == bits(b.field(i));
    // the paths of files are not part of the model
    let counts = |name: &str| {
        !name.contains("path") && !(a.nplugin > 0 && (name.contains("plugin") || name.starts_with("name")))
    };
    Model::FIELDS.iter().enumerate().find(|(i, f)| counts(f.name) && !same(*i)).map(|(_, f)| f.name.to_string())
}

/// What is lost when a specification is saved and read back.
pub fn lost(spec: &Spec, source: &Source) -> Option<String> {
    let model = compile(spec, source).ok()?;
    changed(&model, spec, source)
}

/// How a specification that is saved and read back differs from a model.
pub fn changed(model: &Model, spec: &Spec, source: &Source) -> Option<String> {
    let text = spec.to_xml_with(source);
    let mut again = match read_str(&text, source) {
        Ok(again) => again,
        Err(e) => return Some(format!("cannot be read again: {e}")),
    };
    again.compilers[0].modelfiledir.clone_from(&spec.compilers[0].modelfiledir);
    match compile(&again, source) {
        Ok(other) => difference(model, &other),
        Err(e) => Some(format!("cannot be compiled again: {e}")),
    }
}
