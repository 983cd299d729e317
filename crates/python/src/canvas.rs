//! Renders scenes: a model's assets and a reusable frame buffer.

use crate::error;
use crate::functions::index;
use crate::model::MjModel;
use crate::scene::MjvScene;
use numpy::{IntoPyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_render::{Assets, Frame, Quality, render, render_ids};
use sinew_scene::{GlCamera, Scene, average};
use std::sync::{Arc, Mutex, PoisonError};

/// The rendering threads, and the process they belong to.
static THREADS: Mutex<Option<(u32, Arc<rayon::ThreadPool>)>> = Mutex::new(None);

/// The rendering threads of this process. After a fork, those of the parent no longer exist.
fn threads() -> PyResult<Arc<rayon::ThreadPool>> {
    let mut held = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, pool)) = &*held {
        if *owner == process {
            return Ok(pool.clone());
        }
        // never dropped: joining threads that do not exist would hang
        std::mem::forget(held.take());
    }
    let pool = rayon::ThreadPoolBuilder::new().build().map_err(|e| error::fatal(e.to_string()))?;
    let pool = Arc::new(pool);
    *held = Some((process, pool.clone()));
    Ok(pool)
}

/// Maximum width and height of an image, in pixels.
const MAX_SIDE: usize = 1 << 14;

/// Refuses image sizes that would exhaust memory.
pub fn check_size(sides: [usize; 2]) -> PyResult<()> {
    match sides.iter().any(|s| *s > MAX_SIDE) {
        true => Err(PyValueError::new_err(format!("a picture has at most {MAX_SIDE} pixels along each side"))),
        false => Ok(()),
    }
}

/// Renders scenes of one model.
#[pyclass(frozen, name = "_Canvas", module = "sinew")]
pub struct Canvas {
    assets: Mutex<Arc<Assets>>,
    frame: Mutex<Frame>,
}

impl Canvas {
    /// Renders a scene and passes the frame to a function.
    fn draw<R>(
        &self,
        py: Python<'_>,
        scn: &Bound<'_, MjvScene>,
        [height, width]: [usize; 2],
        ids: bool,
        read: impl FnOnce(&Frame, &Scene) -> R,
    ) -> PyResult<R> {
        check_size([height, width])?;
        let assets = self.assets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (scene, pool) = (scn.get().shared.read()?, threads()?);
        let mut frame = std::mem::take(&mut *self.frame.lock().unwrap_or_else(PoisonError::into_inner));
        let view = &*scene;
        let done = py.detach(|| {
            error::guarded(|| {
                frame.resize(width, height);
                let small = frame.is_small();
                let mut draw = || match ids {
                    true => render_ids(&assets, view, &mut frame),
                    false => render(&assets, view, Quality::Normal, &mut frame),
                };
                if small { draw() } else { pool.install(draw) }
            })
        })?;
        done.map_err(|e| error::fatal(e.to_string()))?;
        let result = read(&frame, view);
        *self.frame.lock().unwrap_or_else(PoisonError::into_inner) = frame;
        Ok(result)
    }

    /// Updates the assets from one changed element of the model.
    fn renew(&self, m: &Bound<'_, MjModel>, work: impl FnOnce(&mut Assets, &sinew_engine::Model)) -> PyResult<()> {
        let model = m.get().read()?;
        let mut assets = self.assets.lock().unwrap_or_else(PoisonError::into_inner);
        work(Arc::make_mut(&mut assets), &model);
        Ok(())
    }
}

/// The value in OpenGL's depth buffer: 1 at the near plane, 0 at the far plane.
fn buffered(eye: &GlCamera, depth: f32) -> f32 {
    let [near, far, depth] = [eye.frustum_near, eye.frustum_far, depth].map(f64::from);
    let share = match eye.orthographic {
        0 => near * (far - depth) / (depth * (far - near)),
        _ => (far - depth) / (far - near),
    };
    share as f32
}

fn eye(scene: &Scene) -> GlCamera {
    average(&scene.camera[0], &scene.camera[1]).unwrap_or(scene.camera[0])
}

#[pymethods]
impl Canvas {
    #[new]
    fn new(py: Python<'_>, model: &Bound<'_, MjModel>) -> PyResult<Self> {
        let (model, pool) = (model.get().read()?, threads()?);
        let m = &*model;
        let assets = py.detach(|| error::guarded(|| pool.install(|| Assets::shared(m))))?;
        Ok(Canvas { assets: Mutex::new(assets), frame: Mutex::default() })
    }

    /// Colours, (height, width, 3) bytes, rows from the top; if requested, with OpenGL's depth buffer.
    #[pyo3(signature = (scn, height, width, depth=false))]
    #[allow(clippy::type_complexity)]
    fn colours<'py>(
        &self,
        py: Python<'py>,
        scn: &Bound<'py, MjvScene>,
        height: usize,
        width: usize,
        depth: bool,
    ) -> PyResult<(Bound<'py, PyArray3<u8>>, Option<Bound<'py, PyArray2<f32>>>)> {
        let read = |f: &Frame, s: &Scene| {
            let eye = eye(s);
            let z = depth.then(|| f.depth.iter().map(|d| buffered(&eye, *d)).collect::<Vec<f32>>());
            (f.rgb.clone(), z)
        };
        let (rgb, z) = self.draw(py, scn, [height, width], false, read)?;
        let rgb = rgb.into_pyarray(py).reshape([height, width, 3])?;
        Ok((rgb, z.map(|z| z.into_pyarray(py).reshape([height, width])).transpose()?))
    }

    /// Depths in metres, (height, width), rows from the top. As in MuJoCo they are computed from the depth buffer as
    /// for a perspective camera, even if the camera is orthographic.
    fn depths<'py>(
        &self,
        py: Python<'py>,
        scn: &Bound<'py, MjvScene>,
        height: usize,
        width: usize,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let read = |f: &Frame, s: &Scene| {
            let eye = eye(s);
            if eye.orthographic == 0 {
                return f.depth.clone();
            }
            let [near, far] = [eye.frustum_near, eye.frustum_far].map(f64::from);
            let metres = |d: &f32| far * near / (f64::from(buffered(&eye, *d)) * (far - near) + near);
            f.depth.iter().map(|d| metres(d) as f32).collect()
        };
        self.draw(py, scn, [height, width], true, read)?.into_pyarray(py).reshape([height, width])
    }

    /// Ids and types of objects, (height, width, 2), rows from the top; −1 where there is none.
    fn objects<'py>(
        &self,
        py: Python<'py>,
        scn: &Bound<'py, MjvScene>,
        height: usize,
        width: usize,
    ) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let read = |f: &Frame, s: &Scene| {
            let shapes = s.shapes();
            let mut of = vec![[-1; 2]; shapes.len() + 1];
            for shape in shapes {
                if let Some(slot) = usize::try_from(shape.segid).ok().and_then(|i| of.get_mut(i)) {
                    *slot = [shape.objid, shape.objtype];
                }
            }
            let object = |id: &i32| usize::try_from(*id).ok().and_then(|i| of.get(i)).copied().unwrap_or([-1; 2]);
            f.ids.iter().flat_map(object).collect::<Vec<i32>>()
        };
        self.draw(py, scn, [height, width], true, read)?.into_pyarray(py).reshape([height, width, 2])
    }

    fn update_mesh(&self, m: &Bound<'_, MjModel>, id: i64) -> PyResult<()> {
        let id = index("mesh", id, m.get().sizes().nmesh)?;
        self.renew(m, |assets, m| assets.update_mesh(m, id))
    }

    fn update_hfield(&self, m: &Bound<'_, MjModel>, id: i64) -> PyResult<()> {
        let id = index("height field", id, m.get().sizes().nhfield)?;
        self.renew(m, |assets, m| assets.update_height_field(m, id))
    }

    fn update_texture(&self, m: &Bound<'_, MjModel>, id: i64) -> PyResult<()> {
        let id = index("texture", id, m.get().sizes().ntex)?;
        self.renew(m, |assets, m| assets.update_texture(m, id))
    }
}

/// Adds the class.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Canvas>()
}
