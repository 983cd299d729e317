//! Properties of hulls: closed, convex, made of extreme points, and containing every point.

use proptest::prelude::*;
use sinew_geometry::mesh::hull::{Hull, HullError};
use std::collections::HashMap;

type Vec3 = [f64; 3];

/// Points are moved by at most half a cell of a grid of 2⁴⁰ cells; a height is a difference of two points.
const ROUNDING: f64 = 4e-12;

fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn extent(points: &[Vec3]) -> f64 {
    let span = |k: usize| {
        let low = points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max) - low
    };
    span(0).max(span(1)).max(span(2))
}

/// The hull is closed and consistently oriented, its edge count satisfies Euler's formula, and the graph agrees.
fn check_topology(hull: &Hull) {
    assert_eq!(hull.face.len(), 2 * hull.vert.len() - 4, "Euler's formula");
    let mut edges: HashMap<[i32; 2], u32> = HashMap::new();
    for [a, b, c] in &hull.face {
        for side in [[*a, *b], [*b, *c], [*c, *a]] {
            *edges.entry(side).or_default() += 1;
        }
    }
    for (&[a, b], &count) in &edges {
        assert_eq!(count, 1, "one face on each side of an edge");
        assert!(edges.contains_key(&[b, a]), "an edge has two sides");
    }
    assert_eq!(hull.edge.iter().map(Vec::len).sum::<usize>(), edges.len());
    for (i, list) in hull.edge.iter().enumerate() {
        for &j in list {
            assert!(edges.contains_key(&[hull.vert[i], hull.vert[j as usize]]));
        }
    }
    assert_eq!(hull.graph().len(), 2 + 3 * hull.vert.len() + 6 * hull.face.len());
}

/// No point is above a face, up to rounding. The plane of a sliver is inaccurate far from it, so the bound grows as its
/// height shrinks.
fn check_convex(points: &[Vec3], hull: &Hull, stride: usize) {
    let size = extent(points);
    for f in hull.face.iter().step_by(stride) {
        let [a, b, c] = f.map(|i| points[i as usize]);
        let (u, v) = (sub(b, a), sub(c, a));
        let n = cross(u, v);
        let area = dot(n, n).sqrt();
        let longest = [u, v, sub(c, b)].iter().map(|e| dot(*e, *e)).fold(0.0, f64::max).sqrt();
        let bound = ROUNDING * size * (1.0 + size * longest / area);
        for p in points {
            let height = dot(n, sub(*p, a)) / area;
            assert!(height <= bound, "{p:?} is {height} above {f:?}, more than {bound}");
        }
    }
}

fn check(points: &[Vec3]) -> Hull {
    let hull = Hull::build(points, None).unwrap();
    check_topology(&hull);
    check_convex(points, &hull, 1);
    hull
}

fn random(n: usize, seed: u64) -> Vec<Vec3> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    (0..n).map(|_| [next(), next(), next()]).collect()
}

fn sphere(n: usize, seed: u64) -> Vec<Vec3> {
    let unit = |p: Vec3| p.map(|x| x / dot(p, p).sqrt());
    random(n, seed).into_iter().map(unit).collect()
}

fn grid(n: i32, step: f64) -> Vec<Vec3> {
    (0..n * n * n).map(|i| [i % n, i / n % n, i / n / n].map(|x| f64::from(x) * step)).collect()
}

fn sorted(mut list: Vec<i32>) -> Vec<i32> {
    list.sort();
    list
}

#[test]
fn all_points_of_a_sphere_are_vertices() {
    for n in [4, 5, 20, 300] {
        assert_eq!(check(&sphere(n, n as u64)).vert.len(), n);
    }
}

#[test]
fn hundred_thousand_points() {
    for (points, vertices) in [(sphere(100_000, 3), 100_000..100_001), (random(100_000, 4), 100..2000)] {
        let hull = Hull::build(&points, None).unwrap();
        check_topology(&hull);
        check_convex(&points, &hull, hull.face.len() / 40);
        assert!(vertices.contains(&hull.vert.len()), "{}", hull.vert.len());
    }
}

#[test]
fn only_corners_of_a_grid_are_vertices() {
    for step in [1.0, 0.1, 3e-7, 1e30] {
        let points = grid(6, step);
        let hull = check(&points);
        let corners = [0, 5, 30, 35, 180, 185, 210, 215];
        assert_eq!(sorted(hull.vert), corners);
    }
}

#[test]
fn noise_below_rounding_makes_no_vertices() {
    for noise in [1e-13, 1e-15, 1e-17] {
        let jitter = random(216, 5);
        let points: Vec<Vec3> =
            grid(6, 0.25).iter().zip(&jitter).map(|(p, j)| [0, 1, 2].map(|k| p[k] + noise * j[k])).collect();
        assert_eq!(check(&points).vert.len(), 8);
    }
}

#[test]
fn noise_around_rounding_keeps_the_hull_sound() {
    for noise in [1e-8, 1e-10, 1e-11, 1e-12] {
        let jitter = random(1000, 6);
        let points: Vec<Vec3> =
            grid(10, 0.3).iter().zip(&jitter).map(|(p, j)| [0, 1, 2].map(|k| p[k] + noise * j[k])).collect();
        let hull = check(&points);
        for corner in [0, 9, 90, 99, 900, 909, 990, 999] {
            assert!(hull.vert.contains(&corner));
        }
    }
}

#[test]
fn duplicates_add_nothing() {
    let mut points = random(50, 8);
    let single = check(&points);
    points.extend(points.clone());
    points.extend(points.clone());
    let hull = check(&points);
    let mut places: Vec<i32> = hull.vert.iter().map(|i| i % 50).collect();
    places.sort();
    assert_eq!(places, sorted(single.vert));
}

#[test]
fn a_fine_cylinder_keeps_its_rims_only() {
    let mut points = Vec::new();
    for i in 0..64 {
        let (s, c) = (f64::from(i) * 0.098).sin_cos();
        for j in 0..5 {
            points.push([c, s, f64::from(j) * 0.3]);
            points.push([c * f64::from(j) / 5.0, s * f64::from(j) / 5.0, 0.0]);
        }
    }
    assert_eq!(check(&points).vert.len(), 128);
}

#[test]
fn clouds_without_a_volume_are_errors() {
    let map = |f: fn(Vec3) -> Vec3| random(50, 2).into_iter().map(f).collect::<Vec<_>>();
    assert_eq!(Hull::build(&random(3, 1), None), Err(HullError::TooFewPoints));
    assert_eq!(Hull::build(&[], None), Err(HullError::TooFewPoints));
    assert_eq!(Hull::build(&[[1.0; 3]; 10], None), Err(HullError::Flat));
    assert_eq!(Hull::build(&map(|p| [p[0], p[1], 0.25]), None), Err(HullError::Flat));
    assert_eq!(Hull::build(&map(|p| [p[0], p[1], 1e-17 * p[2]]), None), Err(HullError::Flat));
    assert_eq!(Hull::build(&map(|p| [p[0]; 3]), None), Err(HullError::Flat));
    assert_eq!(Hull::build(&map(|p| p.map(|x| x * 1e-310)), None), Err(HullError::Flat));
    assert_eq!(Hull::build(&map(|p| [p[0], f64::NAN, p[2]]), None), Err(HullError::NotFinite));
    assert_eq!(Hull::build(&map(|p| [p[0], p[1], f64::INFINITY]), None), Err(HullError::NotFinite));
    check(&map(|p| [p[0], p[1], 1e-9 * p[2]]));
}

#[test]
fn scale_changes_nothing() {
    let points = random(200, 9);
    let hull = check(&points);
    for power in [-900, -100, 100, 1000] {
        let scaled: Vec<Vec3> = points.iter().map(|p| p.map(|x| x * 2f64.powi(power))).collect();
        assert_eq!(Hull::build(&scaled, None).unwrap(), hull);
    }
}

#[test]
fn a_limit_bounds_the_vertices() {
    let points = sphere(500, 7);
    for limit in [4, 12, 100] {
        let hull = Hull::build(&points, Some(limit)).unwrap();
        check_topology(&hull);
        assert_eq!(hull.vert.len(), limit);
    }
    assert_eq!(Hull::build(&points, Some(1000)), Hull::build(&points, None));
}

proptest! {
    /// Small integers: most points are coplanar, collinear or equal to others.
    #[test]
    fn clouds_of_small_integers(points in prop::collection::vec(prop::array::uniform3(-3i32..4), 4..60)) {
        let points: Vec<Vec3> = points.into_iter().map(|p| p.map(f64::from)).collect();
        match Hull::build(&points, None) {
            Ok(hull) => {
                check_topology(&hull);
                check_convex(&points, &hull, 1);
            }
            Err(e) => {
                let [a, b] = [points[0], *points.iter().find(|p| **p != points[0]).unwrap_or(&points[0])];
                let normals = points.iter().map(|p| cross(sub(b, a), sub(*p, a)));
                let n = normals.max_by(|n, m| dot(*n, *n).total_cmp(&dot(*m, *m))).unwrap();
                prop_assert!(points.iter().all(|p| dot(n, sub(*p, a)) == 0.0), "{e} without reason");
            }
        }
    }

    /// The hull of the vertices has the same vertices, and so has the hull of the points in a rotated order.
    #[test]
    fn vertices_do_not_depend_on_order(points in prop::collection::vec(prop::array::uniform3(-9i32..10), 4..80), turn in 0usize..80) {
        let mut distinct: Vec<Vec3> = Vec::new();
        for p in points.into_iter().map(|p| p.map(|x| f64::from(x) * 0.1)) {
            if !distinct.contains(&p) {
                distinct.push(p);
            }
        }
        let place = |hull: &Hull, points: &[Vec3]| {
            let mut list: Vec<Vec3> = hull.vert.iter().map(|&i| points[i as usize]).collect();
            list.sort_by(|p, q| p.partial_cmp(q).unwrap());
            list
        };
        if let Ok(hull) = Hull::build(&distinct, None) {
            let corners = place(&hull, &distinct);
            let again = Hull::build(&corners, None).unwrap();
            prop_assert_eq!(&place(&again, &corners), &corners);
            let mut turned = distinct.clone();
            turned.rotate_left(turn % distinct.len());
            turned.reverse();
            let other = Hull::build(&turned, None).unwrap();
            prop_assert_eq!(place(&other, &turned), corners);
        }
    }

    /// Slivers and mixed scales.
    #[test]
    fn clouds_of_any_shape(points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 4..60), power in prop::array::uniform3(-9i32..9)) {
        let points: Vec<Vec3> =
            points.into_iter().map(|p| [0, 1, 2].map(|k| f64::from(p[k]) * 10f64.powi(power[k]))).collect();
        if let Ok(hull) = Hull::build(&points, None) {
            check_topology(&hull);
            check_convex(&points, &hull, 1);
        }
    }
}
