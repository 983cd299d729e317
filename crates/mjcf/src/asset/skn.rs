//! MuJoCo's binary skin format.

use super::{Bytes, bad};
use crate::error::Result;
use crate::spec::SkinBone;

/// Length of a bone's name. (byte)
const NAME: usize = 40;

/// Content of a skin file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawSkin {
    /// Vertices. (m)
    pub vert: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Faces.
    pub face: Vec<i32>,
    /// Bones.
    pub bones: Vec<SkinBone>,
}

/// Reads an SKN file.
pub fn read(data: &[u8]) -> Result<RawSkin> {
    if data.len() < 16 {
        return Err(bad("SKN file has no complete header"));
    }
    let mut bytes = Bytes(data);
    let mut count = || -> Result<usize> {
        usize::try_from(bytes.int()?).map_err(|_| bad("SKN file has a negative count in its header"))
    };
    let (nvert, ntexcoord, nface, nbone) = (count()?, count()?, count()?, count()?);
    let mut skin = RawSkin {
        vert: bytes.floats(3 * nvert)?,
        texcoord: bytes.floats(2 * ntexcoord)?,
        face: bytes.ints(3 * nface)?,
        bones: Vec::new(),
    };
    for _ in 0..nbone {
        skin.bones.push(bone(&mut bytes)?);
    }
    if !bytes.0.is_empty() {
        return Err(bad(format!("SKN file has {} bytes too many", bytes.0.len())));
    }
    Ok(skin)
}

fn bone(bytes: &mut Bytes) -> Result<SkinBone> {
    let name = &bytes.take(NAME)?[..NAME - 1];
    let end = name.iter().position(|&b| b == 0).unwrap_or(name.len());
    let pos = bytes.floats(3)?;
    let quat = bytes.floats(4)?;
    let n = bytes.int()?;
    if n < 1 {
        return Err(bad("a bone in the SKN file has no vertices"));
    }
    Ok(SkinBone {
        body: String::from_utf8_lossy(&name[..end]).into_owned(),
        bindpos: std::array::from_fn(|i| pos[i]),
        bindquat: std::array::from_fn(|i| quat[i]),
        vertid: bytes.ints(n as usize)?,
        vertweight: bytes.floats(n as usize)?,
    })
}
