//! One element of a flex in its current position.

use crate::data::Pose;
use crate::model::Model;
use sinew_geometry::collide::element::Element;
use sinew_math::Vec3;

/// World positions of the corners of an element.
pub struct Corners<'a> {
    /// Vertices of the element, relative to the first of the flex.
    pub verts: &'a [i32],
    points: [Vec3; 4],
    center: Vec3,
    radius: f64,
}

impl<'a> Corners<'a> {
    #[inline]
    pub fn new(m: &'a Model, pose: &Pose, f: usize, e: usize) -> Self {
        let n = m.flex_dim[f] as usize + 1;
        let verts = &m.flex_elem[m.flex_elemdataadr[f] as usize + e * n..][..n];
        let first = m.flex_vertadr[f] as usize;
        let mut points = [[0.0; 3]; 4];
        points.iter_mut().zip(verts).for_each(|(p, &v)| *p = pose.flexvert_xpos[first + v as usize]);
        let [x, y, z, ..] = pose.flexelem_aabb[m.flex_elemadr[f] as usize + e];
        Corners { verts, points, center: [x, y, z], radius: m.flex_radius[f] }
    }

    /// The element as a shape for the colliders.
    pub fn element(&self) -> Element<'_> {
        Element { points: &self.points[..self.verts.len()], center: self.center, radius: self.radius }
    }
}

/// Bodies of the corners of an element; −1 for corners of interpolated flexes and for unused entries.
#[inline]
pub fn bodies(m: &Model, f: usize, e: usize) -> [i32; 4] {
    let n = m.flex_dim[f] as usize + 1;
    let verts = &m.flex_elem[m.flex_elemdataadr[f] as usize + e * n..][..n];
    let first = m.flex_vertadr[f] as usize;
    let mut out = [-1; 4];
    out.iter_mut().zip(verts).for_each(|(b, &v)| *b = m.flex_vertbodyid[first + v as usize]);
    out
}

/// Whether two elements have a body in common.
#[inline(always)]
pub fn share(a: &[i32; 4], b: &[i32; 4]) -> bool {
    // branchless: which of them are equal is unpredictable
    a.iter().fold(false, |any, &x| any | (x >= 0) & b.iter().fold(false, |any, &y| any | (x == y)))
}

/// Whether an element is in a layer near enough to the surface to take part in self-collision.
#[inline]
pub fn is_active(m: &Model, f: usize, e: usize) -> bool {
    m.flex_dim[f] < 3 || m.flex_elemlayer[m.flex_elemadr[f] as usize + e] < m.flex_activelayers[f]
}
