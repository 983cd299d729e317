//! Flexes: address ranges of their parts, and that indices stay within the same flex.

use super::trees::{increasing, range, volumes};
use super::{Check, ensure, ensure_index};
use crate::model::Model;
use std::ops::Range;

/// Number of edges of an element, indexed by its dimension minus one.
const EDGES: [i32; 3] = [1, 3, 6];

pub(super) fn check(m: &Model) -> Check {
    for f in 0..m.nflex {
        parts(m, f)?;
        elements(m, f)?;
        edges(m, f)?;
        carriers(m, f)?;
        volumes(
            m,
            ["flex_bvhadr", "flex_bvhnum"],
            f,
            [m.flex_bvhadr[f], m.flex_bvhnum[f]],
            m.flex_elemnum[f] as usize,
        )?;
    }
    jacobians(m)
}

/// Dimensions, and addresses that must not be −1.
fn parts(m: &Model, f: usize) -> Check {
    let (dim, order) = (m.flex_dim[f], m.flex_interp[f]);
    ensure((1..=3).contains(&dim), "flex_dim", f, dim, || "1, 2 or 3".into())?;
    ensure((0..=2).contains(&order), "flex_interp", f, order, || "0, 1 or 2".into())?;
    let nodes = if order == 0 { 0 } else { (order + 1).pow(3) };
    ensure(m.flex_nodenum[f] == nodes, "flex_nodenum", f, m.flex_nodenum[f], || format!("{nodes}"))?;
    for (field, count) in [("flex_vertnum", m.flex_vertnum[f]), ("flex_elemnum", m.flex_elemnum[f])] {
        ensure(count > 0, field, f, count, || "at least 1".into())?;
    }
    let addresses = [
        ("flex_nodeadr", m.flex_nodeadr[f]),
        ("flex_vertadr", m.flex_vertadr[f]),
        ("flex_edgeadr", m.flex_edgeadr[f]),
        ("flex_elemadr", m.flex_elemadr[f]),
    ];
    addresses.into_iter().try_for_each(|(field, adr)| ensure(adr >= 0, field, f, adr, || "an address".into()))
}

/// Checks indices `part` of an array that count from the start of their flex, which has `end` items.
fn within(field: &'static str, array: &[i32], part: Range<usize>, end: i32, or_none: bool) -> Check {
    part.into_iter().try_for_each(|k| ensure_index(field, k, array[k], end as usize, or_none))
}

/// Index range of `count` rows of `width` that start at `start`.
fn rows(
    field: &'static str,
    f: usize,
    start: i32,
    [count, width]: [i32; 2],
    end: usize,
) -> Result<Range<usize>, super::InvalidModel> {
    let len = i64::from(count) * i64::from(width);
    let good = (len == 0 || start >= 0) && i64::from(start) + len <= end as i64;
    ensure(good, field, f, start, || format!("the start of {len} among {end}"))?;
    let start = start.max(0) as usize;
    Ok(start..start + len as usize)
}

fn elements(m: &Model, f: usize) -> Check {
    let (dim, verts) = (m.flex_dim[f], m.flex_vertnum[f]);
    let elems = m.flex_elemnum[f];
    let data = rows("flex_elemdataadr", f, m.flex_elemdataadr[f], [elems, dim + 1], m.nflexelemdata)?;
    within("flex_elem", &m.flex_elem, data.clone(), verts, false)?;
    for (e, corners) in m.flex_elem[data.clone()].chunks_exact(dim as usize + 1).enumerate() {
        let twice = (1..corners.len()).find(|&k| corners[..k].contains(&corners[k]));
        let at = data.start + e * corners.len();
        twice.map_or(Ok(()), |k| ensure(false, "flex_elem", at + k, corners[k], || "a vertex only once".into()))?;
    }
    let per_elem = EDGES[dim as usize - 1];
    let sides = rows("flex_elemedgeadr", f, m.flex_elemedgeadr[f], [elems, per_elem], m.nflexelemedge)?;
    within("flex_elemedge", &m.flex_elemedge, sides, m.flex_edgenum[f], false)?;
    let shell = rows("flex_shelldataadr", f, m.flex_shelldataadr[f], [m.flex_shellnum[f], dim], m.nflexshelldata)?;
    within("flex_shell", &m.flex_shell, shell, verts, false)?;
    range(m.flex_evpairadr[f], m.flex_evpairnum[f]).try_for_each(|k| {
        let [elem, vert] = m.flex_evpair[k];
        ensure_index("flex_evpair", 2 * k, elem, elems as usize, false)?;
        ensure_index("flex_evpair", 2 * k + 1, vert, verts as usize, false)
    })
}

fn edges(m: &Model, f: usize) -> Check {
    let verts = m.flex_vertnum[f];
    let edges = range(m.flex_edgeadr[f], m.flex_edgenum[f]);
    let both = 2 * edges.start..2 * edges.end;
    within("flex_edge", m.flex_edge.as_flattened(), both.clone(), verts, false)?;
    within("flex_edgeflap", m.flex_edgeflap.as_flattened(), both, verts, true)?;
    for e in edges {
        let ([a, b], [first, second]) = (m.flex_edge[e], m.flex_edgeflap[e]);
        ensure(a != b, "flex_edge", 2 * e + 1, b, || "another vertex".into())?;
        ensure(first >= 0 || second < 0, "flex_edgeflap", 2 * e, first, || "a vertex, as the second is one".into())?;
    }
    for v in range(m.flex_vertadr[f], verts) {
        let list = range(m.flex_vertedgeadr[v], m.flex_vertedgenum[v]);
        within("flex_vertedge", m.flex_vertedge.as_flattened(), list, m.flex_edgenum[f], false)?;
    }
    Ok(())
}

/// Every vertex is on a body, unless the flex is interpolated from nodes. Bending needs three dofs at each vertex.
fn carriers(m: &Model, f: usize) -> Check {
    if m.flex_interp[f] != 0 {
        return Ok(());
    }
    let verts = range(m.flex_vertadr[f], m.flex_vertnum[f]);
    for v in verts.clone() {
        ensure_index("flex_vertbodyid", v, m.flex_vertbodyid[v], m.nbody, false)?;
    }
    for e in range(m.flex_edgeadr[f], m.flex_edgenum[f]).filter(|&e| m.flex_edgeflap[e][1] >= 0) {
        for v in m.flex_edge[e].into_iter().chain(m.flex_edgeflap[e]).map(|v| verts.start + v as usize) {
            let body = m.flex_vertbodyid[v];
            let moves = m.body_dofnum[body as usize] >= 3;
            ensure(moves, "flex_vertbodyid", v, body, || "a body with three dofs, as the flex bends".into())?;
        }
    }
    Ok(())
}

/// Rows have an address even if they are empty, and increasing columns; both rows of a vertex have the same columns.
fn jacobians(m: &Model) -> Check {
    for (field, starts) in
        [("flexedge_J_rowadr", &m.flexedge_J_rowadr[..]), ("flexvert_J_rowadr", m.flexvert_J_rowadr.as_flattened())]
    {
        let mut rows = starts.iter().enumerate();
        rows.try_for_each(|(i, &adr)| ensure(adr >= 0, field, i, adr, || "an address".into()))?;
    }
    for e in 0..m.nflexedge {
        let row = range(m.flexedge_J_rowadr[e], m.flexedge_J_rownnz[e]);
        increasing("flexedge_J_colind", &m.flexedge_J_colind, row)?;
    }
    let columns = m.flexvert_J_colind.as_flattened();
    for v in 0..m.nflexvert {
        let [first, second] = m.flexvert_J_rownnz[v];
        ensure(first == second, "flexvert_J_rownnz", 2 * v + 1, second, || format!("{first}, as in the first row"))?;
        m.flexvert_J_rowadr[v]
            .into_iter()
            .try_for_each(|adr| increasing("flexvert_J_colind", columns, range(adr, first)))?;
    }
    Ok(())
}
