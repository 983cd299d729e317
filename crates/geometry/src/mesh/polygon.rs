//! Merges coplanar faces into polygons.
//!
//! From each face that has no polygon yet, a region grows over neighbours whose normals agree with that of the first
//! face. The polygon is the region's outline; if the region has holes, the outer one.

use super::lists::Lists;
use super::sides::{Sides, next};
use sinew_math::{Vec3, vec3};
use std::cmp::Reverse;
use std::ops::Range;

/// Faces whose normals have a larger dot product than this lie in one plane.
const COPLANAR: f64 = 0.99999872;

/// A face with less than half this area is degenerate and has no normal.
const EPS: f64 = 1e-14;

/// Normal components closer than this count as equal when polygons are sorted.
const RESOLUTION: f64 = 1e-9;

/// The polygons of a mesh, sorted by decreasing components of their normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each polygon, in the orientation of its faces.
    pub vert: Lists,
    /// Polygons around each vertex of the mesh.
    pub map: Lists,
}

impl Polygons {
    /// Merges the faces. A region whose outline visits a vertex twice has no polygon.
    pub fn build(vert: &[Vec3], face: &[[i32; 3]]) -> Polygons {
        let sides = Sides::new(face);
        let regions = Regions::spread(&sides, face.iter().map(|f| direction(area(vert, f))).collect());
        let outlines = regions.outlines(&sides, vert);
        let outline = |region: usize| &outlines.vert[outlines.largest[region].clone()];
        let mut order: Vec<usize> = (0..regions.normal.len()).filter(|&r| is_simple(outline(r))).collect();
        order.sort_by_cached_key(|&r| regions.normal[r].map(|x| Reverse((x / RESOLUTION).round() as i64)));
        let mut polygons = Lists::default();
        order.into_iter().for_each(|r| polygons.push(outline(r)));
        Polygons { map: polygons.transposed(vert.len()), vert: polygons }
    }

    /// Normals of the polygons.
    pub fn normals(&self, vert: &[Vec3]) -> Vec<Vec3> {
        self.vert.iter().map(|outline| vec3::normalize(area(vert, outline)).0).collect()
    }
}

/// Area vector of an outline: along its normal, of length twice the enclosed area.
fn area(vert: &[Vec3], outline: &[i32]) -> Vec3 {
    let from_first = |i: i32| vec3::sub(vert[i as usize], vert[outline[0] as usize]);
    let triangles = outline[1..].windows(2).map(|w| vec3::cross(from_first(w[0]), from_first(w[1])));
    triangles.fold([0.0; 3], vec3::add)
}

fn direction(area: Vec3) -> Option<Vec3> {
    let length = vec3::norm(area);
    (length >= EPS).then(|| area.map(|x| x / length))
}

/// Connected faces in one plane.
struct Regions {
    /// Region of each face. Degenerate faces that no region reached have none.
    of_face: Vec<Option<u32>>,
    /// Normal of each region's first face.
    normal: Vec<Vec3>,
}

/// Outlines of regions and of the holes in them.
struct Outlines {
    /// Vertices of all outlines, concatenated.
    vert: Vec<i32>,
    /// For each region, the range of its outline of largest area.
    largest: Vec<Range<usize>>,
}

impl Regions {
    /// Grows the regions. A degenerate face belongs to the first region that reaches it, because it lies in every plane
    /// through its sides.
    fn spread(sides: &Sides, normal: Vec<Option<Vec3>>) -> Self {
        let mut regions = Regions { of_face: vec![None; normal.len()], normal: Vec::new() };
        let mut open = Vec::new();
        for (first, plane) in normal.iter().enumerate() {
            let Some(plane) = plane.filter(|_| regions.of_face[first].is_none()) else { continue };
            let region = Some(regions.normal.len() as u32);
            regions.normal.push(plane);
            regions.of_face[first] = region;
            open.push(first);
            while let Some(face) = open.pop() {
                for side in 3 * face..3 * face + 3 {
                    let Some(neighbour) = sides.partner(side).map(|p| p / 3) else { continue };
                    let flat = normal[neighbour].is_none_or(|n| vec3::dot(n, plane) > COPLANAR);
                    if flat && regions.of_face[neighbour].is_none() {
                        regions.of_face[neighbour] = region;
                        open.push(neighbour);
                    }
                }
            }
        }
        regions
    }

    /// Traces all outlines.
    fn outlines(&self, sides: &Sides, vert: &[Vec3]) -> Outlines {
        let mut outlines = Outlines { vert: Vec::new(), largest: vec![0..0; self.normal.len()] };
        let mut sizes = vec![0.0; self.normal.len()];
        let mut seen = vec![false; sides.len()];
        for first in 0..sides.len() {
            let Some(region) = self.of_face[first / 3].map(|r| r as usize) else { continue };
            if seen[first] || self.inner_partner(sides, first).is_some() {
                continue;
            }
            let start = outlines.vert.len();
            let mut side = first;
            while !seen[side] {
                seen[side] = true;
                outlines.vert.push(sides.start(side));
                side = self.next_outside(sides, side);
            }
            let size = vec3::dot(area(vert, &outlines.vert[start..]), self.normal[region]);
            if size > sizes[region] {
                sizes[region] = size;
                outlines.largest[region] = start..outlines.vert.len();
            }
        }
        outlines
    }

    /// The next side of the outline: rotates about the end of this side through faces of the region until a side has no
    /// neighbour in it. Partners are mutual, so every side has exactly one successor and every outline closes.
    fn next_outside(&self, sides: &Sides, side: usize) -> usize {
        let mut side = next(side);
        while let Some(partner) = self.inner_partner(sides, side) {
            side = next(partner);
        }
        side
    }

    /// The partner of a side, if it belongs to the same region.
    fn inner_partner(&self, sides: &Sides, side: usize) -> Option<usize> {
        sides.partner(side).filter(|p| self.of_face[p / 3] == self.of_face[side / 3])
    }
}

/// Whether an outline encloses an area and visits no vertex twice.
fn is_simple(outline: &[i32]) -> bool {
    if let [a, b, c] = *outline {
        return a != b && b != c && c != a;
    }
    let mut sorted = outline.to_vec();
    sorted.sort_unstable();
    outline.len() >= 3 && sorted.windows(2).all(|w| w[0] != w[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(lists: &Lists) -> Vec<Vec<i32>> {
        lists.iter().map(<[i32]>::to_vec).collect()
    }

    /// Triangles of the cells of a square grid of `n × n` vertices.
    fn grid(n: i32, cells: impl Iterator<Item = i32>) -> (Vec<Vec3>, Vec<[i32; 3]>) {
        let vert = (0..n * n).map(|i| [f64::from(i % n), f64::from(i / n), 0.0]).collect();
        let cells = cells.filter(|i| i % n < n - 1 && i / n < n - 1);
        (vert, cells.flat_map(|i| [[i, i + 1, i + n], [i + 1, i + n + 1, i + n]]).collect())
    }

    #[test]
    fn cube_has_six_squares_with_outward_normals() {
        let vert: Vec<Vec3> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let face: Vec<_> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let polygons = Polygons::build(&vert, &face);
        assert_eq!(polygons.vert.len(), 6);
        assert!(polygons.vert.iter().all(|p| p.len() == 4));
        assert!(polygons.map.iter().all(|m| m.len() == 3));
        let normals = polygons.normals(&vert);
        assert_eq!([normals[0], normals[5]], [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
    }

    #[test]
    fn coplanar_faces_apart_stay_two_polygons() {
        let vert = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [5., 0., 0.], [6., 0., 0.], [5., 1., 0.], [6., 1., 0.]];
        let polygons = Polygons::build(&vert, &[[0, 1, 2], [3, 4, 5], [4, 6, 5]]);
        assert_eq!(lists(&polygons.vert), [vec![0, 1, 2], vec![3, 4, 6, 5]]);
        assert_eq!(lists(&polygons.map)[4], [1]);
    }

    #[test]
    fn large_plane_is_one_polygon() {
        let n = 30;
        let (vert, face) = grid(n, 0..n * n);
        let polygons = Polygons::build(&vert, &face);
        assert_eq!(polygons.vert.len(), 1);
        assert_eq!(polygons.vert.items.len(), 4 * (n as usize - 1));
    }

    #[test]
    fn of_a_ring_the_outer_outline_counts() {
        // the hole comes first in the order of sides
        let (vert, mut face) = grid(4, (0..16).filter(|&i| i != 5));
        face.rotate_left(3);
        let polygons = Polygons::build(&vert, &face);
        assert_eq!(polygons.vert.len(), 1);
        assert_eq!(polygons.vert.items.len(), 12);
        assert!(polygons.map.iter().nth(5).is_some_and(<[i32]>::is_empty));
    }

    #[test]
    fn concave_polygons_face_the_way_of_their_faces() {
        // the outline starts just before its concave corner
        let vert = [[0., 1., 0.], [1., 1., 0.], [1., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.]];
        let polygons = Polygons::build(&vert, &[[0, 1, 5], [1, 4, 5], [1, 2, 4], [2, 3, 4]]);
        assert_eq!(lists(&polygons.vert), [vec![0, 1, 2, 3, 4, 5]]);
        assert_eq!(polygons.normals(&vert), [[0.0, 0.0, 1.0]]);
    }

    #[test]
    fn slightly_bent_strips_do_not_run_on() {
        // neighbours agree, but the strip turns by more than the tolerance
        let n = 100;
        let point = |i: i32| {
            let (sin, cos) = (0.001 * f64::from(i / 2)).sin_cos();
            [sin, f64::from(i % 2), cos]
        };
        let vert: Vec<Vec3> = (0..2 * n).map(point).collect();
        let face: Vec<[i32; 3]> =
            (0..n - 1).flat_map(|k| [[2 * k, 2 * k + 2, 2 * k + 1], [2 * k + 2, 2 * k + 3, 2 * k + 1]]).collect();
        let polygons = Polygons::build(&vert, &face);
        assert!((40..60).contains(&polygons.vert.len()), "{}", polygons.vert.len());
        assert!(polygons.vert.iter().all(|p| (4..=6).contains(&p.len())));
    }

    #[test]
    fn faces_of_no_area_join_what_they_touch() {
        // a square whose long diagonal has a vertex on one side only, closed by a flat triangle
        let vert = [[0., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.], [1., 1., 0.]];
        let polygons = Polygons::build(&vert, &[[0, 1, 2], [0, 4, 3], [4, 2, 3], [0, 2, 4], [1, 1, 2]]);
        assert_eq!(lists(&polygons.vert), [vec![0, 1, 2, 3]]);
    }
}
