//! Images of many simulations of one model, each drawn by one thread.

use crate::assets::Assets;
use crate::frame::{Frame, Quality, render, render_ids};
use sinew_engine::model::enums::CatBits;
use sinew_engine::{Data, Model};
use sinew_scene::{Camera, Result, Scene, ViewOptions, update};
use std::sync::{Arc, Mutex, PoisonError};

/// Draws simulations of one model; several threads may draw at the same time. Buffers are reused.
pub struct Studio {
    assets: Arc<Assets>,
    spare: Mutex<Vec<(Scene, Frame)>>,
}

/// View of an image: camera, options and size.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The camera.
    pub camera: Camera,
    /// Visualisation options.
    pub options: ViewOptions,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Maximum number of shapes in an image.
    pub max_shapes: usize,
}

impl Studio {
    /// Prepares images of a model.
    pub fn new(m: &Model) -> Self {
        Studio { assets: Assets::shared(m), spare: Mutex::default() }
    }

    /// Writes the colours of an image, three bytes per pixel, rows from the top.
    ///
    /// # Errors
    /// A camera that the model does not have.
    pub fn colours(&self, m: &Model, d: &Data, shot: &Shot, out: &mut [u8]) -> Result<()> {
        self.draw(m, d, shot, |assets, scene, frame| {
            render(assets, scene, Quality::Normal, frame)?;
            out.copy_from_slice(&frame.rgb);
            Ok(())
        })
    }

    /// Writes depths in metres, rows from the top.
    ///
    /// # Errors
    /// A camera that the model does not have.
    pub fn depths(&self, m: &Model, d: &Data, shot: &Shot, out: &mut [f32]) -> Result<()> {
        self.draw(m, d, shot, |assets, scene, frame| {
            render_ids(assets, scene, frame)?;
            out.copy_from_slice(&frame.depth);
            Ok(())
        })
    }

    fn draw(
        &self,
        m: &Model,
        d: &Data,
        shot: &Shot,
        work: impl FnOnce(&Assets, &Scene, &mut Frame) -> Result<()>,
    ) -> Result<()> {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |(scene, _): &(Scene, Frame)| scene.maxgeom as usize == shot.max_shapes;
        let (mut scene, mut frame) = spare().pop().filter(fits).unwrap_or_else(|| {
            let frame = Frame { alone: true, ..Frame::default() };
            (Scene::new(Some(m), shot.max_shapes), frame)
        });
        let [width, height] = shot.size;
        frame.resize(width, height);
        let mut camera = shot.camera.clone();
        let done = update(m, d, &shot.options, None, &mut camera, CatBits::ALL, &mut scene)
            .and_then(|()| work(&self.assets, &scene, &mut frame));
        spare().push((scene, frame));
        done
    }
}
