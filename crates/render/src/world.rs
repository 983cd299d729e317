//! The solids of a scene, in trees: one of the visible solids and one of those that cast shadows.

use crate::assets::Assets;
use crate::facets::Facets;
use crate::solid::{Kind, Solid};
use crate::surface::{Face, Surface};
use crate::trace::Packet;
use crate::tree::{Bounds, Tree};
use crate::vector::{M3, V3, add, column, cross, dot, mul, sub, unit};
use crate::walk::{EVERY, Rays, walk};
use sinew_engine::model::enums::{CatBits, GeomType, LightType, RndFlag};
use sinew_scene::{Scene, Shape};

/// Opacity from which a shape hides what is behind it.
const OPAQUE: f32 = 0.995;

/// Flexes and skins in their current deformation, by shape.
pub(crate) struct Bent(Vec<Option<Surface>>);

impl Bent {
    pub fn new(assets: &Assets, scene: &Scene) -> Bent {
        Bent(scene.shapes().iter().map(|s| bent(assets, scene, s)).collect())
    }
}

fn bent(assets: &Assets, scene: &Scene, shape: &Shape) -> Option<Surface> {
    let id = usize::try_from(shape.objid).ok()?;
    match GeomType::try_from(shape.r#type).ok()? {
        GeomType::Flex => {
            let (first, count) = (*scene.flexfaceadr.get(id)? as usize, *scene.flexfaceused.get(id)? as usize);
            let part = |all: &[f32]| all[9 * first..9 * (first + count)].as_chunks::<9>().0.to_vec();
            let triple = |f: &[f32; 9]| [0, 3, 6].map(|k| [f[k], f[k + 1], f[k + 2]]);
            let corners: Vec<[V3; 3]> = part(&scene.flexface).iter().map(triple).collect();
            let normals = part(&scene.flexnormal);
            let uv = &scene.flextexcoord[6 * first..];
            (count > 0).then(|| {
                Surface::new(&corners, |i| Face {
                    normals: triple(&normals[i]),
                    uv: [0, 2, 4].map(|k| [uv[6 * i + k], uv[6 * i + k + 1]]),
                })
            })
        }
        GeomType::Skin => {
            let (skin, first) = (assets.skins.get(id)?, *scene.skinvertadr.get(id)? as usize);
            let at = |all: &[f32], v: u32| {
                let k = 3 * (first + v as usize);
                [all[k], all[k + 1], all[k + 2]]
            };
            let corners: Vec<[V3; 3]> = skin.faces.iter().map(|f| f.map(|v| at(&scene.skinvert, v))).collect();
            Some(Surface::new(&corners, |i| Face {
                normals: skin.faces[i].map(|v| at(&scene.skinnormal, v)),
                uv: skin.faces[i].map(|v| skin.uv.as_ref().map_or([0.0; 2], |uv| uv[v as usize])),
            }))
        }
        _ => None,
    }
}

/// A subset of the solids, with planes stored separately from the tree.
#[derive(Default)]
struct Group {
    planes: Vec<u32>,
    items: Vec<u32>,
    tree: Tree,
}

impl Group {
    fn new(solids: &[Solid], among: impl Fn(&Solid) -> bool) -> Group {
        let chosen = |plane: bool| {
            let kind = move |s: &Solid| matches!(s.kind, Kind::Plane) == plane;
            let all = solids.iter().enumerate().filter(|(_, s)| among(s) && kind(s));
            all.map(|(i, _)| i as u32).collect::<Vec<_>>()
        };
        let items = chosen(false);
        let boxes: Vec<Bounds> = items.iter().map(|i| solids[*i as usize].bounds()).collect();
        Group { planes: chosen(true), tree: Tree::build(&boxes, 1), items }
    }
}

/// A transparent shape; sorted from nearest to farthest by MuJoCo's measure.
pub(crate) struct Veil {
    pub shape: usize,
    /// Indices of its solids.
    pub solids: Vec<u32>,
}

/// Everything to be traced.
pub(crate) struct World<'a> {
    pub shapes: &'a [Shape],
    pub solids: Vec<Solid<'a>>,
    seen: Group,
    casting: Group,
    pub veils: Vec<Veil>,
    /// The only solid that reflects others.
    pub mirror: Option<u32>,
}

impl<'a> World<'a> {
    /// Builds the world, with all shapes opaque (`solid`) or with transparency.
    pub fn new(assets: &'a Assets, scene: &'a Scene, bent: &'a Bent, eye: V3, solid: bool) -> World<'a> {
        let shapes = scene.shapes();
        let mut solids = Vec::with_capacity(shapes.len());
        for (i, shape) in shapes.iter().enumerate().filter(|(_, s)| !solid || s.segid >= 0) {
            let mut part = |kind, size, pos, mat| solids.push(Solid { kind, shape: i, size, pos, mat });
            if !(solid && add_facets(&assets.facets, shape, &mut part)) {
                add_solids(assets, scene, bent.0[i].as_ref(), shape, part);
            }
        }
        let clear: Vec<bool> = shapes.iter().map(|s| !solid && is_clear(s, eye)).collect();
        let casts = !solid
            && scene.draws(RndFlag::Shadow)
            && scene.lit().iter().any(|l| l.castshadow != 0 && l.r#type != LightType::Point as i32);
        let decor = CatBits::DECOR.bits();
        let mirrors = |s: &Solid| {
            matches!(s.kind, Kind::Plane | Kind::Box) && !clear[s.shape] && shapes[s.shape].reflectance > 0.0
        };
        let reflects = !solid && scene.draws(RndFlag::Reflection);
        World {
            seen: Group::new(&solids, |s| !clear[s.shape]),
            casting: match casts {
                true => Group::new(&solids, |s| shapes[s.shape].category != decor),
                false => Group::default(),
            },
            veils: veils(shapes, &solids, &clear, eye),
            mirror: solids.iter().position(mirrors).map(|i| i as u32).filter(|_| reflects),
            shapes,
            solids,
        }
    }

    /// The shape of a solid.
    pub fn shape(&self, solid: i32) -> &'a Shape {
        &self.shapes[self.solids[solid as usize].shape]
    }

    /// Finds the nearest opaque solids on the rays, skipping one of them.
    pub fn look(&self, packet: &mut Packet, without: Option<u32>) {
        self.trace::<false>(&self.seen, packet, without);
    }

    /// Ends rays that are blocked by anything: their `t` becomes −1.
    pub fn shade(&self, packet: &mut Packet) {
        self.trace::<true>(&self.casting, packet, None);
    }

    fn trace<const ANY: bool>(&self, group: &Group, packet: &mut Packet, without: Option<u32>) {
        let meet = |packet: &mut Packet, i: u32, among: u32| {
            if without != Some(i) {
                self.solids[i as usize].meet::<ANY>(packet, among, i);
            }
        };
        group.planes.iter().for_each(|i| meet(packet, *i, EVERY));
        if group.tree.nodes.is_empty() || packet.live.to_bitmask() == 0 {
            return;
        }
        let rays = Rays::new(packet.origin, packet.dir);
        walk::<ANY>(&group.tree, &rays, packet, EVERY, |packet, at, among| {
            if at < 0 {
                meet(packet, group.items[group.tree.order[!at as usize] as usize], among);
            }
            at < 0
        });
    }
}

/// Whether the eye is behind a plane.
pub(crate) fn behind(shape: &Shape, eye: V3) -> bool {
    shape.r#type == GeomType::Plane as i32 && dot(sub(eye, shape.pos), column(&shape.mat, 2)) < 0.0
}

fn is_clear(shape: &Shape, eye: V3) -> bool {
    shape.rgba[3] < OPAQUE || behind(shape, eye)
}

/// Distance by which transparent shapes are sorted.
fn rank(shape: &Shape, eye: V3) -> f32 {
    let [x, y, z] = shape.size;
    let reach = match GeomType::try_from(shape.r#type) {
        Ok(GeomType::Plane) => return 1e10,
        _ if shape.modelrbound > 0.0 => shape.modelrbound,
        Ok(GeomType::Sphere) => x,
        Ok(GeomType::Capsule) => x + z,
        Ok(GeomType::Cylinder) => (x * x + z * z).sqrt(),
        Ok(GeomType::Box) => (x * x + y * y + z * z).sqrt(),
        _ => x.max(y).max(z),
    };
    let away = sub(shape.pos, eye);
    dot(away, away).sqrt() - reach
}

fn veils(shapes: &[Shape], solids: &[Solid], clear: &[bool], eye: V3) -> Vec<Veil> {
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); shapes.len()];
    for (i, solid) in solids.iter().enumerate() {
        parts[solid.shape].push(i as u32);
    }
    let mut order: Vec<usize> = (0..shapes.len()).filter(|i| clear[*i] && !parts[*i].is_empty()).collect();
    order.sort_by(|a, b| rank(&shapes[*a], eye).total_cmp(&rank(&shapes[*b], eye)));
    order.into_iter().map(|shape| Veil { shape, solids: std::mem::take(&mut parts[shape]) }).collect()
}

/// Adds the tessellation of a round shape; false if the shape is not round.
fn add_facets<'a>(facets: &'a Facets, shape: &Shape, mut part: impl FnMut(Kind<'a>, V3, V3, M3)) -> bool {
    let Shape { pos, mat, size, .. } = *shape;
    let [x, y, z] = size;
    let at = |by: f32| add(pos, mul(column(&mat, 2), by));
    match GeomType::try_from(shape.r#type) {
        Ok(GeomType::Sphere | GeomType::Ellipsoid) => {
            part(Kind::Stretched(&facets.dome), size, pos, mat);
            part(Kind::Stretched(&facets.bowl), size, pos, mat);
        }
        Ok(GeomType::Capsule) => {
            let cap = [x, y, 0.5 * (x + y)];
            part(Kind::Stretched(&facets.tube), size, pos, mat);
            part(Kind::Stretched(&facets.dome), cap, at(z), mat);
            part(Kind::Stretched(&facets.bowl), cap, at(-z), mat);
        }
        Ok(GeomType::Cylinder) => {
            part(Kind::Stretched(&facets.tube), size, pos, mat);
            part(Kind::Stretched(&facets.lid), [x, y, 1.0], at(z), mat);
            part(Kind::Stretched(&facets.floor), [x, y, 1.0], at(-z), mat);
        }
        _ => return false,
    }
    true
}

/// Adds the solids that a shape is made of. Lines have none.
fn add_solids<'a>(
    assets: &'a Assets,
    scene: &Scene,
    bent: Option<&'a Surface>,
    shape: &Shape,
    mut part: impl FnMut(Kind<'a>, V3, V3, M3),
) {
    let Shape { pos, mat, size, .. } = *shape;
    let [x, y, z] = size;
    let id = usize::try_from(shape.dataid).ok();
    let axis = column(&mat, 2);
    let along = |by: f32| add(pos, mul(axis, by));
    let flipped = [mat[0], -mat[1], -mat[2], mat[3], -mat[4], -mat[5], mat[6], -mat[7], -mat[8]];
    let tip = 1.75;
    match GeomType::try_from(shape.r#type) {
        Ok(GeomType::Plane) => part(Kind::Plane, size, pos, mat),
        Ok(GeomType::Sphere | GeomType::Ellipsoid) => part(Kind::Ellipsoid, size, pos, mat),
        Ok(GeomType::Capsule) => part(Kind::Capsule, size, pos, mat),
        Ok(GeomType::Cylinder) => part(Kind::Cylinder { open: false }, size, pos, mat),
        Ok(GeomType::Box) => part(Kind::Box, size, pos, mat),
        Ok(GeomType::Triangle) => part(Kind::Triangle, size, pos, mat),
        Ok(GeomType::Hfield) => {
            if let Some(field) = id.and_then(|i| assets.fields.get(i)) {
                part(Kind::Surface(field), size, pos, mat);
            }
        }
        Ok(GeomType::Mesh | GeomType::Sdf) => {
            let from = if shape.dataid % 2 == 0 { &assets.meshes } else { &assets.hulls };
            if let Some(mesh) = id.and_then(|i| from.get(i / 2)) {
                part(Kind::Surface(mesh), size, pos, mat);
            }
        }
        Ok(kind @ (GeomType::Arrow | GeomType::Arrow1)) => {
            let wider = if kind == GeomType::Arrow { tip } else { 1.0 };
            part(Kind::Cylinder { open: false }, [x, y, z / 6.0], along(z / 6.0), mat);
            part(Kind::Cone, [wider * x, wider * y, z / 6.0], along(z / 3.0), mat);
        }
        Ok(GeomType::Arrow2) => {
            part(Kind::Cylinder { open: true }, [x, y, z / 3.0], pos, mat);
            part(Kind::Cone, [tip * x, tip * y, z / 6.0], along(z / 3.0), mat);
            part(Kind::Cone, [tip * x, tip * y, z / 6.0], along(-z / 3.0), flipped);
        }
        Ok(GeomType::Flex | GeomType::Skin) => {
            const STAY: M3 = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
            if let Some(surface) = bent {
                part(Kind::Surface(surface), [1.0; 3], [0.0; 3], STAY);
            }
            if shape.r#type == GeomType::Flex as i32 {
                add_wires(scene, shape, part);
            }
        }
        _ => {}
    }
}

/// Adds balls at the vertices of a flex and tubes along its edges, unless a skin covers them.
fn add_wires<'a>(scene: &Scene, shape: &Shape, mut part: impl FnMut(Kind<'a>, V3, V3, M3)) {
    let radius = shape.size[0];
    let Some(f) = usize::try_from(shape.objid).ok().filter(|f| *f < scene.flexvertadr.len() && radius > 0.0) else {
        return;
    };
    if scene.flexskinopt != 0 && scene.flexfaceused[f] > 0 {
        return;
    }
    let first = scene.flexvertadr[f] as usize;
    let vert = |v: usize| {
        let k = 3 * (first + v);
        [scene.flexvert[k], scene.flexvert[k + 1], scene.flexvert[k + 2]]
    };
    if scene.flexvertopt != 0 {
        for v in 0..scene.flexvertnum[f] as usize {
            part(Kind::Ellipsoid, [radius; 3], vert(v), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        }
    }
    if scene.flexedgeopt != 0 {
        let edges = scene.flexedge[2 * scene.flexedgeadr[f] as usize..][..2 * scene.flexedgenum[f] as usize].chunks(2);
        for edge in edges {
            let [a, b] = [vert(edge[0] as usize), vert(edge[1] as usize)];
            let along = sub(b, a);
            let half = 0.5 * dot(along, along).sqrt();
            let size = [radius, radius, half];
            part(Kind::Cylinder { open: true }, size, mul(add(a, b), 0.5), upright(unit(along)));
        }
    }
}

/// A rotation matrix with the given z axis.
fn upright(z: V3) -> M3 {
    let other = if z[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = unit(cross(other, z));
    let y = cross(z, x);
    std::array::from_fn(|k| [x, y, z][k % 3][k / 3])
}
