//! Updates of scenes, shapes, perturbations, selection.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{MjvCamera, MjvOption, MjvPerturb, MjvScene, checked};
use crate::arrays::{Out, fixed};
use crate::data::MjData;
use crate::functions::{add, call, look};
use crate::model::MjModel;
use crate::views::records::MjvGeom;
use pyo3::prelude::*;
use sinew_engine::model::enums::{CatBits, Mouse, Warning};
use sinew_engine::{Data, Model};
use sinew_scene::{Scene, View, ViewOptions};

/// Runs code that fills a scene. If not all shapes fit, adds a warning to the simulation.
fn filling(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    scn: &Bound<'_, MjvScene>,
    work: impl FnOnce(&Model, &Data, &mut Scene) -> sinew_scene::Result<()>,
) -> PyResult<()> {
    let mut scene = scn.get().shared.write()?;
    checked(look(m, d, |m, d| work(m, d, &mut scene))?)?;
    let (full, room) = (scene.status != 0, scene.maxgeom);
    drop(scene);
    if full {
        call(m.py(), m, d, |_, d| {
            let stat = &mut d.warning[Warning::Vgeomfull as usize];
            (stat.number, stat.lastinfo) = (stat.number + 1, room);
        })?;
    }
    Ok(())
}

/// Fills a scene with everything that is visible.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mjv_updateScene(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    opt: &Bound<'_, MjvOption>,
    pert: Option<&Bound<'_, MjvPerturb>>,
    cam: &Bound<'_, MjvCamera>,
    catmask: i32,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let opt = opt.get().shared.read()?;
    let pert = pert.map(|p| p.get().shared.read()).transpose()?;
    let mut cam = cam.get().shared.write()?;
    let cats = CatBits::from_bits_truncate(catmask);
    filling(m, d, scn, |m, d, scene| sinew_scene::update(m, d, &opt, pert.as_deref(), &mut cam, cats, scene))
}

/// Adds the shapes of some categories to a scene.
#[pyfunction]
fn mjv_addGeoms(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    opt: &Bound<'_, MjvOption>,
    pert: Option<&Bound<'_, MjvPerturb>>,
    catmask: i32,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let opt = opt.get().shared.read()?;
    let pert = pert.map(|p| p.get().shared.read()).transpose()?;
    let cats = CatBits::from_bits_truncate(catmask);
    filling(m, d, scn, |m, d, scene| {
        sinew_scene::add_geoms(m, d, &opt, pert.as_deref(), cats, scene);
        Ok(())
    })
}

/// Updates the cameras of a scene.
#[pyfunction]
fn mjv_updateCamera(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    cam: &Bound<'_, MjvCamera>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let (mut cam, mut scene) = (cam.get().shared.write()?, scn.get().shared.write()?);
    checked(look(m, d, |m, d| sinew_scene::update_camera(m, d, &mut cam, &mut scene))?)
}

/// Fills in the lights of a scene.
#[pyfunction]
fn mjv_makeLights(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, scn: &Bound<'_, MjvScene>) -> PyResult<()> {
    let mut scene = scn.get().shared.write()?;
    checked(look(m, d, |m, d| sinew_scene::make_lights(m, d, &mut scene))?)
}

/// Updates all skins of the groups that are shown by default.
#[pyfunction]
fn mjv_updateSkin(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, scn: &Bound<'_, MjvScene>) -> PyResult<()> {
    let mut scene = scn.get().shared.write()?;
    look(m, d, |m, d| sinew_scene::update_skins(m, d, &ViewOptions::default(), &mut scene))
}

/// Sets type, size, pose and colour of a shape, with defaults for `None`.
#[pyfunction]
fn mjv_initGeom(
    geom: &Bound<'_, MjvGeom>,
    r#type: i32,
    size: Option<&Bound<'_, PyAny>>,
    pos: Option<&Bound<'_, PyAny>>,
    mat: Option<&Bound<'_, PyAny>>,
    rgba: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let size = size.map(|a| fixed::<3>(a, "size")).transpose()?;
    let pos = pos.map(|a| fixed::<3>(a, "pos")).transpose()?;
    let mat = mat.map(|a| fixed::<9>(a, "mat")).transpose()?;
    let rgba = rgba.map(|a| Ok::<_, PyErr>(fixed::<4>(a, "rgba")?.map(|x| x as f32))).transpose()?;
    let mut shape = MjvGeom::load(geom)?;
    sinew_scene::init(&mut shape, r#type, size, pos, mat.as_ref(), rgba);
    MjvGeom::store(geom, shape)
}

/// Sets type, size and pose of a shape so that it connects two points.
#[pyfunction]
fn mjv_connector(
    geom: &Bound<'_, MjvGeom>,
    r#type: i32,
    width: f64,
    from_: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut shape = MjvGeom::load(geom)?;
    checked(sinew_scene::connect(&mut shape, r#type, width, fixed(from_, "from_")?, fixed(to, "to")?))?;
    MjvGeom::store(geom, shape)
}

/// Sets options to their defaults.
#[pyfunction]
fn mjv_defaultOption(opt: &Bound<'_, MjvOption>) -> PyResult<()> {
    *opt.get().shared.write()? = Default::default();
    Ok(())
}

/// Sets a perturbation to its defaults.
#[pyfunction]
fn mjv_defaultPerturb(pert: &Bound<'_, MjvPerturb>) -> PyResult<()> {
    *pert.get().shared.write()? = Default::default();
    Ok(())
}

/// Begins a perturbation of the selected body.
#[pyfunction]
fn mjv_initPerturb(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    scn: &Bound<'_, MjvScene>,
    pert: &Bound<'_, MjvPerturb>,
) -> PyResult<()> {
    let (scene, mut pert) = (scn.get().shared.read()?, pert.get().shared.write()?);
    checked(look(m, d, |m, d| sinew_scene::init_perturb(m, d, &scene, &mut pert))?)
}

/// The mouse action of a code.
fn mouse(action: i32) -> PyResult<Mouse> {
    checked(Mouse::try_from(action).map_err(|_| sinew_scene::Error::Action(action)))
}

/// Moves the reference of a perturbation.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mjv_movePerturb(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &Bound<'_, MjvScene>,
    pert: &Bound<'_, MjvPerturb>,
) -> PyResult<()> {
    let (action, scene, mut pert) = (mouse(action)?, scn.get().shared.read()?, pert.get().shared.write()?);
    checked(look(m, d, |m, d| sinew_scene::move_perturb(m, d, action, reldx, reldy, &scene, &mut pert))?)
}

/// Moves a camera with the mouse.
#[pyfunction]
fn mjv_moveCamera(
    m: &Bound<'_, MjModel>,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &Bound<'_, MjvScene>,
    cam: &Bound<'_, MjvCamera>,
) -> PyResult<()> {
    let (action, scene, mut cam) = (mouse(action)?, scn.get().shared.read()?, cam.get().shared.write()?);
    checked(sinew_scene::move_camera(&*m.get().read()?, action, reldx, reldy, &scene, &mut cam))
}

/// Moves the model in the room.
#[pyfunction]
fn mjv_moveModel(
    m: &Bound<'_, MjModel>,
    action: i32,
    reldx: f64,
    reldy: f64,
    roomup: &Bound<'_, PyAny>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let (action, up, mut scene) = (mouse(action)?, fixed(roomup, "roomup")?, scn.get().shared.write()?);
    checked(sinew_scene::move_model(&*m.get().read()?, action, reldx, reldy, up, &mut scene))
}

/// Moves the selected body to the reference pose.
#[pyfunction]
fn mjv_applyPerturbPose(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    pert: &Bound<'_, MjvPerturb>,
    flg_paused: i32,
) -> PyResult<()> {
    let pert = pert.get().shared.read()?.clone();
    call(py, m, d, |m, d| sinew_scene::apply_pose(m, d, &pert, flg_paused != 0))
}

/// Applies a force and torque that pull the selected body towards the reference pose.
#[pyfunction]
fn mjv_applyPerturbForce(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    pert: &Bound<'_, MjvPerturb>,
) -> PyResult<()> {
    let pert = pert.get().shared.read()?.clone();
    call(py, m, d, |m, d| sinew_scene::apply_force(m, d, &pert))
}

/// The body at a point of the image, or -1; writes the point and the ids found there.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's signature
fn mjv_select(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    vopt: &Bound<'_, MjvOption>,
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scn: &Bound<'_, MjvScene>,
    selpnt: &Bound<'_, PyAny>,
    geomid: &Bound<'_, PyAny>,
    flexid: &Bound<'_, PyAny>,
    skinid: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let out = Out::new(selpnt, "selpnt")?.vector(3)?;
    let ids = [(geomid, "geomid"), (flexid, "flexid"), (skinid, "skinid")];
    let (opt, scene) = (vopt.get().shared.read()?, scn.get().shared.read()?);
    let view = View { aspect: aspectratio, x: relx, y: rely };
    let picked = checked(look(m, d, |m, d| sinew_scene::select(m, d, &opt, view, &scene))?)?;
    let found = picked.map_or([None; 3], |p| [p.geom, p.flex, p.skin]);
    for ((arg, name), id) in ids.into_iter().zip(found) {
        Out::ints(arg, name)?.vector(1)?.store(&[id.map_or(-1, |i| i as i32)])?;
    }
    if let Some(picked) = picked {
        out.store(&picked.point)?;
    }
    Ok(picked.map_or(-1, |p| p.body as i32))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mjv_updateScene, mjv_addGeoms, mjv_updateCamera, mjv_makeLights, mjv_updateSkin, mjv_initGeom);
    add!(module, mjv_connector, mjv_defaultOption, mjv_defaultPerturb, mjv_initPerturb, mjv_movePerturb);
    add!(module, mjv_moveCamera, mjv_moveModel, mjv_applyPerturbPose, mjv_applyPerturbForce, mjv_select);
    Ok(())
}
