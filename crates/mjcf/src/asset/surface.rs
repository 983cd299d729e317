//! Surfaces for flexes: mesh files with repeated vertices merged.

use super::{RawMesh, bad, media_type, obj, stl};
use crate::error::Result;
use std::collections::HashMap;

/// Reads a mesh file; vertices are numbered by first appearance.
pub fn read(file: &str, data: &[u8]) -> Result<RawMesh> {
    let mut mesh = match media_type(file, "").as_str() {
        "model/stl" => stl::read(data, false)?,
        "model/obj" => obj::read(data, false)?,
        _ => return Err(bad(format!("'{file}' is not a mesh format for flexes")).hint("use an STL or OBJ file")),
    };
    let mut known: HashMap<[u32; 3], i32> = HashMap::new();
    let mut unique = Vec::new();
    let mut new = Vec::with_capacity(mesh.vert.len());
    for v in &mesh.vert {
        if !v.iter().all(|x| x.is_finite()) {
            return Err(bad("a vertex is not finite"));
        }
        // adding zero turns −0 into +0
        let id = *known.entry(v.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
            unique.push(*v);
            unique.len() as i32 - 1
        });
        new.push(id);
    }
    for i in mesh.face.iter_mut().flatten() {
        let old = usize::try_from(*i).ok().and_then(|i| new.get(i));
        *i = *old.ok_or_else(|| bad(format!("a face refers to vertex {i}, there are only {}", new.len())))?;
    }
    mesh.vert = unique;
    Ok(mesh)
}
