"""Principal axes and masses of bodies, where rounding decides and where values are not finite."""

import random

import mujoco
import numpy as np
import pytest
import sinew

FIELDS = ("body_mass", "body_inertia", "body_ipos", "body_iquat")


def vector(r, size):
    return " ".join(f"{r.uniform(-size, size):.3g}" for _ in range(3))


def turn(r):
    return "1 " + vector(r, 1)


def tetrahedron(r):
    s = r.uniform(0.1, 1)
    corners = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
    return "".join(f'<geom size=".05" pos="{a * s} {b * s} {c * s}"/>' for a, b, c in corners)


def nearly_round(r, size):
    gap, off = (lambda: size * (1 + 10 ** r.uniform(-12, -3))), (lambda: size * 10 ** r.uniform(-13, -3))
    full = f"{size} {gap()} {gap()} {off()} {-off()} {off()}"
    return f'<inertial pos="0 0 0" mass="1" fullinertia="{full}"/>'


FAMILIES = {
    "two spheres": lambda r: f'<geom size=".1" pos="{vector(r, 0.3)}"/><geom size=".2" pos="{vector(r, 0.3)}"/>',
    "turned cube": lambda r: f'<geom type="box" size=".1 .1 .1" quat="{turn(r)}"/><geom size=".05"/>',
    "tetrahedron": tetrahedron,
    "capsules": lambda r: "".join(
        f'<geom type="capsule" size=".05 .2" pos="{vector(r, 0.2)}" quat="{turn(r)}"/>' for _ in range(2)
    ),
    "boxes": lambda r: "".join(
        f'<geom type="box" size=".1 .2 .3" pos="{vector(r, 0.3)}" quat="{turn(r)}"/>' for _ in range(3)
    ),
    "nearly round": lambda r: nearly_round(r, 1),
    "nearly round, small": lambda r: nearly_round(r, 10 ** r.uniform(-8, -2)),
    "three rods": lambda r: "".join(
        f'<geom type="cylinder" size=".05 .2" euler="{e}"/>' for e in ("0 0 0", "90 0 0", "0 90 0")
    ),
    "shells": lambda r: f'<geom type="ellipsoid" shellinertia="true" size=".1 .2 .3" quat="{turn(r)}"/>'
    f'<geom type="capsule" shellinertia="true" size=".1 .2" pos="{vector(r, 0.3)}"/>',
    "fused": lambda r: f'<body pos="{vector(r, 0.3)}" quat="{turn(r)}"><geom type="box" size=".1 .2 .3" quat="{turn(r)}"/></body>'
    f'<geom type="box" size=".1 .2 .3" quat="{turn(r)}"/>',
}
SETTINGS = ("", 'boundmass=".5" boundinertia=".02"', 'settotalmass="3"', 'inertiagrouprange="0 1"', 'balanceinertia="true"')


def both(text):
    try:
        om = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        with pytest.raises(ValueError):
            sinew.MjModel.from_xml_string(text)
        return None
    return sinew.MjModel.from_xml_string(text), om


@pytest.mark.parametrize("family", FAMILIES)
def test_axes(family):
    """Bitwise: for a nearly spherical inertia, any other rounding gives other axes."""
    r = random.Random(family)
    compared = 0
    for k in range(100):
        setting = 'fusestatic="true"' if family == "fused" else SETTINGS[k % len(SETTINGS)]
        content = FAMILIES[family](r)
        pair = both(f"<mujoco><compiler {setting}/><worldbody><body><freejoint/>{content}</body></worldbody></mujoco>")
        if pair:
            compared += 1
            for field in FIELDS:
                np.testing.assert_array_equal(getattr(pair[0], field), getattr(pair[1], field), err_msg=content)
    assert compared > 30


@pytest.mark.parametrize("huge", ["inf", "1e308", "1e200", "1e154", "1e100", "1e20"])
def test_far_away(huge):
    """Positions that overflow give MuJoCo's values, some NaN, some as if never computed."""
    for pos in (f"{huge} 0 0", f"0 {huge} 0", f"{huge} {huge} {huge}", f"0 0 -{huge}"):
        for other in ("0 0 0", "1 2 3", f"-{huge} 0 0", f"{huge} {huge} 0"):
            for shape in ('size=".2"', 'type="box" size=".2 .1 .3" quat="1 .2 .3 .1"'):
                geoms = f'<geom size=".1" pos="{pos}"/><geom {shape} pos="{other}"/>'
                pair = both(f"<mujoco><worldbody><body>{geoms}</body></worldbody></mujoco>")
                for field in FIELDS if pair else ():
                    np.testing.assert_allclose(getattr(pair[0], field), getattr(pair[1], field), rtol=1e-12, err_msg=geoms)


def test_eigenvalues():
    """The same rotations for the same matrices, including diagonal, degenerate and tiny ones."""
    rng = np.random.default_rng(0)
    for k in range(2000):
        m = rng.standard_normal((3, 3)) * 10.0 ** rng.uniform(-8, 3)
        m = (m + m.T) * rng.choice([0, 1], (3, 3), p=(0.2, 0.8)) if k % 3 else np.round(m + m.T)
        m = np.triu(m) + np.triu(m, 1).T
        got, want = ((np.zeros(3), np.zeros(9), np.zeros(4)) for _ in range(2))
        assert sinew.mju_eig3(*got, m.ravel()) == mujoco.mju_eig3(*want, m.ravel())
        for a, b in zip(got, want):
            np.testing.assert_array_equal(a, b)


SINGULAR = """
<mujoco><worldbody>
  <body><joint type="%s" axis="0 1 0"/><joint type="%s" axis="0 1 0"/><geom size=".13" pos=".1 0 0"/></body>
  <body pos="1 0 0"><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".13" pos=".1 0 0"/></body>
  <body pos="2 0 0"><joint type="slide" axis="1 0 0"/><geom size=".13"/></body>
</worldbody></mujoco>
"""


@pytest.mark.parametrize("joint", ["hinge", "slide"])
def test_joint_given_twice(joint):
    """One dof without inertia corrupts the inverse weights of all bodies except those with slide joints only."""
    cm, om = both(SINGULAR % (joint, joint))
    assert np.any(np.isnan(om.body_invweight0)) == (joint == "hinge")
    for field in ("body_invweight0", "dof_invweight0"):
        np.testing.assert_allclose(getattr(cm, field), getattr(om, field), rtol=1e-12)


def test_discarded_geoms_keep_their_margin():
    text = """<mujoco><compiler discardvisual="true"/><worldbody><body>
        <geom size=".1" margin=".05" contype="0" conaffinity="0"/><geom size=".1" margin=".01"/></body></worldbody></mujoco>"""
    cm, om = both(text)
    np.testing.assert_array_equal(cm.body_margin, om.body_margin)
