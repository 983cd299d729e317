//! `flex` and `flexcomp`.

use super::Reader;
use super::body::Place;
use super::element;
use crate::asset::{gmsh, surface};
use crate::compile::frames;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Attr, Item, attr};
use crate::spec::flexcomp::{Dof, Hold, Kind};
use crate::spec::{Flex, FlexEdge, Flexcomp, Meta, Pins};
use sinew_engine::model::enums::{EqType, ObjType};

/// Stores the member of a list that the attribute's keyword selects.
fn keyword<T: Copy>(item: &Item, attribute: Attr, members: &[T], slot: &mut T) {
    if let Some(&code) = item.codes(attribute).first() {
        *slot = members[code as usize];
    }
}

impl Reader<'_, '_> {
    pub(super) fn flex(&mut self, item: &Item) -> Result<()> {
        let mut flex = Flex { meta: self.meta(item), ..Flex::default() };
        shared(item, &mut flex);
        flex.vert = rows(item, attr::VERTEX)?;
        flex.texcoord = pairs(item)?;
        self.spec.flexes.push(flex);
        Ok(())
    }

    pub(super) fn flexcomp(&mut self, item: &Item, place: Place) -> Result<()> {
        let plugin = self.shared_plugin(item, format!("flexcomp_{}", item.text(attr::NAME)))?;
        let class = self.spec.classes[place.class].defaults();
        let mut comp = Flexcomp { plugin, joint: class.joint.clone(), geom: class.geom.clone(), ..Flexcomp::default() };
        comp.flex.meta = Meta { name: item.text(attr::NAME).into(), ..self.tree_meta(item, place.class) };
        shared(item, &mut comp.flex);
        keyword(item, attr::TYPE, &Kind::ALL, &mut comp.kind);
        keyword(item, attr::DOF, &Dof::ALL, &mut comp.dof);
        item.read(&mut comp);
        element::orientation(item, &comp.quat, &mut comp.alt)?;
        comp.flex.vert = rows(item, attr::POINT)?;
        comp.flex.texcoord = pairs(item)?;
        if let Some(edge) = item.child("edge") {
            keyword(edge, attr::EQUALITY, &Hold::ALL, &mut comp.hold);
            edge.read(&mut comp.edge);
        }
        for pin in item.children.iter().filter(|c| c.name == "pin") {
            let mut pins = Pins::default();
            pin.read(&mut pins);
            comp.pins.join(pins);
        }
        let at = |e: Error| e.at(item.loc).element(item.name);
        match comp.kind {
            Kind::Mesh => self.flex_mesh(item, &mut comp).map_err(at)?,
            Kind::Gmsh => self.flex_gmsh(item, &mut comp).map_err(at)?,
            _ => {}
        }
        let turn = frames::orientation(comp.quat, &comp.alt, &self.spec.compilers[0]).map_err(at)?;
        comp.make(&mut self.spec, &self.path, turn).map_err(at)
    }

    /// Content of the file named by a flexcomp.
    fn flex_file(&self, item: &Item) -> Result<(String, Vec<u8>)> {
        let Some(file) = self.file(item, attr::FILE, self.mesh_dir()).filter(|file| !file.is_empty()) else {
            return Err(Error::new(ErrorKind::Missing("attribute 'file'".into())).attribute(attr::FILE));
        };
        let compiler = &self.spec.compilers[0];
        let stored = if compiler.strippath { crate::asset::strip_path(&file).to_string() } else { file.clone() };
        let path = crate::source::join(&compiler.meshdir, &stored);
        let data = self.session.source.read(&compiler.modelfiledir, &path)?;
        Ok((file, data.into_owned()))
    }

    /// Reads the triangles of a mesh file, or tetrahedra between them and the origin.
    fn flex_mesh(&self, item: &Item, comp: &mut Flexcomp) -> Result<()> {
        let solid = comp.flex.dim == 3;
        if solid && comp.origin.is_none() {
            return Err(Error::new(ErrorKind::Missing("attribute 'origin'".into()))
                .attribute(attr::ORIGIN)
                .hint("a solid from a mesh needs a point inside it"));
        }
        if comp.flex.dim < 2 {
            return Err(Error::invalid("a mesh gives two or three dimensions").attribute(attr::DIM));
        }
        let (file, data) = self.flex_file(item)?;
        let raw = surface::read(&file, &data)?;
        if raw.vert.is_empty() || raw.face.is_empty() {
            return Err(Error::invalid("the file has no vertices or no faces").attribute(attr::FILE));
        }
        comp.flex.vert = raw.vert.iter().map(|v| v.map(f64::from)).collect();
        if !raw.texcoord.is_empty() {
            comp.flex.texcoord = raw.texcoord.clone();
            comp.flex.elemtexcoord = raw.facetexcoord.concat();
        }
        comp.flex.elem.clear();
        match comp.origin.filter(|_| solid) {
            None => comp.flex.elem = raw.face.concat(),
            Some(origin) => {
                comp.flex.vert.insert(0, origin);
                comp.flex.elem.extend(raw.face.iter().filter_map(|f| tetrahedron(&comp.flex.vert, f)).flatten());
            }
        }
        Ok(())
    }

    fn flex_gmsh(&self, item: &Item, comp: &mut Flexcomp) -> Result<()> {
        let (_, data) = self.flex_file(item)?;
        let read = gmsh::read(&data)?;
        comp.flex.dim = read.dim as i32;
        (comp.flex.vert, comp.flex.elem) = (read.points, read.elements);
        Ok(())
    }

    /// `flex` and `flexvert` equalities.
    pub(super) fn flex_equality(item: &Item, out: &mut crate::spec::Equality) {
        out.kind = if item.name == "flex" { EqType::Flex } else { EqType::Flexvert };
        out.objtype = ObjType::Flex;
        item.set(attr::FLEX, &mut out.name1);
    }
}

/// The tetrahedron of a face and the origin, which is vertex 0, if its volume is positive.
fn tetrahedron(vert: &[[f64; 3]], face: &[i32; 3]) -> Option<[i32; 4]> {
    use sinew_math::{MINVAL, vec3};
    let corners = face.map(|i| i + 1);
    let arm = |i: i32| usize::try_from(i).ok().and_then(|i| vert.get(i)).map(|v| vec3::sub(*v, vert[0]));
    let [a, b, c] = [arm(corners[0])?, arm(corners[1])?, arm(corners[2])?];
    let volume = vec3::dot(vec3::cross(a, b), c);
    (volume >= MINVAL).then_some([0, corners[0], corners[1], corners[2]])
}

/// Reads what `flex` and `flexcomp` share.
fn shared(item: &Item, flex: &mut Flex) {
    item.read(flex);
    item.child("contact").into_iter().chain(item.child("elasticity")).for_each(|part| part.read(flex));
    if let Some(edge) = item.child("edge") {
        let mut springs = FlexEdge::default();
        edge.read(&mut springs);
        (flex.edgestiffness, flex.edgedamping) = (springs.stiffness, springs.damping);
    }
}

/// Numbers in groups of three.
fn rows(item: &Item, attribute: Attr) -> Result<Vec<[f64; 3]>> {
    let numbers = item.numbers(attribute);
    if !numbers.len().is_multiple_of(3) {
        return Err(item.invalid_at(attribute, "three numbers per point are needed"));
    }
    Ok(crate::asset::rows(numbers))
}

/// Texture coordinates in pairs.
fn pairs(item: &Item) -> Result<Vec<[f32; 2]>> {
    let numbers: Vec<f32> = item.numbers(attr::TEXCOORD).iter().map(|&x| x as f32).collect();
    if !numbers.len().is_multiple_of(2) {
        return Err(item.invalid_at(attr::TEXCOORD, "two numbers per texture coordinate are needed"));
    }
    Ok(crate::asset::rows(&numbers))
}
