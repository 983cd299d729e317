//! `asset` and `deformable`.

use super::{Reader, element, unsupported};
use crate::asset::builtin::builtin;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Item, attr};
use crate::source;
use crate::spec::{HField, Material, Mesh, Skin, SkinBone, Texture};
use sinew_engine::model::enums::MeshBuiltin;

impl Reader<'_, '_> {
    pub(super) fn asset(&mut self, item: &Item) -> Result<()> {
        match item.name {
            "mesh" => self.mesh(item),
            "hfield" => self.hfield(item),
            "skin" => self.skin(item),
            "texture" => self.texture(item),
            "material" => self.material(item),
            _ => self.model(item),
        }
    }

    pub(super) fn deformable(&mut self, item: &Item) -> Result<()> {
        match item.name {
            "skin" => self.skin(item),
            _ => self.flex(item),
        }
    }

    fn mesh(&mut self, item: &Item) -> Result<()> {
        let class = self.class_of(item, attr::CLASS, 0)?;
        let mut mesh = Mesh { meta: self.meta(item), ..self.spec.classes[class].defaults().mesh.clone() };
        element::mesh(item, &mut mesh)?;
        if let Some(file) = self.file(item, attr::FILE, self.mesh_dir()) {
            mesh.file = file;
        }
        if let Some(&code) = item.codes(attr::BUILTIN).first() {
            if !item.has(attr::PARAMS) {
                return Err(item.error(ErrorKind::Missing("attribute 'params'".into())).attribute(attr::PARAMS));
            }
            if !mesh.file.is_empty() || !mesh.uservert.is_empty() {
                return Err(item.invalid_at(attr::BUILTIN, "a builtin mesh can have neither a file nor vertices"));
            }
            let kind = MeshBuiltin::try_from(code).unwrap_or(MeshBuiltin::None);
            let at = |e: Error| e.at(item.loc).element("mesh").attribute(attr::PARAMS);
            builtin(kind, item.numbers(attr::PARAMS), &mut mesh).map_err(at)?;
            // includes the meshes read so far
            let all = mesh.uservert.len() + self.spec.meshes.iter().map(|m| m.uservert.len()).sum::<usize>();
            self.spec.limits.check_memory("the meshes", BYTES_PER_COORDINATE * all as u128).map_err(at)?;
        }
        mesh.plugin = self.plugin_of(item)?;
        self.spec.meshes.push(mesh);
        Ok(())
    }

    fn hfield(&mut self, item: &Item) -> Result<()> {
        let mut hfield = HField { meta: self.meta(item), ..HField::default() };
        item.read(&mut hfield);
        let file = self.file(item, attr::FILE, &self.assetdir);
        let given = std::mem::take(&mut hfield.userdata);
        if file.is_none() && hfield.nrow > 0 && hfield.ncol > 0 {
            let count = hfield.nrow as usize * hfield.ncol as usize;
            if count > MAX_GRID {
                let kind = ErrorKind::Limit(format!("a height field of {count} points, at most {MAX_GRID}"));
                return Err(item.error(kind));
            }
            // includes the height fields read so far
            let all = count + self.spec.hfields.iter().map(|h| h.userdata.len()).sum::<usize>();
            let limits = self.spec.limits;
            limits
                .check_memory("the height fields", 4 * COPIES * all as u128)
                .map_err(|e| e.at(item.loc).element("hfield"))?;
            if item.has(attr::ELEVATION) && given.len() != count {
                let kind = ErrorKind::WrongCount { expected: format!("nrow*ncol = {count} numbers"), got: given.len() };
                return Err(item.error(kind).attribute(attr::ELEVATION));
            }
            hfield.userdata = if given.is_empty() { vec![0.0; count] } else { given };
        }
        hfield.file = file.unwrap_or_default();
        self.spec.hfields.push(hfield);
        Ok(())
    }

    pub(super) fn skin(&mut self, item: &Item) -> Result<()> {
        let mut skin = Skin { meta: self.meta(item), ..Skin::default() };
        item.read(&mut skin);
        skin.file = self.file(item, attr::FILE, &self.assetdir).unwrap_or_default();
        if !(0..6).contains(&skin.group) {
            return Err(item.invalid_at(attr::GROUP, "skin groups go from 0 to 5"));
        }
        for bone in &item.children {
            let mut out = SkinBone::default();
            bone.read(&mut out);
            skin.bones.push(out);
        }
        self.spec.skins.push(skin);
        Ok(())
    }

    fn texture(&mut self, item: &Item) -> Result<()> {
        let mut texture = Texture { meta: self.meta(item), ..Texture::default() };
        item.read(&mut texture);
        texture.file = self.file(item, attr::FILE, self.texture_dir()).unwrap_or_default();
        if item.has(attr::GRIDLAYOUT) {
            let layout = item.text(attr::GRIDLAYOUT).as_bytes();
            if layout.len() > texture.gridlayout.len() {
                return Err(item.invalid_at(attr::GRIDLAYOUT, "gridlayout has at most 12 letters"));
            }
            let cells = i64::from(texture.gridsize[0]) * i64::from(texture.gridsize[1]);
            if layout.len() as i64 != cells {
                let hint = "give one letter per cell of gridsize";
                return Err(item.invalid_at(attr::GRIDLAYOUT, "gridlayout does not match gridsize").hint(hint));
            }
            texture.gridlayout[..layout.len()].copy_from_slice(layout);
        }
        let sides = [attr::FILERIGHT, attr::FILELEFT, attr::FILEUP, attr::FILEDOWN, attr::FILEFRONT, attr::FILEBACK];
        for (slot, side) in texture.cubefiles.iter_mut().zip(sides) {
            *slot = self.file(item, side, self.texture_dir()).unwrap_or_default();
        }
        self.spec.textures.push(texture);
        Ok(())
    }

    fn material(&mut self, item: &Item) -> Result<()> {
        let class = self.class_of(item, attr::CLASS, 0)?;
        let mut material = Material { meta: self.meta(item), ..self.spec.classes[class].defaults().material.clone() };
        element::material(item, &mut material)?;
        self.spec.materials.push(material);
        Ok(())
    }

    /// Reads another model, to be attached in the body tree.
    fn model(&mut self, item: &Item) -> Result<()> {
        let home = &self.spec.compilers[0].modelfiledir;
        let file = self.locate(source::join("", item.text(attr::FILE)), "", item.loc.file);
        let path = source::join(home, &file);
        let xml = path.ends_with(".xml") || path.ends_with(".urdf") || item.text(attr::CONTENT_TYPE) == "text/xml";
        if !xml {
            let hint = "only MJCF (.xml) and URDF (.urdf) models can be attached";
            return Err(unsupported(item, "this kind of model file").attribute(attr::FILE).hint(hint));
        }
        let at = |e: Error| e.at(item.loc).element("model").attribute(attr::FILE);
        let mut model = self.session.read_model(&path).map_err(at)?;
        self.spec.limits = self.session.limits;
        item.set(attr::NAME, &mut model.modelname);
        self.models.push(model);
        Ok(())
    }
}

/// Maximum number of points of a height field.
const MAX_GRID: usize = 1 << 25;
/// Memory per coordinate of a mesh, with its share of faces, normals and bounding volumes. (byte)
const BYTES_PER_COORDINATE: u128 = 100;
/// Copies of a height field made between the file and the model.
const COPIES: u128 = 3;
