//! Rays against the geoms and flexes of a model, and against skins.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{add, index, look};
use crate::arrays::{Out, fixed, numbers, vector};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew_engine::model::enums::GeomType;
use sinew_engine::support::ray::{self, BATCH, Filter, Hit, Ray};
use sinew_engine::support::ray_flex::{Parts, VertexHit, ray_flex, ray_skin};
use sinew_math::{MINVAL, vec3};

/// Visibility of the geom groups; nonzero means visible.
fn groups(arg: Option<&Bound<'_, PyAny>>) -> PyResult<Option<[u8; 6]>> {
    arg.map(|a| Ok(fixed::<6>(a, "geomgroup")?.map(|g| u8::from(g != 0.0)))).transpose()
}

fn geomid_of(hit: Option<Hit>) -> i32 {
    hit.map_or(-1, |h| h.geomid as i32)
}

/// Distance along a ray to the nearest visible geom, or -1; writes the geom and the normal of its surface.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal=None))]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mj_ray(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    geomgroup: Option<&Bound<'_, PyAny>>,
    flg_static: u8,
    bodyexclude: i32,
    geomid: Option<&Bound<'_, PyAny>>,
    normal: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let along = Ray { origin: fixed(pnt, "pnt")?, dir: fixed(vec, "vec")? };
    let shown = groups(geomgroup)?;
    let geomid = geomid.map(|a| Out::ints(a, "geomid")?.vector(1)).transpose()?;
    let normal = normal.map(|a| Out::new(a, "normal")?.vector(3)).transpose()?;
    if vec3::norm(along.dir) < MINVAL {
        return Err(error::fatal("mj_ray: vector length is too small"));
    }
    let filter = Filter { geomgroup: shown.as_ref(), flg_static: flg_static != 0, bodyexclude };
    let hit = look(m, d, |m, d| ray::ray(m, &d.pose, along, filter))?;
    if let Some(out) = geomid {
        out.store(&[geomid_of(hit)])?;
    }
    if let Some(out) = normal {
        out.store(&hit.map_or([0.0; 3], |h| h.normal))?;
    }
    Ok(hit.map_or(-1.0, |h| h.dist))
}

/// Distances along many rays from one point to the nearest visible geoms within a cutoff, or -1; writes the geoms
/// and the normals of their surfaces.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mj_multiRay(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    geomgroup: Option<&Bound<'_, PyAny>>,
    flg_static: u8,
    bodyexclude: i32,
    geomid: &Bound<'_, PyAny>,
    dist: &Bound<'_, PyAny>,
    normal: Option<&Bound<'_, PyAny>>,
    nray: usize,
    cutoff: f64,
) -> PyResult<()> {
    let (from, dirs) = (fixed(pnt, "pnt")?, vector(vec, "vec", nray.saturating_mul(3))?);
    let shown = groups(geomgroup)?;
    let (geom_out, dist_out) = (Out::ints(geomid, "geomid")?.vector(nray)?, Out::new(dist, "dist")?.vector(nray)?);
    let normal_out = normal.map(|a| Out::new(a, "normal")?.vector(3 * nray)).transpose()?;
    let filter = Filter { geomgroup: shown.as_ref(), flg_static: flg_static != 0, bodyexclude };
    let (mut geoms, mut dists) = (geom_out.values()?, dist_out.values()?);
    let mut normals = normal_out.as_ref().map(Out::values).transpose()?;
    let (dirs, _) = dirs.as_chunks::<3>();
    look(m, d, |m, d| {
        for (batch, dirs) in dirs.chunks(BATCH).enumerate() {
            let hits = ray::multi_ray(m, &d.pose, from, dirs, filter, cutoff);
            for ((k, dir), hit) in (batch * BATCH..).zip(dirs).zip(hits) {
                dists[k] = hit.map_or(-1.0, |h| h.dist);
                // a zero direction leaves the other results unchanged
                if vec3::dot(*dir, *dir) >= MINVAL {
                    geoms[k] = geomid_of(hit);
                    if let Some(all) = &mut normals {
                        all[3 * k..3 * k + 3].copy_from_slice(&hit.map_or([0.0; 3], |h| h.normal));
                    }
                }
            }
        }
    })?;
    geom_out.store(&geoms)?;
    dist_out.store(&dists)?;
    match (normal_out, normals) {
        (Some(out), Some(values)) => out.store(&values),
        _ => Ok(()),
    }
}

/// Distance along a ray to one geom of a given type.
fn ray_of_type(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geomid: i64,
    kind: GeomType,
    along: Ray,
    normal: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let geom = index("geom id", geomid, m.get().sizes().ngeom)?;
    let normal = normal.map(|a| Out::new(a, "normal")?.vector(3)).transpose()?;
    if m.get().read()?.geom_type[geom] != kind as i32 {
        return Err(error::fatal(format!("geom {geom} is no {kind:?}").to_lowercase()));
    }
    let hit = look(m, d, |m, d| ray::ray_geom(m, &d.pose, geom, along))?;
    if let Some(out) = normal {
        out.store(&hit.map_or([0.0; 3], |h| h.normal))?;
    }
    Ok(hit.map_or(-1.0, |h| h.dist))
}

/// Distance along a ray to a mesh, or -1; writes the normal of its surface.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayMesh(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geomid: i64,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    normal: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let along = Ray { origin: fixed(pnt, "pnt")?, dir: fixed(vec, "vec")? };
    ray_of_type(m, d, geomid, GeomType::Mesh, along, normal)
}

/// Distance along a ray to a height field, or -1; writes the normal of its surface.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayHfield(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geomid: i64,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    normal: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let along = Ray { origin: fixed(pnt, "pnt")?, dir: fixed(vec, "vec")? };
    ray_of_type(m, d, geomid, GeomType::Hfield, along, normal)
}

/// Stores the normal and, if something was hit, the vertex.
fn store(hit: Option<VertexHit>, vertid: Option<Out<'_, i32>>, normal: Option<Out<'_>>) -> PyResult<f64> {
    if let (Some(out), Some(hit)) = (vertid, hit) {
        out.store(&[hit.vertid as i32])?;
    }
    if let Some(out) = normal {
        out.store(&hit.map_or([0.0; 3], |h| h.normal))?;
    }
    Ok(hit.map_or(-1.0, |h| h.dist))
}

/// Distance along a ray to the vertices, edges, faces of a layer or skin of a flex, or -1; writes the nearest vertex,
/// counted from the flex's first, and the normal of the surface. Without a hit the vertex is left unchanged.
#[pyfunction]
#[pyo3(signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid=None, normal=None))]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mj_rayFlex(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    flex_layer: i32,
    flg_vert: u8,
    flg_edge: u8,
    flg_face: u8,
    flg_skin: u8,
    flexid: i64,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    vertid: Option<&Bound<'_, PyAny>>,
    normal: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let along = Ray { origin: fixed(pnt, "pnt")?, dir: fixed(vec, "vec")? };
    let flex = index("flex id", flexid, m.get().sizes().nflex)?;
    let vertid = vertid.map(|a| Out::ints(a, "vertid")?.vector(1)).transpose()?;
    let normal = normal.map(|a| Out::new(a, "normal")?.vector(3)).transpose()?;
    let parts =
        Parts { vert: flg_vert != 0, edge: flg_edge != 0, face: flg_face != 0, skin: flg_skin != 0, layer: flex_layer };
    let hit = look(m, d, |m, d| ray_flex(m, &d.pose, flex, parts, along))?;
    store(hit, vertid, normal)
}

/// Distance along a ray to the triangles of a skin, or -1; writes the nearest vertex of the triangle hit, which is left
/// unchanged without a hit.
#[pyfunction]
fn mju_raySkin(
    nface: usize,
    nvert: usize,
    face: &Bound<'_, PyAny>,
    vert: &Bound<'_, PyAny>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    vertid: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let along = Ray { origin: fixed(pnt, "pnt")?, dir: fixed(vec, "vec")? };
    let vertid = vertid.map(|a| Out::ints(a, "vertid")?.vector(1)).transpose()?;
    let faces: Vec<i32> = triples(face, "face", nface)?.into_iter().map(|v| v as i32).collect();
    let verts: Vec<f32> = triples(vert, "vert", nvert)?.into_iter().map(|v| v as f32).collect();
    if faces.iter().any(|&v| usize::try_from(v).map_or(true, |v| v >= nvert)) {
        return Err(error::fatal("mju_raySkin: a face names a vertex that is not there"));
    }
    store(ray_skin(faces.as_chunks().0, verts.as_chunks().0, along), vertid, None)
}

/// `count` triples, as rows or concatenated.
fn triples(arg: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<f64>> {
    let (shape, values) = numbers(arg, name)?;
    if Some(values.len()) == count.checked_mul(3) {
        return Ok(values);
    }
    Err(PyTypeError::new_err(format!("{name} should be of shape ({count}, 3), got {shape:?}")))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mj_ray, mj_multiRay, mj_rayMesh, mj_rayHfield, mj_rayFlex, mju_raySkin);
    Ok(())
}
