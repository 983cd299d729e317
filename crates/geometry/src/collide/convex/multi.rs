//! Additional contact points where faces, or a face and an edge, touch.

use super::clip::Clip;
use super::feature::{Corners, FACE_COS, face_corners};
use super::support::{Convex, Ends};
use sinew_math::{Vec3, vec3};

/// Cosine below which an edge counts as lying in a face.
const EDGE_COS: f64 = 0.00159999931;

/// Replaces the deepest points by the contact points of the touching features, if two of them are aligned.
pub(super) fn more_points(
    a: &Convex,
    b: &Convex,
    face: &[Ends; 3],
    deepest: [Vec3; 2],
    most: usize,
    clip: &mut Clip,
    points: &mut Vec<[Vec3; 2]>,
) {
    let on_a = Corners::new(face.map(|v| v.corners[0]), face.map(|v| v.a));
    let on_b = Corners::new(face.map(|v| v.corners[1]), face.map(|v| v.b));
    let dir = vec3::sub(deepest[1], deepest[0]);
    let depth = vec3::norm(dir);
    clip.a.find_faces(a, &on_a, vec3::sub(deepest[0], deepest[1]));
    clip.b.find_faces(b, &on_b, dir);
    if let Some((i, j)) = pair(&clip.a.dirs, &clip.b.dirs, |x, y| vec3::dot(x, y) < -FACE_COS) {
        face_corners(a, clip.a.faces[i], &mut clip.window);
        face_corners(b, clip.b.faces[j], &mut clip.polygon);
        let (normal, shift) = (clip.a.dirs[i], vec3::scale(clip.b.dirs[j], depth));
        clip.overlap(normal, shift, most, points);
        return;
    }
    let within = |face: Vec3, edge: Vec3| vec3::dot(edge, face).abs() < EDGE_COS;
    if on_a.dim < 3 && on_a.dim <= on_b.dim {
        clip.a.find_edges(a, &on_a);
        let Some((j, i)) = pair(&clip.b.dirs, &clip.a.dirs, within) else { return };
        face_corners(b, clip.b.faces[j], &mut clip.window);
        clip.polygon.clear();
        clip.polygon.extend([face[0].a, clip.a.ends[i]]);
        let normal = clip.b.dirs[j];
        clip.overlap(normal, vec3::scale(normal, depth), most, points);
    } else if on_b.dim < 3 {
        clip.b.find_edges(b, &on_b);
        let Some((j, i)) = pair(&clip.a.dirs, &clip.b.dirs, within) else { return };
        face_corners(a, clip.a.faces[j], &mut clip.window);
        clip.polygon.clear();
        clip.polygon.extend([face[0].b, clip.b.ends[i]]);
        let normal = clip.a.dirs[j];
        clip.overlap(normal, vec3::scale(normal, -depth), most, points);
    }
}

/// First pair that satisfies a condition.
fn pair(a: &[Vec3], b: &[Vec3], fits: impl Fn(Vec3, Vec3) -> bool) -> Option<(usize, usize)> {
    a.iter().enumerate().find_map(|(i, &x)| b.iter().position(|&y| fits(x, y)).map(|j| (i, j)))
}
