//! A height field against a convex shape.
//!
//! Each cell of the grid is two triangles. The volume between a triangle and the bottom of the base is a prism, and
//! every prism under the shape is collided with it separately.

use super::convex::{Convex, penetration};
use super::element::Element;
use super::{Contact, Kind, MAX_CONTACTS, Settings, Shape, Work};
use crate::ray::HeightField;
use sinew_math::{Vec3, mat3, vec3};

/// One contact per prism that the shape touches, row by row, up to [`MAX_CONTACTS`]. Depth is measured with the prisms
/// raised by the margin and the shape inflated by half of it.
#[doc(alias = "mjc_ConvexHField")]
pub fn collide(a: &Shape, b: &Shape, margin: f64, s: &Settings, work: &mut Work) {
    work.contacts.clear();
    let Kind::Hfield(field) = &a.kind else { return };
    let pos = mat3::mul_vec_t(a.mat, vec3::sub(b.pos, a.pos));
    let ball = Bounds { min: pos, max: pos };
    if !ball.near(field, b.rbound + margin) {
        return;
    }
    let mat = mat3::mul(&mat3::transpose(a.mat), b.mat);
    let Some(shape) = Convex::new(b, 0.0) else { return };
    let mut shape = shape.moved(pos, &mat);
    let bounds = Bounds::of(&mut shape);
    if !bounds.near(field, margin) {
        return;
    }
    shape.set_margin(margin);
    under(a, field, &mut shape, &bounds, margin, s, work);
}

/// Contacts with an element of a flex. As in MuJoCo, its radius does not widen the part of the field that is searched.
#[doc(alias = "mjc_HFieldElem")]
pub(super) fn element(a: &Shape, e: &Element, margin: f64, s: &Settings, work: &mut Work) {
    let Kind::Hfield(field) = &a.kind else { return };
    let local = |p: Vec3| mat3::mul_vec_t(a.mat, vec3::sub(p, a.pos));
    let mut points = [[0.0; 3]; 4];
    points.iter_mut().zip(e.points).for_each(|(slot, &p)| *slot = local(p));
    let points = &points[..e.points.len().min(4)];
    let Some(bounds) = Bounds::around(points) else { return };
    if bounds.near(field, margin) {
        let element = Element { points, center: local(e.center), radius: e.radius };
        under(a, field, &mut Convex::simplex(&element, margin), &bounds, margin, s, work);
    }
}

/// Collides a shape, given in the frame of the field, with the prisms under it.
fn under(a: &Shape, field: &HeightField, shape: &mut Convex, b: &Bounds, margin: f64, s: &Settings, work: &mut Work) {
    let [cols, rows] = b.cells(field);
    for row in rows[0]..rows[1] {
        for (prism, top) in prisms(field, row, cols, margin) {
            if top < b.min[2] || is_above(shape, &prism) {
                continue;
            }
            let mut other = *shape;
            let found = penetration(&mut Convex::prism(&prism), &mut other, s, &mut work.convex);
            shape.recall(&other);
            if let Some(contact) = found {
                work.contacts.push(Contact {
                    pos: vec3::add(mat3::mul_vec(a.mat, contact.pos), a.pos),
                    normal: mat3::mul_vec(a.mat, contact.normal),
                    ..contact
                });
                if work.contacts.len() == MAX_CONTACTS {
                    return;
                }
            }
        }
    }
}

/// Whether a shape inflated by half a margin is above the plane through a prism's top. This rejects most prisms without
/// a search. Not used for meshes: a skipped search would change the start of later ones.
fn is_above(shape: &Convex, prism: &[Vec3; 6]) -> bool {
    if shape.remembers() {
        return false;
    }
    let [_, _, _, p, q, r] = *prism;
    let normal = vec3::cross(vec3::sub(q, p), vec3::sub(r, p));
    let down = if normal[2] > 0.0 { -1.0 } else { 1.0 } / vec3::norm(normal);
    let down = vec3::scale(normal, down);
    let mut probe = *shape;
    vec3::dot(down, vec3::sub(probe.support(down), p)) + 0.5 * shape.margin() < 0.0
}

/// Bounding box of a shape, in the frame of the height field.
struct Bounds {
    min: Vec3,
    max: Vec3,
}

impl Bounds {
    fn of(shape: &mut Convex) -> Self {
        let mut bounds = Bounds { min: [0.0; 3], max: [0.0; 3] };
        let mut dir = [0.0; 3];
        for k in 0..3 {
            dir[k] = 1.0;
            bounds.max[k] = shape.support(dir)[k];
            dir[k] = -1.0;
            bounds.min[k] = shape.support(dir)[k];
            dir[k] = 0.0;
        }
        bounds
    }

    fn around(points: &[Vec3]) -> Option<Self> {
        let first = *points.first()?;
        let min = points.iter().fold(first, |min, p| std::array::from_fn(|k| min[k].min(p[k])));
        let max = points.iter().fold(first, |max, p| std::array::from_fn(|k| max[k].max(p[k])));
        Some(Bounds { min, max })
    }

    /// Whether the box is within a distance of the field's bounding box.
    fn near(&self, field: &HeightField, reach: f64) -> bool {
        let [x, y, top, base] = field.size;
        let (low, high) = ([-x, -y, -base], [x, y, top]);
        (0..3).all(|k| self.min[k] - reach <= high[k] && self.max[k] + reach >= low[k])
    }

    /// First and last grid lines around the box, for columns and for rows.
    fn cells(&self, field: &HeightField) -> [[usize; 2]; 2] {
        let lines = [field.ncol - 1, field.nrow - 1];
        std::array::from_fn(|k| {
            let at = |x: f64| (x + field.size[k]) / (2.0 * field.size[k]) * lines[k] as f64;
            // a cast saturates at zero
            [at(self.min[k]).floor() as usize, (at(self.max[k]).ceil() as usize).min(lines[k])]
        })
    }
}

/// Prisms between two rows of the grid, each with the height of its highest corner: three bottom corners, then the
/// three above them. Consecutive prisms share a side face.
fn prisms<'a>(
    field: &'a HeightField<'a>,
    row: usize,
    cols: [usize; 2],
    margin: f64,
) -> impl Iterator<Item = ([Vec3; 6], f64)> + use<'a> {
    let [dx, dy] = field.spacing();
    let corner = move |col: usize, row: usize| {
        let height = f64::from(field.data[row * field.ncol + col]) * field.size[2];
        [dx * col as f64 - field.size[0], dy * row as f64 - field.size[1], height + margin]
    };
    let corners = (cols[0]..=cols[1]).flat_map(move |col| [corner(col, row + 1), corner(col, row)]);
    let base = -field.size[3];
    let mut last = [[0.0; 3]; 3];
    corners
        .map(move |next| {
            last = [last[1], last[2], next];
            let under = |c: Vec3| [c[0], c[1], base];
            let [p, q, r] = last;
            ([under(p), under(q), under(r), p, q, r], p[2].max(q[2]).max(r[2]))
        })
        .skip(2)
}
