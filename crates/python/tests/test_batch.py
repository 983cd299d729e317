"""Worlds of a batch are stepped as if alone, and every field of theirs can be read and set as one array."""

import threading

import numpy as np
import pytest
import sinew

XML = """<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="mocap" mocap="true"/>
    <body pos="0 0 .4"><freejoint/><geom type="capsule" size=".05 .1"/>
      <body pos=".1 0 0"><joint name="a" axis="0 1 0" range="-60 60"/><geom size=".05" pos=".1 0 0"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="a" active="false"/></equality>
  <actuator><motor joint="a" gear=".3"/><position joint="a" kp=".1"/></actuator>
  <sensor><jointpos joint="a"/></sensor>
</mujoco>"""
N = 7


@pytest.fixture
def model():
    return sinew.MjModel.from_xml_string(XML)


def controls(model, call):
    return np.sin(np.arange(N * model.nu) * 3 + call).reshape(N, model.nu)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_as_if_alone(model, threads):
    sim = sinew.BatchSim(model, N, num_threads=threads, nstep=3)
    assert (len(sim), sim.num_threads, sim.nstep, sim.model) == (N, threads, 3, model)
    datas = [sinew.MjData(model) for _ in range(N)]
    for call in range(20):
        u = controls(model, call)
        sim.step(u)
        for d, row in zip(datas, u):
            d.ctrl[:] = row
            sinew.mj_step(model, d, 3)
    for name in "time qpos qvel act ctrl xpos xmat cinert qacc sensordata actuator_force eq_active mocap_pos ncon".split():
        want = np.stack([np.asarray(getattr(d, name)) for d in datas])
        got = getattr(sim, name)
        assert got.shape == want.shape and np.array_equal(got, want), name
        assert not got.flags.writeable
    assert not sim.failed.any() and sim.errors == [None] * N


def test_gather_into(model):
    sim = sinew.BatchSim(model, N)
    out = np.zeros((N, model.nq))
    assert sim.gather("qpos", out) is out and np.array_equal(out, sim.qpos) and out.any()
    wide = np.zeros((N, model.nbody, 3))
    sim.forward()
    assert np.array_equal(sim.gather("xpos", out=wide), sim.xpos) and wide.any()
    for bad in (np.zeros((N, 3)), np.zeros((N, model.nq), np.float32), np.zeros((model.nq, N)).T, [1.0]):
        with pytest.raises((TypeError, ValueError)):
            sim.gather("qpos", bad)
    for name in ("nothing", "efc_J"):
        with pytest.raises(AttributeError):
            sim.gather(name)
        assert not hasattr(sim, name)


@pytest.mark.parametrize("which", [[1, 4], np.array([False, True, False, False, True, False, False]), slice(1, 5, 3)])
def test_set_and_reset(model, which):
    sim = sinew.BatchSim(model, N)
    sim.step(controls(model, 0))
    before = sim.qpos
    qpos, qvel = np.arange(2.0 * model.nq).reshape(2, -1), np.ones(model.nv)
    sim.set_state(which, qpos, qvel)
    others = [0, 2, 3, 5, 6]
    assert np.array_equal(sim.qpos[[1, 4]], qpos) and np.array_equal(sim.qpos[others], before[others])
    assert np.array_equal(sim.qvel[[1, 4]], np.ones((2, model.nv)))
    sim.reset(which)
    assert np.array_equal(sim.qpos[1], model.qpos0) and np.array_equal(sim.qpos[others], before[others])
    assert np.array_equal(sim.time == 0, np.isin(np.arange(N), [1, 4]))
    sim.reset()
    assert not sim.time.any()
    sim.reset([])
    sim.scatter("eq_active", 1, which)
    assert sim.eq_active[:, 0].tolist() == [0, 1, 0, 0, 1, 0, 0]
    sim.scatter("mocap_pos", sim.mocap_pos + 1)
    assert sim.mocap_pos.min() == 1


def test_refusals(model):
    sim = sinew.BatchSim(model, N, num_threads=2)
    for bad in (np.zeros((N + 1, model.nu)), np.zeros((N, model.nu + 1)), np.zeros(N * model.nu), "text"):
        with pytest.raises((TypeError, ValueError)):
            sim.step(bad)
    for bad in ([N], [True] * (N + 1), "text", [0.5]):
        with pytest.raises((IndexError, TypeError, ValueError)):
            sim.reset(bad)
    with pytest.raises(ValueError):
        sim.set_state([0, 1], np.zeros((3, model.nq)), np.zeros(model.nv))
    with pytest.raises(AttributeError):
        sim.qpos = 1


def test_failures_stay_where_they_are(model):
    sim, fine = sinew.BatchSim(model, N, num_threads=2), sinew.BatchSim(model, N, num_threads=1)
    for call in range(5):
        u = controls(model, call)
        fine.step(u)
        if call == 2:
            u[3, 1] = np.nan
        sim.step(u)
        assert sim.failed.tolist() == [call == 2 and i == 3 for i in range(N)]
    others = np.arange(N) != 3
    assert np.array_equal(sim.qpos[others], fine.qpos[others])
    assert np.allclose(sim.time[3], 2 * model.opt.timestep)
    sim.step(np.full(model.nu, np.inf))
    assert sim.failed.all() and "control 0" in sim.errors[0]


def test_model_changes_count(model):
    sim = sinew.BatchSim(model, N)
    model.opt.timestep = 0.01
    sim.step()
    assert np.array_equal(sim.time, np.full(N, 0.01))


def test_memory(model):
    one, many = sinew.BatchSim(model, 1), sinew.BatchSim(model, 100)
    assert many.nbytes == one.nbytes > 8 * (model.nq + model.nv + 9 * model.nbody)
    assert sinew.BatchSim(model, 0).nbytes == 0


def test_threads_share_no_batch(model):
    """The GIL is free while a batch steps; another thread that wants the same batch is told so."""
    sim = sinew.BatchSim(model, 200, num_threads=1, nstep=50)
    seen = []

    def other():
        while worker.is_alive():
            try:
                sim.qpos
            except RuntimeError as e:
                seen.append(str(e))
                return

    worker = threading.Thread(target=sim.step)
    watcher = threading.Thread(target=other)
    worker.start()
    watcher.start()
    worker.join()
    watcher.join()
    assert seen and "in use by another thread" in seen[0]
