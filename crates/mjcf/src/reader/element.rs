//! Attributes of elements that also appear in default classes: each function overwrites what is given.

use crate::error::Result;
use crate::schema::Item;
use crate::spec::{Camera, Geom, Joint, Light, Material, Mesh, Orientation, Site};
use sinew_engine::model::enums::{LightType, TextureRole};

/// Position, quaternion and at most one alternative to the quaternion.
pub(super) fn pose(item: &Item, pos: &mut [f64; 3], quat: &mut [f64; 4], alt: &mut Orientation) -> Result<bool> {
    item.set("pos", pos);
    orientation(item, quat, alt)
}

/// The orientation attributes; says whether there was one.
pub(super) fn orientation(item: &Item, quat: &mut [f64; 4], alt: &mut Orientation) -> Result<bool> {
    let mut given = usize::from(item.set("quat", quat));
    if *quat == [0.0; 4] {
        return Err(item.invalid_at("quat", "a quaternion cannot be zero"));
    }
    let alternatives = [
        item.get("axisangle").map(Orientation::AxisAngle),
        item.get("xyaxes").map(Orientation::XyAxes),
        item.get("zaxis").map(Orientation::ZAxis),
        item.get("euler").map(Orientation::Euler),
    ];
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

/// What a default class can set of a mesh.
pub(super) fn mesh_shape(item: &Item, mesh: &mut Mesh) -> Result<()> {
    item.set("scale", &mut mesh.scale);
    item.set("inertia", &mut mesh.inertia);
    if item.set("maxhullvert", &mut mesh.maxhullvert) && mesh.maxhullvert != -1 && mesh.maxhullvert < 4 {
        return Err(item.invalid_at("maxhullvert", "maxhullvert must be larger than 3, or -1 for no bound"));
    }
    Ok(())
}

pub(super) fn material(item: &Item, material: &mut Material) -> Result<()> {
    let single = item.set("texture", &mut material.textures[TextureRole::Rgb as usize]);
    for layer in &item.children {
        if single {
            return Err(layer.invalid("a material with a texture attribute cannot have layers"));
        }
        let role: i32 = layer.get("role").unwrap_or_default();
        layer.set("texture", &mut material.textures[role as usize]);
    }
    item.set("texuniform", &mut material.texuniform);
    item.set("texrepeat", &mut material.texrepeat);
    item.set("emission", &mut material.emission);
    item.set("specular", &mut material.specular);
    item.set("shininess", &mut material.shininess);
    item.set("reflectance", &mut material.reflectance);
    item.set("metallic", &mut material.metallic);
    item.set("roughness", &mut material.roughness);
    item.set("rgba", &mut material.rgba);
    Ok(())
}

pub(super) fn joint(item: &Item, joint: &mut Joint) {
    item.set("type", &mut joint.kind);
    item.set("limited", &mut joint.limited);
    item.set("actuatorfrclimited", &mut joint.actfrclimited);
    item.set("group", &mut joint.group);
    item.set("solreflimit", &mut joint.solref_limit);
    item.set("solimplimit", &mut joint.solimp_limit);
    item.set("solreffriction", &mut joint.solref_friction);
    item.set("solimpfriction", &mut joint.solimp_friction);
    item.set("pos", &mut joint.pos);
    item.set("axis", &mut joint.axis);
    item.set("springdamper", &mut joint.springdamper);
    item.set("stiffness", &mut joint.stiffness);
    item.set("range", &mut joint.range);
    item.set("actuatorfrcrange", &mut joint.actfrcrange);
    item.set("margin", &mut joint.margin);
    item.set("ref", &mut joint.ref_);
    item.set("springref", &mut joint.springref);
    item.set("armature", &mut joint.armature);
    item.set("damping", &mut joint.damping);
    item.set("frictionloss", &mut joint.frictionloss);
    item.set("actuatorgravcomp", &mut joint.actgravcomp);
    item.set("user", &mut joint.userdata);
}

pub(super) fn geom(item: &Item, geom: &mut Geom) -> Result<()> {
    super::no_plugin(item)?;
    item.set("type", &mut geom.kind);
    item.set("size", &mut geom.size);
    item.set("contype", &mut geom.contype);
    item.set("conaffinity", &mut geom.conaffinity);
    item.set("condim", &mut geom.condim);
    item.set("group", &mut geom.group);
    item.set("priority", &mut geom.priority);
    item.set("friction", &mut geom.friction);
    item.set("solmix", &mut geom.solmix);
    item.set("solref", &mut geom.solref);
    item.set("solimp", &mut geom.solimp);
    item.set("margin", &mut geom.margin);
    item.set("gap", &mut geom.gap);
    item.set("hfield", &mut geom.hfield);
    item.set("mesh", &mut geom.mesh);
    item.set("fitscale", &mut geom.fitscale);
    item.set("material", &mut geom.material);
    item.set("rgba", &mut geom.rgba);
    item.set("fluidshape", &mut geom.fluid_ellipsoid);
    item.set("fluidcoef", &mut geom.fluid_coefs);
    item.set("user", &mut geom.userdata);
    item.set("mass", &mut geom.mass);
    item.set("density", &mut geom.density);
    item.set("fromto", &mut geom.fromto);
    pose(item, &mut geom.pos, &mut geom.quat, &mut geom.alt)?;
    item.set("shellinertia", &mut geom.typeinertia);
    Ok(())
}

pub(super) fn site(item: &Item, site: &mut Site) -> Result<()> {
    item.set("type", &mut site.kind);
    item.set("size", &mut site.size);
    item.set("group", &mut site.group);
    item.set("material", &mut site.material);
    item.set("rgba", &mut site.rgba);
    item.set("fromto", &mut site.fromto);
    item.set("user", &mut site.userdata);
    pose(item, &mut site.pos, &mut site.quat, &mut site.alt)?;
    Ok(())
}

pub(super) fn camera(item: &Item, camera: &mut Camera) -> Result<()> {
    item.set("target", &mut camera.targetbody);
    item.set("mode", &mut camera.mode);
    pose(item, &mut camera.pos, &mut camera.quat, &mut camera.alt)?;
    item.set("ipd", &mut camera.ipd);
    item.set("projection", &mut camera.proj);
    item.set("principalpixel", &mut camera.principal_pixel);
    item.set("principal", &mut camera.principal_length);
    item.set("focalpixel", &mut camera.focal_pixel);
    item.set("focal", &mut camera.focal_length);
    item.set("resolution", &mut camera.resolution);
    if item.has("output") {
        camera.output = item.codes("output").iter().fold(0, |bits, bit| bits | bit);
    }
    let sized = item.set("sensorsize", &mut camera.sensor_size);
    if item.set("fovy", &mut camera.fovy) && sized {
        return Err(item.invalid("fovy and sensorsize cannot both be given").hint("remove one of them"));
    }
    // Unlike elsewhere, user numbers of a default class do not carry over.
    camera.userdata = item.numbers("user").to_vec();
    Ok(())
}

pub(super) fn light(item: &Item, light: &mut Light) -> Result<()> {
    item.set("texture", &mut light.texture);
    item.set("target", &mut light.targetbody);
    item.set("mode", &mut light.mode);
    if let Some(directional) = item.get::<bool>("directional") {
        light.kind = if directional { LightType::Directional } else { LightType::Spot };
        if item.has("type") {
            return Err(item.invalid("type and directional cannot both be given").hint("remove 'directional'"));
        }
    }
    item.set("type", &mut light.kind);
    item.set("castshadow", &mut light.castshadow);
    item.set("active", &mut light.active);
    item.set("pos", &mut light.pos);
    item.set("dir", &mut light.dir);
    item.set("bulbradius", &mut light.bulbradius);
    item.set("intensity", &mut light.intensity);
    item.set("range", &mut light.range);
    item.set("attenuation", &mut light.attenuation);
    item.set("cutoff", &mut light.cutoff);
    item.set("exponent", &mut light.exponent);
    item.set("ambient", &mut light.ambient);
    item.set("diffuse", &mut light.diffuse);
    item.set("specular", &mut light.specular);
    Ok(())
}
