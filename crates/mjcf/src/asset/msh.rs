//! MuJoCo's binary mesh format: four counts, then vertices, normals, texture coordinates, faces.

use super::{Bytes, RawMesh, bad, rows};
use crate::error::Result;

/// Reads an MSH file. `mirrored` turns faces inside out.
pub fn read(data: &[u8], mirrored: bool) -> Result<RawMesh> {
    if data.is_empty() {
        return Err(bad("MSH file is empty"));
    }
    let mut bytes = Bytes(data);
    let counts = bytes.ints(4).map_err(|_| bad("MSH file has no complete header"))?;
    let [nvert, nnormal, ntexcoord, nface] = counts[..] else { return Err(bad("MSH file has no complete header")) };
    let per_vertex = |n: i32| n == 0 || n == nvert;
    if nvert < 4 || nface < 0 || !per_vertex(nnormal) || !per_vertex(ntexcoord) {
        return Err(bad(format!("MSH file has invalid counts {counts:?}")));
    }
    let size = |n: i32, width: u64| n as u64 * width * 4;
    let expected = 16 + size(nvert, 3) + size(nnormal, 3) + size(ntexcoord, 2) + size(nface, 3);
    if data.len() as u64 != expected {
        return Err(bad(format!("MSH file has {} bytes, its counts need {expected}", data.len())));
    }
    let mut mesh = RawMesh {
        vert: rows(&bytes.floats(3 * nvert as usize)?),
        normal: rows(&bytes.floats(3 * nnormal as usize)?),
        texcoord: rows(&bytes.floats(2 * ntexcoord as usize)?),
        face: rows(&bytes.ints(3 * nface as usize)?),
        ..RawMesh::default()
    };
    mesh.facenormal = mesh.face.clone();
    if ntexcoord > 0 {
        mesh.facetexcoord = mesh.face.clone();
    }
    if mirrored {
        mesh.face.iter_mut().for_each(|f| f.swap(1, 2));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_must_match_the_size() {
        let words = |counts: [i32; 4], n: usize| {
            counts.into_iter().chain((0..n as i32).map(|_| 0)).flat_map(i32::to_le_bytes).collect::<Vec<u8>>()
        };
        let mesh = read(&words([4, 4, 0, 2], 12 + 12 + 6), false).unwrap();
        assert_eq!((mesh.vert.len(), mesh.normal.len(), mesh.face.len()), (4, 4, 2));
        for (counts, n) in [([4, 0, 0, 1], 14), ([3, 0, 0, 0], 9), ([4, 3, 0, 0], 21), ([i32::MAX, 0, 0, 0], 12)] {
            assert!(read(&words(counts, n), false).is_err());
        }
    }
}
