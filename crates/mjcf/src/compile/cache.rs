//! Meshes that were compiled before: the hull and the volume of a file that has not changed are not computed again.
//!
//! One cache serves the process, as in MuJoCo. What was used longest ago goes when it is full.

use super::mesh::{CompiledMesh, Need};
use crate::source::Stamp;
use crate::spec::{Mesh, Meta};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Room for compiled meshes unless a program sets another amount; MuJoCo's too. (byte)
const CAPACITY: usize = 500 << 20;

struct Entry {
    stamp: Stamp,
    /// Its attributes, without name and place.
    mesh: Mesh,
    need: Need,
    compiled: CompiledMesh,
    size: usize,
    used: u64,
}

struct Cache {
    /// By path.
    entries: Option<HashMap<String, Vec<Entry>>>,
    capacity: usize,
    size: usize,
    turn: u64,
}

static CACHE: Mutex<Cache> = Mutex::new(Cache { entries: None, capacity: CAPACITY, size: 0, turn: 0 });

fn lock() -> MutexGuard<'static, Cache> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory that compiled meshes take. (byte)
#[doc(alias = "mj_getCacheSize")]
pub fn size() -> usize {
    lock().size
}

/// Memory that they may take. (byte)
#[doc(alias = "mj_getCacheCapacity")]
pub fn capacity() -> usize {
    lock().capacity
}

/// Sets how much memory they may take; returns it. With 0 nothing is kept. (byte)
#[doc(alias = "mj_setCacheCapacity")]
pub fn set_capacity(bytes: usize) -> usize {
    let mut cache = lock();
    cache.capacity = bytes;
    cache.trim();
    bytes
}

/// Forgets them.
#[doc(alias = "mj_clearCache")]
pub fn clear() {
    let mut cache = lock();
    (cache.entries, cache.size) = (None, 0);
}

/// A mesh without what does not matter for its shape.
fn bare(mesh: &Mesh) -> Mesh {
    Mesh { meta: Meta::default(), ..mesh.clone() }
}

/// What a mesh was compiled to, if nothing about it has changed since.
pub(super) fn find(path: &str, stamp: &Stamp, mesh: &Mesh, need: Need) -> Option<CompiledMesh> {
    let mut cache = lock();
    cache.turn += 1;
    let turn = cache.turn;
    let entries = cache.entries.as_mut()?.get_mut(path)?;
    let mesh = bare(mesh);
    let entry = entries.iter_mut().find(|e| e.stamp == *stamp && e.need == need && e.mesh == mesh)?;
    entry.used = turn;
    Some(entry.compiled.clone())
}

/// Keeps what a mesh was compiled to.
pub(super) fn keep(path: &str, stamp: Stamp, mesh: &Mesh, need: Need, compiled: &CompiledMesh) {
    let size = compiled.bytes() + stamp.bytes();
    let mut cache = lock();
    if size > cache.capacity {
        return;
    }
    cache.turn += 1;
    cache.size += size;
    let entry = Entry { stamp, mesh: bare(mesh), need, compiled: compiled.clone(), size, used: cache.turn };
    cache.entries.get_or_insert_default().entry(path.into()).or_default().push(entry);
    cache.trim();
}

impl Cache {
    /// Drops what was used longest ago until the rest has room.
    fn trim(&mut self) {
        let Some(entries) = &mut self.entries else { return };
        if self.size <= self.capacity {
            return;
        }
        let mut all: Vec<(u64, usize)> = entries.values().flatten().map(|e| (e.used, e.size)).collect();
        all.sort_unstable();
        let mut oldest = 0;
        for (used, size) in all {
            if self.size <= self.capacity {
                break;
            }
            (self.size, oldest) = (self.size - size, used);
        }
        entries.values_mut().for_each(|list| list.retain(|e| e.used > oldest));
        entries.retain(|_, list| !list.is_empty());
    }
}
