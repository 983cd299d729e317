//! Contacts of pairs of shapes: position, normal and depth.
//!
//! Shapes must be passed in the order of [`Kind`]; the caller swaps them where needed.
//! A contact is reported if its distance is within the margin.

mod box_box;
mod capsule_box;
mod capsule_capsule;
pub mod convex;
mod distance;
pub mod element;
pub mod hfield;
mod nearest;
mod plane_box;
mod plane_cylinder;
mod plane_mesh;
mod plane_round;
pub mod sdf;
mod shape;
mod sphere_box;
mod sphere_cylinder;
mod sphere_round;
mod table;

pub use distance::{Distance, distance};
pub use shape::{Hull, Kind, Mesh, Sdf, SdfField, Shape, Surface, Values};
pub use table::method;

use sinew_math::Vec3;

/// Maximum number of contacts reported for a pair.
pub const MAX_CONTACTS: usize = 50;

/// One point of contact between two shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Distance between the nearest points; negative where the shapes overlap.
    pub dist: f64,
    /// Midpoint between the nearest points.
    pub pos: Vec3,
    /// Unit normal, from the first shape to the second.
    pub normal: Vec3,
    /// Preferred direction of the first tangent; zero where any will do.
    pub tangent: Vec3,
}

/// Settings of the iterative methods.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Tolerance of distance and depth.
    pub ccd_tolerance: f64,
    /// Iteration limit of the distance search and of the depth search.
    pub ccd_iterations: usize,
    /// Whether convex pairs use GJK and EPA, which find the true depth; otherwise portal refinement (MPR).
    pub nativeccd: bool,
    /// Whether pairs that usually report one point search for more.
    pub multiccd: bool,
    /// Number of starting points of descents on signed distances.
    pub sdf_initpoints: usize,
    /// Number of steps of each descent.
    pub sdf_iterations: usize,
}

/// Finds the contacts of one pair that are nearer than a margin.
pub type Analytic = fn(&Shape, &Shape, f64, &mut Vec<Contact>);

/// How a pair of kinds is collided.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// No collision.
    None,
    /// In closed form.
    Analytic(Analytic),
    /// By distance and depth of convex shapes.
    Convex,
    /// Prism by prism.
    Hfield,
    /// By descent on the sum of signed distances.
    Sdf,
}

/// Finds the contacts of two shapes (in the order of [`Kind`]) nearer than a margin, and leaves them in the buffers.
#[inline]
pub fn collide(a: &Shape, b: &Shape, margin: f64, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    match method(&a.kind, &b.kind) {
        Method::Analytic(contacts) => contacts(a, b, margin, &mut work.contacts),
        Method::Convex => convex::collide(a, b, margin, s, work),
        Method::Hfield => hfield::collide(a, b, margin, s, work),
        Method::Sdf => sdf::collide(a, b, s, work),
        Method::None => {}
    }
}

/// Buffers of the colliders, reused so that a step does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Contacts of the last pair.
    pub contacts: Vec<Contact>,
    /// Buffers of the convex pairs.
    pub convex: convex::Buffers,
    /// End points of the descents on signed distances so far.
    pub seen: Vec<Vec3>,
}

impl Work {
    /// Buffers for pairs with the given iteration limit.
    pub fn new(ccd_iterations: usize) -> Self {
        Work {
            contacts: Vec::with_capacity(MAX_CONTACTS),
            convex: convex::Buffers::new(ccd_iterations),
            seen: Vec::with_capacity(MAX_CONTACTS),
        }
    }
}
