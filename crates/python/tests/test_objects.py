"""Objects behave as MuJoCo's: subclasses, copies, equality, identity, pickles."""

import copy
import pickle
import subprocess
import sys
import weakref

import mujoco
import numpy as np
import pytest
import samples
import sinew


@pytest.fixture(params=[mujoco, sinew], ids=["mujoco", "sinew"])
def engine(request):
    return request.param


@pytest.fixture
def stepped(engine):
    m = engine.MjModel.from_xml_string(samples.RICH)
    d = engine.MjData(m)
    engine.mj_step(m, d, 5)
    return m, d


class Sub(sinew.MjData):
    """At module level, so that it pickles."""


def test_subclasses(engine, stepped):
    m, _ = stepped

    class Model(engine.MjModel):
        pass

    class Data(engine.MjData):
        def __init__(self, model, scale=2.0):
            super().__init__(model)
            self.scale = scale

        def doubled(self):
            return self.scale * self.qpos

    d = Data(m, scale=3.0)
    assert isinstance(d, engine.MjData) and np.array_equal(d.doubled(), 3 * m.qpos0)
    engine.mj_step(m, d)
    assert d.time == m.opt.timestep
    assert type(Data(m)).__name__ == "Data" and type(copy.copy(d)) is engine.MjData
    assert type(Model.from_xml_string("<mujoco/>")) is engine.MjModel
    with pytest.raises(TypeError):
        Model()


def test_subclasses_without_a_model():
    class Data(sinew.MjData):
        def __init__(self, path):
            super().__init__(sinew.MjModel.from_xml_path(path))

    with pytest.raises(TypeError, match="needs an MjModel"):
        Data("model.xml")
    with pytest.raises(TypeError):
        sinew.MjData()
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(TypeError):
        sinew.MjData(m, m)
    assert sinew.MjData(model=m).model is m


def test_a_pickled_subclass_keeps_its_class():
    m = sinew.MjModel.from_xml_string(samples.RICH)
    d = Sub(m)
    sinew.mj_step(m, d, 3)
    back = pickle.loads(pickle.dumps(d))
    assert type(back) is Sub and back.time == d.time and np.array_equal(back.qpos, d.qpos)


def test_pickles_keep_statistics(stepped):
    _, d = stepped
    assert d.solver_niter[0] > 0
    back = pickle.loads(pickle.dumps(d))
    for name in ("solver", "timer", "warning", "contact"):
        assert getattr(back, name) == getattr(d, name), name
    assert np.array_equal(back.solver.improvement, d.solver.improvement) and back.solver.improvement[0] != 0


def test_visual_settings(engine, stepped):
    m, _ = stepped
    for make in (copy.copy, copy.deepcopy):
        other = make(m.vis)
        assert type(other) is engine.MjVisual and other == m.vis and other is not m.vis
        other.global_.fovy = 12
        assert other != m.vis and m.vis.global_.fovy != 12
    assert m.vis != 3 and m.vis is m.vis and m.vis.map is m.vis.map
    with pytest.raises(TypeError):
        hash(m.vis)


def plain(vis):
    """Without two colours that are empty arrays in MuJoCo's Python module."""
    return [line for line in repr(vis).splitlines() if not line.strip().startswith(("bv: array", "bvactive: array"))]


def test_visual_repr_is_mujocos():
    mine, theirs = (e.MjModel.from_xml_string(samples.RICH).vis for e in (sinew, mujoco))
    assert plain(mine) == plain(theirs)


def test_length_range_options(engine):
    a, b = engine.MjLROpt(), engine.MjLROpt()
    assert a == b == copy.copy(a) == copy.deepcopy(a)
    a.maxforce = 1.5
    assert a != b and copy.copy(a).maxforce == 1.5 and a != 3
    with pytest.raises(TypeError):
        hash(a)
    engine.mj_defaultLROpt(a)
    other = mujoco.MjLROpt()
    mujoco.mj_defaultLROpt(other)
    assert repr(a) == repr(other)


def test_defaults():
    m, om = (e.MjModel.from_xml_string(samples.RICH) for e in (sinew, mujoco))
    for engine, model in ((sinew, m), (mujoco, om)):
        model.vis.map.force = 77
        model.vis.rgba.fog = 0.25
        engine.mj_defaultVisual(model.vis)
    assert plain(m.vis) == plain(om.vis)
    solref, solimp = np.zeros(2), np.zeros(5)
    sinew.mj_defaultSolRefImp(solref, solimp)  # MuJoCo's function takes no arrays and crashes the process
    assert solref.tolist() == om.opt.o_solref.tolist() and solimp.tolist() == om.opt.o_solimp.tolist()


@pytest.mark.parametrize("name", ["contact", "warning", "timer", "solver"])
def test_lists(engine, stepped, name):
    _, d = stepped
    items = getattr(d, name)
    assert items is getattr(d, name) and len(items) > 0
    for make in (copy.copy, copy.deepcopy):
        one = make(items[0])
        assert one == items[0] and type(one) is type(items[0]) and repr(one) == repr(items[0])
    assert repr(items).startswith(f"<{type(items).__name__}\n") and items[0] in items
    field = "number" if name in ("warning", "timer") else "nactive" if name == "solver" else "dim"
    column = getattr(items, field)
    for part in (slice(1, None), slice(None, None, 2), slice(0, 1)):
        if engine is mujoco and len(column[part]) == 0:
            continue  # MuJoCo shows one element beyond the end
        assert np.array_equal(getattr(items[part], field), column[part])
        assert [getattr(x, field) for x in items[part]] == column[part].tolist()
    if engine is sinew:
        assert np.array_equal(getattr(items[::2][1:], field), column[::2][1:])
    for wrong in (-1, len(items)):
        with pytest.raises(IndexError):
            items[wrong]
    with pytest.raises(TypeError):
        copy.copy(items)


def test_arrays_are_the_same_objects(stepped):
    m, d = stepped
    for owner, names in ((d, "qpos ctrl xpos qM actuator_moment sensordata"), (m, "body_pos geom_size names opt vis")):
        for name in names.split():
            assert getattr(owner, name) is getattr(owner, name), name
    assert weakref.ref(d.qpos)() is d.qpos and weakref.ref(m.geom_pos)() is m.geom_pos
    assert weakref.ref(m)() is m and weakref.ref(d)() is d


def test_weak_references_to_parts():
    m = sinew.MjModel.from_xml_string(samples.RICH)
    d = sinew.MjData(m)
    for thing in (m.opt, d.contact, d.body(1)):
        assert weakref.ref(thing)() is thing


def test_repr_shows_fields():
    m = sinew.MjModel.from_xml_string(samples.RICH)
    d = sinew.MjData(m)
    assert repr(m).startswith("<MjModel\n") and "\n  nq: " in repr(m) and "\n  body_pos: array(" in repr(m)
    assert repr(d).startswith("<MjData\n") and "\n  qpos: array(" in repr(d) and "\n  time: 0.0" in repr(d)


def test_timers_run(engine):
    # in a separate process: removing the clock, as other tests do, affects the whole process
    program = f"""
import {engine.__name__} as engine
m = engine.MjModel.from_xml_string({samples.RICH!r})
d = engine.MjData(m)
engine.mj_step(m, d, 5)
step, forward = d.timer[engine.mjtTimer.mjTIMER_STEP], d.timer[engine.mjtTimer.mjTIMER_FORWARD]
assert step.number == forward.number == 5 and 0 < forward.duration < step.duration
engine.set_mjcb_time(None)
engine.mj_resetData(m, d)
engine.mj_step(m, d)
assert step.number == 1 and step.duration == 0
engine.MjData(m)
engine.mj_step(m, d)
assert step.number == 2 and step.duration > 0
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_vectors_count_as_columns(engine):
    def filled(f, *shape):
        out = np.zeros(shape)
        f(out)
        return out.ravel().tolist()

    q = np.array([0.8, 0.6, 0, 0.0])
    tall = np.arange(6.0).reshape(3, 2)
    for shape in ((9,), (9, 1), (3, 3)):
        assert filled(lambda out: engine.mjd_subQuat(q, q, out, None), *shape) == \
            filled(lambda out: mujoco.mjd_subQuat(q, q, out, None), 9)
    assert filled(lambda out: engine.mju_mulMatMat(out, tall, np.array([1.0, 2])), 3) == [2, 8, 14]
    assert filled(lambda out: engine.mju_bandMulMatVec(out, np.ones(8), np.ones(4), 4, 2, 0, 1, 1), 4) == \
        filled(lambda out: mujoco.mju_bandMulMatVec(out, np.ones(8), np.ones(4), 4, 2, 0, 1, 1), 4)
