//! Two boxes.
//!
//! Of the fifteen directions that can separate boxes, the one of least overlap decides: a face of one box, whose
//! rectangle clips the other's face below it, or a pair of edges, where the face of the first box nearest to the
//! edge clips the other's face as seen along the direction.

mod axis;
mod edge;
mod face;
mod tidy;

use super::{Contact, Shape};
use axis::Direction;
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// All contacts of two boxes that lie on both of them and are not repeated.
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

/// Both boxes as each sees the other.
struct Boxes {
    size1: Vec3,
    size2: Vec3,
    /// Second box from the first.
    pos21: Vec3,
    /// First box from the second.
    pos12: Vec3,
    /// Axes of the second box, as columns, in the frame of the first.
    rot: Mat3,
    /// Its transpose.
    rot_t: Mat3,
    /// Absolute values of `rot`.
    abs: Mat3,
}

/// A box from the frame of another.
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

/// A turn by quarters that brings a face of a box to the top: coordinates are exchanged and change sign.
struct Turn {
    from: [usize; 3],
    sign: Vec3,
}

impl Turn {
    /// For faces +x, +y, +z, −x, −y, −z.
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

    /// A matrix with turned columns.
    fn columns(&self, m: &Mat3) -> Mat3 {
        std::array::from_fn(|i| m[3 * self.from[i / 3] + i % 3] * self.sign[i / 3])
    }

    /// A frame whose axes are the turned axes of another.
    fn frame(&self, m: &Mat3) -> Mat3 {
        std::array::from_fn(|i| m[i / 3 * 3 + self.from[i % 3]] * self.sign[i % 3])
    }
}

/// A line seen from above, `start + t along` with t ∈ [0, 1], on its way over a rectangle.
struct Line {
    start: Vec3,
    along: Vec3,
}

/// Where a line crosses a side of the rectangle: parameter, axis across the side, coordinates there.
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

/// The four corners of a rectangle as seen from above.
fn corners(size: Vec3) -> [[f64; 2]; 4] {
    let [x, y, _] = size;
    [[-x, -y], [-x, y], [x, -y], [x, y]]
}
