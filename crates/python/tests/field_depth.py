"""Reference depths of flex elements in height fields, from all faces of the Minkowski difference of two convex bodies:
slow, but without iterations."""

import itertools

import numpy as np

# `mjENBL_OVERRIDE`: contact margins are taken from the options
OVERRIDE = 1


def depth(solid, points, radius):
    """The shortest displacement that moves points, inflated by a radius, out of a convex solid; negative for a gap."""
    between = (solid[:, None] - points[None]).reshape(-1, 3)
    corners = between[np.array(list(itertools.combinations(range(len(between)), 3)))]
    ab, ac = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(ab, ac)
    sizes = np.linalg.norm(normals, axis=1)
    flat = sizes > 1e-12 * np.max(sizes)
    normals = normals[flat] / sizes[flat, None]
    # the minimal overlap is along a face normal, if the bodies overlap
    overlap = min((normals @ between.T).max(1).min(), (-normals @ between.T).max(1).min())
    return radius + overlap if overlap >= 0 else radius - gap(between, corners[flat])


def gap(points, triangles):
    """Distance of the hull of points from the origin, from its edges and triangles."""
    ends = np.array(list(itertools.combinations(range(len(points)), 2)))
    start, way = points[ends[:, 0]], points[ends[:, 1]] - points[ends[:, 0]]
    at = np.clip(-(start * way).sum(1) / np.maximum((way * way).sum(1), 1e-300), 0, 1)
    found = [start + at[:, None] * way]
    a, ab, ac = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    bb, bc, cc = (ab * ab).sum(1), (ab * ac).sum(1), (ac * ac).sum(1)
    b, c = -(a * ab).sum(1), -(a * ac).sum(1)
    u, v = (b * cc - c * bc) / (bb * cc - bc * bc), (c * bb - b * bc) / (bb * cc - bc * bc)
    inside = (u >= 0) & (v >= 0) & (u + v <= 1)
    found.append((a + u[:, None] * ab + v[:, None] * ac)[inside])
    return np.linalg.norm(np.concatenate(found), axis=1).min()


def prisms(m, geom, margin):
    """The prisms below the triangles of a height field, raised by a margin: three base corners, then those above."""
    field = m.geom_dataid[geom]
    rows, cols = int(m.hfield_nrow[field]), int(m.hfield_ncol[field])
    x, y, top, base = m.hfield_size[field]
    data = np.asarray(m.hfield_data[m.hfield_adr[field] :][: rows * cols], float).reshape(rows, cols)
    dx, dy = 2 * x / (cols - 1), 2 * y / (rows - 1)
    for row in range(rows - 1):
        line = [[dx * c - x, dy * (row + k) - y, data[row + k, c] * top + margin] for c in range(cols) for k in (1, 0)]
        for i in range(len(line) - 2):
            above = np.array(line[i : i + 3])
            below = above.copy()
            below[:, 2] = -base
            yield np.concatenate([below, above])


def of_element(m, d, geom, flex, elem):
    """Depths of an element in all prisms of a height field that it overlaps; both engines use half of the margin."""
    size = int(m.flex_dim[flex]) + 1
    at = int(m.flex_elemdataadr[flex]) + elem * size
    points = np.asarray(d.flexvert_xpos)[np.asarray(m.flex_elem)[at : at + size] + int(m.flex_vertadr[flex])]
    points = (points - d.geom_xpos[geom]) @ np.reshape(d.geom_xmat[geom], (3, 3))
    override = m.opt.enableflags & OVERRIDE
    margin = float(m.opt.o_margin if override else max(m.geom_margin[geom], m.flex_margin[flex]))
    found = (depth(solid, points, float(m.flex_radius[flex]) + 0.5 * margin) for solid in prisms(m, geom, margin))
    return np.array([x for x in found if x > 0])


def contacts(m, d, kind):
    """Contacts of elements with geoms of a kind: index, and geom, flex, element."""
    for i in range(d.ncon):
        c = d.contact[i]
        key = tuple(int(max(ids)) for ids in (c.geom, c.flex, c.elem))
        if min(key) >= 0 and m.geom_type[key[0]] == kind:
            yield i, key


def error(m, d, kind):
    """Largest error of the contact distances between elements and height fields."""
    found, worst = {}, 0.0
    for i, key in contacts(m, d, kind):
        if key not in found:
            found[key] = of_element(m, d, *key)
        worst = max(worst, np.min(np.abs(found[key] + d.contact[i].dist), initial=np.inf))
    return worst
