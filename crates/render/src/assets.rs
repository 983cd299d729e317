//! Data reused by all images of a model.

use crate::facets::Facets;
use crate::surface::Surface;
use crate::texture::Texture;
use rayon::prelude::*;
use sinew_engine::Model;
use sinew_engine::model::enums::{TextureRole, TextureType};

/// Triangle trees, textures and settings of a model, built once.
#[derive(Clone, Debug)]
pub struct Assets {
    pub(crate) meshes: Vec<Surface>,
    pub(crate) hulls: Vec<Surface>,
    pub(crate) fields: Vec<Surface>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) materials: Vec<Material>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) facets: Facets,
    pub(crate) sky: Option<usize>,
    pub(crate) look: Look,
}

/// How a material uses its texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    pub texture: Option<usize>,
    pub repeat: [f32; 2],
    pub uniform: bool,
}

/// Triangles of a skin, and the texture coordinates of its vertices.
#[derive(Clone, Debug)]
pub(crate) struct Skin {
    pub faces: Vec<[u32; 3]>,
    pub uv: Option<Vec<[f32; 2]>>,
}

/// Visual settings of the model.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// Width of the haze, as a fraction of the distance to the sky.
    pub haze: f32,
    pub haze_rgb: [f32; 3],
    pub fog_rgb: [f32; 3],
    pub fog: [f32; 2],
    pub line_width: f32,
}

impl Assets {
    /// Builds the assets of a model.
    pub fn new(m: &Model) -> Self {
        let ids: Vec<usize> = (0..m.nmesh).collect();
        let fields: Vec<usize> = (0..m.nhfield).collect();
        let textures: Vec<usize> = (0..m.ntex).collect();
        Assets {
            meshes: ids.par_iter().map(|i| Surface::mesh(m, *i)).collect(),
            hulls: ids.par_iter().map(|i| Surface::hull(m, *i)).collect(),
            fields: fields.par_iter().map(|i| Surface::height_field(m, *i)).collect(),
            textures: textures.par_iter().map(|i| Texture::new(m, *i)).collect(),
            materials: (0..m.nmat).map(|i| material(m, i)).collect(),
            skins: (0..m.nskin).map(|i| skin(m, i)).collect(),
            sky: (0..m.ntex).find(|i| m.tex_type(*i) == TextureType::Skybox),
            facets: Facets::new(m.vis.quality.numslices, m.vis.quality.numstacks),
            look: look(m),
        }
    }

    /// Updates a mesh that has changed in the model.
    pub fn update_mesh(&mut self, m: &Model, id: usize) {
        self.meshes[id] = Surface::mesh(m, id);
        self.hulls[id] = Surface::hull(m, id);
    }

    /// Updates a height field that has changed in the model.
    pub fn update_height_field(&mut self, m: &Model, id: usize) {
        self.fields[id] = Surface::height_field(m, id);
    }

    /// Updates a texture that has changed in the model.
    pub fn update_texture(&mut self, m: &Model, id: usize) {
        self.textures[id] = Texture::new(m, id);
    }
}

fn material(m: &Model, i: usize) -> Material {
    let texture = usize::try_from(m.mat_texid[i][TextureRole::Rgb as usize]).ok();
    Material { texture, repeat: m.mat_texrepeat[i], uniform: m.mat_texuniform[i] != 0 }
}

fn skin(m: &Model, i: usize) -> Skin {
    let faces = &m.skin_face[m.skin_faceadr[i] as usize..][..m.skin_facenum[i] as usize];
    let uv = usize::try_from(m.skin_texcoordadr[i]).ok();
    Skin {
        faces: faces.iter().map(|f| f.map(|v| v as u32)).collect(),
        uv: uv.map(|adr| m.skin_texcoord[adr..adr + m.skin_vertnum[i] as usize].to_vec()),
    }
}

fn look(m: &Model) -> Look {
    let (map, colours, extent) = (&m.vis.map, &m.vis.rgba, m.stat.extent as f32);
    let rgb = |[r, g, b, _]: [f32; 4]| [r, g, b];
    Look {
        haze: map.haze,
        haze_rgb: rgb(colours.haze),
        fog_rgb: rgb(colours.fog),
        fog: [map.fogstart * extent, map.fogend * extent],
        line_width: m.vis.global.linewidth,
    }
}
