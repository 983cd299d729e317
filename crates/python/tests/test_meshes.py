"""Random, degenerate and non-manifold meshes against MuJoCo: both refuse, or results agree."""

import itertools

import mujoco
import numpy as np
import pytest
import sinew
from mesh_compare import check_hulls

SIZES = ("nmesh", "nmeshvert", "nmeshnormal", "nmeshface")
INERTIA = ("convex", "exact", "legacy", "shell")


def numbers(values):
    return " ".join(repr(float(x)) for x in np.asarray(values, np.float32).ravel())


def model(vert, face, mesh="", geom="", compiler=""):
    face = "" if face is None else f"face='{' '.join(map(str, np.asarray(face).ravel()))}'"
    return (f"<mujoco><compiler {compiler}/><asset><mesh name='m' vertex='{numbers(vert)}' {face} {mesh}/></asset>"
            f"<worldbody><body pos='.1 .2 .3' euler='10 20 30'><freejoint/><geom type='mesh' mesh='m' {geom}/></body></worldbody></mujoco>")


def tensor(m, i):
    """Inertia of a body in its own axes: well defined even if moments are equal."""
    r = np.zeros(9)
    mujoco.mju_quat2Mat(r, np.array(m.body_iquat[i]))
    r = r.reshape(3, 3)
    return r @ np.diag(m.body_inertia[i]) @ r.T


def compare(xml, tol=1e-6):
    """Whether both accept the model; if so, asserts that results agree."""
    try:
        want = mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        with pytest.raises(ValueError):
            sinew.MjModel.from_xml_string(xml)
        return False
    got = sinew.MjModel.from_xml_string(xml)
    for name in SIZES:
        assert getattr(got, name) == getattr(want, name), name
    check_hulls(want, got)
    size = float(np.abs(want.mesh_vert).max())
    mass = float(want.body_mass[1])
    np.testing.assert_allclose(got.body_mass[1], mass, rtol=tol)
    np.testing.assert_allclose(got.body_ipos[1], want.body_ipos[1], atol=tol * max(size, np.abs(want.body_ipos[1]).max()))
    inertia = tensor(want, 1)
    np.testing.assert_allclose(tensor(got, 1), inertia, atol=tol * np.abs(inertia).max())
    np.testing.assert_allclose(got.geom_rbound, want.geom_rbound, rtol=1e-4)
    return True


def fan(n, rng):
    """An open surface: triangles around a vertex."""
    ring = np.linspace(0, 5, n)
    vert = np.concatenate([[[0, 0, 0.5]], np.stack([np.cos(ring), np.sin(ring), 0.2 * rng.random(n)], -1)])
    return vert, [(0, i, i + 1) for i in range(1, n)]


def cube():
    vert = np.array(list(itertools.product((-1, 1), repeat=3)), float) * (0.1, 0.2, 0.3)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vert, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def shapes(rng):
    """A mesh of a random kind: vertices, and faces or none."""
    kind = rng.integers(10)
    n = int(rng.integers(4, 30))
    cloud = rng.normal(size=(n, 3)) * rng.choice([1, 1, 0.01, 100], 3)
    if kind == 0:
        return cloud, None
    if kind == 1:
        return cloud, rng.integers(0, n, (int(rng.integers(1, 40)), 3))
    if kind == 2:
        return fan(n, rng)
    vert, face = cube()
    if kind == 3:
        return vert, face + face[:int(rng.integers(1, 12))]
    if kind == 4:
        return vert, [f[::-1] if rng.random() < 0.3 else f for f in face]
    if kind == 5:
        return np.concatenate([vert, vert + 1e-7 * rng.normal(size=vert.shape)]), face
    if kind == 6:
        return vert * rng.choice([1e-4, 1, 1e4]) + rng.choice([0, 10]), face
    if kind == 7:
        return np.round(cloud * 2) / 2, None
    if kind == 8:
        return vert * (1, 1, 10.0 ** -rng.integers(1, 9)), face
    return vert, face[:int(rng.integers(1, 12))]


def attributes(rng):
    mesh = [f"inertia='{rng.choice(INERTIA)}'"]
    if rng.random() < 0.5:
        mesh.append(f"scale='{numbers(rng.choice([-1, 1, 0.5, 2], 3))}'")
    if rng.random() < 0.3:
        mesh.append(f"refpos='{numbers(rng.normal(size=3))}' refquat='{numbers(rng.normal(size=4))}'")
    if rng.random() < 0.3:
        mesh.append("smoothnormal='true'")
    return " ".join(mesh), rng.choice(["", "contype='0' conaffinity='0'"])


@pytest.mark.parametrize("seed", range(20))
def test_random_meshes(seed):
    rng = np.random.default_rng(seed)
    taken = 0
    for _ in range(15):
        vert, face = shapes(rng)
        mesh, geom = attributes(rng)
        taken += compare(model(vert, face, mesh, geom))
    assert taken >= 2


@pytest.mark.parametrize("stretch", [(1, 1, 1), (1, 0.3, 0.1)])
def test_hulls_without_flat_sides_have_the_order_of_mujoco(stretch):
    rng = np.random.default_rng(11)
    for n in (4, 6, 20, 60, 200, 400):
        xml = model(rng.normal(size=(n, 3)) * stretch, None)
        want, got = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
        np.testing.assert_array_equal(got.mesh_graph, want.mesh_graph)


def prism(rng, corners):
    """A prism over random points in a plane, in random order: sides of the hull are exactly flat."""
    base, height = rng.normal(size=(corners, 2)), rng.uniform(0.1, 1)
    vert = np.concatenate([np.column_stack([base, np.full(corners, z)]) for z in (-height, height)])
    rng.shuffle(vert)
    return vert


def frustum(rng, corners):
    """The hull of two polygons in parallel planes: only top and bottom are flat."""
    return np.concatenate([np.column_stack([rng.normal(size=(corners, 2)), np.full(corners, z)]) for z in (-1.0, 1.0)])


@pytest.mark.parametrize("solid", [prism, frustum])
def test_flat_sides_are_triangulated_as_in_mujoco(solid):
    """The diagonals of flat sides and the order of neighbours decide which corners of a mesh on a plane become contacts."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        xml = model(solid(rng, rng.integers(4, 9)).astype(np.float32), None)
        want, got = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
        np.testing.assert_array_equal(got.mesh_graph, want.mesh_graph)


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_fitted_shapes(kind):
    rng = np.random.default_rng(3)
    for fitaabb in ("true", "false"):
        for _ in range(4):
            vert = rng.normal(size=(20, 3)) * (1, 2, 3)
            xml = model(vert, None, "inertia='convex'", f"fitscale='1.2'", f"fitaabb='{fitaabb}'").replace("type='mesh'", f"type='{kind}'")
            want, got = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
            np.testing.assert_allclose(got.geom_size, want.geom_size, atol=1e-6)
            np.testing.assert_allclose(got.geom_pos, want.geom_pos, atol=1e-6)


BUILTINS = ["sphere' params='0", "sphere' params='1", "cone' params='3 .5", "hemisphere' params='1", "supersphere' params='3 1 1",
            "wedge' params='2 2 40 30 0", "wedge' params='2 3 170 80 .5", "plate' params='2 2", "plate' params='3 2"]


@pytest.mark.parametrize("builtin", BUILTINS)
def test_tactile_on_any_mesh(builtin):
    xml = f"""<mujoco><asset><mesh name="m" builtin='{builtin}' scale=".05 .05 .05"/></asset><worldbody>
      <geom name="pad" type="box" size=".1 .1 .05"/>
      <body pos="0 0 .09"><freejoint/><geom type="sphere" size=".05"/></body></worldbody>
      <sensor><tactile geom="pad" mesh="m"/></sensor></mujoco>"""
    try:
        want = mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        # four points of a small wedge are coplanar
        with pytest.raises(ValueError):
            sinew.MjModel.from_xml_string(xml)
        return
    got = sinew.MjModel.from_xml_string(xml)
    d, od = sinew.MjData(got), mujoco.MjData(want)
    for _ in range(3):
        mujoco.mj_step(want, od)
        sinew.mj_step(got, d)
        d.qpos[:], d.qvel[:] = od.qpos, od.qvel
    assert np.isfinite(d.sensordata).all()
    assert d.sensordata.shape == od.sensordata.shape
    if builtin.startswith(("wedge", "plate")):
        np.testing.assert_allclose(d.sensordata, od.sensordata, atol=1e-9)
