//! Assets shared by several renderers of a model.

use crate::Assets;
use rustc_hash::FxHasher;
use sinew_engine::Model;
use sinew_engine::fields::{Fields, Slice};
use std::hash::Hasher;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Assets in use, by the hash of the model they were built from.
static USED: Mutex<Vec<(u64, Weak<Assets>)>> = Mutex::new(Vec::new());

/// Prefixes of the fields that assets depend on.
const PARTS: [&str; 5] = ["mesh_", "hfield_", "tex_", "mat_", "skin_"];

fn add(hasher: &mut FxHasher, values: Slice) {
    hasher.write_usize(values.len());
    match values {
        Slice::F64(v) => v.iter().for_each(|x| hasher.write_u64(x.to_bits())),
        Slice::F32(v) => v.iter().for_each(|x| hasher.write_u32(x.to_bits())),
        Slice::I32(v) => v.iter().for_each(|x| hasher.write_i32(*x)),
        Slice::I64(v) => v.iter().for_each(|x| hasher.write_i64(*x)),
        Slice::U8(v) => hasher.write(v),
        Slice::Code(code) => hasher.write_i32(code),
    }
}

fn settings<T: Fields>(hasher: &mut FxHasher, of: &T) {
    (0..T::FIELDS.len()).for_each(|row| add(hasher, of.field(row)));
}

/// Hash of the model fields that assets depend on.
fn print(m: &Model) -> u64 {
    let mut hasher = FxHasher::default();
    for (row, field) in Model::FIELDS.iter().enumerate() {
        if PARTS.iter().any(|part| field.name.starts_with(part)) {
            add(&mut hasher, m.field(row));
        }
    }
    settings(&mut hasher, &m.vis.map);
    settings(&mut hasher, &m.vis.rgba);
    settings(&mut hasher, &m.vis.global);
    settings(&mut hasher, &m.vis.quality);
    settings(&mut hasher, &m.stat);
    hasher.finish()
}

impl Assets {
    /// The assets already in use for an equal model, or new ones.
    pub fn shared(m: &Model) -> Arc<Assets> {
        let print = print(m);
        let lock = || USED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().iter().filter(|(of, _)| *of == print).find_map(|(_, assets)| assets.upgrade()) {
            return found;
        }
        // built without holding the lock, so that other models are not blocked; two threads may build the same assets
        // once
        let made = Arc::new(Assets::new(m));
        let mut used = lock();
        used.retain(|(_, assets)| assets.strong_count() > 0);
        used.push((print, Arc::downgrade(&made)));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESH: &str = r#"<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
        <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"#;

    #[test]
    fn equal_models_share_and_a_changed_one_does_not() {
        let load = || sinew_mjcf::load_str(MESH, &sinew_mjcf::Source::default()).unwrap();
        let mut m = load();
        let first = Assets::shared(&m);
        assert!(Arc::ptr_eq(&first, &Assets::shared(&load())));
        m.mesh_vert[3][2] += 0.5;
        let other = Assets::shared(&m);
        assert!(!Arc::ptr_eq(&first, &other));
        let gone = print(&m);
        drop(other);
        m.vis.map.haze += 0.1;
        let _kept = Assets::shared(&m);
        assert!(!USED.lock().unwrap().iter().any(|(of, _)| *of == gone), "what nobody uses is forgotten");
    }
}
