"""Signed distance fields against MuJoCo: contacts and rays."""

import mujoco
import numpy as np
import sinew
from oracle import model_from_mujoco

OTHERS = ['type="sphere" size=".1"', 'type="capsule" size=".07 .1"', 'type="ellipsoid" size=".1 .12 .08"',
          'type="cylinder" size=".08 .1"', 'type="box" size=".1 .12 .08"', 'type="mesh" mesh="block"',
          'type="mesh" mesh="ring"', 'type="sdf" mesh="ring"', 'type="sdf" mesh="block"', 'type="plane" size="1 1 1"']
BLOCK = " ".join(f"{x} {y} {z}" for x in (-0.15, 0.15) for y in (-0.2, 0.2) for z in (-0.1, 0.1))


def model():
    def body(shape, bits):
        joint = "" if "plane" in shape else "<freejoint/>"
        return f'<body>{joint}<geom {shape} mass="1" contype="{bits & 1}" conaffinity="{bits >> 1}"/></body>'

    # geoms 0 and 1 have the ids of the meshes, because MuJoCo confuses the two for meshes near fields
    first = ['type="mesh" mesh="ring"', *OTHERS]
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option sdf_iterations="10" sdf_initpoints="30"/><asset>
      <mesh name="block" vertex="{BLOCK}"/>
      <mesh name="ring" builtin="supertorus" params="16 .3 1 1" scale=".25 .25 .25"/></asset>
      <worldbody>{"".join(body(s, 1) for s in first)}{"".join(body(s, 2) for s in OTHERS[-3:-1])}</worldbody>
      </mujoco>""")


def both():
    om = model()
    m = model_from_mujoco(om)
    return om, mujoco.MjData(om), m, sinew.MjData(m)


def place(om, od, d, rng):
    q = rng.normal(size=(om.nq // 7, 7))
    q[:, :3] *= 0.1
    od.qpos[:] = q.ravel()
    d.qpos[:] = od.qpos


def contacts(d):
    c = d.contact
    return np.asarray(c.geom), np.column_stack([c.dist, c.pos, np.asarray(c.frame).reshape(-1, 9)])


def test_contacts():
    om, od, m, d = both()
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(15):
        place(om, od, d, rng)
        for stage in ("mj_kinematics", "mj_comPos", "mj_collision"):
            getattr(mujoco, stage)(om, od)
            getattr(sinew, stage)(m, d)
        (pairs, want), (same, got) = contacts(od), contacts(d)
        np.testing.assert_array_equal(same, pairs)
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-9)
        seen |= set(map(tuple, pairs))
    # every first geom has touched both fields
    assert len(seen) == 2 * (len(OTHERS) + 1)


def test_rays():
    om, od, m, d = both()
    rng = np.random.default_rng(1)
    fields = om.geom_type == mujoco.mjtGeom.mjGEOM_SDF
    om.geom_group[:] = m.geom_group[:] = np.where(fields, 1, 0)
    only = np.array([0, 1, 0, 0, 0, 0], np.uint8)
    hits = 0
    for _ in range(200):
        place(om, od, d, rng)
        mujoco.mj_kinematics(om, od)
        sinew.mj_kinematics(m, d)
        start = rng.normal(size=3) * 0.5
        way = rng.normal(size=3) * 0.1 - start
        want, got, normal, same = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(3), np.zeros(3)
        x = mujoco.mj_ray(om, od, start, way, only, 1, -1, want, normal)
        y = sinew.mj_ray(m, d, start, way, only, 1, -1, got, same)
        assert want[0] == got[0]
        assert abs(x - y) < 1e-9
        np.testing.assert_allclose(same, normal, rtol=0, atol=1e-6)
        hits += want[0] >= 0
    assert hits > 50
