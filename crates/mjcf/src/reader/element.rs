//! Attributes of elements that also appear in default classes: each function overwrites the attributes given.

use crate::error::Result;
use crate::schema::{Item, attr};
use crate::spec::{Camera, Geom, Light, Material, Mesh, Orientation, Site};
use sinew_engine::model::enums::{LightType, TextureRole};

/// Reads the alternatives to a quaternion, at most one of which may be given; returns whether any orientation is given.
pub(super) fn orientation(item: &Item, quat: &[f64; 4], alt: &mut Orientation) -> Result<bool> {
    if *quat == [0.0; 4] {
        return Err(item.invalid_at(attr::QUAT, "a quaternion cannot be zero"));
    }
    let alternatives = [
        item.get(attr::AXISANGLE).map(Orientation::AxisAngle),
        item.get(attr::XYAXES).map(Orientation::XyAxes),
        item.get(attr::ZAXIS).map(Orientation::ZAxis),
        item.get(attr::EULER).map(Orientation::Euler),
    ];
    let mut given = usize::from(item.has(attr::QUAT));
    for other in alternatives.into_iter().flatten() {
        *alt = other;
        given += 1;
    }
    if given > 1 {
        let hint = "keep one of quat, axisangle, xyaxes, zaxis, euler";
        return Err(item.invalid("more than one orientation is given").hint(hint));
    }
    Ok(given == 1)
}

pub(super) fn mesh(item: &Item, mesh: &mut Mesh) -> Result<()> {
    item.read(mesh);
    if item.has(attr::MAXHULLVERT) && mesh.maxhullvert != -1 && mesh.maxhullvert < 4 {
        return Err(item.invalid_at(attr::MAXHULLVERT, "maxhullvert must be larger than 3, or -1 for no bound"));
    }
    Ok(())
}

pub(super) fn material(item: &Item, material: &mut Material) -> Result<()> {
    item.read(material);
    let single = item.set(attr::TEXTURE, &mut material.textures[TextureRole::Rgb as usize]);
    for layer in &item.children {
        if single {
            return Err(layer.invalid("a material with a texture attribute cannot have layers"));
        }
        let role: i32 = layer.get(attr::ROLE).unwrap_or_default();
        layer.set(attr::TEXTURE, &mut material.textures[role as usize]);
    }
    Ok(())
}

pub(super) fn geom(item: &Item, geom: &mut Geom) -> Result<()> {
    item.read(geom);
    orientation(item, &geom.quat, &mut geom.alt).map(drop)
}

pub(super) fn site(item: &Item, site: &mut Site) -> Result<()> {
    item.read(site);
    orientation(item, &site.quat, &mut site.alt).map(drop)
}

pub(super) fn camera(item: &Item, camera: &mut Camera) -> Result<()> {
    // Unlike elsewhere, user values of a default class are not inherited.
    camera.userdata.clear();
    item.read(camera);
    orientation(item, &camera.quat, &mut camera.alt)?;
    if item.has(attr::OUTPUT) {
        camera.output = item.codes(attr::OUTPUT).iter().fold(0, |bits, bit| bits | bit);
    }
    if item.has(attr::FOVY) && item.has(attr::SENSORSIZE) {
        return Err(item.invalid("fovy and sensorsize cannot both be given").hint("remove one of them"));
    }
    Ok(())
}

pub(super) fn light(item: &Item, light: &mut Light) -> Result<()> {
    item.read(light);
    if let Some(directional) = item.get::<bool>(attr::DIRECTIONAL) {
        if item.has(attr::TYPE) {
            return Err(item.invalid("type and directional cannot both be given").hint("remove 'directional'"));
        }
        light.kind = if directional { LightType::Directional } else { LightType::Spot };
    }
    Ok(())
}
