//! Cameras: frames, frusta, coordinates in the room and in the model.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use super::{MjvCamera, MjvScene, checked};
use crate::arrays::{Out, fixed};
use crate::data::MjData;
use crate::functions::add;
use crate::model::MjModel;
use crate::views::records::MjvGLCamera;
use pyo3::prelude::*;

type Arg<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Writes vectors into the optional output arrays.
fn store<const N: usize>(results: [(Arg<'_, '_>, &'static str, [f64; 3]); N]) -> PyResult<()> {
    for (arg, name, value) in results {
        if let Some(arg) = arg {
            Out::new(arg, name)?.vector(3)?.store(&value)?;
        }
    }
    Ok(())
}

/// Sets a camera to its defaults.
#[pyfunction]
fn mjv_defaultCamera(cam: &Bound<'_, MjvCamera>) -> PyResult<()> {
    *cam.get().shared.write()? = Default::default();
    Ok(())
}

/// Sets a camera to the default view of a model.
#[pyfunction]
fn mjv_defaultFreeCamera(m: &Bound<'_, MjModel>, cam: &Bound<'_, MjvCamera>) -> PyResult<()> {
    *cam.get().shared.write()? = sinew_scene::free_camera(&*m.get().read()?);
    Ok(())
}

/// Position and directions of a camera.
#[pyfunction]
fn mjv_cameraFrame(
    headpos: Arg<'_, '_>,
    forward: Arg<'_, '_>,
    up: Arg<'_, '_>,
    right: Arg<'_, '_>,
    d: &Bound<'_, MjData>,
    cam: &Bound<'_, MjvCamera>,
) -> PyResult<()> {
    let pose = checked(sinew_scene::camera_frame(&*d.get().cell.read()?, &*cam.get().shared.read()?))?;
    store([
        (headpos, "headpos", pose.pos),
        (forward, "forward", pose.forward),
        (up, "up", pose.up),
        (right, "right", pose.right),
    ])
}

/// Centre and extents of a camera's view at its near plane.
#[pyfunction]
fn mjv_cameraFrustum(
    zver: Arg<'_, '_>,
    zhor: Arg<'_, '_>,
    zclip: Arg<'_, '_>,
    m: &Bound<'_, MjModel>,
    cam: &Bound<'_, MjvCamera>,
) -> PyResult<()> {
    let seen = checked(sinew_scene::camera_frustum(&*m.get().read()?, &*cam.get().shared.read()?))?;
    let results = [(zver, "zver", seen.vertical), (zhor, "zhor", seen.horizontal), (zclip, "zclip", seen.clip)];
    for (arg, name, value) in results {
        if let Some(arg) = arg {
            Out::floats(arg, name)?.vector(2)?.store(&value)?;
        }
    }
    Ok(())
}

/// Position and directions of a scene's camera in model coordinates.
#[pyfunction]
fn mjv_cameraInModel(
    headpos: Arg<'_, '_>,
    forward: Arg<'_, '_>,
    up: Arg<'_, '_>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let pose = checked(sinew_scene::in_model(&*scn.get().shared.read()?))?;
    store([(headpos, "headpos", pose.pos), (forward, "forward", pose.forward), (up, "up", pose.up)])
}

/// Position and directions of a scene's camera in room coordinates.
#[pyfunction]
fn mjv_cameraInRoom(
    headpos: Arg<'_, '_>,
    forward: Arg<'_, '_>,
    up: Arg<'_, '_>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let pose = checked(sinew_scene::in_room(&*scn.get().shared.read()?))?;
    store([(headpos, "headpos", pose.pos), (forward, "forward", pose.forward), (up, "up", pose.up)])
}

macro_rules! poses {
    ($($name:ident($pos:ident, $quat:ident, $from:ident, $turn:ident), $doc:literal, $work:path;)*) => {$(
        #[doc = $doc]
        #[pyfunction]
        fn $name(
            $pos: &Bound<'_, PyAny>,
            $quat: &Bound<'_, PyAny>,
            $from: &Bound<'_, PyAny>,
            $turn: &Bound<'_, PyAny>,
            scn: &Bound<'_, MjvScene>,
        ) -> PyResult<()> {
            let (pos_out, quat_out) = (Out::new($pos, stringify!($pos))?, Out::new($quat, stringify!($quat))?);
            let (from, turn) = (fixed($from, stringify!($from))?, fixed($turn, stringify!($turn))?);
            let (pos, quat) = checked($work(&*scn.get().shared.read()?, from, turn))?;
            pos_out.vector(3)?.store(&pos)?;
            quat_out.vector(4)?.store(&quat)
        }
    )*};
}

poses! {
    mjv_room2model(modelpos, modelquat, roompos, roomquat), "A pose in the model from one in the room.",
        sinew_scene::room_to_model;
    mjv_model2room(roompos, roomquat, modelpos, modelquat), "A pose in the room from one in the model.",
        sinew_scene::model_to_room;
}

/// Height of the view of a scene's camera at unit distance.
#[pyfunction]
fn mjv_frustumHeight(scn: &Bound<'_, MjvScene>) -> PyResult<f64> {
    checked(sinew_scene::frustum_height(&*scn.get().shared.read()?))
}

/// Rotates a vector about the vertical, from y to a horizontal direction.
#[pyfunction]
fn mjv_alignToCamera(res: &Bound<'_, PyAny>, vec: &Bound<'_, PyAny>, forward: &Bound<'_, PyAny>) -> PyResult<()> {
    let turned = sinew_scene::align_to_camera(fixed(vec, "vec")?, fixed(forward, "forward")?);
    Out::new(res, "res")?.vector(3)?.store(&turned)
}

/// Average of two cameras.
#[pyfunction]
fn mjv_averageCamera(
    py: Python<'_>,
    cam1: &Bound<'_, MjvGLCamera>,
    cam2: &Bound<'_, MjvGLCamera>,
) -> PyResult<Py<MjvGLCamera>> {
    let mean = checked(sinew_scene::average(&MjvGLCamera::load(cam1)?, &MjvGLCamera::load(cam2)?))?;
    let camera = py.get_type::<MjvGLCamera>().call0()?.cast_into::<MjvGLCamera>()?;
    MjvGLCamera::store(&camera, mean)?;
    Ok(camera.unbind())
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(module, mjv_defaultCamera, mjv_defaultFreeCamera, mjv_cameraFrame, mjv_cameraFrustum, mjv_cameraInModel);
    add!(module, mjv_cameraInRoom, mjv_room2model, mjv_model2room, mjv_frustumHeight, mjv_alignToCamera);
    add!(module, mjv_averageCamera);
    Ok(())
}
