//! Textures: PNG and binary files, procedural patterns.

use sinew_engine::model::enums::{ColorSpace, TextureType};

/// A texture ready for the model.
#[derive(Clone, Debug)]
pub struct CompiledTexture {
    /// Name; may be empty for sky boxes.
    pub name: String,
    /// File, as stored in the model's paths.
    pub file: String,
    /// 2-D, cube or sky box.
    pub kind: TextureType,
    /// Colour space.
    pub colorspace: ColorSpace,
    /// Rows; six squares on top of each other for cubes.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// Channels per pixel.
    pub nchannel: usize,
    /// Pixels, row-major.
    pub data: Vec<u8>,
}
