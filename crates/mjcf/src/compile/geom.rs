//! Geoms: pose, size, mass, bounding volumes; geom arrays.

use super::assets::CompiledAssets;
use super::flat::{Flat, FlatGeom, Names};
use super::fluid;
use super::frames::{EPS, Pose, orientation, same_frame, unit, z_to};
use super::inertia::{shape_inertia, volume};
use super::mesh::CompiledMesh;
use super::shared::{check_user, fill_user, id_or_none};
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{Geom, HField, Spec};
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomInertia, GeomType, ObjType};
use sinew_math::{quat, vec3};

/// What the compilation of geoms depends on.
pub(crate) struct Scope<'a> {
    pub spec: &'a Spec,
    pub assets: &'a CompiledAssets,
    pub names: &'a Names,
    pub nuser: usize,
}

/// What a geom needs to know about its body.
pub(crate) struct Owner<'a> {
    pub id: usize,
    /// Whether the body never moves.
    pub fixed: bool,
    /// Poses of the body's frames.
    pub frames: &'a [Pose],
    /// Range of geom groups that give the body its mass, if any.
    pub groups: Option<std::ops::RangeInclusive<i32>>,
}

/// Number of values in `size` that a shape needs.
pub(crate) fn size_count(kind: GeomType) -> usize {
    match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Plane | GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    }
}

/// Refuses sizes that are not positive.
pub(crate) fn check_size(kind: GeomType, size: [f64; 3]) -> Result<()> {
    let bad = match kind {
        GeomType::Plane => (size[2] <= 0.0).then_some(2),
        _ => (0..size_count(kind)).find(|&i| size[i] <= 0.0),
    };
    match bad {
        Some(i) => Err(Error::invalid(format!("size {i} must be positive in geom")).attribute(attr::SIZE)),
        None => Ok(()),
    }
}

/// Pose and size from two end points.
pub(crate) fn from_to(kind: GeomType, fromto: [f64; 6], pos: [f64; 3], size: &mut [f64; 3]) -> Result<Pose> {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid};
    if !matches!(kind, Capsule | Cylinder | Ellipsoid | Box) {
        let error = Error::invalid("end points are only for capsules, cylinders, ellipsoids and boxes");
        return Err(error.attribute(attr::FROMTO));
    }
    if pos != [0.0; 3] {
        return Err(Error::invalid("both a position and end points are given").attribute(attr::FROMTO));
    }
    let [x0, y0, z0, x1, y1, z1] = fromto;
    let mut axis = [x0 - x1, y0 - y1, z0 - z1];
    let half = unit(&mut axis) / 2.0;
    if half < EPS {
        return Err(Error::invalid("the end points are too close").attribute(attr::FROMTO));
    }
    if matches!(kind, Ellipsoid | Box) {
        *size = [size[0], size[0], half];
    } else {
        size[1] = half;
    }
    Ok(Pose::new([(x0 + x1) / 2.0, (y0 + y1) / 2.0, (z0 + z1) / 2.0], z_to(axis)))
}

/// Compiles one geom.
pub(crate) fn resolve(geom: &Geom, owner: &Owner, scope: &Scope) -> Result<FlatGeom> {
    convert(geom, owner, scope).map_err(|e| e.at(geom.meta.loc).element("geom"))
}

fn convert(geom: &Geom, owner: &Owner, scope: &Scope) -> Result<FlatGeom> {
    check_user(geom.userdata.len(), scope.nuser, "nuser_geom")?;
    let find = |obj, name: &str| {
        if name.is_empty() { Ok(None) } else { scope.names.require(obj, name, geom.meta.loc).map(Some) }
    };
    let meshid = find(ObjType::Mesh, &geom.meshname)?;
    let mesh = meshid.map(|i| &scope.assets.meshes[i]);
    let hfieldid = find(ObjType::Hfield, &geom.hfieldname)?;
    let hfield = hfieldid.map(|i| &scope.spec.hfields[i]);
    let material = mesh.filter(|_| geom.material.is_empty()).map_or(&geom.material, |m| &m.material);
    let discard = scope.spec.compilers[0].discardvisual;
    let matid = if discard { None } else { find(ObjType::Material, material)? };
    check_kind(geom, owner, mesh, hfield)?;

    let mut g = geom.clone();
    let pose = place(&mut g, mesh, scope)?;
    check_size(g.kind, g.size)?;
    let shape = Shape { mesh: mesh.filter(|_| is_mesh(g.kind)), hfield };
    shape.set_size(&mut g);
    if g.size.iter().any(|s| s.is_nan()) {
        return Err(Error::invalid("the size is NaN").attribute(attr::SIZE));
    }
    let (mass, inertia) = match &owner.groups {
        Some(groups) if groups.contains(&g.group) => shape.weigh(&g)?,
        _ => (0.0, [0.0; 3]),
    };
    let fluid = if g.fluid_ellipsoid > 0.0 { fluid::coefficients(&g) } else { [0.0; 12] };
    let pose = g.frame.map_or(pose, |f| owner.frames[f].then(&pose));
    (g.pos, g.quat) = (pose.pos, pose.quat);
    let (aabb, rbound) = (shape.aabb(&g), shape.rbound(&g));
    Ok(FlatGeom { spec: g, body: owner.id, dataid: meshid.or(hfieldid), matid, aabb, rbound, mass, inertia, fluid })
}

fn is_mesh(kind: GeomType) -> bool {
    matches!(kind, GeomType::Mesh | GeomType::Sdf)
}

/// Checks that the type, its data and the body are compatible.
fn check_kind(geom: &Geom, owner: &Owner, mesh: Option<&CompiledMesh>, hfield: Option<&HField>) -> Result<()> {
    if geom.kind as i32 > GeomType::Sdf as i32 {
        return Err(Error::invalid(format!("{:?} is not a shape of geoms", geom.kind)).attribute(attr::TYPE));
    }
    if ![1, 3, 4, 6].contains(&geom.condim) {
        return Err(Error::invalid("contact dimension must be 1, 3, 4 or 6").attribute(attr::CONDIM));
    }
    if is_mesh(geom.kind) && mesh.is_none() {
        return Err(Error::invalid("a mesh geom needs a mesh").attribute(attr::MESH));
    }
    if geom.kind == GeomType::Sdf && geom.plugin.is_none() && mesh.is_some_and(|mesh| mesh.octree.is_none()) {
        let error = Error::invalid("the mesh shows the signed distances of a plugin, which the geom does not have");
        return Err(error.attribute(attr::MESH).hint("give the geom the 'plugin' element of its mesh"));
    }
    if (geom.kind == GeomType::Hfield) != hfield.is_some() {
        return Err(Error::invalid("a height field goes with geoms of type 'hfield' only").attribute(attr::HFIELD));
    }
    if geom.kind == GeomType::Plane && !owner.fixed {
        return Err(Error::invalid("planes are only allowed in bodies that cannot move").attribute(attr::TYPE));
    }
    Ok(())
}

/// Pose before frames are applied; sets the size of shapes given by end points or fitted to a mesh.
fn place(g: &mut Geom, mesh: Option<&CompiledMesh>, scope: &Scope) -> Result<Pose> {
    unit(&mut g.quat);
    let compiler = &scope.spec.compilers[g.meta.compiler];
    let pose = match g.fromto {
        Some(ends) => from_to(g.kind, ends, g.pos, &mut g.size)?,
        None => Pose::new(g.pos, orientation(g.quat, &g.alt, compiler)?),
    };
    let Some(mesh) = mesh else { return Ok(pose) };
    if g.fromto.is_some() {
        return Err(Error::invalid("end points cannot be used with a mesh").attribute(attr::FROMTO));
    }
    let mut center = [0.0; 3];
    if !is_mesh(g.kind) {
        let fit = mesh.fit_geom(g.kind, scope.spec.compilers[0].fitaabb, g.fitscale)?;
        let keep = g.size.map(|s| s * g.fitscale);
        g.size = std::array::from_fn(|i| if i < size_count(g.kind) { fit.size[i] } else { keep[i] });
        center = fit.center;
    } else if g.typeinertia == GeomInertia::Shell {
        let error = Error::invalid("how a mesh distributes its mass is an attribute of the mesh");
        return Err(error.attribute(attr::SHELLINERTIA).hint("set 'inertia' of the mesh asset"));
    }
    let meshpos = vec3::add(quat::rotate(mesh.quat, center), mesh.pos);
    Ok(pose.then(&Pose::new(meshpos, mesh.quat)))
}

/// The data that some shapes take their dimensions from.
struct Shape<'a> {
    mesh: Option<&'a CompiledMesh>,
    hfield: Option<&'a HField>,
}

/// Half-size of the smallest origin-centred box that contains a bounding box.
fn half_box(aamm: &[f64; 6]) -> [f64; 3] {
    std::array::from_fn(|i| aamm[i].abs().max(aamm[i + 3].abs()))
}

impl Shape<'_> {
    /// Sets the size of shapes whose size comes from their data.
    fn set_size(&self, g: &mut Geom) {
        if let Some(mesh) = self.mesh {
            g.size = half_box(&mesh.aamm);
        } else if let Some(hfield) = self.hfield {
            let [x, y, top, base] = hfield.size;
            g.size = [x, y, 0.25 * top + 0.5 * base];
        }
    }

    /// Mass and diagonal inertia from the given mass or density.
    fn weigh(&self, g: &Geom) -> Result<(f64, [f64; 3])> {
        let space = match self.mesh {
            Some(mesh) => mesh.volume_ref(),
            None => volume(g.kind, g.size, g.typeinertia),
        };
        let inertia = |mass: f64| match self.mesh {
            Some(mesh) => {
                let [x, y, z] = mesh.boxsz;
                [mass * (y * y + z * z) / 3.0, mass * (x * x + z * z) / 3.0, mass * (x * x + y * y) / 3.0]
            }
            None => shape_inertia(g.kind, g.size, g.typeinertia, mass),
        };
        let mut density = g.density;
        let (mut mass, mut diagonal) = (0.0, [0.0; 3]);
        match g.mass {
            Some(0.0) => density = 0.0,
            Some(given) if space > EPS => (mass, density, diagonal) = (given, given / space, inertia(given)),
            Some(_) => {}
            None if density != 0.0 => {
                mass = density * space;
                diagonal = inertia(mass);
            }
            None => {}
        }
        if mass < 0.0 || density < 0.0 || diagonal.iter().any(|&x| x < 0.0) {
            return Err(Error::invalid("mass, density and inertia cannot be negative"));
        }
        Ok((mass, diagonal))
    }

    /// Bounding box in the geom frame: centre, half-size.
    fn aabb(&self, g: &Geom) -> [f64; 6] {
        const FAR: f64 = 1e10;
        let [a, b, c] = g.size;
        let around = |x: f64, y: f64, z: f64| [-x, -y, -z, x, y, z];
        let aamm = match (self.mesh, self.hfield, g.kind) {
            (Some(mesh), _, _) => mesh.aamm,
            (_, Some(HField { size: [x, y, top, base], .. }), _) => [-x, -y, -base, *x, *y, *top],
            (_, _, GeomType::Sphere) => around(a, a, a),
            (_, _, GeomType::Capsule) => around(a, a, a + b),
            (_, _, GeomType::Cylinder) => around(a, a, b),
            (_, _, GeomType::Plane) => [-FAR, -FAR, -FAR, FAR, FAR, 0.0],
            _ => around(a, b, c),
        };
        std::array::from_fn(|i| if i < 3 { (aamm[i + 3] + aamm[i]) / 2.0 } else { (aamm[i] - aamm[i - 3]) / 2.0 })
    }

    /// Radius of the bounding sphere about the geom's origin; 0 for planes.
    fn rbound(&self, g: &Geom) -> f64 {
        let [a, b, c] = g.size;
        match (self.mesh, self.hfield, g.kind) {
            (Some(mesh), _, _) => {
                let [x, y, z] = half_box(&mesh.aamm);
                (x * x + y * y + z * z).sqrt()
            }
            (_, Some(HField { size: [x, y, top, base], .. }), _) => {
                (x * x + y * y + (top * top).max(base * base)).sqrt()
            }
            (_, _, GeomType::Sphere) => a,
            (_, _, GeomType::Capsule) => a + b,
            (_, _, GeomType::Cylinder) => (a * a + b * b).sqrt(),
            (_, _, GeomType::Ellipsoid) => a.max(b).max(c),
            (_, _, GeomType::Box) => (a * a + b * b + c * c).sqrt(),
            _ => 0.0,
        }
    }
}

/// Writes the geom arrays.
pub(crate) fn fill(flat: &Flat, m: &mut Model) {
    for (i, geom) in flat.geoms.iter().enumerate() {
        let g = &geom.spec;
        let body = &flat.bodies[geom.body].spec;
        m.geom_type[i] = g.kind.into();
        m.geom_contype[i] = g.contype;
        m.geom_conaffinity[i] = g.conaffinity;
        m.geom_condim[i] = g.condim;
        m.geom_bodyid[i] = geom.body as i32;
        m.geom_dataid[i] = id_or_none(geom.dataid);
        m.geom_matid[i] = id_or_none(geom.matid);
        m.geom_group[i] = g.group;
        m.geom_priority[i] = g.priority;
        m.geom_sameframe[i] = same_frame(&Pose::new(g.pos, g.quat), Some(&Pose::new(body.com(), body.iquat)));
        m.geom_solmix[i] = g.solmix;
        m.geom_solref[i] = g.solref;
        m.geom_solimp[i] = g.solimp;
        m.geom_size[i] = g.size;
        m.geom_aabb[i] = geom.aabb;
        m.geom_rbound[i] = geom.rbound;
        m.geom_pos[i] = g.pos;
        m.geom_quat[i] = g.quat;
        m.geom_friction[i] = g.friction;
        m.geom_margin[i] = g.margin;
        m.geom_gap[i] = g.gap;
        m.geom_fluid[i] = geom.fluid;
        m.geom_rgba[i] = g.rgba;
    }
    let width = m.nuser_geom;
    fill_user(&mut m.geom_user, width, flat.geoms.iter().map(|g| &g.spec.userdata[..]));
}
