//! Binary STL.

use super::{Bytes, RawMesh, bad};
use crate::error::Result;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Maximum number of faces.
pub const MAX_FACES: i32 = 200_000;

/// Reads a binary STL file. Repeated vertices are merged and numbered by first appearance; the stored normals are
/// ignored. `mirrored` turns faces inside out.
pub fn read(data: &[u8], mirrored: bool) -> Result<RawMesh> {
    const ASCII: &str = "text STL is not supported, save the file as binary STL";
    if data.is_empty() {
        return Err(bad("STL file is empty"));
    }
    if data.len() < 84 {
        return Err(bad("STL file has no complete header").hint(ASCII));
    }
    let mut bytes = Bytes(&data[80..]);
    let nface = bytes.int()?;
    if !(1..=MAX_FACES).contains(&nface) {
        return Err(bad(format!("STL file has {nface} faces, expected 1 to {MAX_FACES}")).hint(ASCII));
    }
    if nface as usize * 50 != bytes.0.len() {
        return Err(bad(format!("size of STL file does not match its {nface} faces")).hint(ASCII));
    }
    let mut mesh = RawMesh::default();
    let mut known: HashMap<[u32; 3], i32, Seeded> = HashMap::with_capacity_and_hasher(nface as usize, Seeded::new());
    mesh.face.reserve(nface as usize);
    for record in bytes.0.chunks_exact(50) {
        let float = |at: usize| f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let mut face = [0; 3];
        for j in 0..3 {
            let v = [0, 1, 2].map(|k| float(12 * (j + 1) + 4 * k));
            let corner = if mirrored && j > 0 { 3 - j } else { j };
            face[corner] = index(&mut mesh.vert, &mut known, v)?;
        }
        mesh.face.push(face);
    }
    Ok(mesh)
}

/// Index of a vertex, new or known; ±0 are equal.
fn index(vert: &mut Vec<[f32; 3]>, known: &mut HashMap<[u32; 3], i32, Seeded>, v: [f32; 3]) -> Result<i32> {
    if !v.iter().all(|x| x.abs() <= (1u32 << 30) as f32) {
        return Err(bad(format!("vertex {v:?} in STL file is out of bounds")));
    }
    match known.entry(v.map(|x| (x + 0.0).to_bits())) {
        Entry::Occupied(e) => Ok(*e.get()),
        Entry::Vacant(e) => {
            vert.push(v);
            Ok(*e.insert(vert.len() as i32 - 1))
        }
    }
}

/// A multiplicative hash, several times faster than the standard one. The random seed prevents files that are made to
/// cause collisions.
#[derive(Clone, Copy)]
struct Seeded(u64);

impl Seeded {
    fn new() -> Self {
        Seeded(RandomState::new().hash_one(0u8))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folded;
    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, x: u64) {
        let wide = u128::from(self.0 ^ x) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (wide >> 64) as u64 ^ wide as u64;
    }

    fn write_usize(&mut self, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(faces: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut data = vec![0; 80];
        data.extend((faces.len() as u32).to_le_bytes());
        for f in faces {
            data.extend([0; 12]);
            data.extend(f.iter().flatten().flat_map(|x| x.to_le_bytes()));
            data.extend([0; 2]);
        }
        data
    }

    #[test]
    fn shared_corners_become_one_vertex() {
        let (a, b, c, d) = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]);
        let data = file(&[[a, b, c], [b, d, [-0.0, 1.0, -0.0]]]);
        let mesh = read(&data, false).unwrap();
        assert_eq!(mesh.vert, [a, b, c, d]);
        assert_eq!(mesh.face, [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(read(&data, true).unwrap().face, [[0, 2, 1], [1, 2, 3]]);
    }

    #[test]
    fn hostile_files_are_refused() {
        let good = file(&[[[0.0; 3], [1.0; 3], [2.0; 3]]]);
        let huge = {
            let mut d = good.clone();
            d[80..84].copy_from_slice(&i32::MAX.to_le_bytes());
            d
        };
        let nan = {
            let mut d = good.clone();
            d[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
            d
        };
        for data in [&b""[..], b"solid ascii", &good[..133], &huge, &nan] {
            assert!(read(data, false).is_err());
        }
    }
}
