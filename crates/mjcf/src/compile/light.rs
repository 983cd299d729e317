//! Lights: pose; light arrays.

use super::flat::{Flat, FlatLight, Names};
use super::frames::{EPS, Pose, unit};
use super::shared::id_or_none;
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::Light;
use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;
use sinew_math::quat;

/// Final attributes of a light; body and texture are looked up later, by [`bind`].
pub(crate) fn resolve(light: &Light, body: usize, frames: &[Pose]) -> Result<FlatLight> {
    let mut l = light.clone();
    if let Some(frame) = l.frame.map(|f| &frames[f]) {
        l.pos = frame.point(l.pos);
        l.dir = quat::rotate(frame.quat, l.dir);
    }
    if unit(&mut l.dir) < EPS {
        let error = Error::invalid("the direction has no length").attribute(attr::DIR);
        return Err(error.at(light.meta.loc).element("light"));
    }
    Ok(FlatLight { spec: l, body, target: None, texid: None })
}

/// Looks up the target body and the texture.
pub(crate) fn bind(light: &mut FlatLight, names: &Names) -> Result<()> {
    let l = &light.spec;
    let find = |obj, name: &str, attribute: &str| {
        let place = |e: Error| e.element("light").attribute(attribute);
        (!name.is_empty()).then(|| names.require(obj, name, l.meta.loc).map_err(place)).transpose()
    };
    (light.target, light.texid) =
        (find(ObjType::Body, &l.targetbody, "target")?, find(ObjType::Texture, &l.texture, "texture")?);
    Ok(())
}

/// Writes the light arrays.
pub(crate) fn fill(flat: &Flat, m: &mut Model) {
    for (i, light) in flat.lights.iter().enumerate() {
        let l = &light.spec;
        m.light_bodyid[i] = light.body as i32;
        m.light_mode[i] = l.mode.into();
        m.light_targetbodyid[i] = id_or_none(light.target);
        m.light_type[i] = l.kind.into();
        m.light_texid[i] = id_or_none(light.texid);
        m.light_castshadow[i] = l.castshadow.into();
        m.light_active[i] = l.active.into();
        m.light_pos[i] = l.pos;
        m.light_dir[i] = l.dir;
        m.light_bulbradius[i] = l.bulbradius;
        m.light_intensity[i] = l.intensity;
        m.light_range[i] = l.range;
        m.light_attenuation[i] = l.attenuation;
        m.light_cutoff[i] = l.cutoff;
        m.light_exponent[i] = l.exponent;
        m.light_ambient[i] = l.ambient;
        m.light_diffuse[i] = l.diffuse;
        m.light_specular[i] = l.specular;
    }
}
