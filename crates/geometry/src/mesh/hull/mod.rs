//! Convex hulls by the Quickhull algorithm with facet merging (Barber, Dobkin and Huhdanpaa, 1996).
//!
//! Rounding errors make facets that should be coplanar or convex slightly concave. Quickhull then merges
//! facets into polygons until all of them are clearly convex, and cuts the polygons into triangles at the end.
//! Tolerances, the order of points and facets, and the way ties are broken follow Qhull as MuJoCo calls it
//! (option `Qt`), so that hulls agree with MuJoCo's not only as sets of points but in numbering as well:
//! contacts depend on which of several equally deep vertices comes first. Libraries with other orders and
//! tolerances cannot be used here.
//!
//! Modules in the order a hull is built: `start` makes a simplex, `locate` assigns points to facets,
//! `cone` adds a point, `merge` decides what to merge, `join` and `cycle` do it, `rename` removes vertices that
//! merging made superfluous, `triangulate` cuts polygons. `state` and `plane` are shared.

mod cone;
mod cycle;
mod join;
mod locate;
mod merge;
mod plane;
mod rename;
mod start;
mod state;
mod triangulate;

use state::{Quickhull, Step};
use std::fmt;

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullError {
    /// Fewer than four points.
    TooFewPoints,
    /// All points lie in a plane, up to rounding.
    Flat,
    /// The merges that rounding errors call for are too wide or have no consistent result.
    Irregular,
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HullError::TooFewPoints => "fewer than four points",
            HullError::Flat => "the points lie in a plane",
            HullError::Irregular => "the points are too irregular",
        })
    }
}

impl std::error::Error for HullError {}

/// A convex hull of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// Points that are hull vertices.
    pub vert: Vec<i32>,
    /// Faces as points, counter-clockwise seen from outside.
    pub face: Vec<[i32; 3]>,
    /// Neighbours of each hull vertex, as hull vertices.
    pub edge: Vec<Vec<i32>>,
}

impl Hull {
    /// Hull of finite points. With a `limit` (at least 4), it stops when it has so many vertices.
    pub fn build(points: &[[f64; 3]], limit: Option<usize>) -> Result<Hull, HullError> {
        if points.len() < 4 {
            return Err(HullError::TooFewPoints);
        }
        let mut state = Quickhull::start(points)?;
        state.grow(limit)?;
        state.triangulate()?;
        state.vertex_neighbors();
        state.result()
    }

    /// The hull in the layout of `mesh_graph`: numbers of vertices and faces, edge address and point of each
    /// vertex, neighbours of each vertex ending with −1, faces.
    pub fn graph(&self) -> Vec<i32> {
        let mut graph = Vec::with_capacity(2 + 3 * self.vert.len() + 6 * self.face.len());
        graph.extend([self.vert.len() as i32, self.face.len() as i32]);
        let mut address = 0;
        for list in &self.edge {
            graph.push(address);
            address += list.len() as i32 + 1;
        }
        graph.extend(&self.vert);
        for list in &self.edge {
            graph.extend(list);
            graph.push(-1);
        }
        graph.extend(self.face.as_flattened());
        graph
    }
}

impl Quickhull<'_> {
    /// Reads the finished hull out of the lists.
    fn result(&self) -> Step<Hull> {
        let mut hull = Hull::default();
        let mut local = vec![-1; self.points.len()];
        let mut v = self.first_vertex;
        while self.has_vertex(v) {
            local[self.vertices[v].point] = hull.vert.len() as i32;
            hull.vert.push(self.vertices[v].point as i32);
            v = self.vertices[v].next;
        }
        let mut f = self.first_facet;
        while self.has_facet(f) {
            let facet = &self.facets[f];
            if !facet.visible {
                let [a, b, c] = facet.vertices[..] else { return Err(HullError::Irregular) };
                let [a, b, c] = [a, b, c].map(|v| self.vertices[v].point as i32);
                hull.face.push(if facet.top { [b, a, c] } else { [a, b, c] });
            }
            f = facet.next;
        }
        let mut v = self.first_vertex;
        while self.has_vertex(v) {
            let mut list: Vec<i32> = Vec::new();
            for &f in &self.vertices[v].neighbors {
                for &w in &self.facets[f].vertices {
                    let id = local[self.vertices[w].point];
                    if w != v && !list.contains(&id) {
                        list.push(id);
                    }
                }
            }
            hull.edge.push(list);
            v = self.vertices[v].next;
        }
        // every edge is seen from both ends, and a triangulated sphere has three edges for two faces
        let ends: usize = hull.edge.iter().map(Vec::len).sum();
        if ends == 3 * hull.face.len() { Ok(hull) } else { Err(HullError::Irregular) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(points: &[[f64; 3]], hull: &Hull) {
        let size = points.iter().flatten().fold(0f64, |m, x| m.max(x.abs()));
        for f in &hull.face {
            let [a, b, c] = f.map(|i| points[i as usize]);
            let sub = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let (u, v) = (sub(b, a), sub(c, a));
            let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
            for p in points {
                let d = sub(*p, a);
                let dist = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
                assert!(dist <= 1e-9 * size * length, "{dist} above {f:?}");
            }
        }
        // Euler's formula
        assert_eq!(hull.face.len(), 2 * hull.vert.len() - 4);
    }

    fn random(n: usize, seed: u64) -> Vec<[f64; 3]> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..n).map(|_| [next(), next(), next()]).collect()
    }

    #[test]
    fn random_points_are_below_all_faces() {
        for n in [4, 5, 10, 100, 1000] {
            let points = random(n, n as u64);
            check(&points, &Hull::build(&points, None).unwrap());
        }
    }

    #[test]
    fn grid_of_a_cube_has_eight_corners() {
        let points: Vec<[f64; 3]> = (0..216).map(|i| [i % 6, i / 6 % 6, i / 36].map(|x| f64::from(x) * 0.1)).collect();
        let hull = Hull::build(&points, None).unwrap();
        check(&points, &hull);
        assert_eq!(hull.vert.len(), 8);
    }

    #[test]
    fn cylinder_with_many_coplanar_points() {
        let mut points = Vec::new();
        for i in 0..64 {
            let (s, c) = (f64::from(i) * 0.1 + 0.01).sin_cos();
            for j in 0..5 {
                points.push([c, s, f64::from(j) * 0.3]);
                points.push([c * f64::from(j) / 5.0, s * f64::from(j) / 5.0, 0.0]);
            }
        }
        check(&points, &Hull::build(&points, None).unwrap());
    }

    #[test]
    fn limit_bounds_the_vertices() {
        let points = random(500, 7);
        assert_eq!(Hull::build(&points, Some(12)).unwrap().vert.len(), 12);
        assert_eq!(Hull::build(&points, Some(4)).unwrap().vert.len(), 4);
    }

    #[test]
    fn degenerate_points_are_errors() {
        assert_eq!(Hull::build(&random(3, 1), None), Err(HullError::TooFewPoints));
        let flat: Vec<[f64; 3]> = random(50, 2).into_iter().map(|p| [p[0], p[1], 0.25]).collect();
        assert_eq!(Hull::build(&flat, None), Err(HullError::Flat));
        assert!(Hull::build(&[[1.0; 3]; 10], None).is_err());
        let line: Vec<[f64; 3]> = (0..10).map(|i| [f64::from(i); 3]).collect();
        assert!(Hull::build(&line, None).is_err());
    }

    #[test]
    fn graph_lists_every_edge_twice() {
        let points = random(60, 3);
        let hull = Hull::build(&points, None).unwrap();
        let graph = hull.graph();
        assert_eq!(graph.len(), 2 + 3 * hull.vert.len() + 6 * hull.face.len());
        for (i, list) in hull.edge.iter().enumerate() {
            assert!(list.iter().all(|&j| hull.edge[j as usize].contains(&(i as i32))));
        }
    }
}
