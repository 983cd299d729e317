"""Distances between geoms, their nearest points, and the sensors that report them, against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew
from oracle import copy_state, model_from_mujoco

SHAPES = {
    "plane": 'type="plane" size="1 1 1"',
    "hfield": 'type="hfield" hfield="hills"',
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .2"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .15"',
    "cylinder": 'type="cylinder" size=".15 .2"',
    "box": 'type="box" size=".1 .2 .15"',
    "brick": 'type="mesh" mesh="brick"',
    "nut": 'type="mesh" mesh="nut"',
    "stone": 'type="mesh" mesh="stone"',
    "ring": 'type="sdf" mesh="ring"',
}


def numbers(a):
    return " ".join(map(repr, np.asarray(a, float).ravel().tolist()))


def assets():
    rng = np.random.default_rng(5)
    stone = rng.normal(size=(60, 3))
    stone *= 0.2 / np.linalg.norm(stone, axis=1)[:, None] * [1, 0.8, 1.2]
    turn = np.arange(6) * np.pi / 3
    nut = [[0.2 * np.cos(a), 0.2 * np.sin(a), z] for z in (-0.1, 0.1) for a in turn]
    brick = [[x, y, z] for x in (-0.15, 0.15) for y in (-0.2, 0.2) for z in (-0.1, 0.1)]
    return f"""<asset><mesh name="brick" vertex="{numbers(brick)}"/><mesh name="nut" vertex="{numbers(nut)}"/>
      <mesh name="stone" vertex="{numbers(stone)}"/>
      <mesh name="ring" builtin="supertorus" params="12 .4 1 1" scale=".2 .2 .2"/>
      <hfield name="hills" nrow="5" ncol="6" size=".3 .3 .2 .1" elevation="{numbers(rng.uniform(0, 1, 30))}"/></asset>"""


class Both:
    """Two geoms of each shape, in both engines at the same poses."""

    def __init__(self, flags=""):
        geoms = "".join(f'<geom {s} contype="0" conaffinity="0"/>' for s in 2 * list(SHAPES.values()))
        self.om = mujoco.MjModel.from_xml_string(
            f'<mujoco><option sdf_initpoints="8">{flags}</option>{assets()}<worldbody>{geoms}</worldbody></mujoco>')
        self.od = mujoco.MjData(self.om)
        self.m = model_from_mujoco(self.om)
        self.d = sinew.MjData(self.m)

    def place(self, rng, style):
        n = self.om.ngeom
        q = rng.normal(size=(n, 4))
        pos = rng.normal(size=(n, 3)) * rng.choice([0.05, 0.2, 0.4])
        if style == "right angles":
            q = np.round(q) + [1e-9, 0, 0, 0]
            pos = np.round(pos / 0.05) * 0.05
        elif style == "aligned":
            q[:] = [1, 0, 0, 0]
            pos = np.round(pos, 1)
        q /= np.linalg.norm(q, axis=1)[:, None]
        for g in range(n):
            mujoco.mju_quat2Mat(self.od.geom_xmat[g], q[g])
        self.od.geom_xpos[:] = pos
        self.d.geom_xmat[:] = self.od.geom_xmat
        self.d.geom_xpos[:] = pos


@pytest.mark.parametrize("style", ["any", "right angles", "aligned"])
def test_distance_and_nearest_points(style):
    both, rng = Both(), np.random.default_rng(1)
    for _ in range(12):
        both.place(rng, style)
        for a in range(len(SHAPES)):
            for b in range(len(SHAPES), 2 * len(SHAPES)):
                pair = (a, b) if rng.integers(2) else (b, a)
                distmax = rng.choice([0.02, 0.5, 1e9])
                want, got = np.ones(6), np.ones(6)
                what = [list(SHAPES)[g % len(SHAPES)] for g in pair]
                if "ring" in what and {"brick", "nut", "stone"} & set(what):
                    continue  # MuJoCo reads out of bounds for geoms whose id exceeds those of meshes
                x = mujoco.mj_geomDistance(both.om, both.od, *pair, distmax, want)
                y = sinew.mj_geomDistance(both.m, both.d, *pair, distmax, got)
                np.testing.assert_allclose(y, x, rtol=0, atol=1e-9, err_msg=str(what))
                # rounding can decide whether there is one more iteration, which moves points on curved shapes slightly
                curved = {"ellipsoid", "cylinder"} & set(what)
                np.testing.assert_allclose(got, want, rtol=1e-9, atol=2e-6 if curved else 1e-9, err_msg=str(what))


def test_nearest_points_are_as_far_apart_as_reported():
    both, rng = Both(), np.random.default_rng(2)
    convex = [i for i, name in enumerate(SHAPES) if name not in ("plane", "hfield", "ring")]
    seen = 0
    for _ in range(20):
        both.place(rng, "any")
        for a in convex:
            for b in convex:
                ends = np.zeros(6)
                dist = sinew.mj_geomDistance(both.m, both.d, a, b + len(SHAPES), 1e9, ends)
                if dist > 1e-6:
                    assert abs(np.linalg.norm(ends[3:] - ends[:3]) - dist) < 1e-9
                    seen += 1
    assert seen > 100


def test_bad_geoms_are_refused():
    both = Both()
    for bad in (-1, both.om.ngeom):
        with pytest.raises(sinew.FatalError):
            sinew.mj_geomDistance(both.m, both.d, 0, bad, 1.0, None)


SENSORS = """<mujoco>%s<worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 -.5"/>
  <body name="one" pos="0 0 1"><freejoint/><geom name="a" type="box" size=".1 .2 .3"/>
    <geom name="b" type="capsule" size=".05 .2" pos=".3 0 0" euler="30 20 10"/></body>
  <body name="two" pos=".7 .1 1.1"><freejoint/><geom name="c" type="mesh" mesh="stone"/>
    <geom name="d" type="cylinder" size=".1 .2" pos="0 .3 .2" euler="50 0 10"/></body>
  <body name="none"><joint type="slide"/><inertial mass="1" diaginertia="1 1 1" pos="0 0 0"/></body></worldbody>
  <sensor>%s</sensor></mujoco>"""


def test_sensors():
    ways = ['geom1="a" geom2="c"', 'geom1="d" geom2="floor"', 'body1="one" body2="two"', 'geom1="c" body2="one"',
            'body1="two" geom2="b"', 'body1="one" geom2="floor"', 'geom1="a" geom2="b"']
    rows = [f'<{kind} {way} cutoff="{cut}"/>' for kind in ("distance", "normal", "fromto") for way in ways
            for cut in (0, 0.3, 5)]
    om = mujoco.MjModel.from_xml_string(SENSORS % (assets(), "".join(rows)))
    od, m = mujoco.MjData(om), model_from_mujoco(om)
    d = sinew.MjData(m)
    rng = np.random.default_rng(3)
    for _ in range(30):
        od.qpos[:] = om.qpos0
        od.qpos[:14] += rng.normal(size=14) * 0.4
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        np.testing.assert_allclose(d.sensordata, od.sensordata, rtol=0, atol=1e-9)
    assert np.any(od.sensordata != 0)


FLAT = {
    "coincident": ('<geom type="box" size=".1 .1 .1"/>', '<geom type="ellipsoid" size=".1 .1 .1"/>', [0, 0, 0]),
    "thin": ('<geom type="box" size=".1 .1 1e-9"/>', '<geom type="cylinder" size=".1 1e-9"/>', [0.05, 0, 0]),
    "tiny": ('<geom type="box" size="1e-6 1e-6 1e-6"/>', '<geom type="ellipsoid" size="1e-6 1e-6 1e-6"/>', [5e-7, 0, 0]),
    "huge": ('<geom type="box" size="1e5 1e5 1e5"/>', '<geom type="ellipsoid" size="1e5 1e5 1e5"/>', [1e5, 0, 0]),
    "uneven": ('<geom type="box" size="1e-4 1 1e3"/>', '<geom type="cylinder" size="1e3 1e-4"/>', [0.1, 0.2, 0.3]),
    "sheet": ('<geom type="mesh" mesh="sheet"/>', '<geom type="cylinder" size=".2 .1"/>', [0.1, 0, 0.05]),
}


@pytest.mark.parametrize("case", FLAT)
def test_degenerate_shapes(case):
    first, second, offset = FLAT[case]
    om = mujoco.MjModel.from_xml_string(f"""<mujoco><asset>
      <mesh name="sheet" inertia="shell" vertex="0 0 0 1 0 0 0 1 0 1 1 1e-7"/></asset><worldbody>
      <body mocap="true">{first}</body><body mocap="true" pos="{numbers(offset)}">{second}</body>
      </worldbody></mujoco>""")
    od, m = mujoco.MjData(om), model_from_mujoco(om)
    d = sinew.MjData(m)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(m, d)
    want, got = np.zeros(6), np.zeros(6)
    x = mujoco.mj_geomDistance(om, od, 0, 1, 1e9, want)
    y = sinew.mj_geomDistance(m, d, 0, 1, 1e9, got)
    scale = om.geom_rbound.max()
    assert abs(x - y) <= 1e-9 * max(scale, abs(x))
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9 * scale)
