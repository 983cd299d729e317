//! Bounding-volume trees, meshes and sparsity patterns.

use super::{Check, ensure, ensure_index};
use crate::model::Model;
use std::ops::Range;

pub(super) fn check(m: &Model) -> Check {
    for b in 0..m.nbody {
        volumes(m, ["body_bvhadr", "body_bvhnum"], b, [m.body_bvhadr[b], m.body_bvhnum[b]], m.ngeom)?;
    }
    for i in 0..m.nmesh {
        let faces = m.mesh_facenum[i] as usize;
        volumes(m, ["mesh_bvhadr", "mesh_bvhnum"], i, [m.mesh_bvhadr[i], m.mesh_bvhnum[i]], faces)?;
        mesh(m, i)?;
    }
    patterns(m)
}

pub(super) fn range(start: i32, len: i32) -> Range<usize> {
    let start = start.max(0) as usize;
    start..start + len as usize
}

/// The bounding-volume tree of element `i`. Children come after their parent, counted from the root, and have one
/// parent, so that a traversal ends and meets each node once; each leaf holds one of `count` items. Boxes of flexes are
/// dynamic.
pub(super) fn volumes(m: &Model, names: [&'static str; 2], i: usize, [adr, num]: [i32; 2], count: usize) -> Check {
    let moves = names[0] == "flex_bvhadr";
    let part = if moves { m.nbvhstatic..m.nbvh } else { 0..m.nbvhstatic };
    ensure((num > 0) == (adr >= 0), names[1], i, num, || "nodes where there is a root".into())?;
    let nodes = range(adr, num);
    let inside = nodes.is_empty() || nodes.start >= part.start && nodes.end <= part.end;
    ensure(inside, names[0], i, adr, || format!("from {} to {}", part.start, part.end))?;
    let n = nodes.len();
    let mut found = vec![false; n];
    for (i, node) in nodes.enumerate() {
        for (k, &child) in m.bvh_child[node].iter().enumerate() {
            let new = |c: usize| c > i && c < n && !std::mem::replace(&mut found[c], true);
            let good = child == -1 || usize::try_from(child).is_ok_and(new);
            ensure(good, "bvh_child", 2 * node + k, child, || format!("-1, or a new node above {i} and below {n}"))?;
        }
        let leaf = m.bvh_child[node] == [-1; 2];
        ensure_index("bvh_nodeid", node, m.bvh_nodeid[node], count, !leaf)?;
        let lone = m.bvh_nodeid[node] < 0 && m.bvh_child[node].contains(&-1);
        ensure(!lone, "bvh_child", 2 * node, m.bvh_child[node][0], || "two children, or a leaf".into())?;
    }
    Ok(())
}

fn mesh(m: &Model, i: usize) -> Check {
    let cells = range(m.mesh_octadr[i], m.mesh_octnum[i]);
    let n = cells.len();
    for (k, cell) in cells.enumerate() {
        for (c, &child) in m.oct_child[cell].iter().enumerate() {
            let good = child == -1 || usize::try_from(child).is_ok_and(|c| c > k && c < n);
            ensure(good, "oct_child", 8 * cell + c, child, || format!("-1, or above {k} and below {n}"))?;
        }
    }
    let (verts, faces) = (m.mesh_vertnum[i] as usize, range(m.mesh_faceadr[i], m.mesh_facenum[i]));
    let corners = [
        ("mesh_face", &m.mesh_face, verts, false),
        ("mesh_facenormal", &m.mesh_facenormal, m.mesh_normalnum[i] as usize, true),
        ("mesh_facetexcoord", &m.mesh_facetexcoord, (m.mesh_texcoordnum[i] as usize).max(1), true),
    ];
    for (field, array, end, or_none) in corners {
        for f in faces.clone() {
            (0..3).try_for_each(|k| ensure_index(field, 3 * f + k, array[f][k], end, or_none))?;
        }
    }
    for poly in range(m.mesh_polyadr[i], m.mesh_polynum[i]) {
        for k in range(m.mesh_polyvertadr[poly], m.mesh_polyvertnum[poly]) {
            ensure_index("mesh_polyvert", k, m.mesh_polyvert[k], verts, false)?;
        }
    }
    for vert in range(m.mesh_vertadr[i], m.mesh_vertnum[i]) {
        for k in range(m.mesh_polymapadr[vert], m.mesh_polymapnum[vert]) {
            ensure_index("mesh_polymap", k, m.mesh_polymap[k], m.mesh_polynum[i] as usize, false)?;
        }
    }
    graph(m, i)
}

/// A convex hull graph: numbers of vertices and faces; edge address and mesh vertex of each vertex; lists of
/// neighbours, each terminated by −1; corners of faces.
fn graph(m: &Model, i: usize) -> Check {
    let Ok(start) = usize::try_from(m.mesh_graphadr[i]) else { return Ok(()) };
    let graph = &m.mesh_graph[start..];
    let fail = |at: usize, expected: &str| ensure(false, "mesh_graph", start + at, graph[at], || expected.into());
    let &[verts, faces, ..] = graph else { return fail(0, "numbers of vertices and faces") };
    let (Ok(verts), Ok(faces)) = (usize::try_from(verts), usize::try_from(faces)) else {
        return fail(0, "numbers of vertices and faces");
    };
    let edges = verts.saturating_add(faces.saturating_mul(3));
    if verts == 0 || verts.saturating_mul(3).saturating_add(faces.saturating_mul(6)) > graph.len() - 2 {
        return fail(0, "a hull that fits");
    }
    let at = [2, 2 + verts, 2 + 2 * verts, 2 + 2 * verts + edges, 2 + 2 * verts + edges + 3 * faces];
    let total = m.mesh_vertnum[i] as usize;
    let within = |part: Range<usize>, end: usize, or_none: bool| {
        part.into_iter().try_for_each(|k| ensure_index("mesh_graph", start + k, graph[k], end, or_none))
    };
    within(at[0]..at[1], edges, false)?;
    within(at[1]..at[2], total, false)?;
    within(at[2]..at[3], verts, true)?;
    if edges == 0 || graph[at[3] - 1] != -1 {
        return fail(at[3] - 1, "-1, the end of a list");
    }
    within(at[3]..at[4], total, false)
}

/// Checks that the columns of a row increase.
pub(super) fn increasing(field: &'static str, columns: &[i32], row: Range<usize>) -> Check {
    let mut pairs = row.skip(1).map(|k| (k, columns[k - 1], columns[k]));
    match pairs.find(|(_, a, b)| a >= b) {
        Some((k, a, b)) => ensure(false, field, k, b, || format!("a column after {a}")),
        None => Ok(()),
    }
}

/// Columns of each row increase; rows of `qDeriv` have their diagonal at `D_diag`.
fn patterns(m: &Model) -> Check {
    for b in 0..m.nbody {
        increasing("B_colind", &m.B_colind, range(m.B_rowadr[b], m.B_rownnz[b]))?;
    }
    for i in 0..m.nv {
        let row = range(m.D_rowadr[i], m.D_rownnz[i]);
        increasing("D_colind", &m.D_colind, row.clone())?;
        let diagonal = row.clone().nth(m.D_diag[i] as usize).map(|k| m.D_colind[k]);
        ensure(diagonal == Some(i as i32), "D_diag", i, m.D_diag[i], || "the place of the diagonal".into())?;
    }
    Ok(())
}
