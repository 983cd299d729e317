"""Named access gives the same as MuJoCo's, for every kind and attribute."""

import numpy as np
import pytest

MODEL = ("body joint jnt geom site camera cam light mesh skin hfield texture tex material mat pair exclude equality eq "
         "tendon actuator sensor numeric tuple keyframe key").split()
DATA = "body joint jnt geom site camera cam light tendon ten actuator sensor".split()
# MuJoCo's module reads wrong values: it takes sparse moments for dense ones, reads rows of six as scalars, and shows
# one of two spring lengths.
BROKEN_IN_MUJOCO = {
    ("actuator", "moment"), ("joint", "cdof"), ("jnt", "cdof"), ("joint", "cdof_dot"), ("jnt", "cdof_dot"),
    ("tendon", "_lengthspring"),
}
# MuJoCo shows these int64 addresses through a 32-bit view.
WIDER = {"adr"}


def public(view):
    return [a for a in dir(view) if not a.startswith("__") and a != "_pybind11_conduit_v1_"]


def compare(mine, theirs, kind):
    assert mine.id == theirs.id and mine.name == theirs.name
    for attr in public(theirs):
        if (kind, attr) in BROKEN_IN_MUJOCO:
            continue
        a, b = getattr(mine, attr), getattr(theirs, attr)
        if isinstance(b, np.ndarray):
            assert a.shape == b.shape, (kind, attr)
            assert a.dtype == b.dtype or attr in WIDER, (kind, attr)
            assert np.array_equal(a, b), (kind, attr)
        else:
            assert a == b, (kind, attr)


def count(owner, kind):
    n = 0
    while True:
        try:
            getattr(owner, kind)(n)
        except IndexError:
            return n
        n += 1


@pytest.mark.parametrize("kind", MODEL)
def test_model(rich, kind):
    n = count(rich.om, kind)
    assert n > 0 or kind == "skin"
    for i in range(n):
        theirs = getattr(rich.om, kind)(i)
        compare(getattr(rich.m, kind)(i), theirs, kind)
        if theirs.name:
            compare(getattr(rich.m, kind)(theirs.name), theirs, kind)
    with pytest.raises(IndexError):
        getattr(rich.m, kind)(n)


@pytest.mark.parametrize("kind", DATA)
def test_data(rich, kind):
    rng = np.random.default_rng(1)
    for name in "qpos qvel ctrl xpos xmat geom_xpos site_xmat cvel sensordata ten_length actuator_force cdof".split():
        getattr(rich.od, name)[...] = rng.standard_normal(getattr(rich.od, name).shape)
        getattr(rich.d, name)[...] = getattr(rich.od, name)
    n = count(rich.om, kind if kind != "ten" else "tendon")
    assert n > 0
    for i in range(n):
        theirs = getattr(rich.od, kind)(i)
        compare(getattr(rich.d, kind)(i), theirs, kind)


def test_attributes_beyond_mujoco(rich):
    m, d = rich.m, rich.d
    assert np.array_equal(m.tendon("cable").range, [0, 1])
    assert m.text("note").data == b"hello\0"
    assert d.actuator("servo").act.shape == (1,) and d.actuator("motor").act.shape == (0,)
    assert d.eq("couple").active[0] == 1
    d.cdof[:] = np.random.rand(*d.cdof.shape)
    assert np.array_equal(d.joint("slide").cdof, d.cdof[7:8])
    assert np.array_equal(m.hfield("ground").data, m.hfield_data.reshape(2, 3))


def test_views_alias(rich):
    m, d = rich.m, rich.d
    m.joint("hinge").range = [5, 6]
    assert np.array_equal(m.jnt_range[1], [5, 6])
    d.joint("hinge").qpos[0] = 0.25
    assert d.qpos[7] == 0.25
    d.joint("root").qvel[:] = 3
    assert np.all(d.qvel[:6] == 3)
    m.geom("ball").rgba[:] = 0.5
    assert np.all(m.geom_rgba[1] == 0.5)
    assert m.joint("hinge") == m.jnt(1) and hash(m.joint("hinge")) == hash(m.jnt(1))
    assert m.joint("hinge") != m.joint("slide") and m.joint("hinge") != d.joint("hinge")


def test_unknown_names(rich):
    for owner, other in ((rich.m, rich.om), (rich.d, rich.od)):
        with pytest.raises(KeyError) as mine:
            owner.body("tors")
        with pytest.raises(KeyError) as theirs:
            other.body("tors")
        assert mine.value.args[0] == theirs.value.args[0] + ". Did you mean 'torso'?"
        with pytest.raises(KeyError, match="Invalid name ''"):
            owner.body()
        for bad in (99, -1, 2**40):
            with pytest.raises(IndexError, match="Invalid index"):
                owner.body(bad)
        for bad in (1.0, None.__class__, object(), [1]):
            with pytest.raises(TypeError):
                owner.body(bad)


def test_unknown_attributes(rich):
    with pytest.raises(AttributeError, match="did you mean 'range'"):
        rich.m.joint("hinge").rnge
    with pytest.raises(AttributeError):
        rich.m.joint("hinge").foo = 1
    with pytest.raises(AttributeError, match="no setter"):
        rich.m.joint("hinge").id = 1
    with pytest.raises(ValueError, match="could not broadcast"):
        rich.m.joint("hinge").range = [1, 2, 3]


def test_repr(rich):
    for kind in DATA:
        text = repr(getattr(rich.d, kind)(0))
        assert text.startswith("<_MjData") and "id: 0" in text
    assert repr(rich.m.body("torso")).startswith("<_MjModelBodyViews\n")


def test_corrupted_addresses_are_caught(rich):
    m = rich.m
    m.sensor_adr[0] = 10**6
    with pytest.raises(IndexError):
        rich.d.sensor(0).data
    m.jnt_dofadr[:] = 10**6
    with pytest.raises(IndexError):
        rich.d.joint(0).qvel
    m.tex_width[0] = 10**6
    with pytest.raises(IndexError):
        m.tex(0).data
    m.jnt_qposadr[0] = -5
    rich.d.joint(0).qpos


def test_indices(rich):
    """Anything that `int()` accepts is an index, except fractions."""
    for index in (np.array(1), np.int64(1), np.uint8(1), True):
        assert rich.m.body(index).id == rich.om.body(index).id == 1
    for index in (1.0, np.float64(1), [1], np.array([0, 1]), None.__class__):
        for m in (rich.m, rich.om):
            with pytest.raises(TypeError):
                m.body(index)
