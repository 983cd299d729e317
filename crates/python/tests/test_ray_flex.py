"""Rays against flexes and skins, compared with the oracle; and what rays and rangefinders ignore."""

import ctypes
import itertools
from pathlib import Path

import mujoco
import numpy as np
import pytest
import sinew

from test_flex import MODELS, close, model, pair
from tolerances import FLEX

KINDS = ("cable", "circle", "grid", "disc", "surface", "solid", "box", "trilinear", "rigid")
FLAGS = [f for f in itertools.product((0, 1), repeat=4) if any(f)]


def flex_ray(lib, m, d, *args):
    vertid, normal = np.full(1, -7, np.int32), np.full(3, 7.0)
    dist = lib.mj_rayFlex(m, d, *args, vertid, normal)
    return np.array([dist, vertid[0], *normal])


def bent(name, seed):
    m, d, c, e = pair(MODELS[name])
    rng = np.random.default_rng(seed)
    d.qpos[:] += 0.02 * rng.normal(size=m.nq)
    e.qpos[:] = d.qpos
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    return m, d, c, e, rng


def toward(d, rng):
    """A ray toward a point near the flex, from outside or from inside."""
    xpos = d.flexvert_xpos
    target = xpos[rng.integers(len(xpos))] + 0.02 * rng.normal(size=3)
    pnt = target + rng.normal(size=3) * rng.choice([0.01, 0.5])
    return pnt, (target - pnt) * rng.choice([0.3, 4.0])


@pytest.mark.parametrize("name", KINDS)
def test_flex(name):
    m, d, c, e, rng = bent(name, 1)
    hits = 0
    for k in range(600):
        pnt, vec = toward(d, rng)
        args = (int(rng.integers(0, 3)), *FLAGS[k % len(FLAGS)], 0, pnt, vec)
        want, got = flex_ray(mujoco, m, d, *args), flex_ray(sinew, c, e, *args)
        close(got, want, FLEX["contact"], args)
        hits += want[0] >= 0
    assert 100 < hits < 600


def test_second_flex():
    """Vertices count from the flex's first one."""
    xml = model(outer='<body name="q" pos="1 0 0"><flexcomp name="g" type="grid" count="3 3 1" spacing=".1 .1 .1"/></body>')
    m, d, c, e = pair(xml)
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    found = set()
    for v in range(9):
        pnt = d.flexvert_xpos[16 + v] + [0.001, 0.002, 1]
        args = (0, 1, 0, 0, 0, 1, pnt, np.array([0.0, 0, -2]))
        want, got = flex_ray(mujoco, m, d, *args), flex_ray(sinew, c, e, *args)
        close(got, want, FLEX["contact"], v)
        found.add(got[1])
    assert found == set(range(9))


def test_arguments():
    m, d, c, e, _ = bent("grid", 2)
    down, above = np.array([0.0, 0, -1]), d.flexvert_xpos[5] + [0, 0, 1]
    assert sinew.mj_rayFlex(c, e, 0, 1, 0, 0, 0, 0, above, down) == pytest.approx(0.99)
    assert sinew.mj_rayFlex(c, e, 0, 0, 0, 0, 0, 0, above, down) == -1
    assert sinew.mj_rayFlex(c, e, 0, 1, 1, 1, 1, 0, above, np.zeros(3)) == -1
    for flex in (-1, 1):
        with pytest.raises((sinew.FatalError, IndexError, ValueError)):
            sinew.mj_rayFlex(c, e, 0, 1, 0, 0, 0, flex, above, down)
    with pytest.raises(TypeError):
        sinew.mj_rayFlex(c, e, 0, 1, 0, 0, 0, 0, above, down, np.zeros(1))


def test_rays_and_rangefinders_see_geoms_only():
    xml = model(outer='<site name="s" pos="0 0 1" zaxis="0 0 -1"/>').replace(
        "</worldbody>", '</worldbody><sensor><rangefinder site="s"/></sensor>')
    xml = xml.replace('<geom type="plane"', '<body><joint/><geom size=".1" pos="0 0 -.5"/></body><geom type="plane"')
    m, d, c, e = pair(xml)
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    assert d.sensordata[0] == e.sensordata[0] == pytest.approx(1.4)
    for lib, model_, data in ((mujoco, m, d), (sinew, c, e)):
        geomid = np.zeros(1, np.int32)
        assert lib.mj_ray(model_, data, np.array([0, 0, 1.0]), np.array([0, 0, -1.0]), None, 1, -1, geomid) == pytest.approx(1.4)
        assert geomid[0] == 1


def oracle_skin():
    """The oracle's library function: its Python wrapper takes no arrays."""
    library = next(Path(mujoco.__file__).parent.glob("libmujoco.*"))
    function = ctypes.CDLL(str(library)).mju_raySkin
    function.restype = ctypes.c_double
    numbers = [np.ctypeslib.ndpointer(t, flags="C") for t in (np.int32, np.float32, np.float64, np.float64, np.int32)]
    function.argtypes = [ctypes.c_int, ctypes.c_int, *numbers]
    return function


def test_skin():
    rng, oracle = np.random.default_rng(5), oracle_skin()
    hits = 0
    for _ in range(20):
        nvert, nface = int(rng.integers(3, 40)), int(rng.integers(1, 80))
        vert = rng.normal(size=(nvert, 3)).astype(np.float32)
        face = rng.integers(0, nvert, (nface, 3)).astype(np.int32)
        for _ in range(100):
            pnt = 3 * rng.normal(size=3)
            vec = rng.normal(size=3) - pnt
            want, got = np.full(1, -7, np.int32), np.full(1, -7, np.int32)
            far = oracle(nface, nvert, face, vert, pnt, vec, want)
            assert sinew.mju_raySkin(nface, nvert, face, vert, pnt, vec, got) == pytest.approx(far, rel=1e-12)
            assert got[0] == want[0]
            hits += far >= 0
    assert 200 < hits < 1900


def test_skin_arguments():
    vert, pnt, vec = np.eye(3), np.zeros(3), np.ones(3)
    vertid = np.zeros(1, np.int32)
    assert sinew.mju_raySkin(1, 3, [[0, 1, 2]], vert, pnt, vec, vertid) == pytest.approx(1 / 3)
    assert sinew.mju_raySkin(0, 0, [], [], pnt, vec, vertid) == -1
    with pytest.raises(sinew.FatalError, match="vertex"):
        sinew.mju_raySkin(1, 3, [[0, 1, 3]], vert, pnt, vec, vertid)
    with pytest.raises(TypeError, match=r"\(2, 3\)"):
        sinew.mju_raySkin(2, 3, [[0, 1, 2]], vert, pnt, vec, vertid)
