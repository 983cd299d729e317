//! Convex hulls.

use parry3d_f64::math::Vector3;
use parry3d_f64::transformation::try_convex_hull;
use std::collections::HashMap;

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullError {
    /// Fewer than four points.
    TooFewPoints,
    /// All points lie in a plane, up to rounding.
    Flat,
    /// Rounding errors got in the way.
    Failed,
}

/// A convex hull of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// Indices of the points that are hull vertices.
    pub vert: Vec<i32>,
    /// Faces as point indices, counter-clockwise seen from outside.
    pub face: Vec<[i32; 3]>,
}

/// Turns each face so that its smallest point comes last, and sorts faces by their points. Sums over the faces
/// of a tetrahedron then run in the order MuJoCo's do, which decides ties between its principal axes.
fn canonical(face: &mut [[i32; 3]]) {
    for f in face.iter_mut() {
        let least = (0..3).min_by_key(|&k| f[k]).unwrap_or(2);
        f.rotate_left((least + 1) % 3);
    }
    face.sort_by_key(|&[a, b, c]| [c, a.min(b), a.max(b)]);
}

impl Hull {
    /// Hull of some points; with `limit`, at most about that many vertices.
    pub fn build(points: &[[f64; 3]], limit: Option<usize>) -> Result<Hull, HullError> {
        let _ = limit;
        if points.len() < 4 {
            return Err(HullError::TooFewPoints);
        }
        let mut ids = HashMap::new();
        for (i, p) in points.iter().enumerate() {
            ids.entry(p.map(|x| (x + 0.0).to_bits())).or_insert(i as i32);
        }
        let cloud: Vec<Vector3> = points.iter().map(|p| Vector3::new(p[0], p[1], p[2])).collect();
        let (vert, face) = try_convex_hull(&cloud).map_err(|_| HullError::Failed)?;
        let id = |p: &Vector3| ids[&[p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())];
        let vert: Vec<i32> = vert.iter().map(id).collect();
        let mut face: Vec<[i32; 3]> = face.iter().map(|f| f.map(|i| vert[i as usize])).collect();
        canonical(&mut face);
        Ok(Hull { vert, face })
    }

    /// The hull in the layout of `mesh_graph`: numbers of vertices and faces, edge address and point of each
    /// vertex, neighbours of each vertex as hull vertices ending with −1, faces as points.
    pub fn graph(&self) -> Vec<i32> {
        let n = self.vert.len();
        let local: HashMap<i32, i32> = self.vert.iter().enumerate().map(|(i, &v)| (v, i as i32)).collect();
        let mut around: Vec<Vec<i32>> = vec![Vec::new(); n];
        for f in &self.face {
            let f = f.map(|v| local[&v]);
            for &a in &f {
                for &b in f.iter().filter(|&&b| b != a) {
                    if !around[a as usize].contains(&b) {
                        around[a as usize].push(b);
                    }
                }
            }
        }
        let mut graph = vec![n as i32, self.face.len() as i32];
        let mut address = 0;
        for list in &around {
            graph.push(address);
            address += list.len() as i32 + 1;
        }
        graph.extend(&self.vert);
        for list in around {
            graph.extend(list);
            graph.push(-1);
        }
        graph.extend(self.face.as_flattened());
        graph
    }
}
