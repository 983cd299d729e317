//! Support points for portal refinement: among equally far points, their midpoint.

use super::support::{Convex, Difference, Ends, Form, Vertex};
use crate::collide::Mesh;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

impl Convex<'_> {
    /// Support point along a unit direction, with the margin. Faces and edges perpendicular to the direction are
    /// represented by their midpoint.
    fn middle_support(&mut self, dir: Vec3) -> Vec3 {
        let local = mat3::mul_vec_t(self.mat, dir);
        let [r, h, _] = self.size;
        let at = match self.form {
            Form::Prism(_) => return self.support(dir),
            Form::Simplex(_) => return vec3::add_scaled(self.support(dir), dir, 0.5 * self.margin),
            Form::Point => [0.0; 3],
            Form::Line => [0.0, 0.0, sign(local[2]) * h],
            Form::Sphere => vec3::scale(local, r),
            Form::Capsule => vec3::add(vec3::scale(local, r), [0.0, 0.0, sign(local[2]) * h]),
            Form::Ellipsoid => times(vec3::normalize(times(local, self.size)).0, self.size),
            Form::Cylinder => {
                let across = (local[0] * local[0] + local[1] * local[1]).sqrt();
                let [x, y] = if across > MINVAL { [local[0] / across, local[1] / across] } else { [0.0; 2] };
                [r * x, r * y, sign(local[2]) * h]
            }
            Form::Box => times(local.map(sign), self.size),
            Form::Cloud(mesh) | Form::Hull(mesh, _) => mesh.vertex(self.middle_vertex(mesh, local)),
        };
        self.place(vec3::add_scaled(at, local, 0.5 * self.margin))
    }

    /// The farthest vertex; the last one found wins ties, or else the first.
    fn middle_vertex(&mut self, mesh: &Mesh, dir: Vec3) -> usize {
        match mesh.hull() {
            Some(hull) => self.stay_or_climb(mesh, hull, dir),
            None => {
                let along = |i: usize| vec3::dot(dir, mesh.vertex(i));
                (1..mesh.vert.len()).fold(0, |best, i| if along(i) > along(best) { i } else { best })
            }
        }
    }
}

impl Difference<'_, '_> {
    /// The difference of the centres.
    pub fn centers(&self) -> Vertex {
        let (a, b) = (self.a.center(), self.b.center());
        Vertex { at: vec3::sub(a, b), ends: Ends { a, b, corners: [-1; 2] } }
    }

    /// Support point along a unit direction, or the midpoint of equally far ones.
    pub fn middle_support(&mut self, dir: Vec3) -> Vertex {
        let (a, b) = (self.a.middle_support(dir), self.b.middle_support(vec3::scale(dir, -1.0)));
        Vertex { at: vec3::sub(a, b), ends: Ends { a, b, corners: [-1; 2] } }
    }
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn times(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| a[i] * b[i])
}
