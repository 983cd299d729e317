//! Triangulates the faces of a finished surface, drops points that are not corners, and lists vertices and neighbours.

use super::Hull;
use super::surface::Surface;
use sinew_math::order::by_key;

/// Builds the hull from a finished surface. Single triangles come first; the others become fans around their newest
/// corner, edge by edge in the order in which the edges were listed.
pub(super) fn triangulate(surface: &Surface) -> Hull {
    let count = surface.age.len();
    // a corner belongs to at least three faces; a point on an edge to two
    let mut faces = vec![0u32; count];
    for face in surface.ordered() {
        borders(surface, face).for_each(|edge| faces[surface.begin(edge) as usize] += 1);
    }
    let is_corner = |i: &u32| faces[*i as usize] > 2;
    let (mut simple, mut fans, mut touched) = (Vec::new(), Vec::new(), Vec::new());
    let (mut polygon, mut after) = (Vec::new(), vec![0; count]);
    for face in surface.ordered() {
        if surface.is_single(face) {
            simple.push(oriented(surface.triangle(surface.face(face).triangles[0]).corner, &surface.age));
            continue;
        }
        walk(surface, face, &mut polygon);
        polygon.retain(is_corner);
        for (k, &i) in polygon.iter().enumerate() {
            after[i as usize] = polygon[(k + 1) % polygon.len()];
        }
        let apex = polygon.iter().copied().max_by_key(|&i| surface.age[i as usize]);
        let edges = surface.face(face).border.iter().map(|&edge| surface.begin(edge)).filter(is_corner);
        for [apex, from, to] in edges.filter_map(|from| Some([apex?, from, after[from as usize]])) {
            touched.push([apex, from, to]);
            if from != apex && to != apex {
                fans.push(oriented([apex, from, to], &surface.age));
            }
        }
    }
    let mut corners: Vec<u32> = surface.taken.iter().copied().filter(is_corner).collect();
    sort(&mut corners, surface, &touched);
    let vert: Vec<i32> = corners.iter().map(|&i| i as i32).collect();
    let edge = edges(surface, &vert, &simple, &fans);
    Hull { vert, face: [simple, fans].concat(), edge }
}

/// Edges of a face towards other faces.
fn borders(surface: &Surface, face: u32) -> impl Iterator<Item = u32> {
    let all = surface.parts(face).flat_map(|part| 3 * part..3 * part + 3);
    all.filter(move |&edge| surface.face_across(edge) != face)
}

/// Collects the points around a face.
fn walk(surface: &Surface, face: u32, out: &mut Vec<u32>) {
    out.clear();
    let Some(first) = borders(surface, face).next() else { return };
    let mut edge = first;
    loop {
        out.push(surface.begin(edge));
        // rotate about the end of the edge to the next border
        edge = next(edge);
        while surface.face_across(edge) == face {
            edge = next(surface.mirror(edge));
        }
        if edge == first {
            return;
        }
    }
}

/// The next edge of the same triangle.
fn next(edge: u32) -> u32 {
    edge - edge % 3 + (edge % 3 + 1) % 3
}

/// Sorts vertices by when they were last touched. Triangles of fans, including those that degenerate to an edge, are the
/// newest.
fn sort(corners: &mut [u32], surface: &Surface, fans: &[[u32; 3]]) {
    let mut turn = surface.touched.clone();
    let newest = turn.iter().max().map_or(0, |last| last + 1);
    let mut next = newest;
    for i in fans.iter().flat_map(|&face| newest_first(face, &surface.age)) {
        if turn[i as usize] < newest {
            turn[i as usize] = next;
            next += 1;
        }
    }
    by_key(corners, |&i| turn[i as usize]);
}

/// Neighbours of each vertex, face by face, within each face from newest to oldest: first single triangles, in the order
/// in which they were listed around the vertex, then fans.
fn edges(surface: &Surface, vert: &[i32], simple: &[[i32; 3]], fans: &[[i32; 3]]) -> Vec<Vec<i32>> {
    let mut node = vec![-1i32; surface.age.len()];
    vert.iter().enumerate().for_each(|(n, &i)| node[i as usize] = n as i32);
    let mut edge = vec![Vec::new(); vert.len()];
    let mut add = |at: i32, corners: [i32; 3]| {
        let list: &mut Vec<i32> = &mut edge[at as usize];
        for to in corners {
            if to != at && !list.contains(&to) {
                list.push(to);
            }
        }
    };
    let nodes = |face: [u32; 3]| newest_first(face, &surface.age).map(|i| node[i as usize]);
    let given = |face: &[i32; 3]| nodes(face.map(|i| i as u32));
    if surface.stars.is_empty() {
        simple.iter().map(given).for_each(|corners| corners.iter().for_each(|&at| add(at, corners)));
    }
    for (n, &i) in vert.iter().enumerate() {
        let star = surface.stars.get(i as usize).into_iter().flatten();
        for &face in star.filter(|&&face| surface.face(face).live && surface.is_single(face)) {
            add(n as i32, nodes(surface.triangle(surface.face(face).triangles[0]).corner));
        }
    }
    fans.iter().map(given).for_each(|corners| corners.iter().for_each(|&at| add(at, corners)));
    edge
}

fn newest_first(mut face: [u32; 3], age: &[u32]) -> [u32; 3] {
    face.sort_unstable_by_key(|&i| std::cmp::Reverse(age[i as usize]));
    face
}

/// Orders the corners from newest to oldest, or with the first two swapped to stay counter-clockwise.
fn oriented(mut corner: [u32; 3], age: &[u32]) -> [i32; 3] {
    let age = |i: u32| age[i as usize];
    let oldest = (0..3).fold(0, |best, k| if age(corner[k]) < age(corner[best]) { k } else { best });
    corner.rotate_left((oldest + 1) % 3);
    corner.map(|i| i as i32)
}
