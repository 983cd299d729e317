"""Worlds of a batch step as if alone; each of their fields can be read and set as one array."""

import pathlib
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


def test_controls_wherever_their_numbers_lie(model):
    u = controls(model, 0)
    apart, wide = np.zeros((N, 3, model.nu)), np.zeros((N, 2 * model.nu))
    apart[:, 1], wide[:, ::2] = u, u
    sims = []
    for given in (u, apart[:, 1], wide[:, ::2], np.asfortranarray(u), u[::-1].copy()[::-1], u.tolist()):
        sims.append(sinew.BatchSim(model, N, nstep=3))
        sims[-1].step(given)
    assert all(np.array_equal(sim.ctrl, u) and np.array_equal(sim.qvel, sims[0].qvel) for sim in sims)


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
    humanoid = sinew.MjModel.from_xml_path(str(pathlib.Path(__file__).parents[3] / "models" / "humanoid.xml"))
    sim = sinew.BatchSim(humanoid, 4, nstep=5)
    sim.step()
    assert sim.xpos.any() and sim.cvel.any() and sim.qM.any()
    assert sinew.MjData(humanoid).qM.nbytes < sim.nbytes < 32 << 10


def test_fields_of_the_last_step(model):
    """A field that was never read before still belongs to the last step, and a changed model is noticed."""
    sim, d = sinew.BatchSim(model, N, num_threads=2, nstep=3), sinew.MjData(model)
    for call in range(8):
        u = controls(model, call)
        sim.step(u)
        d.ctrl[:] = u[2]
        sinew.mj_step(model, d, 3)
        for name in ("xpos", "qacc", "cinert", "ncon", "nefc", "qLD", "body_awake", "qfrc_constraint")[: call + 1]:
            assert np.array_equal(getattr(sim, name)[2], getattr(d, name)), (call, name)
    sim.scatter("xpos", 5.0, [1])
    assert (sim.xpos[1] == 5).all() and np.array_equal(sim.xpos[2], d.xpos) and np.array_equal(sim.qpos[2], d.qpos)
    model.body_mass[2] *= 2
    assert np.array_equal(sim.qacc[2], d.qacc)
    with pytest.raises(ValueError, match="model has changed since the last step of world 0"):
        sim.cvel
    sim.step()
    assert sim.cvel.any()


def test_threads_share_no_batch(model):
    """The GIL is released while a batch steps; another thread that uses the same batch gets an error."""
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


class Task:
    """Rewards height; ends below a height, or after a time; starts each world at a different height."""

    def __init__(self):
        self.resets = []

    def reward(self, sim):
        return sim.qpos[:, 2]

    def terminated(self, sim):
        return sim.qpos[:, 2] < 0.39

    def truncated(self, sim):
        return sim.time > 0.05

    def reset(self, sim, worlds):
        self.resets.append(worlds.tolist())
        qpos = np.tile(sim.model.qpos0, (len(worlds), 1))
        qpos[:, 2] = 0.4 + 0.1 * worlds
        sim.scatter("qpos", qpos, worlds)


def test_tasks(model):
    task = Task()
    sim = sinew.BatchSim(model, N, nstep=5, task=task)
    assert task.resets == [list(range(N))] and np.allclose(sim.qpos[:, 2], 0.4 + 0.1 * np.arange(N))
    ended = np.zeros(N, bool)
    for call in range(8):
        sim.step()
        assert np.array_equal(sim.rewards, sim.qpos[:, 2]) and sim.rewards.dtype == float
        assert np.array_equal(sim.terminated, sim.qpos[:, 2] < 0.39) and sim.terminated.dtype == bool
        assert np.array_equal(sim.truncated, sim.time > 0.05)
        ended |= sim.terminated
    assert ended[0] and not ended[-1] and sim.truncated.all()
    sim.reset(sim.terminated)
    assert task.resets[-1] == np.flatnonzero(sim.terminated).tolist()
    sim.reset([2])
    sim.reset(slice(1, 3))
    sim.reset()
    assert task.resets[-3:] == [[2], [1, 2], list(range(N))]


def test_a_function_is_a_task(model):
    sim = sinew.BatchSim(model, N, task=lambda sim: -np.square(sim.ctrl).sum(axis=1))
    u = controls(model, 1)
    sim.step(u)
    assert np.array_equal(sim.rewards, -np.square(u).sum(axis=1))
    assert not sim.terminated.any() and not sim.truncated.any()


def test_failed_worlds_of_a_task(model):
    task = Task()
    sim = sinew.BatchSim(model, N, task=task)
    u = np.zeros((N, model.nu))
    u[3] = np.nan
    sim.step(u)
    assert sim.failed.tolist() == [i == 3 for i in range(N)]
    assert sim.rewards[3] == 0 and sim.terminated[3] and not sim.truncated[3] and "control 0" in sim.errors[3]
    sim.step(np.zeros((N, model.nu)))
    assert task.resets[-1] == [3] and not sim.failed.any() and sim.qpos[3, 2] == pytest.approx(0.7, abs=1e-3)


def test_wrong_tasks(model):
    with pytest.raises(TypeError, match="reward"):
        sinew.BatchSim(model, N, task=3)
    sim = sinew.BatchSim(model, N, task=lambda sim: np.zeros(N + 1))
    with pytest.raises(ValueError, match="reward of the task has shape"):
        sim.step()


def test_without_a_task(model):
    sim = sinew.BatchSim(model, N)
    u = np.zeros((N, model.nu))
    u[1] = np.inf
    sim.step(u)
    assert np.array_equal(sim.terminated, sim.failed) and not sim.rewards.any() and not sim.truncated.any()


HARD = """<mujoco><option iterations="1" ls_iterations="1" tolerance="1e-12" solver="{solver}"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .098" euler="3 2 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_strict_steps(solver):
    m = sinew.MjModel.from_xml_string(HARD.format(solver=solver))
    d = sinew.MjData(m)
    with pytest.raises(sinew.StepError, match=r"island 0 did not converge in 1 iterations"):
        sinew.step_strict(m, d)
    assert d.time == 0 and issubclass(sinew.StepError, sinew.FatalError)
    sim = sinew.BatchSim(m, 3, strict=True)
    sim.step()
    assert sim.strict and sim.failed.all() and "island 0 did not converge in 1 iterations" in sim.errors[0]
    loose = sinew.BatchSim(m, 3)
    loose.step()
    assert not loose.failed.any() and not loose.strict
    m.opt.iterations, m.opt.ls_iterations, m.opt.tolerance = 1000, 50, 1e-8
    sinew.step_strict(m, d, 3)
    other = sinew.MjData(m)
    sinew.mj_step(m, other, 3)
    assert d.time == pytest.approx(3 * m.opt.timestep) and np.array_equal(d.qpos, other.qpos)
    d.qvel[1] = np.nan
    with pytest.raises(sinew.StepError, match="velocity 1"):
        sinew.step_strict(m, d)


def test_callbacks_are_refused(model):
    sim = sinew.BatchSim(model, N)
    for name in "passive control sensor contactfilter act_dyn act_gain act_bias".split():
        getattr(sinew, f"set_mjcb_{name}")(lambda *args: 0)
        try:
            for call in (sim.step, sim.forward):
                with pytest.raises(RuntimeError, match=f"mjcb_{name}"):
                    call()
        finally:
            getattr(sinew, f"set_mjcb_{name}")(None)
    assert not sim.time.any()
    sim.step()
    assert sim.time.all()
