//! Model data for a page, as named arrays: fields under their names in the model's table, settings, names of enums.

use super::Words;
use sinew_engine::Model;
use sinew_engine::fields::{DType, Fields, Slice};
use sinew_engine::model::enums::{EnumInfo, FrameType, LabelType, RndFlag, VisFlag};

/// First word of the message.
const MAGIC: u32 = u32::from_le_bytes(*b"SNWM");

/// Fields needed for drawing, or shown in panels.
const FIELDS: &str = "
    body_parentid body_mocapid
    jnt_type jnt_qposadr jnt_limited jnt_range jnt_group
    actuator_ctrllimited actuator_ctrlrange actuator_group
    sensor_type sensor_adr sensor_dim
    mesh_vertadr mesh_vertnum mesh_faceadr mesh_facenum mesh_normaladr mesh_texcoordadr mesh_graphadr mesh_vert
    mesh_normal mesh_texcoord mesh_face mesh_facenormal mesh_facetexcoord mesh_graph
    hfield_nrow hfield_ncol hfield_adr hfield_size hfield_data
    tex_type tex_height tex_width tex_nchannel tex_adr tex_data tex_colorspace
    mat_texid mat_texuniform mat_texrepeat
    skin_faceadr skin_facenum skin_vertadr skin_vertnum skin_texcoordadr skin_face skin_texcoord
    flex_edgeadr flex_edgenum flex_vertadr flex_vertnum flex_edge flex_radius
    name_bodyadr name_jntadr name_geomadr name_siteadr name_camadr name_actuatoradr name_sensoradr name_keyadr
    names
";

/// The model message.
pub fn model_message(m: &Model) -> Words {
    let mut out = Words::default();
    out.put(MAGIC);
    for name in FIELDS.split_whitespace() {
        if let Some(row) = Model::index_of(name) {
            entry(&mut out, name, Model::FIELDS[row].dtype, m.field(row));
        }
    }
    settings(&mut out, "opt", &m.opt);
    settings(&mut out, "stat", &m.stat);
    settings(&mut out, "vis.global", &m.vis.global);
    settings(&mut out, "vis.map", &m.vis.map);
    settings(&mut out, "vis.rgba", &m.vis.rgba);
    settings(&mut out, "vis.headlight", &m.vis.headlight);
    settings(&mut out, "vis.quality", &m.vis.quality);
    for of in [&VisFlag::INFO, &RndFlag::INFO, &LabelType::INFO, &FrameType::INFO] {
        entry(&mut out, of.name, DType::Char, Slice::U8(names(of).as_bytes()));
    }
    out
}

fn settings<T: Fields>(out: &mut Words, of: &str, values: &T) {
    for (row, field) in T::FIELDS.iter().enumerate() {
        entry(out, &format!("{of}.{}", field.name), field.dtype, values.field(row));
    }
}

/// Names of an enum's members, one per line.
fn names(of: &EnumInfo) -> String {
    let members = of.members.iter().filter(|(name, _)| !name.starts_with("mjN"));
    members.map(|(name, _)| format!("{name}\n")).collect()
}

/// One array: kind, length of its name, number of values, name, values.
fn entry(out: &mut Words, name: &str, dtype: DType, values: Slice) {
    let kind = match (&values, dtype) {
        (_, DType::Char) => 5,
        (Slice::F64(_) | Slice::I64(_), _) => 0,
        (Slice::F32(_), _) => 1,
        (Slice::I32(_) | Slice::Code(_), _) => 2,
        (Slice::U8(_), _) => 3,
    };
    out.put(kind);
    out.count(name.len());
    out.count(values.len());
    out.bytes(name.as_bytes());
    match values {
        Slice::F64(v) => v.iter().for_each(|x| out.double(*x)),
        Slice::F32(v) => out.floats(v),
        Slice::I32(v) => v.iter().for_each(|x| out.int(*x)),
        Slice::U8(v) => out.bytes(v),
        Slice::Code(code) => out.int(code),
        Slice::I64(v) => v.iter().for_each(|x| out.double(*x as f64)), // addresses: exact far beyond any memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fields_exist() {
        for name in FIELDS.split_whitespace() {
            assert!(Model::index_of(name).is_some(), "{name}");
        }
    }
}
