//! Names of types, amounts of memory, the MJCF schema.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::add;
use crate::error;
use crate::text::{FilePath, Text};
use pyo3::prelude::*;
use sinew_engine::model::enums::ENUMS;
use sinew_mjcf::compile::cache;

/// First of the types that are not elements of a compiled model; MuJoCo names only this one.
const META: i32 = 100;

/// Members of `mjtObj` that name elements of a model.
fn object_types() -> impl Iterator<Item = (String, i32)> {
    let all = ENUMS.iter().filter(|e| e.name == "mjtObj").flat_map(|e| e.members);
    all.filter_map(|(name, code)| Some((name.strip_prefix("mjOBJ_")?.to_lowercase(), *code)))
        .filter(|(_, code)| *code > 0)
}

/// Object type with a given name; 0 for none.
#[pyfunction]
fn mju_str2Type(str: Text) -> i32 {
    object_types().find(|(name, code)| *name == *str && *code < META).map_or(0, |t| t.1)
}

/// Name of an object type.
#[pyfunction]
fn mju_type2Str(r#type: i32) -> Option<String> {
    object_types().find(|t| t.1 == r#type && t.1 <= META).map(|t| t.0)
}

/// Formats an amount of memory in the largest unit that divides it.
#[pyfunction]
fn mju_writeNumBytes(nbytes: u64) -> String {
    let fits = |k: &u32| nbytes >= 1 << (10 * k) && nbytes.trailing_zeros() >= 10 * k;
    match (1..7).rev().find(fits) {
        Some(k) => format!("{}{}", nbytes >> (10 * k), ['K', 'M', 'G', 'T', 'P', 'E'][k as usize - 1]),
        None => nbytes.to_string(),
    }
}

/// The elements of MJCF with their multiplicity and attributes: as text, or as an HTML table, whose rows are indented
/// if `flg_pad`.
#[pyfunction]
fn mj_printSchema(flg_html: bool, flg_pad: bool) -> String {
    sinew_mjcf::describe_schema(flg_html, flg_pad)
}

/// The model file and all files that it refers to, including those of included and attached models.
#[pyfunction]
fn mju_getXMLDependencies(filename: FilePath) -> PyResult<Vec<String>> {
    let path = filename.0.to_string_lossy();
    sinew_mjcf::dependencies(&path, &sinew_mjcf::Source::disk()).map_err(|e| error::fatal(e.to_string()))
}

/// The cache of compiled meshes, shared by the process.
#[pyclass(name = "_Cache", frozen, module = "sinew")]
struct Cache;

/// The cache of compiled meshes.
#[pyfunction]
fn mj_getCache() -> Cache {
    Cache
}

/// Memory that the cache uses. (byte)
#[pyfunction]
fn mj_getCacheSize(cache: &Cache) -> usize {
    let _ = cache;
    cache::size()
}

/// Capacity of the cache. (byte)
#[pyfunction]
fn mj_getCacheCapacity(cache: &Cache) -> usize {
    let _ = cache;
    cache::capacity()
}

/// Sets the capacity of the cache; returns it. (byte)
#[pyfunction]
fn mj_setCacheCapacity(cache: &Cache, size: usize) -> usize {
    let _ = cache;
    cache::set_capacity(size)
}

/// Empties the cache.
#[pyfunction]
fn mj_clearCache(cache: &Cache) {
    let _ = cache;
    cache::clear();
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mju_str2Type, mju_type2Str, mju_writeNumBytes, mj_printSchema, mju_getXMLDependencies);
    add!(module, mj_getCache, mj_getCacheSize, mj_getCacheCapacity, mj_setCacheCapacity, mj_clearCache);
    Ok(())
}
