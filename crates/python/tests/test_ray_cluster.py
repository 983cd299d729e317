"""Worlds and rollouts on a local Ray cluster of several processes."""

import os

import numpy as np
import pytest
import sinew
import sinew.rollout

ray = pytest.importorskip("ray", reason="ray is not installed: sinew.ray is not tested")

import learning  # noqa: E402
import sinew.ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402
from learning import STEPS  # noqa: E402

WORLDS, ACTORS = 7, 3


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Nodes with one core each, all on this machine."""
    node = {"num_cpus": 1, "object_store_memory": 80 << 20}
    found = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    found.more = [found.add_node(**node) for _ in range(ACTORS - 1)]
    ray.init(address=found.address, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": os.path.dirname(__file__)}})
    yield found
    ray.shutdown()
    found.shutdown()


class Task:
    def reward(self, sim):
        return sim.qpos[:, 2]

    def truncated(self, sim):
        return sim.time > 0.025


class Die:
    def __init__(self, at):
        self.at = at

    def reward(self, sim):
        """Kills the process of the first world, once."""
        marker = self.at + "/dead"
        if sim.qpos[0, 0] > 0.5 and sim.time[0] > 0.025 and not os.path.exists(marker):
            open(marker, "w").close()
            os._exit(1)
        return sim.qpos[:, 2]


def sims(m, **options):
    return sinew.BatchSim(m, WORLDS, 1, **options), sinew.ray.BatchSim(m, WORLDS, **options)


def same(one, other):
    for name in ("qpos", "qvel", "rewards", "terminated", "truncated", "failed"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.errors == other.errors


def test_like_one_machine():
    m = learning.model()
    local, far = sims(m, task=Task())
    assert far.num_actors == ACTORS, "one per node"
    with far:
        for sim in (local, far):
            sim.scatter("qvel", np.random.default_rng(0).normal(size=(WORLDS, m.nv)))
            for t in range(STEPS):
                sim.step(learning.controls(m, WORLDS, seed=t))
        assert local.truncated.any()
        same(local, far)
        for sim in (local, far):
            sim.reset(np.arange(WORLDS) % 2 == 0)
            sim.scatter("qvel", np.ones((2, m.nv)), [5, 1])
            sim.set_state(slice(3, 5), m.qpos0, 0.1 * np.ones(m.nv))
            sim.reset([])
            sim.step()
        same(local, far)
        for a, b in zip(local.transition(sensors=True), far.transition(sensors=True)):
            assert np.array_equal(a, b)
        next = np.random.default_rng(1).normal(size=(WORLDS, 2 * m.nv + m.na))
        for a, b in zip(local.vjp(next), far.vjp(next)):
            assert np.array_equal(a, b)
        assert far.xpos.shape == local.xpos.shape and len(far) == WORLDS
        with pytest.raises(ValueError, match="ctrl should be of shape"):
            far.step(np.zeros((WORLDS, m.nu + 1)))
        with pytest.raises(AttributeError, match="no attribute 'qpso'"):
            far.qpso
        with pytest.raises(ValueError, match="none of 'fd'"):
            far.transition("magic")


@pytest.mark.parametrize("keep", [True, False])
def test_a_lost_actor_is_replaced(keep, tmp_path):
    m = learning.model()
    local = sinew.BatchSim(m, WORLDS, 1, task=lambda sim: sim.qpos[:, 2])
    far = sinew.ray.BatchSim(m, WORLDS, ACTORS, 1, task=Die(str(tmp_path)), keep=keep)
    middle = slice(*far._bounds[1:3])
    with far:
        for sim in (local, far):
            qpos = np.tile(m.qpos0, (WORLDS, 1))
            qpos[middle, 0] = 1
            sim.scatter("qpos", qpos)
        for t in range(STEPS):
            failed = []
            for sim in (local, far):
                sim.step(learning.controls(m, WORLDS, seed=t))
                failed.append(sim.failed)
            if t < 2 or keep:
                same(local, far)
            elif t == 2:
                lost = np.isin(np.arange(WORLDS), np.arange(WORLDS)[middle])
                assert np.array_equal(failed[1], lost) and "actor of this world was lost" in far.errors[middle.start]
                assert np.array_equal(far.qpos[~lost], local.qpos[~lost]), "the others go on"
                assert np.array_equal(far.qpos[lost], np.tile(m.qpos0, (lost.sum(), 1))), "start anew"
            else:
                assert not far.failed.any()
    assert (tmp_path / "dead").exists()


def test_rollouts():
    m = learning.model()
    rng = np.random.default_rng(0)
    d = sinew.MjData(m)
    start = np.empty(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS))
    sinew.mj_getState(m, d, start, sinew.mjtState.mjSTATE_FULLPHYSICS)
    ctrl = rng.normal(size=(20, 30, m.nu))
    want = sinew.rollout.rollout(m, d, start, ctrl)
    with sinew.ray.Rollout(num_actors=ACTORS, num_threads=1) as pool:
        for a, b in zip(pool.rollout(m, start, ctrl), want):
            assert np.array_equal(a, b)
        ray.kill(pool._actors[1])                   # lost before it is called
        for a, b in zip(pool.rollout(m, start, ctrl, chunk_size=3), want):
            assert np.array_equal(a, b)
    for a, b in zip(sinew.ray.rollout(m, np.tile(start, (4, 1)), ctrl[0], num_actors=2), want):
        assert np.array_equal(a, np.tile(b[0], (4, 1, 1)))


def test_a_lost_node(cluster):
    m = learning.model()
    local, far = sinew.BatchSim(m, WORLDS, 1), sinew.ray.BatchSim(m, WORLDS, keep=True)
    with far:
        for t in range(STEPS):
            if t == 2:
                cluster.remove_node(cluster.more.pop())
            for sim in (local, far):
                sim.step(learning.controls(m, WORLDS, seed=t))
            same(local, far)


def test_refused():
    m = learning.model()
    with pytest.raises(ValueError, match="num_actors"):
        sinew.ray.BatchSim(m, 4, 0)
    with pytest.raises(ValueError, match="fewer than"):
        sinew.ray.BatchSim(m, 2, 3)
