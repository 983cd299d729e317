"""Warmstart data of the position-based solver: kept in copies and saved simulations, not in states."""

import pickle

import numpy as np
import pytest
import sinew

BOXES = "".join(
    f'<body pos="{0.012 * (i % 3)} 0 {0.11 + 0.21 * i}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>' for i in range(4)
)
XML = f"""<mujoco><worldbody><geom type="plane" size="3 3 1"/>{BOXES}</worldbody>
  <custom><text name="sinew:solver" data="xpbd"/></custom><keyframe><key name="start"/></keyframe></mujoco>"""
FULL = sinew.mjtState.mjSTATE_INTEGRATION


@pytest.fixture(scope="module")
def pile():
    """A pile that depends on its contacts' warmstart, and its motion without it."""
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 200)
    fresh = sinew.MjData(m)
    sinew.mj_setState(m, fresh, state(m, d), FULL)
    sinew.mj_step(m, fresh)
    return m, d, fresh.qpos.copy()


def state(m, d):
    vector = np.empty(sinew.mj_stateSize(m, FULL))
    sinew.mj_getState(m, d, vector, FULL)
    return vector


def test_copies_and_pickles_remember(pile):
    m, d, fresh = pile
    other = sinew.MjData(m)
    sinew.mj_copyData(other, m, d)
    twins = [d.__copy__(), pickle.loads(pickle.dumps(d)), other]
    moved = d.__copy__()
    sinew.mj_step(m, moved)
    assert np.abs(moved.qpos - fresh).max() > 1e-12, "memory makes a difference here"
    for twin in twins:
        sinew.mj_step(m, twin)
        np.testing.assert_array_equal(twin.qpos, moved.qpos)


def used(m):
    """A simulation with a different history."""
    d = sinew.MjData(m)
    d.qvel[0] = 0.3
    sinew.mj_step(m, d, 150)
    return d


def test_set_and_copied_states_do_not(pile):
    m, d, fresh = pile
    by_vector, by_copy = used(m), used(m)
    sinew.mj_setState(m, by_vector, state(m, d), FULL)
    sinew.mj_copyState(m, d, by_copy, FULL)
    for other in (by_vector, by_copy):
        sinew.mj_step(m, other)
        np.testing.assert_array_equal(other.qpos, fresh)


def test_resets_do_not(pile):
    m, _, _ = pile
    first, plain, keyed = sinew.MjData(m), used(m), used(m)
    sinew.mj_resetData(m, plain)
    sinew.mj_resetDataKeyframe(m, keyed, 0)
    for d in (first, plain, keyed):
        sinew.mj_step(m, d, 20)
        np.testing.assert_array_equal(d.qpos, first.qpos)


def test_controls_alone_leave_it(pile):
    m, d, _ = pile
    other, moved = d.__copy__(), d.__copy__()
    sig = sinew.mjtState.mjSTATE_XFRC_APPLIED
    sinew.mj_setState(m, other, np.zeros(sinew.mj_stateSize(m, sig)), sig)
    sinew.mj_step(m, other)
    sinew.mj_step(m, moved)
    np.testing.assert_array_equal(other.qpos, moved.qpos)


@pytest.mark.parametrize("threads", [1, 2])
def test_states_of_batches_do_not(pile, threads):
    m, d, fresh = pile
    sim = sinew.BatchSim(m, 4, num_threads=threads)
    for _ in range(50):
        sim.step()
    sim.set_state(None, d.qpos, d.qvel)
    sim.step()
    for world in sim.qpos:
        np.testing.assert_allclose(world, fresh, rtol=0, atol=0)
    sim.reset()
    first = sinew.MjData(m)
    for _ in range(5):
        sinew.mj_step(m, first)
        sim.step()
    np.testing.assert_array_equal(sim.qpos[0], first.qpos)


def test_rollouts_and_derivatives_do_not_depend_on_the_past(pile):
    m, d, fresh = pile
    start = np.empty(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS))
    sinew.mj_getState(m, d, start, sinew.mjtState.mjSTATE_FULLPHYSICS)
    from sinew import rollout

    states, _ = rollout.rollout(m, used(m), start, nstep=1)
    np.testing.assert_array_equal(states[0, 0, 1 : 1 + m.nq], fresh)
    other = used(m)
    sinew.mj_setState(m, other, state(m, d), FULL)
    np.testing.assert_array_equal(sinew.transition(m, d, method="fd").A, sinew.transition(m, other, method="fd").A)


def test_adjoints_do_not_depend_on_their_checkpoints(pile):
    m, d, _ = pile
    loss = np.zeros((6, 2 * m.nv))
    loss[-1, 0] = 1
    gradients = [sinew.rollout_vjp(m, d, np.zeros((6, m.nu)), loss, checkpoint=n)[0] for n in (1, 2, 6)]
    for other in gradients[1:]:
        np.testing.assert_array_equal(other, gradients[0])
