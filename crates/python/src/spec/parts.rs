//! Lists in elements, converted for Python: paths of tendons, bones of skins.

use pyo3::prelude::*;
use sinew_mjcf::spec::{Skin, SkinBone, Wrap};

/// A part of the path of a tendon: type, name, side site, number.
pub(super) type Path = (&'static str, String, String, f64);

/// Converts a part of a path for Python.
pub(super) fn shown(wrap: &Wrap) -> Path {
    match wrap {
        Wrap::Joint { joint, coef } => ("joint", joint.clone(), String::new(), *coef),
        Wrap::Site { site } => ("site", site.clone(), String::new(), 0.0),
        Wrap::Geom { geom, sidesite } => ("geom", geom.clone(), sidesite.clone(), 0.0),
        Wrap::Pulley { divisor } => ("pulley", String::new(), String::new(), *divisor),
    }
}

/// Creates a part of a path.
pub(super) fn wrap(of: &str, name: String, sidesite: String, number: f64) -> Wrap {
    match of {
        "joint" => Wrap::Joint { joint: name, coef: number },
        "site" => Wrap::Site { site: name },
        "geom" => Wrap::Geom { geom: name, sidesite },
        _ => Wrap::Pulley { divisor: number },
    }
}

/// Bones of a skin: bodies, positions, orientations, vertices, weights.
pub(super) type Bones = (Vec<String>, Vec<f32>, Vec<f32>, Vec<Vec<i32>>, Vec<Vec<f32>>);

pub(super) fn bones(skin: &Skin) -> Bones {
    let list = &skin.bones;
    (
        list.iter().map(|b| b.body.clone()).collect(),
        list.iter().flat_map(|b| b.bindpos).collect(),
        list.iter().flat_map(|b| b.bindquat).collect(),
        list.iter().map(|b| b.vertid.clone()).collect(),
        list.iter().map(|b| b.vertweight.clone()).collect(),
    )
}

/// Sets one of the lists of bones; the number of bones is that of the longest list.
pub(super) fn set_bones(skin: &mut Skin, of: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    fn each<T>(bones: &mut Vec<SkinBone>, list: Vec<T>, set: impl Fn(&mut SkinBone, T)) {
        if bones.len() < list.len() {
            bones.resize(list.len(), SkinBone::default());
        }
        bones.iter_mut().zip(list).for_each(|(bone, value)| set(bone, value));
    }
    let rows = |v: Vec<f32>, n: usize| -> Vec<Vec<f32>> { v.chunks(n).map(<[f32]>::to_vec).collect() };
    let fill = |slot: &mut [f32], v: Vec<f32>| slot.iter_mut().zip(v).for_each(|(s, x)| *s = x);
    let bones = &mut skin.bones;
    match of {
        "bodyname" => each(bones, value.extract::<Vec<String>>()?, |b, x| b.body = x),
        "bindpos" => each(bones, rows(value.extract()?, 3), |b, x| fill(&mut b.bindpos, x)),
        "bindquat" => each(bones, rows(value.extract()?, 4), |b, x| fill(&mut b.bindquat, x)),
        "vertid" => each(bones, value.extract::<Vec<Vec<i32>>>()?, |b, x| b.vertid = x),
        _ => each(bones, value.extract::<Vec<Vec<f32>>>()?, |b, x| b.vertweight = x),
    }
    Ok(())
}
