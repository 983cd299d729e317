"""Compares meshes with MuJoCo's independently of numbering: hulls as sets of vertices, polygons as sets of corners."""

import numpy as np

# fields that depend on the numbering of a hull; compared as sets instead
NUMBERED = ("mesh_graph", "mesh_polyvert", "mesh_polyvertadr", "mesh_polyvertnum", "mesh_polymap", "mesh_polynormal",
            "mesh_polymapadr", "mesh_polymapnum", "mesh_polynum", "mesh_polyadr", "nmeshpoly", "nmeshpolyvert", "nmeshpolymap")
# the same for meshes whose faces are those of their hull
HULL_FACES = ("mesh_face", "mesh_normal", "mesh_facenormal", "mesh_facetexcoord", "bvh_aabb", "bvh_child", "bvh_nodeid", "bvh_depth")


def hull(m, i):
    """Vertices of the hull of mesh `i` and its triangles; None without a hull."""
    start = int(m.mesh_graphadr[i])
    if start < 0:
        return None
    graph = np.asarray(m.mesh_graph[start:])
    n, f = int(graph[0]), int(graph[1])
    return graph[2 + n:2 + 2 * n], graph[2 + 3 * n + 3 * f:2 + 3 * n + 6 * f].reshape(-1, 3)


def places(m, i, vertices):
    """Distinct positions of vertices, rounded: duplicate vertices are merged."""
    start = int(m.mesh_vertadr[i])
    at = np.asarray(m.mesh_vert[start:start + int(m.mesh_vertnum[i])], float)[vertices]
    size = max(np.abs(np.asarray(m.mesh_vert[start:start + int(m.mesh_vertnum[i])])).max(), 1e-30)
    return at / size


def same_places(a, b, tol=1e-5):
    """Whether two sets of points are equal, in any order."""
    if len(a) == 0 or len(b) == 0:
        return len(a) == len(b)
    gap = np.linalg.norm(a[:, None] - b[None], axis=-1)
    return gap.min(0).max() < tol and gap.min(1).max() < tol


def polygons(m, i):
    first = int(m.mesh_polyadr[i])
    for k in range(first, first + int(m.mesh_polynum[i])):
        start = int(m.mesh_polyvertadr[k])
        yield frozenset(np.asarray(m.mesh_polyvert[start:start + int(m.mesh_polyvertnum[k])]).tolist())


def slivers(m, i, faces):
    """Whether a triangle is so narrow that rounding decides its normal."""
    a, b, c = (places(m, i, faces[:, k]) for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max([np.linalg.norm(x - y, axis=1) for x, y in ((a, b), (b, c), (c, a))], axis=0)
    return (area < 1e-3 * longest**2).any()


def check_hulls(want, got):
    """Asserts that hulls have the same vertices and, unless there are slivers, the same polygons."""
    for i in range(want.nmesh):
        w, g = hull(want, i), hull(got, i)
        assert (w is None) == (g is None), f"hull of mesh {i}"
        if w is None:
            continue
        assert same_places(places(want, i, w[0]), places(got, i, g[0])), f"hull vertices of mesh {i}"
        if not slivers(want, i, w[1]) and not slivers(got, i, g[1]) and int(want.mesh_polynum[i]) == int(got.mesh_polynum[i]):
            assert sorted(map(sorted, polygons(want, i))) == sorted(map(sorted, polygons(got, i))), f"polygons of mesh {i}"
