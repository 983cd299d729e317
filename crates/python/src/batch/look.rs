//! Several worlds of a batch in one scene.

use super::BatchSim;
use crate::data::MjData;
use crate::error;
use crate::scene::{MjvOption, MjvScene};
use pyo3::prelude::*;
use sinew_engine::model::enums::{CatBits, GeomType, ObjType};
use sinew_engine::{Data, Model};
use sinew_scene::{Scene, Shape, ViewOptions, free_camera, update};

/// Whether a shape is repeated for further worlds. Infinite floors are not, nor are deformable shapes, whose vertices
/// are stored in the scene of a single world.
fn repeated(m: &Model, shape: &Shape) -> bool {
    let geom = usize::try_from(shape.objid).ok().filter(|_| shape.objtype == ObjType::Geom as i32);
    let endless = geom.is_some_and(|g| shape.r#type == GeomType::Plane as i32 && m.geom_size[g][..2].contains(&0.0));
    !endless && ![GeomType::Flex as i32, GeomType::Skin as i32].contains(&shape.r#type)
}

/// Adds the shapes of a world, offset to its position in the grid.
fn add(m: &Model, d: &Data, opt: &ViewOptions, at: [f32; 3], scene: &mut Scene, out: &mut Scene) -> PyResult<()> {
    let done = update(m, d, opt, None, &mut free_camera(m), CatBits::ALL, scene);
    done.map_err(|e| error::fatal(e.to_string()))?;
    for shape in scene.shapes().iter().filter(|s| repeated(m, s)) {
        out.push(Shape { pos: std::array::from_fn(|k| shape.pos[k] + at[k]), ..*shape });
    }
    Ok(())
}

/// Copies the first of some worlds into `d` and adds the shapes of the others, each at its offset, to a scene.
#[pyfunction]
pub fn _look(
    sim: &Bound<'_, BatchSim>,
    d: &Bound<'_, MjData>,
    worlds: Vec<usize>,
    places: Vec<[f32; 3]>,
    opt: &Bound<'_, MjvOption>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let (sim, opt) = (sim.get(), opt.get().shared.read()?.clone());
    let (model, batch) = (sim.model.get().read()?, sim.lock()?);
    let mut out = scn.get().shared.write()?;
    let mut scene = Scene::new(Some(&*model), out.geoms.len());
    for (i, (world, at)) in worlds.into_iter().zip(places).enumerate() {
        let Some(seen) = batch.worlds.get(&model, world) else { continue };
        if i == 0 {
            d.get().cell.lock_anew()?.copy_from(seen);
        } else {
            add(&model, seen, &opt, at, &mut scene, &mut out)?;
        }
    }
    Ok(())
}
