//! The `flexcomp` element: a flex together with the bodies that carry it.
//!
//! A shape gives points and elements ([`shape`]), pins determine which points stay with the parent body ([`pin`]), and
//! [`make`](Flexcomp::make) turns the other points into bodies with slide joints or, for interpolated flexes, makes the
//! control nodes.

mod make;
mod pin;
mod shape;

use super::Flexcomp;
use crate::error::{Error, Result};
use crate::schema::attr;
use sinew_math::MINVAL;

/// Where the points come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A grid of one, two or three dimensions.
    #[default]
    Grid,
    /// Surface of a box, and its centre if it is a solid.
    Box,
    /// The same, projected onto a cylinder.
    Cylinder,
    /// The same, projected onto an ellipsoid.
    Ellipsoid,
    /// A grid of two dimensions.
    Square,
    /// The same, projected onto a disc.
    Disc,
    /// A closed line.
    Circle,
    /// A surface mesh, or the solid between it and a point.
    Mesh,
    /// A Gmsh file.
    Gmsh,
    /// Points and elements listed in the file.
    Direct,
}

impl Kind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Kind; 10] = [
        Kind::Grid,
        Kind::Box,
        Kind::Cylinder,
        Kind::Ellipsoid,
        Kind::Square,
        Kind::Disc,
        Kind::Circle,
        Kind::Mesh,
        Kind::Gmsh,
        Kind::Direct,
    ];

    /// Whether points are listed rather than computed.
    fn listed(self) -> bool {
        matches!(self, Kind::Mesh | Kind::Gmsh | Kind::Direct)
    }
}

/// How points move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dof {
    /// Each with three slide joints.
    #[default]
    Full,
    /// Each along the line through the centre.
    Radial,
    /// Interpolated from the corners of their bounding box.
    Trilinear,
    /// Interpolated from the corners, mid-edges, mid-faces and centre of their bounding box.
    Quadratic,
}

impl Dof {
    /// All, in the order of their codes.
    pub const ALL: [Dof; 4] = [Dof::Full, Dof::Radial, Dof::Trilinear, Dof::Quadratic];

    /// Degree of the interpolation; `None` if each point moves by itself.
    fn order(self) -> Option<usize> {
        match self {
            Dof::Full | Dof::Radial => None,
            Dof::Trilinear => Some(1),
            Dof::Quadratic => Some(2),
        }
    }
}

/// Which equality holds a flex together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// None.
    #[default]
    None,
    /// Constrains the lengths of edges.
    Edges,
    /// Constrains the strains around vertices.
    Vertices,
}

impl Hold {
    /// All, in the order of their codes.
    pub const ALL: [Hold; 3] = [Hold::None, Hold::Edges, Hold::Vertices];
}

/// Maximum number of points of a flexcomp; more would be refused later, after much work.
const MAX_POINTS: usize = 1 << 20;

impl Flexcomp {
    /// Number of control nodes; 0 if each point moves by itself.
    fn nodes(&self) -> usize {
        self.dof.order().map_or(0, |order| (order + 1).pow(3))
    }

    /// Number of points per direction; already checked.
    fn counts(&self) -> [usize; 3] {
        self.count.map(|n| n as usize)
    }

    /// Checks what does not depend on the points.
    fn check(&self) -> Result<()> {
        let invalid = |message: &str, attribute: &str| Err(Error::invalid(message).attribute(attribute));
        if !(1..=3).contains(&self.flex.dim) {
            return invalid("dim must be 1, 2 or 3", "dim");
        }
        let least = if self.dof == Dof::Radial && self.flex.dim == 3 { 2 } else { 1 };
        if self.count.iter().any(|&n| n < least) {
            return invalid(&format!("counts must be at least {least}"), "count");
        }
        if self.count.iter().map(|&n| n as usize).try_fold(1usize, usize::checked_mul).is_none_or(|n| n > MAX_POINTS) {
            return invalid(&format!("a flexcomp has at most {MAX_POINTS} points"), "count");
        }
        let thickness = 2.0 * self.flex.radius + self.flex.margin;
        if !self.kind.listed() && self.spacing.iter().any(|&s| s < thickness) {
            let error = Error::invalid("points are nearer to each other than the flex is thick");
            return Err(error
                .attribute(attr::SPACING)
                .hint("make the spacing at least twice the radius plus the margin"));
        }
        if self.scale.iter().any(|&s| s < MINVAL) {
            return invalid("the scale must be positive", "scale");
        }
        if self.mass < MINVAL || self.inertiabox < MINVAL {
            let attribute = if self.mass < MINVAL { "mass" } else { "inertiabox" };
            return invalid("mass and inertiabox must be positive", attribute);
        }
        if self.flex.stretches() && self.hold != Hold::None {
            let error = Error::invalid("elasticity and constraints of edges cannot both be present");
            return Err(error.hint("remove the equality of 'edge', or set elastic2d to none or bend"));
        }
        Ok(())
    }
}
