"""Ctrl-C ends long calls between steps; what they leave is consistent, and everything can continue."""

import pathlib
import signal
import subprocess
import sys
import time

import hostile
import numpy as np
import pytest
import sinew
from sinew import rollout

ENDLESS = 2**31 - 1
# timeout of the child process, which normally takes less than two seconds (s)
PATIENCE = 60
WAIT = 0.3


def model(name="joints"):
    return sinew.MjModel.from_xml_string(hostile.MODELS[name])


def interrupted(work):
    """Runs something that must end with the exception of a signal handler, soon after the signal."""
    begun = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    try:
        work()
    except KeyboardInterrupt:
        assert WAIT <= time.monotonic() - begun < 20, time.monotonic() - begun
    else:
        raise AssertionError("nothing was interrupted")


def stepper(name):
    """Handlers may access the simulation."""
    m = model()
    d = sinew.MjData(m)
    seen = []

    def handler(*_):
        seen.append(d.time)
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, handler)
    interrupted(lambda: getattr(sinew, name)(m, d, ENDLESS))
    assert seen == [d.time] and d.time > 0
    sinew.mj_step(m, d)
    assert d.time > seen[0]


def steps_of(m, sim):
    return np.round(sim.time.reshape(-1) / m.opt.timestep).astype(int)


def is_alone(m, sim, i, taken, ctrl):
    """Asserts that a world equals a simulation after the same number of steps, with the results of the last one."""
    d = sinew.MjData(m)
    if taken:
        d.ctrl[:] = ctrl
        sinew.mj_step(m, d, taken)
    for name in ("qpos", "qvel", "xpos") if taken else ("qpos", "qvel"):
        np.testing.assert_array_equal(getattr(sim, name)[i], getattr(d, name), f"{name} of world {i} after {taken} steps")


def batch(worlds, threads, starts=False):
    m = model()
    sim = sinew.BatchSim(m, worlds, threads, nstep=ENDLESS)
    sim.xpos  # requested before, so kept by every step
    ctrl = np.full((worlds, m.nu), 0.1)
    fresh = np.arange(worlds) == 0
    place = [np.tile(a, (worlds, 1)) for a in (m.qpos0, np.zeros(m.nv))]
    work = (lambda: sim._step_or_start(ctrl, fresh, *place)) if starts else (lambda: sim.step(ctrl))
    interrupted(work)
    taken = steps_of(m, sim)
    assert taken.any() and not sim.failed.any(), taken
    for i in range(worlds):
        is_alone(m, sim, i, taken[i], 0.1)
    sim.reset()
    interrupted(work)
    assert steps_of(m, sim).any()


def batch_derivatives():
    """A call that has no steps ends between worlds."""
    m = model()
    probe = sinew.BatchSim(m, 64, 2)
    begun = time.perf_counter()
    probe.transition(method="fd")
    each = (time.perf_counter() - begun) / 64
    sim = sinew.BatchSim(m, min(50_000, int(5 / each)), 2)
    interrupted(lambda: sim.transition(method="fd"))
    sim.step(np.zeros(m.nu))
    assert (steps_of(m, sim) == 1).all()


def start_states(m, n):
    d = sinew.MjData(m)
    state = np.empty((n, sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS)))
    for i in range(n):
        d.qvel[:] = 0.01 * i
        sinew.mj_getState(m, d, state[i], sinew.mjtState.mjSTATE_FULLPHYSICS)
    return state


def endless_rollout(threads):
    m = model()
    data = [sinew.MjData(m) for _ in range(max(threads, 1))]
    with rollout.Rollout(nthread=threads) as pool:
        work = lambda: pool.rollout([m], data, start_states(m, 5), nstep=ENDLESS, skip_checks=True)
        interrupted(work)
        assert all(d.time > 0 for d in data)
        interrupted(work)
        states, _ = pool.rollout(m, data, start_states(m, 5), nstep=3)
    assert np.isfinite(states).all()
    sinew.mj_step(m, data[0])


def rollout_arrays():
    """Arrays hold the completed steps, and are unchanged beyond them."""
    m = model("sensors")
    assert m.nsensordata
    data = [sinew.MjData(m) for _ in range(2)]
    start = start_states(m, 3)
    begun = time.perf_counter()
    rollout.rollout(m, data, start, nstep=1000)
    nstep = int(4 * 1000 / (time.perf_counter() - begun))
    state = np.full((3, nstep, start.shape[1]), np.nan)
    sensordata = np.full((3, nstep, m.nsensordata), np.nan)
    interrupted(lambda: rollout.rollout(m, data, start, nstep=nstep, state=state, sensordata=sensordata))
    taken = np.isfinite(state).all(axis=2).sum(axis=1)
    assert taken.any() and (taken < nstep).any(), taken
    for i, n in enumerate(taken):
        assert np.isnan(state[i, n:]).all() and np.isnan(sensordata[i, n:]).all()
        if n:
            again = rollout.rollout(m, data, start[i], nstep=int(n))
            np.testing.assert_array_equal(state[i, :n], again[0][0])
            np.testing.assert_array_equal(sensordata[i, :n], again[1][0])


CASES = {
    "mj_step": lambda: stepper("mj_step"),
    "step_strict": lambda: stepper("step_strict"),
    "batch on one thread": lambda: batch(3, 1),
    "batch on two threads": lambda: batch(5, 2),
    "threads for each world": lambda: batch(1, 2),
    "batch with starts": lambda: batch(3, 2, starts=True),
    "derivatives of a batch": batch_derivatives,
    "roll-out on the calling thread": lambda: endless_rollout(0),
    "roll-out on two threads": lambda: endless_rollout(2),
    "arrays of a roll-out": rollout_arrays,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
def test_signals_end_long_calls(case):
    done = subprocess.run([sys.executable, __file__, case], capture_output=True, text=True, timeout=PATIENCE,
                          cwd=pathlib.Path(__file__).parent)
    assert done.returncode == 0, f"{done.stdout[-1000:]}\n{done.stderr[-2000:]}"


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    CASES[sys.argv[1]]()
