//! Assets: shapes and appearance shared by elements.

use super::Meta;
use sinew_engine::model::enums::{ColorSpace, MeshInertia, TextureBuiltin, TextureMark, TextureType};

/// A `mesh`, from a file, from inline arrays, or builtin (the reader expands builtin shapes to arrays).
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Name, class, place.
    pub meta: Meta,
    /// Content type of the file, when given.
    pub content_type: String,
    /// File name.
    pub file: String,
    /// Reference position subtracted from the vertices. (m)
    pub refpos: [f64; 3],
    /// Reference orientation undone on the vertices.
    pub refquat: [f64; 4],
    /// Scale per axis.
    pub scale: [f64; 3],
    /// How mass is distributed.
    pub inertia: MeshInertia,
    /// Smooth normals across sharp edges.
    pub smoothnormal: bool,
    /// A signed distance field is needed.
    pub needsdf: bool,
    /// Upper bound on hull vertices; −1 for none.
    pub maxhullvert: i32,
    /// Inline vertices. (m)
    pub uservert: Vec<f32>,
    /// Inline normals.
    pub usernormal: Vec<f32>,
    /// Inline texture coordinates.
    pub usertexcoord: Vec<f32>,
    /// Inline faces.
    pub userface: Vec<i32>,
    /// Inline face normal indices.
    pub userfacenormal: Vec<i32>,
    /// Inline face texture coordinate indices.
    pub userfacetexcoord: Vec<i32>,
    /// Material of geoms without one.
    pub material: String,
}

impl Default for Mesh {
    fn default() -> Self {
        Mesh {
            meta: Meta::default(),
            content_type: String::new(),
            file: String::new(),
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            scale: [1.0; 3],
            inertia: MeshInertia::Legacy,
            smoothnormal: false,
            needsdf: false,
            maxhullvert: -1,
            uservert: Vec::new(),
            usernormal: Vec::new(),
            usertexcoord: Vec::new(),
            userface: Vec::new(),
            userfacenormal: Vec::new(),
            userfacetexcoord: Vec::new(),
            material: String::new(),
        }
    }
}

/// A height field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HField {
    /// Name, class, place.
    pub meta: Meta,
    /// Content type of the file, when given.
    pub content_type: String,
    /// File name: PNG or custom binary.
    pub file: String,
    /// X and Y half-size, top and base thickness. (m)
    pub size: [f64; 4],
    /// Rows.
    pub nrow: i32,
    /// Columns.
    pub ncol: i32,
    /// Inline elevations, row-major, in the order of the attribute.
    pub userdata: Vec<f32>,
}

/// A skin: physics-free drawing data.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Name, class, place.
    pub meta: Meta,
    /// File name.
    pub file: String,
    /// Material name.
    pub material: String,
    /// Colour.
    pub rgba: [f32; 4],
    /// Inflation along normals. (m)
    pub inflate: f32,
    /// Group.
    pub group: i32,
    /// Vertices. (m)
    pub vert: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Faces.
    pub face: Vec<i32>,
    /// Bones.
    pub bones: Vec<SkinBone>,
}

impl Default for Skin {
    fn default() -> Self {
        Skin {
            meta: Meta::default(),
            file: String::new(),
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            inflate: 0.0,
            group: 0,
            vert: Vec::new(),
            texcoord: Vec::new(),
            face: Vec::new(),
            bones: Vec::new(),
        }
    }
}

/// One bone of a skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinBone {
    /// Body name.
    pub body: String,
    /// Bind position. (m)
    pub bindpos: [f32; 3],
    /// Bind orientation.
    pub bindquat: [f32; 4],
    /// Vertices moved by the bone.
    pub vertid: Vec<i32>,
    /// Their weights.
    pub vertweight: Vec<f32>,
}

/// A texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Name, class, place.
    pub meta: Meta,
    /// 2-D, cube or sky box.
    pub kind: TextureType,
    /// Colour space.
    pub colorspace: ColorSpace,
    /// Procedural pattern.
    pub builtin: TextureBuiltin,
    /// Procedural marks.
    pub mark: TextureMark,
    /// First colour.
    pub rgb1: [f64; 3],
    /// Second colour.
    pub rgb2: [f64; 3],
    /// Mark colour.
    pub markrgb: [f64; 3],
    /// Probability of random dots.
    pub random: f64,
    /// Height. (pixel)
    pub height: i32,
    /// Width. (pixel)
    pub width: i32,
    /// Channels.
    pub nchannel: i32,
    /// Content type of the file, when given.
    pub content_type: String,
    /// File name.
    pub file: String,
    /// Grid of a composite file.
    pub gridsize: [i32; 2],
    /// Layout of a composite file.
    pub gridlayout: [u8; 12],
    /// Six files: right, left, up, down, front, back.
    pub cubefiles: [String; 6],
    /// Flip horizontally.
    pub hflip: bool,
    /// Flip vertically.
    pub vflip: bool,
}

impl Default for Texture {
    fn default() -> Self {
        Texture {
            meta: Meta::default(),
            kind: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            builtin: TextureBuiltin::None,
            mark: TextureMark::None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            markrgb: [0.0; 3],
            random: 0.01,
            height: 0,
            width: 0,
            nchannel: 3,
            content_type: String::new(),
            file: String::new(),
            gridsize: [1, 1],
            gridlayout: *b"............",
            cubefiles: Default::default(),
            hflip: false,
            vflip: false,
        }
    }
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, class, place.
    pub meta: Meta,
    /// Texture name per role, indexed by `TextureRole`; empty for none.
    pub textures: [String; 10],
    /// Texture coordinates in spatial units.
    pub texuniform: bool,
    /// Repetition of a 2-D texture.
    pub texrepeat: [f32; 2],
    /// Emission.
    pub emission: f32,
    /// Specular.
    pub specular: f32,
    /// Shininess.
    pub shininess: f32,
    /// Reflectance.
    pub reflectance: f32,
    /// Metallic.
    pub metallic: f32,
    /// Roughness.
    pub roughness: f32,
    /// Colour.
    pub rgba: [f32; 4],
}

impl Default for Material {
    fn default() -> Self {
        Material {
            meta: Meta::default(),
            textures: Default::default(),
            texuniform: false,
            texrepeat: [1.0; 2],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            metallic: -1.0,
            roughness: -1.0,
            rgba: [1.0; 4],
        }
    }
}
