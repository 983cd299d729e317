//! Storage of a scene: capacity for a fixed number of shapes, and arrays for the model's flexes and skins.

use sinew_engine::Model;
use sinew_engine::fields::Zero;
use sinew_engine::view::{GlCamera, Light, SceneFields, Shape};
use std::ops::{Deref, DerefMut};

/// Maximum number of lights; MuJoCo's `mjMAXLIGHT`.
pub const MAX_LIGHTS: usize = 100;

/// Everything to be drawn.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "mjvScene")]
pub struct Scene {
    /// Shapes; only the first `ngeom` are valid.
    pub geoms: Vec<Shape>,
    /// Lights; only the first `nlight` are valid.
    pub lights: Vec<Light>,
    /// Cameras of the left and right eye.
    pub camera: [GlCamera; 2],
    fields: SceneFields,
}

impl Deref for Scene {
    type Target = SceneFields;
    fn deref(&self) -> &SceneFields {
        &self.fields
    }
}

impl DerefMut for Scene {
    fn deref_mut(&mut self) -> &mut SceneFields {
        &mut self.fields
    }
}

impl Scene {
    /// An empty scene with capacity for `maxgeom` shapes and the flexes and skins of a model.
    #[doc(alias = "mjv_makeScene")]
    pub fn new(m: Option<&Model>, maxgeom: usize) -> Self {
        let mut fields = SceneFields { maxgeom: maxgeom as i32, geomorder: vec![0; maxgeom], ..SceneFields::default() };
        if let Some(m) = m {
            make_flexes(m, &mut fields);
            make_skins(m, &mut fields);
        }
        Scene {
            geoms: vec![Shape::ZERO; maxgeom],
            lights: vec![Light::ZERO; MAX_LIGHTS],
            camera: [GlCamera::ZERO; 2],
            fields,
        }
    }

    /// The valid shapes.
    pub fn shapes(&self) -> &[Shape] {
        &self.geoms[..(self.ngeom.max(0) as usize).min(self.geoms.len())]
    }

    /// The valid lights.
    pub fn lit(&self) -> &[Light] {
        &self.lights[..(self.nlight.max(0) as usize).min(self.lights.len())]
    }

    /// The fields of the scene's table, mutable.
    pub fn fields_mut(&mut self) -> &mut SceneFields {
        &mut self.fields
    }

    /// Appends a shape, if there is capacity.
    pub fn push(&mut self, mut shape: Shape) {
        match self.geoms.get_mut(self.fields.ngeom.max(0) as usize) {
            Some(slot) => {
                shape.segid = self.fields.ngeom;
                *slot = shape;
                self.fields.ngeom += 1;
            }
            None => self.fields.status = 1,
        }
    }
}

/// Maximum number of faces that a flex is drawn with, for any options.
fn faces(m: &Model, f: usize) -> i32 {
    let (shell, elems) = (m.flex_shellnum[f], m.flex_elemnum[f]);
    if m.flex_dim[f] == 2 {
        return 2 * shell + 2 * elems;
    }
    let first = m.flex_elemadr[f] as usize;
    let layers = &m.flex_elemlayer[first..first + elems as usize];
    // layers are numbered from the surface without gaps, so the search can stop at the first empty one
    let sizes = (0..).map(|layer| layers.iter().filter(|l| **l == layer).count() as i32);
    shell.max(4 * sizes.take_while(|n| *n > 0).max().unwrap_or(0))
}

fn make_flexes(m: &Model, fields: &mut SceneFields) {
    fields.nflex = m.nflex as i32;
    fields.flexedgeadr = m.flex_edgeadr.to_vec();
    fields.flexedgenum = m.flex_edgenum.to_vec();
    fields.flexvertadr = m.flex_vertadr.to_vec();
    fields.flexvertnum = m.flex_vertnum.to_vec();
    fields.flexedge = m.flex_edge.as_flattened().to_vec();
    fields.flexvert = vec![0.0; 3 * m.nflexvert];
    fields.flexfaceused = vec![0; m.nflex];
    let mut total = 0;
    for f in 0..m.nflex {
        fields.flexfaceadr.push(total);
        fields.flexfacenum.push(faces(m, f));
        total += faces(m, f);
    }
    fields.flexface = vec![0.0; 9 * total as usize];
    fields.flexnormal = vec![0.0; 9 * total as usize];
    fields.flextexcoord = vec![0.0; 6 * total as usize];
}

fn make_skins(m: &Model, fields: &mut SceneFields) {
    fields.nskin = m.nskin as i32;
    fields.skinfacenum = m.skin_facenum.to_vec();
    fields.skinvertadr = m.skin_vertadr.to_vec();
    fields.skinvertnum = m.skin_vertnum.to_vec();
    fields.skinvert = vec![0.0; 3 * m.nskinvert];
    fields.skinnormal = vec![0.0; 3 * m.nskinvert];
}
