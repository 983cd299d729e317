//! Properties of contacts that need no reference engine.

use sinew_geometry::collide::{Contact, Kind, MAX_CONTACTS, Mesh, Method, Settings, Shape, Work, collide, method};
use sinew_geometry::ray::HeightField;
use sinew_math::{Mat3, Quat, Vec3, mat3, quat, vec3};
use std::sync::LazyLock;

const SETTINGS: Settings = Settings {
    ccd_tolerance: 1e-6,
    ccd_iterations: 50,
    nativeccd: true,
    multiccd: false,
    sdf_initpoints: 10,
    sdf_iterations: 10,
};

/// Corners of a cube.
const CUBE: [[f32; 3]; 8] = [
    [-0.3, -0.3, -0.3],
    [0.3, -0.3, -0.3],
    [-0.3, 0.3, -0.3],
    [0.3, 0.3, -0.3],
    [-0.3, -0.3, 0.3],
    [0.3, -0.3, 0.3],
    [-0.3, 0.3, 0.3],
    [0.3, 0.3, 0.3],
];
const HILLS: [f32; 12] = [0.1, 0.9, 0.3, 0.2, 0.7, 0.0, 0.5, 1.0, 0.4, 0.8, 0.6, 0.1];

static CLOUD: LazyLock<Mesh> = LazyLock::new(|| Mesh { vert: &CUBE, ..Mesh::default() });
static FIELD: HeightField = HeightField { size: [0.6, 0.5, 0.3, 0.2], nrow: 3, ncol: 4, data: &HILLS };

/// All kinds except signed distances, which have no closed surface here.
fn kinds() -> [Kind<'static>; 8] {
    [
        Kind::Plane,
        Kind::Hfield(&FIELD),
        Kind::Sphere,
        Kind::Capsule,
        Kind::Ellipsoid,
        Kind::Cylinder,
        Kind::Box,
        Kind::Mesh(&CLOUD),
    ]
}

fn pairs() -> impl Iterator<Item = [Kind<'static>; 2]> {
    let all = kinds();
    (0..8).flat_map(move |i| (i.max(2)..8).map(move |j| [all[i], all[j]]))
}

/// Reproducible random numbers in [−1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn vec(&mut self) -> Vec3 {
        [self.next(), self.next(), self.next()]
    }

    fn turn(&mut self) -> Quat {
        quat::normalize([self.next(), self.next(), self.next(), self.next()]).0
    }

    fn size(&mut self) -> Vec3 {
        self.vec().map(|x| 0.3 + 0.2 * x)
    }
}

/// The data of a shape, owned.
#[derive(Clone, Copy)]
struct Body {
    pos: Vec3,
    quat: Quat,
    size: Vec3,
    kind: Kind<'static>,
}

impl Body {
    fn random(kind: Kind<'static>, n: &mut Numbers) -> Self {
        Body { pos: vec3::scale(n.vec(), 0.4), quat: n.turn(), size: n.size(), kind }
    }

    /// Moved with the world: rotated about the origin, then translated.
    fn moved(self, turn: Quat, shift: Vec3) -> Self {
        Body { pos: vec3::add(quat::rotate(turn, self.pos), shift), quat: quat::mul(turn, self.quat), ..self }
    }
}

fn contacts(a: &Body, b: &Body, margin: f64) -> Vec<Contact> {
    let mats: [Mat3; 2] = [quat::to_mat(a.quat), quat::to_mat(b.quat)];
    raw(a, &mats[0], b, &mats[1], margin)
}

fn raw(a: &Body, mat_a: &Mat3, b: &Body, mat_b: &Mat3, margin: f64) -> Vec<Contact> {
    raw_with(&SETTINGS, a, mat_a, b, mat_b, margin)
}

fn raw_with(settings: &Settings, a: &Body, mat_a: &Mat3, b: &Body, mat_b: &Mat3, margin: f64) -> Vec<Contact> {
    let mut work = Work::new(settings.ccd_iterations);
    collide(&shape(a, mat_a), &shape(b, mat_b), margin, settings, &mut work);
    work.contacts
}

/// Bounding box of every mesh here; primitive shapes compute theirs from their size.
const AROUND: [f64; 6] = [0.0, 0.0, 0.0, 0.31, 0.31, 0.31];

fn shape<'a>(body: &Body, mat: &'a Mat3) -> Shape<'a> {
    let rbound = 2.0 * vec3::norm(body.size).max(1.0);
    Shape { pos: body.pos, mat, size: body.size, rbound, aabb: &AROUND, kind: body.kind }
}

fn deepest(contacts: &[Contact]) -> f64 {
    contacts.iter().fold(f64::INFINITY, |least, c| least.min(c.dist))
}

fn closed(a: &Kind, b: &Kind) -> bool {
    matches!(method(a, b), Method::Analytic(_))
}

fn name(a: &Kind, b: &Kind) -> String {
    format!("types {} and {}", a.index(), b.index())
}

#[test]
fn every_pair_in_order_has_a_method_and_none_in_reverse() {
    let all = kinds();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let never = matches!(method(a, b), Method::None);
            assert_eq!(never, i > j || j < 2, "{}", name(a, b));
        }
    }
}

#[test]
fn swapping_alike_shapes_flips_the_normal() {
    let mut n = Numbers(1);
    for kind in kinds().into_iter().skip(2) {
        let mut seen = 0;
        for _ in 0..300 {
            let (a, b) = (Body::random(kind, &mut n), Body::random(kind, &mut n));
            let (one, two) = (contacts(&a, &b, 0.0), contacts(&b, &a, 0.0));
            assert_eq!(one.is_empty(), two.is_empty(), "{}", name(&kind, &kind));
            let tolerance = if closed(&kind, &kind) { 1e-12 } else { 1e-4 };
            // deep overlaps have more than one direction of least depth
            if one.is_empty() || deepest(&one) < -0.05 {
                continue;
            }
            seen += 1;
            if !matches!(kind, Kind::Box) {
                assert!((deepest(&one) - deepest(&two)).abs() < tolerance, "{}", name(&kind, &kind));
            }
            let flipped = vec3::add(one[0].normal, two[0].normal);
            assert!(vec3::norm(flipped) < tolerance.sqrt(), "{}: {flipped:?}", name(&kind, &kind));
        }
        assert!(seen > 10, "{} shallow overlaps of {}", seen, name(&kind, &kind));
    }
}

#[test]
fn moving_both_shapes_moves_the_contacts() {
    let mut n = Numbers(2);
    for [ka, kb] in pairs() {
        let mut seen = 0;
        for _ in 0..300 {
            let (a, b) = (Body::random(ka, &mut n), Body::random(kb, &mut n));
            let (turn, shift) = (n.turn(), n.vec());
            let before = contacts(&a, &b, 0.02);
            let after = contacts(&a.moved(turn, shift), &b.moved(turn, shift), 0.02);
            let tolerance = if closed(&ka, &kb) { 1e-9 } else { 1e-3 };
            if !closed(&ka, &kb) && deepest(&before) < -0.1 {
                continue;
            }
            assert_eq!(before.len(), after.len(), "{}", name(&ka, &kb));
            for (c, d) in before.iter().zip(&after) {
                seen += 1;
                assert!((c.dist - d.dist).abs() < tolerance, "{}: {} {}", name(&ka, &kb), c.dist, d.dist);
                if closed(&ka, &kb) {
                    let pos = vec3::add(quat::rotate(turn, c.pos), shift);
                    assert!(vec3::dist(pos, d.pos) < tolerance, "{}", name(&ka, &kb));
                    let normal = quat::rotate(turn, c.normal);
                    assert!(vec3::dist(normal, d.normal) < tolerance, "{}", name(&ka, &kb));
                }
            }
        }
        assert!(seen > 5, "{seen} contacts of {}", name(&ka, &kb));
    }
}

#[test]
fn separating_by_the_depth_ends_the_overlap() {
    let mut n = Numbers(3);
    for [ka, kb] in pairs() {
        // several prisms, each with its own normal
        if matches!(ka, Kind::Hfield(_)) {
            continue;
        }
        let mut seen = 0;
        for _ in 0..200 {
            let (a, b) = (Body::random(ka, &mut n), Body::random(kb, &mut n));
            let found = contacts(&a, &b, 0.0);
            let Some(first) = found.iter().min_by(|c, d| c.dist.total_cmp(&d.dist)) else { continue };
            // once its axis is inside, a capsule touches with more than one ball
            if matches!(ka, Kind::Capsule) && first.dist < -0.5 * a.size[0] {
                continue;
            }
            seen += 1;
            assert!((vec3::norm(first.normal) - 1.0).abs() < 1e-9);
            // the iterations for round shapes stop early in deep overlaps
            let slack = if closed(&ka, &kb) { 1e-9 } else { 1e-2 };
            let away = Body { pos: vec3::add_scaled(b.pos, first.normal, slack - first.dist), ..b };
            let left = contacts(&a, &away, 0.0);
            assert!(left.is_empty(), "{}: {} then {}", name(&ka, &kb), first.dist, deepest(&left));
        }
        assert!(seen > 20, "{seen} overlaps of {}", name(&ka, &kb));
    }
}

#[test]
fn a_margin_finds_shapes_before_they_touch() {
    let mut n = Numbers(4);
    for [ka, kb] in pairs().filter(|[a, b]| closed(a, b)) {
        for _ in 0..100 {
            let (a, b) = (Body::random(ka, &mut n), Body::random(kb, &mut n));
            let wide = contacts(&a, &b, 0.3);
            assert!(wide.len() >= contacts(&a, &b, 0.0).len(), "{}", name(&ka, &kb));
        }
    }
}

fn finite(found: &[Contact], what: &str) {
    assert!(found.len() <= MAX_CONTACTS, "{what}: {} contacts", found.len());
    for c in found {
        let numbers = [c.pos, c.normal, c.tangent].concat();
        assert!(c.dist.is_finite() && numbers.iter().all(|x| x.is_finite()), "{what}: {c:?}");
    }
}

#[test]
fn degenerate_shapes_give_finite_contacts() {
    let right = std::f64::consts::FRAC_1_SQRT_2;
    let turns = [quat::IDENTITY, [0.0, 1.0, 0.0, 0.0], [right, right, 0.0, 0.0], [right, 0.0, 0.0, right]];
    let sizes = [[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2], [0.2; 3], [0.2, 0.3, 0.0]];
    let shifts = [[0.0; 3], [0.2, 0.0, 0.0], [0.4, 0.4, 0.0], [0.4, 0.4, 0.4], [0.0, 0.0, 1e-9]];
    for [ka, kb] in pairs() {
        for scale in [1e-9, 1.0, 1e9] {
            for size_a in sizes {
                for size_b in sizes {
                    for turn in turns {
                        for shift in shifts {
                            let a = Body { pos: [0.0; 3], quat: turn, size: vec3::scale(size_a, scale), kind: ka };
                            let pos = vec3::scale(shift, scale);
                            let b = Body { pos, quat: quat::IDENTITY, size: vec3::scale(size_b, scale), kind: kb };
                            let what = format!("{} {size_a:?} {size_b:?} {turn:?} {shift:?} {scale}", name(&ka, &kb));
                            for margin in [0.0, 0.1 * scale] {
                                finite(&contacts(&a, &b, margin), &what);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_no_number_ends_nothing() {
    let mut n = Numbers(5);
    for [ka, kb] in pairs() {
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, 1e-300, 5e-324] {
            for place in 0..3 {
                let (a, mut b) = (Body::random(ka, &mut n), Body::random(kb, &mut n));
                match place {
                    0 => b.pos[0] = bad,
                    1 => b.size[1] = bad,
                    _ => b.quat[2] = bad,
                }
                assert!(contacts(&a, &b, 0.0).len() <= MAX_CONTACTS);
                let portals = Settings { nativeccd: false, multiccd: true, ..SETTINGS };
                let (mat_a, mat_b) = (quat::to_mat(a.quat), quat::to_mat(b.quat));
                assert!(raw_with(&portals, &a, &mat_a, &b, &mat_b, 0.1).len() <= MAX_CONTACTS);
                let (pos, size, quat) = (a.pos, a.size, a.quat);
                let swapped = Body { pos: b.pos, size: b.size, quat: b.quat, ..a };
                assert!(contacts(&swapped, &Body { pos, size, quat, ..b }, 0.1).len() <= MAX_CONTACTS);
            }
        }
    }
}

#[test]
fn exactly_aligned_boxes_rest_on_four_corners() {
    let half = [0.5, 0.4, 0.3];
    let a = Body { pos: [0.0; 3], quat: quat::IDENTITY, size: half, kind: Kind::Box };
    let b = Body { pos: [0.0, 0.0, 0.59], size: [0.2, 0.1, 0.3], ..a };
    let found = raw(&a, &mat3::IDENTITY, &b, &mat3::IDENTITY, 0.0);
    assert_eq!(found.len(), 4);
    for c in &found {
        assert_eq!(c.normal, [0.0, 0.0, 1.0]);
        assert!((c.dist + 0.01).abs() < 1e-15 && (c.pos[2] - 0.295).abs() < 1e-15);
        assert_eq!([c.pos[0].abs(), c.pos[1].abs()], [0.2, 0.1]);
    }
}
