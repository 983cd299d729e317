//! The lights of a scene.

use crate::Result;
use crate::camera::in_model;
use crate::scene::Scene;
use crate::shape::single;
use sinew_engine::fields::Zero;
use sinew_engine::model::enums::LightType;
use sinew_engine::view::Light;
use sinew_engine::{Data, Model};

/// Fills in the headlight at the camera and the active lights of the model.
///
/// # Errors
/// A scene without a camera.
#[doc(alias = "mjv_makeLights")]
pub fn make_lights(m: &Model, d: &Data, scene: &mut Scene) -> Result<()> {
    let at_camera = if m.vis.headlight.active != 0 { Some(headlight(m, scene)?) } else { None };
    let on = (0..m.nlight).filter(|i| m.light_active[*i] != 0).map(|i| light(m, d, i));
    let mut count = 0;
    for (slot, light) in scene.lights.iter_mut().zip(at_camera.into_iter().chain(on)) {
        *slot = light;
        count += 1;
    }
    scene.nlight = count;
    Ok(())
}

fn headlight(m: &Model, scene: &Scene) -> Result<Light> {
    let eye = in_model(scene)?;
    let of = &m.vis.headlight;
    Ok(Light {
        id: -1,
        headlight: 1,
        texid: -1,
        r#type: LightType::Directional as i32,
        bulbradius: 0.02,
        range: 10.0,
        pos: single(&eye.pos),
        dir: single(&eye.forward),
        ambient: of.ambient,
        diffuse: of.diffuse,
        specular: of.specular,
        ..Light::ZERO
    })
}

fn light(m: &Model, d: &Data, i: usize) -> Light {
    let spot = m.light_type(i) == LightType::Spot;
    Light {
        id: i as i32,
        r#type: m.light_type[i],
        texid: m.light_texid[i],
        castshadow: m.light_castshadow[i],
        bulbradius: m.light_bulbradius[i],
        intensity: m.light_intensity[i],
        range: m.light_range[i],
        attenuation: if spot { m.light_attenuation[i] } else { [0.0; 3] },
        exponent: if spot { m.light_exponent[i] } else { 0.0 },
        cutoff: if spot { m.light_cutoff[i] } else { 0.0 },
        ambient: m.light_ambient[i],
        diffuse: m.light_diffuse[i],
        specular: m.light_specular[i],
        pos: single(&d.pose.light_xpos[i]),
        dir: single(&d.pose.light_xdir[i]),
        ..Light::ZERO
    }
}
