//! Cache of compiled meshes and textures: while a file is unchanged, its hull is not recomputed, and patterns are not
//! redrawn.
//!
//! There is one cache per process, as in MuJoCo; when it is full, least recently used entries are dropped.

use super::mesh::{CompiledMesh, Need};
use super::texture::CompiledTexture;
use crate::source::Stamp;
use crate::spec::{Mesh, Meta, Texture};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Default capacity, as in MuJoCo. (byte)
const CAPACITY: usize = 500 << 20;

/// Cache key: the attributes of an asset without name and source position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asked {
    Mesh(Mesh, Need),
    Texture(Texture),
}

impl Asked {
    pub(super) fn mesh(mesh: &Mesh, need: Need) -> Self {
        Asked::Mesh(Mesh { meta: Meta::default(), ..mesh.clone() }, need)
    }

    pub(super) fn texture(texture: &Texture) -> Self {
        Asked::Texture(Texture { meta: Meta::default(), ..texture.clone() })
    }
}

/// A compiled asset.
#[derive(Clone, Debug)]
pub(super) enum Compiled {
    Mesh(CompiledMesh),
    Texture(CompiledTexture),
}

impl Compiled {
    fn bytes(&self) -> usize {
        match self {
            Compiled::Mesh(mesh) => mesh.bytes(),
            Compiled::Texture(texture) => texture.data.len(),
        }
    }
}

struct Entry {
    stamp: Stamp,
    asked: Asked,
    compiled: Compiled,
    size: usize,
    used: u64,
}

struct Cache {
    /// Entries by path.
    entries: Option<HashMap<String, Vec<Entry>>>,
    capacity: usize,
    size: usize,
    turn: u64,
}

static CACHE: Mutex<Cache> = Mutex::new(Cache { entries: None, capacity: CAPACITY, size: 0, turn: 0 });

fn lock() -> MutexGuard<'static, Cache> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory used by cached assets. (byte)
#[doc(alias = "mj_getCacheSize")]
pub fn size() -> usize {
    lock().size
}

/// Capacity of the cache. (byte)
#[doc(alias = "mj_getCacheCapacity")]
pub fn capacity() -> usize {
    lock().capacity
}

/// Sets the capacity of the cache and returns it. With 0 nothing is cached. (byte)
#[doc(alias = "mj_setCacheCapacity")]
pub fn set_capacity(bytes: usize) -> usize {
    let mut cache = lock();
    cache.capacity = bytes;
    cache.trim();
    bytes
}

/// Clears the cache.
#[doc(alias = "mj_clearCache")]
pub fn clear() {
    let mut cache = lock();
    (cache.entries, cache.size) = (None, 0);
    sinew_engine::Pixels::forget();
}

/// The cached result for an asset, if nothing about it has changed since.
pub(super) fn find(path: &str, stamp: &Stamp, asked: &Asked) -> Option<Compiled> {
    let mut cache = lock();
    cache.turn += 1;
    let turn = cache.turn;
    let entries = cache.entries.as_mut()?.get_mut(path)?;
    let entry = entries.iter_mut().find(|e| e.stamp == *stamp && e.asked == *asked)?;
    entry.used = turn;
    Some(entry.compiled.clone())
}

/// Stores the compiled asset.
pub(super) fn keep(path: &str, stamp: Stamp, asked: Asked, compiled: Compiled) {
    let size = compiled.bytes() + stamp.bytes();
    let mut cache = lock();
    if size > cache.capacity {
        return;
    }
    cache.turn += 1;
    cache.size += size;
    let entry = Entry { stamp, asked, compiled, size, used: cache.turn };
    cache.entries.get_or_insert_default().entry(path.into()).or_default().push(entry);
    cache.trim();
}

impl Cache {
    /// Drops least recently used entries until the rest fits.
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
