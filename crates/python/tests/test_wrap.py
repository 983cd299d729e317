"""Tendons around spheres and cylinders: many random positions of the end sites, the obstacle and the side site."""

import mujoco
import numpy as np
import pytest
import sinew

COUNT, ROUNDS = 200, 125


def document(side):
    """Tendons with two sites, an obstacle and a side site each."""
    parts, tendons = [], []
    for i in range(COUNT):
        shape = ("sphere", "cylinder")[i % 2]
        parts.append(f'<geom name="g{i}" type="{shape}" size=".3 .5"/>')
        parts += [f'<site name="{n}{i}"/>' for n in "abs"]
        sidesite = f'sidesite="s{i}"' if side else ""
        tendons.append(f'<spatial><site site="a{i}"/><geom geom="g{i}" {sidesite}/><site site="b{i}"/></spatial>')
    return f"<mujoco><worldbody>{''.join(parts)}</worldbody><tendon>{''.join(tendons)}</tendon></mujoco>"


def place(m, rng, side):
    """New positions; some of them degenerate: collinear with the centre, on a coordinate axis, both ends equal."""
    ends = rng.normal(size=(COUNT, 2, 3)) * rng.choice([0.3, 0.5, 1.0], size=(COUNT, 1, 1))
    kind = rng.integers(0, 12, COUNT)
    ends[kind == 0, 1] = -rng.uniform(0.5, 2) * ends[kind == 0, 0]
    ends[kind == 1, :, 1:] = 0
    ends[kind == 2, 1] = ends[kind == 2, 0]
    ends[kind == 3] = np.round(ends[kind == 3], 1)
    # a side site inside the obstacle, near its surface, or far away
    distance = {"inside": 0.1, "outside": 1.0}.get(side, 1.0)
    m.site_pos[:] = np.concatenate([ends, distance * rng.normal(size=(COUNT, 1, 3))], axis=1).reshape(-1, 3)
    m.geom_size[:, 0] = rng.uniform(0.05, 0.6, COUNT)
    turn = rng.normal(size=(COUNT, 4))
    turn[kind < 4] = 1, 0, 0, 0
    m.geom_quat[:] = turn / np.linalg.norm(turn, axis=1, keepdims=True)


def paths(module, m):
    d = module.MjData(m)
    for stage in ("mj_kinematics", "mj_comPos", "mj_tendon"):
        getattr(module, stage)(m, d)
    return d


@pytest.mark.parametrize("side", ["", "outside", "inside", "anywhere"])
def test_paths(side):
    text = document(side)
    om, cm = mujoco.MjModel.from_xml_string(text), sinew.MjModel.from_xml_string(text)
    rng = np.random.default_rng(len(side))
    wrapped = 0
    for _ in range(ROUNDS):
        place(om, rng, side)
        for name in ("site_pos", "geom_size", "geom_quat"):
            getattr(cm, name)[:] = getattr(om, name)
        # local positions have changed: sameframe shortcuts must not be used
        for name in ("site_sameframe", "geom_sameframe"):
            getattr(om, name)[:] = 0
            getattr(cm, name)[:] = 0
        od, cd = paths(mujoco, om), paths(sinew, cm)
        np.testing.assert_array_equal(cd.ten_wrapnum, od.ten_wrapnum)
        np.testing.assert_allclose(cd.ten_length, od.ten_length, rtol=0, atol=1e-9)
        used = int(np.sum(od.ten_wrapnum))
        wrapped += int(np.sum(od.ten_wrapnum > 2))
        np.testing.assert_array_equal(cd.wrap_obj.ravel()[:used], od.wrap_obj.ravel()[:used])
        np.testing.assert_allclose(cd.wrap_xpos.reshape(-1, 3)[:used], od.wrap_xpos.reshape(-1, 3)[:used], rtol=0, atol=1e-9)
    assert wrapped > COUNT * ROUNDS // 20
