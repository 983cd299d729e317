"""Flexes together with other parts of a model, against the oracle: replicas, attachments, keyframes, skins, rollouts,
batches, copies, sleep, islands, sensors, fluid."""

import copy
import pickle

import mujoco
import mujoco.rollout
import numpy as np
import pytest
import sinew
import sinew.rollout

from test_flex import ELASTIC, QUIET, SHELL, close
from tolerances import FLEX

CABLE = '<flexcomp name="c" type="grid" count="4 1 1" spacing=".1 .1 .1" dim="1" radius=".01"><edge equality="true" damping=".1"/></flexcomp>'
SHEET = ('<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" mass=".3">'
         '<edge equality="true" damping=".01"/></flexcomp>')
SOLID = ('<flexcomp name="s" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" radius=".01">' + ELASTIC + QUIET + "</flexcomp>")
FLOOR = '<geom name="floor" type="plane" size="3 3 .1"/>'


def world(inner, rest="", option="", asset=""):
    return f'<mujoco><option {option}/><asset>{asset}</asset><worldbody>{FLOOR}{inner}</worldbody>{rest}</mujoco>'


def held(flex, name="b", pos="0 0 .3", more=""):
    return f'<body name="{name}" pos="{pos}">{more}{flex}</body>'


def both(xml):
    om, m = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    return om, mujoco.MjData(om), m, sinew.MjData(m)


def compare_model(m, om, skip=()):
    """All values of the compiled model for bodies, joints, flexes, equalities, skins and keyframes."""
    prefixes = ("n", "flex", "body_", "jnt_", "dof_", "eq_", "skin_", "key_", "tree_", "qpos0", "exclude_", "sensor_")
    for field in dir(om):
        want = getattr(om, field)
        if not field.startswith(prefixes) or field in ("names", "names_map", "nbuffer", "narena", *skip):
            continue
        if isinstance(want, (int, float, np.ndarray)) and "bvh" not in field:
            close(getattr(m, field), want, FLEX["model"], field)


def compare_run(om, d, m, e, steps=8, scatter=0.005):
    """Each step from the oracle's state."""
    rng = np.random.default_rng(4)
    d.qpos[:] += scatter * rng.normal(size=om.nq)
    d.qvel[:] = 0.2 * rng.normal(size=om.nv)
    for _ in range(steps):
        e.qpos[:], e.qvel[:], e.qacc_warmstart[:], e.time = d.qpos, d.qvel, d.qacc_warmstart, d.time
        mujoco.mj_step(om, d)
        sinew.mj_step(m, e)
        assert e.ncon == d.ncon and e.nefc == d.nefc
        for field in ("qpos", "qvel", "qfrc_passive", "sensordata"):
            close(getattr(e, field), getattr(d, field), FLEX["force"], field)
    assert np.abs(d.qvel).max() < 100


POINTS = """<body name="v" pos="0 0 1"><freejoint/><geom size=".05"/></body><body name="w" pos="0 .3 1"><joint/><geom size=".05"/></body>
  <body name="x" pos=".3 .3 1"><joint type="ball"/><geom size=".05"/></body>"""
TRIANGLE = """<deformable><flex %s dim="2" body="v w x" vertex="0 0 0 0 .1 0 0 0 .1" element="0 1 2" radius=".01">
  <edge damping=".3"/></flex></deformable>"""
REPLICAS = {
    "beside": world('<replicate count="2" offset=".6 0 0"><body name="z"><joint/><geom size=".1"/></body></replicate>' + held(SHEET)),
    "bodies of a flex": world(
        '<replicate count="3" offset=".2 0 0"><body name="v" pos="0 0 1"><freejoint/><geom size=".05"/></body></replicate>',
        '<deformable><flex name="x" dim="2" body="v0 v1 v2" vertex="0 0 0 0 .1 0 0 0 .1" element="0 1 2"/></deformable>'),
}


@pytest.mark.parametrize("name", REPLICAS)
def test_replicas(name):
    om, d, m, e = both(REPLICAS[name])
    compare_model(m, om)
    compare_run(om, d, m, e)


@pytest.mark.parametrize("inner", [held(SHEET), held(CABLE + '<geom size=".02"/>'), held(SOLID), POINTS])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_flexes_cannot_be_replicated(inner, count):
    xml = world(f'<replicate count="{count}" offset=".6 0 0">{inner}</replicate>', TRIANGLE % "" if inner == POINTS else "")
    for module in (mujoco, sinew):
        with pytest.raises(ValueError, match="repeated name|unknown body|replicated"):
            module.MjModel.from_xml_string(xml)


CHILD = '<mujoco><worldbody><body name="p" pos="0 0 .2">%s</body></worldbody>%s</mujoco>'
EQUALITY = '<equality><flex name="e" flex="t" solref=".03 1"/></equality>'
ATTACHED = {
    "cable": (CHILD % (CABLE, ""), 1), "sheet": (CHILD % (SHEET, ""), 1), "solid": (CHILD % (SOLID, ""), 1),
    "box": (CHILD % (SOLID.replace('dim="3"', 'dim="3" dof="trilinear"').replace("3 3 3", "4 4 4"), ""), 1),
    "triangle": (CHILD % (POINTS.replace("<freejoint/>", "<joint/>"), TRIANGLE % 'name="t"' + EQUALITY), 1),
    "unnamed": (CHILD % (POINTS.replace("<freejoint/>", "<joint/>"), TRIANGLE % ""), 3),
    "elsewhere": ((CHILD % ("<joint/><geom size='.1'/>", "")).replace("</worldbody>", held(SHEET) + "</worldbody>"), 1),
    "skin": (CHILD % (SHEET, """<deformable><skin name="k" vertex="0 0 0 .1 0 0 0 .1 0" face="0 1 2"><bone body="f_0"
      bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>"""), 1),
}


def attached(tmp_path, child, prefixes):
    (tmp_path / "child.xml").write_text(child)
    frames = "".join(f'<frame pos="{k} 0 .5" euler="0 {20 * k} 0"><attach model="child" body="p" prefix="{prefix}"/></frame>'
                     for k, prefix in enumerate(prefixes))
    path = tmp_path / "main.xml"
    path.write_text(world(frames, asset='<model name="child" file="child.xml"/>'))
    return str(path)


@pytest.mark.parametrize("named", [True, False], ids=["prefix", "no prefix"])
@pytest.mark.parametrize("name", ATTACHED)
def test_attached(name, named, tmp_path):
    child, count = ATTACHED[name]
    path = attached(tmp_path, child, [f"a{k}_" for k in range(count)] if named else [""])
    om, m = mujoco.MjModel.from_xml_path(path), sinew.MjModel.from_xml_path(path)
    compare_model(m, om)
    assert om.nflex == (0 if name == "elsewhere" else count if named else 1)
    assert om.neq == (0 if named else m.neq)  # the equality does not find the renamed flex
    assert m.names == om.names
    compare_run(om, mujoco.MjData(om), m, sinew.MjData(m))


def test_named_flexes_are_attached_once(tmp_path):
    path = attached(tmp_path, CHILD % (SHEET, ""), ["a_", "b_"])
    for module in (mujoco, sinew):
        with pytest.raises(ValueError, match="repeated name"):
            module.MjModel.from_xml_path(path)


def test_keyframes():
    flexes = held(SHEET) + held(CABLE, "k", "1 0 .3", "<freejoint/><geom size='.05'/>")
    plain = mujoco.MjModel.from_xml_string(world(flexes))
    rng = np.random.default_rng(2)
    numbers = lambda n: " ".join(map(repr, (0.01 * rng.normal(size=n)).tolist()))
    keys = f'<keyframe><key name="a" qpos="{numbers(plain.nq)}" qvel="{numbers(plain.nv)}"/><key name="b" time="2"/></keyframe>'
    om, d, m, e = both(world(flexes, keys))
    compare_model(m, om)
    for k in range(2):
        mujoco.mj_resetDataKeyframe(om, d, k)
        sinew.mj_resetDataKeyframe(m, e, k)
        mujoco.mj_forward(om, d)
        sinew.mj_forward(m, e)
        for field in ("qpos", "qvel", "time", "flexvert_xpos", "flexedge_length", "flexedge_velocity"):
            close(getattr(e, field), getattr(d, field), FLEX["kinematics"], field)
        close(e.qacc, d.qacc, FLEX["force"], "qacc")


def test_skins_on_flex_bodies():
    skin = """<skin name="k" vertex="0 0 0 .1 0 0 0 .1 0" face="0 1 2" inflate=".01">
      <bone body="f_0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1" vertweight="1 .5"/>
      <bone body="f_5" bindpos="0 0 .1" bindquat="0 1 0 0" vertid="1 2" vertweight=".5 1"/></skin>"""
    om, d, m, e = both(world(held(SHEET), f"<deformable>{skin}</deformable>"))
    assert om.nskin == 1
    compare_model(m, om)
    compare_run(om, d, m, e)


# vertices and edges of both flexes touch each other and the floor; sensors refer to the vertices' bodies
SENSED = world(
    held(SHEET, pos="0 0 .05") + held(CABLE, "k", "0 0 .07") + '<body name="o" pos="1 0 1"><joint/><geom size=".1"/></body>',
    """<sensor><framepos objtype="body" objname="f_4"/><framelinvel objtype="xbody" objname="f_8"/>
      <framelinacc objtype="body" objname="c_1"/><framequat objtype="body" objname="f_2" reftype="body" refname="o"/>
      <subtreecom body="f_3"/><subtreecom body="b"/><subtreelinvel body="b"/><subtreeangmom body="b"/>
      <e_potential/><e_kinetic/><clock/><contact body1="b" body2="world" data="found force" num="3"/>
      <contact subtree1="b" data="found" num="2"/></sensor>""",
)


def test_sensors():
    om, d, m, e = both(SENSED)
    rng = np.random.default_rng(3)
    for _ in range(6):
        d.qpos[:] = 0.01 * rng.normal(size=om.nq)
        d.qvel[:] = 0.3 * rng.normal(size=om.nv)
        e.qpos[:], e.qvel[:] = d.qpos, d.qvel
        mujoco.mj_forward(om, d)
        sinew.mj_forward(m, e)
        assert d.ncon > 1
        close(e.sensordata, d.sensordata, FLEX["force"], "sensordata")


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("option", ['density="1.2" viscosity="2e-5" wind="3 1 -2"', 'density="1000" viscosity=".1"'])
def test_fluid_on_vertices(option, integrator):
    om, d, m, e = both(world(held(SHEET) + held(SOLID, "k", "1 0 .5"), option=f'{option} integrator="{integrator}"'))
    d.qvel[:] = np.random.default_rng(1).normal(size=om.nv)
    mujoco.mj_forward(om, d)
    assert np.abs(d.qfrc_fluid).max() > 1e-6
    e.qvel[:] = d.qvel
    sinew.mj_forward(m, e)
    close(e.qfrc_fluid, d.qfrc_fluid, FLEX["kinematics"], "qfrc_fluid")
    compare_run(om, d, m, e)


ISLANDS = world(
    held(SHEET, pos="0 0 .008") + held(CABLE, "k", "2 0 .008") + held(SOLID, "l", "0 2 .105")
    + '<body name="o" pos="1 0 .1"><freejoint/><geom size=".1"/></body>',
    option='timestep=".001"',
)


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_islands(solver):
    om, d, m, e = both(ISLANDS.replace("<option ", f'<option solver="{solver}" '))
    d.qvel[:] = e.qvel[:] = 0.01 * np.random.default_rng(1).normal(size=om.nv)
    mujoco.mj_forward(om, d)
    sinew.mj_forward(m, e)
    assert d.nisland > 2
    for field in ("nisland", "dof_island", "island_nv", "island_nefc", "tree_island", "efc_island"):
        np.testing.assert_array_equal(getattr(e, field), getattr(d, field), field)
    compare_run(om, d, m, e, scatter=0.001)


@pytest.mark.parametrize("policy", ["", 'sleep="allowed"', 'sleep="never"'])
def test_sleep(policy):
    """Trees of flexes stay awake by default; other trees fall asleep. In MuJoCo, flex equalities raise an error in
    models with sleep."""
    flexes = held(SHEET.replace('equality="true" ', ""), pos="0 0 .008") + held(
        SOLID, f'l" {policy} childclass="main', "0 2 .105", '<freejoint/><geom size=".02"/>')
    xml = world(flexes + '<body name="o" pos="1 0 .1"><freejoint/><geom size=".1"/></body>', option='timestep=".001"')
    xml = xml.replace("<worldbody>", '<option><flag sleep="enable"/></option><worldbody>')
    om, d, m, e = both(xml)
    compare_model(m, om)
    for t in range(600):
        mujoco.mj_step(om, d)
        sinew.mj_step(m, e)
        assert e.ntree_awake == d.ntree_awake, t
    np.testing.assert_array_equal(np.asarray(e.tree_asleep) >= 0, d.tree_asleep >= 0)
    assert 0 < d.ntree_awake < om.ntree


def test_rollout():
    xml = world(held(SHEET, pos="0 0 .03") + held(CABLE, "k", "1 0 .05"))
    om, d, m, e = both(xml)
    rng = np.random.default_rng(5)
    size = mujoco.mj_stateSize(om, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    states = np.zeros((6, size))
    for row in states:
        d.qpos[:], d.qvel[:] = 0.005 * rng.normal(size=om.nq), 0.1 * rng.normal(size=om.nv)
        mujoco.mj_getState(om, d, row, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    want, _ = mujoco.rollout.rollout(om, mujoco.MjData(om), states, nstep=10)
    got, _ = sinew.rollout.rollout(m, sinew.MjData(m), states, nstep=10)
    close(got, want, 100 * FLEX["force"], "states")
    threads, _ = sinew.rollout.rollout(m, [sinew.MjData(m) for _ in range(2)], states, nstep=10)
    np.testing.assert_array_equal(threads, got)


def test_batch():
    """Worlds of a batch equal simulations stepped alone."""
    m = sinew.MjModel.from_xml_string(world(held(SHEET, pos="0 0 .03") + held(SOLID, "k", "1 0 .15")))
    rng = np.random.default_rng(6)
    qpos, qvel = 0.004 * rng.normal(size=(4, m.nq)), 0.1 * rng.normal(size=(4, m.nv))
    sim = sinew.BatchSim(m, 4, num_threads=2, nstep=12)
    sim.set_state(range(4), qpos, qvel)
    sim.step()
    for k in range(4):
        d = sinew.MjData(m)
        d.qpos[:], d.qvel[:] = qpos[k], qvel[k]
        sinew.mj_step(m, d, 12)
        for field in ("qpos", "qvel", "flexvert_xpos", "flexedge_length", "ncon"):
            np.testing.assert_array_equal(getattr(sim, field)[k], getattr(d, field), field)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(how):
    m = sinew.MjModel.from_xml_string(world(held(SHEET, pos="0 0 .03") + held(SOLID, "k", "1 0 .15")))
    d = sinew.MjData(m)
    d.qvel[:] = 0.1 * np.random.default_rng(7).normal(size=m.nv)
    for _ in range(20):
        sinew.mj_step(m, d)
    m2, d2 = how(m), how(d)
    for field in ("flexvert_xpos", "flexedge_length", "flexedge_J", "flexelem_aabb", "qpos", "qvel"):
        np.testing.assert_array_equal(getattr(d2, field), getattr(d, field))
    for _ in range(10):
        sinew.mj_step(m, d)
        sinew.mj_step(m2, d2)
    np.testing.assert_array_equal(d2.qpos, d.qpos)
    np.testing.assert_array_equal(d2.qvel, d.qvel)


def test_saved_model(tmp_path):
    m = sinew.MjModel.from_xml_string(world(held(SHEET) + held(SOLID, "k", "1 0 .5")))
    path = str(tmp_path / "flex.bin")
    sinew.mj_saveModel(m, path)
    again = sinew.MjModel.from_binary_path(path)
    for field in dir(m):
        if field.startswith(("flex", "nflex", "body_", "eq_")):
            np.testing.assert_array_equal(getattr(again, field), getattr(m, field), field)


def test_state_vectors():
    """A restored state continues bitwise equal."""
    m = sinew.MjModel.from_xml_string(world(held(SHEET, pos="0 0 .03") + held(SOLID, "k", "1 0 .15")))
    kind = sinew.mjtState.mjSTATE_INTEGRATION
    d, e = sinew.MjData(m), sinew.MjData(m)
    for _ in range(15):
        sinew.mj_step(m, d)
    state = np.zeros(sinew.mj_stateSize(m, kind))
    sinew.mj_getState(m, d, state, kind)
    sinew.mj_setState(m, e, state, kind)
    for _ in range(15):
        sinew.mj_step(m, d)
        sinew.mj_step(m, e)
    np.testing.assert_array_equal(e.qpos, d.qpos)
    np.testing.assert_array_equal(e.qvel, d.qvel)
