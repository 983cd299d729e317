//! Renders shapes to colours, depth and ids on the CPU.
//!
//! [`Assets`] holds data reused by all images of a model: triangle trees, textures. [`render`] traces packets of eight
//! rays through a tree of the scene's shapes and shades the hits as MuJoCo's fixed-function pipeline does. The same
//! scene gives the same bytes for any number of threads.

mod assets;
mod blend;
mod block;
mod edges;
mod facets;
mod frame;
mod image;
mod label;
mod lens;
mod light;
mod line;
mod lone;
mod overlay;
mod shared;
mod sky;
mod solid;
mod studio;
mod surface;
mod surfel;
mod texture;
mod trace;
mod tree;
mod vector;
mod video;
mod walk;
mod world;

pub use assets::Assets;
pub use frame::{Frame, Quality, render, render_ids};
pub use image::write_png;
pub use overlay::{LETTER, Sheet};
pub use studio::{Shot, Studio};
pub use video::{Film, FilmError};
