//! The search method for the farthest vertices of hulls affects only the time, not the result.

mod common;

use common::SETTINGS;
use sinew_geometry::collide::convex::HullIndex;
use sinew_geometry::collide::{Contact, Kind, Mesh, Shape, Work, collide};
use sinew_geometry::mesh::hull::Hull;
use sinew_math::{Mat3, Vec3, mat3, quat, vec3};

/// Uniform numbers in [−1, 1) from a seed.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A mesh with its hull.
struct Solid {
    vert: Vec<[f32; 3]>,
    graph: Vec<i32>,
    index: HullIndex,
}

impl Solid {
    fn new(points: &[Vec3]) -> Self {
        let vert: Vec<[f32; 3]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
        let graph = Hull::build(&vert.iter().map(|v| v.map(f64::from)).collect::<Vec<_>>(), None).unwrap().graph();
        let index = HullIndex::new(&Mesh { vert: &vert, graph: &graph, ..Mesh::EMPTY });
        Solid { vert, graph, index }
    }

    /// Points on a sphere: a hull of many triangular faces.
    fn pebble(seed: &mut u64) -> Self {
        let mut point = || vec3::normalize(std::array::from_fn(|_| random(seed))).0;
        Solid::new(&(0..200).map(|_| point()).collect::<Vec<_>>())
    }

    /// A pebble with a few pairs of points at the same place: neighbours on the hull, each with some of the faces there.
    fn twins(seed: &mut u64) -> Self {
        let mut points: Vec<Vec3> = Vec::new();
        for i in 0..200 {
            let away: Vec3 = std::array::from_fn(|_| random(seed));
            let at = if i % 8 == 1 { vec3::add_scaled(points[i - 1], away, 1e-4) } else { away };
            points.push(vec3::normalize(at).0);
        }
        let mut solid = Solid::new(&points);
        (1..200).step_by(8).for_each(|i| solid.vert[i] = solid.vert[i - 1]);
        solid.index = HullIndex::new(&Mesh { vert: &solid.vert, graph: &solid.graph, ..Mesh::EMPTY });
        solid
    }

    /// A cube with its edges cut off: many vertices are equally far along its axes.
    fn die() -> Self {
        let ends = [-1.0, -0.8, 0.8, 1.0_f64];
        let all = (0..64).map(|i| [ends[i / 16], ends[i / 4 % 4], ends[i % 4]]);
        Solid::new(&all.filter(|p| p.iter().filter(|x| x.abs() == 1.0).count() == 1).collect::<Vec<_>>())
    }

    fn mesh(&self, with_index: bool) -> Mesh<'_> {
        let (starts, fours) = if with_index { self.index.of(&self.vert) } else { Default::default() };
        Mesh { vert: &self.vert, graph: &self.graph, starts, fours, ..Mesh::EMPTY }
    }
}

#[test]
fn vertices_may_change_after_they_were_indexed() {
    let mut work = Work::new(SETTINGS.ccd_iterations);
    let mut die = Solid::die();
    let found = |die: &Solid, with_index: bool, work: &mut Work| {
        let mesh = die.mesh(with_index);
        contacts(Kind::Box, Kind::Mesh(&mesh), [0.3, 0.2, 1.4], &mat3::IDENTITY, work)
    };
    let before = found(&die, true, &mut work);
    assert_eq!(before, found(&die, false, &mut work));
    // a shear changes which vertices are lowest
    die.vert.iter_mut().for_each(|v| v[2] += 0.3 * v[0]);
    assert_eq!(found(&die, true, &mut work), found(&die, false, &mut work));
    assert_ne!(before, found(&die, true, &mut work));
}

fn contacts(a: Kind, b: Kind, pos: Vec3, mat: &Mat3, work: &mut Work) -> Vec<Contact> {
    let aabb = &[0.0, 0.0, 0.0, 2.0, 2.0, 2.0];
    let shape = |kind, pos, mat| Shape { pos, mat, size: [0.5; 3], rbound: 2.0, aabb, kind };
    collide(&shape(a, [0.0; 3], &mat3::IDENTITY), &shape(b, pos, mat), 0.0, &SETTINGS, work);
    work.contacts.clone()
}

#[test]
fn contacts_are_the_same_however_vertices_are_searched() {
    let (mut seed, mut work, mut found) = (1, Work::new(SETTINGS.ccd_iterations), 0);
    let solids = [Solid::pebble(&mut seed), Solid::die(), Solid::twins(&mut seed)];
    for case in 0..600 {
        let mut dir = || std::array::from_fn(|_| random(&mut seed));
        let (mut pos, mut turn) = (vec3::scale(vec3::normalize(dir()).0, 1.8), quat::normalize([1.0, 0.0, 0.0, 0.0]).0);
        if case % 3 > 0 {
            let [x, y, z] = dir();
            turn = quat::normalize([1.0, x, y, z]).0;
        } else {
            // touching parallel faces
            pos = std::array::from_fn(|k| if k == case % 9 / 3 { 1.999 } else { 0.1 * pos[k] });
        }
        let mat = quat::to_mat(turn);
        let (a, b) = (&solids[case % 3], &solids[case / 3 % 3]);
        let [plain, quick] = [false, true].map(|starts| {
            let (a, b) = (a.mesh(starts), b.mesh(starts));
            let mut all = contacts(Kind::Mesh(&a), Kind::Mesh(&b), pos, &mat, &mut work);
            all.extend(contacts(Kind::Box, Kind::Mesh(&b), pos, &mat, &mut work));
            all.extend(contacts(Kind::Plane, Kind::Mesh(&b), vec3::scale(pos, 0.5), &mat, &mut work));
            all
        });
        found += plain.len();
        assert_eq!(plain, quick, "case {case}");
    }
    assert!(found > 600, "{found}");
}
