//! Model + Data + options → shapes to draw. No pixels, no threads.
//!
//! [`update`] fills a [`Scene`] with shapes, lights and cameras; `kind/` has one file per kind of decoration. Cameras,
//! perturbations and mouse selection are here too, because none of them needs an image.

mod camera;
mod colour;
mod draw;
mod flex;
mod kind;
mod lights;
mod mouse;
mod perturb;
mod scene;
mod select;
mod shape;
mod skin;
mod text;
mod update;

pub use camera::{
    Pose, align_to_camera, average, camera_frame, camera_frustum, free_camera, frustum_height, in_model, in_room,
    model_to_room, room_to_model, update_camera,
};
pub use flex::update_flexes;
pub use kind::catenary;
pub use lights::make_lights;
pub use mouse::{move_camera, move_model, move_perturb};
pub use perturb::{apply_force, apply_pose, init_perturb};
pub use scene::{MAX_LIGHTS, Scene};
pub use select::{Picked, View, select};
pub use shape::{connect, init};
pub use sinew_engine::view::{Camera, GlCamera, Light, Perturb, SceneFields, Shape, ViewOptions};
pub use skin::update_skins;
pub use update::{add_geoms, update};

/// Errors of scene functions.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A fixed camera that the model does not have.
    #[error("fixed camera id {0} is outside valid range, there are {1}")]
    FixedCamera(i32, usize),
    /// A tracked body that the model does not have.
    #[error("track body id {0} is outside valid range, there are {1}")]
    TrackBody(i32, usize),
    /// An unknown camera type.
    #[error("unknown camera type {0}")]
    CameraType(i32),
    /// A mouse action that is not valid here.
    #[error("unexpected mouse action {0}")]
    Action(i32),
    /// A shape type that cannot connect two points.
    #[error("invalid geom type {0} for connector")]
    Connector(i32),
    /// One eye is perspective and the other orthographic.
    #[error("cannot average perspective and orthographic cameras")]
    MixedCameras,
    /// A scene without a camera.
    #[error("mjvScene frustum_near too small: update the scene's camera first")]
    NoFrustum,
    /// The scene's scale is too small.
    #[error("mjvScene scale too small")]
    Scale,
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
