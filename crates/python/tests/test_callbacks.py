"""Callbacks have the same effect in a step as in MuJoCo's."""

import gc
import sys
import threading

import mujoco
import numpy as np
import pytest
import sinew
from mujoco import rollout as oracle_rollout
from sinew import rollout

import samples
from conftest import Pair

NAMES = ("passive", "control", "sensor", "act_dyn", "act_gain", "act_bias")

USER = """
<mujoco>
  <option timestep="0.005" integrator="{integrator}"/>
  <worldbody>
    <body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".05" pos="0 0 -.3"/>
      <body pos="0 0 -.3"><joint name="b" axis="1 0 0" stiffness="2"/><geom size=".04" pos=".1 0 -.2"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="a"/>
    <general joint="a" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
    <general joint="b" dyntype="user" actdim="2"/>
    <general joint="b" gaintype="user" biasprm="1 0 0" biastype="affine" group="1"/>
  </actuator>
  <sensor>
    <user name="p" dim="2" needstage="pos"/>
    <jointpos joint="a"/>
    <user name="v" dim="1" needstage="vel" cutoff=".02"/>
    <user name="f" dim="3" needstage="acc"/>
  </sensor>
</mujoco>
"""


def install(engine, **callbacks):
    for name, f in callbacks.items():
        getattr(engine, f"set_mjcb_{name}")(f)


@pytest.fixture(autouse=True)
def clean():
    yield
    for engine in (mujoco, sinew):
        install(engine, **dict.fromkeys(NAMES))


def control(m, d):
    d.ctrl[:] = np.sin(3 * d.time + np.arange(m.nu)) - 0.2 * d.qvel[0]
    d.qfrc_applied[-1] = 0.1 * d.qpos[0]


def passive(m, d):
    d.qfrc_passive += -0.3 * d.qvel * np.abs(d.qvel) + 0.05 * d.qM[0]


def sensor(m, d, stage):
    if stage == 1:
        d.sensordata[0:2] = d.xpos[2, :2]
    elif stage == 2:
        d.sensordata[3] = d.qvel[0]
    else:
        d.sensordata[4:7] = d.qacc[0], d.actuator_force[1], d.time


def act_dyn(m, d, i):
    if m.actuator_actnum[i] == 2:
        a = m.actuator_actadr[i]
        d.act_dot[a : a + 2] = d.ctrl[i] - d.act[a], d.act[a] - d.act[a + 1]
        return 100
    return np.float64(d.ctrl[i] - 2 * d.act[m.actuator_actadr[i]])


def act_gain(m, d, i):
    return i + d.qpos[0]


def act_bias(m, d, i):
    return -1 - int(d.time > 0.05)


ALL = {f.__name__: f for f in (control, passive, sensor, act_dyn, act_gain, act_bias)}


STATE = ("time", "qpos", "qvel", "act", "ctrl")
RESULTS = (*STATE, "qacc", "qfrc_passive", "act_dot", "actuator_force", "sensordata")


def compare(p, names=RESULTS, tol=1e-10):
    for name in names:
        np.testing.assert_allclose(getattr(p.d, name), getattr(p.od, name), rtol=tol, atol=tol, err_msg=name)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit", "RK4"])
@pytest.mark.parametrize("only", [*ALL, None])
def test_results_over_steps(integrator, only):
    p = Pair(USER.format(integrator=integrator))
    p.d.ctrl[:] = p.od.ctrl[:] = 0.3
    p.d.qpos[:] = p.od.qpos[:] = 0.4
    plain = sinew.MjData(p.m)
    plain.ctrl[:], plain.qpos[:] = 0.3, 0.4
    sinew.mj_step(p.m, plain, 40)
    for engine in (mujoco, sinew):
        install(engine, **(ALL if only is None else {only: ALL[only]}))
    for _ in range(40):
        mujoco.mj_step(p.om, p.od)
        sinew.mj_step(p.m, p.d)
        compare(p)
    seen = [np.concatenate([d.qpos, d.sensordata]) for d in (p.d, plain)]
    assert np.abs(seen[0] - seen[1]).max() > 1e-4, "the callbacks make no difference"


def test_order_and_arguments():
    calls = {mujoco: [], sinew: []}
    p = Pair(USER.format(integrator="RK4"))
    for engine, m, d in ((mujoco, p.om, p.od), (sinew, p.m, p.d)):
        log = calls[engine]

        def note(name, result, log=log, m=m, d=d):
            def f(mm, dd, *rest):
                assert mm is m and dd is d
                assert all(type(r) is int for r in rest)
                log.append((name, *rest))
                return result

            return f

        install(engine, **{name: note(name, 1.0) for name in NAMES})
        for f in "mj_step mj_forward mj_step1 mj_step2 mj_inverse mj_passive mj_fwdVelocity mj_fwdActuation".split():
            log.append(f)
            getattr(engine, f)(m, d)
        for f in "mj_sensorPos mj_sensorVel mj_sensorAcc mj_kinematics mj_Euler mj_compareFwdInv".split():
            log.append(f)
            getattr(engine, f)(m, d)
        engine.mj_forwardSkip(m, d, 1, 1)
        engine.mj_inverseSkip(m, d, 1, 0)
        m.opt.disableactuator = 2
        engine.mj_step(m, d)
        m.opt.disableflags = int(engine.mjtDisableBit.mjDSBL_ACTUATION)
        engine.mj_step(m, d)
        m.opt.disableflags = int(engine.mjtDisableBit.mjDSBL_SPRING) | int(engine.mjtDisableBit.mjDSBL_DAMPER)
        engine.mj_forward(m, d)

    assert calls[sinew] == calls[mujoco]


def test_set_and_get():
    for name in NAMES:
        setter, getter = getattr(sinew, f"set_mjcb_{name}"), getattr(sinew, f"get_mjcb_{name}")
        assert getter() is None
        setter(control)
        assert getter() is control
        with pytest.raises(TypeError, match=r"callback is not an Optional\[Callable\]"):
            setter(1)
        assert getter() is control
        setter(None)
        assert getter() is None


def test_none_is_no_callback():
    p = Pair(USER.format(integrator="Euler"))
    plain = sinew.MjData(p.m)
    install(sinew, **ALL)
    install(sinew, **dict.fromkeys(NAMES))
    sinew.mj_step(p.m, p.d, 10)
    sinew.mj_step(p.m, plain, 10)
    assert (p.d.qpos == plain.qpos).all() and (p.d.sensordata == plain.sensordata).all()


class Stop(Exception):
    pass


@pytest.mark.parametrize("name", NAMES)
def test_exception_ends_the_call(name):
    p = Pair(USER.format(integrator="Euler"))
    args = ("text", (1, 2), {"a": 1})

    def stop(m, d, *rest):
        if d.time > 0.012:
            raise Stop(*args)
        return 0.0

    for engine, m, d in ((mujoco, p.om, p.od), (sinew, p.m, p.d)):
        install(engine, **{name: stop})
        with pytest.raises(Stop) as e:
            engine.mj_step(m, d, 10)
        assert e.value.args == args
        assert "stop" in [entry.name for entry in e.traceback]
    compare(p, STATE)
    assert p.d.time == pytest.approx(0.015)
    for engine, m, d in ((mujoco, p.om, p.od), (sinew, p.m, p.d)):
        install(engine, **{name: None})
        engine.mj_step(m, d, 3)  # no lock is left held
    compare(p)


@pytest.mark.parametrize("name", ["act_dyn", "act_gain", "act_bias"])
@pytest.mark.parametrize("value", [None, "text", [1.0]])
def test_wrong_result(name, value):
    p = Pair(USER.format(integrator="Euler"))
    for engine, m, d in ((mujoco, p.om, p.od), (sinew, p.m, p.d)):
        install(engine, **{name: lambda m, d, i: value})
        with pytest.raises(TypeError, match=f"^mjcb_{name} callback did not return a number$"):
            engine.mj_forward(m, d)


def test_native_calls_inside_a_callback():
    """A callback may run the engine on its own simulation and on others."""
    p = Pair(samples.RICH)
    p.m.opt.disableflags = p.om.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT
    active = []

    def ahead(engine, other):
        def f(m, d):
            if active:
                return
            active.append(1)
            engine.mj_copyData(other, m, d)
            engine.mj_step(m, other, 2)
            d.qfrc_applied[:] = -0.1 * other.qvel
            jac = np.zeros((3, m.nv))
            engine.mj_jacBody(m, d, jac, None, m.nbody - 1)
            d.qfrc_applied[:] += jac[2]
            engine.mj_forward(m, d)
            active.pop()

        return f

    install(mujoco, control=ahead(mujoco, mujoco.MjData(p.om)))
    install(sinew, control=ahead(sinew, sinew.MjData(p.m)))
    for _ in range(10):
        mujoco.mj_step(p.om, p.od)
        sinew.mj_step(p.m, p.d)
    np.testing.assert_allclose(p.d.qpos, p.od.qpos, rtol=1e-8, atol=1e-8)


def test_endless_recursion_is_an_exception():
    p = Pair(USER.format(integrator="Euler"))
    depth = []

    def again(m, d):
        depth.append(1)
        sinew.mj_forward(m, d)

    sinew.set_mjcb_control(again)
    with pytest.raises(RecursionError, match="callbacks inside one another"):
        sinew.mj_forward(p.m, p.d)
    assert len(depth) == 32
    sinew.set_mjcb_control(None)
    sinew.mj_forward(p.m, p.d)


LIMITED = """
<mujoco><worldbody><body><joint axis="0 1 0" range="-5 5" limited="true"/><geom size=".1" pos=".2 0 0"/>
<body pos=".4 0 0"><joint axis="0 1 0" range="-5 5" limited="true"/><geom size=".1" pos=".2 0 0"/></body>
</body></worldbody></mujoco>
"""


def test_growing_arrays_inside_a_callback():
    """Arrays of constraint rows are live in the callback and stay valid for those who keep them afterwards."""
    m = sinew.MjModel.from_xml_string(LIMITED)
    d = sinew.MjData(m)
    kept = []

    def look(m, d):
        kept.append((d.efc_pos, d.efc_pos.copy(), d.nefc, len(d.contact), d.warning[0].number, d.body(1).xpos.copy()))
        assert len(d.efc_pos) == d.nefc == len(d.efc_J_rownnz)

    sinew.set_mjcb_control(look)
    for k in range(60):
        d.qpos[:] = np.deg2rad([6 * (k % 2), 6 * (k % 3)])
        sinew.mj_step(m, d)
        gc.collect()
    assert len(kept) == 60 and {n for _, _, n, *_ in kept} == {0, 1, 2}
    for array, copy, *_ in kept:
        assert (array == copy).all()


def test_growing_arrays_kept_while_the_call_goes_on():
    m = sinew.MjModel.from_xml_string(LIMITED)
    d = sinew.MjData(m)
    d.qpos[:] = 0.2
    kept = []

    def look(m, d):
        kept.append((d.efc_pos, d.efc_pos.copy()))
        d.qpos[:] = 0.2 + 0.01 * len(kept), 0.1 * (len(kept) % 2)

    sinew.set_mjcb_control(look)
    sinew.mj_step(m, d, 30)
    assert {len(array) for array, _ in kept} == {1, 2}
    for array, copy in kept:
        assert (array == copy).all()


def test_growing_arrays_survive_nested_calls():
    m = sinew.MjModel.from_xml_string(LIMITED)
    d = sinew.MjData(m)
    d.qpos[:] = 0.2
    nested = []

    def nest(m, d):
        if nested:
            return
        nested.append(1)
        before = d.efc_pos
        copy = before.copy()
        d.qpos[:] = 0
        sinew.mj_forward(m, d)
        assert d.nefc == len(d.efc_pos) == 0
        assert (before == copy).all() and len(before) == 2
        d.qpos[:] = 0.2
        sinew.mj_forward(m, d)
        assert (d.efc_pos == copy).all()

    sinew.set_mjcb_control(nest)
    sinew.mj_step(m, d)
    assert nested and d.time > 0


def test_other_threads_wait_outside():
    """While a callback runs, other threads get an error that the simulation is in use."""
    p = Pair(USER.format(integrator="Euler"))
    found = []

    def other(m, d):
        try:
            sinew.mj_kinematics(m, d)
        except RuntimeError as e:
            found.append(str(e))

    def f(m, d):
        t = threading.Thread(target=other, args=(m, d))
        t.start()
        t.join()
        sinew.mj_kinematics(m, d)

    sinew.set_mjcb_control(f)
    sinew.mj_step(p.m, p.d)
    assert found == ["MjData is in use by another thread"]


def test_replaced_inside_itself():
    p = Pair(USER.format(integrator="Euler"))
    for engine, m, d in ((mujoco, p.om, p.od), (sinew, p.m, p.d)):
        def once(m, d, engine=engine):
            engine.set_mjcb_control(None)
            d.ctrl[:] = 1

        engine.set_mjcb_control(once)
        engine.mj_step(m, d, 5)
        assert engine.get_mjcb_control() is None
    compare(p)


def test_nothing_is_leaked():
    def f(m, d):
        d.ctrl[:] = 0

    count = sys.getrefcount(f)
    m = sinew.MjModel.from_xml_string(USER.format(integrator="Euler"))
    d = sinew.MjData(m)
    counts = [sys.getrefcount(x) for x in (m, d)]
    sinew.set_mjcb_control(f)
    sinew.mj_step(m, d, 20)
    sinew.set_mjcb_control(None)
    assert [sys.getrefcount(x) for x in (m, d)] == counts
    assert sys.getrefcount(f) == count


@pytest.mark.parametrize("nthread", [0, 2])
def test_rollout(nthread):
    p = Pair(USER.format(integrator="Euler"))
    nstate = mujoco.mj_stateSize(p.om, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    initial = np.random.default_rng(1).normal(size=(5, nstate)) * 0.1
    initial[:, 0] = 0
    results = []
    for engine, roll, m in ((mujoco, oracle_rollout, p.om), (sinew, rollout, p.m)):
        install(engine, **ALL)
        datas = [engine.MjData(m) for _ in range(max(nthread, 1))]
        with roll.Rollout(nthread=nthread) as r:
            results.append(r.rollout(m, datas, initial, nstep=15))
    for ours, theirs in zip(results[1], results[0]):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_exception_in_rollout():
    p = Pair(USER.format(integrator="Euler"))
    nstate = sinew.mj_stateSize(p.m, int(sinew.mjtState.mjSTATE_FULLPHYSICS))

    def stop(m, d):
        raise Stop

    sinew.set_mjcb_control(stop)
    datas = [sinew.MjData(p.m) for _ in range(2)]
    with rollout.Rollout(nthread=2) as r, pytest.raises(Stop):
        r.rollout(p.m, datas, np.zeros((4, nstate)), nstep=3)
