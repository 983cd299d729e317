//! Convex pairs: invariants that hold for all shapes, and degenerate shapes.

mod common;

use common::SETTINGS;
use sinew_geometry::collide::{Contact, Kind, Mesh, Settings, Shape, Work, convex, distance};
use sinew_math::{Mat3, Vec3, mat3, quat, vec3};

/// Enough iterations for round shapes to converge.
const PATIENT: Settings = Settings { ccd_iterations: 300, ..SETTINGS };

/// Overlaps found by portal refinement.
const PORTAL: Settings = Settings { nativeccd: false, ..PATIENT };

/// Vertices without hull or polygons.
struct Cloud {
    vert: Vec<[f32; 3]>,
    zeros: Vec<i32>,
}

impl Cloud {
    fn new(vert: impl Into<Vec<[f32; 3]>>) -> Self {
        let vert = vert.into();
        Cloud { zeros: vec![0; vert.len()], vert }
    }

    fn mesh(&self) -> Mesh<'_> {
        Mesh { vert: &self.vert, polymapadr: &self.zeros, polymapnum: &self.zeros, ..Mesh::default() }
    }
}

/// Bounding box of every mesh here, so large that no pair is rejected without a search.
const AROUND: [f64; 6] = [0.0, 0.0, 0.0, 1e31, 1e31, 1e31];

fn shape<'a>(kind: Kind<'a>, pos: Vec3, mat: &'a Mat3, size: Vec3) -> Shape<'a> {
    Shape { pos, mat, size, rbound: vec3::norm(size), aabb: &AROUND, kind }
}

/// Uniform numbers in [−1, 1) from a seed.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn turn(seed: &mut u64) -> Mat3 {
    quat::to_mat(quat::normalize(std::array::from_fn(|_| random(seed))).0)
}

fn contacts(a: &Shape, b: &Shape, margin: f64, settings: &Settings, work: &mut Work) -> Vec<Contact> {
    convex::collide(a, b, margin, settings, work);
    work.contacts.clone()
}

#[test]
fn balls_are_apart_by_their_radii() {
    let (mut seed, mut work) = (1, Work::new(300));
    for _ in 0..200 {
        let (ra, rb) = (0.1 + random(&mut seed).abs(), 0.1 + random(&mut seed).abs());
        let at: Vec3 = std::array::from_fn(|_| 2.0 * random(&mut seed));
        let (ma, mb) = (turn(&mut seed), turn(&mut seed));
        // a sphere, and an ellipsoid with equal half-axes
        let a = shape(Kind::Sphere, [0.0; 3], &ma, [ra, 0.0, 0.0]);
        let b = shape(Kind::Ellipsoid, at, &mb, [rb; 3]);
        let want = vec3::norm(at) - ra - rb;
        let got = distance(&a, &b, 1e9, &PATIENT, &mut work);
        assert!((got.dist - want).abs() < 1e-5, "{} {want}", got.dist);
        let found = contacts(&a, &b, 0.0, &PATIENT, &mut work);
        if want.abs() > 1e-5 {
            assert_eq!(found.len(), usize::from(want < 0.0));
        }
        for c in found {
            assert!((vec3::norm(c.normal) - 1.0).abs() < 1e-9);
            assert!(vec3::dot(c.normal, at) > 0.99 * vec3::norm(at), "from the first to the second");
        }
    }
}

#[test]
fn depth_moves_shapes_apart() {
    let (mut seed, mut work) = (2, Work::new(300));
    let cube = Cloud::new(
        (0..8).map(|i| std::array::from_fn(|k| if i >> k & 1 == 1 { 0.3 } else { -0.3 })).collect::<Vec<_>>(),
    );
    let cube = cube.mesh();
    let kinds = [Kind::Ellipsoid, Kind::Cylinder, Kind::Capsule, Kind::Box, Kind::Mesh(&cube)];
    let mut deep = 0;
    for _ in 0..40 {
        for first in kinds {
            for second in kinds {
                let (ma, mb) = (turn(&mut seed), turn(&mut seed));
                let at: Vec3 = std::array::from_fn(|_| 0.4 * random(&mut seed));
                let a = shape(first, [0.0; 3], &ma, [0.2, 0.3, 0.25]);
                let b = shape(second, at, &mb, [0.3, 0.15, 0.2]);
                for c in contacts(&a, &b, 0.0, &PATIENT, &mut work) {
                    deep += 1;
                    let away = vec3::add_scaled(at, c.normal, -c.dist + 2e-4);
                    let b = Shape { pos: away, ..b };
                    assert!(distance(&a, &b, 1e9, &PATIENT, &mut work).dist >= 0.0, "{first:?} {second:?} {c:?}");
                }
            }
        }
    }
    assert!(deep > 300);
}

/// Both pipelines agree on what overlaps, and a portal bounds the depth from above.
#[test]
fn portals_are_passed_where_shapes_overlap() {
    let (mut seed, mut work) = (4, Work::new(300));
    let cube = Cloud::new(
        (0..8).map(|i| std::array::from_fn(|k| if i >> k & 1 == 1 { 0.3 } else { -0.3 })).collect::<Vec<_>>(),
    );
    let cube = cube.mesh();
    let kinds = [Kind::Sphere, Kind::Ellipsoid, Kind::Cylinder, Kind::Capsule, Kind::Box, Kind::Mesh(&cube)];
    let mut tally = [0; 2];
    for _ in 0..60 {
        for first in kinds {
            for second in kinds {
                let (ma, mb) = (turn(&mut seed), turn(&mut seed));
                let at: Vec3 = std::array::from_fn(|_| 0.5 * random(&mut seed));
                let a = shape(first, [0.0; 3], &ma, [0.2, 0.3, 0.25]);
                let b = shape(second, at, &mb, [0.3, 0.15, 0.2]);
                let dist = distance(&a, &b, 1e9, &PATIENT, &mut work).dist;
                if dist.abs() < 1e-4 {
                    continue;
                }
                let found = contacts(&a, &b, 0.0, &PORTAL, &mut work);
                assert_eq!(found.len(), usize::from(dist < 0.0), "{first:?} {second:?} {dist}");
                tally[found.len()] += 1;
                for c in found {
                    assert!(c.dist < dist + 1e-4, "{first:?} {second:?} {dist} {c:?}");
                    assert!((vec3::norm(c.normal) - 1.0).abs() < 1e-12);
                }
                // the margin is taken into account
                let near = contacts(&a, &b, dist.abs() + 1e-3, &PORTAL, &mut work);
                assert_eq!(near.len(), 1, "{first:?} {second:?} {dist}");
            }
        }
    }
    assert!(tally[0] > 300 && tally[1] > 300, "{tally:?}");
}

/// Rotating and moving both shapes rotates and moves the contact; swapping them reverses the normal.
#[test]
fn contacts_follow_the_shapes() {
    let (mut seed, mut work) = (5, Work::new(300));
    let kinds = [Kind::Ellipsoid, Kind::Capsule, Kind::Sphere];
    let mut seen = 0;
    for _ in 0..60 {
        for settings in [PATIENT, PORTAL] {
            for first in kinds {
                for second in kinds {
                    let (ma, mb, turn, shift) = (turn(&mut seed), turn(&mut seed), turn(&mut seed), [0.3, -0.2, 0.1]);
                    let at: Vec3 = std::array::from_fn(|_| 0.5 * random(&mut seed));
                    let a = shape(first, [0.0; 3], &ma, [0.2, 0.3, 0.25]);
                    let b = shape(second, at, &mb, [0.3, 0.15, 0.2]);
                    let (ta, tb) = (mat3::mul(&turn, &ma), mat3::mul(&turn, &mb));
                    let moved_a = Shape { pos: shift, mat: &ta, ..a };
                    let moved_b = Shape { pos: vec3::add(mat3::mul_vec(&turn, at), shift), mat: &tb, ..b };
                    let found = contacts(&a, &b, 0.0, &settings, &mut work);
                    let moved = contacts(&moved_a, &moved_b, 0.0, &settings, &mut work);
                    let swapped = contacts(&b, &a, 0.0, &settings, &mut work);
                    if !found.iter().any(|c| (-0.05..-1e-3).contains(&c.dist)) {
                        continue;
                    }
                    seen += 1;
                    let (c, m, s) = (found[0], moved[0], swapped[0]);
                    // portal refinement ends when any corner is at the surface
                    let tolerance = if settings.nativeccd { 2e-6 } else { 1e-3 };
                    assert!((c.dist - m.dist).abs() < tolerance, "{first:?} {second:?} {c:?} {m:?}");
                    if settings.nativeccd {
                        assert!((c.dist - s.dist).abs() < 2e-6, "{first:?} {second:?} {c:?} {s:?}");
                    } else {
                        // the ray is the same, so the portal exits at the same position
                        assert!(vec3::dist(c.pos, s.pos) < 0.02, "{first:?} {second:?} {c:?} {s:?}");
                    }
                    let at = vec3::add(mat3::mul_vec(&turn, c.pos), shift);
                    assert!(vec3::dist(at, m.pos) < 1e-2, "{first:?} {second:?} {c:?} {m:?}");
                    assert!(vec3::dot(mat3::mul_vec(&turn, c.normal), m.normal) > 0.99);
                    assert!(vec3::dot(c.normal, s.normal) < -0.9, "{first:?} {second:?} {c:?} {s:?}");
                }
            }
        }
    }
    assert!(seen > 80, "{seen}");
}

#[test]
fn shapes_that_are_hardly_any_end_in_time_and_with_numbers() {
    let clouds = [
        Cloud::new([[0.0; 3]]),
        Cloud::new([[0.1, 0.2, 0.3]; 5]),
        Cloud::new([[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.2, 0.0, 0.0]]),
        Cloud::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]),
        Cloud::new([[0.0; 3], [1e-30, 0.0, 0.0], [0.0, 1e-30, 0.0], [0.0, 0.0, 1e-30]]),
        Cloud::new([[0.0; 3], [1e30, 0.0, 0.0], [0.0, 1e30, 0.0], [0.0, 0.0, 1e30]]),
    ];
    let mut kinds = vec![Kind::Sphere, Kind::Capsule, Kind::Ellipsoid, Kind::Cylinder, Kind::Box];
    let meshes: Vec<Mesh> = clouds.iter().map(Cloud::mesh).collect();
    kinds.extend(meshes.iter().map(Kind::Mesh));
    let (mut seed, mut work) = (3, Work::new(35));
    let turned = turn(&mut seed);
    let sizes = [[0.0; 3], [1e-12; 3], [1e12; 3], [1e-9, 1.0, 1e6], [0.3, 0.2, 0.1]];
    let places = [[0.0; 3], [1e-16, 0.0, 0.0], [0.1, 0.0, 0.0], [1e15, -1e15, 1.0]];
    for (i, &first) in kinds.iter().enumerate() {
        for &second in &kinds[i..] {
            for size in sizes {
                for at in places {
                    for (margin, multiccd, nativeccd) in [
                        (0.0, false, true),
                        (0.0, true, true),
                        (0.1, true, true),
                        (0.0, true, false),
                        (0.1, false, false),
                    ] {
                        let settings = Settings { multiccd, nativeccd, ..SETTINGS };
                        let a = shape(first, [0.0; 3], &mat3::IDENTITY, [0.3, 0.2, 0.1]);
                        let b = shape(second, at, &turned, size);
                        for c in contacts(&a, &b, margin, &settings, &mut work) {
                            let all = c.pos.iter().chain(&c.normal).chain([&c.dist]);
                            assert!(all.clone().all(|x| x.is_finite()), "{first:?} {second:?} {size:?} {at:?}: {c:?}");
                        }
                        assert!(!distance(&a, &b, 1.0, &settings, &mut work).dist.is_nan());
                    }
                }
            }
        }
    }
}

#[test]
fn no_numbers_end_without_contacts() {
    let mut work = Work::new(35);
    let broken = [f64::NAN; 9];
    for kind in [Kind::Sphere, Kind::Capsule, Kind::Ellipsoid, Kind::Cylinder, Kind::Box] {
        let a = shape(kind, [0.0; 3], &broken, [0.1; 3]);
        let b = shape(Kind::Ellipsoid, [f64::NAN; 3], &mat3::IDENTITY, [0.1; 3]);
        convex::collide(&a, &b, 0.0, &SETTINGS, &mut work);
        convex::collide(&b, &b, 0.0, &Settings { ccd_iterations: 0, ..SETTINGS }, &mut work);
        assert!(work.contacts.is_empty());
    }
}

#[test]
fn meshes_may_reach_beyond_their_boxes_by_a_rounding() {
    // boxes are computed before vertices are rounded to single precision: 0.05 becomes 0.0500000007
    let corner = |i: usize| [1, 2, 4].map(|bit| if i & bit == 0 { -0.05f32 } else { 0.05 });
    let cloud = Cloud::new(std::array::from_fn::<_, 8, _>(corner));
    let (mesh, mut work) = (cloud.mesh(), Work::new(35));
    let at = |x: f64| Shape {
        aabb: &[0.0, 0.0, 0.0, 0.05, 0.05, 0.05],
        ..shape(Kind::Mesh(&mesh), [x, 0.01, 0.02], &mat3::IDENTITY, [0.05; 3])
    };
    let overlap = 2.0 * f64::from(0.05f32) - (0.1 + 8e-10);
    let found = contacts(&at(0.0), &at(0.1 + 8e-10), 0.0, &SETTINGS, &mut work);
    assert!(overlap > 0.0 && found.len() == 1, "{found:?}");
    assert!((found[0].dist + overlap).abs() < 1e-15, "{} {overlap}", found[0].dist);
}
