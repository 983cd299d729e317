//! Where two shapes touch, and how deep.
//!
//! Shapes come in the order of [`Kind`]; the caller swaps them where needed.
//! A contact is reported while the distance is within the margin.

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

/// At most this many contacts are reported for a pair.
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
    /// A direction the first tangent should be near to; zero where any will do.
    pub tangent: Vec3,
}

/// Settings of the iterative methods.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Accuracy of distance and depth.
    pub ccd_tolerance: f64,
    /// Bound on the iterations of distance and of depth.
    pub ccd_iterations: usize,
    /// Whether convex pairs are searched for the true depth; if not, by refining a portal.
    pub nativeccd: bool,
    /// Whether pairs that usually report one point look for more.
    pub multiccd: bool,
    /// Starting points of descents on signed distances.
    pub sdf_initpoints: usize,
    /// Steps of each descent.
    pub sdf_iterations: usize,
}

/// Finds the contacts of one pair nearer than a margin.
pub type Analytic = fn(&Shape, &Shape, f64, &mut Vec<Contact>);

/// How a pair of kinds is collided.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Never.
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

/// Contacts of two shapes in the order of [`Kind`], nearer than a margin; they are left in the buffers.
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

/// Buffers of the colliders, so that a step allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Contacts of the last pair.
    pub contacts: Vec<Contact>,
    /// What convex pairs work with.
    pub convex: convex::Buffers,
    /// Where descents on signed distances ended.
    pub seen: Vec<Vec3>,
}

impl Work {
    /// Buffers for pairs with the given bound on iterations.
    pub fn new(ccd_iterations: usize) -> Self {
        Work {
            contacts: Vec::with_capacity(MAX_CONTACTS),
            convex: convex::Buffers::new(ccd_iterations),
            seen: Vec::with_capacity(MAX_CONTACTS),
        }
    }
}
