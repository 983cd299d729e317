"""Rollouts equal stepping, on any number of threads, and refuse what MuJoCo refuses."""

import concurrent.futures

import mujoco
import mujoco.rollout
import numpy as np
import pytest
import sinew
import sinew.rollout

SPEC = int(sinew.mjtState.mjSTATE_FULLPHYSICS)


def by_hand(m, d, states, controls):
    out, sensors = [], []
    for r, state in enumerate(states):
        sinew.mj_resetData(m, d)
        sinew.mj_setState(m, d, state, SPEC)
        for u in controls[r]:
            d.ctrl[:] = u
            sinew.mj_step(m, d)
            s = np.zeros(len(state))
            sinew.mj_getState(m, d, s, SPEC)
            out.append(s)
            sensors.append(d.sensordata.copy())
    n = len(controls[0])
    return np.reshape(out, (len(states), n, -1)), np.reshape(sensors, (len(states), n, -1))


@pytest.fixture
def problem(rich):
    rng = np.random.default_rng(2)
    m, d = rich.m, rich.d
    rest = np.zeros(sinew.mj_stateSize(m, SPEC))
    sinew.mj_getState(m, d, rest, SPEC)
    states = np.stack([rest] * 7)
    states[:, 1 + m.nq :] = 0.1 * rng.standard_normal(states[:, 1 + m.nq :].shape)
    controls = 0.3 * rng.standard_normal((7, 5, m.nu))
    return m, d, states, controls


def test_like_stepping(problem):
    m, d, states, controls = problem
    want = by_hand(m, sinew.MjData(m), states, controls)
    got = sinew.rollout.rollout(m, d, states, controls)
    assert np.array_equal(got[0], want[0]) and np.array_equal(got[1], want[1])


@pytest.mark.parametrize("threads", [1, 2, 5, 16])
def test_threads(problem, threads):
    m, d, states, controls = problem
    want = sinew.rollout.rollout(m, d, states, controls)
    pool = [sinew.MjData(m) for _ in range(threads)]
    for persistent in (False, True):
        got = sinew.rollout.rollout(m, pool, states, controls, persistent_pool=persistent)
        assert np.array_equal(got[0], want[0]) and np.array_equal(got[1], want[1])
    sinew.rollout.shutdown_persistent_pool()


def test_many_python_threads(problem):
    m, _, states, controls = problem
    want = sinew.rollout.rollout(m, sinew.MjData(m), states, controls)[0]

    def one(i):
        return sinew.rollout.rollout(m, sinew.MjData(m), states[i], controls[i])[0]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        got = list(pool.map(one, range(7)))
    assert np.array_equal(np.concatenate(got), want)


def test_outputs_and_tiling(problem):
    m, d, states, controls = problem
    out = np.zeros((7, 5, states.shape[1]))
    sensors = np.zeros((7, 5, m.nsensordata))
    a, b = sinew.rollout.rollout(m, d, states, controls, state=out, sensordata=sensors)
    assert np.shares_memory(a, out) and np.shares_memory(b, sensors) and out.any()
    one = sinew.rollout.rollout(m, d, states[0], controls[0, 0], nstep=5)[0]
    same = sinew.rollout.rollout(m, d, states[:1], np.tile(controls[:1, :1], (1, 5, 1)))[0]
    assert one.shape == (1, 5, states.shape[1]) and np.array_equal(one, same)
    assert sinew.rollout.rollout(m, d, states)[0].shape == (7, 1, states.shape[1])
    many = sinew.rollout.rollout([m] * 7, d, states[0], controls[0])[0]
    assert many.shape[0] == 7 and np.array_equal(many[0], many[6])


def test_skip_checks(problem):
    m, d, states, controls = problem
    out, sensors = np.zeros((7, 5, states.shape[1])), np.zeros((7, 5, m.nsensordata))
    sinew.rollout.rollout([m] * 7, [d], states, controls, skip_checks=True, nstep=5, state=out, sensordata=sensors)
    assert np.array_equal(out, sinew.rollout.rollout(m, d, states, controls)[0])


BAD = [
    dict(control="text"),
    dict(control=np.zeros((7, 5, 99))),
    dict(control=np.zeros((7, 5, 3, 1))),
    dict(control=np.zeros((3, 5, 3))),
    dict(initial_state=np.zeros((7, 3))),
    dict(initial_state=np.zeros((7, 3, 3))),
    dict(initial_state=[1, 2, 3]),
    dict(initial_warmstart=np.zeros((7, 1))),
    dict(state=np.zeros((7, 4, 30))),
    dict(sensordata=np.zeros((7, 5, 99))),
    dict(nstep=1.5),
    dict(nstep=6),
    dict(chunk_size=0.5),
    dict(control_spec=int(sinew.mjtState.mjSTATE_QPOS)),
    dict(data=[]),
]


@pytest.mark.parametrize("bad", BAD, ids=[f"{i}-{next(iter(b))}" for i, b in enumerate(BAD)])
def test_refusals(problem, rich, bad):
    m, d, states, controls = problem
    args = dict(model=m, data=d, initial_state=states, control=controls) | bad
    with pytest.raises((ValueError, TypeError)):
        sinew.rollout.rollout(**args)
    theirs = dict(model=rich.om, data=rich.od, initial_state=states, control=controls) | bad
    with pytest.raises((ValueError, TypeError)):
        mujoco.rollout.rollout(**theirs)


def test_thread_counts(problem):
    m, d, states, controls = problem
    with sinew.rollout.Rollout(nthread=2) as pool:
        with pytest.raises(ValueError, match="not equal to nthread"):
            pool.rollout(m, [d], states, controls)
    with pytest.raises(RuntimeError, match="after thread pool shutdown"):
        pool.rollout(m, [d, d], states, controls)
    with pytest.raises(RuntimeError, match="in use"):
        sinew.rollout.rollout(m, [d, d], states, controls)


@pytest.mark.parametrize("size", [None, 1, 2, 3, 7, 100])
def test_chunks(problem, size):
    m, d, states, controls = problem
    want = sinew.rollout.rollout(m, d, states, controls)
    with sinew.rollout.Rollout(nthread=2) as pool:
        for _ in range(3):
            got = pool.rollout(m, [sinew.MjData(m), d], states, controls, chunk_size=size)
            assert np.array_equal(got[0], want[0]) and np.array_equal(got[1], want[1])


def test_persistent_pool_is_kept(problem):
    m, d, states, controls = problem
    pool = [d, sinew.MjData(m)]
    sinew.rollout.rollout(m, pool, states, controls, persistent_pool=True)
    first = sinew.rollout._persistent
    sinew.rollout.rollout(m, pool, states, controls, persistent_pool=True)
    assert sinew.rollout._persistent is first and first.nthread == 2
    sinew.rollout.shutdown_persistent_pool()
    with pytest.raises(RuntimeError, match="after thread pool shutdown"):
        first.rollout(m, pool, states, controls)


def test_arrays_that_alias(problem):
    """Controls inside the output array, and outputs inside the simulation itself."""
    m, d, states, controls = problem
    want = sinew.rollout.rollout(m, d, states, controls)[0]
    out = np.zeros((7, 5, states.shape[1]))
    mixed = out.reshape(-1)[: controls.size].reshape(controls.shape)
    mixed[...] = controls
    sinew.rollout.rollout(m, d, states, mixed, state=out)
    assert np.array_equal(out, want)
    sensors = sinew.rollout.rollout(m, sinew.MjData(m), states[0], controls[0, 0])[1]
    sinew.rollout.rollout(m, d, states[0], controls[0, 0], sensordata=d.sensordata)
    assert np.array_equal(d.sensordata, sensors.ravel())


def test_signatures():
    import inspect

    for theirs, ours in ((mujoco.rollout.rollout, sinew.rollout.rollout),
                         (mujoco.rollout.Rollout, sinew.rollout.Rollout),
                         (mujoco.rollout.Rollout.rollout, sinew.rollout.Rollout.rollout)):
        theirs, ours = inspect.signature(theirs).parameters, inspect.signature(ours).parameters
        assert list(theirs) == list(ours)
        for name, p in theirs.items():
            assert (p.kind, p.default) == (ours[name].kind, ours[name].default), name


DEGENERATE = {
    "no steps": lambda m, d, x: ((m, d, x), dict(nstep=0)),
    "no steps, controls": lambda m, d, x: ((m, d, x, np.zeros((3, 1))), dict(nstep=0)),
    "controls for no steps": lambda m, d, x: ((m, d, x, np.zeros((1, 0, 1))), {}),
    "negative steps": lambda m, d, x: ((m, d, x), dict(nstep=-1)),
    "half a step": lambda m, d, x: ((m, d, x), dict(nstep=1.5)),
    "text": lambda m, d, x: ((m, d, x), dict(nstep="3")),
    "no data": lambda m, d, x: ((m, [], x), dict(nstep=3)),
    "long state": lambda m, d, x: ((m, d, np.zeros(x.size + 1)), dict(nstep=3)),
    "wide controls": lambda m, d, x: ((m, d, x, np.zeros((2, 3, 2))), {}),
    "a list": lambda m, d, x: ((m, d, x.tolist()), dict(nstep=3)),
    "no chunk": lambda m, d, x: ((m, d, np.tile(x, (4, 1))), dict(nstep=3, chunk_size=0)),
    "half a chunk": lambda m, d, x: ((m, d, np.tile(x, (4, 1))), dict(nstep=3, chunk_size=1.5)),
    "integers": lambda m, d, x: ((m, d, x.astype(int)), dict(nstep=2)),
    "short outputs": lambda m, d, x: ((m, d, x), dict(nstep=2, state=np.zeros((1, 3, x.size)))),
    "no controls": lambda m, d, x: ((m, d, x), dict(nstep=2, control_spec=0)),
    "state as controls": lambda m, d, x: ((m, d, x), dict(nstep=2, control_spec=1)),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_arguments(case):
    xml = '<mujoco><worldbody><body><joint name="a"/><geom size=".1"/></body></worldbody>' \
          '<actuator><motor joint="a"/></actuator><sensor><jointpos joint="a"/></sensor></mujoco>'
    outcomes = []
    for engine, module in ((mujoco, mujoco.rollout), (sinew, sinew.rollout)):
        m = engine.MjModel.from_xml_string(xml)
        args, options = DEGENERATE[case](m, engine.MjData(m), np.zeros(1 + m.nq + m.nv))
        try:
            outcomes.append([a.shape for a in module.rollout(*args, **options)])
        except (TypeError, ValueError) as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]


def test_nothing_to_roll_out():
    """A case in which MuJoCo's process crashes."""
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    d = sinew.MjData(m)
    state, sensordata = sinew.rollout.rollout(m, d, np.zeros((0, 1)), nstep=3)
    assert state.shape == (0, 3, 1) and sensordata.shape == (0, 3, 0)
    for models in ([], None, [None]):
        with pytest.raises((TypeError, ValueError)):
            sinew.rollout.rollout(models, d, np.zeros(1), nstep=3)
    with pytest.raises((TypeError, ValueError)):
        sinew.rollout.rollout(m, None, np.zeros(1), nstep=3)
    with pytest.raises((TypeError, ValueError)):
        sinew.rollout.rollout(m, d, None, nstep=3)
