//! One element of a flex in its place.

use crate::data::Pose;
use crate::model::Model;
use sinew_geometry::collide::element::Element;
use sinew_math::Vec3;

/// Corners of an element.
pub struct Corners<'a> {
    /// Vertices of the element, counted from the flex's first.
    pub verts: &'a [i32],
    first: usize,
    points: [Vec3; 4],
    center: Vec3,
    radius: f64,
}

impl<'a> Corners<'a> {
    pub fn new(m: &'a Model, pose: &Pose, f: usize, e: usize) -> Self {
        let n = m.flex_dim[f] as usize + 1;
        let verts = &m.flex_elem[m.flex_elemdataadr[f] as usize + e * n..][..n];
        let first = m.flex_vertadr[f] as usize;
        let mut points = [[0.0; 3]; 4];
        points.iter_mut().zip(verts).for_each(|(p, &v)| *p = pose.flexvert_xpos[first + v as usize]);
        let [x, y, z, ..] = pose.flexelem_aabb[m.flex_elemadr[f] as usize + e];
        Corners { verts, first, points, center: [x, y, z], radius: m.flex_radius[f] }
    }

    /// The element as a shape.
    pub fn element(&self) -> Element<'_> {
        Element { points: &self.points[..self.verts.len()], center: self.center, radius: self.radius }
    }

    /// Bodies that carry the corners; −1 for those of interpolated flexes.
    pub fn bodies(&self, m: &'a Model) -> impl Iterator<Item = i32> + use<'a> {
        let first = self.first;
        self.verts.iter().map(move |&v| m.flex_vertbodyid[first + v as usize])
    }
}
