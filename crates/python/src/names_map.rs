//! MuJoCo's hash table of names. Programs may read `names_map`; sinew itself has a separate hash index.

use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;

/// Kinds of named elements, in the order of the table.
const KINDS: [ObjType; 23] = {
    use ObjType::*;
    [
        Body, Joint, Geom, Site, Camera, Light, Flex, Mesh, Skin, Hfield, Texture, Material, Pair, Exclude, Equality,
        Tendon, Actuator, Sensor, Numeric, Text, Tuple, Key, Plugin,
    ]
};

/// Slots per element.
const SLOTS: usize = 2;

/// Ids by the hash of their names: one open-addressed table per kind, −1 in empty slots.
pub fn names_map(m: &Model) -> Vec<i32> {
    let mut map = Vec::with_capacity(m.nnames_map);
    for kind in KINDS {
        let count = m.name_adr(kind).len();
        let start = map.len();
        map.resize(start + SLOTS * count, -1);
        let table = &mut map[start..];
        for id in 0..count {
            let Some(name) = m.id2name(kind, id) else { continue };
            let home = (hash(name) % table.len() as u64) as usize;
            let free = (home..table.len()).chain(0..home).find(|&slot| table[slot] < 0);
            if let Some(slot) = free {
                table[slot] = id as i32;
            }
        }
    }
    map
}

/// Bernstein's hash with exclusive or (djb2a).
fn hash(name: &str) -> u64 {
    name.bytes().fold(5381, |h: u64, c| h.wrapping_mul(33) ^ (c as i8 as u64))
}

/// A hash of sizes and names: very likely different for models of different structure.
pub fn signature(m: &Model) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let sizes = m.list().into_iter().flat_map(|(_, n)| (n as u64).to_le_bytes());
    sizes.chain(m.names.iter().copied()).fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(PRIME))
}
