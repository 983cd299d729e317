"""Rays and rangefinders against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew
from models import CORPUS
from oracle import copy_state, model_from_mujoco

SHAPES = {
    "plane": '<geom type="plane" size=".8 .5 .1"/>',
    "endless": '<geom type="plane" size="0 0 .1" pos="0 0 -.4" euler="10 20 0"/>',
    "sphere": '<geom type="sphere" size=".4"/>',
    "capsule": '<geom type="capsule" size=".3 .4"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".3 .5 .7"/>',
    "cylinder": '<geom type="cylinder" size=".4 .3"/>',
    "box": '<geom type="box" size=".3 .4 .5"/>',
    "mesh": '<geom type="mesh" mesh="knot"/>',
    "hfield": '<geom type="hfield" hfield="hills"/>',
}


def numbers(a):
    return " ".join(map(repr, np.asarray(a, float).ravel().tolist()))


def asset():
    rng = np.random.default_rng(5)
    return f"""
      <mesh name="knot" builtin="supertorus" params="20 .4 1 1"/>
      <hfield name="hills" nrow="7" ncol="9" size=".9 .6 .5 .2" elevation="{numbers(rng.uniform(0, 1, 63))}"/>
      <material name="glass" rgba="1 1 1 0"/><material name="wood" rgba="1 0 0 1"/>"""


def single(shape):
    # planes are allowed in static bodies only
    joint = "" if "plane" in SHAPES[shape] else "<freejoint/>"
    return f"""<mujoco><asset>{asset()}</asset><worldbody>
      <body pos=".1 -.2 .3" euler="20 -35 50">{joint}<inertial mass="1" diaginertia="1 1 1" pos="0 0 0"/>
      {SHAPES[shape]}</body></worldbody></mujoco>"""


def many():
    rng = np.random.default_rng(7)
    bodies = []
    for k in range(40):
        shape = list(SHAPES.values())[2 + k % 7]
        paint = ["", 'rgba="1 1 1 0"', 'material="glass"', 'material="wood" rgba="0 0 0 0"'][k % 9 % 5 % 4]
        shape = shape.replace("<geom ", f'<geom group="{k % 8 - 1 if k % 8 else 0}" {paint} ', 1)
        joint = "<freejoint/>" if k % 3 else ""
        bodies.append(f"""<body pos="{numbers(rng.uniform(-3, 3, 3))}" euler="{numbers(rng.uniform(-90, 90, 3))}">{joint}
          <inertial mass="1" diaginertia="1 1 1" pos=".1 .1 0"/>{shape}<geom size=".1" pos=".6 .5 .2"/></body>""")
    return f"""<mujoco><asset>{asset()}</asset><worldbody><geom type="plane" size="6 6 1" pos="0 0 -4"/>
      {"".join(bodies)}</worldbody></mujoco>"""


class Both:
    def __init__(self, om):
        self.om, self.od = om, mujoco.MjData(om)
        self.m = model_from_mujoco(om)
        self.d = sinew.MjData(self.m)
        self.forward()

    def forward(self):
        mujoco.mj_forward(self.om, self.od)
        copy_state(self.d, self.od)
        sinew.mj_forward(self.m, self.d)

    def ray(self, *args):
        out = []
        for lib, m, d in ((mujoco, self.om, self.od), (sinew, self.m, self.d)):
            geomid, normal = np.full(1, 7, np.int32), np.full(3, 7.0)
            dist = lib.mj_ray(m, d, *args, geomid, normal)
            out.append((dist, geomid[0], normal))
        return out

    def same_ray(self, *args):
        want, got = self.ray(*args)
        assert got[0] == pytest.approx(want[0], rel=1e-9, abs=1e-9)
        assert got[1] == want[1]
        np.testing.assert_allclose(got[2], want[2], rtol=0, atol=1e-9)
        return want[0] >= 0

    def multi(self, pnt, vec, groups, static, exclude, cutoff):
        out = []
        for lib, m, d in ((mujoco, self.om, self.od), (sinew, self.m, self.d)):
            n = len(vec)
            geomid, dist, normal = np.full(n, 7, np.int32), np.full(n, 7.0), np.full(3 * n, 7.0)
            lib.mj_multiRay(m, d, pnt, vec.ravel(), groups, static, exclude, geomid, dist, normal, n, cutoff)
            out.append((dist, geomid, normal))
        (dist, geomid, normal), got = out
        np.testing.assert_array_equal(got[1], geomid)
        np.testing.assert_allclose(got[0], dist, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(got[2], normal, rtol=0, atol=1e-9)
        return dist, geomid


def both(xml):
    return Both(mujoco.MjModel.from_xml_string(xml))


@pytest.mark.parametrize("shape", SHAPES)
def test_shape(shape):
    b, rng = both(single(shape)), np.random.default_rng(1)
    hits = 0
    for k in range(600):
        # from outside toward the shape, and from inside
        pnt = b.od.geom_xpos[0] + rng.normal(size=3) * (2.0 if k % 3 else 0.2)
        vec = b.od.geom_xpos[0] + rng.normal(size=3) * 0.4 - pnt if k % 2 else rng.normal(size=3)
        hits += b.same_ray(pnt, vec, None, 1, -1)
    assert 60 < hits < 600


@pytest.mark.parametrize("shape", SHAPES)
def test_along_axes(shape):
    """Rays parallel to faces and through the centre, on boundaries between cases."""
    b = both(single(shape))
    mat = b.od.geom_xmat[0].reshape(3, 3)
    for axis in np.vstack([mat.T, -mat.T, np.eye(3)]):
        b.same_ray(b.od.geom_xpos[0] - 3 * axis + 0.01 * mat.sum(1), 2.5 * axis, None, 1, -1)


def test_filters():
    b, rng = both(many()), np.random.default_rng(2)
    met = set()
    for k in range(1500):
        groups = None if k % 3 == 0 else rng.integers(0, 2, 6).astype(np.uint8)
        b.same_ray(rng.uniform(-5, 5, 3), rng.normal(size=3), groups, k % 2, int(rng.integers(-1, b.om.nbody)))
        met.add(b.ray(rng.uniform(-5, 5, 3), rng.normal(size=3), None, 1, -1)[0][1])
    assert len(met) > 20


@pytest.mark.parametrize("cutoff", [1e10, 3.0])
def test_multi(cutoff):
    b, rng = both(many()), np.random.default_rng(4)
    hits = 0
    for k in range(12):
        vec = rng.normal(size=(150, 3))
        vec[::50] = 0  # zero direction: geom and normal are unchanged
        groups = None if k % 2 else np.array([1, 0, 1, 1, 0, 1], np.uint8)
        dist, geomid = b.multi(rng.uniform(-5, 5, 3), vec, groups, k % 3 > 0, k - 1, cutoff)
        assert (geomid[::50] == 7).all()
        hits += (dist >= 0).sum()
    assert hits > 80


def test_arguments():
    b = both(single("box"))
    vec = np.array([0.0, 0, 1])
    with pytest.raises(sinew.FatalError, match="too small"):
        sinew.mj_ray(b.m, b.d, vec, np.zeros(3), None, 1, -1, None)
    assert sinew.mj_ray(b.m, b.d, vec, vec, None, 1, -1, None) == mujoco.mj_ray(b.om, b.od, vec, vec, None, 1, -1, None)
    with pytest.raises(TypeError, match="int32"):
        sinew.mj_ray(b.m, b.d, vec, vec, None, 1, -1, np.zeros(1))
    ids, dist = np.zeros(2, np.int32), np.zeros(2)
    with pytest.raises(TypeError):
        sinew.mj_multiRay(b.m, b.d, vec, vec, None, 1, -1, ids, dist, None, 2, 1.0)


CAMERAS = (
    'fovy="60" resolution="17 11"',
    'resolution="13 9" sensorsize=".02 .015" focal=".015 .02" principal=".001 -.002"',
    'projection="orthographic" fovy="3" resolution="12 8"',
)
DATA = ("dist", "dist dir origin point normal depth", "normal depth", "point")


@pytest.mark.parametrize("data", DATA)
def test_rangefinder(data):
    rng = np.random.default_rng(8)
    places = "".join(
        f'<camera name="c{k}" pos="{numbers(rng.uniform(-1, 1, 3))}" euler="{numbers(rng.uniform(-90, 90, 3))}" {c}/>'
        for k, c in enumerate(CAMERAS)
    )
    places += '<site name="s0" pos="0 0 5" zaxis="0 0 -1"/><site name="s1" pos="7 0 3" zaxis="-1 .1 0"/>'
    places += '<site name="s2" pos="0 0 30"/>'
    sensors = "".join(f'<rangefinder camera="c{k}" data="{data}"/>' for k in range(3))
    sensors += "".join(f'<rangefinder site="s{k}" data="{data}"/>' for k in range(3))
    sensors += f'<rangefinder site="s0" data="{data}" cutoff="2"/>'
    xml = many().replace("</worldbody>", f"{places}</worldbody><sensor>{sensors}</sensor>")
    # geoms of the world body do not count for things attached to it
    b = both(xml)
    for _ in range(3):
        got, want = np.array(b.d.sensordata), np.array(b.od.sensordata)
        assert np.ptp(want) > 1
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
        b.od.qpos[:] += 0.2 * rng.normal(size=b.om.nq)
        b.forward()


@pytest.mark.parametrize("name", "capsule cylinder ellipsoid hfield mesh plane sphere".split())
def test_swing(name):
    """MuJoCo's own models of rays, compiled by sinew."""
    path = CORPUS / "mujoco_test" / "engine" / "testdata" / "ray" / f"{name}.xml"
    if not path.exists():
        pytest.skip("no corpus")
    om, m = mujoco.MjModel.from_xml_path(str(path)), sinew.MjModel.from_xml_path(str(path))
    od, d = mujoco.MjData(om), sinew.MjData(m)
    seen = 0
    for angle in np.linspace(-2, 4, 60):
        od.qpos[:] = d.qpos[:] = angle
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        np.testing.assert_allclose(d.sensordata, od.sensordata, rtol=0, atol=1e-7)
        seen += od.sensordata[0] >= 0
    assert seen > 3
