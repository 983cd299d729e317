//! Common functions for building the shapes of all kinds.

use crate::scene::Scene;
use crate::shape::{blank, connect, init, single};
use crate::text;
use sinew_engine::model::enums::{CatBits, FrameType, GeomType, LabelType, ObjType, VisFlag};
use sinew_engine::view::{Perturb, Shape, ViewOptions};
use sinew_engine::{Data, Model};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// The element that a shape represents: object type and id.
pub(crate) type Of = (ObjType, usize);

/// State of an update in progress.
pub(crate) struct Draw<'a> {
    pub m: &'a Model,
    pub d: &'a Data,
    pub opt: &'a ViewOptions,
    pub pert: &'a Perturb,
    /// Categories to show.
    pub cats: CatBits,
    /// Mean body size, by which decorations are scaled.
    pub scale: f64,
    scene: &'a mut Scene,
}

impl<'a> Draw<'a> {
    pub fn new(
        m: &'a Model,
        d: &'a Data,
        opt: &'a ViewOptions,
        pert: &'a Perturb,
        cats: CatBits,
        scene: &'a mut Scene,
    ) -> Self {
        let hidden = if opt.shows(VisFlag::Static) { CatBits::empty() } else { CatBits::STATIC };
        Draw { m, d, opt, pert, cats: cats - hidden, scale: m.stat.meansize, scene }
    }

    pub fn shows(&self, flag: VisFlag) -> bool {
        self.opt.shows(flag)
    }

    pub fn frames(&self, of: FrameType) -> bool {
        self.opt.frame == of as i32
    }

    pub fn labels(&self, of: LabelType) -> bool {
        self.opt.label == of as i32
    }

    /// Category of a body. A body welded to the world is static, unless its tree is attached to a mocap body.
    pub fn category(&self, body: usize) -> CatBits {
        let root = self.m.body_rootid[body] as usize;
        let fixed = self.m.body_weldid[body] == 0 && self.m.body_mocapid[root] == -1;
        if fixed { CatBits::STATIC } else { CatBits::DYNAMIC }
    }

    /// Whether a body's category is shown.
    pub fn admits(&self, body: usize) -> bool {
        self.cats.contains(self.category(body))
    }

    /// Midpoint between the eyes, from the scene's last update.
    pub fn eye(&self) -> Vec3 {
        let [left, right] = self.scene.camera.each_ref().map(|c| c.pos.map(f64::from));
        vec3::scale(vec3::add(left, right), 0.5)
    }

    /// A default shape for an element, of the given category.
    pub fn shape(&self, (objtype, objid): Of, category: CatBits) -> Shape {
        Shape { objtype: objtype as i32, objid: objid as i32, category: category.bits(), ..blank() }
    }

    /// A geom, from its size parameters.
    pub fn solid(&self, of: Of, category: CatBits, kind: i32, size: Vec3, pos: Vec3, mat: &Mat3) -> Shape {
        let mut shape = self.shape(of, category);
        init(&mut shape, kind, Some(size), Some(pos), Some(mat), None);
        shape
    }

    /// A decoration with given extents along its axes.
    pub fn decor(&self, of: Of, kind: GeomType, size: Vec3, pos: Vec3, mat: &Mat3, rgba: [f32; 4]) -> Shape {
        Shape {
            r#type: kind as i32,
            size: single(&size),
            pos: single(&pos),
            mat: single(mat),
            rgba,
            ..self.shape(of, CatBits::DECOR)
        }
    }

    /// A decorative sphere.
    pub fn ball(&self, of: Of, radius: f64, pos: Vec3, rgba: [f32; 4]) -> Shape {
        self.decor(of, GeomType::Sphere, [radius; 3], pos, &mat3::IDENTITY, rgba)
    }

    /// A shape connecting two points.
    pub fn link(&self, of: Of, category: CatBits, kind: GeomType, width: f64, ends: [Vec3; 2]) -> Shape {
        let mut shape = self.shape(of, category);
        let linked = connect(&mut shape, kind as i32, width, ends[0], ends[1]);
        debug_assert!(linked.is_ok(), "{kind:?} connects nothing");
        shape
    }

    /// Adds a decoration connecting two points.
    pub fn add_link(&mut self, of: Of, kind: GeomType, width: f64, ends: [Vec3; 2], rgba: [f32; 4]) {
        let shape = Shape { rgba, ..self.link(of, CatBits::DECOR, kind, width, ends) };
        self.add(shape);
    }

    /// Adds a triangle.
    pub fn add_triangle(&mut self, of: Of, [a, b, c]: [Vec3; 3], rgba: [f32; 4]) {
        let (ab, ac) = (vec3::sub(b, a), vec3::sub(c, a));
        let axes = [ab, ac, vec3::cross(ab, ac)].map(vec3::normalize);
        let mat: Mat3 = std::array::from_fn(|k| axes[k % 3].0[k / 3]);
        let shape = self.decor(of, GeomType::Triangle, axes.map(|(_, length)| length), a, &mat, rgba);
        self.add(shape);
    }

    /// Adds three axes, with length and width scaled by `times`.
    pub fn add_frame(&mut self, id: usize, pos: Vec3, mat: &Mat3, times: f64) {
        let sizes = &self.m.vis.scale;
        let length = f64::from(sizes.framelength) * self.scale * times;
        let width = f64::from(sizes.framewidth) * self.scale * times;
        for axis in 0..3 {
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            rgba[axis] = 0.9;
            let end = vec3::add_scaled(pos, mat3::col(mat, axis), length);
            self.add_link((ObjType::Unknown, id), GeomType::Cylinder, width, [pos, end], rgba);
        }
    }

    /// Colours a shape: from its material if it has one, unless its own colour is set too.
    pub fn paint(&self, shape: &mut Shape, matid: i32, rgba: [f32; 4]) {
        let material = usize::try_from(matid).ok();
        if let Some(mat) = material {
            shape.rgba = self.m.mat_rgba[mat];
            shape.emission = self.m.mat_emission[mat];
            shape.specular = self.m.mat_specular[mat];
            shape.shininess = self.m.mat_shininess[mat];
            shape.reflectance = self.m.mat_reflectance[mat];
        }
        if material.is_none() || rgba != [0.5, 0.5, 0.5, 1.0] {
            shape.rgba = rgba;
        }
        if self.shows(VisFlag::Texture) && material.is_some() {
            shape.matid = matid;
        }
        if self.shows(VisFlag::Transparent) && shape.category == CatBits::DYNAMIC.bits() {
            shape.rgba[3] *= self.m.vis.map.alpha;
        }
    }

    /// Makes a shape glow.
    pub fn glow(&self, shape: &mut Shape) {
        shape.emission += self.m.vis.global.glow;
    }

    /// Labels a shape with its element's name, if labels of this kind are enabled.
    pub fn label(&self, shape: &mut Shape, kind: LabelType, (objtype, id): Of) {
        if self.labels(kind) {
            shape.set_label(&text::element(self.m, objtype, id));
        }
    }

    /// Adds a shape to the scene.
    pub fn add(&mut self, shape: Shape) {
        self.scene.push(shape);
    }
}

/// Whether a group is shown.
pub(crate) fn in_group(shown: &[u8; 6], group: i32) -> bool {
    shown[group.clamp(0, 5) as usize] != 0
}
