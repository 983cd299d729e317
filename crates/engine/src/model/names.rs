//! Names of model elements, and lookup of ids by name.

use super::Model;
use super::enums::ObjType;
use std::collections::HashMap;
use std::fmt;

/// Hash index from (object type, name) to id; used for user queries, never in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex(HashMap<(ObjType, String), usize>);

/// The object types that have names.
const NAMED: [ObjType; 23] = {
    use ObjType::*;
    [
        Body, Joint, Geom, Site, Camera, Light, Flex, Mesh, Skin, Hfield, Texture, Material, Pair, Exclude, Equality,
        Tendon, Actuator, Sensor, Numeric, Text, Tuple, Key, Plugin,
    ]
};

/// The candidate nearest to a misspelt name, if one is close enough, by edit distance with transpositions.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // long machine-written names are truncated, since the distance takes time proportional to the product of lengths
    let plain = |s: &str| s.chars().take(64).collect::<String>().to_ascii_lowercase();
    let wanted = plain(name);
    candidates
        .into_iter()
        .map(|c| (strsim::osa_distance(&wanted, &plain(c)), c))
        .filter(|(distance, c)| *distance <= 1 + name.len().max(c.len()) / 4)
        .min()
        .map(|(_, c)| c)
}

/// An element that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct UnknownName {
    /// Kind of element, such as `joint`.
    pub kind: &'static str,
    /// The requested name.
    pub name: String,
    /// The nearest existing name.
    pub nearest: Option<String>,
    /// Number of elements of that kind.
    pub count: usize,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is named '{}'", self.kind, self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean '{nearest}'?"),
            None => write!(f, "; the model has {} of that kind", self.count),
        }
    }
}

impl Model {
    /// Name addresses of an object type (`name_bodyadr`, …); empty for types without names.
    pub fn name_adr(&self, obj: ObjType) -> &[i32] {
        match obj {
            ObjType::Body | ObjType::Xbody => &self.name_bodyadr,
            ObjType::Joint => &self.name_jntadr,
            ObjType::Geom => &self.name_geomadr,
            ObjType::Site => &self.name_siteadr,
            ObjType::Camera => &self.name_camadr,
            ObjType::Light => &self.name_lightadr,
            ObjType::Flex => &self.name_flexadr,
            ObjType::Mesh => &self.name_meshadr,
            ObjType::Skin => &self.name_skinadr,
            ObjType::Hfield => &self.name_hfieldadr,
            ObjType::Texture => &self.name_texadr,
            ObjType::Material => &self.name_matadr,
            ObjType::Pair => &self.name_pairadr,
            ObjType::Exclude => &self.name_excludeadr,
            ObjType::Equality => &self.name_eqadr,
            ObjType::Tendon => &self.name_tendonadr,
            ObjType::Actuator => &self.name_actuatoradr,
            ObjType::Sensor => &self.name_sensoradr,
            ObjType::Numeric => &self.name_numericadr,
            ObjType::Text => &self.name_textadr,
            ObjType::Tuple => &self.name_tupleadr,
            ObjType::Key => &self.name_keyadr,
            ObjType::Plugin => &self.name_pluginadr,
            _ => &[],
        }
    }

    /// Name of an element; `None` if it has none or the id is out of range.
    #[doc(alias = "mj_id2name")]
    pub fn id2name(&self, obj: ObjType, id: usize) -> Option<&str> {
        let start = *self.name_adr(obj).get(id)? as usize;
        let bytes = self.names.get(start..)?;
        let end = bytes.iter().position(|&b| b == 0)?;
        std::str::from_utf8(&bytes[..end]).ok().filter(|s| !s.is_empty())
    }

    /// Id of a named element.
    #[doc(alias = "mj_name2id")]
    pub fn name2id(&self, obj: ObjType, name: &str) -> Option<usize> {
        let obj = if obj == ObjType::Xbody { ObjType::Body } else { obj };
        self.names_index.0.get(&(obj, name.to_string())).copied()
    }

    /// Name of the model itself, from the root element.
    pub fn model_name(&self) -> &str {
        let end = self.names.iter().position(|&b| b == 0).unwrap_or(0);
        std::str::from_utf8(&self.names[..end]).unwrap_or("")
    }

    /// Rebuilds the name index; the compiler calls it once `names` and the address arrays are filled.
    pub fn index_names(&mut self) {
        let mut index = HashMap::new();
        for obj in NAMED {
            for id in 0..self.name_adr(obj).len() {
                if let Some(name) = self.id2name(obj, id) {
                    index.insert((obj, name.to_string()), id);
                }
            }
        }
        self.names_index = NameIndex(index);
    }
}
