"""Position-based flexes from Python: files that MuJoCo loads too, state, copies, rendering."""

import copy
import pickle

import mujoco
import numpy as np
import pytest
import sinew

TEXT = '<custom><text name="sinew:deformable:cloth" data="cotton"/></custom>'
FILE = """<mujoco><worldbody><light pos="0 0 2"/><geom type="plane" size="2 2 1"/><geom name="ball" size=".15" pos="0 0 .2"/>
  <body name="box" pos="0 0 .7"><freejoint/><geom type="box" size=".05 .05 .02" mass=".05"/></body>
  <flexcomp name="cloth" type="grid" dim="2" count="13 13 1" spacing=".04 .04 .04" pos="0 0 .5" mass=".1" radius=".01">
    <edge equality="true"/><contact selfcollide="none"/></flexcomp></worldbody>TEXT</mujoco>"""


def model(text=TEXT):
    return sinew.MjModel.from_xml_string(FILE.replace("TEXT", text))


def run(m, d, steps):
    sinew.mj_step(m, d, steps)
    assert not d.warning.number.any()
    return d


def test_mujoco_loads_the_file_and_without_the_text_both_agree():
    theirs = mujoco.MjModel.from_xml_string(FILE.replace("TEXT", TEXT))
    plain, own = model(""), model()
    assert own.nv == theirs.nv == plain.nv
    np.testing.assert_array_equal(plain.eq_active0, theirs.eq_active0)
    assert plain.eq_active0.any() and not own.eq_active0.any()
    assert own.flex_vertnum[0] == 169


def test_a_cloth_falls_and_is_drawn():
    m = model()
    d = run(m, sinew.MjData(m), 300)
    sinew.mj_forward(m, d)
    ball = np.linalg.norm(d.flexvert_xpos - [0, 0, 0.2], axis=1)
    assert ball.min() > 0.16 - 1e-4 and d.flexvert_xpos[:, 2].min() > 0.01 - 1e-4
    assert d.body("box").xpos[2] > 0.02
    # vertex positions are slide positions
    bodies = m.flex_vertbodyid
    np.testing.assert_array_equal(d.xpos[bodies], d.flexvert_xpos)
    scene = sinew.MjvScene(m, maxgeom=100)
    sinew.mjv_updateScene(m, d, sinew.MjvOption(), None, sinew.MjvCamera(), sinew.mjtCatBit.mjCAT_ALL, scene)
    assert sinew.mjtGeom.mjGEOM_FLEX in [g.type for g in scene.geoms[: scene.ngeom]]


def test_copies_pickles_states_and_batches_go_the_same_way():
    m = model()
    d = run(m, sinew.MjData(m), 60)
    twins = [copy.copy(d), pickle.loads(pickle.dumps(d)), sinew.MjData(m)]
    spec = sinew.mjtState.mjSTATE_INTEGRATION
    state = np.empty(sinew.mj_stateSize(m, spec))
    sinew.mj_getState(m, d, state, spec)
    sinew.mj_setState(m, twins[2], state, spec)
    run(m, d, 60)
    for twin in twins:
        np.testing.assert_array_equal(run(m, twin, 60).qpos, d.qpos)
    m2 = pickle.loads(pickle.dumps(m))
    np.testing.assert_array_equal(run(m2, sinew.MjData(m2), 120).qpos, d.qpos)
    for threads in (1, 2):
        batch = sinew.BatchSim(m, 2, num_threads=threads, nstep=120)
        batch.step(np.zeros((2, 0)))
        np.testing.assert_array_equal(batch.qpos[1], d.qpos)


def test_positions_and_velocities_can_be_set():
    m = model()
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    start = d.flexvert_xpos.copy()
    d.qpos[7:] = np.tile([0.1, 0.0, 1.0], 169)
    d.qvel[6:] = np.tile([0.0, 1.0, 0.0], 169)
    sinew.mj_forward(m, d)
    np.testing.assert_allclose(d.flexvert_xpos - start, np.tile([0.1, 0, 1.0], (169, 1)), atol=1e-12)
    run(m, d, 10)
    sinew.mj_forward(m, d)
    assert (d.flexvert_xpos - start)[:, 1] == pytest.approx(0.02, rel=1e-6)
    sinew.mj_resetData(m, d)
    assert not d.qpos[7:].any() and not d.qvel.any()


def test_mistakes_are_named_with_their_line():
    for words, message in [("coton", "did you mean 'cotton'"), ("cotton substeps=x", "not a number"), ("rope", "known are")]:
        with pytest.raises(ValueError, match=message) as error:
            model(TEXT.replace('"cotton"', f'"{words}"'))
        assert ":4:" in str(error.value)
