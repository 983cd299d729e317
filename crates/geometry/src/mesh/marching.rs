//! Marching cubes: the surface where a function on a grid changes sign, as triangles.
//!
//! Lorensen and Cline, Marching cubes: a high resolution 3D surface construction algorithm, 1987, with the triangle
//! table that is customary since Bourke, Polygonising a scalar field, 1994. Arithmetic is in single precision, and
//! vertices are created in the order in which the cubes, x running fastest, reach their edges: reference hulls,
//! inertias and contacts computed from such meshes depend on both.

mod cases;

use cases::{CASES, decode};

/// Values on a grid of points; x runs fastest.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Points along each axis.
    pub size: [usize; 3],
    /// Value at each point; negative inside.
    pub values: Vec<f32>,
}

/// A closed surface in the coordinates of the grid.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Vertices, in steps of the grid.
    pub vert: Vec<[f32; 3]>,
    /// Unit normals of vertices.
    pub normal: Vec<[f32; 3]>,
    /// Faces.
    pub face: Vec<[i32; 3]>,
}

/// Edges of a cube: the axis along which each runs, and the corner where it starts.
const EDGES: [(usize, [usize; 3]); 12] = [
    (0, [0, 0, 0]),
    (0, [0, 1, 0]),
    (0, [0, 0, 1]),
    (0, [0, 1, 1]),
    (1, [0, 0, 0]),
    (1, [1, 0, 0]),
    (1, [0, 0, 1]),
    (1, [1, 0, 1]),
    (2, [0, 0, 0]),
    (2, [1, 0, 0]),
    (2, [0, 1, 0]),
    (2, [1, 1, 0]),
];

impl Grid {
    fn at(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    fn value(&self, point: [usize; 3]) -> f32 {
        self.values[self.at(point)]
    }

    /// Extracts the surface around the negative values.
    pub fn surface(&self) -> Surface {
        let mut out = Surface::default();
        // for each grid point and axis, the vertex on the edge that starts there
        let mut on_edge = vec![[0; 3]; self.values.len()];
        let cubes = self.size.map(|n| n.saturating_sub(1));
        for z in 0..cubes[2] {
            for y in 0..cubes[1] {
                for x in 0..cubes[0] {
                    self.cube([x, y, z], &mut on_edge, &mut out);
                }
            }
        }
        out.normal = normals(&out);
        out
    }

    /// Adds the triangles of one cube, and the vertices on edges that no earlier cube has visited.
    fn cube(&self, [x, y, z]: [usize; 3], on_edge: &mut [[i32; 3]], out: &mut Surface) {
        let corner = |c: usize| self.value([x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)]);
        let case = (0..8).fold(0, |case, c| case | usize::from(corner(c) < 0.0) << c);
        if case == 0 || case == 255 {
            return;
        }
        for (axis, start) in EDGES {
            // an earlier cube has visited the edges on near sides, except on the boundary of the grid
            let here = [x, y, z];
            if !(0..3).all(|k| k == axis || start[k] == 1 || here[k] == 0) {
                continue;
            }
            let from = [x + start[0], y + start[1], z + start[2]];
            let mut to = from;
            to[axis] += 1;
            let (a, b) = (self.value(from), self.value(to));
            if (a < 0.0) != (b < 0.0) {
                let mut vertex = from.map(|n| n as f32);
                vertex[axis] += a / (a - b);
                on_edge[self.at(from)][axis] = out.vert.len() as i32;
                out.vert.push(vertex);
            }
        }
        let vertex = |edge: usize| {
            let (axis, [i, j, k]) = EDGES[edge];
            on_edge[self.at([x + i, y + j, z + k])][axis]
        };
        out.face.extend(decode(CASES[case]).map(|edges| edges.map(vertex)));
    }
}

/// Vertex normals: area-weighted sums of face normals, normalised.
fn normals(surface: &Surface) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0f32; 3]; surface.vert.len()];
    for face in &surface.face {
        let [a, b, c] = face.map(|i| surface.vert[i as usize]);
        let sub = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        let (u, v) = (sub(c, b), sub(a, b));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for i in face {
            normals[*i as usize].iter_mut().zip(cross).for_each(|(n, x)| *n += x);
        }
    }
    normals
        .into_iter()
        .map(|n| {
            let norm = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            n.map(|x| x / norm)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A ball of radius 5 in a grid of 16 points per axis.
    fn ball() -> Surface {
        let size = [16; 3];
        let mut values = Vec::new();
        for z in 0..16 {
            for y in 0..16 {
                for x in 0..16 {
                    let square: f32 = [x, y, z].iter().map(|&n| (n as f32 - 7.5).powi(2)).sum();
                    values.push(square.sqrt() - 5.0);
                }
            }
        }
        Grid { size, values }.surface()
    }

    #[test]
    fn the_surface_of_a_ball_is_closed_and_faces_outwards() {
        let ball = ball();
        let mut edges = HashMap::new();
        let mut volume = 0.0;
        for &[a, b, c] in &ball.face {
            for edge in [[a, b], [b, c], [c, a]] {
                *edges.entry(edge).or_insert(0) += 1;
            }
            let [p, q, r] = [a, b, c].map(|i| ball.vert[i as usize].map(|x| f64::from(x) - 7.5));
            volume += sinew_math::vec3::dot(p, sinew_math::vec3::cross(q, r)) / 6.0;
        }
        assert!(edges.iter().all(|([a, b], n)| *n == 1 && edges.contains_key(&[*b, *a])));
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 125.0;
        assert!((volume / exact - 1.0).abs() < 0.05, "{volume} {exact}");
    }

    #[test]
    fn every_case_uses_the_edges_that_change_sign_and_no_other() {
        for (case, code) in CASES.iter().enumerate() {
            let inside = |[x, y, z]: [usize; 3]| case >> (x + 2 * y + 4 * z) & 1 == 1;
            let used: Vec<usize> = decode(code).flatten().collect();
            for (edge, (axis, start)) in EDGES.iter().enumerate() {
                let mut end = *start;
                end[*axis] += 1;
                assert_eq!(used.contains(&edge), inside(*start) != inside(end), "case {case}, edge {edge}");
            }
        }
    }
}
