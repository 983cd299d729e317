//! Scenes for tests.

use sinew_engine::Data;
use sinew_engine::Model;
use sinew_engine::model::enums::{CameraType, CatBits};
use sinew_mjcf::{Source, load_str};
use sinew_scene::{Camera, Scene, ViewOptions, update};

/// A model and its scene at the initial state, seen by its first camera.
pub fn scene(xml: &str) -> (Model, Scene) {
    let m = load_str(xml, &Source::default()).expect("a valid model");
    let mut d = Data::new(&m);
    sinew_engine::step::forward(&m, &mut d);
    let mut scene = Scene::new(Some(&m), 1000);
    let mut camera = Camera { r#type: CameraType::Fixed as i32, fixedcamid: 0, ..Camera::default() };
    update(&m, &d, &ViewOptions::default(), None, &mut camera, CatBits::ALL, &mut scene).expect("a scene");
    (m, scene)
}
