//! Asset files and procedural shapes.

pub mod builtin;
pub mod gmsh;
pub mod image;
pub mod msh;
pub mod obj;
pub mod skn;
pub mod stl;
pub mod surface;

use crate::error::{Error, ErrorKind, Result};

/// A mesh as stored in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawMesh {
    /// Vertices. (m)
    pub vert: Vec<[f32; 3]>,
    /// Normals.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates, origin at the top.
    pub texcoord: Vec<[f32; 2]>,
    /// Faces; indices may be out of range.
    pub face: Vec<[i32; 3]>,
    /// Normal of each face corner.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinate of each face corner.
    pub facetexcoord: Vec<[i32; 3]>,
}

/// An error about the content of a file.
pub(crate) fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Asset(message.into()))
}

/// Name of an unnamed element: its file without directory and extension.
pub fn stem(file: &str) -> &str {
    let name = strip_path(file);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}

/// File name without directory.
pub fn strip_path(file: &str) -> &str {
    file.rfind(['/', '\\']).map_or(file, |i| &file[i + 1..])
}

/// Media type of a file: the `content_type` attribute if there is one, otherwise from the extension; empty if unknown.
pub fn media_type(file: &str, content_type: &str) -> String {
    if !content_type.is_empty() {
        let base = content_type.split(';').next().unwrap_or_default();
        return match base.split_once('/') {
            Some((a, b)) if !a.is_empty() && !b.is_empty() => base.to_string(),
            _ => String::new(),
        };
    }
    let extension = file.rfind('.').map_or("", |dot| &file[dot + 1..]).to_ascii_lowercase();
    match extension.as_str() {
        "stl" => "model/stl",
        "obj" => "model/obj",
        "ply" => "model/ply",
        "msh" => "model/vnd.mujoco.msh",
        "png" => "image/png",
        _ => "",
    }
    .to_string()
}

/// Reads consecutive little-endian values.
pub(crate) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(|| bad("file ends too early"))?;
        self.0 = tail;
        Ok(head)
    }

    /// The next `n` four-byte words.
    pub fn words(&mut self, n: usize) -> Result<impl Iterator<Item = [u8; 4]> + use<'a>> {
        let bytes = self.take(n.checked_mul(4).ok_or_else(|| bad("size overflow"))?)?;
        Ok(bytes.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]))
    }

    /// The next integer.
    pub fn int(&mut self) -> Result<i32> {
        Ok(self.words(1)?.map(i32::from_le_bytes).next().unwrap_or(0))
    }

    /// The next `n` floats.
    pub fn floats(&mut self, n: usize) -> Result<Vec<f32>> {
        Ok(self.words(n)?.map(f32::from_le_bytes).collect())
    }

    /// The next `n` integers.
    pub fn ints(&mut self, n: usize) -> Result<Vec<i32>> {
        Ok(self.words(n)?.map(i32::from_le_bytes).collect())
    }
}

/// Groups values; the length must be a multiple of `N`.
pub(crate) fn rows<T: Copy + Default, const N: usize>(flat: &[T]) -> Vec<[T; N]> {
    flat.chunks_exact(N).map(|c| std::array::from_fn(|i| c[i])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_media_types() {
        assert_eq!(stem("a/b\\c.d.stl"), "c.d");
        assert_eq!(stem("plain"), "plain");
        assert_eq!(media_type("x.STL", ""), "model/stl");
        assert_eq!(media_type("x.bin", "image/png;q=1"), "image/png");
        assert_eq!(media_type("x.png", "nonsense"), "");
        assert_eq!(media_type("x.unknown", ""), "");
    }
}
