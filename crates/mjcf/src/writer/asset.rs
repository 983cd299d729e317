//! Assets, flexes and custom data.

use super::plugin::ask;
use super::text::{Node, join, real, single};
use super::{Writer, named};
use crate::schema::{self, Attr, attr};
use crate::spec::{Flex, FlexEdge, HField, Material, Mesh, Numeric, Skin, SkinBone, Texture};

impl Writer<'_> {
    pub(super) fn assets(&self) -> Vec<Node> {
        let spec = self.spec;
        let mut out: Vec<Node> = spec.textures.iter().map(|t| self.texture(t)).collect();
        out.extend(spec.materials.iter().map(|m| {
            let mut node = self.start("material", &m.meta);
            node.absorb(self.material_like(m, &self.classes().of(self.class(&m.meta)).material));
            node
        }));
        out.extend(spec.meshes.iter().map(|m| self.mesh(m)));
        out.extend(spec.hfields.iter().map(|h| self.hfield(h)));
        out.extend(spec.skins.iter().map(|s| self.skin(s)));
        out
    }

    fn mesh(&self, mesh: &Mesh) -> Node {
        let mut node = self.start("mesh", &mesh.meta);
        node.text(attr::FILE, &self.file(&mesh.meta, &mesh.file, |c| &c.meshdir));
        node.record(mesh, &self.classes().of(self.class(&mesh.meta)).mesh, &[attr::FILE]);
        ask(&mut node, mesh.plugin.as_ref());
        node
    }

    fn hfield(&self, hfield: &HField) -> Node {
        let mut node = named("hfield", &hfield.meta);
        node.text(attr::FILE, &self.file(&hfield.meta, &hfield.file, |c| &c.meshdir));
        let flat = hfield.userdata.iter().all(|&x| x == 0.0);
        node.record(hfield, &HField::default(), if flat { &[attr::FILE, attr::ELEVATION] } else { &[attr::FILE] });
        node
    }

    fn skin(&self, skin: &Skin) -> Node {
        let mut node = named("skin", &skin.meta);
        node.text(attr::FILE, &self.file(&skin.meta, &skin.file, |c| &c.meshdir));
        node.record(skin, &Skin::default(), &[]);
        node.children = skin
            .bones
            .iter()
            .map(|bone| {
                let mut part = Node::new("bone");
                let numbers = |x: &[f32]| join(x.iter().map(|&x| single(x)));
                part.put(attr::BODY, &bone.body);
                part.put(attr::BINDPOS, numbers(&bone.bindpos));
                part.put(attr::BINDQUAT, numbers(&bone.bindquat));
                part.record(bone, &SkinBone::default(), &[attr::BODY, attr::BINDPOS, attr::BINDQUAT]);
                part
            })
            .collect();
        node
    }

    fn texture(&self, texture: &Texture) -> Node {
        let mut node = named("texture", &texture.meta);
        let file = |file: &str| self.file(&texture.meta, file, |c| &c.texturedir);
        node.text(attr::FILE, &file(&texture.file));
        node.record(texture, &Texture::default(), &[attr::FILE]);
        let cells = (texture.gridsize[0].max(0) as usize * texture.gridsize[1].max(0) as usize).min(12);
        if texture.gridlayout != Texture::default().gridlayout {
            node.put(attr::GRIDLAYOUT, String::from_utf8_lossy(&texture.gridlayout[..cells]));
        }
        for (side, name) in SIDES.into_iter().zip(&texture.cubefiles) {
            node.text(side, &file(name));
        }
        node
    }

    /// A material, or the material defaults of a class.
    pub(super) fn material_like(&self, material: &Material, base: &Material) -> Node {
        let mut node = Node::new("material");
        node.record(material, base, &[]);
        let changed: Vec<usize> =
            (0..material.textures.len()).filter(|&i| material.textures[i] != base.textures[i]).collect();
        match changed[..] {
            [] => {}
            [role] if schema::word("texrole", role as i32) == Some("rgb") => {
                node.put(attr::TEXTURE, &material.textures[role]);
            }
            _ => node.children.extend(changed.iter().map(|&role| {
                let mut layer = Node::new("layer");
                layer.put(attr::TEXTURE, &material.textures[role]);
                layer.text(attr::ROLE, schema::word("texrole", role as i32).unwrap_or(""));
                layer
            })),
        }
        node
    }

    pub(super) fn flexes(&self) -> Vec<Node> {
        self.spec.flexes.iter().map(|f| self.flex(f)).collect()
    }

    fn flex(&self, flex: &Flex) -> Node {
        let base = Flex::default();
        let parts = [("contact", CONTACT), ("elasticity", ELASTICITY)];
        let inner: Vec<Attr> = parts.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut node = named("flex", &flex.meta);
        node.record(flex, &base, &inner);
        let points: Vec<f64> = flex.vert.concat();
        if !points.is_empty() {
            node.numbers(attr::VERTEX, &points);
        }
        if !flex.texcoord.is_empty() {
            node.put(attr::TEXCOORD, join(flex.texcoord.concat().into_iter().map(single)));
        }
        for (name, names) in parts {
            let other: Vec<Attr> = all_attributes().filter(|a| !names.contains(a)).collect();
            let mut part = Node::new(name);
            part.record(flex, &base, &other);
            node.children.extend((!part.is_empty()).then_some(part));
        }
        let mut edge = Node::new("edge");
        let springs = FlexEdge { stiffness: flex.edgestiffness, damping: flex.edgedamping };
        edge.record(&springs, &FlexEdge::default(), &[]);
        node.children.extend((!edge.is_empty()).then_some(edge));
        node
    }

    pub(super) fn custom(&self) -> Vec<Node> {
        let numerics = self.spec.numerics.iter().map(|numeric| {
            let mut node = named("numeric", &numeric.meta);
            let exact = numeric.size as usize == numeric.data.len();
            node.record(numeric, &Numeric::default(), if exact { &[attr::SIZE] } else { &[] });
            node
        });
        let texts = self.spec.texts.iter().map(|text| {
            let mut node = named("text", &text.meta);
            node.put(attr::DATA, &text.data);
            node
        });
        let tuples = self.spec.tuples.iter().map(|tuple| {
            let mut node = named("tuple", &tuple.meta);
            node.children = tuple
                .objects()
                .map(|(objtype, name, prm)| {
                    let mut part = Node::new("element");
                    part.text(attr::OBJTYPE, schema::word("objtype", objtype as i32).unwrap_or(""));
                    part.put(attr::OBJNAME, name);
                    if prm != 0.0 {
                        part.put(attr::PRM, real(prm));
                    }
                    part
                })
                .collect();
            node
        });
        numerics.chain(texts).chain(tuples).collect()
    }
}

/// Files of a texture with one image per side.
const SIDES: [Attr; 6] =
    [attr::FILERIGHT, attr::FILELEFT, attr::FILEUP, attr::FILEDOWN, attr::FILEFRONT, attr::FILEBACK];

/// Attributes of the `contact` element of a flex.
const CONTACT: &[Attr] = &[
    attr::INTERNAL,
    attr::VERTCOLLIDE,
    attr::PASSIVE,
    attr::SELFCOLLIDE,
    attr::ACTIVELAYERS,
    attr::CONTYPE,
    attr::CONAFFINITY,
    attr::CONDIM,
    attr::PRIORITY,
    attr::FRICTION,
    attr::SOLMIX,
    attr::SOLREF,
    attr::SOLIMP,
    attr::MARGIN,
    attr::GAP,
];
/// Attributes of the `elasticity` element of a flex.
const ELASTICITY: &[Attr] = &[attr::YOUNG, attr::POISSON, attr::DAMPING, attr::THICKNESS, attr::ELASTIC2D];

fn all_attributes() -> impl Iterator<Item = Attr> {
    use crate::spec::field::Record;
    Flex::FIELDS.iter().filter_map(|f| f.attribute)
}
