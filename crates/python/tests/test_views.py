"""Fields are live views with MuJoCo's names, shapes and types."""

import copy
import gc
import weakref

import mujoco
import numpy as np
import pytest
import sinew

TABLES = sinew._sinew._tables()
GROUPS = {"Global": "global_", "Quality": "quality", "Headlight": "headlight", "Map": "map", "Scale": "scale",
          "Rgba": "rgba"}
# MuJoCo's own module shows these as empty arrays.
EMPTY_IN_MUJOCO = {"bv", "bvactive"}


def same(a, b, name):
    assert type(a) is type(b), name
    if isinstance(a, np.ndarray):
        assert (a.dtype, a.shape) == (b.dtype, b.shape), name
        assert a.flags.writeable == b.flags.writeable, name


def test_model_fields(pair):
    for name in TABLES["Sizes"]:
        assert getattr(pair.m, name) == getattr(pair.om, name), name
    for name, *_ in TABLES["MjModel"]:
        a, b = getattr(pair.m, name), getattr(pair.om, name)
        same(a, b, name)
        assert np.array_equal(a, b), name


def test_no_model_field_is_missing(pair):
    mine = set(dir(pair.m))
    # a fingerprint, a hash table, editing of specifications, MuJoCo's binary format
    skip = {"signature", "names_map", "bind", "bind_scalar", "from_binary_path"}
    theirs = {n for n in dir(pair.om) if not n.startswith("_")} - skip
    assert theirs <= mine, theirs - mine


def test_no_data_field_is_missing(pair):
    mine = set(dir(pair.d))
    theirs = {n for n in dir(pair.od) if not n.startswith("_")}
    assert theirs <= mine, theirs - mine


def test_data_fields(pair):
    for name, *_, meaning in TABLES["MjData"]:
        if not meaning.endswith("sinew only"):
            same(getattr(pair.d, name), getattr(pair.od, name), name)


def test_settings(pair):
    owners = [(pair.m.opt, pair.om.opt, "MjOption"), (pair.m.stat, pair.om.stat, "MjStatistic")]
    owners += [(getattr(pair.m.vis, a), getattr(pair.om.vis, a), g) for g, a in GROUPS.items()]
    for mine, theirs, table in owners:
        for name, *_ in TABLES[table]:
            if name in EMPTY_IN_MUJOCO:
                continue
            a, b = getattr(mine, name), getattr(theirs, name)
            same(a, b, name)
            assert np.array_equal(a, b), name


def test_views_are_cached_and_alias(rich):
    d, m = rich.d, rich.m
    assert d.qpos is d.qpos
    d.qpos[:] = np.arange(m.nq)
    assert np.array_equal(d.qpos, np.arange(m.nq))
    part = d.qpos[2:4]
    d.qpos[2] = -7
    assert part[0] == -7
    d.qpos = 5
    assert np.all(part == 5)
    assert m.names is m.names and m.body("arm") is m.body("arm") and m.body("arm").pos is m.body("arm").pos
    m.opt.gravity[:] = 1, 2, 3
    assert np.array_equal(m.opt.gravity, [1, 2, 3])
    assert m.opt is m.opt and m.vis.global_ is m.vis.global_


def test_writing_changes_the_simulation(rich):
    m, d = rich.m, rich.d
    sinew.mj_forward(m, d)
    before = d.qfrc_bias.copy()
    m.opt.gravity[:] = 0
    sinew.mj_forward(m, d)
    assert not np.allclose(before, d.qfrc_bias)
    x = d.xpos[1, 2]
    d.qpos[2] += 1
    sinew.mj_kinematics(m, d)
    assert d.xpos[1, 2] == pytest.approx(x + 1)


def test_scalars(rich):
    d, m = rich.d, rich.m
    d.time = 3
    assert d.time == 3.0 and isinstance(d.time, float)
    d.time = np.float32(0.5)
    assert d.time == 0.5
    m.opt.timestep = 0.01
    assert m.opt.timestep == 0.01
    m.opt.integrator = sinew.mjtIntegrator.mjINT_RK4
    assert m.opt.integrator == 1
    m.opt.disableflags |= sinew.mjtDisableBit.mjDSBL_CONTACT
    assert m.opt.disableflags == 16
    for bad in ("a", None, [1, 2]):
        with pytest.raises(TypeError):
            d.time = bad
    for bad in (1.5, "a", 2**40, -(2**31) - 1):
        with pytest.raises(TypeError):
            m.opt.integrator = bad
    assert d.time == 0.5 and m.opt.integrator == 1


@pytest.mark.parametrize("name, bad", [("cone", 2), ("jacobian", 7)])
def test_unknown_codes(rich, name, bad):
    """MuJoCo treats any other cone or Jacobian value as the last one."""
    before = getattr(rich.m.opt, name)
    with pytest.raises(sinew.FatalError, match=f"{bad} is not a value of mjt.* 0 .mj"):
        setattr(rich.m.opt, name, bad)
    assert getattr(rich.m.opt, name) == before
    rich.m.opt.disableflags = rich.m.opt.enableflags = -1  # bits without a name are kept, as in MuJoCo
    assert rich.m.opt.disableflags == rich.m.opt.enableflags == -1


@pytest.mark.parametrize("name, bad", [("integrator", 99), ("integrator", -1), ("solver", 3)])
def test_codes_that_a_step_refuses(rich, name, bad):
    """Refused as in MuJoCo, with the same message."""
    before = getattr(rich.m.opt, name)
    said = []
    for engine, m, d in ((mujoco, rich.om, rich.od), (sinew, rich.m, rich.d)):
        setattr(m.opt, name, bad)
        assert getattr(m.opt, name) == getattr(copy.copy(m.opt), name) == bad
        with pytest.raises(engine.FatalError) as refused:
            engine.mj_step(m, d)
        said.append(str(refused.value))
        setattr(m.opt, name, before)
        engine.mj_step(m, d)
    assert said[1].startswith(said[0])


def test_what_cannot_be_set(rich):
    for name in ("nq", "names", "paths", "text_data"):
        with pytest.raises(AttributeError):
            setattr(rich.m, name, 1)
    for owner in (rich.m, rich.d, rich.m.opt):
        with pytest.raises(AttributeError):
            owner.no_such_thing = 1
        with pytest.raises(AttributeError):
            owner.no_such_thing
    with pytest.raises(ValueError, match="could not broadcast"):
        rich.d.qpos = [1, 2]
    with pytest.raises(AttributeError):
        rich.m.opt = sinew.MjOption()


def test_views_keep_their_owner_alive(rich):
    m, d = rich.m, rich.d
    d.qpos[0] = 42
    qpos, gravity, part = d.qpos, m.opt.gravity, d.joint("root").qpos
    watch = weakref.ref(m), weakref.ref(d)
    del rich.m, rich.d, m, d
    gc.collect()
    assert watch[0]() is None and watch[1]() is None, "a view should keep memory, not the Python object"
    junk = [np.random.rand(1000) for _ in range(100)]
    assert qpos[0] == 42 and part[0] == 42 and gravity[2] == pytest.approx(-9.81)
    qpos[0] = 43
    assert part[0] == 43
    del junk


def test_data_keeps_its_model_alive(rich):
    d = rich.d
    m = weakref.ref(rich.m)
    assert d.model is rich.m
    del rich.m
    gc.collect()
    assert m() is d.model
    sinew.mj_forward(d.model, d)


def test_no_leak():
    """Creating and deleting objects returns their memory."""
    resource = pytest.importorskip("resource")
    import oracle
    import mujoco

    om = mujoco.MjModel.from_xml_string("<mujoco><size nuserdata='500000'/></mujoco>")

    def once():
        m = oracle.model_from_mujoco(om)
        d = sinew.MjData(m)
        d.userdata[:] = 1
        d.contact, d.solver, d.timer, d.efc_force
        return d.userdata[3:]

    once()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        once()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000  # in KiB; one Data takes 4 MB


def test_descriptors_refuse_other_owners(rich):
    with pytest.raises(TypeError):
        type(rich.m.opt).__dict__["gravity"].__get__(rich.m)
    with pytest.raises(TypeError):
        type(rich.m).__dict__["qpos0"].__get__(rich.d)
    with pytest.raises(TypeError):
        type(rich.d).__dict__["qpos"].__get__(3)
    assert "gravity" in type(rich.m.opt).__dict__["gravity"].__doc__.lower()
