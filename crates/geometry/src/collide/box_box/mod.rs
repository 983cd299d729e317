//! Box against box.
//!
//! Of the fifteen directions that can separate boxes, the one of least overlap decides. If it is a face normal, the
//! rectangle of that face clips the other box's face below it. If it is a pair of edges, the first box's face next to
//! its edge clips the other's face, projected along the direction.

mod axis;
mod edge;
mod face;
mod tidy;

use super::{Contact, Shape};
use axis::Direction;
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// All contacts of two boxes that lie on both of them, without duplicates.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let boxes = Boxes::new(a, b);
    let first = out.len();
    match axis::least_overlap(&boxes, margin) {
        None => return,
        Some(Direction::Face { of_second: false, side }) => {
            face::collide(&Turn::to_top(side), a, b, boxes.forward(), margin, out);
        }
        Some(Direction::Face { of_second: true, side }) => {
            face::collide(&Turn::to_top(side), b, a, boxes.backward(), margin, out);
            out[first..].iter_mut().for_each(|c| c.normal = vec3::scale(c.normal, -1.0));
        }
        Some(Direction::Edges(edges)) => edge::collide(&edges, a, &boxes, margin, out),
    }
    tidy::keep_good(a, b, margin, first, out);
}

/// Relative poses and sizes of both boxes.
struct Boxes {
    size1: Vec3,
    size2: Vec3,
    /// Centre of the second box in the frame of the first.
    pos21: Vec3,
    /// Centre of the first box in the frame of the second.
    pos12: Vec3,
    /// Axes of the second box, as columns, in the frame of the first.
    rot: Mat3,
    /// Transpose of `rot`.
    rot_t: Mat3,
    /// Absolute values of `rot`.
    abs: Mat3,
}

/// A box in the frame of another.
struct Seen {
    pos: Vec3,
    rot: Mat3,
}

impl Boxes {
    fn new(a: &Shape, b: &Shape) -> Self {
        let rot = mat3::mul(&mat3::transpose(a.mat), b.mat);
        Boxes {
            size1: a.size,
            size2: b.size,
            pos21: mat3::mul_vec_t(a.mat, vec3::sub(b.pos, a.pos)),
            pos12: mat3::mul_vec_t(b.mat, vec3::sub(a.pos, b.pos)),
            rot,
            rot_t: mat3::transpose(&rot),
            abs: rot.map(f64::abs),
        }
    }

    fn forward(&self) -> Seen {
        Seen { pos: self.pos21, rot: self.rot }
    }

    fn backward(&self) -> Seen {
        Seen { pos: self.pos12, rot: self.rot_t }
    }
}

/// A rotation by quarter turns that brings a face of a box to the top: permutes coordinates and changes signs.
struct Turn {
    from: [usize; 3],
    sign: Vec3,
}

impl Turn {
    /// The rotation for faces +x, +y, +z, −x, −y, −z.
    fn to_top(side: usize) -> Self {
        let (from, sign) = match side {
            0 => ([2, 1, 0], [-1.0, 1.0, 1.0]),
            1 => ([0, 2, 1], [1.0, -1.0, 1.0]),
            2 => ([0, 1, 2], [1.0, 1.0, 1.0]),
            3 => ([2, 1, 0], [1.0, 1.0, -1.0]),
            4 => ([0, 2, 1], [1.0, 1.0, -1.0]),
            _ => ([0, 1, 2], [-1.0, 1.0, -1.0]),
        };
        Turn { from, sign }
    }

    fn vec(&self, v: Vec3) -> Vec3 {
        std::array::from_fn(|k| v[self.from[k]] * self.sign[k])
    }

    fn size(&self, size: Vec3) -> Vec3 {
        self.from.map(|k| size[k])
    }

    /// A matrix with each column rotated.
    fn columns(&self, m: &Mat3) -> Mat3 {
        std::array::from_fn(|i| m[3 * self.from[i / 3] + i % 3] * self.sign[i / 3])
    }

    /// A frame whose axes are the rotated axes of another.
    fn frame(&self, m: &Mat3) -> Mat3 {
        std::array::from_fn(|i| m[i / 3 * 3 + self.from[i % 3]] * self.sign[i % 3])
    }
}

/// A line seen from above, `start + t along` with t ∈ [0, 1], to be clipped by a rectangle.
struct Line {
    start: Vec3,
    along: Vec3,
}

/// Where a line crosses a side of the rectangle: parameter, axis normal to the side, coordinates of the crossing.
struct Crossing {
    t: f64,
    axis: usize,
    wall: f64,
    other: f64,
}

impl Line {
    /// Crossings with the sides of a rectangle of half-sizes `size`: ∓x, then ∓y.
    fn crossings(&self, size: Vec3) -> impl Iterator<Item = Crossing> + use<'_> {
        const SIDES: [(usize, f64); 4] = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)];
        SIDES.into_iter().filter_map(move |(axis, side)| {
            if self.along[axis].abs() <= sinew_math::MINVAL {
                return None;
            }
            let wall = size[axis] * side;
            let t = (wall - self.start[axis]) * (1.0 / self.along[axis]);
            if !(0.0..=1.0).contains(&t) {
                return None;
            }
            let other = self.start[1 - axis] + self.along[1 - axis] * t;
            (other.abs() <= size[1 - axis]).then_some(Crossing { t, axis, wall, other })
        })
    }
}

/// The four corners of a rectangle in the plane.
fn corners(size: Vec3) -> [[f64; 2]; 4] {
    let [x, y, _] = size;
    [[-x, -y], [-x, y], [x, -y], [x, y]]
}
